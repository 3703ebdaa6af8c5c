"""Streams that are too long for a stretch, taken in portions of a few hundred bytes."""

from __future__ import annotations

import itertools
import random
import zlib
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glnzip
from glnzip.errors import CorruptStreamError
from glnzip.format.walk import Segment
from glnzip.transforms.unpacking.repack import Repacker, repack
from glnzip.transforms.unpacking.unpack import Unpacked
from tests import little_room
from tests.fixed_data import LEXICON
from tests.little_room import MOST, PORTION, leave_little_room
from tests.oracles.document import unpacking as document
from tests.oracles.document.numbers import DamagedError
from tests.packed import (
    CHEAPEST,
    Jpeg,
    gzip_file,
    ours,
    png_file,
    tar_file,
    zip_file,
    zlib_stream,
)

WORDS = sorted(set(LEXICON.split()))
TEXT = b" ".join(random.Random(7).choices(WORDS, k=1500))[:9000]


@pytest.fixture(autouse=True)
def _little_room(monkeypatch):
    leave_little_room(monkeypatch)


def deflated(
    level: int = 6, strategy: int = 0, memory: int = 1, flush: int = 0
) -> Callable[[bytes], bytes]:
    """A packer whose blocks have 127 tokens, and that flushes after so many bytes."""

    def pack(data: bytes) -> bytes:
        machine = zlib.compressobj(level, zlib.DEFLATED, -15, memory, strategy)
        step = flush or len(data) + 1
        packed = b""
        for at in range(0, len(data), step):
            packed += machine.compress(data[at : at + step])
            packed += machine.flush(zlib.Z_FULL_FLUSH) if flush else b""
        return packed + machine.flush()

    return pack


def stretches(data: bytes, *, piece: int = 0, portion: int = PORTION) -> list[Unpacked]:
    """What the data become; packed again as the document says, too."""
    made = little_room.stretches(data, piece=piece, portion=portion)
    packer = document.Frame()
    original = [
        packer.repack(found.recipe, found.content) if found.recipe else found.content
        for found in made
    ]
    assert b"".join(original) == data
    return made


def content(made: list[Unpacked]) -> bytes:
    return b"".join(found.content for found in made)


def recipes(made: list[Unpacked]) -> int:
    return sum(len(found.recipe) for found in made)


@pytest.mark.parametrize("piece", [0, 500, 2500])
@pytest.mark.parametrize("level", range(1, 10))
def test_levels(level, piece):
    """All of the text is there, behind what the header of a gzip file is."""
    data = gzip_file(TEXT, deflated(level), b"name")
    made = stretches(data, piece=piece)
    assert len(made) > 5
    assert TEXT in content(made)
    assert recipes(made) < len(data) // (2 if level < 4 else 6)


@pytest.mark.parametrize("strategy", range(1, 5))
def test_strategies(strategy):
    data = zlib_stream(TEXT, deflated(9, strategy))
    assert TEXT in content(stretches(data))


@pytest.mark.parametrize("flush", [50, 300, 5000])
def test_flushes(flush):
    made = stretches(gzip_file(TEXT, deflated(6, flush=flush)))
    assert TEXT in content(made)


def test_noise_is_stored_in_between():
    noise = np.random.default_rng(3).bytes(1200)
    data = gzip_file(TEXT[:2000] + noise + TEXT[2000:4000], deflated())
    assert noise in content(stretches(data))


def test_the_cheapest_path():
    """Blocks of fixed codes, each along a path of its own."""
    blocks = [TEXT[at : at + 300] for at in range(0, len(TEXT), 300)]
    recipe = bytes([0x46, 0xF8, 1, len(blocks)])
    recipe += b"".join([b"\1\xac\2"] * (len(blocks) - 1)) + b"\1\0\0"
    packed = ours(TEXT, recipe)
    assert zlib.decompress(packed, -15) == TEXT
    made = stretches(gzip_file(TEXT, lambda _: packed))
    assert TEXT in content(made)
    assert recipes(made) < 40 * len(made)


def test_a_member_of_an_archive_between_others():
    members = {"one": TEXT[:200], "long": TEXT, "three": TEXT[:300]}
    data = zip_file(members, deflated())
    made = stretches(data)
    assert TEXT in content(made)
    assert all(name.encode() in content(made) for name in members)


