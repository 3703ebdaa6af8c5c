"""Fonts: found wherever they are, read but for their names, and never changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from glnzip.format.block_type import FONT, TEXT, BlockType
from glnzip.planner.stretches import next_stretch
from glnzip.transforms.unpacking.unpack import unpack
from glnzip.transforms.unpacking.window import Piece
from tests.checks import kinds_of
from tests.compact_fonts import compact_font, opentype
from tests.fixed_data import LEXICON
from tests.fonts import font
from tests.packed import ours, pdf_file, type1_font, zlib_stream

LETTERS = font(60)
NAMES = LETTERS.index(b"This font")
NAMES_BYTES = 1200
READ = BlockType(FONT)
COMPACT = compact_font(60)
NOISE = bytes(range(255, -1, -1)) * 5


def pieces_of(data: bytes) -> list[Piece]:
    """Those of data that stay as they are."""
    taken, recipe, content, pieces, _, _ = unpack(data, final=True)
    assert (taken, recipe, content) == (len(data), b"", data)
    assert sum(piece.length for piece in pieces) == len(data)
    return pieces


def read_pieces(data: bytes) -> list[bytes]:
    """What of the data a model reads as a font."""
    found, at = [], 0
    for piece in pieces_of(data):
        if piece.block_type == READ:
            found.append(data[at : at + piece.length])
        at += piece.length
    return found


@pytest.mark.parametrize("around", [b"", NOISE, LEXICON[:333]], ids=["alone", "noise", "text"])
def test_all_but_its_names_is_read(around):
    expected = [LETTERS[:NAMES], LETTERS[NAMES + NAMES_BYTES :]]
    assert read_pieces(around + LETTERS + around) == expected


def test_other_large_tables_are_apart():
    data = font(60, names=0, others=5000)
    start = data.index(b"another")
    assert read_pieces(data) == [data[:start], data[start + 5000 :]]
    whole = font(60, names=0, others=4000)
    assert read_pieces(whole) == [whole]


def test_the_last_table_may_end_anywhere():
    whole = LETTERS.rstrip(b"\0")
    assert read_pieces(whole)[-1] == whole[NAMES + NAMES_BYTES :]
    assert read_pieces(whole + b"more")[-1] == whole[NAMES + NAMES_BYTES :]


def test_few_names_are_read_too():
    data = font(60, names=900)
    assert read_pieces(data) == [data]


def test_the_names_are_text():
    assert kinds_of(LETTERS) == [FONT, TEXT, FONT]


def test_a_packed_font_is_read():
    assert kinds_of(zlib_stream(LETTERS, ours))[-3:] == [FONT, TEXT, FONT]


@pytest.mark.parametrize(
    "data",
    [
        LETTERS.replace(b"glyf", b"CFF2"),
        LETTERS.replace(b"prep", b"sbix"),  # pictures, which may be PNG
        LETTERS.replace(b"prep", b"SVG "),
        LETTERS.replace(b"\0\1\0\0\0\x09", b"\0\1\0\0\0\x31"),  # tables
        LETTERS[:700],
        font(1, names=0)[:1000],
    ],
    ids=["other outlines", "pictures", "SVG", "too many tables", "a part", "small"],
)
def test_other_data_are_no_font(data):
    assert read_pieces(data) == []


def test_what_of_a_font_is_there_is_read():
    assert read_pieces(LETTERS[:-20]) == [LETTERS[:NAMES], LETTERS[NAMES + NAMES_BYTES : -20]]
    assert read_pieces(LETTERS[: NAMES + 50]) == [LETTERS[:NAMES]]


def test_the_rest_of_a_font_is_waited_for():
    assert next_stretch(LETTERS[:-100], 6, final=False) is None


@pytest.mark.parametrize("around", [b"", NOISE, LEXICON[:333]], ids=["alone", "noise", "text"])
def test_outlines_may_be_programs(around):
    data = opentype(COMPACT)
    assert read_pieces(around + data + around) == [data]


def test_a_compact_font_is_all_of_a_stream():
    assert read_pieces(COMPACT) == [COMPACT]
    assert kinds_of(zlib_stream(COMPACT, ours))[-1] == FONT
    assert kinds_of(pdf_file([COMPACT, LETTERS, COMPACT])).count(FONT) == 4
    for data in (NOISE + COMPACT, compact_font(2), COMPACT.replace(b"\1\0\4", b"\1\0\x0c", 1)):
        assert read_pieces(data) == []


def test_the_rest_of_a_compact_font_is_waited_for():
    assert next_stretch(COMPACT[:-100], 6, final=False) is None


def test_private_parts_are_read():
    programs = [bytes(range(40, 200))] * 12
    assert kinds_of(pdf_file([type1_font(programs)])).count(FONT) == 1
    assert FONT not in kinds_of(pdf_file([type1_font(programs[:2])]))


@given(st.lists(st.tuples(st.integers(0, 160), st.integers(0, 255)), max_size=8))
def test_any_directory_will_do(changes):
    data = bytearray(LETTERS[:2500])
    for place, byte in changes:
        data[place] = byte
    pieces_of(bytes(data))


@pytest.mark.parametrize("level", [1, 6])
@pytest.mark.parametrize("chunk", [700, 100_000])
@pytest.mark.parametrize("data", [LETTERS, COMPACT, opentype(COMPACT)], ids=["glyf", "CFF", "OTTO"])
def test_the_same_comes_back(level, chunk, data):
    """Also where a block begins within a font, or within its directory."""
    compressor = glnzip.Compressor(level=level, prior=None, block_size=chunk)
    packed = compressor.compress(data) + compressor.flush()
    assert glnzip.decompress(packed, prior=None) == data


def test_outlines_that_are_known_cost_less():
    """The model reads the font: its own contexts are worth a tenth of outlines, at least."""
    data = font(400, names=0, seed=9)
    moved = b"otto" + data[4:]  # no sign of a font
    as_font, as_data = (len(glnzip.compress(each, level=1, prior=None)) for each in (data, moved))
    assert 10 * as_font < 9 * as_data


def test_programs_that_are_known_cost_less():
    data = opentype(compact_font(300, seed=9))
    moved = data.replace(b"OTTO", b"otto")  # no sign of a font
    as_font, as_data = (len(glnzip.compress(each, level=1, prior=None)) for each in (data, moved))
    assert 100 * as_font < 97 * as_data
