"""The encoder's look at a block: is it text, code, an image, audio, and does it have rows?

Only the block's bytes decide, never a name. All sums are integers, so that every machine comes to
the same type.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from glnzip.format.block_type import (
    A64,
    AUDIO,
    BINARY,
    CLASS_FILES,
    IMAGE,
    LEXICON,
    LEXICON_HEADING,
    PYTHON_CODE,
    TEXT,
    VOLUME,
    BlockType,
)
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.planner.a64 import address_of_code
from glnzip.planner.bitmaps import or_bitmap
from glnzip.planner.drawings import or_drawing
from glnzip.planner.media import choose_media_type
from glnzip.planner.number_trial import or_numbers
from glnzip.planner.records import or_records
from glnzip.planner.repeats import count_repeats
from glnzip.planner.volumes import without_slices
from glnzip.transforms.class_numbers import are_class_files
from glnzip.transforms.python_columns import are_modules
from glnzip.transforms.x86_addresses import code_kind

_SAMPLE_BYTES = 1 << 16
_SMALLEST = 512  # bytes; in less, nothing can be told
_LONGEST_ROW = 2048
_LONGEST_LINE = 1024  # bytes, on average
_LINE_FEED = 10
_ROWS_WANTED = 8  # a sample must hold this many rows
_CONTROLS = [*range(9), *range(14, 27), *range(28, 32)]
_TEXT_BYTES_FOR_A_CONTROL = 50


@lru_cache(maxsize=2)  # whoever asks twice does so at once
def choose_block_type(data: bytes, level: int = DEFAULT_LEVEL) -> BlockType:
    """The type of a block: a pure function of its bytes and the level."""
    if data.startswith(LEXICON_HEADING):
        return BlockType(LEXICON)
    if are_class_files(data):
        return BlockType(CLASS_FILES)
    if are_modules(data):
        return BlockType(PYTHON_CODE)
    if (address := address_of_code(data)) is not None:
        return BlockType(A64, address=address)
    block_type = choose_media_type(data, level) or _seen_as_bytes(data, level)
    block_type = or_drawing(data, block_type, level)
    if block_type.kind in (BINARY, AUDIO, IMAGE, VOLUME):
        # Whether numbers take less is asked of one image: slices are found in tables, too.
        plain = without_slices(block_type)
        if (numbers := or_numbers(data, plain, level)) != plain:
            block_type = numbers
    if block_type.kind == BINARY and block_type.row_bytes:
        return or_records(np.frombuffer(data, np.uint8), block_type)
    return block_type


def _seen_as_bytes(data: bytes, level: int) -> BlockType:
    """The type of a block that has no samples."""
    sample = np.frombuffer(data, np.uint8, count=min(len(data), _SAMPLE_BYTES))
    row_bytes = _row_length(sample) if sample.size >= _SMALLEST else 0
    kind = _kind(data)
    of_bytes = BlockType(kind, 0 if kind == TEXT and _has_lines(sample) else row_bytes)
    return or_bitmap(data, of_bytes, row_bytes, level)


def is_text(data: Any) -> bool:
    """Whether bytes (uint8[:]) are text: control characters, but those of texts, are rare in it.

    The same byte again and again counts once: archives, and terminals, pad texts with zeros.
    """
    counts = np.bincount(data[:1], minlength=256)
    for start in range(1, data.size, _SAMPLE_BYTES):  # NumPy counts in eight times the memory
        part = data[start : start + _SAMPLE_BYTES]
        once = part[part != data[start - 1 : start - 1 + part.size]]
        counts += np.bincount(once, minlength=256)
    return bool(_TEXT_BYTES_FOR_A_CONTROL * counts[_CONTROLS].sum() <= counts.sum())


def _kind(data: bytes) -> int:
    """The kind of a block that is seen byte by byte."""
    block = np.frombuffer(data, np.uint8)
    if is_text(block):
        return TEXT
    return code_kind(block.copy())  # kernels take arrays that may be written to


def _has_lines(sample: Any) -> bool:
    """Whether lines are of a usual length: they are better rows than bytes at any distance."""
    return bool(_LONGEST_LINE * np.count_nonzero(sample == _LINE_FEED) >= sample.size)


def _row_length(sample: Any) -> int:
    """The distance at which bytes repeat clearly more often than at others, or 0.

    Only places where the byte differs from the one before it count: long runs repeat at every
    distance.
    """
    changed = np.concatenate(([False], sample[1:] != sample[:-1]))
    longest = min(_LONGEST_ROW, sample.size // _ROWS_WANTED)
    repeats = np.zeros(longest + 1, np.int64)
    count_repeats(sample, changed.view(np.uint8), repeats)
    places = np.count_nonzero(changed) - np.concatenate(([0], np.cumsum(changed[:longest])))
    per_mille = np.where(places >= _SMALLEST // 4, 1000 * repeats // np.maximum(places, 1), 0)
    best = int(per_mille.max())
    usual = int(np.sort(per_mille[2:])[(longest - 1) // 2])
    if 10 * best < 16 * usual + 300:
        return 0
    return int(np.argmax(100 * per_mille >= 95 * best))
