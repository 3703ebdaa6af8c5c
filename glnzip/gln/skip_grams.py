"""Base models for bits: how often a one followed each pattern of some chosen bits, as logits.

A *skip-gram* model looks at some positions of the side information and keeps two counts for every
combination of the bits there. The Zero-Redundancy estimate from these counts (`estimators`) is its
prediction. These are the base models of the paper's density experiment (section 6.3); with
neighbouring bits as positions they are the order-n models of data compression.

Two tables are enough for the logit. Once both values have followed, the estimate is that of
Krichevsky and Trofimov,

    logit = ln(n1 + 1/2) - ln(n0 + 1/2)

and before that it depends on one count alone. With ``b(n)`` for the KT probability of n equal bits
in a row, ``b(n + 1) = b(n) * (n + 1/2) / (n + 1)``, and n zeros before, the odds against a one are

    P(n + 1, 0) / P(n, 1) = (b(n + 1) / 2 + 1/4) / (b(n) / (2 * (n + 1)) / 2)        (n > 0)

where P is `glnzip.gln.estimators.zero_redundancy_block`; see there for the terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.logistic import exact_log
from glnzip.jit import inline, kernel

LARGEST_TABLE = 65_521  # pairs of counts of a model, where nothing else is said; a prime
_LARGEST_COUNT = (1 << 20) - 1  # counts stop there: the estimate moves by 1e-6 at most


class SkipGrams(NamedTuple):
    """Some models. `counts` is learned; the rest is fixed.

    Attributes
    ----------
    positions : int64[positions of all models]
        Where the models look, one model after the other.
    ends : int64[models]
        Where each model's positions end.
    sizes, first_row : int64[models]
        How many pairs of counts it has, and the number of the first.
    counts : int32[rows, 2]
        How often a zero and a one followed.
    """

    positions: Any
    ends: Any
    sizes: Any
    first_row: Any
    counts: Any


def new_skip_grams(
    models: Sequence[Sequence[int]], *, largest_table: int = LARGEST_TABLE
) -> SkipGrams:
    """Models that look at these positions, and have seen nothing yet.

    Parameters
    ----------
    models : sequence of sequences of int
        At most 62 positions each.
    largest_table : int
        Pairs of counts that a model has at most, 8 bytes each; best a prime. Where there are more
        patterns they share these, by the remainder of the pattern's number.

    Raises
    ------
    ValueError
        If there is no model, or one has no positions, negative ones or too many; or no table.
    """
    if largest_table < 1:
        raise ValueError("a model has at least one pair of counts")
    if not models or not all(1 <= len(positions) <= 62 for positions in models):
        raise ValueError("a skip-gram looks at 1 to 62 positions, and there is at least one")
    positions = np.concatenate([np.asarray(chosen, np.int64) for chosen in models])
    if positions.min() < 0:
        raise ValueError("positions are not negative")
    sizes = np.array([min(1 << len(chosen), largest_table) for chosen in models], np.int64)
    return SkipGrams(
        positions=positions,
        ends=np.cumsum([len(chosen) for chosen in models]),
        sizes=sizes,
        first_row=np.cumsum(sizes) - sizes,
        counts=np.zeros((sizes.sum(), 2), np.int32),
    )


def learn_skip_grams(models: SkipGrams, side: Any, bits: Any) -> Any:
    """Predict and then count each example.

    Parameters
    ----------
    models : SkipGrams
        Changed in place.
    side : uint8[n, d]
        Side information, zeros and ones.
    bits : integers[n]
        What followed, 0 or 1.

    Returns
    -------
    float32[n, models]
        The logit of each model's estimate before the example was counted: `inputs` of
        `glnzip.gln.learn`.

    Raises
    ------
    ValueError
        If the arrays do not fit each other, or are no bits.
    """
    bits = np.asarray(bits, np.int64)
    return _estimates(models, side, bits, len(bits))


def predict_skip_grams(models: SkipGrams, side: Any) -> Any:
    """Predict each example and count nothing; parameters, result and errors as above."""
    return _estimates(models, side, np.zeros(0, np.int64), len(side))


def zero_redundancy_logits(n0: Any, n1: Any) -> Any:
    """Logits of the Zero-Redundancy estimate for arrays of counts: float32 of their shape.

    Counts above 1,048,575 are taken for that. Raises ValueError for negative ones.
    """
    n0, n1 = np.broadcast_arrays(np.asarray(n0), np.asarray(n1))
    if n0.dtype.kind not in "iu" or n1.dtype.kind not in "iu" or min(n0.min(), n1.min()) < 0:
        raise ValueError("counts are integers, and not negative")
    n0, n1 = np.minimum(n0, _LARGEST_COUNT), np.minimum(n1, _LARGEST_COUNT)
    halves, certain = estimate_tables()
    both = halves[n1] - halves[n0]
    return np.where(n0 == 0, certain[n1], np.where(n1 == 0, -certain[n0], both))


@cache
def estimate_tables() -> tuple[Any, Any]:
    """The two tables at the top of this module.

    Returns
    -------
    halves : float32[counts]
        ``ln(n + 1/2)``
    certain : float32[counts]
        The logit of a one after n ones.
    """
    n = np.arange(_LARGEST_COUNT + 1)
    halves = exact_log(n + 0.5)
    same = np.cumprod(np.concatenate([[1.0], (n[:-1] + 0.5) / n[1:]]))  # b(n)
    after = same * (n + 0.5) / (n + 1)
    odds = (after / 2 + 0.25) / (same / (n + 1) / 4)
    certain = exact_log(odds)
    certain[0] = 0.0  # nothing was seen yet
    return halves.astype(np.float32), certain.astype(np.float32)


def _estimates(models: SkipGrams, side: Any, bits: Any, count: int) -> Any:
    side = np.asarray(side)
    if side.ndim != 2 or side.dtype.kind not in "iub" or len(side) != count:
        raise ValueError(f"side information of shape {side.shape} is not that of {count} examples")
    if side.shape[1] <= models.positions.max():
        raise ValueError(f"a model looks at position {models.positions.max()}, of {side.shape[1]}")
    if not (((side == 0) | (side == 1)).all() and ((bits == 0) | (bits == 1)).all()):
        raise ValueError("bits are zeros and ones")
    by_position = np.ascontiguousarray(side.T, np.uint8)
    inputs = np.zeros((count, len(models.ends)), np.float32)
    numbers = np.zeros(count, np.int64)
    _estimate(models, by_position, bits, *estimate_tables(), numbers, inputs)
    return inputs


@kernel
def _estimate(models, side, bits, halves, certain, numbers, inputs):
    begin = 0
    for model in range(models.ends.size):
        end = models.ends[model]
        size = models.sizes[model]
        for t in range(numbers.size):
            numbers[t] = 0
        for i in range(begin, end):
            position = models.positions[i]
            for t in range(numbers.size):
                numbers[t] = numbers[t] << 1 | np.int64(side[position, t])
        begin = end
        for t in range(numbers.size):
            number = numbers[t]
            if number >= size:
                number %= size
            row = models.first_row[model] + number
            inputs[t, model] = _logit(models.counts, row, halves, certain)
            if bits.size > 0:
                bit = bits[t]
                models.counts[row, bit] = min(models.counts[row, bit] + 1, _LARGEST_COUNT)


@inline
def _logit(counts, row, halves, certain):
    """The logit of the Zero-Redundancy estimate from a pair of counts."""
    n0, n1 = counts[row, 0], counts[row, 1]
    if n0 == 0:
        return certain[n1]
    if n1 == 0:
        return -certain[n0]
    return halves[n1] - halves[n0]
