"""Carriers unpacked and packed again: the same bytes, the data in sight, never a crash."""

from __future__ import annotations

import struct
import time
import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.errors import CorruptStreamError
from glnzip.format.block_type import BINARY, BITMAP, IMAGE, JPEG, WIDE_IMAGE, BlockType
from glnzip.transforms.unpacking import parts, window
from glnzip.transforms.unpacking import unpack as unpacking
from glnzip.transforms.unpacking.repack import repack
from glnzip.transforms.unpacking.rows import filtered, unfiltered
from glnzip.transforms.unpacking.samples import of_palette
from glnzip.transforms.unpacking.unpack import unpack
from tests.fixed_data import LEXICON
from tests.packed import (
    Jpeg,
    all_kinds,
    by_zlib,
    drawing,
    gzip_file,
    letter,
    ours,
    pdf_file,
    png_file,
    tar_file,
    zip_by_python,
    zip_file,
    zlib_stream,
)
from tests.samples import hills
from tests.unpacked import checked

TEXT = LEXICON + LEXICON.upper() + LEXICON.title()
KINDS = all_kinds(TEXT, ours)


@pytest.mark.parametrize("deflate", [by_zlib, ours])
@pytest.mark.parametrize(
    "kind",
    ["gzip", "zip", "behind", "office", "nested", "mail", "postscript", "drawing"],
)
def test_the_data_are_in_sight(kind, deflate):
    made = checked(all_kinds(TEXT, deflate)[kind])
    assert TEXT in made.content
    assert len(made.recipe) < 120
    assert made.taken == len(all_kinds(TEXT, deflate)[kind])


@pytest.mark.parametrize("level", range(10))
def test_zip_archives_of_python(level):
    archive = zip_by_python({f"folder/{level}.txt": TEXT[: 100 * level], "other": TEXT})
    assert TEXT in checked(archive).content


def test_what_can_be_computed_is_left_out():
    """Checks and lengths, the places in a directory: all random bytes, and none in the content."""
    archive = KINDS["zip"]
    content = checked(archive).content
    for data in (TEXT, TEXT[::-1]):
        assert zlib.crc32(data).to_bytes(4, "little") in archive
        assert zlib.crc32(data).to_bytes(4, "little") not in content
    names = len("one" + "empty" + "two")
    told_twice = 3 * 12 + 3 * (46 - 14) + names
    streams = sum(len(ours(data)) - len(data) for data in (TEXT, b"", TEXT[::-1]))
    assert len(content) == len(archive) - streams - told_twice


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_pixels_of_a_png(channels):
    made = checked(png_file(37, 11, channels))
    assert hills(37, 11, channels) in made.content
    (piece,) = (piece for piece in made.pieces if piece.block_type)
    assert piece.block_type == BlockType(IMAGE, 37 * channels, channels)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize(("width", "rows"), [(1, 1), (1, 40), (60, 1), (2, 5), (5, 3), (37, 21)])
def test_an_interlaced_png_is_one_picture(width, rows, channels):
    made = checked(png_file(width, rows, channels, interlaced=True))
    if made.recipe:
        (piece,) = (piece for piece in made.pieces if piece.block_type)
        assert piece.block_type == BlockType(IMAGE, width * channels, channels)
    assert (hills(width, rows, channels) in made.content) == bool(made.recipe)


@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize(
    ("width", "height", "depth"), [(24, 0, 8), (0, 9, 8), (1, 9, 64), (0, 0, 0)]
)
def test_a_png_whose_header_tells_nonsense_is_bytes(interlaced, width, height, depth):
    """Whether it has no data or some; a pixel of more bytes than there are in any is none."""
    for rows in (9, 0):
        picture = bytearray(png_file(24, rows, 1, interlaced=interlaced))
        picture[16:25] = struct.pack(">LLB", width, height, depth)
        made = checked(bytes(picture))
        assert not any(piece.block_type for piece in made.pieces)


def test_an_interlaced_png_of_less_than_a_byte_a_pixel_keeps_its_passes():
    picture = bytearray(png_file(24, 9, 1, interlaced=True))
    picture[16:26] = struct.pack(">LLBB", 48, 9, 4, 0)
    made = checked(bytes(picture))
    assert made.recipe
    assert not any(piece.block_type for piece in made.pieces)


