"""Frames that are parts of a whole: the same bytes however they are made, and decoded in order."""

from __future__ import annotations

import gc
import io
import sys
import threading
import time
import tracemalloc
from concurrent.futures import Future
from functools import partial
from typing import NoReturn
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from glnzip.format.block_type import TEXT, BlockType
from glnzip.format.container import (
    BlockHeader,
    FrameEnd,
    FrameHeader,
    Place,
    masked,
    write_block_header,
    write_end_tag,
    write_frame_header,
)
from glnzip.format.levels import MODEL_GENERATION
from glnzip.format.walk import frame_starts
from glnzip.streams.one_or_several import decompressed_pieces, new_compressor
from tests.checks import check_rejected, pieces_of, sample, with_other_head
from tests.conftest import NEW_CODEC, ZlibCodec

pytestmark = pytest.mark.usefixtures("small_blocks")

LENGTHS = (0, 1, 99, 100, 101, 200, 1000)


def frames_of(stream: bytes) -> list[bytes]:
    """The frames of a stream, apart."""
    frames = []
    for info in glnzip.frame_info(stream):
        frames.append(stream[: info.compressed_bytes])
        stream = stream[info.compressed_bytes :]
    return frames


def part(name: bytes, offset: int, *blocks: bytes, last: bool = True) -> bytes:
    """A sound frame that says anything of its place."""
    place = Place(name, offset)
    frame = write_frame_header(FrameHeader(MODEL_GENERATION, 1, place=place))
    for data in blocks:
        frame += write_block_header(BlockHeader(True, BlockType(TEXT), len(data), len(data)))
        frame += masked(data, place)
    frame += write_end_tag(FrameEnd(last))
    return frame + crc32(frame).to_bytes(4, "little")


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


DATA = sample(500)
FRAMES = [part(b"name", at, DATA[at : at + 100], last=at == 400) for at in range(0, 500, 100)]


def short_part(at: int, *, last: bool) -> bytes:
    """A part with half of the data, in so many blocks that it is as long."""
    blocks = [DATA[at + i : at + i + 2] for i in range(0, 48, 2)]
    blocks += [DATA[at + 48 : at + 49], DATA[at + 49 : at + 50]]
    return part(b"name", at, *blocks, last=last)


class Changing(io.BytesIO):
    """A file that was changed when it is read again."""

    def __init__(self, before: bytes, then: bytes) -> None:
        super().__init__(before)
        self._then = then

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self.getbuffer()  # it is still there
        super().seek(0)
        self.truncate()
        self.write(self._then)
        return super().seek(offset, whence)


@pytest.mark.parametrize(
    ("change", "data"),
    [
        (FRAMES[:3], DATA[:300]),
        ([*FRAMES[:1], FRAMES[2], FRAMES[1], *FRAMES[3:]], DATA[:100]),
        ([*FRAMES[:2], short_part(200, last=False), *FRAMES[3:]], DATA[:250]),
        ([*FRAMES[:4], short_part(400, last=True)], DATA[:450]),
        ([*FRAMES, part(b"more", 0, b"more")], DATA + b"more"),
        ([*FRAMES[:4], part(b"name", 400, DATA[400:], bytes(100))], DATA[:400]),
        ([*FRAMES, glnzip.__doc__.encode()], DATA),
        ([], b""),
    ],
    ids=["cut", "swapped", "less data", "less at the end", "appended", "longer", "junk", "empty"],
)
def test_a_file_that_changes_is_not_cut_short(change, data):
    """The parts were looked at before they are read: what comes out ends in an error, in order."""
    assert len(short_part(400, last=True)) == len(FRAMES[4])
    file = Changing(b"".join(FRAMES), b"".join(change))
    pieces: list[bytes] = []
    with pytest.raises(glnzip.CorruptStreamError, match="changed while it was read"):
        pieces.extend(decompressed_pieces(file, threads=2))
    assert b"".join(pieces) == data


def test_a_file_that_loses_one_of_its_wholes_is_not_cut_short():
    file = Changing(b"".join(FRAMES * 2), b"".join(FRAMES))
    with pytest.raises(glnzip.CorruptStreamError, match="changed"):
        list(decompressed_pieces(file, threads=2))


def test_a_file_that_changes_is_held_to_what_was_looked_at():
    """More is neither kept in memory nor given to a larger model than was reckoned with."""
    large = part(b"name", 0, DATA, DATA)
    other_level, whole = (glnzip.compress(b"x", level=9, block_size=size) for size in (1, None))
    for change in (large, other_level, whole):
        file = Changing(b"".join(FRAMES), change)
        with pytest.raises(glnzip.CorruptStreamError, match="changed"):
            next(decompressed_pieces(file, threads=2))


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_parts():
    count = 3000
    stream = b"".join(part(b"name", at, b"a", last=at == count - 1) for at in range(count))
    tracemalloc.start()
    assert sum(map(len, decompressed_pieces(io.BytesIO(stream), threads=2))) == count
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 500_000


