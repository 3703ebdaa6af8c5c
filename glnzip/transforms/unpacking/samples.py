"""Samples of pictures and sounds that are not packed, among other data.

Nothing is unpacked, but their headers tell where the samples lie, and how a model should see them.
`pictures` and `sounds` read the headers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from glnzip.format.block_type import BINARY, BlockType
from glnzip.format.container import MAX_ROW_BYTES
from glnzip.transforms.deflate.stream import UnfinishedError
from glnzip.transforms.unpacking.parts import MOST_BYTES, UNCHANGED
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_LEAST = 1024  # bytes; fewer do not pay for a block of their own
WIDEST_GAP = 1 << 12
"""Bytes between samples of one file, and between a header and the first of them."""


class Samples(NamedTuple):
    """Bytes that are samples."""

    start: int
    length: int
    block_type: BlockType


def with_rows(row: int) -> BlockType:
    """How to see samples that no block model of pictures or sounds is for."""
    return BlockType(BINARY, row if row <= MAX_ROW_BYTES else 0)


def of_palette(row: int) -> BlockType:
    """Rows of pixels of a byte each that tell a colour of a palette: see `is_of_palette`."""
    return with_rows(row)._replace(step=1)


def is_of_palette(block_type: BlockType) -> bool:
    """Whether these are such pixels. What a model sees them as, the planner says."""
    return block_type.kind == BINARY and block_type.row_bytes > 0 and block_type.step == 1


def samples_entry(
    window: Window, at: int, parts: Sequence[Samples], *, alone: bool = True
) -> Entry | None:
    """The samples of the file at a place, those in one go; the rest of it is between them.

    One that is not `alone` is like others before it, perhaps.

    Raises
    ------
    UnfinishedError
        If they go on after what is known. But what is too long to be waited for is cut there.
    """
    pieces: list[Piece] = []
    place = start = parts[0].start if parts else at
    for part in parts:
        if not 0 <= part.start - place <= WIDEST_GAP or part.length < _LEAST:
            break
        length = part.length
        if part.start + length > window.end:
            if part.start + length - at <= MOST_BYTES:
                raise UnfinishedError
            unit = part.block_type.row_bytes or part.block_type.step or 1
            length = max(window.end - part.start, 0) // unit * unit
        if part.start > place:
            pieces.append(Piece(part.start - place))
        if length:
            pieces.append(Piece(length, first=alone and not pieces, block_type=part.block_type))
        place = part.start + length
    if not pieces:
        return None
    return Entry(start, place, UNCHANGED, b"", window.bytes_at(start, place - start), pieces)
