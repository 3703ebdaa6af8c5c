"""What may begin a deflate stream: all that does, and little of what does not."""

from __future__ import annotations

import random
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.jit import kernel
from glnzip.transforms.deflate.first_block import LOOKED_AT, may_begin
from tests.fixed_data import LEXICON


@kernel
def _may_begin(data, at):
    return np.int64(may_begin(data, at))


def looks_like_a_stream(data: bytes) -> bool:
    array = np.frombuffer(bytearray(b"xx" + data + bytes(LOOKED_AT)), np.uint8)
    return bool(_may_begin(array, np.int64(2)))


def packed(data: bytes, level: int, strategy: int) -> bytes:
    maker = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
    return maker.compress(data) + maker.flush()


@pytest.mark.parametrize("level", range(10))
@pytest.mark.parametrize("strategy", range(5))
@pytest.mark.parametrize("size", [1, 3, 40, 300, 2000])
def test_streams(level, strategy, size):
    noise = random.Random(size).randbytes(size)
    for data in (LEXICON[:size], noise, bytes(size), noise[:9] * (size // 9 + 1)):
        assert looks_like_a_stream(packed(data, level, strategy))


@given(
    st.binary(min_size=1, max_size=400), st.sampled_from([zlib.Z_FIXED, zlib.Z_DEFAULT_STRATEGY])
)
def test_any_data(data, strategy):
    assert looks_like_a_stream(packed(data, 9, strategy))


def test_zeros():
    assert not looks_like_a_stream(b"\3\0" + bytes(40))


def test_noise():
    chance = random.Random(3)
    found = [looks_like_a_stream(chance.randbytes(100)) for _ in range(3000)]
    assert sum(found) < 60
