"""The symbols of a block of bzip2: its bytes moved to the front, and runs of zeros.

Each byte is the number of others that came since it did (J. Bentley and others, "A locally
adaptive data compression scheme", 1986). Runs of zeros are numbers to the base 2 with the digits 1
and 2, the lowest first, which are the symbols 0 and 1; other numbers are one higher; and behind all
there is a last symbol.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline

ALPHABET = 258


@inline
def to_symbols(last, count, used, front, symbols):
    """The symbols of a block.

    Parameters
    ----------
    last : uint8[:]
        Its bytes, sorted.
    count : int
        How many.
    used : uint8[256]
        Filled with 1 for each that there is.
    front : uint8[256]
        For this function alone.
    symbols : uint16[:]
        To be filled.

    Returns
    -------
    int
        How many symbols there are.
    """
    see_used(last, count, used)
    bytes_used = _first_front(used, front)
    made = np.int64(0)
    zeros = np.int64(0)
    for i in range(count):
        byte = last[i]
        if front[0] == byte:
            zeros += 1
            continue
        made = _end_zeros(zeros, symbols, made)
        zeros = np.int64(0)
        symbols[made] = np.uint16(move_to_front(front, byte) + 1)
        made += 1
    made = _end_zeros(zeros, symbols, made)
    symbols[made] = np.uint16(bytes_used + 1)
    return made + 1


@inline
def see_used(last, count, used):
    """Fill `used` (uint8[256]) with 1 for each byte that there is, and 0."""
    for byte in range(256):
        used[byte] = 0
    for i in range(count):
        used[last[i]] = 1


@inline
def move_to_front(front, value):
    """Move a value to the front of a list that has it; return its place."""
    place = np.int64(0)
    moved = front[0]
    while moved != value:
        place += 1
        front[place], moved = moved, front[place]
    front[0] = value
    return place


@inline
def take_to_front(front, place):
    """Move what is at a place of a list to its front; return it."""
    value = front[place]
    for k in range(place, 0, -1):
        front[k] = front[k - 1]
    front[0] = value
    return value


@inline
def _first_front(used, front):
    """The bytes that there are, in order; how many."""
    count = np.int64(0)
    for byte in range(256):
        if used[byte] != 0:
            front[count] = byte
            count += 1
    return count


@inline
def _end_zeros(zeros, symbols, made):
    """Write a run of zeros."""
    left = np.int64(zeros)
    while left > 0:
        digit = (left - 1) & 1
        symbols[made] = np.uint16(digit)
        made += 1
        left = (left - 1 - digit) >> 1
    return made


@inline
def from_symbols(symbols, made, used, front, most, last):
    """The opposite, of all symbols but the last: how many bytes, -1 if that is more than `most`."""
    _first_front(used, front)
    count = np.int64(0)
    unit = np.int64(1)
    for i in range(made):
        symbol = np.int64(symbols[i])
        if symbol <= 1:
            run = unit << symbol
            if count + run > most:
                return np.int64(-1)
            for k in range(run):
                last[count + k] = front[0]
            count += run
            unit <<= 1
            continue
        unit = np.int64(1)
        if count == most:
            return np.int64(-1)
        last[count] = take_to_front(front, symbol - 1)
        count += 1
    return count