def test_no_place_is_kept_of_frames_without_data():
    """To seek among a million."""
    stream = b"".join([glnzip.compress(b"")] * 50 + FRAMES + [glnzip.compress(b"")] * 50)
    assert [start.data for start in frame_starts(io.BytesIO(stream))] == [*range(0, 600, 100)]
    with glnzip.open(io.BytesIO(stream)) as file:
        assert file.seek(450) == 450
        assert file.read() == DATA[450:]


def test_one_thread_needs_nothing_that_several_need(monkeypatch):
    monkeypatch.setitem(sys.modules, "glnzip.streams.parallel", None)
    stream = glnzip.compress(DATA, block_size=100)
    assert glnzip.decompress(stream) == DATA
    for alone in (
        partial(glnzip.compress, DATA, block_size=100),
        partial(glnzip.decompress, stream),
    ):
        with pytest.raises(ImportError):
            alone(threads=2)


def test_large_parts_are_decoded_one_after_the_other(monkeypatch):
    monkeypatch.setattr("glnzip.streams.parallel.MAX_PART", 150)
    monkeypatch.setattr("glnzip.streams.workers.ThreadPoolExecutor", None)
    stream = glnzip.compress(sample(600), block_size=200)
    assert glnzip.decompress(stream, threads=2) == sample(600)


def test_threads_fail_as_one_does():
    """What they cannot decode, they do not begin with."""
    stream = with_other_head(glnzip.compress(sample(600), block_size=200), level=15)
    with pytest.raises(glnzip.UnsupportedStreamError, match="level 15"):
        glnzip.decompress(stream, threads=2, memory_limit=1 << 33)


def test_threads_do_not_begin_with_too_much(monkeypatch):
    monkeypatch.setattr("glnzip.streams.workers.ThreadPoolExecutor", None)
    stream = glnzip.compress(sample(600), block_size=200)
    with pytest.raises(glnzip.OutputLimitError):
        glnzip.decompress(stream, threads=2, max_output=599)


class SlowCodec(ZlibCodec):
    """A model that takes ten seconds for anything, unless it is stopped."""

    begun = 0

    def encode(self, block, block_type, progress=None):
        type(self).begun += 1
        for _ in range(1000):
            time.sleep(0.01)
            if progress is not None:
                progress(0)
        return super().encode(block, block_type)

    def decode(self, most):
        type(self).begun += 1
        time.sleep(0.01)
        return super().decode(1)


@pytest.fixture
def slow_model(monkeypatch):
    """`SlowCodec` in the place of the model, once this is called."""

    def use() -> None:
        monkeypatch.setattr(SlowCodec, "begun", 0)
        monkeypatch.setattr("glnzip.streams.one_or_several._PIECE_BYTES", 1)
        monkeypatch.setattr(NEW_CODEC, SlowCodec)

    return use


def check_no_thread_works_on() -> None:
    gc.collect()
    for thread in threading.enumerate():
        if thread.name.startswith("glnzip"):
            thread.join(5)
            assert not thread.is_alive()


def test_threads_end_with_a_compressor_that_is_dropped(slow_model):
    slow_model()
    compressor = new_compressor(block_size=100, threads=2)
    compressor.compress(sample(450))
    del compressor
    check_no_thread_works_on()
    assert SlowCodec.begun <= 2


def test_threads_end_with_an_error(slow_model, monkeypatch):
    """Ctrl-C, while a part is waited for."""

    def interrupted(future: Future[bytes]) -> bytes:
        raise KeyboardInterrupt

    slow_model()
    monkeypatch.setattr(Future, "result", interrupted)
    compressor = new_compressor(block_size=100, threads=2)
    with pytest.raises(KeyboardInterrupt):
        compressor.compress(sample(1000))
    check_no_thread_works_on()
    assert SlowCodec.begun <= 2
    with pytest.raises(glnzip.GlnzipError, match="earlier call"):
        compressor.flush()


def test_threads_end_when_nobody_wants_the_rest(slow_model):
    stream = part(b"name", 0, b"first") + glnzip.compress(bytes(3000), block_size=1000)
    slow_model()
    pieces = decompressed_pieces(io.BytesIO(stream), threads=2)
    assert next(pieces) == b"first"
    pieces.close()
    check_no_thread_works_on()
    assert SlowCodec.begun < 500


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

    monkeypatch.setattr(NEW_CODEC, fail)
    compressor = new_compressor(block_size=100, threads=3)
    with pytest.raises(glnzip.GlnzipError, match="no model"):
        compressor.compress(sample(1000)) + compressor.flush()
    with pytest.raises(glnzip.GlnzipError, match="earlier call"):
        compressor.flush()


def test_a_process_that_may_have_no_more_threads(monkeypatch):
    def refuse(*_: object) -> NoReturn:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(glnzip.GlnzipError, match="new thread"):
        glnzip.compress(sample(1000), block_size=100, threads=3)


@pytest.mark.parametrize(("block_size", "threads"), [(0, 1), (-5, 1), (10, 0), (10, -1)])
def test_sizes_and_numbers_out_of_range(block_size, threads):
    with pytest.raises(ValueError, match="at least 1"):
        glnzip.compress(b"", block_size=block_size, threads=threads)
    if threads == 1:
        with pytest.raises(ValueError, match="at least 1"):
            glnzip.open(io.BytesIO(), "wb", block_size=block_size)
