"""Bits of a deflate stream: the lowest bit of a byte first (RFC 1951, section 3.1.1).

A *cursor* is an int64 array whose only element is the number of the next bit. Buffers are longer
than what they hold by `SPARE` zero bytes, so that reading may look ahead without a check, and a
reader asks now and then whether the cursor has passed the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.jit import inline

SPARE = 8  # bytes behind the end of a buffer


def padded(stream: Any) -> Any:
    """A stream (uint8[:]) with `SPARE` zero bytes behind it, for those who read it."""
    return np.concatenate([stream, np.zeros(SPARE, np.uint8)])


@inline
def peek(data, at):
    """The 24 bits from bit number `at` on, or a few more: int64."""
    byte = at >> 3
    word = (
        np.int64(data[byte])
        | np.int64(data[byte + 1]) << 8
        | np.int64(data[byte + 2]) << 16
        | np.int64(data[byte + 3]) << 24
    )
    return word >> (at & 7)


@inline
def read_bits(data, cursor, count):
    """The next `count` bits as a number, at most 16; what lies behind the end is zeros."""
    at = cursor[0]
    cursor[0] = at + count
    if (at >> 3) + SPARE > data.size:
        return np.int64(0)
    return peek(data, at) & ((1 << count) - 1)


@inline
def write_bits(data, cursor, number, count):
    """Append the low `count` bits of `number`, at most 24, to a buffer whose rest is zeros."""
    at = cursor[0]
    cursor[0] = at + count
    word = (number & ((1 << count) - 1)) << (at & 7)
    byte = at >> 3
    while word > 0:
        data[byte] |= np.uint8(word & 255)
        word >>= 8
        byte += 1
