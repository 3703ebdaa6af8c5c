"""The two estimators against their definitions: a KT mixture, and the same with certainty."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, log2

import pytest

from glnzip.gln.estimators import kt, kt_block, zero_redundancy, zero_redundancy_block

COUNTS = list(product(range(9), repeat=2))


def one_after_another(estimator, bits: tuple[int, ...]) -> Fraction:
    """Probability of a sequence as the product of its predictions."""
    probability = Fraction(1)
    for n, bit in enumerate(bits):
        ones = sum(bits[:n])
        p_one = estimator(n - ones, ones)
        probability *= p_one if bit else 1 - p_one
    return probability


@pytest.mark.parametrize(
    ("predict", "block"), [(kt, kt_block), (zero_redundancy, zero_redundancy_block)]
)
def test_predictions_multiply_to_block_probabilities(predict, block):
    for length in range(8):
        total = Fraction(0)
        for bits in product((0, 1), repeat=length):
            ones = sum(bits)
            assert one_after_another(predict, bits) == block(length - ones, ones)
            total += block(length - ones, ones)
        assert total == 1, "a probability distribution over all sequences of a length"


@pytest.mark.parametrize(("n0", "n1"), COUNTS)
def test_kt_is_the_beta_mixture(n0, n1):
    """The integral of ``p**n1 (1-p)**n0`` under Beta(1/2, 1/2), in closed form."""
    integral = Fraction(comb(2 * n0, n0) * comb(2 * n1, n1), comb(n0 + n1, n0) * 4 ** (n0 + n1))
    assert kt_block(n0, n1) == integral


@pytest.mark.parametrize(("n0", "n1"), COUNTS)
def test_zero_redundancy_is_kt_once_both_bits_were_seen(n0, n1):
    if n0 and n1:
        assert zero_redundancy(n0, n1) == kt(n0, n1)
    assert zero_redundancy(n0, n1) == 1 - zero_redundancy(n1, n0)


def test_zero_redundancy_pays_at_most_two_bits_for_certainty():
    for n in (1, 10, 100):
        cost = -log2(zero_redundancy_block(n, 0))
        assert cost < 2 < -log2(kt_block(100, 0))
        assert zero_redundancy(n, 0) < kt(n, 0)
