"""Pictures that come again: as bytes, since only models of bytes find them again.

The first of them costs more so, but each other one next to nothing.
"""

from __future__ import annotations

from collections import Counter

from glnzip.format.block_type import IMAGE, WIDE_IMAGE
from glnzip.transforms.unpacking.samples import with_rows
from glnzip.transforms.unpacking.window import Piece


def repeated_as_bytes(content: bytes, pieces: list[Piece]) -> list[Piece]:
    """The pieces of a content; pictures that are there several times are bytes with rows."""
    pixels: list[bytes] = []  # of each piece, if it has any
    at = 0
    for piece in pieces:
        known = piece.block_type is not None and piece.block_type.kind in (IMAGE, WIDE_IMAGE)
        pixels.append(content[at : at + piece.length] if known else b"")
        at += piece.length
    times = Counter(pixels)
    return [
        piece._replace(first=False, block_type=with_rows(piece.block_type.row_bytes))
        if piece.block_type is not None and own and times[own] > 1
        else piece
        for piece, own in zip(pieces, pixels, strict=True)
    ]
