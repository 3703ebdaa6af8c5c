"""Half-spaces on a line: every neuron learns what its gates allow, and no more."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from bench.paper import capacity
from bench.paper.capacity import GRID, bell, deep, wide

pytestmark = pytest.mark.slow

COUNT = 100_000


@pytest.fixture(scope="module")
def wide_fit():
    return wide(COUNT, seed=0)


@pytest.fixture(scope="module")
def deep_fit():
    return deep(COUNT, seed=0)


def expected_loss(outputs):
    """Of every neuron: the mean over the grid of its expected log loss."""
    f = bell(GRID)[:, None]
    return -(f * np.log(outputs) + (1 - f) * np.log(1 - outputs)).mean(axis=0)


def test_the_first_layer_learns_the_mean_on_each_side(wide_fit):
    for neuron, offset in enumerate(wide_fit.offsets[:-1]):
        for side in (offset > GRID, offset <= GRID):
            outputs = wide_fit.outputs[side, neuron]
            assert np.ptp(outputs) == 0
            assert outputs[0] == pytest.approx(bell(GRID[side]).mean(), abs=0.01)


def test_many_half_spaces_learn_the_curve(wide_fit):
    assert wide_fit.mean_error() < 0.022
    assert wide_fit.errors.max() < 0.075


def test_deep_layers_reach_what_their_half_spaces_allow(deep_fit):
    assert deep_fit.mean_error() < deep_fit.least_errors.mean() + 0.01
    losses = np.split(expected_loss(deep_fit.outputs), np.cumsum(deep_fit.layers)[:-1])
    best = [layer.min() for layer in losses]
    assert best == sorted(best, reverse=True)  # every layer knows more than the one below
    assert best[-1] < best[0] - 0.15


def test_outputs_are_constant_on_the_pieces(deep_fit):
    piece = (GRID[:, None] >= deep_fit.offsets).sum(axis=1)
    inside = np.diff(piece) == 0
    assert not np.diff(deep_fit.outputs, axis=0)[inside].any()
    assert not np.diff(deep_fit.pieces)[inside].any()
    assert len(np.unique(piece)) == 1 + len(deep_fit.offsets)


def test_nothing_constant_on_the_pieces_loses_less(deep_fit):
    least = expected_loss(deep_fit.pieces[:, None])[0]
    assert least <= expected_loss(deep_fit.outputs).min()
    random = np.random.default_rng(0)
    piece = (GRID[:, None] >= deep_fit.offsets).sum(axis=1)
    for _ in range(20):
        moved = deep_fit.pieces + random.normal(0, 0.01, 1 + piece.max())[piece]
        assert least < expected_loss(np.clip(moved, 1e-6, 1 - 1e-6)[:, None])[0]


def test_command(tmp_path):
    result = CliRunner().invoke(capacity.main, ["--quick", "--output", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "deep: mean error" in result.output
    pictures = sorted(tmp_path.iterdir())
    assert [picture.name for picture in pictures] == ["capacity_deep.png", "capacity_wide.png"]
    assert all(1_000 < picture.stat().st_size < 150_000 for picture in pictures)
