"""Features of A64 code: the instruction so far, those before it, and what they were about.

Instructions have four bytes, whose fields come as `glnzip.transforms.a64_words` puts them: eight
bits that say what is done, three more and the register that is written, the register that is read
and three bits of a number or another register, and the rest. They are shown as the features of x86
code are (`glnzip.model.contexts.code`), to the same contexts: what is known of the instruction
without its registers, opcodes before it, what those wrote, and numbers that such instructions had.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import code as c
from glnzip.model.hashing import hashed_pair

_LIKE = 4096  # instructions whose numbers are told apart
_REGISTERS = 32
_OPERATION = 21  # bits below what says what is done
_WITHOUT_REGISTERS = (0xFF, 0xFF, 0xFFE0, 0xFFE007)  # by the bytes that are known
_BASE = 0xFFE0F8  # of three bytes: what is done, and the register that is read
_PAGE = 0x1F, 0x10  # of the first byte: of ADR and ADRP
_JUMP = 0x7C, 0x14  # of B and BL

A64 = np.dtype(
    [
        ("known", np.int64),  # bytes of the present instruction, 0 to 3 ...
        ("word", np.int64),  # ... and these
        *c.OPCODES.descr,  # first bytes
        ("operation", np.int64),  # the first eleven bits of the last one
        ("written", np.int64, 4),  # the first two bytes of the last four, newest first
        ("pages", np.int64, _REGISTERS),  # low bits of the page whose address a register has, or 0
        ("likes", np.int64, _LIKE),  # the last number, by what was done to which register
        ("target", np.int64),  # the last call, or low bits of the last page
    ]
)


@inline
def begin_a64(recent):
    """A block begins, at an address that its header tells."""
    a64 = recent.a64[0]
    a64.known = recent.now[0].address & 3
    a64.word = 0
    _show(a64, recent.features)


@inline
def see_a64(a64, features, byte):
    """Bring the features of code up to date after `byte`."""
    a64.word = a64.word << 8 | byte
    a64.known += 1
    if a64.known == 4:
        _end_instruction(a64)
        a64.known = 0
        a64.word = 0
    _show(a64, features)


@inline
def _end_instruction(a64):
    word = a64.word
    opcode = word >> 24
    operation = word >> _OPERATION
    written = word & 0xFFFF0000
    register = word >> 16 & (_REGISTERS - 1)
    page = np.int64(0)
    if opcode & _JUMP[0] == _JUMP[1]:
        operation = opcode << 3
        written = opcode << 24
        a64.target = word
    elif opcode & _PAGE[0] == _PAGE[1]:
        operation = opcode << 3
        written = word & 0xFF1F0000
        page = word & 0xFFFF
        a64.target = page
    a64.pages[register] = page
    c.push(a64.written, written)
    a64.operation = operation
    a64.likes[_like(word >> 16, 2)] = word & 0xFFFF
    a64.likes[_like(word >> 8 & _BASE, 3)] = word & 0x7FF
    c.add_opcode(a64, opcode)


@inline
def _like(known, count):
    return hashed_pair(known, count) & (_LIKE - 1)


@inline
def _show(a64, features):
    known, word, opcodes, written = a64.known, a64.word, a64.opcodes, a64.written
    features[c.CODE_PLACE] = known
    features[c.CODE] = hashed_pair(word & _WITHOUT_REGISTERS[known], known)
    features[c.CODE_BEFORE] = a64.operation
    c.describe_before(a64, written, features)
    opcode = word >> 8 * (known - 1) if known > 0 else opcodes & 255
    features[c.CODE_GATE] = known << 8 | opcode
    features[c.CODE_BEFORE_GATE] = known << 8 | opcodes & 255
    features[c.REGISTERS] = written[0]
    page = np.int64(0)
    like = np.int64(0)
    if known == 2:
        like = a64.likes[_like(word, 2)] + 1
    elif known == 3:
        like = a64.likes[_like(word & _BASE, 3)] + 1
        page = a64.pages[word >> 3 & (_REGISTERS - 1)] + 1
    features[c.OPERAND] = hashed_pair(hashed_pair(page, word), opcodes & 255)
    features[c.OPERAND_LIKE] = hashed_pair(like, word)
    features[c.TARGET] = a64.target
