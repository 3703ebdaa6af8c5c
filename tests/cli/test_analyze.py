"""`glnzip analyze`: a page or JSON about files, which are left as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import glnzip
from tests.cli.inside import DATA, files, run, write

pytestmark = pytest.mark.usefixtures("in_empty_folder")

QUICK = ("-1", "--prior", "none")


def test_a_page(tmp_path: Path) -> None:
    write("data")
    result = run("analyze", *QUICK, "data")
    assert files() == ["data", "report.html"]
    assert Path("report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "report.html" in result.stderr


def test_an_existing_report_is_left_alone() -> None:
    write("data")
    write("report.html", b"mine")
    result = run("analyze", *QUICK, "data", status=1)
    assert "exists already" in result.stderr
    assert Path("report.html").read_bytes() == b"mine"
    assert "written" not in run("analyze", *QUICK, "-f", "-q", "data").stderr
    assert Path("report.html").read_bytes() != b"mine"


def test_the_input_is_not_overwritten() -> None:
    write("data")
    run("analyze", *QUICK, "-o", "data", "data", status=1)
    assert Path("data").read_bytes() == DATA


def test_json_has_the_figures() -> None:
    write("data")
    (figures,) = json.loads(run("analyze", *QUICK, "--json", "data").stdout)
    assert figures["file"] == "data"
    assert figures["compressed_bytes"] == len(glnzip.compress(DATA, level=1, prior=None))
    parts = sum(part["bits"] for part in figures["overhead"])
    assert figures["data_bits"] + parts == 8 * figures["compressed_bytes"]
    assert files() == ["data"]


def test_with_an_older_version() -> None:
    write("data")
    write("old", DATA[:-1])
    (figures,) = json.loads(run("analyze", *QUICK, "--base", "old", "--json", "data").stdout)
    base = glnzip.Base.load("old", prior=None)
    assert figures["prior_id"] == base.id
    assert figures["compressed_bytes"] == len(glnzip.compress(DATA, level=1, prior=base))


def test_json_to_a_file_and_a_page_to_standard_output() -> None:
    write("data")
    run("analyze", *QUICK, "--json", "-o", "figures", "data")
    assert json.loads(Path("figures").read_text(encoding="utf-8"))[0]["file"] == "data"
    assert run("analyze", *QUICK, "-o", "-", "data").stdout.startswith("<!doctype html>")


def test_standard_input() -> None:
    (figures,) = json.loads(run("analyze", *QUICK, "--json", stdin=DATA).stdout)
    assert (figures["file"], figures["original_bytes"]) == ("standard input", len(DATA))


def test_several_and_one_that_is_missing() -> None:
    write("a")
    write("b", b"")
    result = run("analyze", *QUICK, "--json", "a", "gone", "b", status=1)
    assert [each["file"] for each in json.loads(result.stdout)] == ["a", "b"]
    assert "gone" in result.stderr


def test_nothing_is_written_about_nothing() -> None:
    result = run("analyze", *QUICK, "gone", status=1)
    assert result.stderr.count("\n") == 1
    assert files() == []


def test_folders() -> None:
    Path("folder").mkdir()
    write("folder/data")
    assert "is a directory" in run("analyze", *QUICK, "folder", status=1).stderr
    (figures,) = json.loads(run("analyze", *QUICK, "--json", "-r", "folder").stdout)
    assert figures["file"] == str(Path("folder/data"))


def test_detail() -> None:
    write("data", bytes(range(256)) * 20)
    run("analyze", *QUICK, "data", "-o", "all")
    run("analyze", *QUICK, "data", "--detail", "1K", "-o", "less")
    assert Path("all").stat().st_size - Path("less").stat().st_size > 2 * (5120 - 1024)
