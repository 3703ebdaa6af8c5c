"""Which checks of scikit-learn an online learner cannot pass, and why."""

from __future__ import annotations

from typing import Any

_ORDER = (
    "the weighted examples come in another order than the repeated ones, and the order in which an "
    "online learner sees examples matters; in one order both are the same to the bit"
)


def of_online_learning(estimator: Any) -> dict[str, str]:
    """For `parametrize_with_checks`: names of checks with the reason."""
    return {
        "check_sample_weight_equivalence_on_dense_data": _ORDER,
        "check_sample_weight_equivalence_on_sparse_data": _ORDER,
    }