def test_what_is_within_is_unpacked():
    inner = gzip_file(TEXT[:500])
    made = stretches(gzip_file(tar_file({"a": TEXT[:600], "b": inner, "c": TEXT}), deflated()))
    assert TEXT[:500] in content(made).replace(TEXT[:600], b"", 1)


def test_what_is_within_has_room_in_smaller_portions():
    inner = b"".join(gzip_file(bytes([65 + k]) * 30 + TEXT[:900]) for k in range(9))
    made = stretches(gzip_file(inner + TEXT, deflated()), portion=2800)
    assert content(made).count(TEXT[:900]) >= 3


@pytest.mark.parametrize("chunk", [7, 60, 400, 1 << 20])
@pytest.mark.parametrize(("width", "channels"), [(40, 3), (91, 1), (30, 4)])
def test_pictures(width, channels, chunk):
    """Pixels are handed on as whole rows, without their filters."""
    data = png_file(width, 60, channels, deflated(), chunk=chunk)
    made = stretches(data)
    row = width * channels
    assert len(made) > 2
    pixels = [piece for found in made for piece in found.pieces if piece.block_type is not None]
    assert all(piece.length % row == 0 for piece in pixels)
    assert sum(piece.length for piece in pixels) == 60 * row
    assert [piece.first for piece in pixels] == [True] + [False] * (len(pixels) - 1)


def test_a_picture_that_is_stored_in_an_archive():
    picture = png_file(40, 60, 3, deflated())
    made = stretches(zip_file({"a": TEXT[:90], "b": picture}, deflated(), stored="b"))
    pixels = [piece for found in made for piece in found.pieces if piece.block_type is not None]
    assert sum(piece.length for piece in pixels) == 60 * 120


def test_pictures_of_other_rows():
    """Rows that are interlaced, or not what the header says, are bytes like others."""
    data = png_file(40, 60, 3, deflated()).replace(b"\x08\x02\0\0\0", b"\x08\x02\0\0\1")
    made = stretches(data)
    assert any(found.recipe for found in made)
    assert all(piece.block_type is None for found in made for piece in found.pieces)


@pytest.mark.parametrize("empty", [0, 2, 8])
def test_empty_chunks(empty):
    data = png_file(40, 60, 3, deflated(), chunk=300)
    places = [at for at in range(len(data)) if data[at : at + 4] == b"IDAT"]
    at = places[min(empty, len(places) - 1)] - 4
    nothing = bytes(4) + b"IDAT" + zlib.crc32(b"IDAT").to_bytes(4, "big")
    made = stretches(data[:at] + nothing + data[at:])
    assert sum(bool(found.recipe) for found in made) > 2


@pytest.mark.parametrize("piece", [0, 500, 1700, 4000])
def test_the_scan_of_a_jpeg(piece):
    """All of it is seen as such, and what is behind it is not."""
    picture = Jpeg(40, 20, interval=7)
    made = stretches(TEXT[:100] + picture.data + TEXT[:400], piece=piece)
    pieces = [piece for found in made for piece in found.pieces]
    scans = [piece for piece in pieces if piece.block_type is not None]
    assert len(picture.scan) > 2 * MOST
    assert sum(scan.length for scan in scans) == len(picture.scan)
    rows = [piece.block_type.row_bytes for piece in pieces if piece.block_type is not None]
    assert rows[0] > 0
    assert rows[1:] == [0] * (len(rows) - 1)
    first = pieces.index(scans[0])
    assert pieces[first : first + len(scans)] == scans


def test_a_jpeg_without_an_end():
    picture = Jpeg(10, 10)
    made = stretches(picture.data[:-9])
    assert made[-1].pieces[-1].block_type is not None


@pytest.mark.parametrize("cut", [1000, 2000, -9, -1])
def test_streams_that_are_cut(cut):
    """What there is of them is unpacked, if nothing can follow."""
    data = gzip_file(TEXT, deflated())[:cut]
    made = stretches(data)
    assert TEXT[:1000] in content(made)


