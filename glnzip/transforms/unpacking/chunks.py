"""The data chunks of a PNG (its specification, 5.3): length, type, data, CRC-32."""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

from glnzip.errors import CorruptStreamError

_MISFIT = "chunks are not as long as their stream"


class Chunk(NamedTuple):
    """A chunk that is not complete."""

    left: int
    """Bytes that are to come."""
    check: int
    """CRC-32 of those before."""


NO_CHUNK = Chunk(0, 0)


def chunked(packed: bytes, sizes: list[int]) -> bytes:
    """All of a stream, in chunks of these sizes.

    Raises
    ------
    CorruptStreamError
        If they are not as long as that.
    """
    if sum(sizes) != len(packed) or min(sizes) < 0:
        raise CorruptStreamError(_MISFIT)
    return through_chunks(packed, NO_CHUNK, sizes)[0]


def through_chunks(packed: bytes, chunk: Chunk, sizes: list[int]) -> tuple[bytes, Chunk]:
    """A part of a stream, in chunks.

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
    raise CorruptStreamError(_MISFIT)
