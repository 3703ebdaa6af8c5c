"""For each place of the data, the last ones before it where the same bytes stand.

These chains have all places, unlike those of zlib, which a search enters as it goes. There are two:
*near* ones have the places with the same three bytes, *far* ones those where, besides, the first
byte stands as many times in a row, and the two bytes behind are the same. Without the second, a
search would go from place to place of a long run in vain.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, kernel

NONE = -1
FARTHEST = 1 << 15  # that deflate can reach back
_HASHES = 1 << 16
_RUN = 40503  # spreads lengths of runs over the hashes


class Places(NamedTuple):
    """The place before each, of the same hash; `NONE` if there is none.

    Attributes
    ----------
    near, far : int32[:]
        The second may be empty.
    """

    near: Any
    far: Any


def places_of(data: Any, *, far: bool) -> Places:
    """The chains of some data (uint8[:]), with the far ones or without."""
    places = Places(*(np.full(size, NONE, np.int32) for size in (len(data), far * len(data))))
    _link(data, places, *np.full((2, _HASHES), NONE, np.int32))
    return places


@kernel
def _link(data, places, near_heads, far_heads):
    size = np.int64(data.size)
    end = np.int64(0)  # of the run that a place is in
    for i in range(size - 2):
        first = np.int64(data[i])
        number = _hash(first, np.int64(data[i + 1]), np.int64(data[i + 2]))
        places.near[i] = near_heads[number]
        near_heads[number] = i
        if places.far.size == 0:
            continue
        while end <= i or (end < size and data[end] == data[i]):
            end += 1
        if end + 1 < size:
            number = _hash(first, np.int64(data[end]), np.int64(data[end + 1]))
            number ^= (end - i - 1) * _RUN & (_HASHES - 1)
            places.far[i] = far_heads[number]
            far_heads[number] = i


@inline
def _hash(first, second, third):
    return (first << 12 ^ second << 6 ^ third) & (_HASHES - 1)


@inline
def same_bytes(data, one, other, most):
    """How many bytes at two places are the same: `most`, or fewer."""
    same = np.int64(0)
    while same < most and data[one + same] == data[other + same]:
        same += 1
    return same
