"""Context functions as their definitions are written: plain loops, one example at a time.

Half-spaces are told apart in rational numbers, in which a float is exactly what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any


def half_space(z: Sequence[Any], v: Sequence[Any], b: Any) -> int:
    """1 if ``z . v >= b``, else 0."""
    total = Fraction(0)
    for z_i, v_i in zip(z, v, strict=True):
        total += Fraction(float(z_i)) * Fraction(float(v_i))
    return 1 if total >= Fraction(float(b)) else 0


def skip_gram(z: Sequence[int], positions: Sequence[int]) -> int:
    """The sum of ``z[i_j] * 2**(k - j)`` for j = 1 .. k."""
    k = len(positions)
    total = 0
    for j, position in enumerate(positions, 1):
        total += int(z[position]) * 2 ** (k - j)
    return total


def max_pool(z: Sequence[int], window: Sequence[int]) -> int:
    """The largest of the window's bits."""
    largest = 0
    for position in window:
        largest = max(largest, int(z[position]))
    return largest


def distance(z: Sequence[int], positions: Sequence[int], limit: int) -> int:
    """How many zeros come before the first one, counted up to the limit."""
    for zeros, position in enumerate(positions):
        if zeros == limit or z[position]:
            return zeros
    return limit


def composed(values: Sequence[int], sizes: Sequence[int]) -> int:
    """The sum of each value times all sizes that come after its own."""
    total = 0
    for i, value in enumerate(values):
        weight = 1
        for size in sizes[i + 1 :]:
            weight *= size
        total += int(value) * weight
    return total
