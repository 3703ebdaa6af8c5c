"""The table of bit histories: a machine of at most 256 states that remembers what it should."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from glnzip.model.memory import bit_history
from glnzip.model.memory.bit_history import (
    EXACT_BITS,
    FIRST_GUESS,
    NEXT_STATE,
    SAME_BITS,
    YOUNGER,
    ZERO_REDUNDANCY,
)

ORDERED, FOLLOWING = bit_history._all_histories()
NUMBER = {history: i for i, history in enumerate(ORDERED)}


def after(bits) -> int:
    state = 0
    for bit in bits:
        state = int(NEXT_STATE[2 * state + bit])
    return state


def test_the_machine_is_whole():
    assert len(ORDERED) <= 256
    assert ORDERED[0] == (0, 0, ())
    assert NEXT_STATE.shape == (512,)
    for history, i in NUMBER.items():
        for bit in (0, 1):
            assert NEXT_STATE[2 * i + bit] == NUMBER[FOLLOWING[history][bit]]
    assert max(NEXT_STATE) == len(ORDERED) - 1
    assert 0 not in NEXT_STATE[: 2 * len(ORDERED)], "only what was never seen is empty"


def test_short_histories_are_exact():
    seen = {}
    for length in range(EXACT_BITS + 1):
        for bits in product((0, 1), repeat=length):
            assert ORDERED[after(bits)] == (bits.count(0), bits.count(1), bits)
            seen[after(bits)] = bits
    assert len(seen) == 2 ** (EXACT_BITS + 1) - 1


@pytest.mark.parametrize("bit", [0, 1])
@pytest.mark.parametrize("times", [0, 1, 2, 5, 48, 255])
def test_the_same_bit_again_and_again(bit, times):
    assert SAME_BITS[2 * times + bit] == after([bit] * times)


def test_younger_histories_have_smaller_numbers():
    totals = [history.n0 + history.n1 for history in ORDERED]
    assert totals == sorted(totals)


@pytest.mark.parametrize("bit", [0, 1])
def test_what_a_bit_does_to_the_counts(bit):
    for history, (zero, one) in FOLLOWING.items():
        new = one if bit else zero
        same, other = (history.n1, history.n0) if bit else (history.n0, history.n1)
        new_same, new_other = (new.n1, new.n0) if bit else (new.n0, new.n1)
        assert new_other <= other
        assert (new_other == 0) == (other == 0), "what was seen is never forgotten altogether"
        assert 1 <= new_same <= same + 1
        assert new.recent[-1] == bit
        # The share of the bit that was seen does not fall.
        assert new_same * (same + other) >= same * (new_same + new_other)


@pytest.mark.parametrize("bit", [0, 1])
def test_a_run_counts_on_to_the_longest(bit):
    longest = max(max(history.n0, history.n1) for history in ORDERED)
    for length in range(1, longest + 10):
        history = ORDERED[after([bit] * length)]
        assert (history.n1 if bit else history.n0) == min(length, longest)
        assert (history.n0 if bit else history.n1) == 0


def test_zeros_and_ones_are_treated_alike():
    for history in ORDERED:
        mirrored = (history.n1, history.n0, tuple(1 - bit for bit in history.recent))
        assert mirrored in NUMBER


def closed_form(n0: int, n1: int) -> Fraction:
    """Zero-Redundancy prediction, from the closed form of the KT block probability."""

    def block(a: int, b: int) -> Fraction:
        kt = Fraction(comb(2 * a, a) * comb(2 * b, b), comb(a + b, a) * 4 ** (a + b))
        return kt / 2 + Fraction((a == 0) + (b == 0), 4)

    return block(n0, n1 + 1) / block(n0, n1)


def test_first_guesses():
    for history, i in NUMBER.items():
        assert FIRST_GUESS[i] == float(closed_form(history.n0, history.n1))
    assert FIRST_GUESS.shape == (256,)


def test_estimates_of_histories_that_have_seen_one_value():
    for history, i in NUMBER.items():
        p = closed_form(history.n0, history.n1)
        logit = float(np.log(float(p)) - np.log(float(1 - p)))
        wanted = logit if 0 in (history.n0, history.n1) else 0.0
        assert ZERO_REDUNDANCY[i] == pytest.approx(wanted, rel=1e-6)
    assert ZERO_REDUNDANCY.shape == (256,)
    assert ZERO_REDUNDANCY.dtype == np.float32


def test_younger_histories_are_short_and_lean_the_same_way() -> None:
    for state, history in enumerate(ORDERED):
        younger = ORDERED[YOUNGER[state]]
        total = history.n0 + history.n1
        assert younger.n0 + younger.n1 <= 6
        if total <= 6:
            assert younger == history
            continue
        assert younger.recent[-1] == history.recent[-1]
        assert abs(younger.n0 / (younger.n0 + younger.n1) - history.n0 / total) < 0.2


def test_a_long_history_becomes_one_of_six_bits() -> None:
    assert ORDERED[after([1] * 40)].n1 == 40
    younger = ORDERED[YOUNGER[after([1] * 40)]]
    assert (younger.n0, younger.n1) == (0, 6)
