"""Which part of the package may know which: each stands on those below it and on no other.

An import counts wherever it stands: in a function, where it is there for a quick start, and where
it is for types alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import glnzip

PACKAGE = Path(glnzip.__file__).parent
FLOORS = (
    {"errors", "system"},
    {"cache", "format"},
    {"jit"},
    {"gln", "transforms"},
    {"model"},
    {"coding"},
    {"planner"},
    {"frames"},
    {"priors"},
    {"messages", "streams"},
    {"analysis", "distances", "training", "warmup"},
    {"__init__"},
    {"dask"},
    {"cli", "plugins"},
    {"__main__"},
)
FLOOR_OF = {part: floor for floor, parts in enumerate(FLOORS) for part in parts}
ENGINE_STANDS_ON = {"jit", "cache", "errors", "system"}


def name_of(file: Path) -> str:
    """The name that a module of the package is imported by."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(file): file for file in sorted(PACKAGE.rglob("*.py"))}


def part_of(module: str) -> str:
    """The folder or the file in the package that a module is in."""
    return module.split(".")[1] if "." in module else "__init__"


def imported_by(module: str) -> Iterator[str]:
    """The modules of the package that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                if submodule in FILES:
                    yield submodule
                elif node.module in FILES:
                    yield node.module


@pytest.mark.parametrize("module", FILES)
def test_a_module_knows_what_is_below_it(module: str) -> None:
    own = part_of(module)
    for part in map(part_of, imported_by(module)):
        assert part == own or FLOOR_OF[part] < FLOOR_OF[own], part


def test_no_modules_know_each_other() -> None:
    """Not by way of others, either."""
    graph = {module: set(imported_by(module)) for module in FILES}
    assert sum(map(len, graph.values())) > len(FILES)
    TopologicalSorter(graph).prepare()  # raises an error that tells the circle


@pytest.mark.parametrize("part", sorted(ENGINE_STANDS_ON | {"gln"}))
def test_the_engine_stands_alone(part: str) -> None:
    """It uses itself and what compiles kernels: whoever wants a GLN can take these folders."""
    for module in FILES:
        if part_of(module) == part:
            assert set(map(part_of, imported_by(module))) <= ENGINE_STANDS_ON | {"gln"}


def test_every_public_name_of_the_engine_is_there() -> None:
    import glnzip.gln

    assert sorted(glnzip.gln.__all__) == glnzip.gln.__all__
    for name in glnzip.gln.__all__:
        assert getattr(glnzip.gln, name).__doc__
