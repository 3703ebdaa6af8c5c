"""Whether a block is a picture that was drawn, or a screen: pixels that repeat those around them.

Neighbours tell little of how bright such a pixel is, so `pictures` does not see it. Here the place
that changes most is looked at: if even there many bytes are those of the pixel before, and rows are
close to each other, the model tries both ways on a part of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.format.block_type import IMAGE, SAMPLED, TEXT, BlockType
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.planner.pictures import pixel_step, wide_row
from glnzip.planner.trial import Trial

_WINDOW = 1 << 17  # bytes
_SMALLEST = 4096  # bytes, of a block
_MOST_CHANGE = 67  # per cent of the bytes of that window
_MOST_CHANGE_OF_SAMPLES = 25  # the same where a picture was found: more is not drawn
_TRIED_BYTES = 1 << 15
_FEWEST_ROWS = 4  # the lowest level whose rows of the model of bytes they are tried with
_BEST_OF_TRIAL = 97  # per cent of what the other type takes, or less
_NOT_ASCII = 128
_LEAST_OF_TRIAL = 64  # bytes that it takes seen otherwise; less tells nothing


def or_drawing(data: bytes, other: BlockType, level: int) -> BlockType:
    """The type of a block that may be a drawn picture: a piece of it is clearly smaller as one."""
    if len(data) < _SMALLEST:
        return other
    block = np.frombuffer(data, np.uint8)
    start = _busiest(block, 0, block.size, _WINDOW)
    part = block[start : start + _WINDOW].astype(np.int64)
    step = pixel_step(part)
    most = _MOST_CHANGE_OF_SAMPLES if other.kind in SAMPLED else _MOST_CHANGE
    if 100 * np.count_nonzero(part[step:] != part[:-step]) > most * part.size:
        return other
    ascii_text = other.kind == TEXT and part.max() < _NOT_ASCII
    row = 0 if ascii_text else wide_row(part)
    drawing = BlockType(IMAGE, row, step if row % step == 0 else 1)
    if not row or drawing == other:
        return other
    start = _busiest(block, start, start + part.size, _TRIED_BYTES)
    rows = min(max(level, _FEWEST_ROWS), DEFAULT_LEVEL)
    tried = Trial(data[start : start + _TRIED_BYTES], start, rows)
    as_other = tried.bytes_as(other)
    clearly = 100 * tried.bytes_as(drawing) < _BEST_OF_TRIAL * as_other
    is_smaller = clearly and as_other >= _LEAST_OF_TRIAL
    return drawing if is_smaller else other


def _busiest(block: Any, start: int, end: int, size: int) -> int:
    """Where that of the parts of some size begins in which bytes (uint8[:]) change most often."""
    changed = block[start + 1 : end] != block[start : end - 1]
    parts = range(0, max(changed.size + 1 - size, 0) + 1, size)
    return start + max(parts, key=lambda at: int(np.count_nonzero(changed[at : at + size])))
