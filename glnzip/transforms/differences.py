"""Samples of pictures as differences from those before in their row, and back.

TIFF 6.0, section 14: each sample less that of the pixel before, of the same channel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

OF_BYTES, OF_TWO_HIGHEST_FIRST, OF_TWO_LOWEST_FIRST = range(3)
"""What samples are: bytes, or numbers of two bytes."""

_TYPES = ("u1", ">u2", "<u2")


def differences(pixels: bytes, row: int, step: int, samples: int) -> bytes:
    """The differences of whole rows.

    Parameters
    ----------
    pixels
    row
        Bytes of a row; a multiple of those of a pixel.
    step
        Samples of a pixel.
    samples
        `OF_BYTES` or another.
    """
    rows = _rows(pixels, row, samples)
    changed = rows.copy()
    changed[:, step:] -= rows[:, :-step]
    return changed.tobytes()


def sums(changed: bytes, row: int, step: int, samples: int) -> bytes:
    """The opposite of `differences`."""
    rows = _rows(changed, row, samples)
    pixels = rows.reshape(len(rows), -1, step)
    return np.cumsum(pixels, axis=1, dtype=pixels.dtype).astype(rows.dtype).tobytes()


def _rows(data: bytes, row: int, samples: int) -> Any:
    dtype = np.dtype(_TYPES[samples])
    return np.frombuffer(data, dtype).reshape(-1, row // dtype.itemsize)


def are_whole(size: int, row: int, step: int, samples: int) -> bool:
    """Whether so many bytes are rows of whole pixels."""
    pixel = step * np.dtype(_TYPES[samples]).itemsize
    return step > 0 and row > 0 and size % row == 0 and row % pixel == 0
