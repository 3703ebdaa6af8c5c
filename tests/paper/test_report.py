"""The page of the paper's experiments: made from saved results, and up to date."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import corpora
from bench.paper import report
from bench.paper.report import EXPERIMENTS, Experiment, Result, Row, load, rendered

PAGE = "# Title\n\nBefore.\n\n<!-- results -->\nold\n<!-- /results -->\n\nAfter.\n"


def test_the_page_is_what_its_results_make_of_it():
    page = report.PAGE.read_text("utf-8")
    assert rendered(page, load(report.RESULTS)) == page


def test_every_result_is_of_an_experiment_that_there_is():
    results = load(report.RESULTS)
    assert results
    for name, result in results.items():
        assert result.command == EXPERIMENTS[name].command
        for row in EXPERIMENTS[name].rows:
            assert row.ours(result.figures)


def test_figures_of_several_seeds_are_told_as_a_range():
    row = Row("what", "1", ("one", "other"))
    figures = {"one": 0.98765, "other": [0.5, 0.25, 0.75]}
    assert row.ours(figures) == "98.77 % / 25.00 % to 75.00 %"
    assert row.ours({"one": 1, "other": [0.5, 0.50001]}) == "100.00 % / 50.00 %"


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Two experiments in the place of all; the names of those that were run."""
    ran: list[str] = []

    def experiment(name: str, figure: float) -> Experiment:
        def measure(folder: Path, progress: Callable[[int], object]) -> report.Figures:
            ran.append(name)
            progress(3)
            return {"share": figure}

        return Experiment(f"run {name}", 3, measure, [Row(f"the {name}", "1 %", ("share",))])

    monkeypatch.setattr(
        report,
        "EXPERIMENTS",
        {"spiral": experiment("spiral", 0.5), "density": experiment("density", 1)},
    )
    for name in ("RESULTS", "PAGE", "WORK"):
        monkeypatch.setattr(report, name, tmp_path / name)
    (tmp_path / "PAGE").write_text(PAGE)
    return ran


def invoked(*options: str) -> None:
    outcome = CliRunner().invoke(report.main, options)
    assert outcome.exit_code == 0, outcome.output


def test_all_experiments_are_run_and_the_page_is_written(fakes: list[str], tmp_path: Path):
    invoked()
    assert fakes == ["spiral", "density"]
    page = (tmp_path / "PAGE").read_text()
    assert page.startswith("# Title\n\nBefore.\n\n<!-- results -->\n| experiment |")
    assert page.endswith(" |\n<!-- /results -->\n\nAfter.\n")
    assert "| the density | 1 % | 100.00 % | `run density` | 0 |\n" in page
    assert not (tmp_path / "WORK").exists()
    invoked("--render")
    assert (tmp_path / "PAGE").read_text() == page
    invoked()
    assert fakes == ["spiral", "density"] * 2, "a new report measures all again"


def test_an_interrupted_report_goes_on(
    fakes: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    whole = report.EXPERIMENTS["density"]

    def interrupted(folder: Path, progress: Callable[[int], object]) -> report.Figures:
        (folder / "half").mkdir(parents=True)
        raise corpora.CorpusMissing("no images")

    monkeypatch.setitem(report.EXPERIMENTS, "density", whole._replace(measure=interrupted))
    outcome = CliRunner().invoke(report.main)
    assert outcome.exit_code == 1
    assert "Error: no images" in outcome.output
    assert "the spiral" in (tmp_path / "PAGE").read_text()
    assert (tmp_path / "WORK" / "density" / "half").exists(), "it may go on from there"
    (tmp_path / "WORK" / "density" / "seconds").write_text("1000")
    monkeypatch.setitem(report.EXPERIMENTS, "density", whole)
    invoked()
    assert fakes == ["spiral", "density"]
    assert 1000 <= load(tmp_path / "RESULTS")["density"].seconds < 1010
    assert not (tmp_path / "WORK").exists()


def test_one_experiment_alone(fakes: list[str], tmp_path: Path):
    invoked("--only", "density")
    invoked("--only", "density")
    assert fakes == ["density", "density"]
    assert list(load(tmp_path / "RESULTS")) == ["density"]


def test_results_come_back_from_their_file(tmp_path: Path):
    results = {"spiral": Result({"right": [0.5, 0.25]}, "command", 1.5, "2026-01-01")}
    report.save(tmp_path / "results.json", results)
    assert load(tmp_path / "results.json") == results
    assert load(tmp_path / "none") == {}