@pytest.mark.parametrize(
    ("width", "depth", "colours", "block_type"),
    [
        (192, 1, 3, BlockType(BITMAP, 24)),
        (96, 2, 0, BlockType(BITMAP, 24)),
        (48, 4, 3, BlockType(BITMAP, 24)),
        (24, 8, 3, of_palette(24)),
        (12, 16, 0, BlockType(WIDE_IMAGE, 24, 2, 7)),
        (6, 16, 4, BlockType(WIDE_IMAGE, 24, 4, 7)),
        (4, 16, 2, BlockType(WIDE_IMAGE, 24, 6, 7)),
        (3, 16, 6, BlockType(WIDE_IMAGE, 24, 8, 7)),
    ],
)
def test_what_pixels_are_to_a_model(width, depth, colours, block_type):
    picture = bytearray(png_file(24, 9, 1))
    picture[16:26] = struct.pack(">LLBB", width, 9, depth, colours)
    (piece,) = (piece for piece in checked(bytes(picture)).pieces if piece.block_type)
    assert piece.block_type == block_type


def test_pictures_that_come_again_are_bytes():
    """In rows: they are found again so, which no model of pictures does."""
    twice, once = png_file(37, 11), png_file(20, 9)
    made = checked(TEXT.join([twice, once, twice, twice]))
    types = [piece.block_type for piece in made.pieces if piece.block_type]
    rows = BlockType(BINARY, 37 * 3)
    assert types == [rows, BlockType(IMAGE, 20 * 3, 3), rows, rows]


def test_a_png_whose_rows_are_none():
    """The header tells another width; the stream is unpacked all the same."""
    picture = bytearray(png_file(20, 9))
    picture[19] += 1
    made = checked(bytes(picture))
    assert made.recipe
    assert all(piece.block_type is None for piece in made.pieces)


def test_unknown_filters():
    rows = np.frombuffer(bytearray(b"\5abc\0def"), np.uint8)
    assert unfiltered(rows, 3, 1) is None
    assert filtered(rows[:2], rows[2:], 3, 1).size == 8


@given(st.integers(1, 5), st.integers(1, 20), st.integers(1, 8), st.randoms())
def test_filters_there_and_back(height, row, step, chance):
    rows = np.frombuffer(bytearray(chance.randbytes(height * (row + 1))), np.uint8)
    rows.reshape(height, -1)[:, 0] %= 5
    both = unfiltered(rows, row, step)
    assert both is not None
    assert np.array_equal(filtered(*both, row, step), rows)


def test_streams_of_a_pdf():
    texts = [TEXT[i : i + 300] for i in range(0, 1500, 100)]
    made = checked(pdf_file(texts))
    assert all(text in made.content for text in texts)


def test_a_wrong_check_is_kept():
    damaged = bytearray(gzip_file(TEXT))
    damaged[-6] ^= 1
    assert not checked(bytes(damaged)).recipe
    archive = bytearray(KINDS["zip"])
    archive[15] ^= 1
    assert checked(bytes(archive)).content.count(TEXT) == 0


def test_the_scan_of_a_jpeg():
    picture = Jpeg(3, 2)
    made = checked(TEXT + picture.data + TEXT)
    scans = [piece for piece in made.pieces if piece.block_type is not None]
    (scan,) = scans
    assert scan.length == len(picture.scan)
    assert scan.block_type is not None
    assert scan.block_type.kind == JPEG
    assert picture.header.endswith(
        made.content[: made.content.index(picture.scan)][-scan.block_type.row_bytes :]
    )


@pytest.mark.parametrize(
    "change", [(0xC0, 0xC2), (0xC0, 0xC9), (0xDA, 0xDC)], ids=["progressive", "arithmetic", "other"]
)
def test_other_jpegs_are_bytes(change):
    before, after = change
    picture = Jpeg(3, 2).data.replace(bytes([0xFF, before]), bytes([0xFF, after]), 1)
    assert all(piece.block_type is None for piece in checked(picture).pieces)


def test_members_of_a_tar_are_pieces():
    made = checked(tar_file({"one": TEXT, "two": bytes(600)}))
    lengths = [piece.length for piece in made.pieces]
    assert lengths[:3] == [512, len(TEXT), -len(TEXT) % 512]
    assert lengths[3:5] == [512, 600]


def test_a_picture_deep_within():
    """In a text in a drawing in a zip archive in a tar that gzip has packed."""
    archive = zip_by_python({"one.svg": drawing(png_file(37, 11))})
    made = checked(gzip_file(tar_file({"one.zip": archive})))
    assert hills(37, 11, 3) in made.content
    (piece,) = (piece for piece in made.pieces if piece.block_type)
    assert piece.block_type == BlockType(IMAGE, 37 * 3, 3)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "tar"])
