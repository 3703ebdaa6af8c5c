"""How many bits simple codes would take: integer sums, the same on every machine."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from glnzip.gln.logistic import exact_log

_UNITS = 1 << 16  # code lengths are added in 1/65536 bit
_LN2 = 0.6931471805599453
_LARGEST = 1 << 16  # symbols, at most


def adaptive_bits(context: Any, symbol: Any, symbol_bits: int) -> int:
    """Code length of the symbols, each context learning its own distribution as it goes.

    The closed form of an adaptive code with a Dirichlet prior of 1/64 for each symbol.
    """
    pairs = np.bincount(context << symbol_bits | symbol, minlength=1 << symbol_bits)
    pairs = np.concatenate((pairs, np.zeros(-pairs.size % (1 << symbol_bits), np.int64)))
    counts = pairs.reshape(-1, 1 << symbol_bits)
    spent = _log_rising((1 << symbol_bits) / 64)[counts.sum(1)]
    gained = _log_rising(1 / 64)[counts]
    return int(spent.sum() - gained.sum()) // _UNITS


def entropy_bits(counts: Any) -> int:
    """Code length of columns within rows, by these very counts: int64[rows, columns]."""

    def weighted(n: Any) -> int:
        logs = np.rint(exact_log(np.maximum(n, 1).astype(np.float64)) * (_UNITS / _LN2))
        return int((n * logs.astype(np.int64)).sum())

    return (weighted(counts.sum(1)) - weighted(counts)) // _UNITS


@cache
def _log_rising(start: float) -> Any:
    """``log2(start (start + 1) ... (start + n - 1))`` for n = 0.._LARGEST, in `_UNITS`."""
    logs = exact_log(start + np.arange(_LARGEST)) * (_UNITS / _LN2)
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.rint(logs).astype(np.int64))))
