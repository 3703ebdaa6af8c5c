"""What is shown of Type 1 and CFF fonts, as features of x86 code are.

A number of a program is told by those before it, by the operators before them, by how many wait for
one, and where curves go on as they ended; others as numbers, words or records.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import cff as f
from glnzip.model.contexts import charstrings as s
from glnzip.model.contexts import code as c
from glnzip.model.contexts import type1 as t
from glnzip.model.contexts.outline_features import show_number
from glnzip.model.contexts.unread import show_unread
from glnzip.model.hashing import U32, hashed_pair

_PLACE_OF_OTHERS, _PLACE_OF_OFFSETS, _PLACE_OF_ENTRIES, _PLACE_OF_SECOND = 1, 2, 3, 4
_PLACE_OF_TOKENS, _MOST_TOLD, _PLACE_OF_NUMBER, _PLACE_OF_MASK = 5, 7, 13, 14
"""What gates see: of tokens, how many numbers wait, up to seven."""
_TYPE_1 = 256
_LARGEST = 15  # of sizes of numbers


@inline
def show_cff(cff, features, last4):
    """Show the features of code for the next byte of a compact font."""
    part = cff.part
    if part == f.PROGRAMS:
        _show_token(cff.program, features)
    elif part == f.ENTRIES:
        told = cff.dictionary
        column = told.part << 8 | told.operator
        one, two = told.numbers[0], told.numbers[1]
        high = told.number & U32
        show_number(features, last4, _PLACE_OF_ENTRIES, told.depth, column, high, one, two)
    elif part == f.OFFSETS:
        shift = 8 * (cff.offset_bytes - 1 - cff.column)
        expected = cff.offset >> shift
        high = cff.bytes_so_far - (expected >> 8) & U32
        column = cff.offset_bytes << 2 | cff.column
        show_number(
            features, last4, _PLACE_OF_OFFSETS, cff.column, column, high, expected & 255, cff.what
        )
    else:
        tag = cff.what << 4 | part
        show_unread(features, last4, np.int64(_PLACE_OF_OTHERS), tag, cff.place & 1)


@inline
def show_private(type1, features, last4):
    """Show the features of code for the next byte of the private part of a Type 1 font."""
    if type1.part == t.TOKENS:
        _show_token(type1.program, features)
    else:
        tag = _TYPE_1 + type1.part
        show_unread(features, last4, np.int64(_PLACE_OF_OTHERS), tag, np.int64(0))


@inline
def _show_token(program, features):
    part, depth, numbers = program.part, program.depth, program.numbers
    last = program.opcodes & 255
    place = np.int64(_PLACE_OF_SECOND)
    if part == s.TOKEN:
        place = _PLACE_OF_TOKENS + min(depth, _MOST_TOLD)
    elif part == s.NUMBER:
        place = np.int64(_PLACE_OF_NUMBER)
    elif part == s.MASK:
        place = np.int64(_PLACE_OF_MASK)
    so_far = program.number & U32 if part != s.TOKEN else np.int64(0)
    one, two, three = numbers[0] & U32, numbers[1] & U32, numbers[2] & U32
    both = hashed_pair(one, two)
    goes_on = np.int64(0)  # the other coordinate, if the curve goes on where the last one went
    if numbers[2] != 0:
        goes_on = numbers[0] * numbers[1] // numbers[2]
    sizes = _size(numbers[0]) << 10 | _size(numbers[1]) << 5 | _size(numbers[2])
    features[c.CODE_PLACE] = place
    features[c.CODE] = hashed_pair(part << 10 | program.left << 6 | depth, so_far)
    features[c.CODE_BEFORE] = hashed_pair(one, last)
    features[c.CODE_BEFORE_2] = hashed_pair(two, last)
    features[c.CODE_BEFORE_4] = hashed_pair(both, three)
    features[c.OPCODES_3] = program.opcodes & 0xFFFF
    features[c.OPCODES_4] = program.opcodes
    features[c.OPCODES_6] = hashed_pair(numbers[5] & U32, last)
    features[c.OPCODES_8] = both
    features[c.REGISTERS] = hashed_pair(goes_on & U32, np.int64(numbers[2] == 0))
    features[c.OPERAND] = hashed_pair(numbers[3] & U32, last)
    features[c.OPERAND_LIKE] = hashed_pair(program.y & U32, depth)
    features[c.TARGET] = hashed_pair(sizes, last)
    features[c.CODE_GATE] = place << 8 | last
    features[c.CODE_BEFORE_GATE] = place << 8 | program.opcodes >> 8 & 255


@inline
def _size(number):
    """How many bits a number has, 15 at most, and its sign."""
    bits = np.int64(0)
    left = abs(number)
    while left > 0 and bits < _LARGEST:
        left >>= 1
        bits += 1
    return bits << 1 | np.int64(number < 0)
