"""What the documents say of the code is so: memory, files, and the tests that hold the promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import glnzip
from glnzip.format.levels import LEVELS, memory_bytes, model_bytes
from glnzip.priors.allowance import most_bytes
from glnzip.system.units import human_size

ROOT = Path(glnzip.__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SECURITY = (ROOT / "docs" / "SECURITY.md").read_text(encoding="utf-8")


def to_prepare(level: int) -> str:
    """What preparing the shipped prior takes."""
    process = memory_bytes(level) - model_bytes(level)
    return human_size(process + most_bytes(level, glnzip.SHIPPED_PRIOR))


def test_the_table_of_levels() -> None:
    manual = (ROOT / "docs" / "CLI.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `-(\d)` \| ([\d.]+ [MG]B) \| ([\d.]+ [MG]B) \|$", manual, re.MULTILINE)
    assert rows == [
        (str(level), human_size(memory_bytes(level)), to_prepare(level)) for level in LEVELS
    ]


@pytest.mark.parametrize("name", ["README.md", "docs/SECURITY.md"])
def test_memory_that_is_named_elsewhere(name: str) -> None:
    """In sentences of the form "159 MB at `-1`" and "level 9, which takes 2.72 GB"."""
    text = (ROOT / name).read_text(encoding="utf-8")
    named = [(level, size) for size, level in re.findall(r"([\d.]+ [MG]B) at `-(\d)`", text)]
    named += re.findall(r"level (\d), which takes ([\d.]+ [MG]B)", text)
    assert named
    for level, size in named:
        assert size == human_size(memory_bytes(int(level))), level
    for size in re.findall(r"and ([\d.]+ GB) once to prepare its prior", text):
        assert size == to_prepare(9)


def test_what_is_promised_names_tests_that_are_there() -> None:
    there = {path.stem for path in (ROOT / "tests").rglob("*.py")}
    named = set(re.findall(r"`((?:test_|hostile_)\w+)`", SECURITY))
    assert len(named) > 20
    assert named <= there


def anchors(document: Path) -> set[str]:
    """What GitHub calls the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_lead_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_named_modules_are_there(document: Path) -> None:
    """Paths that end in .py are from the root, from the package or from its model."""
    roots = (ROOT, ROOT / "glnzip", ROOT / "glnzip" / "model")
    for name in re.findall(r"`(\w+/[\w/]+\.py)`", document.read_text(encoding="utf-8")):
        assert any((root / name).exists() for root in roots), name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_rows_of_tables_have_as_many_cells(document: Path) -> None:
    for table in re.findall(r"(?:^\|.*\n)+", document.read_text(encoding="utf-8"), re.MULTILINE):
        rows = table.splitlines()
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1, rows[0]


def test_the_readme_lists_every_package() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    there = {file.parent.name for file in (ROOT / "glnzip").glob("*/__init__.py")}
    assert set(re.findall(r"^  (\w+)/ ", readme, re.MULTILINE)) == there


def test_the_reading_path() -> None:
    """The README counts the lines of the files that it says to read, to about a tenth."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`glnzip/.*?) \| (\d+) \|", readme, re.MULTILINE)
    total = 0
    for cell, stated in rows:
        first, *others = re.findall(r"`(.*?)`", cell)
        files = [ROOT / first, *((ROOT / first).parent / name for name in others)]
        lines = [len(file.read_text(encoding="utf-8").splitlines()) for file in files]
        assert sum(lines) == pytest.approx(int(stated), rel=0.1), cell
        total += int(stated)
    assert f"These {total:,} show" in readme
