"""Repeats at each distance, and bytes that those around foretell, against plain comparisons."""

from __future__ import annotations

import numpy as np
import pytest

from glnzip.planner.repeats import count_foretold, count_repeats, count_repeats_at


@pytest.mark.parametrize("size", [0, 1, 2, 127, 128, 129, 255, 300, 1000])
@pytest.mark.parametrize("values", [1, 2, 256])
def test_as_plain_comparisons_count_them(size: int, values: int) -> None:
    chance = np.random.default_rng(size)
    sample = chance.integers(0, values, size).astype(np.uint8)
    wanted = chance.integers(0, 2, size).astype(np.uint8)
    counts = np.full(min(size, 200) + 1, 7, np.int64)
    counts[1:] = 0
    count_repeats(sample, wanted, counts)
    expected = [
        np.count_nonzero((sample[d:] == sample[:-d]) & (wanted[d:] == 1))
        for d in range(1, counts.size)
    ]
    assert counts.tolist() == [7, *expected]


@pytest.mark.parametrize("values", [1, 3, 256])
def test_at_some_places(values: int) -> None:
    sample = np.random.default_rng(values).integers(0, values, 900).astype(np.uint8)
    places = np.array([300, 300, 411, 899])
    counts = np.zeros(301, np.uint16)
    count_repeats_at(sample, places, counts)
    expected = [np.count_nonzero(sample[places] == sample[places - d]) for d in range(1, 301)]
    assert counts.tolist() == [0, *expected]


@pytest.mark.parametrize("values", [1, 2, 3])
def test_foretold(values: int) -> None:
    sample = np.random.default_rng(values).integers(0, values, 2000).astype(np.uint8)
    table = np.zeros(1 << 16, np.uint8)  # large enough that hardly any share a place
    count = count_foretold(sample, 50, 7, 50, table)
    followed: dict[tuple[int, ...], int] = {}
    expected = 0
    data = sample.tolist()
    for i in range(50, len(data)):
        around = data[i - 1], data[i - 2], data[i - 7], data[i - 50]
        expected += followed.get(around, 0) == data[i]
        followed[around] = data[i]
    assert count == expected
