"""Packed data through the whole of glnzip: unpacked in the frame, and back bit for bit."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from glnzip.errors import CorruptStreamError
from glnzip.format.block_type import TEXT, BlockType
from glnzip.format.container import (
    BlockHeader,
    FrameEnd,
    FrameHeader,
    StretchHeader,
    write_block_header,
    write_end_tag,
    write_frame_header,
    write_stretch_header,
)
from glnzip.format.levels import MODEL_GENERATION
from glnzip.frames.share import share
from tests.checks import pieces_of
from tests.fixed_data import LEXICON
from tests.packed import all_kinds, gzip_file, ours
from tests.raw_files import all_raw

KINDS = all_kinds(LEXICON, ours)
RAW = all_raw()
ALL = b"".join(KINDS.values())

pytestmark = pytest.mark.usefixtures("quick_model")


def in_pieces(data: bytes, sizes: list[int]) -> bytes:
    compressor = glnzip.Compressor()
    return b"".join(map(compressor.compress, pieces_of(data, sizes))) + compressor.flush()


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_comes_back(kind):
    frame = glnzip.compress(KINDS[kind])
    assert glnzip.decompress(frame) == KINDS[kind]
    (info,) = glnzip.frame_info(frame)
    assert info.original_bytes == len(KINDS[kind])
    assert (info.unpacked_bytes != info.original_bytes) == (kind != "jpeg")


@pytest.mark.parametrize("kind", RAW)
def test_what_is_not_packed_comes_back(kind):
    """Each kind of data has blocks of its own, wherever it is."""
    data = LEXICON[:700] + RAW[kind] + LEXICON[700:]
    frame = glnzip.compress(data)
    assert glnzip.decompress(frame) == data
    (info,) = glnzip.frame_info(frame)
    assert info.blocks > 2
    assert in_pieces(data, [1000, 1]) == frame


@pytest.mark.parametrize("sizes", [[1], [7, 300], [64], [1000, 3, 5000]])
def test_pieces_leave_no_trace(monkeypatch, sizes):
    """Blocks of 64 bytes: every file is cut, and waits for its end."""
    monkeypatch.setattr("glnzip.streams.compressor.BLOCK_BYTES", 64)
    whole = in_pieces(ALL, [len(ALL)])
    assert in_pieces(ALL, sizes) == whole
    assert sum(info.unpacked_bytes for info in glnzip.frame_info(whole)) > len(ALL) + 4000


@pytest.mark.parametrize("most", [1, 100, 5000])
def test_no_more_is_handed_out_than_asked_for(most):
    decompressor = glnzip.Decompressor()
    frame = glnzip.compress(ALL)
    data = b""
    for piece in pieces_of(frame, [50]):
        data += decompressor.decompress(piece, most)
        while not decompressor.needs_input and not decompressor.eof:
            more = decompressor.decompress(b"", most)
            assert len(more) <= most
            data += more
    assert data == ALL


@pytest.mark.parametrize("block_size", [100, 1000, 4000])
def test_a_part_has_all_that_its_data_need(block_size):
    stream = glnzip.compress(ALL, block_size=block_size)
    assert glnzip.decompress(stream) == ALL
    at = 0
    for info in glnzip.frame_info(stream):
        part = stream[at : at + info.compressed_bytes]
        decompressor = glnzip.Decompressor()
        assert decompressor.decompress(part) == ALL[info.offset or 0 :][: info.original_bytes]
        at += info.compressed_bytes
    assert glnzip.compress(ALL, block_size=block_size, threads=2) == stream


def test_end_block_sends_on_what_was_waiting():
    compressor, decompressor = glnzip.Compressor(), glnzip.Decompressor()
    packed = KINDS["gzip"]
    received = b""
    for piece in pieces_of(packed, [100]):
        received += decompressor.decompress(compressor.compress(piece) + compressor.end_block())
        assert received == packed[: len(received)]
    assert received == packed


def test_seeking():
    with glnzip.open(io.BytesIO(glnzip.compress(ALL, block_size=2000))) as file:
        for place in (5000, 100, len(ALL) - 5, 3000):
            file.seek(place)
            assert file.read(300) == ALL[place : place + 300]


def by_compressor(data, **options):
    compressor = glnzip.Compressor(**options)
    return compressor.compress(data) + compressor.flush()


def by_file(data, **options):
    compressed = io.BytesIO()
    with glnzip.open(compressed, "w", **options) as file:
        file.write(data)
    return compressed.getvalue()


@pytest.mark.parametrize("made", [by_compressor, by_file, glnzip.compress])
def test_without_unpacking(made):
    frame = made(ALL, unpack=False)
    (info,) = glnzip.frame_info(frame)
    assert (info.blocks, info.unpacked_bytes) == (1, len(ALL))
    assert glnzip.decompress(frame) == ALL
    (info,) = glnzip.frame_info(made(ALL))
    assert info.unpacked_bytes > len(ALL)


def test_parts_without_unpacking():
    stream = glnzip.compress(ALL, block_size=4000, unpack=False)
    assert all(info.unpacked_bytes == info.original_bytes for info in glnzip.frame_info(stream))
    assert glnzip.compress(ALL, block_size=4000, threads=2, unpack=False) == stream


@pytest.mark.parametrize("block_size", [None, 100_000])
def test_progress_counts_packed_bytes_while_those_in_them_are_coded(block_size):
    data = KINDS["nested"] + gzip_file(bytes(300_000)) + LEXICON
    told: list[int] = []
    stream = glnzip.compress(data, block_size=block_size, threads=2, progress=told.append)
    assert sum(told) == len(data)
    told.clear()
    assert glnzip.decompress(stream, threads=2, progress=told.append) == data
    assert sum(told) == len(data)
    assert len(told) > 3


@given(st.integers(1, 1000), st.lists(st.integers(0, 1000), min_size=1))
def test_shares(whole, counts):
    told: list[int] = []
    parts = max(1, sum(counts))
    report = share(told.append, whole, parts)
    assert report is not None
    for done, count in enumerate(counts, 1):
        report(count)
        assert sum(told) == whole * sum(counts[:done]) // parts
    assert min(told) >= 0


def test_no_prior_has_them():
    prior = glnzip.Prior(glnzip.compress(KINDS["gzip"], prior=None))
    with pytest.raises(glnzip.BadPriorError, match="unpacked"):
        _ = prior.id


HEADER = write_frame_header(FrameHeader(MODEL_GENERATION, 1))
BLOCK = write_block_header(BlockHeader(True, BlockType(TEXT), 3, 3)) + b"abc"
END = write_end_tag(FrameEnd(last=True))


def stretch(length: int, recipe: int, content: int) -> bytes:
    return write_stretch_header(StretchHeader(length, recipe, content))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (stretch(5, 1, 5) + BLOCK + END, "a block is missing"),
        (stretch(5, 1, 1) + BLOCK + END, "longer than what it belongs to"),
        (stretch(5, 1, 2) + stretch(5, 1, 2) + BLOCK + END, "a block is missing"),
        (stretch(5, 1, 2) + BLOCK + END, "a recipe|number in a recipe"),
    ],
    ids=["missing", "longer", "within", "recipe"],
)
def test_stretches_that_nobody_writes(body, reason):
    stream = HEADER + body + bytes(4)
    with pytest.raises(CorruptStreamError, match=reason):
        glnzip.decompress(stream)
    if "recipe" not in reason:
        with pytest.raises(CorruptStreamError, match=reason):
            list(glnzip.frame_info(stream))


def test_a_stretch_of_another_length():
    frame = bytearray(glnzip.compress(gzip_file(LEXICON, ours), prior=None))
    assert frame[7] == 3
    frame[8] ^= 1
    with pytest.raises(CorruptStreamError, match="another length"):
        glnzip.decompress(bytes(frame))


@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(1, 255)), min_size=1, max_size=3))
def test_damage_is_found(damages):
    frame = bytearray(glnzip.compress(KINDS["nested"], prior=None))
    for place, change in damages:
        frame[place % len(frame)] ^= change
    with suppress(glnzip.GlnzipError):
        assert glnzip.decompress(bytes(frame)) == KINDS["nested"]  # two damages may undo each other
