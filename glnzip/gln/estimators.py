"""From a pair of counts to a probability: Krichevsky-Trofimov and Zero-Redundancy estimators.

The KT estimator gives a block of ``n0`` zeros and ``n1`` ones the probability of a Beta(1/2, 1/2)
mixture; its prediction is ``(n1 + 1/2) / (n0 + n1 + 1)``. The Zero-Redundancy estimator mixes that
block probability with the two sources that never change their mind (Willems, Shtarkov, Tjalkens,
1997; Veness et al., 2017):

    P_zr(n0, n1) = 1/2 P_kt(n0, n1) + 1/4 [n0 = 0] + 1/4 [n1 = 0]

so a context in which only one bit value was ever seen is trusted much sooner. Predictions follow
as a ratio of block probabilities. Exact rational arithmetic: the results are constants of the
format.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod


def kt_block(n0: int, n1: int) -> Fraction:
    """KT probability of any one sequence of `n0` zeros and `n1` ones."""
    odd = prod(range(1, 2 * n0, 2)) * prod(range(1, 2 * n1, 2))
    return Fraction(odd, 2 ** (n0 + n1) * factorial(n0 + n1))


def kt(n0: int, n1: int) -> Fraction:
    """KT probability that a one follows."""
    return (n1 + Fraction(1, 2)) / (n0 + n1 + 1)


def zero_redundancy_block(n0: int, n1: int) -> Fraction:
    """Zero-Redundancy probability of any one sequence of `n0` zeros and `n1` ones."""
    deterministic = Fraction((n0 == 0) + (n1 == 0), 4)
    return kt_block(n0, n1) / 2 + deterministic


def zero_redundancy(n0: int, n1: int) -> Fraction:
    """Zero-Redundancy probability that a one follows."""
    return zero_redundancy_block(n0, n1 + 1) / zero_redundancy_block(n0, n1)
