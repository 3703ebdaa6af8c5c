"""Runs of pixels, beside the decoder of the document: classes, trust, the bytes that exit."""

from __future__ import annotations

import numpy as np
import pytest

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import IMAGE, BlockType
from glnzip.format.levels import MIN_LEVEL
from glnzip.jit import jit_is_on
from glnzip.model.build import new_model
from glnzip.model.media import image_model, pixel_runs
from tests.fixed_data import drawing


def test_classes_of_lengths() -> None:
    """A class begins with its shortest count, and has what the one before has not."""
    shortest = [pixel_runs._shortest(kind) for kind in range(pixel_runs.LENGTHS)]
    assert shortest[:14] == [*range(8), 8, 10, 12, 14, 16, 20]
    for kind, count in enumerate(shortest):
        assert pixel_runs.length_class(count) == kind
        assert pixel_runs.length_class(max(count - 1, 0)) == max(kind - 1, 0)
    assert pixel_runs.length_class(2**31 - 1) == pixel_runs.LENGTHS - 1


@pytest.mark.parametrize(
    ("since", "expected"),
    [(0, 0), (2, 0), (3, 1), (11, 1), (12, 2), (47, 2), (48, 3), (12287, 6), (12288, 7)],
)
def test_classes_of_what_was_wrong_lately(since: int, expected: int) -> None:
    assert pixel_runs.recent_class(since) == expected


def test_longer_runs_are_trusted_more() -> None:
    runs = pixel_runs.new_pixel_runs()
    right = (runs.bytes_right >> 10).reshape(pixel_runs.LENGTHS, pixel_runs.RECENT) / 2**22
    shortest = np.array([pixel_runs._shortest(kind) for kind in range(pixel_runs.LENGTHS)])
    assert np.allclose(right, 1 - 1 / (4 * shortest[:, None] + 4))
    assert (np.diff(right[:, 0]) > 0).all()


@pytest.mark.skipif(not jit_is_on(), reason="takes long without the JIT")
@pytest.mark.parametrize("step", [1, 3])
def test_most_of_a_drawing_exits(step: int) -> None:
    data = drawing(80, 120, step)
    codec = BlockCodec(new_model(MIN_LEVEL))
    codec.learn(data, BlockType(IMAGE, 80 * step, step))
    learned = codec.model.image.squares.seen[: image_model.CHANNELS].sum()
    assert 0 < learned < len(data) // 4


@pytest.mark.skipif(not jit_is_on(), reason="takes long without the JIT")
def test_an_empty_page_is_not_learned() -> None:
    """All of it exits but the first pixels: nothing else in the model changes any more."""
    codec = BlockCodec(new_model(MIN_LEVEL))
    block_type = BlockType(IMAGE, 300, 3)
    codec.learn(b"\xff" * 3000, block_type)
    model = codec.model.image
    before = (
        model.squares.seen.copy(),
        model.samples.lines.copy(),
        model.samples.network.steps.copy(),
    )
    codec.learn(b"\xff" * 3000, block_type)
    after = model.squares.seen, model.samples.lines, model.samples.network.steps
    assert all(map(np.array_equal, before, after))
    assert codec.measure(b"\xff" * 3000, block_type).sum() < 3000 * 8 * 0.001
