"""Bit histories: what a context remembers of the bits that followed it, in one byte.

A history is a pair of counts with the order of its last few bits. It starts exact: every sequence
of up to ``EXACT_BITS`` bits is a state of its own. Longer ones keep ``(n0, n1, last bit)``, with
two rules that make recent bits weigh more, as in the PAQ programs (Mahoney, "Adaptive Weighing of
Context Models for Lossless Data Compression", 2005; the table itself is our own):

- a bit that contradicts the opposite count cuts that count down (`_forget`);
- a count stops growing at a limit that falls with the opposite count (`_LIMITS`).

States are numbered by total count, so a smaller number is a younger history: the slot table
replaces the smallest. State 0 is the empty history.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.estimators import zero_redundancy
from glnzip.gln.logistic import exact_log

EXACT_BITS = 4
_KEPT = 6
_LIMITS = (48, 32, 14, 9, 7, 6)  # largest count beside an opposite count of 0, 1, 2, ...


class History(NamedTuple):
    """One state: counts of zeros and ones, and the last bits (all of them while exact)."""

    n0: int
    n1: int
    recent: tuple[int, ...]


def _forget(count: int) -> int:
    """What is left of a count when the opposite bit is seen: only long runs shrink."""
    return count if count <= 2 else min(2 + (count - 1) // 3, 6)


def _limit(opposite: int) -> int:
    return _LIMITS[min(opposite, len(_LIMITS) - 1)]


def _after(history: History, bit: int) -> History:
    """The history after one more bit."""
    exact = (*history.recent, bit)
    if len(exact) <= EXACT_BITS and history.n0 + history.n1 == len(history.recent):
        return History(exact.count(0), exact.count(1), exact)
    same, other = (history.n1, history.n0) if bit else (history.n0, history.n1)
    other = _forget(other)
    same = min(same + 1, max(_limit(other), same if other == 0 else 0))
    n0, n1 = (other, same) if bit else (same, other)
    return History(n0, n1, (bit,))


def _all_histories() -> tuple[list[History], dict[History, tuple[History, History]]]:
    start = History(0, 0, ())
    following: dict[History, tuple[History, History]] = {}
    waiting = [start]
    while waiting:
        history = waiting.pop()
        if history not in following:
            following[history] = (_after(history, 0), _after(history, 1))
            waiting.extend(following[history])
    ordered = sorted(following, key=lambda h: (h.n0 + h.n1, h))
    return ordered, following


def history_tables() -> tuple[Any, Any, Any]:
    """The machine, its first guess, and what is an input of its own.

    Returns
    -------
    next_state : uint8[512]
        State after state ``s`` and bit ``y`` at ``2 * s + y``.
    first_guess : float64[256]
        Zero-Redundancy probability of a one for the state's counts.
    zero_redundancy : float32[256]
        The logit of that estimate for states that have seen only zeros or only ones, else 0.
    """
    ordered, following = _all_histories()
    if len(ordered) > 256:
        raise AssertionError(f"{len(ordered)} bit histories do not fit a byte")
    number = {history: i for i, history in enumerate(ordered)}
    next_state = np.zeros(512, np.uint8)
    first_guess = np.full(256, 0.5)
    one_sided = np.zeros(256, bool)
    for history, i in number.items():
        for bit in (0, 1):
            next_state[2 * i + bit] = number[following[history][bit]]
        first_guess[i] = float(zero_redundancy(history.n0, history.n1))
        one_sided[i] = history.n0 == 0 or history.n1 == 0
    estimates = exact_log(first_guess) - exact_log(1.0 - first_guess)
    return next_state, first_guess, np.where(one_sided, estimates, 0.0).astype(np.float32)


NEXT_STATE, FIRST_GUESS, ZERO_REDUNDANCY = history_tables()


def _histories_of_same_bits() -> Any:
    """The history after a bit came n times, and no other one: uint8[512], at ``n << 1 | bit``."""
    same = np.zeros(512, np.uint8)
    for n in range(2, 512):
        same[n] = NEXT_STATE[int(same[n - 2]) << 1 | n & 1]
    return same


SAME_BITS = _histories_of_same_bits()


def _younger_histories() -> Any:
    """What is left of a history when other data begin: uint8[256].

    Of those with no more than `_KEPT` bits and the same last bit, the one whose counts are nearest
    to a share of these counts; of equals the one with most bits, then the first.
    """
    ordered, _ = _all_histories()
    kept = [history for history in ordered if 0 < history.n0 + history.n1 <= _KEPT]
    younger = np.arange(256, dtype=np.uint8)

    def distance(history: History, other: History) -> tuple[int, int]:
        total = history.n0 + history.n1
        apart = abs(other.n0 * total - _KEPT * history.n0)
        apart += abs(other.n1 * total - _KEPT * history.n1)
        return apart, -(other.n0 + other.n1)

    for i, history in enumerate(ordered):
        if history.n0 + history.n1 > _KEPT:
            same_end = (other for other in kept if other.recent[-1] == history.recent[-1])
            younger[i] = ordered.index(min(same_end, key=partial(distance, history)))
    return younger


YOUNGER = _younger_histories()