def test_what_is_not_complete_waits(kind):
    data = KINDS[kind]
    for cut in range(12, len(data) - 30, 37):
        made = checked(data[:cut], final=False)
        rest = data[made.taken :]
        more = checked(rest)
        assert made.taken + more.taken == len(data)


def test_what_comes_before_does_not_wait():
    assert checked(TEXT + gzip_file(TEXT)[:300], final=False).taken == len(TEXT)
    assert checked(gzip_file(TEXT)[:300], final=False).taken == 0
    assert checked(gzip_file(TEXT)[:300], final=True).taken == 300


def test_nothing_waits_for_more_than_the_limit(monkeypatch):
    for module in (unpacking, window):
        monkeypatch.setattr(module, "MOST_BYTES", 2000)
    first = unpack(letter(TEXT)[:90] + b"=20" * 1000, final=False)
    assert first.taken == 2000
    assert not first.recipe


@pytest.mark.parametrize("most", [300, 1000, 2000, 4000])
def test_no_more_content_than_allowed(monkeypatch, most):
    for module in (unpacking, parts):
        monkeypatch.setattr(module, "MOST_BYTES", most)
    data = b"".join(gzip_file(bytes(n) + TEXT[:n]) for n in (100, 200, 300, 400)) * 3
    done = 0
    while done < len(data):
        made = checked(data[done:])
        assert 0 < made.taken
        assert len(made.content) <= max(most, made.taken)
        done += made.taken


def test_no_more_content_than_allowed_behind_what_lies_deeper(monkeypatch):
    """What follows the last that has room must have room, too."""
    for module in (unpacking, parts):
        monkeypatch.setattr(module, "MOST_BYTES", 4000)
    inner = b"".join(gzip_file(bytes([k]) * 60 + TEXT[:900]) for k in range(4))
    data = gzip_file(inner + TEXT[:1500])
    made = checked(data)
    assert made.taken == len(data)
    assert made.recipe
    assert TEXT[:1500] in made.content
    assert len(made.content) <= 4000


def test_what_would_grow_too_much_stays():
    assert checked(gzip_file(bytes(10_000))).recipe
    assert not checked(gzip_file(bytes(1_000_000))).recipe


