"""Streams that are longer than a stretch: what one stretch leaves to the next, on both sides.

Such a stream is told in portions (`glnzip.transforms.deflate.portion`), of which each stretch has
one at most at its end, and one at most at its beginning. Where they are in the data chunks of a
PNG, portions go through these, and have whole rows of pixels.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.transforms.deflate.portion import NOTHING_BEFORE, Before
from glnzip.transforms.unpacking.rows import filtered, unfiltered

CONTINUES, GOES_ON, IN_CHUNKS = 1, 2, 4
"""Flags of a portion: whether others come before it, and after it, and how it is stored."""


class Chunk(NamedTuple):
    """A data chunk of a PNG that is not complete."""

    left: int
    """Bytes that are to come."""
    check: int
    """CRC-32 of those before."""


class OpenStream(NamedTuple):
    """A stream of which portions were told."""

    before: Before = NOTHING_BEFORE
    above: bytes = b""
    """The last row of pixels."""
    chunk: Chunk = Chunk(0, 0)


def through_chunks(packed: bytes, chunk: Chunk, sizes: list[int]) -> tuple[bytes, Chunk]:
    """Bytes of a stream in the data chunks of a PNG.

    Parameters
    ----------
    packed
    chunk
        The one that is open.
    sizes
        Those of the chunks that begin with these bytes.

    Returns
    -------
    chunks
    chunk
        The one that is open then; none of whose bytes are left if there is none.

    Raises
    ------
    CorruptStreamError
        If they are not as long as that.
    """
    written = bytearray()
    at = 0

    def fill(chunk: Chunk) -> Chunk:
        nonlocal at
        body = packed[at : at + chunk.left]
        at += len(body)
        left, check = chunk.left - len(body), crc32(body, chunk.check)
        written.extend(body)
        if not left:
            written.extend(check.to_bytes(4, "big"))
        return Chunk(left, check)

    if chunk.left:
        chunk = fill(chunk)
    for size in sizes:
        if chunk.left:
            break
        written += size.to_bytes(4, "big") + b"IDAT"
        chunk = fill(Chunk(size, crc32(b"IDAT")))
    else:
        if at == len(packed):
            return bytes(written), chunk
    raise CorruptStreamError("chunks are not as long as their stream")


def rows_below(above: bytes, data: Any, row: int, step: int) -> tuple[Any, Any] | None:
    """As `rows.unfiltered`, of rows below another."""
    if not above:
        return unfiltered(data, row, step)
    both = unfiltered(np.concatenate([_row_of(above), data]), row, step)
    return None if both is None else (both[0][1:], both[1][row:])


def filtered_below(above: bytes, filters: Any, pixels: Any, row: int, step: int) -> Any:
    """As `rows.filtered`, of rows below another."""
    if not above:
        return filtered(filters, pixels, row, step)
    first = _row_of(above)
    filters = np.concatenate([first[:1], filters])
    return filtered(filters, np.concatenate([first[1:], pixels]), row, step)[1 + row :]


def _row_of(pixels: bytes) -> Any:
    """A row that is not filtered."""
    return np.frombuffer(b"\0" + pixels, np.uint8)
