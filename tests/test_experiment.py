"""The experiment harness compares like with like, and keeps what was accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import corpora
from bench import experiment


def test_changes_count_only_files_that_both_have() -> None:
    scores = {"set": {"a": 90, "b": 210, "new": 1000}, "unknown": {"c": 5}}
    rows = experiment.compared(scores, {"set": {"a": 100, "b": 200, "gone": 7}})
    assert rows[0] == ["set", "1,300", "+0.00%", "a -10.0% b +5.0%"]
    assert rows[1] == ["unknown", "5", "-", "-"]


def test_a_second_run_of_the_same_model_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    development = tmp_path / "development"
    development.mkdir()
    (development / "words").write_bytes(b"a few words, and a few words more\n" * 20)
    monkeypatch.setenv(experiment.DEVELOPMENT, str(development))
    monkeypatch.setattr(experiment, "ACCEPTED", tmp_path / "accepted.json")
    monkeypatch.setattr(corpora, "missing_reason", lambda name: "not wanted here")
    arguments = ["--level", "1", "--cap", "2000"]
    first = CliRunner().invoke(experiment.main, [*arguments, "--accept"], catch_exceptions=False)
    kept = json.loads((tmp_path / "accepted.json").read_text())["level 1, cap 2000"]
    assert kept["development"]["words"] < 200
    assert set(kept) == {"development", "samples"}
    assert "+0.00%" not in first.output
    second = CliRunner().invoke(experiment.main, arguments, catch_exceptions=False)
    assert second.output.count("+0.00%") == 2
