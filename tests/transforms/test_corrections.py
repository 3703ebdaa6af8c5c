"""Tokens told as differences, the chains that distances are counted in, and the cheapest path."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glnzip.transforms.deflate.cheapest_path import cheapest_path
from glnzip.transforms.deflate.codes import (
    DISTANCE_EXTRA,
    FIXED_LITERALS,
    LENGTH_CODE,
    LENGTH_EXTRA,
    distance_code,
)
from glnzip.transforms.deflate.corrections import (
    CORRECTION_COLUMNS,
    DISTANCE,
    LENGTH,
    RANK,
    tell,
    told,
)
from glnzip.transforms.deflate.places import NONE, places_of
from glnzip.transforms.deflate.stream import BLOCK_COLUMNS, DATA_END, FIXED, KIND

few_letters = st.text("ab", min_size=4, max_size=80).map(str.encode)


def as_array(data: bytes) -> Any:
    return np.frombuffer(data, np.uint8)


def matches(data: bytes, place: int) -> list[tuple[int, int]]:
    """All lengths and distances of matches at a place."""
    found = []
    for distance in range(1, place + 1):
        length = 0
        while (
            place + length < len(data) and data[place + length - distance] == data[place + length]
        ):
            length += 1
            if length >= 3:
                found.append((length, distance))
    return found


def run_at(data: bytes, place: int) -> int:
    return len(data) - place - len(data[place:].lstrip(data[place : place + 1]))


@given(few_letters)
def test_places(data: bytes):
    """The last ones with the same three bytes; with the same run and the two bytes behind it."""
    places = places_of(as_array(data), far=True)
    for place in range(len(data) - 2):
        same = [p for p in range(place) if data[p : p + 3] == data[place : place + 3]]
        assert places.near[place] == max(same, default=NONE)
        run = run_at(data, place)
        string = data[place : place + run + 2]
        alike = [
            p for p in range(place) if run_at(data, p) == run and data[p : p + run + 2] == string
        ]
        whole = place + run + 2 <= len(data)
        assert places.far[place] == (max(alike, default=NONE) if whole else NONE)
    assert set(places.near[-2:].tolist()) == {NONE}


@given(few_letters, st.data())
def test_what_is_told_comes_back(data: bytes, choice: Any):
    place = choice.draw(st.integers(0, len(data) - 3))
    tokens = [length << 16 | distance for length, distance in matches(data, place)]
    predicted, token = (choice.draw(st.sampled_from([data[place], *tokens])) for _ in range(2))
    if predicted == token:
        return
    array, correction = as_array(data), np.zeros(CORRECTION_COLUMNS, np.int64)
    places = places_of(array, far=True)
    tell(correction, array, places, place, predicted, token)
    assert told(correction, array, places, place, len(data) - place, predicted) == token
    assert not correction[DISTANCE]
    if token >> 16:
        assert told(correction, array, places, place, (token >> 16) - 1, predicted) == -1
        nearer = {d for length, d in matches(data, place) if length == token >> 16}
        assert correction[RANK] == sorted(nearer).index(token & 0xFFFF) + 1
        correction[RANK] = len(nearer) + 1
        assert told(correction, array, places, place, len(data) - place, predicted) == -1
        correction[[RANK, DISTANCE]] = 0, place + 1
        assert told(correction, array, places, place, len(data) - place, predicted) == -1
    else:
        assert not correction[LENGTH]


def test_lengths_are_told_as_differences():
    data = as_array(bytes(60))
    places = places_of(data, far=True)
    told_lengths = []
    for predicted, length in ((0, 3), (0, 9), (9, 9), (9, 8), (9, 10), (9, 7), (9, 0)):
        correction = np.zeros(CORRECTION_COLUMNS, np.int64)
        tell(correction, data, places, 30, predicted << 16 | 2, length << 16 | 1)
        told_lengths.append(int(correction[LENGTH]))
    assert told_lengths == [0, 6, 1, 2, 3, 4, 0]


@given(few_letters, st.booleans())
def test_no_way_is_cheaper(data: bytes, longer: bool):
    """Among all ways through the data, in fixed codes."""
    blocks = np.zeros((1, BLOCK_COLUMNS), np.int64)
    blocks[0, KIND], blocks[0, DATA_END] = FIXED, len(data)
    array = as_array(data)
    path = cheapest_path(
        array, 0, blocks, np.zeros(8, np.uint8), places_of(array, far=True), longer
    )
    left = [0] * (len(data) + 1)
    for place in reversed(range(len(data))):
        left[place] = min(
            bits_of(token) + left[place + max(1, token >> 16)]
            for token in [data[place], *(n << 16 | d for n, d in matches(data, place))]
        )
    place = bits = 0
    while place < len(data):
        bits += bits_of(int(path[place]))
        place += max(1, int(path[place]) >> 16)
    assert bits == left[0]


def bits_of(token: int) -> int:
    """In fixed codes."""
    length = token >> 16
    if not length:
        return int(FIXED_LITERALS[token])
    code = LENGTH_CODE[length]
    extra = LENGTH_EXTRA[code] + DISTANCE_EXTRA[distance_code(token & 0xFFFF)]
    return int(FIXED_LITERALS[257 + code] + extra + 5)
