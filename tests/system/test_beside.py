"""A process beside this one: begun only where that is certain to be right, and waited for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from glnzip.system import beside


@pytest.fixture(autouse=True)
def allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "is_allowed", True)
    monkeypatch.setattr("os.cpu_count", lambda: 2)


def test_what_was_begun_is_done_when_it_has_ended(tmp_path: Path) -> None:
    assert beside.begin(f"open({str(tmp_path / 'done')!r}, 'w').close()")
    assert beside.end()
    assert (tmp_path / "done").exists()
    assert not beside.end()


def test_there_is_one_at_a_time(tmp_path: Path) -> None:
    assert beside.begin("pass")
    assert not beside.begin("pass")
    assert beside.end()


def test_modules_come_from_where_this_process_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "json.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(sys, "path", [*(entry for entry in sys.path if entry), str(tmp_path)])
    (tmp_path / "nowhere_else.py").write_text("NAME = 'found'")
    code = (
        f"import json, nowhere_else\nopen({str(tmp_path / 'is')!r}, 'w').write(nowhere_else.NAME)"
    )
    assert beside.begin(code)
    assert beside.end()
    assert (tmp_path / "is").read_text() == "found"


@pytest.mark.parametrize("reason", ["not allowed", "one processor", "no Python"])
def test_else_nothing_is_begun(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason == "not allowed":
        monkeypatch.setattr(beside, "is_allowed", False)
    elif reason == "one processor":
        monkeypatch.setattr("os.cpu_count", lambda: 1)
    else:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert not beside.begin("pass")
    assert not beside.end()
