"""Three spiral arms: one pass tells them apart, and it takes all of the network."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from bench.paper import spiral
from bench.paper.spiral import FULL, LAYERS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=range(3))
def result(request):
    return spiral.run(FULL, seed=request.param)


def test_one_pass_is_enough(result):
    assert result.right >= 0.99
    assert 0.93 < result.right_before < result.right


def test_points_never_seen(result):
    points, classes = spiral.spiral(FULL, np.random.default_rng(99))
    assert (result.classifier.classify(points) == classes).mean() >= 0.99


def test_layers_build_on_each_other(result):
    """A neuron of the first layer has two half-planes with a linear function in each."""
    some = slice(0, 2000)
    right = [
        (result.classifier.classify(result.points[some], neuron) == result.classes[some]).mean()
        for neuron in range(sum(LAYERS))
    ]
    first, second, (last,) = np.split(right, np.cumsum(LAYERS)[:-1])
    assert 1 / 3 < first.mean() < 0.5
    assert 0.9 < second.mean() < last
    assert last >= 0.99


def test_arms():
    """Equally many points in each, all within the plane that is drawn, none on another arm."""
    points, classes = spiral.spiral(FULL, np.random.default_rng(0))
    assert np.bincount(classes) == pytest.approx(FULL / 3, rel=0.03)
    assert np.abs(points).max() < 1.2
    angle = np.arctan2(points[:, 1], points[:, 0])
    along = (np.hypot(*points.T) - 0.1) / 0.9
    arm = (angle / (2 * np.pi) - along) * 3 % 3
    assert (np.rint(arm) % 3 == classes).mean() > 0.999


def test_command(tmp_path, monkeypatch):
    monkeypatch.setattr(spiral, "QUICK", 1000)
    outcome = CliRunner().invoke(spiral.main, ["--quick", "--output", str(tmp_path)])
    assert outcome.exit_code == 0, outcome.output
    assert "seed 4: of 1,000 points" in outcome.output
    assert 1_000 < (tmp_path / "spiral.png").stat().st_size < 150_000
