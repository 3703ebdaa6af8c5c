"""Portions of a deflate stream that is too long to be undone as a whole.

A portion has whole blocks of the stream. What comes next depends on the data before it, and begins
in the middle of a byte, as a rule: `Before` is all that is to be kept. The data of a portion may go
further than its blocks, so that they end where whoever gets them wants it, behind a row of pixels;
then the next blocks tell what these have not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.transforms.deflate.places import FARTHEST
from glnzip.transforms.deflate.recipe import Recipe, filled_up, rebuild_blocks, recipe_of
from glnzip.transforms.deflate.stream import DATA_END, Known, read_blocks


class Before(NamedTuple):
    """What a portion goes on from.

    Attributes
    ----------
    data : uint8[:]
        The last that blocks have told, `FARTHEST` bytes at most, and those that none has told yet.
    untold : int
        How many these are.
    bits, bit_count : int
        The bits behind the last whole byte of the stream, and how many they are.
    """

    data: Any
    untold: int
    bits: int
    bit_count: int

    @property
    def begin(self) -> int:
        """Where the data begin that no block has told."""
        return len(self.data) - self.untold


NOTHING_BEFORE = Before(np.zeros(0, np.uint8), 0, 0, 0)


class Portion(NamedTuple):
    """A part of a stream.

    Attributes
    ----------
    data : uint8[:]
        Those that come with it.
    recipe : Recipe
    size : int
        Whole bytes of the stream.
    after : Before or None
        None if the stream ends with it.
    """

    data: Any
    recipe: Recipe
    size: int
    after: Before | None


def describe_portion(
    stream: Any,
    before: Before,
    most: int,
    row: int,
    window_bits: int,
    may_wait: bool,
    tried: Callable[[int], None],
) -> Portion | None:
    """Undo the next blocks of a stream, as many as are known.

    Parameters
    ----------
    stream : uint8[:]
        What comes behind the whole bytes that portions before have; the last `SPARE` bytes do not
        count.
    before : Before
    most : int
        Bytes of data at most.
    row : int
        The data are so many bytes, or a multiple of that.
    window_bits, tried
        As of `recipe.describe`.
    may_wait : bool
        Whether more of the stream may come, if there are fewer data than that.

    Returns
    -------
    Portion or None
        None if no block is whole, or the stream is broken, or too far from what zlib makes.

    Raises
    ------
    UnfinishedError
        If it may wait, and should.
    """
    begin, known = before.begin, len(before.data)
    found = read_blocks(
        stream, before.data[:begin], before.bit_count, before.untold + most, may_wait, tried
    )
    if found is None:
        return None
    parts, which = found
    end = known + (len(parts.data) - known) // row * row
    ends = parts.blocks[:, DATA_END]
    if which == Known.WHOLE and end < len(parts.data):
        return None
    if row == 1:
        end = int(ends[-1])
    parts = parts._replace(data=parts.data[:end]).first_blocks(
        int(np.searchsorted(ends, end, "right"))
    )
    if end <= known or not len(parts.blocks):
        return None
    recipe = recipe_of(stream, parts, window_bits)
    if recipe is None:
        return None
    goes_on = which != Known.WHOLE
    if goes_on:
        recipe.fills[-1] = 0
    data = parts.data[known:]
    untold = end - int(parts.blocks[-1, DATA_END])
    made, after = rebuild_portion(before, data, recipe, untold, goes_on=goes_on)
    if not np.array_equal(made, stream[: len(made)]):
        return None
    return Portion(data, recipe, len(made), after)


def rebuild_portion(
    before: Before, data: Any, recipe: Recipe, untold: int, *, goes_on: bool
) -> tuple[Any, Before | None]:
    """The bytes of a portion, and what comes after it.

    Parameters
    ----------
    before : Before
    data : uint8[:]
    recipe : Recipe
    untold : int
        How many of the data its blocks do not tell.
    goes_on : bool
        Whether the stream goes on.

    Returns
    -------
    stream : uint8[:]
    after : Before or None

    Raises
    ------
    CorruptStreamError
        If the recipe is not one for these data.
    """
    both = np.concatenate([before.data, data])
    end = len(both) - untold
    if end < before.begin or (untold and not goes_on):
        raise CorruptStreamError("a recipe does not fit its data")
    stream, bits = rebuild_blocks(both, before.begin, end, recipe, before.bits, before.bit_count)
    if not goes_on:
        return filled_up(stream, bits, recipe), None
    size = bits >> 3
    after = Before(both[max(0, end - FARTHEST) :], untold, int(stream[size]), bits & 7)
    return stream[:size], after
