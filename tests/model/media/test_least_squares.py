"""Least squares and long filters against their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glnzip.model.media import least_squares as ls
from glnzip.model.media import nlms


@pytest.mark.parametrize("interval", [1, 7])
def test_weights_solve_the_fading_normal_equations(interval: int) -> None:
    """After each solution the weights are those of NumPy's solver for the same sums."""
    rng = np.random.default_rng(5)
    keep, ridge, n = 0.97, 0.5, 6
    squares = ls.new_least_squares([ls.Fading(n, keep, ridge, interval)], copies=2)
    moments: Any = np.zeros((n, n))
    targets: Any = np.zeros(n)
    weights: Any = np.zeros(n)
    for t in range(1, 60):
        x = np.round(rng.normal(size=n) * 50)
        y = float(np.round(x @ np.arange(n) / 7 + rng.normal()))
        squares.inputs[:] = x
        assert ls.predicted(squares, 1) == pytest.approx(weights @ x, rel=1e-8, abs=1e-8)
        ls.learn_target(squares, 1, y)
        moments = moments * keep + np.outer(x, x)
        targets = targets * keep + x * y
        if t % interval == 0:
            weights = np.linalg.solve(moments + ridge * np.eye(n), targets)
            assert squares.weights[1] == pytest.approx(weights, rel=1e-6, abs=1e-9)
    assert not squares.weights[0].any()  # the other member has learned nothing


def test_members_may_look_at_fewer_inputs() -> None:
    rows = [ls.Fading(4, 0.9, 1.0, 1), ls.Fading(2, 0.9, 1.0, 1)]
    squares = ls.new_least_squares(rows, copies=1)
    squares.inputs[:] = 1, 2, 3, 4
    for member in (0, 1):
        ls.learn_target(squares, member, 10.0)
    assert squares.weights[0].all()
    assert squares.weights[1, :2].all()
    assert not squares.weights[1, 2:].any()


def test_equations_without_a_solution_leave_the_weights() -> None:
    squares = ls.new_least_squares([ls.Fading(3, 0.9, 0.0, 1)], copies=1)
    ls.learn_target(squares, 0, 1.0)  # all inputs are zero
    assert not squares.weights.any()


def test_a_filter_learns_a_tone_past_the_end_of_its_room() -> None:
    bank = nlms.new_nlms(2, 16, 0.01)
    misses = []
    for t in range(6000):
        value = np.float32(1000 * np.sin(t * 0.2))
        miss = value - nlms.filtered(bank, 1)
        nlms.learn_value(bank, 1, value, miss)
        misses.append(abs(float(miss)))
    assert max(misses[-500:]) < 5
    assert nlms.filtered(bank, 0) == 0
