"""Images and sound are found where they are, whatever stands before them, and nowhere else."""

from __future__ import annotations

import random
import struct

import pytest

from corpora.make_samples import HERE, orders_json, tiles_pbm, weather_csv
from glnzip.format.block_type import (
    AUDIO,
    AUDIO_FORMS,
    BINARY,
    IMAGE,
    SAMPLE_FORMS,
    WIDE_FORMS,
    WIDE_IMAGE,
    BlockType,
)
from glnzip.planner import media
from glnzip.planner.media import choose_media_type
from glnzip.planner.volumes import without_slices
from tests.checks import sample
from tests.samples import hills, machine_code, tone, wide_hills


@pytest.mark.parametrize("step", [1, 3, 4])
@pytest.mark.parametrize("width", [133, 320])
def test_images_are_found(width: int, step: int) -> None:
    data = hills(width, 30_000 // (width * step), step)
    for block in (data, sample(54) + data):
        block_type = choose_media_type(block)  # hills are periodic: a few are like slices
        assert block_type is not None
        assert without_slices(block_type) == BlockType(IMAGE, width * step, step)


@pytest.mark.parametrize("before", [0, 3])
@pytest.mark.parametrize("form", WIDE_FORMS)
@pytest.mark.parametrize("channels", [1, 3])
def test_images_of_two_bytes_a_sample_are_found(channels: int, form: int, before: int) -> None:
    data = wide_hills(130, 120, channels, form)
    block_type = choose_media_type(sample(before) + data)
    assert block_type is not None
    assert without_slices(block_type)[:3] == (WIDE_IMAGE, 260 * channels, 2 * channels)
    assert SAMPLE_FORMS[block_type.sample_form][2] == SAMPLE_FORMS[form][2]
    assert block_type.phase == before % 2


def test_a_grey_image_in_three_equal_channels_has_three() -> None:
    data = bytes(level for level in hills(90, 100, 1) for _ in range(3))
    assert choose_media_type(data) == BlockType(IMAGE, 270, 3)


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("form", AUDIO_FORMS)
def test_sounds_are_found(form: int, channels: int) -> None:
    block_type = choose_media_type(tone(9000, form, channels))
    assert block_type is not None
    if SAMPLE_FORMS[form][0] == 1:  # a pure tone of single bytes is as good as an image
        assert block_type.kind in (IMAGE, AUDIO)
        return
    assert (block_type.kind, block_type.sample_form, block_type.phase) == (AUDIO, form, 0)
    assert block_type.step % SAMPLE_FORMS[form][0] == 0


@pytest.mark.parametrize("before", [1, 2, 3, 44])
@pytest.mark.parametrize("form", [2, 3, 4, 5])
def test_the_phase_is_found(form: int, before: int) -> None:
    block_type = choose_media_type(bytes(before) + tone(6000, form, 1))
    assert block_type is not None
    assert (block_type.sample_form, block_type.phase) == (form, before % SAMPLE_FORMS[form][0])


def floats() -> bytes:
    chance = random.Random(3)
    return b"".join(struct.pack(">f", chance.gauss(0, 100)) for _ in range(5000))


def records() -> bytes:
    chance = random.Random(4)
    rows = (struct.pack("<IHBx8s", n, n % 7, chance.randrange(3), b"item") for n in range(3000))
    return b"".join(rows)


def epochs() -> bytes:
    """Rows of drifting doubles and of zeros, as a receiver of satellites sends them."""
    chance = random.Random(5)
    lines = [(chance.uniform(1e7, 3e7), chance.uniform(-900, 900)) for _ in range(64)]
    return b"".join(
        b"".join(
            struct.pack("<d", start + t * rate + chance.gauss(0, 0.3)) for start, rate in lines
        )
        + bytes(200)
        for t in range(120)
    )


def test_records_are_no_image_where_the_level_knows_records() -> None:
    block_type = choose_media_type(epochs(), level=5)
    assert block_type is not None
    assert block_type.kind == IMAGE
    assert choose_media_type(epochs(), level=6) is None


@pytest.mark.parametrize("is_image", [True, False])
def test_the_model_tells_whether_short_rows_are_an_image(
    is_image: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def is_better(image: BlockType, other: BlockType, *_: object) -> bool:
        asked.append((image, other))
        return is_image

    image = BlockType(IMAGE, 25, 1)
    monkeypatch.setattr(media, "_is_better", is_better)
    seen = choose_media_type(hills(25, 43, 1) * 10)
    assert (seen is not None and without_slices(seen) == image) == is_image
    assert [(without_slices(first), other) for first, other in asked] == [
        (image, BlockType(BINARY, 25))
    ]


def test_sound_that_is_silent_where_it_is_glanced_at_is_found() -> None:
    sound = bytearray(tone(9000, 2, 1))
    for start in (0, 4488, 8976, 13_464):  # of the planner's four pieces
        sound[start : start + 2100] = bytes(2100)
    block_type = choose_media_type(bytes(sound))
    assert block_type is not None
    assert block_type.kind == AUDIO


@pytest.mark.parametrize(
    "data",
    [
        (HERE / "prose.txt").read_bytes(),
        (HERE / "ring_buffer.c").read_bytes(),
        orders_json(),
        weather_csv(),
        tiles_pbm(),
        sample(20_000),
        random.Random(1).randbytes(40_000),
        bytes(40_000),
        b"\xff" * 9000,
        bytes(range(256)) * 60,
        b"the same line again and again\n" * 500,
        floats(),
        records(),
        machine_code(300),
        b"",
        hills(60, 20, 1)[:4000],
    ],
    ids=lambda data: f"{len(data)} bytes, {bytes(data[:6])!r}",
)
def test_nothing_is_found_elsewhere(data: bytes) -> None:
    assert choose_media_type(data) is None


def test_the_plan_is_made_of_plain_numbers() -> None:
    for data in (hills(100, 90, 3), tone(5000, 2, 2)):
        block_type = choose_media_type(data)
        assert block_type is not None
        assert all(type(number) is int for number in block_type)
