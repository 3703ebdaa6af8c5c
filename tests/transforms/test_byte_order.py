"""Numbers are turned round, whole ones alone, and back."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import NUMBER_FORMS, NUMBERS, SAMPLE_FORMS, BlockType
from glnzip.format.levels import MIN_LEVEL
from glnzip.model.build import new_model
from glnzip.transforms.byte_order import turn_numbers


def turned(data: bytes, block_type: BlockType) -> bytes:
    array = np.frombuffer(bytearray(data), np.uint8)
    turn_numbers(array, block_type)
    return array.tobytes()


def of_form(form: int, phase: int = 0) -> BlockType:
    return BlockType(NUMBERS, 0, SAMPLE_FORMS[form][0], form, phase)


@pytest.mark.parametrize(("form", "letter"), [(8, "i"), (10, "q"), (12, "f"), (14, "d")])
def test_numbers_get_their_highest_byte_first(form: int, letter: str) -> None:
    numbers = [1, -2, 77_000, 2**30]
    little, big = (struct.pack(f"{order}4{letter}", *numbers) for order in "<>")
    for phase in range(SAMPLE_FORMS[form][0]):
        before, behind = b"abcdefgh"[:phase], b"end"
        assert turned(before + little + behind, of_form(form, phase)) == before + big + behind
        assert turned(before + big, of_form(form + 1, phase)) == before + big


@given(st.binary(max_size=50), st.sampled_from(NUMBER_FORMS), st.integers(0, 7))
def test_turning_undoes_itself(data: bytes, form: int, phase: int) -> None:
    block_type = of_form(form, phase % SAMPLE_FORMS[form][0])
    assert turned(turned(data, block_type), block_type) == data


def test_the_model_sees_the_turned_bytes_and_decoding_turns_them_back() -> None:
    block_type = of_form(12, 1)
    data = b"?" + struct.pack("<300f", *(n / 7 for n in range(300))) + b"!"
    codec = BlockCodec(new_model(MIN_LEVEL))
    payload = codec.encode(data, block_type)
    assert payload is not None
    assert codec.model.recent.buffer[: len(data)].tobytes() == turned(data, block_type)
    decoder = BlockCodec(new_model(MIN_LEVEL))
    decoder.begin_decode(payload, len(data), block_type)
    assert b"".join(iter(lambda: decoder.decode(100), b"")) == data
