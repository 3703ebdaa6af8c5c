"""The engine stands alone: of glnzip it uses itself, aligned arrays, and what compiles kernels."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import glnzip

PACKAGE = Path(glnzip.__file__).parent
MODULES = sorted((PACKAGE / "gln").rglob("*.py"))


def imported_by(file):
    """The full names of all modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name} has a relative import"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.name)
def test_imports_only_itself_and_what_it_stands_on(file):
    ours = {name for name in imported_by(file) if name.split(".")[0] == "glnzip"}
    stands_on = ("glnzip.gln", "glnzip.aligned", "glnzip.jit")
    assert all(name.startswith(stands_on) for name in ours), ours


@pytest.mark.parametrize(
    "name",
    [
        "aligned.py",
        "cache_folder.py",
        "jit.py",
        "kernel_cache.py",
        "kernel_compiler.py",
        "machine_code.py",
        "unsigned_index.py",
    ],
)
def test_what_it_stands_on_knows_no_other_part(name):
    ours = {name for name in imported_by(PACKAGE / name) if name.startswith("glnzip")}
    each_other = (
        "glnzip.cache_folder",
        "glnzip.jit",
        "glnzip.kernel_cache",
        "glnzip.kernel_compiler",
        "glnzip.machine_code",
        "glnzip.unsigned_index",
    )
    assert all(name.startswith(each_other) for name in ours), ours


def test_every_public_name_is_there():
    import glnzip.gln

    assert sorted(glnzip.gln.__all__) == glnzip.gln.__all__
    for name in glnzip.gln.__all__:
        assert getattr(glnzip.gln, name).__doc__
