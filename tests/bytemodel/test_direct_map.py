"""Direct probabilities against a dictionary of adaptive probabilities."""

from __future__ import annotations

import random

import numpy as np
import pytest

from glnzip.bytemodel.adaptive_map import adapted, new_map, stretched
from glnzip.bytemodel.direct_map import MAP_LIMIT, direct_input, enter_line, learn_bit

LINE_ENTRIES = 16
HIGH_NIBBLES = (0, *range(16, 32))  # none yet, or its value under a leading one
HALF = int(new_map([0.5], 0)[0])


def new_table(size: int = 1 << 16) -> np.ndarray:
    return np.zeros(size, np.uint32)


def test_a_table_of_zeros_says_one_half():
    table = new_table(LINE_ENTRIES)
    assert {float(direct_input(table, entry)) for entry in range(len(table))} == {
        float(stretched(HALF))
    }
    assert float(stretched(HALF)) == pytest.approx(0, abs=0.01)


def test_entries_are_what_a_dictionary_says():
    """Contexts, nibbles and nodes each have a probability of their own."""
    chance = random.Random(1)
    table = new_table(1 << 18)
    lines: dict[int, tuple[int, int]] = {}
    for context in (0, 0xFFFFFFFF, *(chance.randrange(1 << 32) for _ in range(20))):
        for high_nibble in HIGH_NIBBLES:
            line = int(enter_line(table, context, high_nibble))
            lines.setdefault(line, (context, high_nibble))  # of two that share a line, one
    probabilities: dict[tuple[tuple[int, int], int], int] = {}
    places = list(lines)[:100]
    for _ in range(20_000):
        line, node = chance.choice(places), chance.randrange(1, LINE_ENTRIES)
        key = lines[line], node
        assert enter_line(table, *key[0]) == line
        known = probabilities.get(key, HALF)
        assert direct_input(table, line + node) == stretched(np.uint32(known))
        bit = int(chance.random() < node / LINE_ENTRIES)
        learn_bit(table, line + node, bit)
        probabilities[key] = int(adapted(np.uint32(known), bit, MAP_LIMIT))
    assert len(probabilities) == 100 * (LINE_ENTRIES - 1)
    assert np.count_nonzero(table) == len(probabilities), "nothing else was written"


def test_certainty_stays_inside():
    """Long runs of one value neither wrap around nor go back to what stands for one half."""
    table = new_table(LINE_ENTRIES)
    for entry, bit in ((1, 0), (2, 1)):
        sign, before = (1 if bit else -1), 0.0
        for _ in range(5000):
            learn_bit(table, entry, bit)
            now = sign * float(direct_input(table, entry))
            assert now >= before
            before = now
        assert before > 7


@pytest.mark.parametrize("size", [LINE_ENTRIES, 1 << 10, 1 << 16])
def test_lines_lie_in_the_table(size):
    chance = random.Random(2)
    table = new_table(size)
    places = [
        int(enter_line(table, context, high_nibble))
        for context in (0, 1, 0xFFFFFFFF, *(chance.randrange(1 << 32) for _ in range(100)))
        for high_nibble in HIGH_NIBBLES
    ]
    assert all(place in range(0, size, LINE_ENTRIES) for place in places)


def test_contexts_and_nibbles_spread_over_the_table():
    chance = random.Random(3)
    table = new_table(1 << 20)
    contexts = [chance.randrange(1 << 32) for _ in range(300)]
    lines = {int(enter_line(table, c, nibble)) for c in contexts for nibble in HIGH_NIBBLES}
    at_random = len(contexts) * len(HIGH_NIBBLES)
    assert len(lines) > 0.95 * at_random
    for context in contexts:
        assert len({int(enter_line(table, context, nibble)) for nibble in HIGH_NIBBLES}) == 17
