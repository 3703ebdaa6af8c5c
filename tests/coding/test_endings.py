"""The ends of messages: all differ, none is longer than need be, and the last one is found."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from glnzip.coding.arithmetic import decode_bit, encode_bit, new_coder
from glnzip.coding.endings import ENDING, ending_bytes, is_before, next_ending
from glnzip.jit.records import new_records

PROBABILITIES = {
    "even": lambda chance: 1 << 15,
    "any": lambda chance: chance.randrange(1, 1 << 16),
    "extreme": lambda chance: chance.choice([1, 2, 65534, 65535]),
    "sure": lambda chance: 65535,
}


def trace(kind: str, seed: int, steps: int) -> list[tuple[int, int]]:
    """Probabilities of a one, and bits that come true as often as they say."""
    chance = random.Random(f"{kind} {seed}")
    result = []
    for _ in range(steps):
        p_one = PROBABILITIES[kind](chance)
        result.append((p_one, int(chance.randrange(1 << 16) < p_one)))
    return result


def new_state() -> tuple[Any, Any]:
    return new_coder()[0], new_records(1, ENDING)[0]


def ending_by_definition(before: bytes, final: bytes, low: int, high: int) -> bytes:
    """The first string after `before` in the interval, as docs/FORMAT.md puts it."""
    start = int.from_bytes(final, "big")
    first = Fraction((start << 32) + low, 256 ** (len(final) + 4))
    beyond = Fraction((start << 32) + high + 1, 256 ** (len(final) + 4))
    length = max(len(before), len(final))
    while True:
        number = -int(-first * 256**length // 1)
        if length == len(before):
            number = max(number, int.from_bytes(before, "big") + 1)
        if Fraction(number, 256**length) < beyond:
            return number.to_bytes(length, "big")
        length += 1


def endings_of(steps: list[tuple[int, int]]) -> list[bytes]:
    """The ending after each step, each checked to be that of the definition."""
    coder, ending = new_state()
    payload = np.zeros(4 * len(steps) + 8, np.uint8)
    result: list[bytes] = []
    for p_one, bit in steps:
        encode_bit(coder, payload, p_one, bit)
        next_ending(ending, coder, coder.at, payload)
        found = ending_bytes(ending, payload)
        assert found is not None
        final = payload[: coder.at].tobytes()
        before = result[-1] if result else b""
        assert found == ending_by_definition(before, final, int(coder.low), int(coder.high))
        result.append(found)
    return result


CASES = [(kind, seed) for kind in PROBABILITIES for seed in range(3)]


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_each_ending_comes_after_the_one_before(kind: str, seed: int) -> None:
    """So all differ."""
    found = [b"", *endings_of(trace(kind, seed, 300))]
    for before, after in pairwise(found):
        assert (len(before), before) < (len(after), after)


@pytest.mark.parametrize(("kind", "seed"), CASES)
@pytest.mark.parametrize("length", [1, 2, 3, 10, 300])
def test_a_decoder_finds_the_end(kind: str, seed: int, length: int) -> None:
    steps = trace(kind, seed, 300)
    received = np.frombuffer(bytearray(endings_of(steps)[length - 1]), np.uint8)
    coder, ending = new_state()
    coder.code = int.from_bytes(received[:4].tobytes().ljust(4, b"\0"), "big")
    coder.at = 4
    bits = []
    for p_one, _ in steps:
        bits.append(decode_bit(coder, received, p_one))
        next_ending(ending, coder, coder.at - 4, received)
        if not is_before(ending, received):
            break
    assert ending_bytes(ending, received) == received.tobytes()
    assert bits == [bit for _, bit in steps[:length]]


def test_sure_bits_count_through_the_short_strings() -> None:
    found = endings_of([(65535, 1)] * 300)
    assert found[:3] == [b"\0", b"\1", b"\2"]
    assert {len(ending) for ending in found[:250]} == {1}
    assert len(found[-1]) == 2


def test_few_bytes_are_spent_on_the_end() -> None:
    """Even bits fill bytes: as many bytes as bits need, and hardly ever one more."""
    lengths = [len(ending) for ending in endings_of([(1 << 15, k * k % 3 & 1) for k in range(800)])]
    least = [-(-(k + 1) // 8) for k in range(800)]
    assert sum(lengths) - sum(least) < 0.2 * len(lengths)
