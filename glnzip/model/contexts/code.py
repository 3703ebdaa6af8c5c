"""Features of x86 code: the instruction so far, those before it, and what they were about.

Instructions have one to fifteen bytes, so that what tells the next one is seldom at a fixed
distance. The reader of lengths (`glnzip.transforms.x86_decoder`) says which part of an instruction
comes next. Of those before, opcodes and registers are looked at; addresses and constants are left
out, and remembered by what they were for. `features` holds the numbers of these features and what
they mean.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import binary as b
from glnzip.model.hashing import U32, hashed_pair
from glnzip.transforms.x86_decoder import (
    ADDRESS,
    OPCODE,
    X86,
    instruction_word,
    see_code_byte,
)

(
    CODE_PLACE,  # part of the x86 instruction that the next byte is, below 16
    CODE,  # the instruction so far, with CODE_PLACE; without registers where a number comes
    CODE_BEFORE,  # the instruction before, without registers
    CODE_BEFORE_2,  # the one before that
    CODE_BEFORE_4,  # a hash of the last four
    CODE_GATE,  # CODE_PLACE and the low byte of the opcode, or of the one before
    CODE_BEFORE_GATE,  # CODE_PLACE and the low byte of the opcode before
    OPCODES_3,  # low bytes of the last three opcodes
    OPCODES_4,  # of the last four
    OPCODES_6,  # a hash of those of the last six
    OPCODES_8,  # and of the last eight
    REGISTERS,  # the instruction before, with them
    OPERAND,  # a hash of the last address of this mode and base, or constant of this opcode, of the
    # bytes so far, and of the last two opcodes
    OPERAND_LIKE,  # a hash of the last one of the same instruction, and of the bytes so far
    TARGET,  # what was called last
    END,  # the first number of the next module of features
) = range(b.END, b.END + 16)

OPCODES = np.dtype(
    [
        ("opcodes", np.int64),  # eight bits of each of the last four, newest lowest ...
        ("opcodes_before", np.int64),  # ... and of the four before them
    ]
)
_CALL = 0xE8
_MODE_AND_BASE = 0xC7  # of ModRM
_REGISTERS = 0x3F << 10 | 7 << 24  # of a word: six bits of ModRM, and what REX adds to them
_LIKE = 4096  # instructions whose operands are told apart

INSTRUCTIONS = np.dtype(
    [
        ("x86", X86),
        *OPCODES.descr,  # low bytes
        ("words", np.int64, 4),  # the last four instructions, newest first: `instruction_word`
        ("operand", np.int64),  # the bytes so far of the address or constant that comes
        ("addresses", np.int64, 256),  # the last one, by mode and base ...
        ("constants", np.int64, 1024),  # ... and by opcode ...
        ("likes", np.int64, _LIKE),  # ... and either, by opcode, ModRM and part
        ("target", np.int64),  # the last constant of a call
    ]
)


@inline
def see_code(instructions, features, byte):
    """Bring these features up to date after `byte`."""
    x86 = instructions.x86
    part, opcode, modrm = x86.part, x86.opcode, x86.modrm
    see_code_byte(x86, byte)
    begins = x86.part == OPCODE and x86.prefixes == 0
    if part >= ADDRESS:
        instructions.operand = (instructions.operand << 8 | byte) & U32
        if x86.part != part or begins:
            _end_operand(instructions, part, opcode, modrm)
    if begins:
        _end_instruction(instructions)
    _describe(instructions, features)
    _describe_operand(instructions, features)


@inline
def _end_operand(instructions, part, opcode, modrm):
    operand = instructions.operand
    instructions.operand = 0
    instructions.likes[_like(part, opcode, modrm)] = operand
    if part == ADDRESS:
        instructions.addresses[modrm & _MODE_AND_BASE] = operand
    else:
        instructions.constants[opcode] = operand
        if opcode == _CALL:
            instructions.target = operand


@inline
def _like(part, opcode, modrm):
    return hashed_pair(modrm << 10 | opcode, part) & (_LIKE - 1)


@inline
def _end_instruction(instructions):
    word = instructions.x86.before
    push(instructions.words, word)
    add_opcode(instructions, word & 255)


@inline
def push(words, word):
    """Put a word before the others, of which the oldest is forgotten."""
    for k in range(words.size - 1, 0, -1):
        words[k] = words[k - 1]
    words[0] = word


@inline
def add_opcode(code, opcode):
    """An opcode of eight bits is the last one now; `code` keeps eight of them, as `OPCODES`."""
    before = code.opcodes_before << 8 | code.opcodes >> 24
    code.opcodes_before = before & U32
    code.opcodes = (code.opcodes << 8 | opcode) & U32


@inline
def forget_opcodes(code):
    """There were none, of those kept as `OPCODES`."""
    code.opcodes = 0
    code.opcodes_before = 0


@inline
def _describe(instructions, features):
    x86, words = instructions.x86, instructions.words
    place = x86.part
    if place >= ADDRESS:
        place = 8 + 4 * (place - ADDRESS) + min(x86.left, 4) - 1
    features[CODE_PLACE] = place
    word = instruction_word(x86)
    if x86.part >= ADDRESS:
        word &= ~_REGISTERS
    features[CODE] = word << 4 | place
    features[CODE_BEFORE] = words[0] & ~_REGISTERS
    features[REGISTERS] = words[0]
    known = x86.opcode if x86.opcode > 0 else words[0]
    features[CODE_GATE] = place << 8 | known & 255
    features[CODE_BEFORE_GATE] = place << 8 | words[0] & 255
    describe_before(instructions, words, features)


@inline
def describe_before(code, words, features):
    """What instructions before the last one were, by their words (newest first) and opcodes."""
    features[CODE_BEFORE_2] = words[1]
    older = hashed_pair(words[2], words[3])
    features[CODE_BEFORE_4] = hashed_pair(hashed_pair(words[0], words[1]), older)
    describe_opcodes(code, features)


@inline
def describe_opcodes(code, features):
    """What the last eight opcodes were, of those kept as `OPCODES`."""
    opcodes, before = code.opcodes, code.opcodes_before
    features[OPCODES_3] = opcodes & 0xFFFFFF
    features[OPCODES_4] = opcodes
    features[OPCODES_6] = hashed_pair(opcodes, before & 0xFFFF)
    features[OPCODES_8] = hashed_pair(opcodes, before)


@inline
def _describe_operand(instructions, features):
    x86 = instructions.x86
    last = 0
    like = 0
    if x86.part >= ADDRESS:
        like = instructions.likes[_like(x86.part, x86.opcode, x86.modrm)] + 1
        if x86.part == ADDRESS:
            last = instructions.addresses[x86.modrm & _MODE_AND_BASE] + 1
        else:
            last = instructions.constants[x86.opcode] + 1
    so_far = instructions.operand
    features[OPERAND] = hashed_pair(hashed_pair(last, so_far), instructions.opcodes & 0xFFFF)
    features[OPERAND_LIKE] = hashed_pair(like, so_far)
    features[TARGET] = instructions.target
