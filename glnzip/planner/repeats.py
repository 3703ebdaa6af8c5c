"""How often bytes come again at each distance: what `glnzip.planner.planner` finds rows by."""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, kernel

_BLOCK = 128  # few enough to be counted in a byte each, and a whole number of vectors


@kernel
def count_repeats(sample, wanted, counts):
    """Count the places where a byte is the same as the one a distance before.

    Parameters
    ----------
    sample : uint8[:]
    wanted : uint8[:]
        1 for the places that count, else 0.
    counts : int64[:]
        Receives at each distance from 1 on how many there are.
    """
    for distance in range(1, counts.size):
        start = distance
        while start < sample.size:
            end = min(start + _BLOCK, sample.size)
            counts[distance] += _in_block(sample, wanted, distance, start, end)
            start = end


@inline
def _in_block(sample, wanted, distance, start, end):
    count = np.uint8(0)
    for i in range(start, end):
        same = np.uint8(sample[i] == sample[i - distance])
        count = np.uint8(count + (same & wanted[i]))
    return np.int64(count)
