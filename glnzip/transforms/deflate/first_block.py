"""A quick look at the first block of what may be a deflate stream (RFC 1951, section 3.2).

Two bytes that a zlib stream may begin with stand everywhere in programs and noise. Nearly all of
them are found out here, before anything is set up to undo a stream.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.transforms.deflate.bits import peek
from glnzip.transforms.deflate.codes import (
    CODE_LENGTHS,
    DISTANCE_BASE,
    DISTANCE_EXTRA,
    DISTANCES,
    END,
    LENGTH_BASE,
    LENGTH_EXTRA,
    LITERALS,
)

LOOKED_AT = 70
"""Bytes from the beginning of the stream on."""

_STORED, _FIXED, _DYNAMIC = range(3)
_TOKENS = 16  # of a block of fixed codes
_LONGEST_CODE_LENGTH = 7


@inline
def may_begin(data, at):
    """Whether a stream may begin at byte `at`, behind which there are `LOOKED_AT` bytes.

    One that begins with a block of no tokens is told as none.
    """
    start = at * 8
    kind = peek(data, start + 1) & 3
    if kind == _STORED:
        lengths = peek(data, start + 8) & 0xFFFF, peek(data, start + 24) & 0xFFFF
        return lengths[0] ^ lengths[1] == 0xFFFF
    if kind == _FIXED:
        return _are_tokens(data, start + 3)
    return kind == _DYNAMIC and _is_header(data, start + 3)


@inline
def _is_header(data, at):
    """Whether codes of code lengths are complete, and the other codes not too many."""
    literals, distances = peek(data, at) & 31, peek(data, at + 5) & 31
    count = (peek(data, at + 10) & 15) + 4
    if literals + 257 > LITERALS or distances + 1 > DISTANCES:
        return False
    left = np.int64(1) << _LONGEST_CODE_LENGTH
    for k in range(min(count, CODE_LENGTHS)):
        length = peek(data, at + 14 + 3 * k) & 7
        if length > 0:
            left -= np.int64(1) << (_LONGEST_CODE_LENGTH - length)
    return left == 0


@inline
def _are_tokens(data, at):
    """Whether the first tokens have fixed codes that exist, and look back at what there is."""
    seen = np.int64(0)
    for _ in range(_TOKENS):
        symbol = _reversed(peek(data, at), 7) + END
        at += 7
        if symbol > 279:  # it has more bits
            symbol = _reversed(peek(data, at - 7), 8)
            at += 1
            if symbol >= 0xC8:  # a literal of nine
                at += 1
            symbol = np.int64(0) if symbol < 0xC0 or symbol >= 0xC8 else symbol - 0xC0 + 280
        if symbol == END:
            return seen > 0  # zeros would be a block of nothing
        if symbol < END:
            seen += 1
            continue
        if symbol >= LITERALS:
            return False
        length = symbol - END - 1
        more = LENGTH_BASE[length] + (peek(data, at) & ((1 << LENGTH_EXTRA[length]) - 1))
        at += LENGTH_EXTRA[length]
        code = _reversed(peek(data, at), 5)
        at += 5
        if code >= DISTANCES:
            return False
        distance = DISTANCE_BASE[code] + (peek(data, at) & ((1 << DISTANCE_EXTRA[code]) - 1))
        at += DISTANCE_EXTRA[code]
        if distance > seen:
            return False
        seen += more
    return True


@inline
def _reversed(bits, count):
    """The first so many bits as a number, the first one the highest."""
    number = np.int64(0)
    for k in range(count):
        number = number << 1 | (bits >> k & 1)
    return number
