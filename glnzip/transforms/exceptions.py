"""Sizes that are mostly the same, in recipes: the usual one, and the exceptions.

As bytes, exceptions are how many there are, and for each how many others lie between it and the one
before (or the first), and its own number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from glnzip.format.numbers import take_number, write_numbers

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


def write_exceptions(pairs: Any) -> bytes:
    """Exceptions (int64[:, 2]) as bytes."""
    gaps = np.diff(pairs[:, PLACE], prepend=-1) - 1
    rows = np.stack([gaps, pairs[:, VALUE]], 1)
    return write_numbers([len(rows), *rows.ravel().tolist()])


def take_exceptions(take: Callable[[int], bytes], places: int, values: range) -> Any:
    """The opposite of `write_exceptions`; nothing is trusted.

    Parameters
    ----------
    take
        Returns the next so many bytes.
    places
        How many there can be, and how many others between two of them.
    values
        What they can be.

    Raises
    ------
    CorruptStreamError
        If they are not.
    """

    def number(allowed: range) -> int:
        return take_number(take, allowed, "number in a recipe")

    rows = []
    place = -1
    for _ in range(number(range(places + 1))):
        place += 1 + number(range(places + 1))
        rows.append((place, number(values)))
    return exceptions(rows)
