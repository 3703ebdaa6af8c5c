"""A deflate stream among other data, undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from glnzip.format.numbers import write_number
from glnzip.transforms.deflate.recipe import describe
from glnzip.transforms.deflate.recipe_bytes import write_recipe
from glnzip.transforms.unpacking.parts import MOST_BYTES, is_cheap
from glnzip.transforms.unpacking.window import Window


class Stream(NamedTuple):
    """A deflate stream that was undone."""

    data: bytes
    recipe: bytes
    """With its length before it."""
    size: int


def undone(
    window: Window,
    buffer: Any,
    window_bits: int = 15,
    fits: Callable[[Any, int], bool] = lambda data, size: True,
    *,
    alone: bool = True,
) -> Stream | None:
    """The stream at the start of a buffer, if it fits; one that is alone must pay its recipe."""
    if window.is_worn:
        return None
    found = describe(buffer, MOST_BYTES, window_bits, fits, window.tried)
    if found is None:
        return None
    data, recipe, size = found
    written = write_recipe(recipe)
    if alone and not is_cheap(written, size):
        return None
    return Stream(data.tobytes(), write_number(len(written)) + written, size)


def window_bits_of(header: int) -> int:
    """Those that the first byte of a header of zlib tells (RFC 1950, section 2.2)."""
    return max(9, 8 + (header >> 4 & 7))
