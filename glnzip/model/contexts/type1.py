"""The private part of Type 1 fonts, in the clear: text, and among it the programs of glyphs.

A program has its length before it, and `RD` or `-|`; it begins with four bytes that mean nothing
(Adobe Type 1 Font Format, 1990, chapters 2 and 7).
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts.charstrings import PROGRAM, begin_charstring, see_token

WORDS, LEAD, TOKENS = range(3)
"""What the next byte is of: the text, the first four bytes of a program, the others."""
_NAME, _OTHER_NAME = 0x20524420, 0x202D7C20  # RD and -|, between spaces
_LEAD_BYTES = 4
_LONGEST = 1 << 16

TYPE1 = np.dtype(
    [
        ("part", np.int64),
        ("length", np.int64),  # of the program; in the text, the last number
        ("left", np.int64),  # bytes of the program that come
        ("in_number", np.int64),  # whether the last byte of the text was a digit
        ("program", PROGRAM),
    ]
)


@inline
def begin_private(type1):
    """The text begins."""
    type1.part = WORDS
    type1.length = 0
    type1.in_number = 0


@inline
def see_private(type1, byte, last4):
    """A byte of the text, or of a program."""
    if type1.part == WORDS:
        _see_text(type1, byte, last4)
        return
    type1.left -= 1
    if type1.part == TOKENS:
        see_token(type1.program, byte)
    elif type1.length - type1.left == _LEAD_BYTES:
        type1.part = TOKENS
    if type1.left == 0:
        begin_private(type1)


@inline
def _see_text(type1, byte, last4):
    digit = byte - 0x30
    is_digit = 0 <= digit and digit <= 9
    if is_digit:
        before = type1.length if type1.in_number else np.int64(0)
        type1.length = min(10 * before + digit, _LONGEST)
    type1.in_number = np.int64(is_digit)
    if (last4 in (_NAME, _OTHER_NAME)) and type1.length > 0:
        type1.part = LEAD
        type1.left = type1.length
        begin_charstring(type1.program)
