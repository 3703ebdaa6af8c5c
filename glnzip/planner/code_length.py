"""How many bits simple codes would take: integer sums, the same on every machine."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from glnzip.gln.logistic import exact_log

_UNITS = 1 << 16  # code lengths are added in 1/65536 bit
_LN2 = 0.6931471805599453
_USUAL_BITS = 16
_SLICE = 1 << 12


def adaptive_bits(context: Any, symbol: Any, symbol_bits: int, first_count: float = 1 / 64) -> int:
    """Code length of the symbols, each context learning its own distribution as it goes.

    The closed form of an adaptive code with a Dirichlet prior of `first_count` for each symbol; for
    bits and 1/2 that is the KT estimator.
    """
    pairs = np.bincount(context << symbol_bits | symbol, minlength=1 << symbol_bits)
    pairs = np.concatenate((pairs, np.zeros(-pairs.size % (1 << symbol_bits), np.int64)))
    counts = pairs.reshape(-1, 1 << symbol_bits)
    spent = _log_rising(first_count * (1 << symbol_bits), counts.sum(1))
    gained = _log_rising(first_count, counts)
    return int(spent.sum() - gained.sum()) // _UNITS


def entropy_bits(counts: Any) -> int:
    """Code length of columns within rows, by these very counts: int64[rows, columns]."""
    totals = counts.sum(1)
    weighted = _weighted_logs(max(int(totals.sum()).bit_length(), _USUAL_BITS))
    return int(weighted[totals].sum() - weighted[counts].sum()) // _UNITS


def _logs(start: float, length_bits: int) -> Any:
    """log2(start + n) for n = 0..2**length_bits - 1, in `_UNITS`."""
    logs = np.empty(1 << length_bits, np.int64)
    for first in range(0, logs.size, _SLICE):  # more at once would take long ways, and memory
        part = exact_log(start + np.arange(first, first + _SLICE))
        logs[first : first + _SLICE] = np.rint(part * (_UNITS / _LN2))
    return logs


def _log_rising(start: float, counts: Any) -> Any:
    """``log2(start (start + 1) ... (start + n - 1))`` for each n of `counts`, in `_UNITS`.

    The sum of logarithms up to a point, and Stirling's formula for the gamma function beyond it.
    """
    usual = 1 << _USUAL_BITS
    total = _sums_of_logs(start)[np.minimum(counts, usual)]
    many = counts > usual
    if many.any():
        ends = np.append(start + counts[many], start + usual)
        gammas = (ends - 0.5) * exact_log(ends) - ends + 1 / (12 * ends)
        total[many] += np.rint((gammas[:-1] - gammas[-1]) * (_UNITS / _LN2)).astype(np.int64)
    return total


@cache
def _sums_of_logs(start: float) -> Any:
    """``log2(start (start + 1) ... (start + n - 1))`` for n = 0..2**_USUAL_BITS, in `_UNITS`."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(_logs(start, _USUAL_BITS))))


@cache
def _weighted_logs(length_bits: int) -> Any:
    """``n log2 n`` for n = 0..2**length_bits, in `_UNITS`."""
    n = np.arange(1, 1 + (1 << length_bits))
    return np.concatenate((np.zeros(1, np.int64), n * _logs(1.0, length_bits)))
