"""Code lengths against codes that are spelled out."""

from __future__ import annotations

import random
from collections import Counter
from math import log2

import numpy as np
import pytest

from glnzip.planner.code_length import adaptive_bits, entropy_bits


def adaptive(contexts: list[int], symbols: list[int], symbol_bits: int) -> float:
    """Code each symbol by what was counted before it in its context."""
    counts: Counter[tuple[int, int]] = Counter()
    totals: Counter[int] = Counter()
    bits = 0.0
    for context, symbol in zip(contexts, symbols, strict=True):
        seen = counts[context, symbol] + 1 / 64
        bits -= log2(seen / (totals[context] + (1 << symbol_bits) / 64))
        counts[context, symbol] += 1
        totals[context] += 1
    return bits


@pytest.mark.parametrize("symbol_bits", [1, 5, 8])
def test_adaptive_bits(symbol_bits: int) -> None:
    chance = random.Random(symbol_bits)
    contexts = [chance.randrange(9) for _ in range(3000)]
    top = (1 << symbol_bits) - 1
    symbols = [min(int(chance.expovariate(0.2)) + context, top) for context in contexts]
    expected = adaptive(contexts, symbols, symbol_bits)
    found = adaptive_bits(np.array(contexts), np.array(symbols), symbol_bits)
    assert found == pytest.approx(expected, abs=2)


@pytest.mark.parametrize("length", [1 << 16, (1 << 16) + 1, 300_000])
def test_long_adaptive_codes(length: int) -> None:
    zeros, symbols = [0] * length, [0, 0, 1] * (length // 3 + 1)
    expected = adaptive(zeros, symbols[:length], 8)
    found = adaptive_bits(np.array(zeros), np.array(symbols[:length]), 8)
    assert found == pytest.approx(expected, abs=4)


def test_entropy_bits() -> None:
    counts = np.random.default_rng(1).integers(0, 50, (6, 8))
    counts[2] = 0
    expected = -sum(
        n * log2(n / row.sum()) for row in counts.astype(float) for n in row.tolist() if n
    )
    assert entropy_bits(counts) == pytest.approx(expected, abs=2)
    assert entropy_bits(np.zeros((3, 3), np.int64)) == 0
