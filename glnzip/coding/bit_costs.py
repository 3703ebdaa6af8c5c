"""What a bit costs: the logarithm of its probability (Shannon, 1948), as a table."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from glnzip.gln.logistic import exact_log
from glnzip.model.step import PROBABILITY_16

_UNITS = 1 << 16  # costs are multiples of 1/65536 bit, so that they add up exactly in any order


def bit_costs(chances: Any) -> Any:
    """Costs in bits, float64, of bits that came with these probabilities in 1/65536, uint16[:]."""
    return _costs()[chances]


@cache
def _costs() -> Any:
    chances = np.arange(PROBABILITY_16, dtype=np.float64)
    chances[0] = 1.0  # none: the model says 1 at least
    bits = exact_log(chances / PROBABILITY_16) / exact_log(np.array([0.5]))
    return np.rint(bits * _UNITS) / _UNITS
