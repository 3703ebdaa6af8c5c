"""Several parts of a whole at a time, each by a thread and a model of its own.

The parts of a whole know nothing of each other but the name of the whole, which its first block
decides; so they can be made, and decoded, in any order. The results are those of `Compressor` and
`FrameReader`.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from operator import index
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO, Protocol

from glnzip.container import BLOCK_BYTES, FrameInfo, Place, frame_info
from glnzip.errors import GlnzipError, TruncatedStreamError
from glnzip.levels import DEFAULT_LEVEL, Allowance, check_level, memory_bytes, model_bytes
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
        from glnzip.priors.primed import check_allowed

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
        self._level = check_level(level)
        self._prior = prior
        self._block_size = check_block_size(block_size)
        self._name = partial(whole_name, level, prior, block_size)
        self._progress = progress if progress is None else _one_at_a_time(progress)
        self._guard = CallGuard()
        self._pending = bytearray()
        self._place: Place | None = None  # of the part that is pending
        self._threads = threads
        self._workers = ThreadPoolExecutor(threads, thread_name_prefix="glnzip")
        self._frames: deque[Future[bytes]] = deque()

    def compress(self, data: ReadableBuffer) -> bytes:
        """Take some more data, and return what of the stream is ready, often nothing."""
        view = byte_view(data)
        output = bytearray()
        with self._guard:
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
        with self._guard:
            self._begin_frame(last=True)
            output = self._take_frames(0)
            self._workers.shutdown()
            self._guard.refuse(ValueError, "the compressor has been flushed")
            return output

    def _begin_frame(self, *, last: bool) -> None:
        """Have the pending data made into a frame."""
        data = bytes(self._pending)
        self._pending.clear()
        place = self._place or Place(self._name(data[:BLOCK_BYTES]), 0)
        self._place = place._replace(offset=place.offset + len(data))
        self._frames.append(self._workers.submit(self._frame, data, place, last))

    def _frame(self, data: bytes, place: Place, last: bool) -> bytes:
        frame = FrameWriter(self._level, self._prior, place, self._progress)
        for start in range(0, len(data), BLOCK_BYTES):
            frame.write_block(data[start : start + BLOCK_BYTES])
        frame.end(last=last)
        return frame.take()

    def _take_frames(self, left: int) -> bytes:
        """Frames that are made, in order; waits for some if more than `left` are in the making."""
        output = bytearray()
        try:
            while self._frames and (len(self._frames) > left or self._frames[0].done()):
                output += self._frames.popleft().result()
        except BaseException:
            self._workers.shutdown(wait=False, cancel_futures=True)
            raise
        return bytes(output)


def decompressed_pieces(
    file: BinaryIO,
    *,
    prior: Prior | None = None,
    max_output: int | None = None,
    memory_limit: int | None = None,
    threads: int = 1,
) -> Iterator[bytes]:
    """The data of all frames of a file, in pieces that are not empty: see `glnzip.decompress`.

    Several parts are decoded at a time if the file can seek and has several, none of them large,
    and all that this build can decode. Otherwise, and of a stream that is damaged or too long, one
    frame is decoded after the other, up to where it fails.
    """
    frames = _parts_ahead(file, max_output) if threads > 1 else None
    if frames is None:
        pieces = _one_by_one(file, prior, memory_limit)
    else:
        pieces = _several_at_a_time(file, frames, prior, memory_limit, threads)
    length = 0
    for piece in filter(None, pieces):
        length += len(piece)
        check_length(length, max_output)
        yield piece


def _one_by_one(file: BinaryIO, prior: Prior | None, memory_limit: int | None) -> Iterator[bytes]:
    with io.BufferedReader(FrameReader(file, prior, memory_limit)) as reader:
        while piece := reader.read1(_PIECE_BYTES):  # one step of the decoder at a time
            yield piece


def _several_at_a_time(
    file: BinaryIO,
    frames: list[FrameInfo],
    prior: Prior | None,
    memory_limit: int | None,
    threads: int,
) -> Iterator[bytes]:
    for level in {frame.level for frame in frames}:
        threads = _affordable(threads, memory_limit, level)
    decode = partial(_decoded, prior=prior, memory_limit=memory_limit)
    with ThreadPoolExecutor(threads, thread_name_prefix="glnzip") as workers:
        pending: deque[Future[bytes]] = deque()
        try:
            for frame in frames:
                pending.append(workers.submit(decode, _exactly(file, frame.compressed_bytes)))
                if len(pending) > threads:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


def _parts_ahead(file: BinaryIO, max_output: int | None) -> list[FrameInfo] | None:
    """The frames that follow, if several can be decoded at a time; moves nothing."""
    if not file.seekable():
        return None
    here = file.tell()
    try:
        frames = list(frame_info(file))
    except GlnzipError:
        return None
    finally:
        file.seek(here)
    are_parts = all(frame.offset is not None for frame in frames)
    fit = all(frame.original_bytes <= MAX_PART for frame in frames)
    supported = all(frame.memory_bytes is not None for frame in frames)
    allowed = max_output is None or sum(frame.original_bytes for frame in frames) <= max_output
    return frames if len(frames) > 1 and are_parts and fit and supported and allowed else None


def _decoded(packed: bytes, prior: Prior | None, memory_limit: int | None) -> bytes:
    return Decompressor(prior=prior, memory_limit=memory_limit).decompress(packed)


def _exactly(file: BinaryIO, count: int) -> bytes:
    packed = bytearray()
    while len(packed) < count:
        piece = file.read(count - len(packed))
        if not piece:
            raise TruncatedStreamError("the file has become shorter")
        packed += piece
    return bytes(packed)


def _affordable(threads: int, memory_limit: int | None, level: int) -> int:
    """How many of the threads may have a model of this level under the limit; at least one."""
    if memory_limit is None:
        return threads
    return max(1, min(threads, 1 + (memory_limit - memory_bytes(level)) // model_bytes(level)))


def _one_at_a_time(progress: Callable[[int], object]) -> Callable[[int], object]:
    """For a callback that was not made to be called by several threads."""
    lock = Lock()

    def locked(count: int) -> None:
        with lock:
            progress(count)

    return locked
