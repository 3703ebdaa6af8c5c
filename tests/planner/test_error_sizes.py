"""Sizes of prediction errors, counted sample by sample, against whole arrays of differences."""

from __future__ import annotations

import numpy as np
import pytest

from glnzip.planner.error_sizes import FLAT, SIZES, STRAIGHT, TOGETHER, count_error_sizes


def differences(samples: np.ndarray, channels: int, way: int) -> np.ndarray:
    errors = samples[:, channels:] - samples[:, :-channels]
    if way != FLAT:
        errors = errors[:, channels:] - errors[:, :-channels]
    if way == TOGETHER:
        errors[:, 1::2] -= errors[:, ::2].copy()
    return errors


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("bits", [1, 8, 13, 24])
def test_as_arrays_of_differences_count_them(bits: int, channels: int) -> None:
    chance = np.random.default_rng(bits)
    samples = chance.integers(-(1 << bits - 1), 1 << bits - 1, (3, 60))
    ways = [FLAT, STRAIGHT, TOGETHER][: channels + 1]
    counts = np.zeros((len(ways), SIZES, SIZES), np.int64)
    count_error_sizes(samples, channels, np.zeros(60, np.uint8), counts)
    for way in ways:
        errors = differences(samples, channels, way)
        sizes = np.array([[int(abs(e)).bit_length() for e in row] for row in errors])
        before = np.maximum(sizes[:, channels:-channels], sizes[:, : -2 * channels])
        expected = np.zeros((SIZES, SIZES), np.int64)
        np.add.at(expected, (before, sizes[:, 2 * channels :]), 1)
        assert (counts[way] == expected).all()


def test_the_largest_error_has_a_size() -> None:
    top = (1 << 24) - 1
    samples = np.array([[top, 0, 0, top] * 4], np.int64) - (1 << 23)
    counts = np.zeros((3, SIZES, SIZES), np.int64)
    count_error_sizes(samples, 2, np.zeros(16, np.uint8), counts)
    assert counts[TOGETHER].sum() == 16 - 4 * 2
    assert counts[TOGETHER].sum(0)[26] > 0
