"""Pixels of packed pictures, in PNG and PDF: what a model should see in place of their data."""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.format.block_type import BITMAP, BlockType
from glnzip.format.container import MAX_ROW_BYTES
from glnzip.transforms.unpacking.passes import out_of_passes
from glnzip.transforms.unpacking.pictures import seen_as
from glnzip.transforms.unpacking.rows import unfiltered
from glnzip.transforms.unpacking.window import Piece


def pixels_seen_as(row: int, depth: int, channels: int) -> BlockType | None:
    """How a model should see rows of pixels, with bits for each channel; 0 channels: a palette.

    None if there is no room for the rows.
    """
    if row > MAX_ROW_BYTES:
        return None
    if depth * max(channels, 1) < 8:  # more than one bit a pixel, too: columns of bits are alike
        return BlockType(BITMAP, row)
    return seen_as(row, depth, channels)


def without_filters(
    data: bytes, row: int, step: int, block_type: BlockType | None, above: bytes = b""
) -> tuple[bytes, list[Piece]] | None:
    """The filters and then the pixels of rows, and these two as pieces.

    Parameters
    ----------
    data : bytes
        Rows of ``1 + row`` bytes.
    row, step, above
        As of `unfiltered`.
    block_type : BlockType or None
        What the pixels are to a model, if that is known.

    Returns
    -------
    content, pieces : bytes, list of Piece
        None if there are no such filters.
    """
    both = unfiltered(np.frombuffer(data, np.uint8), row, step, above)
    if both is None:
        return None
    return _as_content(*both, block_type, first=block_type is not None and not above)


def without_passes(
    data: bytes, row: int, step: int, height: int, block_type: BlockType | None
) -> tuple[bytes, list[Piece]] | None:
    """The same of the passes of an interlaced picture with so many rows."""
    both = out_of_passes(np.frombuffer(data, np.uint8), row, step, height)
    return None if both is None else _as_content(*both, block_type, first=block_type is not None)


def _as_content(
    filters: Any, pixels: Any, block_type: BlockType | None, *, first: bool
) -> tuple[bytes, list[Piece]]:
    of_pixels = Piece(pixels.size, first=first, block_type=block_type)
    return filters.tobytes() + pixels.tobytes(), [Piece(filters.size), of_pixels]
