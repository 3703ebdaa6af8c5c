"""Several parts of a whole at a time, each by a thread and a model of its own.

The parts of a whole know nothing of each other but the name of the whole, which its first block
decides; so they can be made, and decoded, in any order. The results are those of `Compressor` and
`FrameReader`.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from operator import index
from threading import Event, Lock
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, cast

from glnzip.errors import CorruptStreamError, GlnzipError
from glnzip.format.container import BLOCK_BYTES, Place
from glnzip.format.levels import DEFAULT_LEVEL, Allowance, check_level, memory_bytes, model_bytes
from glnzip.format.walk import CHANGED, FrameInfo, frame_info
from glnzip.priors.prior import SHIPPED_PRIOR, Prior
from glnzip.streams.frame_reader import FrameReader
from glnzip.streams.frame_writer import FrameWriter, check_block_size, whole_name
from glnzip.streams.streaming import CallGuard, Compressor, Decompressor, byte_view, check_length

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

MAX_PART = 1 << 26
"""Bytes of data in a part, at most, for several to be decoded at a time: they wait in memory."""
_PIECE_BYTES = 1 << 16


class AnyCompressor(Protocol):
    """What compressors have in common."""

    def compress(self, data: ReadableBuffer) -> bytes: ...

    def flush(self) -> bytes: ...


def new_compressor(
    level: int = DEFAULT_LEVEL,
    *,
    prior: Prior | None = SHIPPED_PRIOR,
    block_size: int | None = None,
    threads: int = 1,
    memory_limit: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> AnyCompressor:
    """A compressor for these parameters: see `glnzip.compress`.

    Under a memory limit it has fewer threads, or is refused with a MemoryLimitError.
    """
    if index(threads) < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    if memory_limit is not None:
        from glnzip.priors.prepared import check_allowed

        check_allowed(level, prior, Allowance(memory_limit))
        threads = _affordable(threads, memory_limit, level)
    if block_size is None or threads == 1:
        return Compressor(level, prior=prior, block_size=block_size, progress=progress)
    return ParallelCompressor(level, prior, block_size, threads, progress)


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
    ) -> None:
        self._block_size = check_block_size(block_size)
        self._name = partial(whole_name, check_level(level), prior, block_size)
        self._guard = CallGuard()
        self._pending = bytearray()
        self._place: Place | None = None  # of the part that is pending
        self._threads = threads
        self._workers = _Workers(threads)
        self._make = partial(_frame, level, prior, self._workers.watched(progress))
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
    level: int,
    prior: Prior | None,
    progress: Callable[[int], object],
    data: bytes,
    place: Place,
    last: bool,
) -> bytes:
    frame = FrameWriter(level, prior, place, progress)
    for start in range(0, len(data), BLOCK_BYTES):
        frame.write_block(data[start : start + BLOCK_BYTES])
    frame.end(last=last)
    return frame.take()


def decompressed_pieces(
    file: BinaryIO,
    *,
    prior: Prior | None = None,
    max_output: int | None = None,
    memory_limit: int | None = None,
    only_prepared: bool = False,
    progress: Callable[[int], object] | None = None,
    threads: int = 1,
) -> Iterator[bytes]:
    """The data of all frames of a file, in pieces that are not empty: see `glnzip.decompress`.

    Several parts are decoded at a time if the file can seek and has several, none of them large,
    and all that this build can decode. Otherwise, and of a stream that is damaged or too long, one
    frame is decoded after the other, up to where it fails.
    """
    new_decompressor = partial(
        Decompressor, prior=prior, memory_limit=memory_limit, only_prepared=only_prepared
    )
    ahead = _parts_ahead(file, max_output) if threads > 1 else None
    if ahead is None:
        pieces = _one_by_one(file, partial(new_decompressor, progress=progress))
    else:
        for level in ahead.levels:
            threads = _affordable(threads, memory_limit, level)
        pieces = _several_at_a_time(file, ahead, new_decompressor, progress, threads)
    length = 0
    for piece in filter(None, pieces):
        length += len(piece)
        check_length(length, max_output)
        yield piece


def _one_by_one(file: BinaryIO, new_decompressor: Callable[[], Decompressor]) -> Iterator[bytes]:
    with io.BufferedReader(FrameReader(file, new_decompressor)) as reader:
        while piece := reader.read1(_PIECE_BYTES):  # one step of the decoder at a time
            yield piece


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


def _several_at_a_time(
    file: BinaryIO,
    ahead: _Ahead,
    new_decompressor: Callable[..., Decompressor],
    progress: Callable[[int], object] | None,
    threads: int,
) -> Iterator[bytes]:
    workers = _Workers(threads)
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
    workers: _Workers, decode: Callable[[bytes], bytes], frames: Iterator[bytes]
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


def _affordable(threads: int, memory_limit: int | None, level: int) -> int:
    """How many of the threads may have a model of this level under the limit; at least one."""
    if memory_limit is None:
        return threads
    return max(1, min(threads, 1 + (memory_limit - memory_bytes(level)) // model_bytes(level)))


class _Workers:
    """Threads that end what they do soon, and begin with nothing more, once they are stopped."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="glnzip")
        self._stopped = Event()

    def submit(self, work: Callable[..., bytes], *arguments: object) -> Future[bytes]:
        """Have a thread do some work, which must not refer to its workers: see `__del__`."""
        return self._pool.submit(work, *arguments)

    def watched(self, progress: Callable[[int], object] | None = None) -> Callable[[int], object]:
        """A callback for work to call in the midst of it, which ends it once all are stopped.

        It calls `progress`, which need not be made for several threads.
        """
        return partial(_advance, self._stopped, Lock(), progress)

    def stop(self) -> None:
        """Stop them, without waiting."""
        self._stopped.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    @contextmanager
    def stopped_by_errors(self) -> Iterator[None]:
        """Stop them if what is done here fails, be it by Ctrl-C."""
        try:
            yield
        except BaseException:
            self.stop()
            raise

    def __del__(self) -> None:
        self.stop()


def _advance(
    stopped: Event, lock: Lock, progress: Callable[[int], object] | None, count: int
) -> None:
    if stopped.is_set():
        raise CancelledError
    if progress is not None:
        with lock:
            progress(count)
