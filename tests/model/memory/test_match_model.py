"""Match models: only verified matches, the right byte, recovery, and any length of history."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest

from glnzip.jit.records import new_records
from glnzip.model.memory import match_model
from glnzip.model.memory.match_model import LONGEST, STRENGTHS
from glnzip.model.state import MATCH
from tests.model.memory.histories import add_byte, new_recent

MODELS = (0, 1)  # one with a short minimum, one with a long


class Seen(NamedTuple):
    """A match model after a byte; places count from the first byte fed."""

    expected: int  # -1 for none
    length: int
    misses: int
    pointer: int


def follow(data: bytes, m: int, *, ring_bytes: int = 1 << 16, start: int = 0) -> list[Seen]:
    """Feed `data`, checking at each byte what must always hold; what the model saw."""
    recent = new_recent(ring_bytes=ring_bytes, position=start)
    result = []
    for n, byte in enumerate(data, 1):
        add_byte(recent, byte)
        match_model.see_byte(recent, m, byte)
        match = recent.matches[m]
        pointer = int(match.pointer) - start if match.pointer else -1
        seen = Seen(int(match.expected) - 256, int(match.length), int(match.misses), pointer)
        if match.expected == 0:
            assert match.pointer == 0
            seen = seen._replace(expected=-1)
        else:
            check_match(data[:n], seen, int(match.minimum), ring_bytes, is_new=not match.misses)
        result.append(seen)
    return result


def check_match(past: bytes, seen: Seen, minimum: int, ring_bytes: int, *, is_new: bool) -> None:
    assert len(past) - ring_bytes < seen.pointer < len(past)
    if seen.pointer < 0:  # only where the history before `start` was all zeros
        return
    assert seen.expected == past[seen.pointer]
    assert 0 <= seen.length <= LONGEST
    if is_new and seen.length >= minimum:
        length = min(seen.length, seen.pointer)
        assert past[len(past) - length :] == past[seen.pointer - length : seen.pointer]


def text(seed: int, length: int) -> bytes:
    """Words of which many come again."""
    chance = random.Random(seed)
    words = [chance.randbytes(chance.randrange(3, 30)) for _ in range(30)]
    data = b""
    while len(data) < length:
        data += chance.choice(words)
    return data[:length]


@pytest.mark.parametrize("m", MODELS)
def test_a_period_is_found_and_then_never_missed(m):
    period = random.Random(1).randbytes(50)
    seen = follow(period * 12, m)
    assert all(now.expected == -1 for now in seen[:50])
    wrong = [
        n for n, now in enumerate(seen[:-1]) if n > 70 and now.expected != period[(n + 1) % 50]
    ]
    assert wrong == []
    assert seen[-1].length == LONGEST
    assert seen[-1].misses == 0


@pytest.mark.parametrize("m", MODELS)
@pytest.mark.parametrize("seed", range(4))
def test_matches_are_verified(m, seed):
    seen = follow(text(seed, 3000), m)
    assert sum(now.expected >= 0 for now in seen) > 300


@pytest.mark.parametrize("m", MODELS)
def test_noise_matches_nothing(m):
    """The hash table is small enough for many collisions; none may count as a match."""
    seen = follow(random.Random(5).randbytes(6000), m)
    assert all(now.expected == -1 for now in seen)


def test_recovery_after_one_wrong_byte():
    original = random.Random(2).randbytes(200)
    edited = bytearray(original)
    edited[100] ^= 255
    seen = follow(original + bytes(edited), 0)
    at_edit = 200 + 100
    assert seen[at_edit - 1].expected == original[100]
    assert seen[at_edit].misses == 1
    for n in range(at_edit, at_edit + 90):
        assert seen[n].expected == original[n - 200 + 1], "the copy goes on as before"


def test_after_many_wrong_bytes_the_pointer_is_given_up():
    chance = random.Random(3)
    original = chance.randbytes(100)
    seen = follow(original + original[:50] + chance.randbytes(50), 0)
    assert seen[149].expected >= 0
    assert seen[160].expected == -1


@pytest.mark.parametrize("m", MODELS)
def test_the_ring_may_wrap_around(m):
    """A copy is found while it is in the ring, and is not when it has been overwritten."""
    chance = random.Random(4)
    phrase = chance.randbytes(60)
    near = follow(phrase + chance.randbytes(900) + phrase, m, ring_bytes=1024)
    assert near[-2].expected == phrase[-1]
    far = follow(phrase + chance.randbytes(1100) + phrase, m, ring_bytes=1024)
    assert all(now.expected == -1 for now in far)
    follow(text(6, 5000), m, ring_bytes=1024)


@pytest.mark.parametrize("m", MODELS)
@pytest.mark.parametrize("limit", [1 << 31, 1 << 32, 3 << 31], ids=["2 GiB", "4 GiB", "6 GiB"])
def test_any_length_of_history(m, limit):
    """Passing a power of two changes nothing, although the table holds positions of 31 bits."""
    data = text(7, 2000)
    usual = follow(data, m, start=1 << 20)
    passing = follow(data, m, start=limit - 1000)
    assert passing == usual


@pytest.mark.parametrize("byte", [0, 1, 0x80, 0x5A, 0xFF])
def test_expected_bits(byte):
    """All bits of the expected byte, and none once a bit has come out otherwise."""
    match = new_match(expected=byte | 256)
    partial = 1
    for known in range(8):
        bit = byte >> (7 - known) & 1
        assert match_model.expected_bit(match, partial, known) == bit
        if known:
            assert match_model.expected_bit(match, partial ^ 1, known) == -1
        partial = partial << 1 | bit
    assert match_model.expected_bit(new_match(expected=0), 1, 0) == -1


def new_match(**fields: int) -> Any:
    match = new_records(1, MATCH)[0]
    for name, value in fields.items():
        setattr(match, name, value)
    return match


def test_map_entries():
    """Each strength has its own pair of entries, and none lies outside the model's part."""
    seen = set()
    for length in range(LONGEST + 1):
        for misses in (0, 1, 2, 4, 5, 128, 255):
            match = new_match(length=length, misses=misses)
            pair = [int(match_model.map_index(match, 1, bit)) for bit in (0, 1)]
            assert STRENGTHS <= pair[0] < pair[1] < 2 * STRENGTHS
            assert pair[1] == pair[0] + 1
            seen.add(pair[0])
    classes = [int(match_model.length_class(length)) for length in range(LONGEST + 1)]
    assert classes == sorted(classes)
    assert len(seen) <= STRENGTHS // 2
    assert max(classes) < 32
