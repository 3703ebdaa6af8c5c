"""Volumes: where slices are found, and where they are not."""

from __future__ import annotations

import random
from array import array

import numpy as np
import pytest

from glnzip.format.block_type import IMAGE, VOLUME, WIDE_IMAGE, WIDE_VOLUME, BlockType
from glnzip.planner.guess import Guess
from glnzip.planner.planner import choose_block_type
from glnzip.planner.stretches import next_stretch
from glnzip.planner.volumes import or_slices, with_slices
from tests.fixed_data import volume
from tests.tiff import Page, tiff_file

BYTES = BlockType(IMAGE, 30, 1)
WIDE = BlockType(WIDE_IMAGE, 60, 2, sample_form=2)


def sliced(data: bytes, image: BlockType) -> BlockType:
    return or_slices(np.frombuffer(data, np.uint8), image)


@pytest.mark.parametrize("level", [1, 6])
def test_volumes_are_found(level: int) -> None:
    assert choose_block_type(volume(12, 40, 30), level) == BYTES._replace(
        kind=VOLUME, slice_bytes=1200
    )
    assert choose_block_type(b"head." + volume(9, 36, 30, wide=True), level) == WIDE._replace(
        kind=WIDE_VOLUME, phase=1, slice_bytes=2160
    )


def test_a_guess_is_better_by_what_slices_tell() -> None:
    data = np.frombuffer(volume(12, 40, 30), np.uint8)
    guess = with_slices(data, Guess(5000, BYTES))
    assert guess is not None
    assert guess.block_type.slice_bytes == 1200
    assert 4000 < guess.rate < 5000
    assert with_slices(data, None) is None


def test_pictures_have_no_slices() -> None:
    chance = random.Random(2)
    lights = [100] * 30
    for at in range(30, 9000):
        lights.append((lights[at - 1] + lights[at - 30] + 120) // 3 + chance.randrange(-3, 4))
    assert sliced(bytes(lights), BYTES) == BYTES
    assert sliced(array("h", lights).tobytes(), WIDE) == WIDE
    colours = BlockType(IMAGE, 90, 3)
    assert sliced(volume(12, 40, 30), colours) == colours


def test_a_block_is_too_short() -> None:
    data = volume(12, 40, 30)
    for length in (30, 31, 479, 481, 1799):
        assert sliced(data[:length], BYTES) == BYTES


def test_slices_of_what_a_header_tells() -> None:
    page = Page(volume(12, 40, 30), 30, 1)
    stretch = next_stretch(tiff_file([page]), 1, final=True)
    assert stretch is not None
    assert VOLUME in {block.block_type.kind for block in stretch.blocks}
