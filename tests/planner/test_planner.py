"""Plans of blocks: rows and pictures are found where they are, and nowhere else."""

from __future__ import annotations

import random
import struct
from itertools import groupby

import pytest

from corpora.make_samples import HERE, orders_json, tiles_pbm, track_bin, weather_csv
from glnzip.format.block_type import (
    AUDIO,
    BINARY,
    BITMAP,
    CALLS,
    CALLS_AND_DATA,
    IMAGE,
    NUMBERS,
    TEXT,
    BlockType,
)
from glnzip.format.container import BLOCK_BYTES
from glnzip.planner.planner import choose_block_type
from tests.checks import sample
from tests.samples import hills, machine_code, tone

NO_ROWS = BlockType(TEXT)


def records(row_bytes: int, rows: int, seed: int = 0) -> bytes:
    """Records whose fields change slowly, but for one byte of noise in every four."""
    chance = random.Random(seed)
    row = bytearray(chance.randbytes(row_bytes))
    data = b""
    for _ in range(rows):
        for at in range(row_bytes):
            if at % 4 == 3 or chance.random() < 0.05:
                row[at] = chance.randrange(256)
        data += row
    return data


def picture(row_bytes: int, rows: int, noise: float, seed: int = 0) -> bytes:
    """Slanted bars with ragged edges, one bit a pixel, some pixels wrong."""
    chance = random.Random(seed)
    width = 8 * row_bytes
    data = b""
    starts = [chance.randrange(width) for _ in range(max(2, width // 50))]
    for _ in range(rows):
        row = 0
        for n, start in enumerate(starts):
            starts[n] = (start + chance.choice([-1, 0, 0, 1])) % width
            row |= ((1 << 11 + 5 * n % 17) - 1) << starts[n]
        for pixel in range(width):
            if chance.random() < noise:
                row ^= 1 << pixel
        data += (row % (1 << width)).to_bytes(row_bytes, "big")
    return data


@pytest.mark.parametrize("row_bytes", [4, 6, 16, 20, 31, 100, 300, 1000])
def test_records_are_found(row_bytes):
    block_type = choose_block_type(records(row_bytes, max(40, 3000 // row_bytes)))
    assert block_type.row_bytes == row_bytes
    assert block_type.kind not in (BITMAP, AUDIO), (
        "rows that differ little from each other may be an image's"
    )


def test_records_after_a_header_are_found():
    assert choose_block_type(sample(90) + records(28, 100)) == BlockType(BINARY, 28)


def test_numbers_that_count_up_have_rows():
    data = b"".join(struct.pack("<Id", 1000 + n, n * 0.5) for n in range(300))
    assert choose_block_type(data).row_bytes == 12


@pytest.mark.parametrize(
    ("row_bytes", "noise"), [(16, 0.01), (25, 0.01), (64, 0.01), (100, 0.0), (216, 0.0)]
)
def test_pictures_are_found(row_bytes, noise):
    assert choose_block_type(picture(row_bytes, 120, noise)) == BlockType(BITMAP, row_bytes)


@pytest.mark.parametrize("row_bytes", [64, 100])
def test_noisy_pictures_are_found(row_bytes):
    assert choose_block_type(picture(row_bytes, 120, 0.1)) == BlockType(BITMAP, row_bytes)


@pytest.mark.parametrize("row_bytes", [8, 16, 24, 32])
@pytest.mark.parametrize("flips", [0.05, 0.2])
def test_tables_of_flags_are_no_pictures(row_bytes, flips):
    """Near pixels predict them well, but what usually stands in the column does so as well."""
    chance = random.Random(row_bytes)
    usual = chance.randbytes(row_bytes)
    rows = [
        bytes(flags ^ (chance.random() < flips) << chance.randrange(8) for flags in usual)
        for _ in range(100)
    ]
    assert choose_block_type(b"".join(rows)).block_model in ("text", "binary")


def test_samples_are_seen_as_what_they_are():
    assert choose_block_type((HERE / "prose.txt").read_bytes()) == NO_ROWS
    assert choose_block_type((HERE / "ring_buffer.c").read_bytes()) == NO_ROWS
    for data in (orders_json(), weather_csv()):
        block_type = choose_block_type(data)
        assert block_type.kind == TEXT
    assert choose_block_type(track_bin()).kind == NUMBERS
    assert choose_block_type(tiles_pbm()) == BlockType(BITMAP, 216)


@pytest.mark.parametrize(
    "data",
    [
        sample(6000),
        random.Random(1).randbytes(20_000),
        bytes(20_000),
        b"\xff" * 3000,
        b"ab" * 200,
    ],
    ids=["text and noise", "noise", "zeros", "ones", "little"],
)
def test_no_picture_where_there_is_none(data):
    assert choose_block_type(data).block_model in ("text", "binary")


@pytest.mark.parametrize("data", [sample(6000), random.Random(1).randbytes(20_000), bytes(9000)])
def test_no_rows_where_there_are_none(data):
    block_type = choose_block_type(data)
    assert (block_type.block_model, block_type.row_bytes) in (("text", 0), ("binary", 0))


@pytest.mark.parametrize("length", [0, 1, 2, 3, 100, 511])
def test_in_little_data_no_rows_can_be_told(length):
    block_type = choose_block_type(records(4, 200)[:length])
    assert (block_type.block_model, block_type.row_bytes) in (("text", 0), ("binary", 0))


@pytest.mark.parametrize("length", [512, 513, 600, 700, 1025])
def test_every_length_has_a_plan(length):
    for data in (records(4, 300), picture(16, 80, 0), bytes(2000), sample(2000)):
        block_type = choose_block_type(data[:length])
        assert block_type.kind not in (IMAGE, AUDIO)
        assert 0 <= block_type.row_bytes <= 65535
        assert block_type.kind != BITMAP or block_type.row_bytes > 0


def test_rows_are_found_at_the_beginning_of_a_full_block():
    data = records(24, 3000)
    assert choose_block_type(data.ljust(BLOCK_BYTES, b"\0")) == BlockType(BINARY, 24)


@pytest.mark.parametrize("rare", [0, 8, 14, 26, 28, 31])
def test_text_has_next_to_no_control_characters(rare):
    """One byte in fifty may be one; those that texts use, and bytes above 127, do not count."""
    words = [*["Where", "is", "the", "naïve", "\x1b[1mcafé\x1b[0m"], "\t", "\r\n", "\f", "\v"]
    text = "".join(random.Random(1).choices(words, k=300)).encode()
    once = len(list(groupby(text)))
    most = once // 48
    for count, form in ((0, TEXT), (most, TEXT), (most + 1, BINARY)):
        block_type = choose_block_type(text + bytes([rare, 48]) * count)
        assert block_type.kind == form


def test_padding_of_texts_counts_once():
    """An archive of small files, each filled up with zeros."""
    line = b"All that there is to be said of these matters, and of some others, in file %d.\n"
    text = b"".join((line % n).ljust(512, b"\0") for n in range(100))
    assert choose_block_type(text).kind == TEXT
    assert choose_block_type(text.replace(b"\0\0", b"\0\1")).kind == BINARY


@pytest.mark.parametrize("data", [b"", b"A", b"a line\n", "Üben".encode(), bytes(range(128, 256))])
def test_little_is_text_unless_it_says_otherwise(data):
    assert choose_block_type(data) == NO_ROWS
    few = len(data) < 98
    assert choose_block_type(data + b"\0\1") == BlockType(BINARY if few else TEXT)


def test_code_is_found():
    assert choose_block_type(machine_code(30)).kind == CALLS_AND_DATA
    assert choose_block_type(machine_code(30, with_data=False)).kind == CALLS
    assert choose_block_type(machine_code(1)).kind == BINARY, "too little is called more than once"


def test_text_that_mentions_calls_stays_text():
    """Where there is hardly a control character nothing is rewritten."""
    assert choose_block_type(b"\xe8text" * 1000).kind == TEXT


def test_numbers_are_looked_for_first():
    assert choose_block_type(hills(40, 60, 3)).kind == IMAGE
    assert choose_block_type(tone(4000, 2, 2)).kind == AUDIO


def test_only_the_bytes_decide():
    data = records(24, 100)
    block_types = {choose_block_type(same) for same in (data, bytes(data), bytes(bytearray(data)))}
    assert len(block_types) == 1
    block_type = block_types.pop()
    assert all(type(number) is int for number in block_type)


def test_what_looks_like_a_bitmap_at_its_beginning_alone_is_none() -> None:
    table = tiles_pbm()[-9_000:] * 8
    rest = machine_code(9000) * 2
    assert choose_block_type(table).kind == BITMAP
    assert choose_block_type(table[: 1 << 16] + rest).kind != BITMAP
