"""Images of digits made alike: upright, smooth, of one length, and without what all share.

De-skewing shears an image and moves it so that its strokes stand upright at the centre, by the
second moments of its ink. Smoothing forgives a pixel's difference in place, and one length for all
images forgives bold and thin pens. At last the mean of the training images is taken off.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LENGTH = 30.0  # of an image, before the mean is taken off
_SLICE = 1000  # images worked on at a time


def prepared(images: Any, deskew: bool, plain: bool, training: int) -> Any:
    """Images as the networks see them: float32[n, pixels].

    Parameters
    ----------
    images : uint8[n, 28, 28]
    deskew, plain : bool
        See `bench.paper.mnist.Settings`.
    training : int
        How many of the first images the mean image is taken of.
    """
    flat = [
        _prepared(part, deskew, plain) for part in np.array_split(images, 1 + len(images) // _SLICE)
    ]
    pixels = np.concatenate(flat)
    return pixels - pixels[:training].mean(axis=0, dtype=np.float64).astype(np.float32)


def _prepared(images: Any, deskew: bool, plain: bool) -> Any:
    ink = images / 255.0
    if deskew:
        ink = upright(ink)
    if not plain:
        ink = smoothed(ink)
        length = np.sqrt(np.square(ink).sum(axis=(1, 2), keepdims=True))
        ink = ink * (LENGTH / np.maximum(length, 1e-9))
    return ink.reshape(len(ink), -1).astype(np.float32)


def smoothed(ink: Any) -> Any:
    """Every pixel mixed with its neighbours, [1 2 1] / 4 in both directions."""
    for axis in (1, 2):
        padding = [(1, 1) if a == axis else (0, 0) for a in range(3)]
        wide = np.moveaxis(np.pad(ink, padding), axis, 0)
        ink = np.moveaxis(0.25 * wide[:-2] + 0.5 * wide[1:-1] + 0.25 * wide[2:], 0, axis)
    return ink


def upright(ink: Any) -> Any:
    """De-skewed images: sheared along the rows and moved to the centre, bilinearly.

    With the ink's centre (r, c) and moments of second order, ``a = cov(row, column) / var(row)``
    is how far its columns lean; the pixel at (r', c') of the result comes from

        row ``r' - 13.5 + r``, column ``c' - 13.5 + c + a * (r' - 13.5)``

    Parameters
    ----------
    ink : float64[n, rows, columns]
    """
    count, rows, columns = ink.shape
    r, c = np.mgrid[:rows, :columns].astype(np.float64)
    total = np.maximum(ink.sum(axis=(1, 2)), 1e-9)
    row, column = ((ink * at).sum(axis=(1, 2)) / total for at in (r, c))
    down, right = r - row[:, None, None], c - column[:, None, None]
    variance = np.maximum((ink * down * down).sum(axis=(1, 2)), 1e-9)
    lean = (ink * down * right).sum(axis=(1, 2)) / variance
    from_centre = r - (rows - 1) / 2
    source_row = from_centre + row[:, None, None]
    source_column = (
        c - (columns - 1) / 2 + column[:, None, None] + lean[:, None, None] * from_centre
    )
    top, left = np.floor(source_row).astype(int), np.floor(source_column).astype(int)
    part_down, part_right = source_row - top, source_column - left
    border = np.pad(ink, ((0, 0), (1, 1), (1, 1)))  # what lies outside is blank

    def pixel(at_row: Any, at_column: Any) -> Any:
        at_row, at_column = np.clip(at_row, -1, rows) + 1, np.clip(at_column, -1, columns) + 1
        return border[np.arange(count)[:, None, None], at_row, at_column]

    upper = pixel(top, left) * (1 - part_right) + pixel(top, left + 1) * part_right
    lower = pixel(top + 1, left) * (1 - part_right) + pixel(top + 1, left + 1) * part_right
    return upper * (1 - part_down) + lower * part_down
