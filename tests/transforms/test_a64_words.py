"""A64 words: fields in another order, targets by their addresses, and back."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import A64, BlockType
from glnzip.format.container import MAX_ADDRESS
from glnzip.format.levels import MIN_LEVEL
from glnzip.model.build import new_model
from glnzip.transforms.a64_words import to_fields, to_words, turn_words
from tests.fixed_data import a64_code


def seen(data: bytes, address: int = 0) -> bytes:
    array = np.frombuffer(bytearray(data), np.uint8)
    to_fields(array, BlockType(A64, address=address))
    return array.tobytes()


def words(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (0x91012345, "91 05 D0 48"),  # add x5, x26, 72: what, to where, from where, how much
        (0xF9402FE3, "F9 43 F8 0B"),  # ldr x3, [sp, 88]
        (0xAA1403E0, "AA 00 FD 00"),  # mov x0, x20
        (0x54000041, "54 01 00 02"),  # b.ne, two words on
        (0x34FFFFC8, "34 E8 FF FE"),  # cbz w8, two words back
        (0x14000007, "14 00 00 07"),  # b: it stays where it leads relative to itself
    ],
)
def test_fields_come_in_order(word: int, expected: str) -> None:
    assert seen(words(word)) == bytes.fromhex(expected)


def test_calls_of_one_function_become_equal() -> None:
    code = seen(words(0x94000010, 0x9400000F, 0x97FFFFFE), address=0x400)  # bl
    assert code == bytes.fromhex("94 00 01 10 94 00 01 10 94 00 01 00")


def test_addresses_of_one_page_become_equal() -> None:
    """ADRP, of the pages 3 and 2 away, from one page and the next; and of one far back."""
    code = seen(words(0xF0000008, 0xD0000008, 0xD0FFFFE8), address=4092)
    assert code == bytes.fromhex("90 08 00 03 90 08 00 03 F0 E8 FF FF")
    assert seen(words(0x10FFFFE8), address=4092) == bytes.fromhex("10 E8 FF FF")  # adr


def test_only_whole_words_are_rewritten() -> None:
    add = words(0x91012345)
    for phase in range(4):
        data = b"abc"[:phase] + add + b"xy"
        expected = b"abc"[:phase] + seen(add) + b"xy"
        assert seen(data, -phase % 4) == expected
    assert seen(b"abc", 2) == b"abc"


@given(
    st.binary(max_size=80) | st.integers(0, 400).map(a64_code),
    st.integers(0, 5000) | st.integers(0, MAX_ADDRESS),
)
def test_the_way_back(data: bytes, address: int) -> None:
    array = np.frombuffer(bytearray(seen(data, address)), np.uint8)
    to_words(array, BlockType(A64, address=address))
    assert array.tobytes() == data


def test_every_highest_byte_comes_back() -> None:
    chance = random.Random(2)
    data = words(*(top << 24 | chance.randrange(1 << 24) for top in range(256) for _ in range(40)))
    array = np.frombuffer(bytearray(seen(data, 4100)), np.uint8)
    to_words(array, BlockType(A64, address=4100))
    assert array.tobytes() == data


def test_costs_are_those_of_the_bytes_of_their_words() -> None:
    costs = np.arange(10.0)
    turn_words(costs, BlockType(A64, address=3))
    assert costs.tolist() == [0, 4, 3, 2, 1, 8, 7, 6, 5, 9]


def test_the_model_sees_fields_and_decoding_turns_them_back() -> None:
    block_type = BlockType(A64, address=6)
    data = a64_code(3001)
    codec = BlockCodec(new_model(MIN_LEVEL))
    payload = codec.encode(data, block_type)
    assert payload is not None
    assert codec.model.recent.buffer[: len(data)].tobytes() == seen(data, 6)
    decoder = BlockCodec(new_model(MIN_LEVEL))
    decoder.begin_decode(payload, len(data), block_type)
    assert b"".join(iter(lambda: decoder.decode(100), b"")) == data
