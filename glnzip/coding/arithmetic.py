"""A binary arithmetic coder: 32-bit range, 16-bit probabilities, carry-free.

Both directions keep an interval ``[low, high]`` of 32-bit numbers and split it at the same place,
in proportion to the probability of a one; a one keeps the lower part. Leading bytes on which both
ends agree are final and shift out (the coder of lpaq; Mahoney, 2007).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.jit import inline
from glnzip.jit.records import new_records

TOP = 0xFFFFFFFF
FLUSH_BYTES = 4

CODER = np.dtype(
    [
        ("low", np.int64),
        ("high", np.int64),
        ("code", np.int64),  # decoder only: the 32 bits of payload the interval is compared with
        ("at", np.int64),  # next payload byte to write or read; may run past the end
    ],
)


def new_coder() -> Any:
    """The coder before the first bit, whose interval is whole: CODER[1]."""
    coder = new_records(1, CODER)
    coder[0] = (0, TOP, 0, 0)
    return coder


@inline
def split(coder, p_one):
    """The last number of the part of the interval that means a one."""
    width = coder.high - coder.low
    return coder.low + (width >> 16) * p_one + (((width & 0xFFFF) * p_one) >> 16)


@inline
def narrow(coder, middle, bit):
    """Keep the part of the interval that means `bit`."""
    if bit == 1:
        coder.high = middle
    else:
        coder.low = middle + 1


@inline
def top_byte_is_final(coder):
    """Whether both ends agree on their first byte."""
    return (coder.low ^ coder.high) >> 24 == 0


@inline
def shift_interval(coder):
    """Drop the final byte from both ends."""
    coder.low = (coder.low << 8) & TOP
    coder.high = (coder.high << 8 & TOP) | 255


@inline
def encode_bit(coder, payload, p_one, bit):
    """Append `bit` to the payload; bytes past its end are counted but not written."""
    narrow(coder, split(coder, p_one), bit)
    while top_byte_is_final(coder):
        put_byte(coder, payload, coder.high >> 24)
        shift_interval(coder)


@inline
def decode_bit(coder, payload, p_one):
    """The next bit of the payload; past its end zeros are read."""
    middle = split(coder, p_one)
    bit = 1 if coder.code <= middle else 0
    narrow(coder, middle, bit)
    while top_byte_is_final(coder):
        coder.code = (coder.code << 8 & TOP) | get_byte(coder, payload)
        shift_interval(coder)
    return bit


@inline
def put_byte(coder, payload, byte):
    """Write one byte if there is room; `at` moves on in any case."""
    if coder.at < payload.size:
        payload[coder.at] = byte
    coder.at += 1


@inline
def get_byte(coder, payload):
    """Read one byte, zero past the end."""
    at = coder.at
    coder.at = at + 1
    if at < payload.size:
        return np.int64(payload[at])
    return np.int64(0)
