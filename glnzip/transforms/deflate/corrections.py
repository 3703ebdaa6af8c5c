"""Tokens that are not the predicted ones, told so that little is to be said.

Corrections are sorted by what was predicted, and each is told as a difference from that: how many
predictions of its class were right since the last wrong one; how much longer or shorter the match
is; and not how far back it reaches, but how many nearer places have the same bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.jit import inline
from glnzip.transforms.deflate.places import FARTHEST, same_bytes
from glnzip.transforms.deflate.zlib_parse import LEAST_MATCH

# What was predicted: a literal; one, because a longer match follows; a match of so many bytes.
LITERAL, DEFERRED, OF_3, OF_5, LONGER, CLASSES = range(6)

# Columns of a correction: class; right predictions of the class since the last wrong one; length,
# as a difference; nearer places with the same bytes, plus one, or 0; if that is 0, the distance.
CLASS, RIGHT, LENGTH, RANK, DISTANCE, CORRECTION_COLUMNS = range(6)
RANKS = 1 << 12  # places that are looked at


def are_matches(corrections: Any) -> Any:
    """Which corrections are matches, and not literals: bool[:]."""
    return (corrections[:, CLASS] <= DEFERRED) | (corrections[:, LENGTH] > 0)


@inline
def class_of(token, deferred):
    """The class of a predicted token."""
    length = token >> 16
    if length == 0:
        return np.int64(DEFERRED if deferred else LITERAL)
    if length == LEAST_MATCH:
        return np.int64(OF_3)
    return np.int64(OF_5 if length <= 5 else LONGER)


@inline
def tell(correction, data, places, place, predicted, token):
    """Write down a token that is not the predicted one: `LENGTH`, `RANK` and `DISTANCE`."""
    length, expected = token >> 16, predicted >> 16
    correction[LENGTH] = 0
    correction[RANK] = 0
    correction[DISTANCE] = 0
    if length > 0:
        difference = length - expected
        if expected == 0:
            correction[LENGTH] = length - LEAST_MATCH
        elif difference < 0:
            correction[LENGTH] = -2 * difference
        else:
            correction[LENGTH] = 2 * difference + 1
        correction[RANK] = _rank(data, places, place, length, token & 0xFFFF)
        if correction[RANK] == 0:
            correction[DISTANCE] = token & 0xFFFF


@inline
def told(correction, data, places, place, room, predicted):
    """The token that was told, or -1 if there is none like that.

    Its bytes are no more than `room`, and it does not reach back before the start.
    """
    expected, number = predicted >> 16, correction[LENGTH]
    if expected > 0 and number == 0:
        return np.int64(data[place])
    length = number + LEAST_MATCH
    if expected > 0:
        length = expected + (number >> 1 if number & 1 > 0 else -(number >> 1))
    if length < LEAST_MATCH or length > room:
        return np.int64(-1)
    distance = correction[DISTANCE]
    if correction[RANK] > 0:
        distance = _distance(data, places, place, length, correction[RANK])
    if distance == 0 or distance > place:
        return np.int64(-1)
    return length << 16 | distance


@inline
def _rank(data, places, place, length, distance):
    """One for the nearest place with so many bytes that are the same, and so on; or 0."""
    rank = np.int64(0)
    candidate = np.int64(places.near[place])
    for _ in range(RANKS):
        if candidate < 0 or place - candidate > distance:
            break
        if same_bytes(data, candidate, place, length) == length:
            rank += 1
            if place - candidate == distance:
                return rank
        candidate = np.int64(places.near[candidate])
    return np.int64(0)


@inline
def _distance(data, places, place, length, rank):
    """The other way round; 0 if there are not so many places."""
    candidate = np.int64(places.near[place])
    for _ in range(RANKS):
        if candidate < 0 or place - candidate > FARTHEST:
            break
        if same_bytes(data, candidate, place, length) == length:
            rank -= 1
            if rank == 0:
                return place - candidate
        candidate = np.int64(places.near[candidate])
    return np.int64(0)
