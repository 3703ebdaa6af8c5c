"""Bits of streams that have the highest bit of a byte first, as bzip2 and the LZW of TIFF.

A *cursor* is an int64 array whose only element is the number of the next bit.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline


@inline
def read_bits(data, cursor, count):
    """The next `count` bits as a number, at most 24; what lies behind the end is zeros."""
    at = cursor[0]
    cursor[0] = at + count
    byte = at >> 3
    word = np.int64(0)
    for k in range(4):
        word = word << 8 | (np.int64(data[byte + k]) if byte + k < data.size else np.int64(0))
    return word >> (32 - (at & 7) - count) & ((1 << count) - 1)


@inline
def write_bits(data, cursor, number, count):
    """Append the low `count` bits of `number`, at most 24, to a buffer whose rest is zeros."""
    at = cursor[0]
    cursor[0] = at + count
    word = (number & ((1 << count) - 1)) << (32 - (at & 7) - count)
    byte = at >> 3
    for k in range(4):
        part = word >> (24 - 8 * k) & 255
        if part != 0:
            data[byte + k] |= np.uint8(part)
