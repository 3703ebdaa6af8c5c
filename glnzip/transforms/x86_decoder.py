"""Where x86 instructions begin and end, and what their parts are: a reader of lengths only.

The decoder looks at one byte after the other and always knows which part of an instruction comes
next. It never fails: bytes that are no code are read as odd instructions, and in code it falls into
step after a few. The bytes of an address or a constant never change what it does next; so an
address can be rewritten without the reader of the rewritten code noticing.

REX prefixes are assumed. In 32-bit code the same bytes are one-byte instructions, so that only the
place where the instruction begins is mistaken, not where it ends.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline

(
    OPCODE,  # a prefix or an opcode comes next
    SECOND_OPCODE,  # the byte after 0F
    THIRD_OPCODE,  # the byte after 0F 38 or 0F 3A
    VEX,  # the rest of a VEX prefix
    MODRM,
    SIB,
    ADDRESS,  # displacement or direct address
    CONSTANT,  # immediate operand, relative jumps included
) = range(8)

X86 = np.dtype(
    [
        ("part", np.int64),  # the part of the instruction that comes next
        ("left", np.int64),  # bytes of it that are still to come, for VEX, ADDRESS and CONSTANT
        ("opcode", np.int64),  # 256 + the second byte after 0F, 512 + the third after 0F 38 or 3A
        ("modrm", np.int64),  # 256 + the byte, 0 if there was none yet
        ("constant", np.int64),  # kind of immediate operand: bytes, or WIDE
        ("prefixes", np.int64),  # WORD_SIZE, OTHER_PREFIX, REX and its four bits above
        ("before", np.int64),  # the last complete instruction: `instruction_word`
    ]
)

WORD_SIZE, OTHER_PREFIX, REX = 1, 2, 4
_REX_W = 0x80

WIDE = 4  # kind of operand: 4 bytes, 2 with an operand size prefix
_HAS_MODRM, _IS_PREFIX = 16, 32


def _table() -> np.ndarray:
    """For each opcode, and 256 higher for those after 0F: kind of constant, flags above."""
    kinds = np.zeros(512, np.uint8)
    for row in range(0x00, 0x40, 8):  # arithmetic
        kinds[row : row + 4] = _HAS_MODRM
        kinds[row + 4] = 1
        kinds[row + 5] = WIDE
    prefixes = (0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0x66, 0x67, 0xF0, 0xF2, 0xF3)
    kinds[[*prefixes, *range(0x40, 0x50)]] = _IS_PREFIX
    with_modrm = (0x62, 0x63, *range(0x84, 0x90), *range(0xD0, 0xD4), *range(0xD8, 0xE0))
    kinds[[*with_modrm, 0xF6, 0xF7, 0xFE, 0xFF]] = _HAS_MODRM
    kinds[[0x80, 0x82, 0x83, 0x6B, 0xC0, 0xC1, 0xC6]] = _HAS_MODRM | 1
    kinds[[0x69, 0x81, 0xC7]] = _HAS_MODRM | WIDE
    kinds[[0x6A, 0xA8, 0xCD, 0xEB, *range(0x70, 0x80), *range(0xB0, 0xB8), *range(0xE0, 0xE8)]] = 1
    kinds[[0xC2, 0xCA]] = 2
    kinds[0xC8] = 3
    wide = (0x68, 0xA0, 0xA1, 0xA2, 0xA3, 0xA9, *range(0xB8, 0xC0), 0xE8, 0xE9)
    kinds[[*wide, *range(0x180, 0x190)]] = WIDE
    after_0f = kinds[256:]
    after_0f[[*range(0x80), *range(0x90, 0x100)]] = _HAS_MODRM
    after_0f[[0x70, 0x71, 0x72, 0x73, 0xA4, 0xAC, 0xBA, 0xC2, 0xC4, 0xC5, 0xC6]] = _HAS_MODRM | 1
    alone = (0x05, 0x06, 0x07, 0x08, 0x09, 0x0B, *range(0x30, 0x36), 0x77, 0xA0, 0xA1, 0xA2)
    after_0f[[*alone, 0xA8, 0xA9, 0xAA, *range(0xC8, 0xD0)]] = 0
    return kinds


_KINDS = _table()


@inline
def instruction_word(x86):
    """The instruction so far, without addresses and constants: below 2**32."""
    return x86.opcode | x86.modrm << 10 | x86.prefixes << 20


@inline
def next_is_relative(x86):
    """Whether the next four bytes are the distance to a target in the code (call, jump)."""
    opcode = x86.opcode
    jumps = opcode == 0xE8 or opcode == 0xE9 or (0x180 <= opcode and opcode < 0x190)
    return x86.part == CONSTANT and x86.left == 4 and jumps


@inline
def next_is_ip_address(x86):
    """Whether the next four bytes are, in 64-bit code, the distance to data."""
    return x86.part == ADDRESS and x86.left == 4 and x86.modrm & 0xC7 == 5


@inline
def constant_bytes(x86):
    """How many bytes the immediate operand of the present instruction has."""
    if x86.constant != WIDE:
        return x86.constant
    if x86.prefixes & WORD_SIZE:
        return 2
    if x86.prefixes & _REX_W and 0xB8 <= x86.opcode and x86.opcode < 0xC0:
        return 8
    return 4


@inline
def see_code_byte(x86, byte):
    """Move on by one byte."""
    part = x86.part
    if part == OPCODE:
        _see_first_byte(x86, byte)
    elif part == SECOND_OPCODE:
        if byte == 0x38 or byte == 0x3A:
            x86.constant = byte >> 1 & 1
            x86.part = THIRD_OPCODE
        else:
            _see_opcode(x86, 256 + byte)
    elif part == THIRD_OPCODE:
        x86.opcode = 512 + byte
        x86.part = MODRM
    elif part == MODRM:
        _see_modrm(x86, byte)
    elif part == SIB:
        if byte & 7 == 5 and x86.modrm & 0xC0 == 0:
            x86.left = 4
        _begin_address(x86)
    else:
        x86.left -= 1
        if x86.left == 0:
            if part == VEX:
                x86.part = SECOND_OPCODE
            elif part == ADDRESS:
                _begin_constant(x86)
            else:
                _end_instruction(x86)


@inline
def _see_first_byte(x86, byte):
    if byte == 0x0F:
        x86.part = SECOND_OPCODE
    elif _KINDS[byte] == _IS_PREFIX:
        if byte & 0xF0 == 0x40:
            x86.prefixes = (x86.prefixes & 3) | REX | (byte & 15) << 4
        elif byte == 0x66:
            x86.prefixes |= WORD_SIZE
        else:
            x86.prefixes |= OTHER_PREFIX
    elif byte == 0xC4 or byte == 0xC5:
        x86.part = VEX
        x86.left = 0xC6 - byte
    else:
        _see_opcode(x86, byte)


@inline
def _see_opcode(x86, opcode):
    kind = np.int64(_KINDS[opcode])
    x86.opcode = opcode
    x86.constant = kind & 15
    if kind & _HAS_MODRM:
        x86.part = MODRM
    else:
        _begin_constant(x86)


@inline
def _see_modrm(x86, byte):
    x86.modrm = 256 | byte
    if x86.opcode | 1 == 0xF7 and byte & 0x30 == 0:  # of this group only TEST has a constant
        x86.constant = 1 if x86.opcode == 0xF6 else WIDE
    mode = byte >> 6
    x86.left = 0
    if mode == 1:
        x86.left = 1
    elif mode == 2 or byte & 0xC7 == 5:
        x86.left = 4
    if mode != 3 and byte & 7 == 4:
        x86.part = SIB
    else:
        _begin_address(x86)


@inline
def _begin_address(x86):
    if x86.left > 0:
        x86.part = ADDRESS
    else:
        _begin_constant(x86)


@inline
def _begin_constant(x86):
    x86.left = constant_bytes(x86)
    if x86.left > 0:
        x86.part = CONSTANT
    else:
        _end_instruction(x86)


@inline
def _end_instruction(x86):
    x86.before = instruction_word(x86)
    x86.opcode = 0
    x86.modrm = 0
    x86.prefixes = 0
    x86.part = OPCODE
