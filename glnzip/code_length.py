"""How many bits simple codes would take: integer sums, the same on every machine."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from glnzip.gln.logistic import exact_log

_UNITS = 1 << 16  # code lengths are added in 1/65536 bit
_LN2 = 0.6931471805599453
_USUAL_BITS = 16


def adaptive_bits(context: Any, symbol: Any, symbol_bits: int, first_count: float = 1 / 64) -> int:
    """Code length of the symbols, each context learning its own distribution as it goes.

    The closed form of an adaptive code with a Dirichlet prior of `first_count` for each symbol; for
    bits and 1/2 that is the KT estimator.
    """
    pairs = np.bincount(context << symbol_bits | symbol, minlength=1 << symbol_bits)
    pairs = np.concatenate((pairs, np.zeros(-pairs.size % (1 << symbol_bits), np.int64)))
    counts = pairs.reshape(-1, 1 << symbol_bits)
    length_bits = max(symbol.size.bit_length(), _USUAL_BITS)
    spent = _log_rising(first_count * (1 << symbol_bits), length_bits)[counts.sum(1)]
    gained = _log_rising(first_count, length_bits)[counts]
    return int(spent.sum() - gained.sum()) // _UNITS


def entropy_bits(counts: Any) -> int:
    """Code length of columns within rows, by these very counts: int64[rows, columns]."""

    def weighted(n: Any) -> int:
        n = n[n > 1]  # few are, and logarithms take their time
        logs = np.rint(exact_log(n.astype(np.float64)) * (_UNITS / _LN2))
        return int((n * logs.astype(np.int64)).sum())

    return (weighted(counts.sum(1)) - weighted(counts)) // _UNITS


@cache
def _log_rising(start: float, length_bits: int) -> Any:
    """``log2(start (start + 1) ... (start + n - 1))`` for n = 0..2**length_bits, in `_UNITS`."""
    logs = exact_log(start + np.arange(1 << length_bits)) * (_UNITS / _LN2)
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.rint(logs).astype(np.int64))))
