"""How GIF writes the pixels of an image (GIF89a, CompuServe, 1990), beside LZW.

Rows may be in four passes (appendix E), and what LZW makes of them is in blocks of at most 255
bytes, each behind its length; a block of none ends them (section 15).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.transforms.exceptions import Sizes, cut

MOST_IN_BLOCK = 255
_PASSES = (0, 8), (4, 8), (2, 4), (1, 2)  # their first row, and how far the next one is


def in_passes(pixels: bytes, row: int) -> bytes:
    """Whole rows of so many pixels, as they are written in four passes."""
    rows = np.frombuffer(pixels, np.uint8).reshape(-1, row)
    return rows[_order(len(rows))].tobytes()


def out_of_passes(pixels: bytes, row: int) -> bytes:
    """The opposite of `in_passes`."""
    passes = np.frombuffer(pixels, np.uint8).reshape(-1, row)
    rows = np.zeros(passes.shape, np.uint8)
    rows[_order(len(rows))] = passes
    return rows.tobytes()


def _order(rows: int) -> Any:
    """The numbers of rows as they are written."""
    return np.concatenate([np.arange(first, rows, step) for first, step in _PASSES])


def in_blocks(packed: bytes, sizes: Sizes) -> bytes:
    """Bytes in blocks, with the one that ends them."""
    return b"".join(bytes([len(part)]) + part for part in cut(packed, sizes)) + b"\0"


def out_of_blocks(blocks: bytes) -> tuple[bytes, list[int]]:
    """The opposite of `in_blocks`: the bytes, and the sizes of the blocks that they were in."""
    packed = bytearray()
    sizes = []
    at = 0
    while size := blocks[at]:
        packed += blocks[at + 1 : at + 1 + size]
        sizes.append(size)
        at += 1 + size
    return bytes(packed), sizes
