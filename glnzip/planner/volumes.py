"""Whether a grey image has slices: a volume, a stack of pictures, a film.

What the three nearest neighbours miss, they miss alike in the slice before, if there is one: where
errors agree best is how far back it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.format.block_type import (
    IMAGE,
    SAMPLE_FORMS,
    VOLUME,
    VOLUMES,
    WIDE_IMAGE,
    WIDE_VOLUME,
    BlockType,
)
from glnzip.format.container import MAX_SLICE_BYTES
from glnzip.planner.correlation import products_and_squares
from glnzip.planner.guess import RATE_BYTES, Guess, samples_of
from glnzip.planner.pictures import plane_errors

_LARGEST = 4  # times the mean error; edges alone do not decide
_BITS = 10  # of errors: so few that sums of products are exact
_LEAST_ROWS = 16  # as near, and nearer, errors agree in one picture too
_LEAST_AGREEMENT = 250  # per mille
_SHORTER = 97  # per cent of the best agreement, at which the shortest distance is taken
_TOLD = 720  # 1 / (2 ln 2) of a bit, in 1/1000: what squared agreement tells of a sample at least
_MOST_SAMPLES = 1 << 19  # of the middle of the block, that are compared
_MOST_OF_THEM = 2, 3  # that may lie between two of them


def with_slices(block: Any, image: Guess | None) -> Guess | None:
    """A guess of an image, of all of a block (uint8[:]), with the length of its slices if any."""
    if image is None:
        return None
    agreement, seen = _slices(block, image.block_type)
    width = SAMPLE_FORMS[seen.sample_form][0]
    told = RATE_BYTES * agreement * agreement * _TOLD // (10**9 * width)
    return Guess(max(image.rate - told, 0), seen)


def or_slices(block: Any, image: BlockType) -> BlockType:
    """The type of a block (uint8[:]) that is known for an image, with the length of its slices."""
    return _slices(block, image)[1]


def without_slices(block_type: BlockType) -> BlockType:
    """The type of a block as one image, if it is a volume; else as it is."""
    if block_type.kind not in VOLUMES:
        return block_type
    kind = IMAGE if block_type.kind == VOLUME else WIDE_IMAGE
    return block_type._replace(kind=kind, slice_bytes=0)


def _slices(block: Any, image: BlockType) -> tuple[int, BlockType]:
    """How far errors agree with those a slice before, in 1/1000; 0 and the same type if none is."""
    width = SAMPLE_FORMS[image.sample_form][0]
    if image.step != width:
        return 0, image
    row = image.row_bytes // width
    samples = samples_of(block[None, :], image.sample_form, image.phase)[0]
    samples = samples[max(samples.size - _MOST_SAMPLES, 0) // 2 :][:_MOST_SAMPLES]
    least = _LEAST_ROWS * row
    most = min(samples.size * _MOST_OF_THEM[0] // _MOST_OF_THEM[1], MAX_SLICE_BYTES // width)
    if most <= least or not _is_smooth(samples, row):
        return 0, image
    agreement = _agreement(plane_errors(samples, row, 1), most)[least:]
    best = int(agreement.max())
    further = int(np.argmax(100 * agreement >= _SHORTER * best))
    if best < _LEAST_AGREEMENT or not further:
        return 0, image
    slice_samples = least + further
    kind = VOLUME if image.kind == IMAGE else WIDE_VOLUME
    return best, image._replace(kind=kind, slice_bytes=width * slice_samples)


def _is_smooth(samples: Any, row: int) -> bool:
    """Whether samples (int64[:]) are closer to those beside them than half a row off.

    In tables they are not.
    """
    near, far = (int(np.abs(samples[n:] - samples[:-n]).sum()) for n in (1, max(row // 2, 1)))
    return 5 * near < 4 * far


def _agreement(errors: Any, longest: int) -> Any:
    """How far errors (int64[:]) agree with those at each distance before, in 1/1000: int64[:]."""
    bound = max(_LARGEST * int(np.abs(errors).sum()) // errors.size, 1)
    errors = np.clip(errors, -bound, bound) >> max(bound.bit_length() - _BITS, 0)
    products, squares = products_and_squares(errors, longest)
    return 2000 * products // np.maximum(squares, 1)
