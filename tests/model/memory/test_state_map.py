"""Adaptive maps against the formula in floating point."""

from __future__ import annotations

import random

import numpy as np
import pytest

from glnzip.gln.logistic import exact_log
from glnzip.model.memory.state_map import (
    COUNT_BITS,
    COUNT_MASK,
    PROBABILITY_BITS,
    adapted,
    make_quick,
    new_map,
    opinion,
    stretched,
)

SCALE = 1 << PROBABILITY_BITS


def parts(entry: int) -> tuple[float, int]:
    """Probability and count."""
    return (int(entry) >> COUNT_BITS) / SCALE, int(entry) & COUNT_MASK


@pytest.mark.parametrize("limit", [1, 30, 255, 1023])
@pytest.mark.parametrize("p_one", [0.0, 0.01, 0.5, 0.99, 1.0])
def test_each_step_follows_the_formula(limit, p_one):
    chance = random.Random(f"{limit} {p_one}")
    entry = int(new_map([0.5], 0)[0])
    for step in range(3000):
        p, count = parts(entry)
        assert count == min(step, limit)
        bit = int(chance.random() < p_one)
        entry = int(adapted(np.uint32(entry), bit, limit))
        assert 0 <= entry < 1 << 32
        expected = p + (bit - p) / (count + 1.5)
        assert parts(entry)[0] == pytest.approx(expected, abs=2e-5)
    assert parts(entry)[0] == pytest.approx(p_one, abs=0.5 if limit == 1 else 0.2)


def test_a_new_entry_learns_the_average():
    """Steps of 1 / (n + 1.5) keep the average of all bits and of a first guess that counts 1/2."""
    entry, bits = int(new_map([0.5], 0)[0]), [1, 1, 0, 1, 0, 1, 1, 1]
    for n, bit in enumerate(bits, 1):
        entry = int(adapted(np.uint32(entry), bit, 1023))
        assert parts(entry)[0] == pytest.approx((sum(bits[:n]) + 0.25) / (n + 0.5), abs=1e-4)


def test_first_guesses_are_kept():
    guesses = np.array([0.0, 1e-9, 0.25, 0.5, 1 - 1e-9, 1.0])
    for entry, guess in zip(new_map(guesses, 7), guesses, strict=True):
        p, count = parts(entry)
        assert p == pytest.approx(guess, abs=1 / SCALE)
        assert count == 7


def test_opinions():
    for p in np.linspace(0, 1, 97):
        logit, centred = opinion(new_map([p], 3)[0])
        inside = np.clip(p, 1 / 8192, 1 - 1 / 8192)
        nearest = exact_log(np.array([inside / (1 - inside)]))[0]
        assert logit == pytest.approx(nearest, abs=0.35 if abs(nearest) > 6 else 0.1)
        assert stretched(new_map([p], 3)[0]) == logit
        assert centred == pytest.approx(4 * (p - 0.5), abs=1e-3)
    assert [type(x) for x in opinion(new_map([0.5], 3)[0])] in ([np.float32] * 2, [float] * 2)


def test_entries_made_quick_keep_their_probability():
    entries = np.array([5 << 10 | 3, 7 << 10 | 12, 9 << 10 | 1023, 0xFFFFFFFF], np.uint32)
    make_quick(entries, 12)
    assert entries.tolist() == [5 << 10 | 3, 7 << 10 | 12, 9 << 10 | 12, 0xFFFFFC00 | 12]
