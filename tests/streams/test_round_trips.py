"""The whole path with the real model: what goes in comes out, and damage never passes.

The other tests of streams and files use a quick stand-in for the model; these few use the model
itself, on little data, since it takes a moment to set up and about 10 microseconds a byte.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import glnzip
from glnzip.format import container
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL
from tests.checks import (
    by_level,
    check_rejected,
    check_round_trip,
    compress_pieces,
    decompress_pieces,
    pieces_of,
    sample,
)

RANDOM_BYTES = random.Random(1).randbytes(5000)


@pytest.mark.parametrize("level", by_level([MIN_LEVEL, DEFAULT_LEVEL, MAX_LEVEL]))
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"A",
        b"\xff\xff",
        bytes(20_000),
        bytes(range(256)) * 20,
        sample(10_000),
        RANDOM_BYTES,
    ],
    ids=["empty", "zero", "one byte", "two bytes", "zeros", "counting", "mixed", "random"],
)
def test_data_survive(data, level):
    check_round_trip(data, level)


def test_what_compresses_does_and_what_does_not_is_stored():
    text = b"It was the best of times, it was the worst of times. " * 40
    assert len(check_round_trip(text)) < 150
    (info,) = glnzip.frame_info(check_round_trip(RANDOM_BYTES))
    assert (info.coded_blocks, info.stored_blocks) == (0, 1)


@pytest.mark.usefixtures("short_blocks")
def test_the_model_carries_on_from_stored_and_coded_blocks():
    data = RANDOM_BYTES[:4096] + sample(4096) + RANDOM_BYTES[:4096]
    frame = check_round_trip(data)
    first, *_, last = (
        len(glnzip.compress(part, prior=None)) for part in (data[:4096], data[-4096:])
    )
    assert first == last
    assert len(frame) < 4096 + 2600 + 600, "the random bytes should cost little the second time"


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=300) | st.builds(sample, st.integers(0, 2000), st.integers(0, 99)),
    st.lists(st.integers(1, 700), min_size=1, max_size=4),
    st.just(-1) | st.integers(1, 100),
)
@pytest.mark.usefixtures("short_blocks")
def test_pieces_never_show(data, sizes, max_length):
    frame = glnzip.compress(data, level=1, prior=None)
    assert compress_pieces(pieces_of(data, sizes), level=1) == frame
    assert decompress_pieces(pieces_of(frame, sizes), max_length) == data


@pytest.mark.slow
def test_a_megabyte_of_zeros_and_the_start_of_the_next_block():
    data = bytes(container.BLOCK_BYTES) + b"the end"
    (info,) = glnzip.frame_info(check_round_trip(data, level=1))
    assert info.blocks == 2


@pytest.mark.slow
def test_damage_never_passes():
    frame = glnzip.compress(b"abracadabra, abracadabra", level=1, prior=None)
    for length in range(0, len(frame), 3):
        check_rejected(frame[:length], glnzip.TruncatedStreamError)
    for bit in range(0, 8 * len(frame), 13):
        damaged = bytearray(frame)
        damaged[bit // 8] ^= 1 << bit % 8
        check_rejected(bytes(damaged))


def test_a_stored_byte_is_as_in_the_format_document():
    from tests.format.test_format_document import EXAMPLES

    assert glnzip.compress(b"A", level=1, prior=None) == EXAMPLES["one byte"]
