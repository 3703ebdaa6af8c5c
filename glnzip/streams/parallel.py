"""Several parts of a whole at a time, each by a thread and a model of its own.

The parts of a whole know nothing of each other but the name of the whole, which its first block
decides; so they can be made, and decoded, in any order. The results are those of `Compressor` and
`FrameReader`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from glnzip.errors import CorruptStreamError, GlnzipError
from glnzip.format.container import BLOCK_BYTES, Place
from glnzip.format.levels import check_level
from glnzip.format.walk import CHANGED, FrameInfo, frame_info
from glnzip.priors.prior import Prior
from glnzip.streams.calls import CallGuard
from glnzip.streams.decompressor import Decompressor
from glnzip.streams.new_frame import check_block_size, new_frame, whole_name
from glnzip.streams.workers import Workers, affordable
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from glnzip.frames.either import EitherFrame
    from glnzip.frames.writer import FrameWriter

MAX_PART = 1 << 26
"""Bytes of data in a part, at most, for several to be decoded at a time: they wait in memory."""


class ParallelCompressor:
    """As a `Compressor` with a `block_size`, but works on several parts at a time.

    It holds the data and the frames of about twice as many parts as it has threads.
    """

    def __init__(
        self,
        level: int,
        prior: Prior | None,
        block_size: int,
        threads: int,
        progress: Callable[[int], object] | None = None,
        *,
        unpack: bool = True,
        or_none: bool = False,
    ) -> None:
        self._block_size = check_block_size(block_size)
        self._name = partial(whole_name, check_level(level), prior, block_size)
        self._guard = CallGuard()
        self._pending = bytearray()
        self._place: Place | None = None  # of the part that is pending
        self._threads = threads
        self._workers = Workers(threads)
        watched = self._workers.watched(progress)
        self._make = partial(
            _frame,
            partial(new_frame, level, prior, watched, unpacks=unpack, or_none=or_none),
        )
        self._frames: deque[Future[bytes]] = deque()

    def compress(self, data: ReadableBuffer) -> bytes:
        """Take some more data, and return what of the stream is ready, often nothing."""
        view = byte_view(data)
        output = bytearray()
        with self._guard, self._workers.stopped_by_errors():
            while view:
                if len(self._pending) == self._block_size:
                    self._begin_frame(last=False)
                    output += self._take_frames(2 * self._threads)
                taken = view[: self._block_size - len(self._pending)]
                self._pending += taken
                view = view[len(taken) :]
        return bytes(output)

    def flush(self) -> bytes:
        """End the stream and return the rest of it; the compressor cannot be used afterwards."""
        with self._guard, self._workers.stopped_by_errors():
            self._begin_frame(last=True)
            output = self._take_frames(0)
            self._workers.stop()
            self._guard.refuse(ValueError, "the compressor has been flushed")
            return output

    def _begin_frame(self, *, last: bool) -> None:
        """Have the pending data made into a frame."""
        data = bytes(self._pending)
        self._pending.clear()
        place = self._place or Place(self._name(data[:BLOCK_BYTES]), 0)
        self._place = place._replace(offset=place.offset + len(data))
        self._frames.append(self._workers.submit(self._make, data, place, last))

    def _take_frames(self, left: int) -> bytes:
        """Frames that are made, in order; waits for some if more than `left` are in the making."""
        output = bytearray()
        while self._frames and (len(self._frames) > left or self._frames[0].done()):
            output += self._frames.popleft().result()
        return bytes(output)


def _frame(
    begin: Callable[[Place], FrameWriter | EitherFrame], data: bytes, place: Place, last: bool
) -> bytes:
    frame = begin(place)
    for start in range(0, len(data), BLOCK_BYTES):
        piece = data[start : start + BLOCK_BYTES]
        frame.write(piece, final=len(piece) < BLOCK_BYTES)
    frame.end(last=last)
    return frame.take()


def several_at_a_time(
    file: BinaryIO,
    new_decompressor: Callable[..., Decompressor],
    *,
    max_output: int | None,
    memory_limit: int | None,
    progress: Callable[[int], object] | None,
    threads: int,
) -> Iterator[bytes] | None:
    """The data of all frames of a file, in pieces; None where they cannot be decoded so.

    That takes a file that can seek and has several parts, none of them large, and all that this
    build can decode. A stream that is damaged or too long is not decoded so either: the data before
    its end are to be had.
    """
    ahead = _parts_ahead(file, max_output)
    if ahead is None:
        return None
    for level in ahead.levels:
        threads = affordable(threads, memory_limit, level)
    return _pieces(file, ahead, new_decompressor, progress, threads)


class _Ahead(NamedTuple):
    """What must be known of all frames before several are decoded at a time."""

    levels: set[int]
    longest: int
    """The most compressed bytes of a frame."""
    fingerprint: int
    """Of all that the headers say, and of the checks."""


def _parts_ahead(file: BinaryIO, max_output: int | None) -> _Ahead | None:
    """Look at the frames that follow, if several can be decoded at a time; moves nothing."""
    if not file.seekable():
        return None
    here = file.tell()
    levels: set[int] = set()
    count = length = longest = fingerprint = 0
    try:
        for frame in frame_info(file):
            count += 1
            length += frame.original_bytes
            if not _fits(frame) or (max_output is not None and length > max_output):
                return None
            levels.add(frame.level)
            longest = max(longest, frame.compressed_bytes)
            fingerprint = hash((fingerprint, frame))
    except GlnzipError:
        return None
    finally:
        file.seek(here)
    return _Ahead(levels, longest, fingerprint) if count > 1 else None


def _fits(frame: FrameInfo) -> bool:
    """Whether it is a part, not a large one, that this build can decode."""
    return (
        frame.offset is not None
        and frame.original_bytes <= MAX_PART
        and frame.memory_bytes is not None
    )


def _pieces(
    file: BinaryIO,
    ahead: _Ahead,
    new_decompressor: Callable[..., Decompressor],
    progress: Callable[[int], object] | None,
    threads: int,
) -> Iterator[bytes]:
    workers = Workers(threads)
    decode = partial(_decoded, partial(new_decompressor, progress=workers.watched(progress)))
    pending: deque[Future[bytes]] = deque()
    try:
        for future in _submitted(workers, decode, _frames_again(file, ahead)):
            pending.append(future)
            if len(pending) > threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        workers.stop()


def _submitted(
    workers: Workers, decode: Callable[[bytes], bytes], frames: Iterator[bytes]
) -> Iterator[Future[bytes]]:
    """Give frames to the workers as results are asked for; an error has its turn among them."""
    try:
        for frame in frames:
            yield workers.submit(decode, frame)
    except (GlnzipError, OSError) as error:
        failed: Future[bytes] = Future()
        failed.set_exception(error)
        yield failed


def _frames_again(file: BinaryIO, ahead: _Ahead) -> Iterator[bytes]:
    """The frames that were looked at. Their headers are read again: nothing is kept of each."""
    recorder = _Recorder(file, ahead.longest)
    fingerprint = 0
    try:
        for frame in frame_info(cast("BinaryIO", recorder)):
            if not _fits(frame) or frame.level not in ahead.levels:
                raise CorruptStreamError(CHANGED)
            fingerprint = hash((fingerprint, frame))
            yield recorder.take()
    except GlnzipError as error:  # there was none before
        raise CorruptStreamError(CHANGED) from error
    if fingerprint != ahead.fingerprint:
        raise CorruptStreamError(CHANGED)


class _Recorder:
    """A file whose bytes are kept as they are read, up to so many."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file = file
        self._most = most
        self._read = bytearray()

    def read(self, count: int) -> bytes:
        data = self._file.read(count)
        self._read += data
        if len(self._read) > self._most:
            raise CorruptStreamError(CHANGED)
        return data

    def take(self) -> bytes:
        """What was read since the last call."""
        taken = bytes(self._read)
        self._read.clear()
        return taken


def _decoded(new_decompressor: Callable[[], Decompressor], packed: bytes) -> bytes:
    return new_decompressor().decompress(packed)  # all of it: the frame is known to have an end
