"""A stream of LZW as data and a recipe: what its writer was free to do.

A recipe as bytes has, as numbers (`glnzip.format.numbers`):

    bits of a byte of data
    1 if it does not begin with a clear code + 2 if it does not end with an end code + 4 if its form
    is that of TIFF
    codes between two clear codes, 0 if there are none; exceptions (`glnzip.transforms.exceptions`)
    exceptions from the longest tokens: their bytes
    clear codes behind the data
    bits that fill up the last byte; bytes behind it, and those
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.format.numbers import write_numbers
from glnzip.transforms.deflate.bits import SPARE, padded
from glnzip.transforms.exceptions import (
    Sizes,
    number_in_recipe,
    take_exceptions,
    take_sizes,
    told,
    write_exceptions,
    write_sizes,
)
from glnzip.transforms.lzw.dictionary import (
    MOST_CODES,
    MOST_WIDTH,
    OF_GIF,
    OF_TIFF,
    new_dictionary,
)
from glnzip.transforms.lzw.stream import (
    CLEARED,
    DATA,
    ENDED,
    RUNS,
    SHORTS,
    read_stream,
    write_stream,
)

BYTE_BITS = range(2, 9)
"""Bits of a byte of data (GIF89a, appendix F)."""

MOST_TAIL = 255
"""Bytes behind the codes."""

MOST_EXCEPTIONS = 1 << 16
"""Runs, and tokens that are not the longest, in a stream that is taken apart."""


class Recipe(NamedTuple):
    """What a stream of LZW is beside its data."""

    bits: int
    """Of a byte of data."""
    form: int
    """`OF_GIF` or `OF_TIFF`."""
    cleared: bool
    """Whether it begins with a clear code."""
    ended: bool
    """Whether it ends with an end code."""
    runs: Sizes
    """Codes between two clear codes; 0 if there are none."""
    shorts: Any
    """int64[:, 2]: tokens that are not the longest, as exceptions."""
    behind: int
    """Clear codes behind the data."""
    pad: int
    """Bits that fill up the last byte of the codes."""
    tail: bytes
    """What is behind it."""


def describe(
    stream: bytes, bits: int, most: int, form: int = OF_GIF
) -> tuple[bytes, Recipe] | None:
    """Take a stream apart.

    Parameters
    ----------
    stream
    bits
        Of a byte of data, one of `BYTE_BITS`.
    most
        Bytes of data, at most.
    form
        `OF_GIF` or `OF_TIFF`.

    Returns
    -------
    data, recipe
        None if it is no such stream, or its recipe would be very long.
    """
    data = np.zeros(most, np.uint8)
    runs = np.zeros(MOST_EXCEPTIONS, np.int64)
    shorts = np.zeros((MOST_EXCEPTIONS, 2), np.int64)
    strings = np.zeros((MOST_CODES, 2), np.int64)
    found = np.zeros(5, np.int64)
    buffer = padded(np.frombuffer(stream, np.uint8))
    end = int(read_stream(buffer, form, bits, new_dictionary(), strings, data, runs, shorts, found))
    tail = stream[(end + 7) // 8 :]
    if end < 0 or len(tail) > MOST_TAIL:
        return None
    codes = runs[: found[RUNS]].tolist()
    behind = 0
    while len(codes) > 1 and not codes[-1]:
        codes.pop()
        behind += 1
    recipe = Recipe(
        bits,
        form,
        bool(found[CLEARED]),
        bool(found[ENDED]),
        told(codes, alone=0),
        shorts[: found[SHORTS]],
        behind,
        _pad(stream, end, form),
        tail,
    )
    return data[: found[DATA]].tobytes(), recipe


def _pad(stream: bytes, end: int, form: int) -> int:
    """The bits behind the codes in their last byte."""
    if end % 8 == 0:
        return 0
    last = stream[end // 8]
    return last & (1 << 8 - end % 8) - 1 if form == OF_TIFF else last >> end % 8


def rebuild(data: bytes, recipe: Recipe, most: int) -> bytes:
    """The stream that `describe` was given, of so many bytes at most.

    Raises
    ------
    CorruptStreamError
        If the recipe does not fit the data, or the stream would be longer.
    """
    array = np.frombuffer(data, np.uint8)
    if array.size and array.max() >> recipe.bits:
        raise CorruptStreamError("a recipe does not fit its content")
    codes = 2 * array.size + len(recipe.runs.others) + recipe.behind + 2  # and clear codes, at most
    stream = np.zeros(min(most, codes * MOST_WIDTH // 8 + 1) + SPARE, np.uint8)
    frame = np.array([recipe.cleared, recipe.behind, recipe.ended], np.int64)
    usual, runs = recipe.runs
    end = write_stream(
        array, recipe.form, recipe.bits, new_dictionary(), usual, runs, recipe.shorts, frame, stream
    )
    if end < 0:
        raise CorruptStreamError("a recipe makes more than there is room for")
    written = stream[: (int(end) + 7) // 8]
    if end % 8:
        open_bits = 8 - int(end) % 8
        pad = recipe.pad & (1 << open_bits) - 1
        written[-1] |= np.uint8(pad if recipe.form == OF_TIFF else pad << 8 - open_bits)
    return written.tobytes() + recipe.tail


def write_recipe(recipe: Recipe) -> bytes:
    """A recipe as bytes."""
    flags = (not recipe.cleared) | (not recipe.ended) << 1 | recipe.form << 2
    written = write_numbers([recipe.bits, flags])
    written += write_sizes(recipe.runs) + write_exceptions(recipe.shorts)
    return written + write_numbers([recipe.behind, recipe.pad, len(recipe.tail)]) + recipe.tail


def read_recipe(take: Callable[[int], bytes], most: int) -> Recipe:
    """The opposite of `write_recipe`.

    Parameters
    ----------
    take
        Returns the next so many bytes.
    most
        Bytes of data, and of a stream.

    Raises
    ------
    CorruptStreamError
        If it is none.
    """
    bits, flags = number_in_recipe(take, BYTE_BITS), number_in_recipe(take, range(8))
    runs = take_sizes(take, most, range(most + 1))
    shorts = take_exceptions(take, most, most, range(1, most + 1))
    behind, pad = number_in_recipe(take, range(most + 1)), number_in_recipe(take, range(128))
    tail = take(number_in_recipe(take, range(MOST_TAIL + 1)))
    form = flags >> 2
    return Recipe(bits, form, not flags & 1, not flags & 2, runs, shorts, behind, pad, tail)
