"""Streams of bzip2: taken apart, seen through and written again as they were."""

from __future__ import annotations

import bz2
import io
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glnzip.errors import CorruptStreamError
from glnzip.format.numbers import write_numbers
from glnzip.transforms.bzip2.recipe import (
    Described,
    OpenBlocks,
    describe,
    rebuild,
    take_recipe,
    write_recipe,
)
from glnzip.transforms.bzip2.rotations import sort_rotations
from glnzip.transforms.deflate.stream import TooLongError, UnfinishedError
from glnzip.transforms.unpacking import bzip2
from glnzip.transforms.unpacking.repack import repack
from glnzip.transforms.unpacking.unpack import Unpacked
from tests.fixed_data import LEXICON
from tests.little_room import stretches
from tests.oracles.document.bzip2 import OpenBlocks as OpenInDocument
from tests.oracles.document.bzip2 import Told, blocks, canonical, to_symbols, written
from tests.packed import bzip2_file, gzip_file, png_file, tar_file

MOST = 1 << 24
NOISE = np.random.default_rng(1).integers(0, 256, 130_000, np.uint8).tobytes()
DATA = {
    "text": LEXICON,
    "repeated text": LEXICON * 3,
    "a byte": b"a",
    "a run": b"a" * 4,
    "the longest run": b"a" * 255,
    "runs": b"".join(b"%c" % (k % 7) * k for k in range(300)),
    "zeros": bytes(300_000),
    "repeated": b"abcabd" * 3000,
    "all bytes": bytes(range(256)) * 30,
    "blocks": NOISE,
    "a last byte": NOISE[:99_981] + b"a",
    "few symbols": b"ab" * 60 + b"c",
}
REPEATED = "repeated", "all bytes", "zeros", "repeated text"
"""Of rotations that are alike, the library takes any."""
USUAL = bytes(3)


def described(stream: bytes, **more: int) -> Described:
    assert stream[:3] == b"BZh"
    begun = OpenBlocks(stream[3] - 0x30)
    found = describe(np.frombuffer(stream[4:], np.uint8), begun, MOST, **more)
    assert found is not None
    return found


def checked(stream: bytes) -> bytes:
    """The recipe of a stream that was written again."""
    found = described(stream)
    told = write_recipe(found.recipe)
    read = io.BytesIO(told)
    recipe = take_recipe(read.read, MOST)
    assert not read.read()
    made, left = rebuild(found.data, OpenBlocks(stream[3] - 0x30), recipe, goes_on=False)
    assert stream[:4] + made == stream
    assert left is None
    return told


@pytest.mark.parametrize("level", [1, 9])
@pytest.mark.parametrize("kind", DATA)
def test_what_libbzip2_makes_needs_no_recipe(kind: str, level: int) -> None:
    stream = bz2.compress(DATA[kind], level)
    assert described(stream).data == DATA[kind]
    told = checked(stream)
    if kind not in ("a last byte", *REPEATED):
        assert told == USUAL


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=9), max_size=30), st.integers(0, 6), st.integers(1, 9))
def test_streams_of_libbzip2(words: list[bytes], repeats: int, level: int) -> None:
    data = b"".join(words) * (1 + repeats) + b"."
    checked(bz2.compress(data, level))
    if (data + data).find(data, 1) == len(data):  # no rotations are alike
        assert bzip2_file(data, level) == bz2.compress(data, level)


@given(st.binary(min_size=1, max_size=60), st.integers(1, 5))
def test_rotations_are_sorted(part: bytes, times: int) -> None:
    block = part * times
    rotations = sorted(block[i:] + block[:i] for i in range(len(block)))
    found = sort_rotations(np.frombuffer(block, np.uint8))
    assert found.last.tobytes() == bytes(rotation[-1] for rotation in rotations)
    assert (found.first, found.alike) == (rotations.index(block), rotations.count(block))


def by_the_document(data: bytes, told: Told) -> bytes:
    """A stream with blocks that libbzip2 would not make."""
    stream = b"BZh1" + blocks(data, told, OpenInDocument(1), goes_on=False)[0]
    assert bz2.decompress(stream) == data
    return stream


