"""Pictures that were drawn are found, whatever stands before them, and nothing else is taken so."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest

from glnzip.format.block_type import BINARY, BITMAP, IMAGE, RECORDS, TEXT, BlockType
from glnzip.planner.drawings import or_drawing
from glnzip.planner.planner import choose_block_type
from tests.checks import sample

_AS_BYTES = BlockType(BINARY)


def page(width: int, height: int, step: int, first_line: int = 4) -> bytes:
    """Lines of what looks like letters, of upright strokes with soft edges, on white.

    Pixels of three bytes are blue, as are those of four, which also are opaque.
    """
    chance = random.Random(9)
    shades = np.full((height, width), 255)
    letters = [_letter(chance, chance.randrange(2, 6)) for _ in range(60)]
    for y in range(first_line, height - 12, 16):
        x, end = 6, width - 12 - chance.randrange(width // 2)
        while x < end:
            letter = letters[int(len(letters) * chance.random() ** 2)]
            shades[y : y + 10, x : x + letter.shape[1]] = letter
            x += letter.shape[1] + chance.choice((2, 2, 2, 6))
    dark = {1: (4,), 3: (4, 3, 1), 4: (4, 3, 1, 0)}[step]
    pixels = np.stack([255 - (255 - shades) * part // 4 for part in dark], axis=-1)
    return pixels.astype(np.uint8).tobytes()


def _letter(chance: random.Random, strokes: int) -> np.ndarray:
    halves = [[chance.choice((255, 255, 140, 30)) for _ in range(strokes)] for _ in range(2)]
    return np.repeat(np.repeat(halves, 5, axis=0), 2, axis=1)


def relocations() -> bytes:
    """Records of 24 bytes, most of which are those of the record before."""
    chance, address = random.Random(1), 0x200000
    records = []
    for _ in range(4000):
        address += chance.choice((8, 8, 8, 24))
        records.append(struct.pack("<QQQ", address, 8, chance.randrange(0x1000, 0x90000, 16)))
    return b"".join(records)


def table_of_text() -> bytes:
    chance = random.Random(2)
    lines = (f"{k:>12}{chance.randrange(99):>24}{'-':>40}{'yes':>60}\n" for k in range(900))
    return "".join(lines).encode()


@pytest.mark.parametrize("level", [1, 6])
@pytest.mark.parametrize("step", [1, 3, 4])
def test_a_page_is_found(step: int, level: int) -> None:
    data = page(200, 150, step)
    for block in (data, sample(54) + data):
        assert or_drawing(block, _AS_BYTES, level) == BlockType(IMAGE, 200 * step, step)


def test_the_planner_looks_for_them() -> None:
    assert choose_block_type(page(200, 150, 3), 1) == BlockType(IMAGE, 600, 3)


def test_it_is_looked_for_where_most_changes() -> None:
    data = page(400, 700, 1, first_line=500)
    assert or_drawing(data, _AS_BYTES, 1) == BlockType(IMAGE, 400, 1)


def test_it_may_have_been_taken_for_a_bitmap() -> None:
    assert or_drawing(page(200, 150, 4), BlockType(BITMAP, 16), 1).kind == IMAGE


@pytest.mark.parametrize(
    ("data", "other"),
    [
        (relocations(), BlockType(RECORDS, 24, 48)),
        (table_of_text(), BlockType(TEXT)),
        (page(60, 60, 1), _AS_BYTES),
        (sample(50_000), _AS_BYTES),
        (bytes(50_000), _AS_BYTES),
    ],
    ids=["records", "text", "too small", "noise", "nothing"],
)
def test_others_are_left_as_they_are(data: bytes, other: BlockType) -> None:
    assert or_drawing(data, other, 6) == other
