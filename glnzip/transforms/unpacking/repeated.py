"""Pictures and sounds that come again: as bytes, since only models of bytes find them again."""

from __future__ import annotations

from collections import Counter

from glnzip.format.block_type import BITMAP, SAMPLED
from glnzip.transforms.unpacking.samples import with_rows
from glnzip.transforms.unpacking.window import Piece


def repeated_as_bytes(content: bytes, pieces: list[Piece]) -> list[Piece]:
    """The pieces of a content, of other types where pictures or sounds are there several times."""
    samples: list[bytes] = []  # of each piece, if it has any
    at = 0
    for piece in pieces:
        known = piece.block_type is not None and piece.block_type.kind in (BITMAP, *SAMPLED)
        samples.append(content[at : at + piece.length] if known else b"")
        at += piece.length
    times = Counter(samples)
    return [
        piece._replace(first=False, block_type=with_rows(piece.block_type.row_bytes))
        if piece.block_type is not None and own and times[own] > 1
        else piece
        for piece, own in zip(pieces, samples, strict=True)
    ]
