"""Images and sound, from the first bit to the last: what goes in comes out, and gets small."""

from __future__ import annotations

import pytest

import glnzip
from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import (
    AUDIO,
    AUDIO_FORMS,
    IMAGE,
    SAMPLE_FORMS,
    TEXT,
    WIDE_FORMS,
    WIDE_IMAGE,
    BlockType,
)
from glnzip.format.levels import MIN_LEVEL
from glnzip.jit import jit_is_on
from glnzip.model.build import new_model
from tests.checks import sample
from tests.fixed_data import drawing
from tests.samples import hills, tone, wide_hills

SCALE = 1 if jit_is_on() else 8  # plain Python is slow


def decoded(codec: BlockCodec, payload: bytes, length: int, block_type: BlockType) -> bytes:
    codec.begin_decode(payload, length, block_type)
    return b"".join(iter(lambda: codec.decode(1000), b""))


def packed(data: bytes, block_type: BlockType) -> bytes:
    """The payload, after a check that it decodes to the data."""
    before = sample(40)
    encoder, decoder = BlockCodec(new_model(MIN_LEVEL)), BlockCodec(new_model(MIN_LEVEL))
    encoder.learn(before, BlockType(TEXT))
    decoder.learn(before, BlockType(TEXT))
    payload = encoder.encode(data, block_type)
    assert payload is not None
    assert decoded(decoder, payload, len(data), block_type) == data
    return payload


@pytest.mark.parametrize("step", [1, 3, 4])
def test_images_come_back_small(step: int) -> None:
    data = hills(60, 64 // SCALE, step)
    payload = packed(data, BlockType(IMAGE, 60 * step, step))
    if SCALE == 1:
        assert len(payload) < 0.46 * len(data)


@pytest.mark.parametrize("form", WIDE_FORMS)
@pytest.mark.parametrize("channels", [1, 3])
def test_images_of_two_bytes_a_sample_come_back_small(channels: int, form: int) -> None:
    data = wide_hills(60, 64 // SCALE, channels, form)
    payload = packed(data, BlockType(WIDE_IMAGE, 120 * channels, 2 * channels, form))
    if SCALE == 1:
        noise = 5 / 16  # of the bits of a sample nothing predicts
        assert len(payload) < (noise + 0.15) * len(data)


@pytest.mark.parametrize(
    "block_type",
    [
        BlockType(IMAGE, 80, 1),
        BlockType(IMAGE, 240, 3),
        BlockType(WIDE_IMAGE, 160, 2, 2),
        BlockType(WIDE_IMAGE, 640, 8, 3),
    ],
)
def test_drawings_come_back_very_small(block_type: BlockType) -> None:
    """Most of their bytes take the early exit, and some are taken up."""
    data = drawing(80, 120 // SCALE, block_type.step)
    payload = packed(data, block_type)
    if SCALE == 1:
        assert len(payload) < 240


@pytest.mark.parametrize(
    ("data", "block_type"),
    [
        (hills(20, 12, 3), BlockType(IMAGE, 60, 3)),
        (drawing(20, 12, 1), BlockType(IMAGE, 20, 1)),
        (wide_hills(20, 12, 1, 2), BlockType(WIDE_IMAGE, 40, 2, 2)),
    ],
    ids=["hills", "drawing", "wide"],
)
def test_what_is_before_an_image_does_not_matter(data: bytes, block_type: BlockType) -> None:
    alone, after = BlockCodec(new_model(MIN_LEVEL)), BlockCodec(new_model(MIN_LEVEL))
    after.learn(sample(300), BlockType(TEXT))
    assert alone.encode(data, block_type) == after.encode(data, block_type) is not None


def test_rows_of_wide_samples_go_on_and_may_begin_within_one() -> None:
    """Cut anywhere, the blocks of a picture are seen alike; each learns from those before."""
    data = wide_hills(40, 48 // SCALE, 1, 2)
    cut = len(data) // 2 + 1
    whole, parts = BlockCodec(new_model(MIN_LEVEL)), BlockCodec(new_model(MIN_LEVEL))
    decoder = BlockCodec(new_model(MIN_LEVEL))
    block_type = BlockType(WIDE_IMAGE, 80, 2, 2)
    size = 0
    for part, phase in ((data[:cut], 0), (data[cut:], 1)):
        payload = parts.encode(part, block_type._replace(phase=phase))
        assert payload is not None
        assert decoded(decoder, payload, len(part), block_type._replace(phase=phase)) == part
        size += len(payload)
    payload = whole.encode(data, block_type)
    assert payload is not None
    assert abs(size - len(payload)) <= 12
    late = data[1:]
    right, wrong = (
        BlockCodec(new_model(MIN_LEVEL)).encode(late, block_type._replace(phase=phase))
        for phase in (1, 0)
    )
    assert right is not None
    assert wrong is None or len(right) < len(wrong)


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("form", AUDIO_FORMS)
def test_sounds_come_back_small(form: int, channels: int) -> None:
    width = SAMPLE_FORMS[form][0]
    data = tone(3000 // SCALE, form, channels)
    payload = packed(data, BlockType(AUDIO, 0, width * channels, form, 0))
    if SCALE == 1:
        noise = 8 * width - 7  # bits of a sample that nothing predicts
        assert len(payload) < len(data) * (noise + 2.5) / (8 * width)


@pytest.mark.parametrize("phase", [0, 1, 2])
def test_samples_may_begin_before_the_block(phase: int) -> None:
    data = bytes(phase) + tone(2400 // SCALE, 4, 2)
    good = packed(data, BlockType(AUDIO, 0, 6, 4, phase))
    if SCALE == 1:
        assert len(good) < len(packed(data, BlockType(AUDIO, 0, 6, 4, (phase + 1) % 3)))


def test_a_wrong_plan_costs_bytes_and_nothing_else() -> None:
    data = sample(900 // SCALE)
    for block_type in (
        BlockType(IMAGE, 7, 4),
        BlockType(IMAGE, 65535, 3),
        BlockType(WIDE_IMAGE, 7, 8, 2, 1),
        BlockType(WIDE_IMAGE, 65534, 2, 7),
        BlockType(AUDIO, 0, 6, 5, 1),
    ):
        payload = BlockCodec(new_model(MIN_LEVEL)).encode(data, block_type)
        if payload is not None:
            assert decoded(BlockCodec(new_model(MIN_LEVEL)), payload, len(data), block_type) == data


@pytest.mark.skipif(not jit_is_on(), reason="takes minutes without the JIT")
def test_a_stream_of_numbers_comes_back() -> None:
    for data in (hills(80, 70, 3), wide_hills(80, 70, 1, 3), tone(4000, 2, 2), tone(9000, 0, 1)):
        packed_stream = glnzip.compress(data, level=MIN_LEVEL, prior=None)
        assert glnzip.decompress(packed_stream) == data
