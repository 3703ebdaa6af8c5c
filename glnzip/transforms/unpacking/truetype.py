"""TrueType fonts: the model reads their tables, but for the names in them, which are text.

Nothing is taken out.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

from glnzip.format.block_type import TRUETYPE, BlockType
from glnzip.transforms.deflate.stream import UnfinishedError
from glnzip.transforms.unpacking.parts import MOST_BYTES, UNCHANGED
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_HEADER_BYTES, _ENTRY_BYTES = 12, 16  # of the directory of tables
_WORD_BYTES = 4
_LEAST = 1024  # bytes; fewer do not pay for a block of their own
_OUTLINES, _NAMES = b"glyf", b"name"
_PICTURES = {b"CBDT", b"SVG ", b"sbix"}  # tables of PNG, of texts that may be packed


class _Table(NamedTuple):
    tag: bytes
    start: int
    end: int


def truetype(window: Window, at: int) -> Entry | None:
    """A font (OpenType 1.9, "The OpenType font file"): a block that is read, and its names."""
    tables = _tables(window, at)
    tags = {table.tag for table in tables}
    if _OUTLINES not in tags or tags & _PICTURES:
        return None
    end = max(table.end for table in tables)
    if end > window.end:
        if end - at <= MOST_BYTES and not window.final:
            raise UnfinishedError
        end = window.end
    end += _padding(window, at, end)
    names = [table for table in tables if table.tag == _NAMES and table.end - table.start >= _LEAST]
    ends = [at, *(min(place, end) for table in names for place in table[1:]), end]
    if ends != sorted(ends) or end - at < _LEAST:
        return None
    read = BlockType(TRUETYPE)
    pieces = [
        Piece(stop - start, block_type=None if k % 2 else read)
        for k, (start, stop) in enumerate(itertools.pairwise(ends))
        if stop > start
    ]
    return Entry(at, end, UNCHANGED, b"", window.bytes_at(at, end - at), pieces)


def _padding(window: Window, at: int, end: int) -> int:
    """How many zeros behind the last table bring it to whole words."""
    missing = -(end - at) % _WORD_BYTES
    if window.final:
        missing = min(missing, window.end - end)
    return 0 if any(window.bytes_at(end, missing)) else missing


def _tables(window: Window, at: int) -> list[_Table]:
    """All that the directory has and that begin behind it; none if one has no name."""
    count = int.from_bytes(window.bytes_at(at + 4, 2), "big")
    behind = at + _HEADER_BYTES + _ENTRY_BYTES * count
    tables = []
    for entry in range(at + _HEADER_BYTES, behind, _ENTRY_BYTES):
        tag, start, length = (window.bytes_at(entry + k, 4) for k in (0, 8, 12))
        place = at + int.from_bytes(start, "big")
        if place >= behind:
            tables.append(_Table(tag, place, place + int.from_bytes(length, "big")))
    return tables
