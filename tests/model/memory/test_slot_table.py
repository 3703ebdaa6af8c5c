"""The slot table: what was stored is found, the youngest gives way, and no offset is outside."""

from __future__ import annotations

import random

import numpy as np
import pytest

from glnzip.model.memory.slot_table import (
    BUCKET_BYTES,
    check_byte,
    copy_bucket,
    find_bucket,
    high_nibble_place,
    low_nibble_place,
)

LINE_BYTES, PAGE_BYTES = 64, 4096
SIZE = 1 << 16


def new_slots(size: int = SIZE) -> np.ndarray:
    return np.zeros(size, np.uint8)


def probed(place: int) -> set[int]:
    """The buckets that a place may end in, as seen from outside: fill a line, and ask."""
    reached = set()
    for age in range(64):
        slots = new_slots(PAGE_BYTES)
        chance = random.Random(age)
        for bucket in range(0, PAGE_BYTES, BUCKET_BYTES):
            slots[bucket] = 1  # not the check byte asked for
            slots[bucket + 1] = chance.randrange(1, 255)
        reached.add(int(find_bucket(slots, place, 200)))
    return reached


def test_every_hash_has_a_place():
    chance = random.Random(1)
    hashes = [0, 1, 0xFFFFFFFF, *(chance.randrange(1 << 32) for _ in range(2000))]
    places = [int(high_nibble_place(h, SIZE - 1)) for h in hashes]
    assert all(place in range(0, SIZE, BUCKET_BYTES) for place in places)
    assert len(set(places)) > 1500, "hashes must spread over the table"
    lows = {int(low_nibble_place(places[5], nibble)) for nibble in range(16)}
    assert len(lows | {places[5]}) == 17
    assert {low // PAGE_BYTES for low in lows} == {places[5] // PAGE_BYTES}
    assert {int(check_byte(h, node)) for h in hashes for node in (0, 16, 31)} == set(range(256))


@pytest.mark.parametrize("place", [0, 16, 48, 64, PAGE_BYTES - 16])
def test_probes_stay_in_one_cache_line(place):
    reached = probed(place)
    assert len(reached) >= 3
    assert {bucket // LINE_BYTES for bucket in reached} == {place // LINE_BYTES}
    assert all(bucket % BUCKET_BYTES == 0 for bucket in reached)


def test_what_was_stored_is_found():
    slots = new_slots()
    stored = {}
    for place in range(0, SIZE, LINE_BYTES):
        for check in (7, 8, 9):
            bucket = int(find_bucket(slots, place, check))
            slots[bucket + 1] = 50
            slots[bucket + 2] = check
            stored[place, check] = bucket
    assert len(set(stored.values())) == len(stored)
    for (place, check), bucket in stored.items():
        assert find_bucket(slots, place, check) == bucket
        assert slots[bucket + 2] == check


def test_the_youngest_gives_way_and_leaves_nothing_behind():
    for seed in range(200):
        chance = random.Random(seed)
        slots = new_slots(PAGE_BYTES)
        slots[:] = [chance.randrange(2, 256) for _ in range(PAGE_BYTES)]
        slots[::BUCKET_BYTES] = 1
        place = chance.randrange(PAGE_BYTES // BUCKET_BYTES) * BUCKET_BYTES
        before = slots.copy()
        bucket = int(find_bucket(slots, place, 200))
        candidates = probed(place)
        assert bucket in candidates
        assert before[bucket + 1] == min(before[candidate + 1] for candidate in candidates)
        assert slots[bucket : bucket + BUCKET_BYTES].tolist() == [200] + 15 * [0]
        slots[bucket : bucket + BUCKET_BYTES] = before[bucket : bucket + BUCKET_BYTES]
        assert slots.tolist() == before.tolist(), "nothing else may change"


def test_a_copy_is_of_all_of_a_bucket_and_nothing_else():
    slots = new_slots(PAGE_BYTES)
    copy = np.arange(1, 65, dtype=np.uint8)
    copy_bucket(slots, 64, copy, 16)
    assert slots[64:80].tolist() == list(range(17, 33))
    assert slots.astype(np.int64).sum() == sum(range(17, 33))


def test_anything_in_the_smallest_table():
    slots = new_slots(PAGE_BYTES)
    chance = random.Random(3)
    for _ in range(3000):
        h = chance.randrange(1 << 32)
        place = int(high_nibble_place(h, PAGE_BYTES - 1))
        if chance.random() < 0.5:
            place = int(low_nibble_place(place, chance.randrange(16)))
        bucket = int(find_bucket(slots, place, int(check_byte(h, chance.randrange(32)))))
        assert bucket in range(0, PAGE_BYTES, BUCKET_BYTES)
        slots[bucket + chance.randrange(1, 16)] = chance.randrange(256)
