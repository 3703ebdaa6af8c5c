"""What the documents say of the code is so: memory, files, and the tests that hold the promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import glnzip
from docs import memory
from glnzip.format.levels import LEVELS

ROOT = Path(glnzip.__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SECURITY = (ROOT / "docs" / "SECURITY.md").read_text(encoding="utf-8")


def test_the_table_of_levels() -> None:
    manual = (ROOT / "docs" / "CLI.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `-(\d)` \| .* [MG]B \| .* [MG]B \|$", manual, re.MULTILINE) == [
        *map(str, LEVELS)
    ]


@pytest.mark.parametrize("file", memory.NAMED_IN, ids=lambda file: file.name)
def test_memory_is_named_as_it_is(file: Path) -> None:
    """`make docs` has been run since the last change of what models take."""
    text = file.read_text(encoding="utf-8")
    assert memory.document(text) == text
    wrong = re.sub(r"[\d.]+ [MG]B", "7 MB", text)
    assert memory.document(wrong) != wrong, "it names none"


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
    assert f"[{total:,} lines](#reading-the-code)" in readme
