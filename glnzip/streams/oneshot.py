"""One call, all the data: `compress` and `decompress`."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.streams.one_or_several import decompressed_pieces, new_compressor
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, StrPath


def compress(
    data: ReadableBuffer,
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    block_size: int | None = None,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
    unpack: bool = True,
    or_none: bool = False,
) -> bytes:
    """Compress `data` into one frame, or into several.

    Parameters
    ----------
    data
        Any bytes-like object.
    level
        1 (fast) to 9 (small). It sets the memory that both compressing and decompressing take.
    prior
        What the model has seen before the data, or the path of its file; None for nothing. Whoever
        decompresses needs the same; the shipped one comes with this package.
    block_size
        Begin a new frame after so many bytes of data, each decoded without the others: see
        `recover`. None makes a single frame, which is smaller.
    threads
        How many frames are worked on at a time, each with a model of its own in memory. The result
        is the same.
    progress
        Called now and then with the number of bytes coded since the last call; with 0 while a prior
        is prepared.
    unpack
        Whether data that were compressed before are unpacked for the model: see `Compressor`.
    or_none
        Whether to find out if the prior is of use: see `Compressor`.

    Returns
    -------
    bytes
        The same bytes on every machine for the same data and parameters. A single frame is never
        more than 1 % + 64 bytes longer than the data.
    """
    compressor = new_compressor(
        level,
        prior=as_prior(prior),
        block_size=block_size,
        threads=threads,
        progress=progress,
        unpack=unpack,
        or_none=or_none,
    )
    return compressor.compress(data) + compressor.flush()


def decompress(
    data: ReadableBuffer,
    *,
    prior: Prior | StrPath | None = None,
    max_output: int | None = None,
    memory_limit: int | None = None,
    only_prepared: bool = False,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
) -> bytes:
    """Return the original data of one frame, or of several one after the other, verified.

    Parameters
    ----------
    data
        Any bytes-like object.
    prior
        For frames that were compressed with a prior of your own: that prior, or the path of its
        file. Those without a prior, or with the shipped one, need nothing.
    max_output
        Give up once the original data turn out to be longer than this. Set it for streams from
        strangers: a few bytes can stand for gigabytes. It bounds the data, not what their model
        takes, which is gigabytes for any data at level 9, and, where its prior was not prepared
        before, minutes: `memory_limit` and `only_prepared` do that.
    memory_limit
        Refuse streams whose model takes more bytes of memory, before it takes any, the preparation
        of its prior included; None for what the machine has.
    only_prepared
        Refuse streams whose prior has to be prepared first; see `Decompressor`.
    threads
        How many parts of a stream made with a `block_size` are decoded at a time.
    progress
        Called now and then with the number of bytes decoded since the last call; with 0 while a
        prior is prepared.

    Raises
    ------
    CorruptStreamError
        If the stream is damaged, is no glnzip stream, or is followed by other bytes.
    TruncatedStreamError
        If the end of the stream is missing.
    UnsupportedStreamError
        If this build cannot decode such a stream.
    PriorMismatchError
        If a frame needs a prior other than the one given.
    BadPriorError
        If that prior itself is damaged.
    OutputLimitError
        If the original data are longer than `max_output`.
    MemoryLimitError
        If a frame needs more memory than `memory_limit`.
    NotPreparedError
        If the prior of a frame was not prepared, and only such may be used.
    """
    pieces = decompressed_pieces(
        io.BytesIO(byte_view(data)),
        prior=as_prior(prior),
        max_output=max_output,
        memory_limit=memory_limit,
        only_prepared=only_prepared,
        progress=progress,
        threads=threads,
    )
    return b"".join(pieces)
