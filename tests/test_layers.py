"""Which part of the package may know which: each stands on those below it and on no other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import glnzip

PACKAGE = Path(glnzip.__file__).parent
CIRCLE = {"coding", "priors", "streams"}
"""On one floor, and they know each other: a prior is a stream that a codec has read."""
FLOORS = (
    {"errors", "system"},
    {"cache", "format"},
    {"jit"},
    {"gln"},
    {"transforms"},
    {"model"},
    {"planner"},
    CIRCLE,
    {"training"},
    {"messages"},
    {"warmup"},
    {"__init__"},
    {"cli"},
    {"__main__"},
)
FLOOR_OF = {part: floor for floor, parts in enumerate(FLOORS) for part in parts}
ENGINE_STANDS_ON = {"jit", "cache", "errors", "system"}
FILES = sorted(PACKAGE.rglob("*.py"))


def part_of(file: Path) -> str:
    """The folder or the file in the package that a file is in."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_by(file: Path) -> Iterator[str]:
    """The parts of the package that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "glnzip":
                part = rest.partition(".")[0]
                yield part if part in FLOOR_OF else "__init__"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_file_knows_what_is_below_it(file: Path) -> None:
    own = part_of(file)
    for part in imported_by(file):
        assert part == own or FLOOR_OF[part] < FLOOR_OF[own] or {part, own} <= CIRCLE, part


@pytest.mark.parametrize("part", sorted(ENGINE_STANDS_ON | {"gln"}))
def test_the_engine_stands_alone(part: str) -> None:
    """It uses itself and what compiles kernels: whoever wants a GLN can take these folders."""
    for file in FILES:
        if part_of(file) == part:
            assert set(imported_by(file)) <= ENGINE_STANDS_ON | {"gln"}


def test_every_public_name_of_the_engine_is_there() -> None:
    import glnzip.gln

    assert sorted(glnzip.gln.__all__) == glnzip.gln.__all__
    for name in glnzip.gln.__all__:
        assert getattr(glnzip.gln, name).__doc__
