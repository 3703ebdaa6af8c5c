"""Programs of glyphs in Type 1 and CFF fonts (charstrings): which part of which token comes next.

A program has numbers, and operators that take the numbers before them: steps of a pen, lines,
curves, what hints are about, and calls of other programs (Adobe Technical Note 5177, "The Type 2
Charstring Format", chapters 3 and 4). Those of Type 1 are read in the same way: they have fewer
operators, and none that means something else, but for few that draw nothing.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts.code import OPCODES, add_opcode, forget_opcodes, push
from glnzip.model.contexts.outlines import signed_word

TOKEN, SECOND, NUMBER, MASK = range(4)
"""What the next byte is: of a token the first, of an operator the second, of a number or a mask."""
ESCAPE, WORD, FIRST_NUMBER, _FIXED = 12, 28, 32, 255  # first bytes of tokens
ZERO, PAIR, NEGATIVE, LEAST = 139, 247, 251, 108
"""Numbers of one byte are that minus `ZERO`; two begin with `PAIR`, or with `NEGATIVE` below zero,
and the former are `LEAST` or more."""
SECOND_BYTE = 64
"""What the second byte of an operator has beside it."""
_HSTEM, _VSTEM, _HSTEMHM, _VSTEMHM, _HINTMASK, _CNTRMASK = 1, 3, 18, 23, 19, 20
_CALLSUBR, _CALLGSUBR = 10, 29
_RMOVETO, _HMOVETO, _VMOVETO, _VLINETO, _FLEX = 21, 22, 4, 7, SECOND_BYTE | 35
_HSBW = 13
_VVCURVETO, _HHCURVETO, _VHCURVETO, _HVCURVETO = 26, 27, 30, 31
_MOST_NUMBERS, _MOST_STEMS = 48, 96
_NUMBERS_KEPT = 6

PROGRAM = np.dtype(
    [
        ("part", np.int64),
        ("left", np.int64),  # bytes of the number or mask that come
        ("number", np.int64),  # its bytes so far
        ("depth", np.int64),  # numbers that wait for their operator, ...
        ("stack", np.int64, _MOST_NUMBERS),  # ... in their order
        ("numbers", np.int64, _NUMBERS_KEPT),  # the last ones, newest first
        ("stems", np.int64),
        ("y", np.int64),  # how high the pen is, behind the last operator
        *OPCODES.descr,  # the last operators
    ]
)


@inline
def begin_charstring(program):
    """Another program begins."""
    program.part = TOKEN
    program.number = 0
    program.left = 0
    program.depth = 0
    program.stems = 0
    program.y = 0
    forget_opcodes(program)
    for k in range(_NUMBERS_KEPT):
        program.numbers[k] = 0


@inline
def see_token(program, byte):
    """A byte of a program."""
    part = program.part
    if part == TOKEN:
        _begin_token(program, byte)
    elif part == SECOND:
        program.part = TOKEN
        _see_operator(program, SECOND_BYTE | byte & 63)
    else:
        program.number = program.number << 8 | byte
        program.left -= 1
        if program.left == 0:
            program.part = TOKEN
            if part == NUMBER:
                _see_number(program)


@inline
def _begin_token(program, byte):
    program.number = byte
    if byte == WORD:
        expect(program, NUMBER, np.int64(2))
    elif byte == ESCAPE:
        program.part = SECOND
    elif byte < FIRST_NUMBER:
        _see_operator(program, byte)
    elif byte < PAIR:
        _add_number(program, byte - ZERO)
    else:
        expect(program, NUMBER, np.int64(4 if byte == _FIXED else 1))


@inline
def expect(program, part, left):
    """So many bytes of a part come, of a program or of a dictionary."""
    program.part = part
    program.left = left


@inline
def _see_number(program):
    """A number of several bytes is complete."""
    number = program.number
    if number >> 16 == WORD:
        number = signed_word(number)
    elif number >> 32 == _FIXED:  # its last two bytes are a fraction
        number = signed_word(number >> 16)
    else:
        number = number_of_pair(number)
    _add_number(program, number)


@inline
def number_of_pair(pair):
    """The number that two bytes are."""
    if pair >> 8 < NEGATIVE:
        return pair - (PAIR << 8) + LEAST
    return (NEGATIVE << 8) - pair - LEAST


@inline
def _add_number(program, number):
    if program.depth < _MOST_NUMBERS:
        program.stack[program.depth] = number
        program.depth += 1
    push(program.numbers, number)


@inline
def _see_operator(program, operator):
    add_opcode(program, operator)
    if operator in (_CALLSUBR, _CALLGSUBR):  # takes one number; others wait
        program.depth = max(program.depth - 1, 0)
        return
    if operator in (_HSTEM, _VSTEM, _HSTEMHM, _VSTEMHM, _HINTMASK, _CNTRMASK):
        program.stems = min(program.stems + (program.depth >> 1), _MOST_STEMS)
        if operator in (_HINTMASK, _CNTRMASK):  # a bit for each stem
            program.number = 0
            expect(program, MASK, max(program.stems + 7 >> 3, 1))
    else:
        for k in range(program.depth):
            if _is_upward(operator, k, program.depth):
                program.y += program.stack[k]
    program.depth = 0


@inline
def _is_upward(operator, k, depth):
    """Whether number `k` of an operator's `depth` is a step in y that the pen keeps to."""
    if operator in (_HSBW, _HMOVETO) or (operator >= SECOND_BYTE and operator != _FLEX):
        return False
    if operator in (_RMOVETO, _VMOVETO):  # before them may be a width
        return k == depth - 1
    if operator == _VLINETO:
        return k & 1 == 0
    odd = depth & 1
    if operator == _HHCURVETO:
        return k < odd or k - odd & 3 == 2
    if operator == _VVCURVETO:
        return k >= odd and k - odd & 3 != 1
    if operator in (_HVCURVETO, _VHCURVETO):
        is_last = np.int64(odd == 1 and k == depth - 1)  # a fifth number of the last curve
        begins_up = k - is_last >> 2 & 1 == np.int64(operator == _HVCURVETO)
        column = k & 3
        if column == 0:
            return begins_up
        return column == 2 or (column == 3 and not begins_up)
    return k & 1 == 1
