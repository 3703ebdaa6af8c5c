"""Text that a page of PDF shows: what words see of it.

Where a reader sees "We are", a page says ``[(W)83(e)-278(a)-1(re)]TJ``: strings in brackets, and
between them how far the pen moves (ISO 32000-1, sections 7.3.4.2 and 9.4.3). A word goes on behind
a small move, and a large one is a space; the words before it are those of the text, not the
operators between two strings. (paq8px follows such strings, too.)
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline

HIDDEN = -1
"""What words see of a byte that is not for them."""

SHOWN = np.dtype(
    [
        ("place", np.int64),  # one of those below
        ("operator", np.int64),  # position behind the last operator that shows strings; 0 for none
        ("many", np.int64),  # 1 in brackets, where several strings may be
        ("escaped", np.int64),  # 1 after a backslash
        ("minus", np.int64),  # of the move so far: whether it has a minus ...
        ("digits", np.int64),  # ... its digits ...
        ("point", np.int64),  # ... and whether they ended
        ("last4", np.int64),  # the last four bytes that words saw, newest lowest
        ("words", np.int64, 3),  # the last words of the text, or, in it, those outside
    ]
)
(OUTSIDE, _STRING, _MOVE) = range(3)
_FAR = 4096  # bytes; an operator that is farther back does not count
_WIDE = 3  # digits of a move that is a space
_SPACE = 32


@inline
def shown_byte(shown, last4, position):
    """What words see of the last byte: it, a space for it, or `HIDDEN`."""
    byte = last4 & 255
    if _is_operator(last4):
        shown.operator = position
    if shown.operator == 0 or position - shown.operator > _FAR:
        shown.place = OUTSIDE
    elif shown.place == _STRING:
        return _in_string(shown, byte)
    elif shown.place == _MOVE:
        return _in_move(shown, byte)
    elif byte == 40:  # (
        shown.place = _STRING
        shown.many = 0
    elif byte == 91:  # [
        _begin_move(shown)
        shown.many = 1
    return byte


@inline
def _is_operator(last4):
    """Whether the last bytes are Tj or TJ, behind what it shows and perhaps a space."""
    if last4 >> 8 & 255 != 84 or last4 & 0xDF != 74:
        return False
    before = last4 >> 16 & 255
    if before == 32 or before == 10:
        before = last4 >> 24
    return before == 41 or before == 93 or before == 62  # ) ] >


@inline
def _in_string(shown, byte):
    if byte == 0:  # the higher half of a character
        return HIDDEN
    if shown.escaped == 1:
        shown.escaped = 0
    elif byte == 92:  # a backslash
        shown.escaped = 1
    elif byte == 41:  # )
        if shown.many == 1:
            _begin_move(shown)
            return HIDDEN
        shown.place = OUTSIDE
    return byte


@inline
def _begin_move(shown):
    shown.place = _MOVE
    shown.minus = 0
    shown.digits = 0
    shown.point = 0


@inline
def _in_move(shown, byte):
    if byte == 93:  # ]
        shown.place = OUTSIDE
        return byte
    if byte == 40:  # (
        shown.place = _STRING
        return _SPACE if shown.minus == 1 and shown.digits >= _WIDE else HIDDEN
    if byte == 45:
        shown.minus = 1
    elif byte == 46:
        shown.point = 1
    elif shown.point == 0 and 48 <= byte and byte <= 57:
        shown.digits += 1
    return HIDDEN
