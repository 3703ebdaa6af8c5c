"""What data cost is what they are compressed to, byte by byte."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

import glnzip
from glnzip.coding.bit_costs import bit_costs
from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import FLOATS, NUMBERS, SAMPLE_FORMS, BlockType
from glnzip.format.container import BLOCK_BYTES
from glnzip.model.build import new_model
from tests.checks import sample
from tests.packed import Jpeg, gzip_file
from tests.samples import hills, machine_code, tone, waves

NOISE = random.Random(7).randbytes(3000)
LITTLE_DOUBLES = next(form for form in FLOATS if SAMPLE_FORMS[form] == (8, True, True))
KINDS = {
    "text": sample(6000),
    "code": machine_code(60),
    "image": hills(64, 60, 3),
    "sound": tone(1500, 2, 2),
    "numbers": waves(900, LITTLE_DOUBLES),
    "gzip": gzip_file(sample(5000)),
    "JPEG": Jpeg(6, 5).data,
    "noise": NOISE,
    "several": sample(5000) + NOISE + hills(64, 60, 3) + gzip_file(sample(3000, 1)),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_costs_add_up_to_the_size(name: str) -> None:
    """But for the headers: 20 bytes of a frame, at most 8 of each block or stretch, of few here."""
    data = KINDS[name]
    costs = glnzip.cost_bits(data, level=1, prior=None)
    assert costs.shape == (len(data),)
    assert costs.dtype == np.float64
    packed = len(glnzip.compress(data, level=1, prior=None))
    assert 0 < packed - costs.sum() / 8 < 64


@pytest.mark.parametrize("level", [1, 6])
def test_with_the_shipped_prior(level: int) -> None:
    data = sample(2000)
    costs = glnzip.cost_bits(data, level=level)
    assert 0 < len(glnzip.compress(data, level=level)) - costs.sum() / 8 < 32
    assert costs.sum() < glnzip.cost_bits(data, level=level, prior=None).sum()


def test_a_byte_costs_the_same_whatever_follows() -> None:
    text = sample(4000)
    costs = glnzip.cost_bits(text, level=1, prior=None)
    assert np.array_equal(costs[:1500], glnzip.cost_bits(text[:1500], level=1, prior=None))
    assert costs.min() > 0


def test_what_came_before_costs_little() -> None:
    text = sample(3000)
    costs = glnzip.cost_bits(text * 2, level=1, prior=None)
    assert costs[3200:].sum() < 0.1 * costs[:3000].sum()


def test_bytes_of_numbers_are_in_their_places() -> None:
    """Numbers with the lowest byte first: the model sees the highest first, and knows it best."""
    block_type = BlockType(NUMBERS, step=8, sample_form=LITTLE_DOUBLES, phase=1)
    costs = BlockCodec(new_model(1)).measure(b"?" + waves(900, LITTLE_DOUBLES), block_type)
    by_place = costs[1:].reshape(-1, 8).mean(0)
    assert by_place[7] < 2 < 6 < by_place[0]


def test_what_is_unpacked_is_spread_evenly() -> None:
    data = KINDS["gzip"]
    costs = glnzip.cost_bits(data, level=1, prior=None)
    assert np.ptp(costs) == 0
    as_it_is = glnzip.cost_bits(data, level=1, prior=None, unpack=False)
    assert as_it_is.sum() > 1.1 * costs.sum()


def test_what_is_stored_costs_its_bits() -> None:
    assert set(glnzip.cost_bits(NOISE, level=1, prior=None)) == {8.0}


def test_nothing_costs_nothing() -> None:
    assert glnzip.cost_bits(b"").shape == (0,)


def test_whole_blocks() -> None:
    """Data are looked at in pieces, as they are when compressed, also if the last one is full."""
    data = sample(1000) + bytes(BLOCK_BYTES - 1000)
    costs = glnzip.cost_bits(memoryview(data), level=1, prior=None)
    assert costs.size == BLOCK_BYTES
    assert 0 < len(glnzip.compress(data, level=1, prior=None)) - costs.sum() / 8 < 64


def test_progress_counts_the_data() -> None:
    for name in ("several", "gzip"):
        told: list[int] = []
        glnzip.cost_bits(KINDS[name], level=1, prior=None, progress=told.append)
        assert sum(told) == len(KINDS[name])


def test_parameters_are_checked() -> None:
    with pytest.raises(ValueError, match="level"):
        glnzip.cost_bits(b"x", level=10)
    with pytest.raises(TypeError):
        glnzip.cost_bits("text")  # type: ignore[arg-type]


def test_the_costs_of_bits() -> None:
    """-log2 of each probability, to the nearest 1/65536."""
    chances = np.arange(1, 1 << 16).astype(np.uint16)
    costs = bit_costs(chances)
    assert costs[[0, (1 << 15) - 1]].tolist() == [16.0, 1.0]
    for chance in (1, 3, 1000, 40000, 65535):
        exact = -math.log2(chance / 65536)
        assert abs(costs[chance - 1] - exact) <= 2**-17
        assert (costs[chance - 1] * 65536).is_integer()
    assert (np.diff(costs) <= 0).all()
