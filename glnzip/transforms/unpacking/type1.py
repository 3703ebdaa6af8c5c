"""The encrypted part of a Type 1 font (Adobe Type 1 Font Format, 1990, chapter 7), in the clear.

The private part of a font is encrypted as a whole, and in it once more each of the programs that
draw the letters. The keys are known, and a byte remains a byte, so that whatever is deciphered
becomes the same when it is enciphered again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.jit import inline, kernel

_PRIVATE_KEY = 55_665
_PROGRAM_KEY = 4_330
_FACTOR = 52_845
_ADDEND = 22_719
_MOST_DIGITS = 5  # of the length of a program


def deciphered(data: bytes) -> bytes:
    """The private part of a font in the clear: as many bytes."""
    array: Any = np.frombuffer(bytearray(data), np.uint8)
    _decipher(array)
    return array.tobytes()


def enciphered(data: bytes) -> bytes:
    """The opposite of `deciphered`."""
    array: Any = np.frombuffer(bytearray(data), np.uint8)
    _encipher(array)
    return array.tobytes()


@kernel
def _decipher(data):
    _cross(data, np.int64(0), np.int64(data.size), np.int64(_PRIVATE_KEY), False)
    _cross_programs(data, False)


@kernel
def _encipher(data):
    _cross_programs(data, True)
    _cross(data, np.int64(0), np.int64(data.size), np.int64(_PRIVATE_KEY), True)


@inline
def _cross(data, start, end, state, enciphers):
    """From one side to the other, in place: each byte of the cipher is a part of the next key."""
    for i in range(start, end):
        byte = np.int64(data[i])
        other = byte ^ state >> 8
        data[i] = np.uint8(other)
        cipher = other if enciphers else byte
        state = ((cipher + state) * _FACTOR + _ADDEND) & 0xFFFF


@inline
def _cross_programs(data, enciphers):
    """Each program stands behind its length and a name, mostly ``RD`` or ``-|``."""
    i = np.int64(0)
    free = np.int64(0)  # what is before belongs to a program
    while i + 4 <= data.size:
        size = np.int64(0)
        if data[i] == 0x20 and data[i + 3] == 0x20 and _is_name(data, i + 1):
            size = _number_before(data, free, i)
        if 0 < size and size <= data.size - i - 4:
            free = i + 4 + size
            _cross(data, i + 4, free, np.int64(_PROGRAM_KEY), enciphers)
            i = free
        else:
            i += 1


@inline
def _is_name(data, at):
    first, second = np.int64(data[at]), np.int64(data[at + 1])
    return (first == 0x52 and second == 0x44) or (first == 0x2D and second == 0x7C)  # RD, -|


@inline
def _number_before(data, start, end):
    """The number that ends at a place; 0 if there is none."""
    number = np.int64(0)
    unit = np.int64(1)
    i = end - 1
    while i >= max(start, end - _MOST_DIGITS) and 0x30 <= data[i] and data[i] <= 0x39:
        number += (np.int64(data[i]) - 0x30) * unit
        unit *= 10
        i -= 1
    return number
