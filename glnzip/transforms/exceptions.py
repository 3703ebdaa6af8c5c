"""Sizes that are mostly the same, in recipes: the usual one, and the exceptions.

As bytes, exceptions are how many there are, and for each how many others lie between it and the one
before (or the first), and its own number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from glnzip.format.numbers import take_number, write_number, write_numbers

PLACE, VALUE = range(2)
"""Columns of exceptions: the number of each among all, from 0 and in ascending order; its own."""


class Sizes(NamedTuple):
    """Sizes, the last of which may be smaller than told: it has what is left."""

    usual: int
    others: Any
    """int64[:, 2]: the exceptions."""


def told(sizes: Sequence[int], alone: int) -> Sizes:
    """Some sizes; `alone` is the usual one where there is but one. A usual one of 0 is no bound."""
    most = Counter(size for size in sizes[:-1] if size).most_common(1)
    usual = most[0][0] if most else alone
    others = [(k, size) for k, size in enumerate(sizes[:-1]) if size != usual or not size]
    if sizes and 0 < usual < sizes[-1]:
        others.append((len(sizes) - 1, sizes[-1]))
    return Sizes(usual, exceptions(others))


def cut(data: bytes, sizes: Sizes) -> Iterator[bytes]:
    """Data in parts of such sizes, none of which is 0."""
    others = dict(sizes.others.tolist())
    at = number = 0
    while at < len(data):
        part = data[at : at + others.get(number, sizes.usual)]
        yield part
        at += len(part)
        number += 1


def exceptions(pairs: Sequence[tuple[int, int]]) -> Any:
    """Exceptions (int64[:, 2]) from pairs of `PLACE` and `VALUE`."""
    return np.array(pairs, np.int64).reshape(-1, 2)


def gaps(places: Any) -> Any:
    """How many others lie before each of some places (int64[:]), and behind the one before."""
    return np.diff(places, prepend=-1) - 1


def write_exceptions(pairs: Any) -> bytes:
    """Exceptions (int64[:, 2]) as bytes."""
    rows = np.stack([gaps(pairs[:, PLACE]), pairs[:, VALUE]], 1)
    return write_numbers([len(rows), *rows.ravel().tolist()])


def write_sizes(sizes: Sizes) -> bytes:
    """The usual size and the exceptions from it as bytes."""
    return write_number(sizes.usual) + write_exceptions(sizes.others)


def number_in_recipe(take: Callable[[int], bytes], allowed: range) -> int:
    """The next number of a recipe, by what returns its next so many bytes.

    Raises
    ------
    CorruptStreamError
        If it is not allowed.
    """
    return take_number(take, allowed, "number in a recipe")


def take_exceptions(take: Callable[[int], bytes], most: int, between: int, values: range) -> Any:
    """The opposite of `write_exceptions`; nothing is trusted.

    Parameters
    ----------
    take
        Returns the next so many bytes.
    most
        How many there can be ...
    between
        ... and how many others between two of them.
    values
        What they can be.

    Raises
    ------
    CorruptStreamError
        If they are not.
    """
    rows = []
    place = -1
    for _ in range(number_in_recipe(take, range(most + 1))):
        place += 1 + number_in_recipe(take, range(between + 1))
        rows.append((place, number_in_recipe(take, values)))
    return exceptions(rows)


def take_sizes(take: Callable[[int], bytes], most: int, values: range) -> Sizes:
    """The opposite of `write_sizes`, of so many exceptions at most; also the usual is a value."""
    usual = number_in_recipe(take, values)
    return Sizes(usual, take_exceptions(take, most, most, values))
