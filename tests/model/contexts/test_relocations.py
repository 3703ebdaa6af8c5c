"""Relocations of a program are told before they come; what only looks like some is doubted."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import BINARY, BlockType
from glnzip.format.levels import MIN_LEVEL
from glnzip.jit import kernel
from glnzip.model.build import new_model
from glnzip.model.contexts.relocations import see_relocation
from tests.model.memory.histories import new_recent
from tests.raw_files import library

CHANCE = random.Random(2)


@kernel
def follow_relocations(data, recent, expected):
    """Show the bytes one by one; keep what the last match expects after each, if it does."""
    now = recent.now[0]
    match = recent.matches[recent.matches.size - 1]
    for i in range(data.size):
        byte = np.int64(data[i])
        recent.buffer[now.position & (recent.buffer.size - 1)] = byte
        now.position += 1
        now.last4 = (now.last4 << 8 | byte) & 0xFFFFFFFF
        match.expected = 0
        see_relocation(recent, byte)
        expected[i] = match.expected


def told(data: bytes, *, ring_bytes: int = 1 << 16, position: int = 0) -> Any:
    """What is expected after each byte; 0 for nothing, else 256 plus the next one."""
    expected = np.zeros(len(data), np.int64)
    recent = new_recent(ring_bytes=ring_bytes, position=position)
    follow_relocations(np.frombuffer(bytearray(data), np.uint8), recent, expected)
    return expected


def rights(data: bytes, expected: Any) -> Any:
    """Of the bytes of which something was told: whether it was right."""
    nexts = np.frombuffer(data, np.uint8)[1:].astype(np.int64)
    return (expected[:-1] == nexts + 256)[expected[:-1] > 0]


def table_bytes(data: bytes, wide: bool) -> int:
    place = 128 + 24 + (152 if wide else 136)
    return int.from_bytes(data[place + 4 : place + 8], "little")


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("before", [0, 5_000_000_001])
def test_a_table_is_told(wide: bool, before: int) -> None:
    data = library(3, wide=wide) + CHANCE.randbytes(50)
    expected = told(data, position=before)
    right = rights(data, expected)
    assert right.size == table_bytes(data, wide), "nothing else is told"
    assert right.mean() > 0.97
    assert not expected[-50:].any()


def test_what_only_looks_like_addresses_is_learned() -> None:
    """Here are a thousand numbers that are none, always behind the same byte."""
    data = bytearray(library(5, code=40_000))
    for place in range(600, 40_000, 40):
        data[place : place + 5] = b"\x77\x00\x00\x00\x10"  # the last four look like one
    right = rights(bytes(data), told(bytes(data)))
    assert right[right.size // 2 :].mean() > right[: right.size // 2].mean()


def test_matches_are_looked_for_again_behind_a_table() -> None:
    codec = BlockCodec(new_model(MIN_LEVEL))
    before, noise = library(3), CHANCE.randbytes(2000)
    for data in (before, noise, noise):
        codec.learn(data, BlockType(BINARY))
    assert codec.model.recent.matches[-1]["pointer"] == len(before + noise)


def test_a_table_far_behind_is_not_told() -> None:
    """Of what the history has no longer, no address is found."""
    data = library(4)
    expected = told(data, ring_bytes=1 << 10)
    assert rights(data, expected).mean() < 0.5


def test_without_a_header_nothing_is_told() -> None:
    data = library(6)
    assert not told(data.replace(b"PE\0\0", b"PF\0\0")).any()
    assert not told(b"MZ" + data[2:60] + b"\x7f" + data[61:]).any(), "its beginning is not found"


@given(st.data())
def test_any_header_is_harmless(draw: st.DataObject) -> None:
    """Whatever a header says: bytes are expected, and places are looked at in the history alone."""
    data = bytearray(
        library(draw.draw(st.integers(0, 3)), wide=draw.draw(st.booleans()), code=2000)
    )
    for _ in range(draw.draw(st.integers(0, 12))):
        place = draw.draw(st.integers(128, 128 + 24 + 240 + 120))
        data[place : place + 4] = draw.draw(
            st.sampled_from([b"\0" * 4, b"\xff" * 4, b"\0\0\0\x80", b"\0\x10\0\0", b"PE\0\0"])
            | st.binary(min_size=1, max_size=4)
        )
    expected = told(bytes(data), ring_bytes=1 << draw.draw(st.integers(8, 15)))
    assert ((expected == 0) | (expected >> 8 == 1)).all()
