"""A guess of what samples a block has, and the samples as it takes them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.format.block_type import SAMPLE_FORMS, BlockType

RATE_BYTES = 1024
"""Code lengths are told in bits for so many bytes."""


class Guess(NamedTuple):
    """A block type and its code length, in bits for `RATE_BYTES` bytes."""

    rate: int
    block_type: BlockType


def samples_of(pieces: Any, form: int, phase: int) -> Any:
    """The numbers written in some pieces (int64[pieces, bytes]): int64[pieces, samples]."""
    width, signed, little = SAMPLE_FORMS[form]
    count = (pieces.shape[1] - phase) // width
    digits = pieces[:, phase : phase + count * width].reshape(len(pieces), count, width)
    total = np.zeros(digits.shape[:2], np.int64)
    for k in range(width):
        total = total << 8 | digits[:, :, width - 1 - k if little else k]
    half = 1 << 8 * width - 1
    return (total ^ half) - half if signed else total
