"""Streams that are longer than a stretch: what one stretch leaves to the next, on both sides.

Such a stream is told in portions (`glnzip.transforms.deflate.portion`), of which each stretch has
one at most at its end, and one at most at its beginning. Where they are in the data chunks of a
PNG, portions go through these, and have whole rows of pixels.
"""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

from glnzip.errors import CorruptStreamError
from glnzip.transforms.deflate.portion import NOTHING_BEFORE, Before

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
