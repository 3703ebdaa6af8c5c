"""Whether a block is a bitmap: pixels of one bit each, which those around them predict.

A sample of the beginning is looked at. That is not enough, as fonts have tables there that look
like bitmaps, so the model decides, on parts of the block further on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.format.block_type import BITMAP, BlockType
from glnzip.planner.code_length import adaptive_bits
from glnzip.planner.trial import Trial, spread_parts

_SAMPLE_BYTES = 1 << 16
_NARROWEST = 8  # bytes; shorter rows are records
_TRIED_BYTES = 1 << 15
_MOST_ROWS = 4  # the highest level whose rows of the model of bytes they are tried with
_BEST_OF_TRIAL = 75  # per cent of what a bitmap takes, whose model is slow to learn; less is none


def or_bitmap(data: bytes, of_bytes: BlockType, row_bytes: int, level: int) -> BlockType:
    """A bitmap with rows of some bytes, if the block looks like one and is not smaller as bytes."""
    sample = np.frombuffer(data, np.uint8, count=min(len(data), _SAMPLE_BYTES))
    if row_bytes < _NARROWEST or not _is_bitmap(sample, row_bytes):
        return of_bytes
    bitmap = BlockType(BITMAP, row_bytes)
    tried = Trial(*spread_parts(data, _TRIED_BYTES, 2), min(level, _MOST_ROWS))
    is_bitmap = 100 * tried.bytes_as(of_bytes) >= _BEST_OF_TRIAL * tried.bytes_as(bitmap)
    return bitmap if is_bitmap else of_bytes


def _is_bitmap(sample: Any, row_bytes: int) -> bool:
    """Whether nearby pixels predict the sample clearly better than bytes do.

    Clearly: by a tenth where the byte before or above predicts, as the byte model has far better
    contexts than these two; by a fifth where the place in the row does, as it does in a table.
    """
    bits = np.unpackbits(sample)
    width = 8 * row_bytes
    template = (1, 2, 3, 4, width - 2, width - 1, width, width + 1, width + 2, 2 * width)
    first = 2 * width + 2
    context: Any = np.zeros(bits.size - first, np.int16)
    for distance in template:
        context <<= 1
        context |= bits[first - distance : bits.size - distance]
    by_pixels = adaptive_bits(context, bits[first:], 1, 1 / 2)
    values = sample.astype(np.int64)
    skipped = -(-first // 8)  # judge the same part of the sample
    by_before, by_above = (
        adaptive_bits(values[skipped - back : values.size - back], values[skipped:], 8)
        for back in (1, row_bytes)
    )
    by_place = adaptive_bits(np.arange(skipped, values.size) % row_bytes, values[skipped:], 8)
    return 10 * by_pixels < 9 * min(by_before, by_above) and 5 * by_pixels < 4 * by_place
