"""Strips of TIFF that are packed: found, seen as pixels, and written again as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.errors import CorruptStreamError
from glnzip.format.block_type import BITMAP, IMAGE, WIDE_IMAGE, BlockType
from glnzip.format.numbers import write_numbers
from glnzip.transforms.differences import differences, sums
from glnzip.transforms.lzw.dictionary import OF_TIFF
from glnzip.transforms.lzw.recipe import describe, rebuild, write_recipe
from glnzip.transforms.unpacking import tiff
from glnzip.transforms.unpacking.repack import repack
from tests import little_room, raw_files
from tests.gif import lzw
from tests.oracles.document import lzw as document
from tests.packed import gzip_file
from tests.samples import hills
from tests.tiff import OLD_ZLIB, ZLIB, Page, lzw_of_tiff, tiff_file
from tests.tiff import differences as differences_of
from tests.unpacked import typed

WIDTH, ROWS = 40, 30
COLOURS, GREY, FOUR = (hills(WIDTH, ROWS, channels) for channels in (3, 1, 4))
WIDE = b"".join(bytes([k & 255, k >> 8 & 255]) for k in range(0, 60 * WIDTH * ROWS, 60))
MOST = 1 << 24

PAGES = {
    "colours": (Page(COLOURS, WIDTH), BlockType(IMAGE, 3 * WIDTH, 3)),
    "grey": (Page(GREY, WIDTH, 1), BlockType(IMAGE, WIDTH, 1)),
    "four channels": (Page(FOUR, WIDTH, 4, rows=1), BlockType(IMAGE, 4 * WIDTH, 4)),
    "pixels as they are": (
        Page(COLOURS, WIDTH, differences=False),
        BlockType(IMAGE, 3 * WIDTH, 3),
    ),
    "zlib": (Page(COLOURS, WIDTH, packed=ZLIB), BlockType(IMAGE, 3 * WIDTH, 3)),
    "zlib of old": (Page(GREY, WIDTH, 1, packed=OLD_ZLIB), BlockType(IMAGE, WIDTH, 1)),
    "at even places": (
        Page(COLOURS, WIDTH, between=b"\0"),
        BlockType(IMAGE, 3 * WIDTH, 3),
    ),
    "tiles": (Page(GREY, WIDTH, 1, tiled=True), BlockType(IMAGE, WIDTH, 1)),
    "tiles that tell their lengths": (
        Page(COLOURS, WIDTH, packed=ZLIB, tiled=True, between=b"12345678"),
        BlockType(IMAGE, 3 * WIDTH, 3),
    ),
    "two bytes": (Page(WIDE, WIDTH, 1, 16), BlockType(WIDE_IMAGE, 2 * WIDTH, 2, 6)),
    "a bit": (
        Page(GREY, 8 * WIDTH, 1, 1, differences=False),
        BlockType(BITMAP, WIDTH),
    ),
}


def content(data: bytes) -> list[tuple[bytes, BlockType]]:
    """Pieces whose type is known, in all stretches."""
    made = little_room.stretches(data)
    return [piece for found in made for piece in typed(found)]


@pytest.mark.parametrize("kind", PAGES)
def test_strips_are_seen_as_pixels(kind: str) -> None:
    page, block_type = PAGES[kind]
    assert content(tiff_file([page])) == [(page.pixels, block_type)]


def test_numbers_with_the_highest_byte_first() -> None:
    page = PAGES["two bytes"][0]
    expected = [(WIDE, BlockType(WIDE_IMAGE, 2 * WIDTH, 2, 7))]
    assert content(tiff_file([page], order=">")) == expected


def test_strips_that_are_far_apart_are_pieces() -> None:
    data = tiff_file([Page(COLOURS, WIDTH, rows=15, between=bytes(65))])
    half = len(COLOURS) // 2
    assert [pixels for pixels, _ in content(data)] == [COLOURS[:half], COLOURS[half:]]


def test_tiles_as_they_are() -> None:
    data = raw_files.tiff(hills(raw_files.WIDTH, raw_files.ROWS, 1), 1)
    places = data.replace(b"\x11\1\4\0", b"\x44\1\4\0").replace(b"\x17\1\4\0", b"\x45\1\4\0")
    assert content(places) == content(data) != []


def test_pages_come_one_after_the_other() -> None:
    pages = [Page(COLOURS, WIDTH), Page(GREY, WIDTH, 1), Page(GREY[::-1], WIDTH, 1, packed=ZLIB)]
    for gap in (b"", b"gap"):
        made = little_room.stretches(b"text" + tiff_file(pages, gap=gap) + b"text")
        assert [pixels for found in made for pixels, _ in typed(found)] == [p.pixels for p in pages]
        assert [found.begun is not None for found in made] == [True, True, False]


def test_a_picture_within_other_carriers() -> None:
    data = b"a file " * 30 + tiff_file([Page(COLOURS, WIDTH)])
    assert content(gzip_file(data)) == [(COLOURS, BlockType(IMAGE, 3 * WIDTH, 3))]
    two = tiff_file([Page(COLOURS, WIDTH), Page(GREY, WIDTH, 1)])
    assert not content(gzip_file(two))  # several parts are taken of what is not packed alone


def test_long_pictures_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiff, "MOST_BYTES", 2000)
    monkeypatch.setattr(tiff, "_PART", 1700)
    made = little_room.stretches(tiff_file([Page(COLOURS, WIDTH)]))
    assert b"".join(pixels for found in made for pixels, _ in typed(found)) == COLOURS
    firsts = [piece.first for found in made for piece in found.pieces if piece.block_type]
    assert firsts == [True, False, False]


def test_they_are_waited_for() -> None:
    data = tiff_file([Page(COLOURS, WIDTH)])
    for piece in (100, 1000, len(data) - 1):
        made = little_room.stretches(data, piece=piece)
        assert [pixels for found in made for pixels, _ in typed(found)] == [COLOURS]


@pytest.mark.parametrize("place", [20, 300, -200])
def test_what_is_damaged_stays_as_it_is(place: int) -> None:
    data = bytearray(tiff_file([Page(COLOURS, WIDTH, rows=15)]))
    data[place] ^= 0x10
    little_room.stretches(bytes(data))


def test_other_orders_of_bits_stay_as_they_are() -> None:
    data = tiff_file([Page(COLOURS, WIDTH)]).replace(
        b"\x16\1\4\0", b"\x0a\1\4\0"
    )  # the field of rows becomes that of the order
    assert not content(data)


@pytest.mark.parametrize("samples", range(3))
@pytest.mark.parametrize("step", [1, 3])
def test_differences_are_those_of_the_specification(samples: int, step: int) -> None:
    depth, order = (8, "<") if samples == 0 else (16, "<" if samples == 2 else ">")
    page = Page(COLOURS, WIDTH if depth == 8 else WIDTH // 2, step, depth)
    row = page.width * step * depth // 8
    expected = differences_of(page, order)
    assert differences(COLOURS, row, step, samples) == expected
    assert sums(expected, row, step, samples) == COLOURS


@given(st.binary(max_size=700), st.booleans())
def test_streams_of_lzw(data: bytes, ends: bool) -> None:
    stream = lzw(data * 3, 8, most_codes=400, end=ends, tiff=True)
    found = describe(stream, 8, MOST, OF_TIFF)
    assert found is not None
    assert found[0][: 3 * len(data)] == data * 3
    assert rebuild(*found, MOST) == stream
    assert document.lzw(found[0], write_recipe(found[1])) == stream


@given(st.binary(max_size=300))
def test_any_bytes_are_described_or_not(stream: bytes) -> None:
    found = describe(b"\x80" + stream, 8, 4096, OF_TIFF)
    if found is not None:
        assert rebuild(*found, MOST) == b"\x80" + stream


def test_a_full_dictionary() -> None:
    data = bytes((n * n * 7919 >> 5) % 251 for n in range(9000))
    stream = lzw_of_tiff(data)
    found = describe(stream, 8, MOST, OF_TIFF)
    assert found is not None
    assert found[0] == data
    assert write_recipe(found[1]) == bytes.fromhex("0804fd1d0000000000")
    assert rebuild(*found, MOST) == stream


REFUSED = {
    "rows that are not whole": [1, 4, 3, 1, 0, 4, 0],
    "pixels that are not whole": [1, 4, 4, 3, 0, 4, 0],
    "numbers that are not whole": [1, 4, 1, 1, 1, 4, 0],
    "no rows": [1, 4, 0, 1, 0, 4, 0],
    "unknown samples": [1, 4, 4, 1, 3, 4, 0],
    "strips of nothing": [1, 4, 4, 1, 0, 0, 0],
    "unknown packing": [2, 4, 4, 1, 0, 4, 0],
    "no recipe": [1, 4, 4, 1, 0, 4, 0],
    "fewer pixels": [1, 9, 9, 1, 0, 9, 0],
}


@pytest.mark.parametrize("why", REFUSED)
def test_recipes_that_do_not_fit(why: str) -> None:
    with pytest.raises(CorruptStreamError):
        repack(write_numbers([1, 1, 0, 21, *REFUSED[why]]), b"abcd")


@given(st.binary(max_size=60), st.binary(max_size=30))
def test_any_recipe_makes_data_or_an_error(told: bytes, pixels: bytes) -> None:
    for packing in (0, 1):
        try:
            repack(write_numbers([1, 1, 0, 21, packing]) + told, pixels)
        except CorruptStreamError:
            continue
