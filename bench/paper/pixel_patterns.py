"""Base models of a pixel: how often a one followed each pattern of chosen earlier pixels.

A model looks at some pixels. It keeps two counts for every combination of their values, and the
Zero-Redundancy estimate from these is its prediction. Two tables are enough for its logit: once
both values have followed, the estimate is that of Krichevsky and Trofimov,

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
from glnzip.jit import kernel

LARGEST_TABLE = 65_521  # pairs of counts of a model; a prime
MEAN_SCALE = np.float32(5)


class Patterns(NamedTuple):
    """The base models of one pixel.

    Attributes
    ----------
    positions : int64[pixels of all models]
        The pixels that the models look at, one model after the other.
    ends : int64[models]
        Where each model's pixels end.
    sizes, first_row : int64[models]
        How many pairs of counts it has, and the number of the first.
    counts : int32[rows, 2]
        How often a zero and a one followed. Learned.
    """

    positions: Any
    ends: Any
    sizes: Any
    first_row: Any
    counts: Any


def new_patterns(models: Sequence[Sequence[int]]) -> Patterns:
    """Models that look at these pixels, at most 62 each, and have seen nothing yet."""
    sizes = np.array([min(1 << len(pixels), LARGEST_TABLE) for pixels in models], np.int64)
    return Patterns(
        positions=np.concatenate([np.asarray(pixels, np.int64) for pixels in models]),
        ends=np.cumsum([len(pixels) for pixels in models]),
        sizes=sizes,
        first_row=np.cumsum(sizes) - sizes,
        counts=np.zeros((sizes.sum(), 2), np.int32),
    )


def estimates(patterns: Patterns, planes: Any, piece: slice, bits: Any) -> Any:
    """The models' predictions of some bits, each before it is counted.

    Parameters
    ----------
    patterns : Patterns
        Changed in place.
    planes : uint8[pixels, n]
    piece : slice
        Of the n images.
    bits : uint8[of the piece]
        What is predicted.

    Returns
    -------
    float32[of the piece, models], in the logit domain
    """
    inputs = np.zeros((len(bits), len(patterns.ends)), np.float32)
    numbers = np.zeros(len(bits), np.int64)
    tables = zero_redundancy_logits(planes.shape[1] + 1)
    _estimate(patterns, planes, piece.start, bits, *tables, numbers, inputs)
    return inputs


@cache
def zero_redundancy_logits(size: int) -> tuple[Any, Any]:
    """The two tables at the top of this module, for counts below `size`.

    Returns
    -------
    halves : float32[size]
        ``ln(n + 1/2)``
    certain : float32[size]
        The logit of a zero after n zeros.
    """
    n = np.arange(size)
    halves = exact_log(n + 0.5)
    same = np.cumprod(np.concatenate([[1.0], (n[:-1] + 0.5) / n[1:]]))  # b(n)
    after = same * (n + 0.5) / (n + 1)
    odds = (after / 2 + 0.25) / (same / (n + 1) / 4)
    certain = exact_log(odds)
    certain[0] = 0.0  # nothing was seen yet
    return halves.astype(np.float32), certain.astype(np.float32)


@kernel
def _estimate(
    patterns: Patterns,
    planes: Any,
    first: int,
    bits: Any,
    halves: Any,
    certain: Any,
    numbers: Any,
    inputs: Any,
) -> None:
    begin = 0
    for model in range(patterns.ends.size):
        for t in range(bits.size):
            numbers[t] = 0
        for i in range(begin, patterns.ends[model]):
            pixel = patterns.positions[i]
            for t in range(bits.size):
                numbers[t] = numbers[t] << 1 | np.int64(planes[pixel, first + t])
        begin = patterns.ends[model]
        size = patterns.sizes[model]
        for t in range(bits.size):
            number = numbers[t]
            if number >= size:
                number %= size
            row = patterns.first_row[model] + number
            n0, n1 = patterns.counts[row, 0], patterns.counts[row, 1]
            if n0 == 0:
                inputs[t, model] = certain[n1]
            elif n1 == 0:
                inputs[t, model] = -certain[n0]
            else:
                inputs[t, model] = halves[n1] - halves[n0]
            patterns.counts[row, np.int64(bits[t])] += 1


def set_apart(logits: Any) -> Any:
    """The mean of each row, `MEAN_SCALE` times, and the distances of its numbers from the mean."""
    apart = np.empty((logits.shape[0], logits.shape[1] + 1), np.float32)
    _set_apart(logits, apart)
    return apart


@kernel
def _set_apart(logits: Any, apart: Any) -> None:
    models = logits.shape[1]
    for t in range(logits.shape[0]):
        total = np.float32(0)
        for k in range(models):
            total += logits[t, k]
        mean = total / np.float32(models)
        for k in range(models):
            apart[t, k] = logits[t, k] - mean
        apart[t, models] = MEAN_SCALE * mean
