"""Rate schedules: the documented formulas, and what a network makes of them."""

from __future__ import annotations

import numpy as np

from glnzip.gln import constant, decaying, inverse_time, new_network


def test_constant():
    assert constant(0.25).tolist() == [0.25]


def test_decaying():
    rates = decaying(0.5, 0.125, half_life=10, length=1000)
    assert rates.dtype == np.float32
    assert rates.size == 1000
    assert rates[0] == 0.5
    assert rates[10] == (0.5 + 0.125) / 2
    assert rates[-1] == 0.125
    assert np.all(np.diff(rates) < 0)


def test_inverse_time():
    rates = inverse_time(scale=8, cap=0.5, length=64)
    assert rates.dtype == np.float32
    assert rates.tolist() == [min(np.float32(8 / t), 0.5) for t in range(1, 65)]
    assert rates[15] == 0.5 > rates[16]


def test_layers_may_have_schedules_of_different_lengths():
    rates = [constant(0.5), inverse_time(1, 1, 4)]
    network = new_network(3, rows=[[1], [1]], rates=rates, start=[None, None])
    expected = [[0.5] * 4, [1, 1 / 2, np.float32(1 / 3), 1 / 4]]
    assert network.rates.tolist() == expected
