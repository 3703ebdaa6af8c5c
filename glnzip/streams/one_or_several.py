"""One thread or several, or other workers: where that is chosen.

One thread goes straight to a `Compressor`, and back.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext
from functools import partial
from operator import index
from typing import TYPE_CHECKING, BinaryIO, Protocol

from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.priors.allowance import Allowance, check_allowed, check_models
from glnzip.priors.prior import SHIPPED_PRIOR, Prior
from glnzip.streams.compressor import Compressor
from glnzip.streams.decompressor import Decompressor, check_length
from glnzip.streams.frame_reader import FrameReader

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from glnzip.streams.workers import Workers

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
    unpack: bool = True,
    or_none: bool = False,
    workers: Workers | None = None,
) -> AnyCompressor:
    """A compressor for these parameters: see `glnzip.compress`.

    Under a memory limit it has fewer threads, or is refused with a MemoryLimitError. With a block
    size, `workers` may take the place of threads; they see to their memory themselves.
    """
    _check_threads(threads)
    if memory_limit is not None and workers is None:
        check_allowed(level, prior, Allowance(memory_limit))
        check_models(level, Allowance(memory_limit), or_none=or_none)
    if block_size is not None and (threads > 1 or workers is not None):
        from glnzip.streams.parallel import ParallelCompressor
        from glnzip.streams.workers import Threads, affordable

        threads = affordable(threads, memory_limit, level, 1 + or_none)
        if workers is None and threads > 1:
            workers = Threads(threads)
        if workers is not None:
            return ParallelCompressor(
                level, prior, block_size, workers, progress, unpack=unpack, or_none=or_none
            )
    return Compressor(
        level,
        prior=prior,
        block_size=block_size,
        progress=progress,
        unpack=unpack,
        or_none=or_none,
    )


def decompressed_pieces(
    file: BinaryIO,
    *,
    prior: Prior | None = None,
    max_output: int | None = None,
    memory_limit: int | None = None,
    only_prepared: bool = False,
    progress: Callable[[int], object] | None = None,
    threads: int = 1,
    workers: Workers | None = None,
) -> Generator[bytes, None, None]:
    """The data of all frames of a file, in pieces that are not empty: see `glnzip.decompress`.

    Where threads, or the `workers` in their place, cannot share the work, one frame is decoded
    after the other, up to where it fails. Close it if not all are taken: it may hold
    `workers.here`.
    """
    _check_threads(threads)
    if max_output is not None:
        index(max_output)
    new_decompressor = partial(
        Decompressor, prior=prior, memory_limit=memory_limit, only_prepared=only_prepared
    )
    pieces = None
    if threads > 1 or workers is not None:
        from glnzip.streams.parallel import several_at_a_time

        pieces = several_at_a_time(
            file,
            prior=prior,
            max_output=max_output,
            memory_limit=memory_limit,
            only_prepared=only_prepared,
            progress=progress,
            threads=threads,
            workers=workers,
        )
    with workers.here if workers is not None and pieces is None else nullcontext():
        if pieces is None:
            pieces = _one_by_one(file, partial(new_decompressor, progress=progress))
        length = 0
        for piece in filter(None, pieces):
            length += len(piece)
            check_length(length, max_output)
            yield piece


def _check_threads(threads: int) -> None:
    if index(threads) < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")


def _one_by_one(file: BinaryIO, new_decompressor: Callable[[], Decompressor]) -> Iterator[bytes]:
    with FrameReader(file, new_decompressor) as reader:
        while piece := reader.read(_PIECE_BYTES):  # one step of the decoder at a time
            yield piece
