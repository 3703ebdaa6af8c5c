"""Any data survive, and how they were cut into pieces never shows, on either side."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from tests.checks import check_round_trip, compress_pieces, decompress_pieces, pieces_of, sample

pytestmark = pytest.mark.usefixtures("small_blocks")

any_data = (
    st.binary(max_size=400)
    | st.builds(bytes, st.integers(0, 200))
    | st.builds(sample, st.integers(0, 1000), st.integers(0, 99))
)
any_sizes = st.lists(st.integers(1, 200), min_size=1, max_size=6)
any_level = st.integers(glnzip.MIN_LEVEL, glnzip.MAX_LEVEL)


@given(any_data, any_level)
def test_any_data_survive(data, level):
    check_round_trip(data, level)


@given(any_data, any_sizes, any_level)
def test_pieces_of_data_never_change_the_frame(data, sizes, level):
    assert compress_pieces(pieces_of(data, sizes), level) == glnzip.compress(
        data, level=level, prior=None
    )


@given(any_data, any_sizes, st.just(-1) | st.integers(1, 100))
def test_pieces_of_the_frame_never_change_the_data(data, sizes, max_length):
    assert decompress_pieces(pieces_of(glnzip.compress(data), sizes), max_length) == data


def test_single_bytes_on_both_sides():
    data = sample(1000)
    frame = compress_pieces(pieces_of(data, [1]))
    assert frame == glnzip.compress(data, prior=None)
    assert decompress_pieces(pieces_of(frame, [1]), max_length=1) == data


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 127, 128, 129])
def test_lengths_around_the_block_size(length, small_blocks):
    frame = check_round_trip(sample(length))
    (info,) = glnzip.frame_info(frame)
    assert info.blocks == -(-length // small_blocks)
