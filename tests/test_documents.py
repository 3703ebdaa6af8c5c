"""What the documents say of the code is so: memory, and the tests that hold what is promised."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import glnzip
from glnzip.format.levels import LEVELS, memory_bytes, model_bytes
from glnzip.priors.allowance import most_bytes
from glnzip.system.units import human_size

ROOT = Path(glnzip.__file__).parents[1]
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