def test_what_lies_deeper_has_room_in_parts(monkeypatch):
    texts = [bytes([65 + k]) * 30 + TEXT[::-1] for k in range(4)]
    data = b"\n".join(drawing(gzip_file(text)) for text in texts)
    monkeypatch.setattr(unpacking, "MOST_BYTES", len(TEXT) * 5 // 2)
    contents = []
    while data:
        made = checked(data)
        contents.append(made.content)
        data = data[made.taken :]
    assert len(contents) > 1
    assert all(text in b"".join(contents) for text in texts)


noise = st.binary(max_size=40)
carriers = st.one_of(
    st.sampled_from(list(KINDS.values())),
    st.binary(max_size=200).map(gzip_file),
    st.binary(max_size=200).map(zlib_stream),
    st.binary(max_size=300).map(lambda data: zip_file({"name": data}, behind=len(data) % 2 == 0)),
)


@given(st.lists(st.one_of(noise, carriers), max_size=6).map(b"".join), st.booleans())
def test_any_mixture(data, final):
    made = checked(data, final=final)
    assert made.taken == len(data) or not final


@given(
    st.sampled_from(sorted(KINDS)), st.lists(st.tuples(st.integers(0, 5000), st.integers(1, 255)))
)
def test_damaged_carriers(kind, damages):
    data = bytearray(KINDS[kind])
    for place, change in damages:
        data[place % len(data)] ^= change
    checked(bytes(data))


PACKED = [made for data in KINDS.values() if (made := unpack(data, final=True)).recipe]


@given(
    st.sampled_from(PACKED),
    st.lists(st.tuples(st.integers(0, 5000), st.integers(1, 255)), min_size=1, max_size=4),
    st.booleans(),
)
def test_damaged_recipes(made, damages, of_content):
    """Other data, or an error; never anything else, and never too many data."""
    both = [bytearray(made.recipe), bytearray(made.content)]
    for place, change in damages:
        both[of_content][place % len(both[of_content])] ^= change
    with suppress(CorruptStreamError):
        assert len(repack(bytes(both[0]), bytes(both[1]))) <= parts.MOST_BYTES


def test_chunks_without_data_are_not_made_for_ever():
    """The recipe of a PNG with 2^24 - 1 empty chunks."""
    recipe = bytes.fromhex("010100080000008180801000000706f80101010000")
    with pytest.raises(CorruptStreamError, match="too many data"):
        repack(recipe, b"")


@given(st.binary(max_size=40), st.binary(max_size=100))
def test_any_recipe(recipe, content):
    with suppress(CorruptStreamError):
        repack(recipe, content)


def test_a_recipe_that_would_make_too_many_data(monkeypatch):
    made = unpack(KINDS["gzip"], final=True)
    monkeypatch.setattr("glnzip.transforms.unpacking.repack.MOST_BYTES", 1000)
    with pytest.raises(CorruptStreamError):
        repack(made.recipe, made.content)


def chain_of_pictures(count: int) -> bytes:
    """Beginnings of JPEGs in segments that lead from one to the next, and nowhere."""
    own = b"\xff\xd8\xff\xe0" + (2 + 50 * 6).to_bytes(2, "big")
    return own * count


GZIP_HEADER = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
ZLIB_HEADER = b"\x78\x9c"
ZIP_HEADER = b"PK\3\4\x14" + bytes(13) + (100_000).to_bytes(4, "little") * 2 + bytes(4)


def stored_block(content: bytes) -> bytes:
    size = len(content).to_bytes(2, "little")
    return b"\0" + size + bytes(255 - byte for byte in size) + content


@pytest.mark.parametrize(
    "data",
    [
        chain_of_pictures(60_000),
        (b"\0\0\0\0IDAT" + bytes(4)) * 30_000,
        b"\x1f\x8b\x08\x08" * 90_000,
        b"II*\0" * 90_000,
        (b"MZ" + bytes(58) + b"\x40\0\0\0PE\0\0" + b"\xff" * 60) * 2_500,
        (b"\xcf\xfa\xed\xfe" + bytes(16) + b"\0\x80\0\0" + bytes(40)) * 5_000,
        b"BM(\0\0\0\1\0\0\0\1\0\0\0\1\0\x18\0\0\0\0\0" * 15_000,
        ZLIB_HEADER + stored_block(ZLIB_HEADER) * 40_000,
        ZIP_HEADER * 10_000,
        (ZLIB_HEADER + zlib.compress(bytes(1 << 20))[2:-5]) * 300,
        b"eexec \xff" * 40_000,
    ],
    ids=[
        "jpeg",
        "png",
        "gzip",
        "tiff",
        "exe",
        "mach-o",
        "bmp",
        "stored-zlib",
        "zip",
        "bomb",
        "font",
    ],
)
def test_hostile_data_take_no_longer_than_others(data):
    """Each is a chain of beginnings: looked at from each on to its end, it would take minutes."""
    start = time.process_time()
    made = unpack(data, final=True)
    assert time.process_time() - start < 20
    assert made.content == data


def test_a_stream_that_is_a_chain_of_beginnings_takes_no_longer():
    """It does not end, so what there is of it is unpacked."""
    data = GZIP_HEADER + stored_block(GZIP_HEADER) * 20_000
    start = time.process_time()
    made = unpack(data, final=True)
    assert time.process_time() - start < 20
    assert repack(made.recipe, made.content) == data[: made.taken]


@pytest.mark.parametrize("size", range(12, 33))
def test_the_beginning_of_a_png_in_an_archive(size):
    """Whatever its header says, or does not."""
    header = png_file(3, 3)[:size]
    checked(zip_file({"a": header}, stored="a"))


def with_profile(picture: bytes) -> bytes:
    """A PNG with a colour profile between its header and its data."""
    chunk = b"iCCPname\0\0" + zlib.compress(TEXT * 3)
    profile = (len(chunk) - 4).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")
    return picture[:33] + profile + picture[33:]


@pytest.mark.parametrize("before", [b"", TEXT, TEXT + gzip_file(TEXT), png_file(20, 9)])
@pytest.mark.parametrize("picture", [png_file(37, 11), with_profile(png_file(37, 11))])
def test_a_picture_that_is_not_complete_waits_with_its_header(before: bytes, picture: bytes):
    """Without it, nobody would know how wide it is."""
    whole = before + picture
    for missing in (13, 30, len(picture) // 3):
        first = checked(whole[:-missing], final=False)
        assert first.taken == len(before)
    assert checked(whole, final=True).pieces[-2].block_type == BlockType(IMAGE, 37 * 3, 3)
    assert checked(picture, final=True).pieces[-2].block_type == BlockType(IMAGE, 37 * 3, 3)


def test_data_without_a_header_of_their_own_wait_alone():
    picture = png_file(37, 11)
    headless = picture[33:]
    whole = picture + TEXT + headless
    assert checked(whole[:-20], final=False).taken == len(picture) + len(TEXT)
