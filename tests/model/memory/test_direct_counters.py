"""Direct probabilities against a dictionary of adaptive probabilities, and who owns their lines."""

from __future__ import annotations

import random

import numpy as np
import pytest

from glnzip.model.memory.direct_counters import (
    LINE_ENTRIES,
    NO_LINE,
    counter_input,
    entry_at,
    expect_lines,
    find_line,
    learn_bit,
)
from glnzip.model.memory.state_map import adapted, new_map, stretched
from glnzip.model.table.limits import COUNTER_LIMIT

HIGH_NIBBLES = (0, *range(16, 32))  # none yet, or its value under a leading one
HALF = int(new_map([0.5], 0)[0])
TWO_LINES = 2 * LINE_ENTRIES


def new_table(size: int = 1 << 16) -> np.ndarray:
    return np.zeros(size, np.uint32)


def visit(table: np.ndarray, context: int, high_nibble: int = 0) -> int:
    place = expect_lines(table, context, high_nibble)
    return int(find_line(table, place, context, high_nibble))


def of_check(check: int) -> int:
    """A context with this check, in a table of two lines."""
    return check << 8


def test_a_new_line_says_one_half():
    table = new_table()
    line = visit(table, 12345)
    assert {float(counter_input(table, entry_at(line, node))) for node in range(1, 16)} == {
        float(stretched(HALF))
    }
    assert float(stretched(HALF)) == pytest.approx(0, abs=0.01)


def test_entries_are_what_a_dictionary_says():
    """Contexts, nibbles and nodes each have a probability of their own."""
    chance = random.Random(1)
    table = new_table(1 << 20)
    contexts = (0, 0xFFFFFFFF, *(chance.randrange(1 << 32) for _ in range(20)))
    keys = [(context, nibble) for context in contexts for nibble in HIGH_NIBBLES]
    probabilities: dict[tuple[tuple[int, int], int], int] = {}
    lines: dict[tuple[int, int], int] = {}
    for _ in range(20_000):
        key, node = chance.choice(keys), chance.randrange(1, LINE_ENTRIES)
        line = visit(table, *key)
        assert lines.setdefault(key, line) == line
        entry = entry_at(line, node)
        known = probabilities.get((key, node), HALF)
        assert counter_input(table, entry) == stretched(np.uint32(known))
        bit = int(chance.random() < node / LINE_ENTRIES)
        learn_bit(table, entry, bit)
        probabilities[key, node] = int(adapted(np.uint32(known), bit, COUNTER_LIMIT))
    assert len(set(lines.values())) == len(keys)
    owners = len(keys)
    assert np.count_nonzero(table) == len(probabilities) + owners, "nothing else was written"


def test_two_contexts_share_two_lines_and_a_third_waits():
    """It has no line until refusals have left three visits to the one with fewer of them."""
    table = new_table(TWO_LINES)
    often, seldom, third = of_check(1), of_check(2), of_check(3)
    for _ in range(20):
        kept = visit(table, often)
    for _ in range(6):
        given_up = visit(table, seldom)
    assert {kept, given_up} == {0, LINE_ENTRIES}
    learn_bit(table, entry_at(given_up, 1), 1)
    learn_bit(table, entry_at(kept, 1), 1)
    assert [visit(table, third) for _ in range(3)] == [NO_LINE] * 3
    assert visit(table, third) == given_up
    assert not table[given_up + 1 : given_up + LINE_ENTRIES].any(), "what the other taught is gone"
    assert visit(table, often) == kept
    assert counter_input(table, entry_at(kept, 1)) > 1


def test_who_came_three_times_gives_way_at_once():
    table = new_table(TWO_LINES)
    lines = [visit(table, of_check(check)) for check in range(1, 10) for _ in range(3)]
    assert NO_LINE not in lines
    assert set(lines[:6]) == {0, LINE_ENTRIES}


def test_visits_are_counted_up_to_255():
    table = new_table(TWO_LINES)
    for _ in range(1000):
        visit(table, of_check(0xFFFFFF))
    assert table.max() == 0xFFFFFFFF


def test_without_a_line_nothing_is_said_or_learned():
    table = new_table(TWO_LINES)
    for check in (1, 2) * 4:
        visit(table, of_check(check))
    before = table.copy()
    entry = entry_at(visit(table, of_check(3)), 5)
    assert entry == NO_LINE
    assert counter_input(table, entry) == 0
    learn_bit(table, entry, 1)
    assert sorted((before - table).tolist()) == [0] * (TWO_LINES - 1) + [1], "one lost a visit"


def test_certainty_stays_inside():
    """Long runs of one value neither wrap around nor go back to what stands for one half."""
    table = new_table(LINE_ENTRIES)
    for entry, bit in ((1, 0), (2, 1)):
        sign, before = (1 if bit else -1), 0.0
        for _ in range(5000):
            learn_bit(table, entry, bit)
            now = sign * float(counter_input(table, entry))
            assert now >= before
            before = now
        assert before > 7


@pytest.mark.parametrize("size", [TWO_LINES, 1 << 10, 1 << 16])
def test_lines_lie_in_the_table(size):
    chance = random.Random(2)
    table = new_table(size)
    contexts = (0, 1, 0xFFFFFFFF, *(chance.randrange(1 << 32) for _ in range(100)))
    lines = {visit(table, context, nibble) for context in contexts for nibble in HIGH_NIBBLES}
    assert lines - {NO_LINE} <= set(range(0, size, LINE_ENTRIES))


def test_contexts_and_nibbles_spread_over_the_table():
    chance = random.Random(3)
    table = new_table(1 << 20)
    contexts = [chance.randrange(1 << 32) for _ in range(300)]
    lines = {int(expect_lines(table, c, nibble)) for c in contexts for nibble in HIGH_NIBBLES}
    at_random = len(contexts) * len(HIGH_NIBBLES)
    assert len(lines) > 0.95 * at_random
    for context in contexts:
        assert len({int(expect_lines(table, context, n)) for n in HIGH_NIBBLES}) == 17