def test_streams_that_are_damaged_somewhere():
    data = bytearray(gzip_file(TEXT, deflated()))
    data[len(data) // 2] ^= 0x55
    assert TEXT[:1000] in content(stretches(bytes(data)))


def test_what_would_grow_too_much_stays():
    assert not any(found.recipe for found in stretches(gzip_file(bytes(3_000_000))))


def test_what_grows_too_much_in_the_end_stays(monkeypatch):
    """It may grow by more in places."""
    leave_little_room(monkeypatch, 200_000)
    data = gzip_file(TEXT + bytes(100_000) + TEXT[::-1] + bytes(16_000_000), deflated())
    made = little_room.stretches(data, portion=50_000)
    assert TEXT[::-1] in content(made)
    assert len(data) * 100 < len(content(made)) < len(data) * 512
    assert not made[-1].recipe


carrier = st.sampled_from(
    [
        gzip_file(TEXT, deflated()),
        gzip_file(TEXT, deflated(1, flush=900)),
        zlib_stream(TEXT[::-1], deflated(9)),
        png_file(40, 60, 3, deflated()),
        zip_file({"a": TEXT, "b": TEXT[:90]}, deflated(4)),
        TEXT[:500],
        Jpeg(20, 10).data,
        gzip_file(TEXT[:400], lambda data: ours(data, CHEAPEST)),
    ]
)


@settings(max_examples=50)
@given(
    st.lists(carrier, min_size=1, max_size=3).map(b"".join),
    st.integers(0, 2 * MOST),
    st.integers(50, 2 * PORTION),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(1, 255)), max_size=3),
)
def test_any_mixture(data, piece, portion, damages):
    damaged = bytearray(data)
    for place, change in damages:
        damaged[place % len(data)] ^= change
    stretches(bytes(damaged), piece=piece, portion=portion)


@pytest.mark.usefixtures("quick_model")
@pytest.mark.parametrize("ends", [(), (1000,), (500, 501, 2000, 3900)])
def test_frames(ends):
    """A stream goes on in other stretches, also where blocks were asked to end within it."""
    data = TEXT[:300] + gzip_file(TEXT, deflated()) + png_file(40, 60, 3, deflated())
    compressor = glnzip.Compressor(1, prior=None)
    frame = b""
    for begin, end in itertools.pairwise((0, *ends, len(data))):
        frame += compressor.compress(data[begin:end])
        frame += compressor.end_block() if end < len(data) else compressor.flush()
    segments: list[Segment] = []
    list(glnzip.frame_info(frame, segments.append))
    stretches = sum(segment.block_type is None for segment in segments)
    assert stretches > (1 if 501 in ends else 6)  # of a byte alone nothing goes on
    decompressor = glnzip.Decompressor(prior=None)
    assert b"".join(decompressor.decompress(frame[i : i + 1]) for i in range(len(frame))) == data


def test_nothing_goes_on_without_a_beginning():
    """The second portion alone."""
    made = [found for found in stretches(gzip_file(TEXT, deflated())) if found.recipe]
    with pytest.raises(CorruptStreamError, match="does not fit"):
        repack(made[1].recipe, made[1].content)


@settings(max_examples=50)
@given(
    st.integers(0, 9),
    st.lists(st.tuples(st.integers(0, 5000), st.integers(1, 255)), min_size=1, max_size=4),
    st.booleans(),
)
def test_damaged_recipes(which, damages, of_content):
    """Other data, or an error; and the document says the same."""
    data = png_file(40, 30, 3, deflated(), chunk=200) if which % 2 else gzip_file(TEXT, deflated())
    made = [found for found in stretches(data) if found.recipe]
    which = which % (len(made) - 1) + 1
    packers = Repacker(), document.Frame()
    for found in made[:which]:
        for packer in packers:
            packer.repack(found.recipe, found.content)
    both = [bytearray(made[which].recipe), bytearray(made[which].content)]
    for place, change in damages:
        both[of_content][place % len(both[of_content])] ^= change
    outcomes: list[bytes | None] = []
    for packer in packers:
        outcomes.append(None)
        with suppress(CorruptStreamError, DamagedError):
            outcomes[-1] = packer.repack(bytes(both[0]), bytes(both[1]))
    assert outcomes[0] == outcomes[1]
