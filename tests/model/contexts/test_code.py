"""Features of x86 code against a recount of the instructions that the decoder finds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from glnzip.jit import kernel
from glnzip.jit.records import new_records
from glnzip.model.build import FEATURES
from glnzip.model.contexts import code as c
from glnzip.model.hashing import hashed_pair
from glnzip.transforms.x86_decoder import ADDRESS, CONSTANT, X86, instruction_word, see_code_byte
from tests.samples import machine_code

DATA = {"code": machine_code(60), "noise": random.Random(1).randbytes(3000)}
CALL = b"\xe8"


@kernel
def follow_code(data, instructions, features, seen):
    """Show the bytes one by one, and keep the features after each."""
    for i in range(data.size):
        c.see_code(instructions[0], features, np.int64(data[i]))
        for k in range(seen.shape[1]):
            seen[i, k] = features[k]


@kernel
def mark_instructions(data, state, seen):
    x86 = state[0]
    for i in range(data.size):
        see_code_byte(x86, np.int64(data[i]))
        seen[i, 0] = x86.part
        seen[i, 1] = x86.left
        seen[i, 2] = instruction_word(x86)
        seen[i, 3] = x86.opcode
        seen[i, 4] = x86.modrm
        seen[i, 5] = x86.before
        seen[i, 6] = x86.part == 0 and x86.prefixes == 0


def features_after_each_byte(data: bytes) -> Any:
    array = np.frombuffer(bytearray(data), np.uint8)
    seen = np.zeros((len(data), FEATURES), np.int64)
    features = np.zeros(FEATURES, np.int64)
    follow_code(array, new_records(1, c.INSTRUCTIONS), features, seen)
    return seen


def marks_after_each_byte(data: bytes) -> list[list[int]]:
    marks = np.zeros((len(data), 7), np.int64)
    mark_instructions(np.frombuffer(bytearray(data), np.uint8), new_records(1, X86), marks)
    found: list[list[int]] = marks.tolist()
    return found


def number(parts: list[int], bits: int) -> int:
    """Numbers of so many bits as one, the newest, which come first, lowest."""
    return sum((part & (1 << bits) - 1) << bits * k for k, part in enumerate(parts))


def bare(word: int) -> int:
    """Without the registers of ModRM, and the three bits of REX that belong to them."""
    return word & 0xF8FF03FF


@pytest.mark.parametrize("name", DATA)
def test_instructions(name: str) -> None:
    words = [0] * 8  # newest first
    rows = zip(features_after_each_byte(DATA[name]), marks_after_each_byte(DATA[name]), strict=True)
    for features, (part, left, word, opcode, _, before, ended) in rows:
        if ended:
            words = [before, *words[:-1]]
        # An address or a constant also says how many bytes of it are left: one to four or more.
        place = part if part < 6 else 4 * (part - 6) + 7 + min(left, 4)
        assert features[c.CODE_PLACE] == place < 16
        assert features[c.CODE] == (word if part < 6 else bare(word)) << 4 | place
        assert features[c.CODE_BEFORE] == bare(before)
        assert features[c.CODE_BEFORE_2] == words[1]
        older = hashed_pair(words[2], words[3])
        assert features[c.CODE_BEFORE_4] == hashed_pair(hashed_pair(*words[:2]), older)
        assert features[c.CODE_GATE] == place << 8 | (opcode or before) & 255
        assert features[c.CODE_BEFORE_GATE] == place << 8 | before & 255
        assert features[c.OPCODES_3] == number(words[:3], 8)
        assert features[c.OPCODES_4] == number(words[:4], 8)
        assert features[c.OPCODES_6] == hashed_pair(number(words[:4], 8), number(words[4:6], 8))
        assert features[c.OPCODES_8] == hashed_pair(number(words[:4], 8), number(words[4:], 8))
        assert features[c.REGISTERS] == before


@pytest.mark.parametrize("name", DATA)
def test_operands(name: str) -> None:
    """Of the address or constant to come: what was there the last time, and its bytes so far."""
    lasts: dict[tuple[int, ...], int] = {}
    likes: dict[int, int] = {}
    operand = target = opcodes = 0
    came = [0] * 7
    for byte, features, mark in zip(
        DATA[name],
        features_after_each_byte(DATA[name]),
        marks_after_each_byte(DATA[name]),
        strict=True,
    ):
        if came[0] in (ADDRESS, CONSTANT):
            operand = (operand << 8 | byte) % 2**32
            if mark[0] != came[0] or mark[6]:
                lasts[last_of(came)], likes[like_of(came)] = operand, operand
                if came[0] == CONSTANT and came[3] == CALL[0]:
                    target = operand
                operand = 0
        if mark[6]:
            opcodes = (opcodes << 8 | mark[5] & 255) & 0xFFFF
        last = like = 0
        if mark[0] in (ADDRESS, CONSTANT):
            last, like = lasts.get(last_of(mark), 0) + 1, likes.get(like_of(mark), 0) + 1
        assert features[c.OPERAND] == hashed_pair(hashed_pair(last, operand), opcodes)
        assert features[c.OPERAND_LIKE] == hashed_pair(like, operand)
        assert features[c.TARGET] == target
        came = mark


def last_of(mark: list[int]) -> tuple[int, ...]:
    """An address is known by its mode and base, a constant by its opcode."""
    part, _, _, opcode, modrm, *_ = mark
    return (part, modrm >> 6 & 3, modrm & 7) if part == ADDRESS else (part, opcode)


def like_of(mark: list[int]) -> int:
    part, _, _, opcode, modrm, *_ = mark
    return hashed_pair(modrm << 10 | opcode, part) % 4096


def test_a_function_that_is_called_again_is_the_target() -> None:
    features = features_after_each_byte(CALL + b"\x00\x12\x34\x00" + b"\x90\x50")
    assert features[-1, c.TARGET] == 0x123400
    assert features[-1, c.OPCODES_3] == 0xE89050


@pytest.mark.parametrize("name", DATA)
def test_no_feature_is_negative(name: str) -> None:
    """Kernels use features as indices."""
    features = features_after_each_byte(DATA[name])
    assert (features >= 0).all()
    assert (features < 1 << 36).all(), "products with a hash multiplier must fit"
