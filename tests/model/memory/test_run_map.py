"""Runs against a dictionary, and every entry of their maps where it belongs."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from glnzip.model.memory.run_map import (
    CLASSES,
    WAYS,
    expected_bit,
    extend_run,
    find_run,
    has_branched,
    map_index,
    run_count,
    seen_run,
)

LONGEST = 255
CHECK_BITS = 12


def packed(byte: int, count: int, branched: bool = False) -> int:
    return branched << 19 | count << 8 | byte


@pytest.mark.parametrize("size", [WAYS, 16, 1 << 16])
def test_runs_are_what_a_dictionary_says(size):
    """Four runs a group; where there is no room, the one of the lowest rank gives way."""
    chance = random.Random(size)
    contexts = [0, 1, 0xFFFFFFFF, *(chance.randrange(1 << 32) for _ in range(60))]
    table = np.zeros(size, np.uint32)
    runs: dict[int, tuple[int, int, int, bool]] = {}  # by place: check, byte, count, branched
    longest = 0
    for _ in range(20_000):
        context = chance.choice(contexts)
        place = int(find_run(table, context))
        assert 0 <= place < size
        group = [place ^ way for way in range(WAYS)]
        check = context >> 32 - CHECK_BITS
        holders = [other for other in group if other in runs and runs[other][0] == check]
        if holders:
            assert place in holders
            _, byte, count, branched = runs[place]
        else:
            rank = {other: runs[other][3:1:-1] if other in runs else (False, 0) for other in group}
            assert rank[place] == min(rank.values())
            byte, count, branched = 0, 0, False
        run = int(seen_run(table, place, context))
        assert run == packed(byte, count, branched)
        assert (has_branched(run), run_count(run)) == (branched, count)
        # Some contexts are always followed by the same byte, others now and then by another.
        following = context & 255 if context & 1 or chance.random() < 0.9 else chance.randrange(256)
        extend_run(table, place, context, run, following)
        branched = branched or (count > 0 and byte != following)
        count = min(count + 1, LONGEST) if count and byte == following else 1
        runs[place] = (check, following, count, branched)
        longest = max(longest, count)
    assert longest == LONGEST or size < 1 << 16


def test_contexts_spread_over_the_table():
    table = np.zeros(1 << 16, np.uint32)
    chance = random.Random(1)
    places = {int(find_run(table, chance.randrange(1 << 32))) for _ in range(2000)}
    assert len(places) > 1900
    assert {place % WAYS for place in places} == set(range(WAYS))


def test_no_context_is_taken_for_another():
    """In the tables of the levels, place and check together are all of the 32-bit hash."""
    table = np.zeros(1 << 24, np.uint32)
    chance = random.Random(2)
    bits = [1 << k for k in range(32)]
    for first, second in product(bits, bits):
        context = chance.randrange(1 << 32)
        other = context ^ (first | second)
        place = int(find_run(table, context))
        extend_run(table, place, context, 0, 7)
        assert find_run(table, context) == place
        assert seen_run(table, place, context) == packed(7, 1)
        assert seen_run(table, find_run(table, other), other) == 0
        table[place] = 0


@pytest.mark.parametrize("byte", [0, 1, 0x5A, 0x80, 0xFF])
def test_expected_bits(byte):
    """The bits of the run's byte as long as the byte so far agrees; nothing without a run."""
    for partial in range(1, 256):
        known = partial.bit_length() - 1
        agrees = (byte | 256) >> 8 - known == partial
        expected = byte >> 7 - known & 1 if agrees else -1
        assert expected_bit(packed(byte, 1), partial, known) == expected
        assert expected_bit(packed(byte, LONGEST), partial, known) == expected
        assert expected_bit(packed(byte, 1, branched=True), partial, known) == expected
        assert expected_bit(0, partial, known) == -1


@pytest.mark.parametrize("row", [0, 1, 30])
def test_map_entries(row):
    """Each row has its own entries, told apart by count, place in the byte and expected bit."""
    kinds = []
    for count in range(1, LONGEST + 1):
        entries = [
            int(map_index(row, packed(0x5A, count), known, bit))
            for known, bit in product(range(8), range(2))
        ]
        assert row * CLASSES <= entries[0]
        assert entries[-1] < (row + 1) * CLASSES
        assert entries == list(range(entries[0], entries[0] + 16))
        assert entries[0] % 2 == 0, "the first guesses take the lowest bit for the expected one"
        kinds.append(entries[0] // 16)
    assert kinds == sorted(kinds), "longer runs, higher classes"
    assert len(set(kinds[:7])) == 7, "short runs are told apart exactly"
