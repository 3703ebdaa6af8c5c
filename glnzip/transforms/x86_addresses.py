"""Relative addresses of x86 code made absolute, and back (the E8E9 transform, and more than it).

Machine code names the target of a call relative to the call. Two calls of one function so differ,
and a model cannot see that they are the same. `to_absolute` adds to each such address where it
stands, and `to_relative` takes that away again. Both walk through the block with the same decoder,
whose way does not depend on the operands, so the second is the exact inverse of the first for any
bytes whatsoever.

Addresses up to 2**24 either way are changed: those whose fourth byte is 0 or 255. The result is
again of that kind, which is how the way back knows it. Its three low bytes stand most significant
first, so that a model meets the part that repeats most before the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.format.block_type import BINARY, CALLS, CALLS_AND_DATA, BlockType
from glnzip.jit import inline, kernel
from glnzip.jit.records import new_records
from glnzip.transforms.x86_decoder import (
    X86,
    constant_bytes,
    next_is_ip_address,
    next_is_relative,
    see_code_byte,
)

_RANGE = (1 << 25) - 1
_HASH = 0x2C1B3C6D  # odd, below 2**30, so that its product with 32 bits fits int64
_SEEN_BITS = 14
_REPEATS_WANTED = 32


def to_absolute(data: Any, block_type: BlockType) -> None:
    """Rewrite the code in `data`, a uint8 array, in place; `to_relative` is the inverse.

    Its kind is `CALLS` (32-bit code has relative calls) or `CALLS_AND_DATA` (64-bit code also has
    relative data addresses).
    """
    _rewrite(data, block_type.kind == CALLS_AND_DATA, True, new_records(1, X86))


def to_relative(data: Any, block_type: BlockType) -> None:
    """Undo `to_absolute`."""
    _rewrite(data, block_type.kind == CALLS_AND_DATA, False, new_records(1, X86))


def code_kind(data: Any) -> int:
    """What it pays to rewrite in `data`: `CALLS`, `CALLS_AND_DATA`, or nothing, `BINARY`.

    It pays where places repeat more often than distances do, addresses of data clearly more often.
    In anything but x86 code there are few operands, and equal ones stand for equal values.
    """
    counts = np.zeros((2, 2), np.int64)
    seen = np.zeros((2, 2, 1 << _SEEN_BITS), np.uint32)
    _count_repeats(data, counts, seen, new_records(1, X86))
    (calls, calls_apart), (addresses, addresses_apart) = counts.tolist()
    if calls < calls_apart + _REPEATS_WANTED:
        return BINARY
    return CALLS_AND_DATA if 4 * addresses > 5 * addresses_apart + _REPEATS_WANTED else CALLS


@kernel
def _count_repeats(data, counts, seen, state):
    """Count the operands seen before, by kind of operand (calls, data), as places and distances."""
    x86 = state[0]
    for i in range(data.size):
        if i + 4 <= data.size and (data[i + 3] == 0 or data[i + 3] == 255):
            operand = -1
            end = i + 4
            if next_is_relative(x86):
                operand = 0
            elif next_is_ip_address(x86):
                operand = 1
                end += constant_bytes(x86)
            if operand >= 0:
                distance = _value(data, i)
                for form in range(2):
                    value = (distance + end * (1 - form)) & _RANGE
                    place = (value * _HASH >> 8) & ((1 << _SEEN_BITS) - 1)
                    counts[operand, form] += seen[operand, form, place] == value + 1
                    seen[operand, form, place] = value + 1
        see_code_byte(x86, np.int64(data[i]))


@kernel
def _rewrite(data, with_data, forward, state):
    x86 = state[0]
    for i in range(data.size):
        if i + 4 <= data.size and (data[i + 3] == 0 or data[i + 3] == 255):
            if next_is_relative(x86):
                _move(data, i, i + 4, forward)
            elif with_data and next_is_ip_address(x86):
                _move(data, i, i + 4 + constant_bytes(x86), forward)
        see_code_byte(x86, np.int64(data[i]))


@inline
def _move(data, i, end, forward):
    """The distance at `i`, counted from `end`, becomes a place, or the other way round."""
    if forward:
        value = (_value(data, i) + end) & _RANGE
        data[i], data[i + 2] = value >> 16 & 255, value & 255
    else:
        data[i], data[i + 2] = data[i + 2], data[i]
        value = (_value(data, i) - end) & _RANGE
        data[i], data[i + 2] = value & 255, value >> 16 & 255
    data[i + 1] = value >> 8 & 255
    data[i + 3] = 255 if value >> 24 else 0


@inline
def _value(data, i):
    """The 25-bit distance at `i`, lowest byte first; bit 24 stands for all the bits above."""
    low = np.int64(data[i]) | np.int64(data[i + 1]) << 8 | np.int64(data[i + 2]) << 16
    return low | (np.int64(data[i + 3]) & 1) << 24
