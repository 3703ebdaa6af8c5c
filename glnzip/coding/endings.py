"""Where a message ends, told by its bytes alone: no length is written, and no mark.

The coder can end after every byte of a message: any string of bytes in its interval (as a number,
zeros following) leads the decoder there. To each place where a message could end belongs one
string, its *ending*: the first one in the interval that comes after the ending of the place before,
shorter strings first, and those of one length in the order of their numbers. So all endings of a
message and its beginnings differ, and whoever knows how many bytes have arrived, as everybody does
who receives a packet or a line, decodes until the ending is what has arrived. Next to nothing is
lost: a string of a given length in the interval is left out only if an earlier place has it.
(Scott's bijective arithmetic coding, 1998, tells the end in the same spirit.)

An ending is kept as its length and as the number that its bytes make from the coder's present place
on: seven bytes, zeros filling up. The interval is never smaller than 2**24 such numbers, more than
a message has places to end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.coding.arrays import Bytes
from glnzip.jit import inline

ENDING = np.dtype(
    [
        ("length", np.int64),
        ("at", np.int64),  # how many of its bytes come before those of `number`
        ("number", np.int64),  # -1 or _BEYOND: below all strings in the interval, or above them
    ],
)
_BYTES = 7
_BEYOND = 1 << 8 * _BYTES
_FINER = 8 * (_BYTES - 4)  # bits that the coder's numbers lack


@inline
def next_ending(ending, coder, at, payload):
    """Go on to the ending of the present place.

    `at` bytes of `payload` are final, and the coder's interval is about those that follow.
    """
    _follow(ending, at, payload)
    lowest = coder.low << _FINER
    highest = (coder.high + 1 << _FINER) - 1
    length = max(ending.length, at)
    least = max(lowest, ending.number + 1) if length == ending.length else lowest
    number = _rounded_up(least, at + _BYTES - length)
    while number > highest:
        length += 1
        number = _rounded_up(lowest, at + _BYTES - length)
    ending.length = length
    ending.number = number


@inline
def is_before(ending, payload):
    """Whether the ending comes before the whole of `payload` in the order of endings."""
    if ending.length == payload.size:
        return ending.number < number_at(payload, ending.at)
    return ending.length < payload.size


def ending_bytes(ending: Any, payload: Bytes) -> bytes | None:
    """The ending itself; None if it is longer than `payload`, which holds its first bytes."""
    length, at, number = (int(ending[name]) for name in ("length", "at", "number"))
    if length > payload.size:
        return None
    return bytes(payload[:at]) + number.to_bytes(_BYTES, "big")[: length - at]


@inline
def number_at(payload, at):
    """Seven bytes as a number, zeros past the end."""
    number = 0
    for i in range(at, at + _BYTES):
        number = number << 8 | _byte_at(payload, i)
    return number


@inline
def _follow(ending, at, payload):
    """Let the ending's number begin at the coder's present place."""
    while ending.at < at:
        if 0 <= ending.number and ending.number < _BEYOND:
            first = ending.number >> 8 * (_BYTES - 1)
            final = _byte_at(payload, ending.at)
            if first == final:
                ending.number = ending.number << 8 & (_BEYOND - 1)
            else:
                ending.number = -1 if first < final else _BEYOND
        ending.at += 1


@inline
def _rounded_up(number, zeros):
    """The next number, or this one, that ends in so many bytes of zeros."""
    unit = 1 << 8 * zeros
    return (number + unit - 1) & -unit


@inline
def _byte_at(payload, i):
    return np.int64(payload[i]) if i < payload.size else np.int64(0)
