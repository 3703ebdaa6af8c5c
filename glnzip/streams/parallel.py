"""Several parts of a whole at a time, each by a worker with a model of its own.

The parts of a whole know nothing of each other but the name of the whole, which its first block
decides; so they can be made, and decoded, in any order. The results are those of `Compressor` and
`FrameReader`. Who works on them, threads or other machines, is the business of `workers`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from glnzip.errors import CorruptStreamError, GlnzipError
from glnzip.format.container import BLOCK_BYTES, Place
from glnzip.format.levels import check_level, model_bytes
from glnzip.format.walk import CHANGED, FrameInfo, frame_info
from glnzip.priors.prior import Prior
from glnzip.streams.calls import CallGuard
from glnzip.streams.decompressor import Decompressor
from glnzip.streams.new_frame import check_block_size, new_frame, whole_name
from glnzip.streams.workers import Progress, Result, Threads, Workers, affordable
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

MAX_PART = 1 << 26
"""Bytes of data in a part, at most, for several to be decoded at a time: they wait in memory."""


class ParallelCompressor:
    """As a `Compressor` with a `block_size`, but works on several parts at a time.

    It holds the data and the frames of about twice as many parts as there are workers, and stops
    these at its end.
    """

    def __init__(
        self,
        level: int,
        prior: Prior | None,
        block_size: int,
        workers: Workers,
        progress: Progress | None = None,
        *,
        unpack: bool = True,
        or_none: bool = False,
    ) -> None:
        self._block_size = check_block_size(block_size)
        self._name = partial(whole_name, check_level(level), prior, block_size)
        self._guard = CallGuard()
        self._pending = bytearray()
        self._place: Place | None = None  # of the part that is pending
        self._workers = workers
        workers.tell(progress)
        self._submit = partial(
            workers.submit,
            frame_of,
            level,
            prior,
            unpack,
            or_none,
            models=(1 + or_none) * model_bytes(level),
        )
        self._frames: deque[Result] = deque()

    def compress(self, data: ReadableBuffer) -> bytes:
        """Take some more data, and return what of the stream is ready, often nothing."""
        view = byte_view(data)
        output = bytearray()
        with self._guard, self._workers.stopped_by_errors():
            while view:
                if len(self._pending) == self._block_size:
                    self._begin_frame(last=False)
                    output += self._take_frames(2 * self._workers.count)
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
        self._frames.append(self._submit(place, last, data))

    def _take_frames(self, left: int) -> bytes:
        """Frames that are made, in order; waits for some if more than `left` are in the making."""
        output = bytearray()
        while self._frames and (len(self._frames) > left or self._frames[0].done()):
            output += self._frames.popleft().result()
        return bytes(output)


def frame_of(
    level: int,
    prior: Prior | None,
    unpacks: bool,
    or_none: bool,
    place: Place,
    last: bool,
    data: bytes,
    *,
    progress: Progress,
) -> bytes:
    """The whole frame of a part."""
    frame = new_frame(level, prior, progress, place, unpacks=unpacks, or_none=or_none)
    for start in range(0, len(data), BLOCK_BYTES):
        piece = data[start : start + BLOCK_BYTES]
        frame.write(piece, final=len(piece) < BLOCK_BYTES)
    frame.end(last=last)
    return frame.take()


def several_at_a_time(
    file: BinaryIO,
    *,
    prior: Prior | None,
    max_output: int | None,
    memory_limit: int | None,
    only_prepared: bool,
    progress: Progress | None,
    threads: int,
    workers: Workers | None = None,
) -> Iterator[bytes] | None:
    """The data of all frames of a file, in pieces; None where they cannot be decoded so.

    That takes a file that can seek and has several parts, none of them large, and all that this
    build can decode. For `workers` any frames will do that are not large, and a single one. A
    stream that is damaged or too long is not decoded so either: the data before its end are to be
    had.
    """
    ahead = _frames_ahead(file, max_output, of_parts=workers is None)
    if ahead is None:
        return None
    if workers is None:
        for level in ahead.levels:
            threads = affordable(threads, memory_limit, level)
        workers = Threads(threads)
    workers.tell(progress)
    submit = partial(workers.submit, data_of, prior, memory_limit, only_prepared)
    return _pieces(_frames_again(file, ahead), submit, workers)


class _Ahead(NamedTuple):
    """What must be known of all frames before several are decoded at a time."""

    levels: set[int]
    longest: int
    """The most compressed bytes of a frame."""
    fingerprint: int
    """Of all that the headers say, and of the checks."""


def _frames_ahead(file: BinaryIO, max_output: int | None, *, of_parts: bool) -> _Ahead | None:
    """Look at the frames that follow, if all can be given to others; moves nothing.

    Of parts, there must be several: one alone gives nothing to do to a second thread.
    """
    if not file.seekable():
        return None
    here = file.tell()
    levels: set[int] = set()
    count = length = longest = fingerprint = 0
    try:
        for frame in frame_info(file):
            count += 1
            length += frame.original_bytes
            if not _fits(frame) or (of_parts and frame.offset is None):
                return None
            if max_output is not None and length > max_output:
                return None
            levels.add(frame.level)
            longest = max(longest, frame.compressed_bytes)
            fingerprint = hash((fingerprint, frame))
    except GlnzipError:
        return None
    finally:
        file.seek(here)
    return _Ahead(levels, longest, fingerprint) if count > of_parts else None


def _fits(frame: FrameInfo) -> bool:
    """Whether it is not large, and this build can decode it."""
    return frame.original_bytes <= MAX_PART and frame.memory_bytes is not None


def _pieces(
    frames: Iterator[_Frame], submit: Callable[..., Result], workers: Workers
) -> Iterator[bytes]:
    pending: deque[Result] = deque()
    try:
        for result in _submitted(frames, submit):
            pending.append(result)
            if len(pending) > workers.count:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        workers.stop()


def _submitted(frames: Iterator[_Frame], submit: Callable[..., Result]) -> Iterator[Result]:
    """Give frames to the workers as results are asked for; an error has its turn among them."""
    try:
        for level, packed in frames:
            yield submit(packed, models=model_bytes(level))
    except (GlnzipError, OSError) as error:
        failed: Future[bytes] = Future()
        failed.set_exception(error)
        yield failed


class _Frame(NamedTuple):
    level: int
    packed: bytes


def _frames_again(file: BinaryIO, ahead: _Ahead) -> Iterator[_Frame]:
    """The frames that were looked at. Their headers are read again: nothing is kept of each."""
    recorder = _Recorder(file, ahead.longest)
    fingerprint = 0
    try:
        for frame in frame_info(cast("BinaryIO", recorder)):
            if not _fits(frame) or frame.level not in ahead.levels:
                raise CorruptStreamError(CHANGED)
            fingerprint = hash((fingerprint, frame))
            yield _Frame(frame.level, recorder.take())
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


def data_of(
    prior: Prior | None,
    memory_limit: int | None,
    only_prepared: bool,
    packed: bytes,
    *,
    progress: Progress,
) -> bytes:
    """The data of a part; all of them: the frame is known to have an end."""
    decompressor = Decompressor(
        prior=prior, memory_limit=memory_limit, only_prepared=only_prepared, progress=progress
    )
    return decompressor.decompress(packed)
