"""The encoder's look at a block of numbers: is it an image, or audio?

A guess is a way to cut the bytes into samples and to predict each from its neighbours. It is judged
by the code length of what it gets wrong, against that of the bytes after one byte of context. All
sums are integers, so that every machine comes to the same type. Whether samples of two bytes are
pixels or audio, neighbours alone cannot tell: there, the model tries both on a piece of the block.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.format.block_type import BINARY, SAMPLE_FORMS, BlockType
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.planner.guess import Guess
from glnzip.planner.pictures import NARROW, guess_image, guess_wide_image
from glnzip.planner.sounds import guess_audio
from glnzip.planner.trial import Trial
from glnzip.planner.volumes import with_slices

_SMALLEST = 4096  # bytes; in less, little is to be gained
_GAIN_OF_AUDIO = 125  # per cent
_TRIED_ROWS = 8  # in each half of what is tried
_TRIED_BYTES = (1 << 13, 1 << 15)  # at least and at most, the same
_BEST_OF_TRIAL = 99  # per cent of what another type takes, or less
_EVEN = 6  # a multiple of the width of any sample


def choose_media_type(data: bytes, level: int = DEFAULT_LEVEL) -> BlockType | None:
    """The type of a block of numbers at a level, or None if it had better be seen otherwise."""
    if len(data) < _SMALLEST:
        return None
    block = np.frombuffer(data, np.uint8)
    image = with_slices(block, guess_image(block, level))
    if image and image.block_type.row_bytes < NARROW:
        records = BlockType(BINARY, image.block_type.row_bytes)
        image = image if _is_better(image.block_type, records, block, level) else None
    seen = _image_or_audio(image, guess_audio(block))
    wide = with_slices(block, guess_wide_image(block))
    if wide and (seen is None or _is_better(wide.block_type, seen, block, level)):
        return wide.block_type
    return seen


def _image_or_audio(image: Guess | None, audio: Guess | None) -> BlockType | None:
    if image and audio:
        # A long filter gains much on the audio judged here; an image is judged more nearly.
        if image.block_type.step == 3 and audio.block_type.step == 1:
            return image.block_type  # grey in three channels sounds flat
        gain = _GAIN_OF_AUDIO if SAMPLE_FORMS[audio.block_type.sample_form][0] == 2 else 100
        return image.block_type if gain * image.rate < 100 * audio.rate else audio.block_type
    guess = image or audio
    return guess.block_type if guess else None


def _is_better(image: BlockType, other: BlockType, block: Any, level: int) -> bool:
    """Whether a piece of the block is clearly smaller as an image."""
    tried = Trial(*_piece(block, image.row_bytes), level)
    return 100 * tried.bytes_as(image) < _BEST_OF_TRIAL * tried.bytes_as(other)


def _piece(block: Any, row: int) -> tuple[bytes, int]:
    """A part of the first half of the block and one of the second, some rows further; their start.

    Both together look like one: rows and samples go on.
    """
    least, most = _TRIED_BYTES
    size = min(max(_TRIED_ROWS * row, least), most, block.size // 2)
    start = block.size // 4 - size // 2
    apart = max(block.size // 2 // (_EVEN * row) * _EVEN * row, size)
    parts = block[start : start + size], block[start + apart : start + apart + size]
    return b"".join(part.tobytes() for part in parts), start
