"""One call, all the data: `compress` and `decompress`."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from glnzip.errors import OutputLimitError
from glnzip.frame_reader import FrameReader
from glnzip.levels import DEFAULT_LEVEL
from glnzip.prior import SHIPPED_PRIOR, Prior
from glnzip.streaming import Compressor, byte_view

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_PIECE_BYTES = 1 << 16


def compress(
    data: ReadableBuffer, *, level: int = DEFAULT_LEVEL, prior: Prior | None = SHIPPED_PRIOR
) -> bytes:
    """Compress `data` into one frame.

    Parameters
    ----------
    data
        Any bytes-like object.
    level
        1 (fast) to 9 (small). It sets the memory that both compressing and decompressing take.
    prior
        What the model has seen before the data; None for nothing. Whoever decompresses needs the
        same; the shipped one comes with this package.

    Returns
    -------
    bytes
        The frame: the same bytes on every machine for the same data, level and prior, and never
        more than 1 % + 64 bytes longer than the data.
    """
    compressor = Compressor(level, prior=prior)
    return compressor.compress(data) + compressor.flush()


def decompress(
    data: ReadableBuffer, *, prior: Prior | None = None, max_output: int | None = None
) -> bytes:
    """Return the original data of one frame, or of several one after the other, verified.

    Parameters
    ----------
    data
        Any bytes-like object.
    prior
        For frames that were compressed with a prior of your own. Those without a prior, or with the
        shipped one, need nothing.
    max_output
        Give up, with little memory spent, once the original data turn out to be longer than this.
        Set it for streams from strangers: a few bytes can stand for gigabytes.

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
    OutputLimitError
        If the original data are longer than `max_output`.
    """
    pieces = []
    length = 0
    reader = FrameReader(io.BytesIO(byte_view(data)), prior)
    while piece := reader.read(_PIECE_BYTES):
        pieces.append(piece)
        length += len(piece)
        if max_output is not None and length > max_output:
            raise OutputLimitError(f"the stream holds more than the {max_output} bytes allowed")
    return b"".join(pieces)
