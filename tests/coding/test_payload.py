"""The ends of payloads, and payloads that no encoder has made."""

from __future__ import annotations

import random

import pytest

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import (
    A64,
    AUDIO,
    BINARY,
    BITMAP,
    CALLS,
    CALLS_AND_DATA,
    CLASS_FILES,
    FONT,
    IMAGE,
    NUMBERS,
    PYTHON_CODE,
    TEXT,
    WIDE_IMAGE,
    BlockType,
)
from glnzip.model.build import new_model
from tests.checks import sample

BLOCK_TYPES = [
    BlockType(TEXT),
    BlockType(TEXT, 7),
    BlockType(BINARY),
    BlockType(CALLS),
    BlockType(A64, address=5),
    BlockType(FONT),
    BlockType(CLASS_FILES),
    BlockType(PYTHON_CODE),
    BlockType(CALLS_AND_DATA, 5),
    BlockType(BITMAP, 3),
    BlockType(IMAGE, 9, step=3),
    BlockType(WIDE_IMAGE, 10, step=2, sample_form=3, phase=1),
    BlockType(AUDIO, 0, step=6, sample_form=4, phase=1),
    BlockType(NUMBERS, 0, step=8, sample_form=12, phase=3),
    BlockType(NUMBERS, 32, step=8, sample_form=11),
]
PROSE = b"She sells sea shells, and the shells she sells are sea shells for sure. " * 4


def decoded(payload: bytes, length: int, block_type: BlockType) -> bytes:
    codec = BlockCodec(new_model(1))
    codec.begin_decode(payload, length, block_type)
    return b"".join(iter(lambda: codec.decode(1 << 20), b""))


@pytest.mark.parametrize("block_type", BLOCK_TYPES)
def test_any_bytes_decode_to_something(block_type: BlockType) -> None:
    chance = random.Random(1)
    codec = BlockCodec(new_model(1))
    for payload in (b"", b"\xff" * 9, *(chance.randbytes(n) for n in (1, 3, 4, 5, 300))):
        codec.begin_decode(payload, 600, block_type)
        assert len(codec.decode(600)) == 600
        assert codec.decode(600) == b""


@pytest.mark.parametrize("block_type", BLOCK_TYPES)
def test_a_cut_payload_decodes_to_something(block_type: BlockType) -> None:
    payload = BlockCodec(new_model(1)).encode(PROSE, block_type)
    assert payload is not None
    assert decoded(payload, len(PROSE), block_type) == PROSE
    for kept in range(0, len(payload), 5):
        assert len(decoded(payload[:kept], len(PROSE), block_type)) == len(PROSE)


@pytest.mark.slow
@pytest.mark.parametrize("length", [12, 30, 48, 60, 90, 150, 200, len(PROSE)])
def test_a_payload_ends_as_early_as_it_can(length: int) -> None:
    block_type = BLOCK_TYPES[0]
    payload = BlockCodec(new_model(1)).encode(PROSE[:length], block_type)
    if payload is None:
        assert length < 40
        return
    assert decoded(payload, length, block_type) == PROSE[:length]
    assert not payload.endswith(b"\0"), "zeros at the end are free"
    # What is decoded to the block is an interval of numbers. If the next lower number is below it,
    # so are all others with a smaller last byte, and that which ends one byte earlier.
    below = payload[:-1] + bytes([payload[-1] - 1])
    assert decoded(below, length, block_type) != PROSE[:length]


def test_nothing_but_ones_needs_no_payload() -> None:
    """The lowest number of the interval is all zeros as long as every bit is a one."""
    assert BlockCodec(new_model(1)).encode(b"\xff" * 300, BLOCK_TYPES[0]) == b""


@pytest.mark.parametrize("block_type", BLOCK_TYPES)
def test_both_sides_know_the_same_after_every_kind_of_block(block_type: BlockType) -> None:
    """A block coded, decoded, or learned because it was stored leaves the same model."""
    noise = random.Random(2).randbytes(200)
    encoder, decoder = BlockCodec(new_model(1)), BlockCodec(new_model(1))
    for block in (PROSE, noise, sample(700), noise, PROSE[:1], PROSE):
        payload = encoder.encode(block, block_type)
        if payload is None:
            decoder.learn(block, block_type)
        else:
            assert len(payload) < len(block)
            decoder.begin_decode(payload, len(block), block_type)
            assert b"".join(iter(lambda: decoder.decode(50), b"")) == block


def test_progress_is_told_in_slices() -> None:
    told: list[int] = []
    block = bytes(40_000)
    payload = BlockCodec(new_model(1)).encode(block, BLOCK_TYPES[0], told.append)
    assert told == [16384, 16384, 7232]
    assert payload == BlockCodec(new_model(1)).encode(block, BLOCK_TYPES[0])
