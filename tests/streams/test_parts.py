"""Frames that are parts of a whole: the same bytes however they are made, and decoded in order."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from glnzip.streams.parallel import decompressed_pieces, new_compressor
from tests.checks import check_rejected, pieces_of, sample, with_other_head

pytestmark = pytest.mark.usefixtures("small_blocks")

LENGTHS = (0, 1, 99, 100, 101, 200, 1000)


def frames_of(stream: bytes) -> list[bytes]:
    """The frames of a stream, apart."""
    frames = []
    for info in glnzip.frame_info(stream):
        frames.append(stream[: info.compressed_bytes])
        stream = stream[info.compressed_bytes :]
    return frames


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_nothing(length, threads):
    data = sample(length)
    stream = glnzip.compress(data, block_size=100)
    assert glnzip.decompress(stream) == data
    assert glnzip.compress(data, block_size=100, threads=threads) == stream


@given(
    st.binary(max_size=600),
    st.integers(1, 300),
    st.lists(st.integers(1, 400), min_size=1),
    st.integers(1, 3),
)
def test_pieces_change_nothing(data, block_size, sizes, threads):
    compressor = new_compressor(block_size=block_size, threads=threads)
    stream = b"".join(map(compressor.compress, pieces_of(data, sizes))) + compressor.flush()
    assert stream == glnzip.compress(data, block_size=block_size)
    assert glnzip.decompress(stream) == data


@pytest.mark.parametrize("threads", [2, 5])
def test_parts_are_decoded_by_threads(threads):
    data = sample(1000)
    parts, plain = glnzip.compress(data, block_size=90), glnzip.compress(data)
    for stream, original in ((parts, data), (parts * 2, data * 2), (parts + plain, data * 2)):
        assert glnzip.decompress(stream, threads=threads) == original
    assert glnzip.decompress(glnzip.compress(b"", block_size=5), threads=threads) == b""
    with pytest.raises(glnzip.OutputLimitError):
        glnzip.decompress(parts, threads=threads, max_output=500)
    with pytest.raises(glnzip.MemoryLimitError):
        glnzip.decompress(parts, threads=threads, memory_limit=1000)


def test_threads_decode_all_that_comes_before_damage():
    stream = bytearray(glnzip.compress(sample(1000), block_size=100))
    stream[sum(info.compressed_bytes for info in list(glnzip.frame_info(stream))[:6]) - 1] ^= 1
    pieces: list[bytes] = []
    with pytest.raises(glnzip.CorruptStreamError, match="check"):
        pieces.extend(decompressed_pieces(io.BytesIO(stream), threads=3))
    assert b"".join(pieces) == sample(1000)[:500]


def test_large_parts_are_decoded_one_after_the_other(monkeypatch):
    monkeypatch.setattr("glnzip.streams.parallel.MAX_PART", 150)
    monkeypatch.setattr("glnzip.streams.parallel.ThreadPoolExecutor", None)
    stream = glnzip.compress(sample(600), block_size=200)
    assert glnzip.decompress(stream, threads=2) == sample(600)


def test_threads_fail_as_one_does():
    """What they cannot decode, they do not begin with."""
    stream = with_other_head(glnzip.compress(sample(600), block_size=200), level=15)
    with pytest.raises(glnzip.UnsupportedStreamError, match="level 15"):
        glnzip.decompress(stream, threads=2, memory_limit=1 << 33)


def test_threads_do_not_begin_with_too_much(monkeypatch):
    monkeypatch.setattr("glnzip.streams.parallel.ThreadPoolExecutor", None)
    stream = glnzip.compress(sample(600), block_size=200)
    with pytest.raises(glnzip.OutputLimitError):
        glnzip.decompress(stream, threads=2, max_output=599)


def test_each_part_says_where_it_belongs_and_is_decoded_alone():
    data = sample(1050)
    infos = list(glnzip.frame_info(glnzip.compress(data, block_size=100)))
    assert [info.offset for info in infos] == list(range(0, 1050, 100))
    assert [info.last for info in infos] == [False] * 10 + [True]
    assert len({info.whole for info in infos}) == 1
    for info, frame in zip(infos, frames_of(glnzip.compress(data, block_size=100)), strict=True):
        decompressor = glnzip.Decompressor()
        assert info.offset is not None
        assert decompressor.decompress(frame) == data[info.offset :][:100]
        assert decompressor.eof
        assert decompressor.last == info.last
        assert decompressor.place is not None
        assert decompressor.place.offset == info.offset


def test_a_whole_in_one_frame_has_no_place():
    (info,) = glnzip.frame_info(glnzip.compress(sample(300)))
    assert (info.whole, info.offset, info.last) == (None, None, True)


def test_other_data_level_or_block_size_have_other_names():
    streams = [
        glnzip.compress(b"some data", block_size=4),
        glnzip.compress(b"more data", block_size=4),
        glnzip.compress(b"some data", block_size=5),
        glnzip.compress(b"some data", block_size=4, level=1),
        glnzip.compress(b"some data", block_size=4, prior=None),
    ]
    names = [next(glnzip.frame_info(stream)).whole for stream in streams]
    assert len(set(names)) == len(streams)


def test_joined_streams_of_parts_and_others():
    parts, plain = glnzip.compress(b"abcdef", block_size=2), glnzip.compress(b"xyz")
    assert glnzip.decompress(parts + parts + plain + parts) == b"abcdefabcdefxyzabcdef"


def test_parts_that_are_missing_or_moved_are_an_error():
    frames = frames_of(glnzip.compress(sample(500), block_size=100))
    other = glnzip.compress(b"xyz")
    for wrong in (
        frames[1:],
        frames[:2] + frames[3:],
        [frames[1], frames[0], *frames[2:]],
        [*frames[:2], other, *frames[2:]],
        [*frames[:2], frames[1], *frames[2:]],
    ):
        stream = b"".join(wrong)
        with pytest.raises(glnzip.CorruptStreamError, match="order"):
            glnzip.decompress(stream)
        with pytest.raises(glnzip.CorruptStreamError, match="order"):
            list(glnzip.frame_info(stream))
    with pytest.raises(glnzip.TruncatedStreamError):
        glnzip.decompress(b"".join(frames[:-1]))
    with pytest.raises(glnzip.TruncatedStreamError):
        list(glnzip.frame_info(b"".join(frames[:-1])))


def test_every_flipped_bit_of_a_part():
    stream = glnzip.compress(sample(150), block_size=130)
    for bit in range(8 * len(stream)):
        damaged = bytearray(stream)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(glnzip.GlnzipError):
            glnzip.decompress(bytes(damaged))
    check_rejected(stream[:-1], glnzip.TruncatedStreamError)


def test_end_block_cuts_blocks_within_parts():
    compressor = glnzip.Compressor(block_size=10)
    stream = compressor.compress(b"abc") + compressor.end_block()
    head = glnzip.Decompressor()
    assert head.decompress(stream) == b"abc"
    stream += compressor.compress(b"defghijklm") + compressor.end_block() + compressor.flush()
    assert glnzip.decompress(stream) == b"abcdefghijklm"
    assert [info.original_bytes for info in glnzip.frame_info(stream)] == [10, 3]


def test_files_of_parts():
    packed = io.BytesIO()
    with glnzip.open(packed, "wb", block_size=100) as file:
        file.write(sample(350))
    assert packed.getvalue() == glnzip.compress(sample(350), block_size=100)
    packed.seek(0)
    with glnzip.open(packed) as file:
        assert file.seek(120) == 120
        assert file.read() == sample(350)[120:]


def test_progress_and_errors_of_threads(monkeypatch):
    shown: list[int] = []
    compressor = new_compressor(block_size=100, threads=3, progress=shown.append)
    stream = compressor.compress(sample(1000)) + compressor.flush()
    assert sum(shown) == 1000
    assert glnzip.decompress(stream) == sample(1000)
    with pytest.raises(ValueError, match="flushed"):
        compressor.compress(b"more")

    def fail(*arguments: object) -> None:
        raise glnzip.GlnzipError("no model")

    monkeypatch.setattr("glnzip.streams.frame_writer.allocate_codec", fail)
    compressor = new_compressor(block_size=100, threads=3)
    with pytest.raises(glnzip.GlnzipError, match="no model"):
        compressor.compress(sample(1000)) + compressor.flush()
    with pytest.raises(glnzip.GlnzipError, match="earlier call"):
        compressor.flush()


@pytest.mark.parametrize(("block_size", "threads"), [(0, 1), (-5, 1), (10, 0), (10, -1)])
def test_sizes_and_numbers_out_of_range(block_size, threads):
    with pytest.raises(ValueError, match="at least 1"):
        glnzip.compress(b"", block_size=block_size, threads=threads)
    if threads == 1:
        with pytest.raises(ValueError, match="at least 1"):
            glnzip.open(io.BytesIO(), "wb", block_size=block_size)
