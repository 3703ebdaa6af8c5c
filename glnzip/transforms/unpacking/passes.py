"""Interlaced PNG (its specification, section 8.2, Adam7): pictures in seven passes, and back.

Each pass has the pixels of some rows and columns, as a picture of its own, with filters of its own.
Together they are seen as rows of the whole picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from glnzip.transforms.unpacking.rows import filtered, unfiltered

# The first row and the first column of each pass, and how far the next ones are.
_PASSES = (
    (0, 0, 8, 8),
    (0, 4, 8, 8),
    (4, 0, 8, 4),
    (0, 2, 4, 4),
    (2, 0, 4, 2),
    (0, 1, 2, 2),
    (1, 0, 2, 1),
)


class Pass(NamedTuple):
    """A pass that has pixels."""

    rows: slice
    columns: slice
    height: int
    row: int
    """Bytes of a row of its pixels."""

    @property
    def bytes(self) -> int:
        """Of its pixels, each row behind its filter."""
        return self.height * (1 + self.row)


def passes_of(row: int, step: int, height: int) -> Iterator[Pass]:
    """The passes of a picture with so many rows of so many bytes, and so many in a pixel."""
    for first_row, first_column, rows_on, columns_on in _PASSES:
        rows, columns = slice(first_row, None, rows_on), slice(first_column, None, columns_on)
        rows_in, columns_in = len(range(height)[rows]), len(range(row // step)[columns])
        if rows_in and columns_in:
            yield Pass(rows, columns, rows_in, columns_in * step)


def bytes_in_passes(row: int, step: int, height: int) -> tuple[int, int]:
    """How many filters there are, and how many bytes with the pixels."""
    passes = list(passes_of(row, step, height))
    return sum(one.height for one in passes), sum(one.bytes for one in passes)


def out_of_passes(data: Any, row: int, step: int, height: int) -> tuple[Any, Any] | None:
    """The filters of all passes, and the pixels of the whole picture.

    Parameters
    ----------
    data : uint8[:]
        The passes, as many bytes as `bytes_in_passes` says.
    row, step, height : int
        Bytes of a row of the picture and of a pixel, which divides them; rows.

    Returns
    -------
    filters, pixels : uint8[filters], uint8[height * row]
        None if there are no such filters.
    """
    picture = np.zeros((height, row // step, step), np.uint8)
    filters = []
    at = 0
    for one in passes_of(row, step, height):
        found = unfiltered(data[at : at + one.bytes], one.row, step)
        if found is None:
            return None
        filters.append(found[0])
        picture[one.rows, one.columns] = found[1].reshape(one.height, -1, step)
        at += one.bytes
    return np.concatenate(filters), picture.ravel()


def in_passes(filters: Any, pixels: Any, row: int, step: int, height: int) -> Any:
    """The passes again that `out_of_passes` was given: uint8[:]."""
    picture = pixels.reshape(height, row // step, step)
    parts = []
    at = 0
    for one in passes_of(row, step, height):
        part = picture[one.rows, one.columns].ravel()
        parts.append(filtered(filters[at : at + one.height], part, one.row, step))
        at += one.height
    return np.concatenate(parts)
