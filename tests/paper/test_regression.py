"""The benchmark of regression: where its sets come from, and what its figures are."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

import corpora
from bench.paper import regression
from bench.paper.regression import Examples, load, run, with_error


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GLNZIP_DATA", str(tmp_path))
    monkeypatch.setattr(regression, "find_spec", lambda name: None)
    return tmp_path


def test_a_set_is_a_file(data):
    rows = np.arange(12).reshape(4, 3)
    np.savetxt(data / "yacht.csv", rows, delimiter=",", header="a,b,c", comments="")
    features, targets = load("yacht")
    assert np.array_equal(features, rows[:, :2])
    assert np.array_equal(targets, rows[:, 2])


def test_what_is_missing_is_named(data):
    for name in regression.UCI:
        with pytest.raises(corpora.CorpusMissing, match=f"{name}: set GLNZIP_DATA"):
            load(name)
    (data / "wine.csv").write_text("1\n2\n3\n")
    with pytest.raises(corpora.CorpusMissing, match=r"wine\.csv is no table"):
        load("wine")
    result = CliRunner().invoke(regression.main, ["power"])
    assert result.exit_code == 1
    assert "power.csv" in result.output


def test_scores_are_of_what_was_not_learned():
    """A learner that knows the mean of what it is shown, and that it is off by two."""
    targets = np.tile([-2.0, 2.0], 50)
    seen = []

    def learner(train, features, seed):
        seen.append((len(train.targets), len(features)))
        assert not set(train.features[:, 0]) & set(features[:, 0])
        return np.zeros(len(features)), np.full(len(features), 2.0)

    score = run(Examples(np.arange(100.0)[:, None], targets), learner, 3)
    assert seen == [(90, 10)] * 3
    np.testing.assert_allclose(score.errors, 2)
    np.testing.assert_allclose(score.densities, -0.5 * np.log(2 * np.pi) - np.log(2) - 0.5)
    assert with_error(np.array([1.0, 3.0])) == "2.000 +- 1.000"


@pytest.mark.slow
def test_the_command():
    result = CliRunner().invoke(regression.main, ["diabetes", "--splits", "2"])
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    errors = {line[22:38].strip(): float(line[38:].split()[0]) for line in lines[1:]}
    assert set(errors) == {"GLN, 10 passes", "linear", "forest", "50 neurons"}
    assert all(50 < error < 65 for error in errors.values())
