"""Pictures that come again: as bytes, since only models of bytes find them again.

The first of them costs more so, but each other one next to nothing.
"""

from __future__ import annotations

from collections import Counter

from glnzip.format.block_type import IMAGE, WIDE_IMAGE, BlockType
from glnzip.transforms.unpacking.samples import is_of_palette, with_rows
from glnzip.transforms.unpacking.window import Piece


def repeated_as_bytes(content: bytes, pieces: list[Piece]) -> list[Piece]:
    """The pieces of a content; pictures that are there several times are bytes with rows."""
    pixels: list[bytes] = []  # of each piece, if it has any
    at = 0
    for piece in pieces:
        pixels.append(content[at : at + piece.length] if _is_picture(piece.block_type) else b"")
        at += piece.length
    times = Counter(pixels)
    return [
        piece._replace(first=False, block_type=with_rows(piece.block_type.row_bytes))
        if piece.block_type is not None and own and times[own] > 1
        else piece
        for piece, own in zip(pieces, pixels, strict=True)
    ]


def _is_picture(block_type: BlockType | None) -> bool:
    if block_type is None:
        return False
    return block_type.kind in (IMAGE, WIDE_IMAGE) or is_of_palette(block_type)
