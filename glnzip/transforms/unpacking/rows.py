"""The filters of PNG (its specification, section 9): rows of pixels as differences, and back.

Every row begins with a byte that names its filter: what is taken from each byte is nothing, the
byte of the pixel before, that above, the mean of both, or the best of the two and the one above the
pixel before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.jit import inline, kernel

_FILTERS = 5


def unfiltered(data: Any, row: int, step: int, above: bytes = b"") -> tuple[Any, Any] | None:
    """The filter bytes and the pixels of rows.

    Parameters
    ----------
    data : uint8[:]
        Rows of ``1 + row`` bytes.
    row : int
        Bytes of a row without that of the filter.
    step : int
        Bytes of a pixel, 1 if it has less.
    above : bytes
        The pixels of the row above the first, if there is one.

    Returns
    -------
    filters, pixels : uint8[rows], uint8[rows * row]
        None if there are no such filters.
    """
    rows = np.concatenate([_row_of(above), data]).reshape(-1, 1 + row)
    filters = rows[:, 0].copy()
    pixels = np.zeros((len(rows), row), np.uint8)
    if filters.max() >= _FILTERS:
        return None
    _undo(rows, step, pixels)
    first = 1 if above else 0
    return filters[first:], pixels[first:].ravel()


def filtered(filters: Any, pixels: Any, row: int, step: int, above: bytes = b"") -> Any:
    """The rows again that `unfiltered` was given; any byte is a filter here."""
    first = _row_of(above)
    pixels = np.concatenate([first[1:], pixels]).reshape(-1, row)
    rows = np.zeros((len(pixels), 1 + row), np.uint8)
    rows[:, 0] = np.concatenate([first[:1], filters])
    _redo(rows, step, pixels)
    return rows.ravel()[first.size :]


def _row_of(above: bytes) -> Any:
    """A row that is not filtered, if there is one: uint8[:]."""
    return np.frombuffer(b"\0" + above if above else b"", np.uint8)


@kernel
def _undo(rows, step, pixels):
    for y in range(rows.shape[0]):
        for x in range(pixels.shape[1]):
            guess = _predicted(pixels, y, x, step, rows[y, 0])
            pixels[y, x] = np.uint8((np.int64(rows[y, x + 1]) + guess) & 255)


@kernel
def _redo(rows, step, pixels):
    for y in range(rows.shape[0]):
        for x in range(pixels.shape[1]):
            guess = _predicted(pixels, y, x, step, rows[y, 0])
            rows[y, x + 1] = np.uint8((np.int64(pixels[y, x]) - guess) & 255)


@inline
def _predicted(pixels, y, x, step, which):
    """What a filter takes from a byte: int64."""
    left = np.int64(0)
    above = np.int64(0)
    corner = np.int64(0)
    if x >= step:
        left = np.int64(pixels[y, x - step])
    if y > 0:
        above = np.int64(pixels[y - 1, x])
        if x >= step:
            corner = np.int64(pixels[y - 1, x - step])
    guess = np.int64(0)
    if which == 1:
        guess = left
    elif which == 2:
        guess = above
    elif which == 3:
        guess = (left + above) >> 1
    elif which == 4:
        distances = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
        guess = corner
        if distances[0] <= distances[1] and distances[0] <= distances[2]:
            guess = left
        elif distances[1] <= distances[2]:
            guess = above
    return guess
