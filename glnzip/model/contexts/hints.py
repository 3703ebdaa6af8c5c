"""Instructions of TrueType fonts: which part of one comes next, and those before it.

They are programs for a stack: values are pushed, many by one instruction, and others take them
(OpenType 1.9, "The TrueType instruction set"). So a byte is an opcode, a count of values that
follow, a value, or half of one.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import code as c
from glnzip.model.hashing import hashed_pair

_OPCODE, _COUNT, _BYTE, _HIGH, _LOW = range(5)  # parts of an instruction
_COUNTED, _COUNTED_WORDS, _BYTES, _WORDS = 0x40, 0x41, 0xB0, 0xB8
"""Opcodes that push: as many bytes or words as a byte tells; one to eight, as the opcode tells."""

HINTS = np.dtype(
    [
        ("part", np.int64),
        ("of_words", np.int64),  # whether values have two bytes
        ("values", np.int64),  # that are still to come
        *c.OPCODES.descr,
    ]
)


@inline
def begin_program(hints):
    """A program begins with an opcode."""
    hints.part = _OPCODE
    hints.values = 0
    c.forget_opcodes(hints)


@inline
def see_instruction(hints, byte):
    """A byte of a program."""
    part = hints.part
    if part == _OPCODE:
        c.add_opcode(hints, byte)
        if byte in (_COUNTED, _COUNTED_WORDS):
            hints.of_words = byte & 1
            hints.part = _COUNT
        elif _BYTES <= byte and byte < _WORDS + 8:
            hints.of_words = byte >> 3 & 1
            hints.values = (byte & 7) + 1
            _expect_value(hints)
    elif part == _HIGH:
        hints.part = _LOW
    else:
        hints.values = byte if part == _COUNT else hints.values - 1
        _expect_value(hints)


@inline
def _expect_value(hints):
    hints.part = _OPCODE
    if hints.values > 0:
        hints.part = _HIGH if hints.of_words else _BYTE


@inline
def show_program(hints, features, last4, left, points, place):
    """Show the features of code.

    `left` bytes of the program come, `points` has the outline that it is of; `place` is the
    first of five numbers for parts of instructions.
    """
    opcodes = hints.opcodes
    opcode = opcodes & 255
    last = last4 & 255
    place = place + hints.part
    gate = opcode
    if hints.part == _OPCODE:
        features[c.CODE] = place
        features[c.CODE_BEFORE] = opcode
        features[c.CODE_BEFORE_2] = opcodes >> 8 & 255
        features[c.CODE_BEFORE_4] = hashed_pair(opcodes, hints.opcodes_before & 255)
        features[c.REGISTERS] = opcodes & 0xFFFF
        features[c.OPERAND] = hashed_pair(opcode, last4 & 0xFFFF)
    else:
        gate = hints.values if hints.part != _COUNT else opcode
        features[c.CODE] = place << 8 | opcode
        features[c.CODE_BEFORE] = hints.values
        features[c.CODE_BEFORE_2] = last4 >> 8 & 255
        features[c.CODE_BEFORE_4] = last4 >> 8 & 0xFFFF
        features[c.REGISTERS] = last4 >> 16 & 255
        features[c.OPERAND] = hashed_pair(hints.values, last)
    features[c.CODE_PLACE] = place
    c.describe_opcodes(hints, features)
    features[c.OPERAND_LIKE] = hashed_pair(hints.values, left)
    features[c.TARGET] = points
    features[c.CODE_GATE] = place << 8 | gate
    features[c.CODE_BEFORE_GATE] = place << 8 | opcodes >> 8 & 255
