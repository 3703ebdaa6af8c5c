"""The search for what a stretch can have of what is too long for it.

Of deflate streams these are portions (`portions`), of bzip2 some blocks, of TIFF some strips; of
the scan of a JPEG it is what is there of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.format.numbers import write_number, write_numbers
from glnzip.transforms.deflate.bits import SPARE, padded
from glnzip.transforms.deflate.places import FARTHEST
from glnzip.transforms.deflate.portion import Portion, describe_portion
from glnzip.transforms.deflate.recipe import MOST_ALONG_PATH
from glnzip.transforms.deflate.recipe_bytes import write_recipe
from glnzip.transforms.unpacking.bzip2 import BegunBlocks, first_blocks, next_blocks
from glnzip.transforms.unpacking.carriers import (
    PixelRows,
    gzip_stream,
    member_stream,
    rows_of,
)
from glnzip.transforms.unpacking.chunks import NO_CHUNK, Chunk, through_chunks
from glnzip.transforms.unpacking.file_signs import TIFF
from glnzip.transforms.unpacking.jpeg import BegunScan, first_of_scan, rest_of_scan
from glnzip.transforms.unpacking.parts import (
    CHUNK_BYTES,
    MOST_BYTES,
    MOST_TAIL,
    PORTION,
    is_cheap,
)
from glnzip.transforms.unpacking.pixels import without_filters
from glnzip.transforms.unpacking.places import Place
from glnzip.transforms.unpacking.portions import (
    CONTINUES,
    GOES_ON,
    IN_CHUNKS,
    OpenStream,
)
from glnzip.transforms.unpacking.signs import BZIP2, DATA, GZIP, LOCAL, PICTURE, ZLIB
from glnzip.transforms.unpacking.tiff import BegunStrips, first_strips, next_strips
from glnzip.transforms.unpacking.undone import window_bits_of
from glnzip.transforms.unpacking.window import Entry, Piece, Window

USUAL_PORTION = MOST_ALONG_PATH - FARTHEST
LEAST_PORTION = 1 << 18
"""Bytes of data, with those that none has told."""

_LEAST = 1 << 16  # of a first one: what is shorter may be there by chance


class Begun(NamedTuple):
    """A stream of which portions were found."""

    stream: OpenStream
    window_bits: int
    in_chunks: bool = False
    header: bytes = b""
    """Bytes in the chunks before the first portion."""
    rows: PixelRows = PixelRows()
    """Those of the data, or bytes."""
    size: int = 0
    """Bytes of the portions so far ..."""
    content: int = 0
    """... and what they have become."""

    @property
    def is_first(self) -> bool:
        """Whether there is none so far."""
        return not self.size


GoesOn = Begun | BegunScan | BegunBlocks | BegunStrips
"""What goes on behind a portion of it."""


class Found(NamedTuple):
    """A portion."""

    entry: Entry
    begun: GoesOn | None
    """None if what it is a portion of ends with it."""


def first_portion(window: Window, place: Place, most: int) -> Found | None:
    """The first portion of what begins at a place, a stream or the scan of a JPEG, if there is one.

    Of a stream, it has so many bytes of data, or those of a block.
    """
    at = place.start
    if place.what == PICTURE:
        return _of_scan(first_of_scan(window, at))
    if place.what == BZIP2:
        return _of_parts(first_blocks(window, at, most))
    if place.what == TIFF:
        return _of_parts(first_strips(window, at))
    if place.what == GZIP:
        start = gzip_stream(window, at)
    elif place.what == LOCAL:
        start = member_stream(window, at)
    elif place.what == ZLIB:
        start = at + 2
    elif place.what == DATA and at >= 4:
        start = at - 4
    else:
        return None
    if start is None:
        return None
    if place.what != DATA:
        bits = window_bits_of(int(window.buffer[at])) if place.what == ZLIB else 15
        return _of_stream(window, start, Begun(OpenStream(), bits), most)
    header = _out_of_chunks(window, start, NO_CHUNK)[0][:2].tobytes()
    if len(header) < 2:
        return None
    rows = rows_of(window.picture)
    begun = Begun(OpenStream(), window_bits_of(header[0]), True, header, rows)
    return _of_stream(window, start, begun, most)


def next_portion(window: Window, begun: GoesOn, most: int) -> Found | None:
    """The portion of what goes on with the first byte of a window, as `first_portion`.

    Raises
    ------
    UnfinishedError
        If more of it may be known another time.
    """
    if isinstance(begun, BegunScan):
        return _of_scan(rest_of_scan(window))
    if isinstance(begun, BegunBlocks):
        return _of_parts(next_blocks(window, begun, most))
    if isinstance(begun, BegunStrips):
        return _of_parts(next_strips(window, begun))
    return _of_stream(window, 0, begun, most)


def _of_scan(entry: Entry | None) -> Found | None:
    """A portion of a scan; it may be as long as the window."""
    return None if entry is None else Found(entry, BegunScan() if entry.cut else None)


def _of_parts(found: tuple[Entry, BegunBlocks | BegunStrips | None] | None) -> Found | None:
    """Blocks of bzip2, strips of a TIFF."""
    return None if found is None else Found(*found)


def _of_stream(window: Window, at: int, begun: Begun, most: int) -> Found | None:
    """The portion of a stream that begins at a place."""
    if window.is_worn:
        return None
    stream: Any = window.buffer[at:]
    sizes: list[int] = []
    if begun.in_chunks:
        stream, sizes = _out_of_chunks(window, at, begun.stream.chunk)
        stream = padded(stream[len(begun.header) :])
    may_wait = not begun.is_first and window.waits(at)
    for room in (most, MOST_BYTES // 2):
        portion = describe_portion(
            stream,
            begun.stream.before,
            max(room - begun.stream.before.untold, LEAST_PORTION),
            begun.rows.bytes,
            begun.window_bits,
            may_wait,
            window.tried,
        )
        if portion is not None:
            return _found(window, at, begun, portion, stream[:-SPARE], sizes)
    return None


def _found(
    window: Window, at: int, begun: Begun, portion: Portion, stream: Any, sizes: list[int]
) -> Found | None:
    """The entry of a portion; None if it does not pay, or is not what stands there."""
    told, rows, before = write_recipe(portion.recipe), begun.rows, begun.stream
    if not is_cheap(told, portion.size) or (begun.is_first and len(portion.data) < _LEAST):
        return None
    seen = _seen(portion.data.tobytes(), begun)
    if seen is None:
        return None
    goes_on = portion.after is not None
    flags = CONTINUES * (not begun.is_first) | GOES_ON * goes_on | IN_CHUNKS * begun.in_chunks
    untold = portion.after.untold if portion.after is not None else 0
    numbers = write_numbers([flags, rows.row, rows.step, len(portion.data), untold])
    end, chunk = at + portion.size, before.chunk
    if begun.in_chunks:
        tail = b"" if goes_on else stream[portion.size :].tobytes()
        packed = begun.header + stream[: portion.size].tobytes() + tail
        sizes = sizes[: _count(sizes, len(packed) - chunk.left)] if goes_on else sizes
        if len(tail) > MOST_TAIL:
            return None
        chunks, chunk = through_chunks(packed, chunk, sizes)
        if window.bytes_at(at, len(chunks)) != chunks:
            return None
        end = at + len(chunks)
        for text in (begun.header, tail):
            numbers += write_number(len(text)) + text
        same = len(sizes) > 2 and len(set(sizes[:-1])) == 1
        numbers += write_numbers([len(sizes) << 1 | same, *(sizes[-2:] if same else sizes)])
    numbers += write_number(len(told)) + told
    content, pieces = seen
    entry = Entry(at, end, PORTION, numbers, content, pieces, cut=goes_on)
    if portion.after is None:
        return Found(entry, None)
    stream_then = OpenStream(portion.after, content[-rows.row :] if rows.row else b"", chunk)
    so_far = begun.size + end - at, begun.content + len(content)
    return Found(entry, Begun(stream_then, begun.window_bits, begun.in_chunks, b"", rows, *so_far))


def _seen(data: bytes, begun: Begun) -> tuple[bytes, list[Piece]] | None:
    """What a model sees of the data, and its pieces; None if there are no such filters."""
    rows = begun.rows
    if not rows.row:
        return data, [Piece(len(data), True)]
    return without_filters(data, rows.row, rows.step, rows.block_type, begun.stream.above)


def _out_of_chunks(window: Window, at: int, chunk: Chunk) -> tuple[Any, list[int]]:
    """What is known of a stream in the data chunks of a PNG, and the sizes of those that begin."""
    parts, sizes, place = [], [], at
    if chunk.left:
        parts.append(window.buffer[at : min(at + chunk.left, window.end)])
        place += chunk.left + 4
    while place + 8 <= window.end and window.bytes_at(place + 4, 4) == b"IDAT":
        size = int.from_bytes(window.bytes_at(place, 4), "big")
        parts.append(window.buffer[place + 8 : min(place + 8 + size, window.end)])
        sizes.append(size)
        place += CHUNK_BYTES + size
    return np.concatenate([np.zeros(0, np.uint8), *parts]), sizes


def _count(sizes: list[int], needed: int) -> int:
    """How many chunks it takes for so many bytes."""
    return int(np.searchsorted(np.cumsum([0, *sizes]), needed))
