"""Repeats at each distance, counted in blocks of lanes, against plain comparisons."""

from __future__ import annotations

import numpy as np
import pytest

from glnzip.planner.repeats import count_repeats


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
