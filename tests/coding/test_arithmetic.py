"""The arithmetic coder against exact intervals of rational numbers."""

from __future__ import annotations

import random
from fractions import Fraction
from math import log2

import numpy as np
import pytest

from glnzip.coding.arithmetic import decode_bit, encode_bit, new_coder, split

UNIT = 1 << 32  # the coder's interval in units of the bytes that follow
PROBABILITIES = {
    "even": lambda chance: 1 << 15,
    "any": lambda chance: chance.randrange(1, 1 << 16),
    "extreme": lambda chance: chance.choice([1, 2, 65534, 65535]),
}


def value(payload: bytes) -> Fraction:
    """The payload as a number in [0, 1)."""
    return Fraction(int.from_bytes(payload, "big"), 256 ** len(payload))


def trace(kind: str, seed: int, length: int, *, surprising: bool) -> list[tuple[int, int]]:
    """Probabilities of a one and bits; surprising bits are the less likely ones."""
    chance = random.Random(f"{kind} {seed}")
    result = []
    for _ in range(length):
        p_one = PROBABILITIES[kind](chance)
        likely = chance.randrange(1 << 16) < p_one
        bit = (p_one < 1 << 15) if surprising else likely
        result.append((p_one, int(bit)))
    return result


TRACES = [
    trace(kind, seed, 400, surprising=surprising)
    for kind in PROBABILITIES
    for seed in range(3)
    for surprising in (False, True)
]


@pytest.mark.parametrize("steps", TRACES)
def test_intervals_are_exact(steps: list[tuple[int, int]]) -> None:
    """Each bit keeps a part of the interval, as large as its probability says, and no two meet."""
    coder = new_coder()[0]
    payload = np.zeros(4000, np.uint8)
    low, width = Fraction(0), Fraction(1)
    for p_one, bit in steps:
        before = coder.copy()
        middle = int(split(before, p_one))
        assert before.low <= middle < before.high, "both parts must be there"
        scale = Fraction(1, 256 ** int(before.at) * UNIT)
        ones = Fraction(middle - int(before.low) + 1) * scale
        # The split rounds down, by less than two units of an interval of more than 2**24.
        assert abs(ones - width * Fraction(p_one, 1 << 16)) <= 2 * scale
        low, width = (low, ones) if bit else (low + ones, width - ones)
        encode_bit(coder, payload, p_one, bit)
        at, now_low, now_high = int(coder.at), int(coder.low), int(coder.high)
        scale = Fraction(1, 256**at * UNIT)
        assert value(payload[:at].tobytes()) + now_low * scale == low
        assert (now_high - now_low + 1) * scale == width
        assert now_low >> 24 != now_high >> 24


@pytest.mark.parametrize("steps", TRACES)
def test_decoding_gives_the_bits_back_at_the_least_cost(steps: list[tuple[int, int]]) -> None:
    coder = new_coder()[0]
    payload = np.zeros(4000, np.uint8)
    ideal = 0.0
    for p_one, bit in steps:
        encode_bit(coder, payload, p_one, bit)
        ideal -= log2((p_one if bit else 65536 - p_one) / 65536)
    at = int(coder.at)
    payload[at : at + 4] = list(int(coder.high).to_bytes(4, "big"))
    assert 8 * at <= ideal * 1.01 + 16
    decoder = new_coder()[0]
    decoder.code = int.from_bytes(payload[:4].tobytes(), "big")
    decoder.at = 4
    for p_one, bit in steps:
        assert decode_bit(decoder, payload[: at + 4], p_one) == bit
        assert decoder.low <= decoder.code <= decoder.high


def test_a_full_payload_is_counted_but_not_overrun() -> None:
    steps = trace("even", 0, 400, surprising=False)
    roomy, tight = new_coder()[0], new_coder()[0]
    much, little = np.zeros(100, np.uint8), np.zeros(100, np.uint8)
    for p_one, bit in steps:
        encode_bit(roomy, much, p_one, bit)
        encode_bit(tight, little[:10], p_one, bit)
    assert roomy == tight
    assert little[:10].tolist() == much[:10].tolist()
    assert not little[10:].any()
    assert much[10:40].any()
