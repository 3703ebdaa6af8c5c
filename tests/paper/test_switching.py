"""The mixture follows low layers first and high ones later, and beats the last neuron."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from bench.paper import switching
from bench.paper.capacity import GRID, bell

COUNT = 20_000


@pytest.fixture(scope="module")
def courses():
    return [switching.run(COUNT, seed) for seed in range(5)]


def test_shares_move_from_layer_to_layer(courses):
    shares = np.mean([course.shares for course in courses], axis=0)
    assert np.allclose(shares.sum(axis=1), 1)
    assert shares[0] == pytest.approx(np.array(switching.LAYERS) / sum(switching.LAYERS))
    leading = shares[[100, 300, 1000, -1]].argmax(axis=1)
    assert leading.tolist() == [1, 3, 4, 5]
    assert shares[-1, -1] > 0.5
    height = shares @ np.arange(len(switching.LAYERS))
    assert (np.diff(height[[100, 300, 1000, 4000, -1]]) > 0).all()


def test_fits_become_better(courses):
    errors = [
        [np.abs(fit - bell(GRID)).mean() for fit in course.fits.values()] for course in courses
    ]
    means = np.mean(errors, axis=0)
    assert means.tolist() == sorted(means, reverse=True)
    assert means[0] < 0.12
    assert means[-1] < 0.095


def test_the_mixture_beats_the_last_neuron(courses):
    """From the start and for each seed; no predictor can expect less than f's own entropy."""
    f = np.clip(bell(GRID), 1e-9, 1 - 1e-9)
    entropy = -(f * np.log(f) + (1 - f) * np.log(1 - f)).mean()
    for course in courses:
        for part in (slice(0, 1000), slice(0, COUNT)):
            assert course.mixture_loss[part].mean() < course.last_loss[part].mean()
    assert np.mean([course.mixture_loss for course in courses]) < entropy + 0.06


def test_command(tmp_path):
    result = CliRunner().invoke(switching.main, ["--quick", "--output", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "log loss per example: mixture" in result.output
    assert 1_000 < (tmp_path / "switching.png").stat().st_size < 150_000
