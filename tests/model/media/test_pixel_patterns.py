"""What comes again in an image is found again: in a row, in a column, in a piece of rows."""

from __future__ import annotations

import numpy as np
import pytest

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import IMAGE, WIDE_IMAGE, BlockType
from glnzip.format.levels import MIN_LEVEL
from glnzip.jit import jit_is_on
from glnzip.model.build import new_model
from glnzip.model.media.pixel_patterns import new_pixel_patterns
from glnzip.model.memory import run_map

pytestmark = pytest.mark.skipif(not jit_is_on(), reason="takes long without the JIT")
NOISE = np.random.default_rng(3).integers(0, 256, (40, 64), np.uint8)


def bits_of(codec: BlockCodec, pixels: np.ndarray, step: int = 1, kind: int = IMAGE) -> float:
    block_type = BlockType(kind, pixels.shape[1], step, 7 if kind == WIDE_IMAGE else 0)
    return float(codec.measure(pixels.tobytes(), block_type).mean())


@pytest.mark.parametrize(("step", "kind"), [(1, IMAGE), (4, IMAGE), (8, WIDE_IMAGE)])
def test_a_picture_that_comes_again_is_matched(step: int, kind: int) -> None:
    """Below itself in the same image, as the pictures of an animation; not the first time."""
    codec = BlockCodec(new_model(MIN_LEVEL))
    assert bits_of(codec, NOISE, step, kind) > 7.9
    assert bits_of(codec, NOISE, step, kind) < 2


def test_noise_in_columns_is_known_by_its_column() -> None:
    """Every eighth row is as the first ones."""
    rows = np.tile(NOISE[:9, :40], (20, 1))
    assert bits_of(BlockCodec(new_model(MIN_LEVEL)), rows) < 2


def test_another_image_matches_nothing_before_it() -> None:
    codec = BlockCodec(new_model(MIN_LEVEL))
    bits_of(codec, NOISE)
    codec.learn(b"some text between the two", BlockType(0))
    bits_of(codec, NOISE[:20, :32])
    match = codec.model.image.match
    assert match.match[0]["pointer"] == 0
    assert match.places.max() == codec.model.recent.now[0]["position"]


def test_a_window_with_fewer_spans_has_one_of_no_pixels() -> None:
    patterns = new_pixel_patterns([((3, -4, 4),), ((0, -2, -1), (1, 0, 0))])
    assert patterns.windows.tolist() == [[[3, -4, 4], [0, 0, -1]], [[0, -2, -1], [1, 0, 0]]]
    assert patterns.run_maps.size == 2 * run_map.CLASSES
