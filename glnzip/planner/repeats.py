"""How often bytes come again at each distance: what the planner finds rows and records by."""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, kernel
from glnzip.model.hashing import hashed_pair

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


@kernel
def count_repeats_at(sample, places, counts):
    """Count them at some places alone, so that distances may be long.

    Parameters
    ----------
    sample : uint8[:]
    places : int64[:]
        Fewer than 2**16; none is before ``counts.size``.
    counts : uint16[:]
        As above.
    """
    for place in places:
        byte = sample[place]
        for distance in range(1, counts.size):
            counts[distance] += np.uint16(sample[place - distance] == byte)


@kernel
def count_foretold(sample, start, row, record, table):
    """Count the bytes that followed the last time, too, that those around were the same.

    Around are the last two bytes, the one a row before and the one a record before.

    Parameters
    ----------
    sample : uint8[:]
    start : int64
        The first byte that counts; `row` and `record` are at most this, and it is at least 2.
    row, record : int64
        Distances in bytes.
    table : uint8[:]
        Room for what followed, a power of two of zeros, at most 2**32.

    Returns
    -------
    int64
    """
    count = 0
    for i in range(start, sample.size):
        last = np.int64(sample[i - 1]) << 8 | np.int64(sample[i - 2])
        apart = np.int64(sample[i - row]) << 8 | np.int64(sample[i - record])
        place = hashed_pair(last, apart) & (table.size - 1)
        count += table[place] == sample[i]
        table[place] = sample[i]
    return count


@inline
def _in_block(sample, wanted, distance, start, end):
    count = np.uint8(0)
    for i in range(start, end):
        same = np.uint8(sample[i] == sample[i - distance])
        count = np.uint8(count + (same & wanted[i]))
    return np.int64(count)
