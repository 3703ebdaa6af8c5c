"""Fonts: the model reads most of them; names and other large tables are apart.

Nothing is taken out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from glnzip.format.block_type import FONT, BlockType
from glnzip.transforms.deflate.stream import UnfinishedError
from glnzip.transforms.unpacking.parts import MOST_BYTES, UNCHANGED
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_HEADER_BYTES, _ENTRY_BYTES = 12, 16  # of the directory of tables
_WORD_BYTES = 4
_LEAST = _LEAST_NAMES = 1024  # bytes; fewer do not pay for a block of their own
_LEAST_UNREAD = 4096  # of other tables
_OUTLINES, _NAMES = {b"glyf", b"CFF "}, b"name"
_READ = {*_OUTLINES, b"fpgm", b"prep", b"cvt ", b"loca", b"hmtx"}
_PICTURES = {b"CBDT", b"SVG ", b"sbix"}  # tables of PNG, of texts that may be packed


class _Table(NamedTuple):
    tag: bytes
    start: int
    end: int


def font(window: Window, at: int) -> Entry | None:
    """A font (OpenType 1.9, "The OpenType font file"): what of it is read, and what is not."""
    tables = _tables(window, at)
    tags = {table.tag for table in tables}
    if not tags & _OUTLINES or tags & _PICTURES:
        return None
    end = max(table.end for table in tables)
    if end > window.end:
        if end - at <= MOST_BYTES and not window.final:
            raise UnfinishedError
        end = window.end
    end += _padding(window, at, end)
    if end - at < _LEAST:
        return None
    pieces = list(_pieces(sorted(tables, key=lambda table: table.start), at, end))
    return Entry(at, end, UNCHANGED, b"", window.bytes_at(at, end - at), pieces)


def compact_font(window: Window, at: int) -> Entry | None:
    """A font that is CFF alone, if it is all that a stream has: where it ends, it does not tell."""
    begin, end = window.searched.start, window.searched.stop
    if at > begin:
        return None
    if not window.final:
        raise UnfinishedError
    data = window.bytes_at(at, end - at)
    return Entry(at, end, UNCHANGED, b"", data, [font_piece(len(data))])


def font_piece(size: int) -> Piece:
    """Bytes that the model reads as a font, if they are not too few."""
    return Piece(size, block_type=BlockType(FONT) if size >= _LEAST else None)


def _pieces(tables: Iterable[_Table], at: int, end: int) -> Iterator[Piece]:
    """What is read, and between it the large tables that are not, with the padding behind them."""
    place = at
    read = BlockType(FONT)
    for tag, start, stop in tables:
        least = _LEAST_NAMES if tag == _NAMES else _LEAST_UNREAD
        if tag in _READ or stop - start < least or not place <= start < end:
            continue
        if start > place:
            yield Piece(start - place, block_type=read)
        place = min(stop + -(stop - at) % _WORD_BYTES, end)
        yield Piece(place - start)
    if place < end:
        yield Piece(end - place, block_type=read)


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
