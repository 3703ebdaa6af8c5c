"""The blocks that data are cut into: each of one kind, of whole samples, marked where it is new."""

from __future__ import annotations

import numpy as np

from glnzip.format.block_type import AUDIO, BINARY, CALLS_AND_DATA, IMAGE, BlockType
from glnzip.planner import stretches
from glnzip.planner.stretches import Block, next_stretch
from tests import raw_files
from tests.fixed_data import LEXICON
from tests.raw_files import ROWS, WIDTH
from tests.samples import hills, machine_code, tone

NOISE = np.random.default_rng(1).bytes(20_000)
TALL = hills(WIDTH, 300, 3)
PICTURE = b"P6 %d 300 255\n" % WIDTH + TALL
SOUND = tone(3000, 4, 2)


def blocks_of(data: bytes, level: int = 6) -> list[Block]:
    stretch = next_stretch(data, level, final=True)
    assert stretch is not None
    assert b"".join(block.data for block in stretch.blocks) == data
    return stretch.blocks


def test_blocks_have_whole_samples(monkeypatch):
    monkeypatch.setattr(stretches, "BLOCK_BYTES", 5000)
    sound = [b for b in blocks_of(raw_files.wav(SOUND, 3, 2)) if b.block_type.kind == AUDIO]
    assert [len(block.data) for block in sound] == [4998, 4998, 4998, len(SOUND) - 3 * 4998]
    assert [block.anew for block in sound] == [True, False, False, False]
    picture = [block for block in blocks_of(PICTURE) if block.block_type.kind == IMAGE]
    assert len(picture[0].data) == 5000 // (3 * WIDTH) * 3 * WIDTH


def test_each_picture_and_sound_is_new_if_it_is_large():
    small = b"P6 %d 30 255\n" % WIDTH + hills(WIDTH, 30, 3)
    data = LEXICON + PICTURE + small + raw_files.wav(SOUND, 3, 2) + PICTURE[:-1] + b"\0"
    media = [block for block in blocks_of(data) if block.block_type.kind in (IMAGE, AUDIO)]
    assert [block.anew for block in media] == [True, False, True, True]


def test_colours_of_a_palette_are_an_image_to_the_lower_levels():
    """Where they come again they are bytes to all."""
    pixels = raw_files.padded_rows(hills(WIDTH, ROWS, 1), WIDTH)
    row = (WIDTH + 3) // 4 * 4
    file = raw_files.bmp(pixels, 8, raw_files.greys()[::-1])
    for level, expected in ((1, BlockType(IMAGE, row, 1)), (6, BlockType(BINARY, row))):
        assert expected in [block.block_type for block in blocks_of(file, level)]
        twice = [block.block_type for block in blocks_of(file * 2, level) if block.data == pixels]
        assert twice == [BlockType(BINARY, row)] * 2


def test_what_a_base_has_is_seen_as_there():
    """A sound of its bytes, too; silence says nothing, since any base may have some."""
    for sound, known, expected in (
        (SOUND, SOUND, BINARY),
        (SOUND, NOISE, AUDIO),
        (bytes(len(SOUND)), bytes(100), AUDIO),
    ):
        stretch = next_stretch(
            raw_files.wav(sound, 3, 2), 6, final=True, is_known=known.__contains__
        )
        assert stretch is not None
        block = max(stretch.blocks, key=lambda block: len(block.data))
        assert block.block_type.kind == expected


def test_text_is_apart_from_what_is_behind_it():
    noise = NOISE[(len(NOISE) + 2) % 8 :]
    text, other = LEXICON[99:] * 24, b"\1" + noise + b"\1"
    assert [block.data for block in blocks_of(text + other + text)] == [text, other, text]
    blocks = blocks_of(text[3:] + other + text)
    assert [len(block.data) for block in blocks] == [len(text) - 8, len(other), len(text) + 5]
    assert len(blocks_of(text + text)) == 1


def test_where_code_ends_is_known_however_far_it_is():
    """The header of a program tells it, which is in another stretch by then."""
    code, rest = machine_code(60), NOISE
    data = raw_files.pe(code, rest)
    blocks: list[Block] = []
    cuts: list[int] = []
    for size in (700, 900, len(data)):
        final = size == len(data)
        stretch = next_stretch(data[:size], 6, final=final, cuts=cuts)
        assert stretch is not None
        blocks, cuts, data = blocks + stretch.blocks, stretch.cuts, data[stretch.length :]
    assert not data
    assert not cuts
    assert blocks[-1].data == rest, "it is apart from the code"
    assert CALLS_AND_DATA in {block.block_type.kind for block in blocks}


def test_no_more_places_are_kept_than_headers_have():
    sections = b"".join(raw_files.pe(bytes(10**4), bytes(10**4))[:168] for _ in range(600))
    stretch = next_stretch(sections, 6, final=False)
    assert stretch is not None
    assert len(stretch.cuts) <= 512
