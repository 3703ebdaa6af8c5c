"""What the page shows in a browser adds up to the compressed file."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from glnzip.analysis.analyse import analyse
from glnzip.analysis.figures import Analysis
from glnzip.analysis.page import page, section
from tests.analysis.test_page import HOSTILE
from tests.checks import sample
from tests.packed import gzip_file

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no chromium on this machine")


class Shown(HTMLParser):
    """The rows of each table, by what it is called, and the bytes that are shown."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: list[tuple[str, list[list[str]]]] = []
        self.bytes = ""
        self.scripts = 0
        self._cell = self._pre = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append((dict(attrs)["aria-label"] or "", []))
        elif tag == "tr":
            self.tables[-1][1].append([])
        elif tag in ("td", "th"):
            self._cell = True
            self.tables[-1][1][-1].append("")
        self._pre = self._pre or tag == "pre"
        self.scripts += tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self._cell = self._cell and tag not in ("td", "th")
        self._pre = self._pre and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.tables[-1][1][-1][-1] += data
        if self._pre:
            self.bytes += data


def shown(tmp_path: Path, analyses: list[tuple[str, Analysis]]) -> Shown:
    """What is in the page once its script has run."""
    file = tmp_path / "page.html"
    file.write_text(page([section(*each) for each in analyses]), encoding="utf-8")
    assert BROWSER is not None
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    options = [
        "--headless=new",
        "--disable-gpu",
        "--no-sandbox",
        profile,
    ]  # root can have no sandbox
    command = [BROWSER, *options, "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    return Shown(done.stdout.decode())


def number(text: str) -> float:
    return float(re.sub(r"[^\d.-]", "", text))


def column(rows: list[list[str]], which: int) -> list[float]:
    return [number(row[which]) for row in rows]


def test_sums_and_hostile_data(tmp_path: Path) -> None:
    """Figures have a digit behind the point: rows may be half of it off each."""
    text = sample(3000)
    found = {
        "text": analyse(text, level=1, prior=None),
        "packed": analyse(gzip_file(text) + text, level=1, prior=None),
        "hostile": analyse(HOSTILE, level=1, prior=None),
    }
    seen = shown(tmp_path, list(found.items()))
    assert seen.scripts == 2, "no data have become a script"
    by_name: dict[str, list[list[list[str]]]] = {}
    for name, rows in seen.tables:
        by_name.setdefault(name, []).append(rows[1:])
    for which, analysis in enumerate(found.values()):
        size = analysis.compressed_bytes
        *parts, whole = by_name["The compressed file"][which]
        assert number(whole[2]) == size
        assert sum(column(parts, 2)) == pytest.approx(size, abs=0.05 * len(parts))
        for table, count in (
            ("By kind of block", analysis.original_bytes),
            ("By kind of byte", len(analysis.seen.data)),
        ):
            *rows, data, rest, whole = by_name[table][which]
            assert sum(column(rows, 1)) == number(data[1]) == count
            assert sum(column(rows, 2)) == pytest.approx(number(data[2]), abs=0.05 * len(rows))
            assert number(data[2]) + number(rest[2]) == pytest.approx(size, abs=0.1)
            assert number(whole[2]) == size
        assert size in column(by_name["Sizes"][which], 1)
    savings = [
        rows
        for name, tables in by_name.items()
        if name.startswith("What the model")
        for rows in tables
    ]
    assert len(savings) == sum(len(analysis.savings) for analysis in found.values())
    for *_, saved, cost, whole in savings:
        assert number(saved[1]) + number(cost[1]) == pytest.approx(number(whole[1]), abs=0.11)
    assert "</script><script>alert(1)</script>" in seen.bytes
    assert "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}U+202E" in seen.bytes
    assert "\u202e" not in seen.bytes


def test_nothing_to_show(tmp_path: Path) -> None:
    empty = analyse(b"", level=1, prior=None)
    seen = shown(tmp_path, [("empty", empty)])
    assert number(seen.tables[0][1][-1][2]) == empty.compressed_bytes