def own_codes(data: bytes, groups: int = 0) -> str:
    """Codes by which all symbols are as long, for data without runs."""
    last = sorted(data[i:] + data[:i] for i in range(len(data)))
    symbols = to_symbols(bytes(rotation[-1] for rotation in last), sorted(set(data)))
    size = len(set(data)) + 2
    lengths = [[max(1, (size - 1).bit_length())] * size, [size.bit_length() + 1] * size]
    for own in lengths:
        canonical(own)
    return written(lengths, [k % 2 for k in range(groups or (len(symbols) + 49) // 50)])


def test_blocks_of_other_writers() -> None:
    words = LEXICON[:400]
    for stream in (
        by_the_document(words, Told({0: 50, 2: 1}, {}, {})),
        by_the_document(b"abab" * 9, Told({}, {0: 3}, {})),
        by_the_document(words, Told({}, {}, {0: own_codes(words)})),
        by_the_document(words, Told({}, {}, {0: own_codes(words, 40)})),
        by_the_document(words, Told({0: 90}, {}, {1: own_codes(words[90:])})),
    ):
        assert checked(stream) != USUAL


def test_a_stream_in_portions() -> None:
    stream = bz2.compress(NOISE * 3, 1)
    open_there = open_here = OpenBlocks(1)
    rest, made, portions = stream[4:], b"", 0
    while True:
        found = describe(np.frombuffer(rest, np.uint8), open_there, MOST, wanted=120_000)
        assert found is not None
        goes_on = found.open is not None
        part, left = rebuild(found.data, open_here, found.recipe, goes_on=goes_on)
        made += part
        rest = rest[found.size :]
        portions += 1
        assert left == found.open
        if left is None:
            break
        open_there = open_here = left
    assert made == stream[4:]
    assert portions == 2


def test_blocks_that_are_not_there_yet() -> None:
    stream = bz2.compress(NOISE, 1)[:-30]
    with pytest.raises(UnfinishedError):
        described(stream)
    assert described(bz2.compress(NOISE + LEXICON, 1)[:-900], wanted=1).open is not None
    with pytest.raises(TooLongError):
        describe(np.frombuffer(bz2.compress(NOISE, 1)[4:], np.uint8), OpenBlocks(1), 120_000)


@pytest.mark.parametrize("place", [10, 13, 16, 18, 30, 60, 200, -1, -5])
def test_damaged_streams_are_none(place: int) -> None:
    stream = bytearray(bz2.compress(LEXICON))
    stream[place] ^= 4
    try:
        found = describe(np.frombuffer(stream, np.uint8)[4:], OpenBlocks(9), MOST)
    except UnfinishedError:
        return
    assert found is None


def content(made: list[Unpacked]) -> bytes:
    return b"".join(found.content for found in made)


def test_what_is_in_it_is_seen_through() -> None:
    picture = png_file(30, 20)
    archive = tar_file({"a.txt": LEXICON, "a.png": picture})
    data = b"head" + bz2.compress(archive) + b"between" + bz2.compress(LEXICON) + b"tail"
    made = content(stretches(data))
    assert picture not in made
    assert made.startswith(b"headBZh9a.txt\0")
    assert made.endswith(b"betweenBZh9" + LEXICON + b"tail")
    assert content(stretches(gzip_file(data))).endswith(made)


def test_damaged_files_stay_as_they_are() -> None:
    stream = bz2.compress(LEXICON)
    for data in (stream[:60], stream[:40] + b"x" + stream[41:], b"BZh91 and no more but this"):
        assert content(stretches(data)) == data


def test_whole_blocks_of_a_file_that_was_cut() -> None:
    stream = bz2.compress(NOISE, 1)
    made = stretches(stream[:-9])
    assert content(made).startswith(b"BZh1" + NOISE[:99_000])
    assert content(stretches(bz2.compress(LEXICON)[:-1])).startswith(b"BZh9" + LEXICON)


@pytest.mark.parametrize("chunk", [60_000, 300_000])
def test_long_streams(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(bzip2, "MOST_BYTES", 250_000)
    data = NOISE * 3 + LEXICON
    made = stretches(b"head" + bz2.compress(data, 1) + b"tail", piece=chunk, portion=1 << 15)
    assert content(made) == b"headBZh1" + data + b"tail"
    assert sum(1 for found in made if found.recipe) >= 2


REFUSED: dict[str, Callable[[], bytes]] = {
    "no level": lambda: write_numbers([0, 0, 4, 0, 0, 0]),
    "goes on from nothing": lambda: write_numbers([1, 4, 0, 0, 0]),
    "more data than there are": lambda: write_numbers([0, 9, 4, 1, 0, 5, 0, 0]),
    "a header for no block": lambda: write_numbers([0, 9, 4, 0, 0, 1, 1, 8, 0]),
    "a header that is none": lambda: write_numbers([0, 9, 4, 0, 0, 1, 0, 8, 0]),
    "more alike than there are": lambda: write_numbers([0, 9, 4, 0, 1, 0, 2, 0]),
    "too many exceptions": lambda: write_numbers([0, 9, 4, 1025]),
}


@pytest.mark.parametrize("why", REFUSED)
def test_recipes_that_do_not_fit(why: str) -> None:
    recipe = write_numbers([1, 1, 0, 20]) + REFUSED[why]()
    with pytest.raises(CorruptStreamError):
        repack(recipe, b"abcd")


def test_too_many_blocks_are_refused() -> None:
    sizes = write_numbers([1024, *[0, 1] * 1024, 0, 0])
    with pytest.raises(CorruptStreamError, match="too many blocks"):
        repack(write_numbers([1, 1, 0, 20, 0, 1, 1025]) + sizes, bytes(1025))


@given(st.binary(max_size=80), st.binary(max_size=30))
def test_any_recipe_makes_data_or_an_error(told: bytes, content: bytes) -> None:
    recipe = write_numbers([1, 1, 0, 20]) + told
    try:
        repack(recipe, content)
    except CorruptStreamError:
        return


@given(st.integers(0, 400), st.integers(0, 255))
def test_changed_bytes_are_data_or_an_error(place: int, byte: int) -> None:
    stream = bytearray(bz2.compress(LEXICON[:900]))
    stream[place % len(stream)] = byte
    stretches(bytes(stream))
