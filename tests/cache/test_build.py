"""A process that outlives an upgrade of the package keeps nothing that another would take."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import glnzip
from glnzip.cache.build import KERNEL_SOURCES, ORIGIN, Sources, is_there
from glnzip.jit import jit_is_on

pytestmark = pytest.mark.slow

ROOT = Path(glnzip.__file__).parents[1]

UPGRADE = """
import sys
from pathlib import Path
import glnzip
from glnzip import jit
from glnzip.priors import prepared

for changed in sys.argv[1:]:
    with (Path(glnzip.__file__).parent / changed).open("a") as source:
        source.write("# of the next version")
"""
USE_A_KERNEL = """
@jit.kernel
def small(number):
    return number + 1

assert small(1) == 2
"""
USE_A_PRIOR = """
prior = glnzip.Prior(bytes.fromhex("{prior}"))
packed = glnzip.compress(b"data", level=1, prior=prior)
assert glnzip.decompress(packed, prior=prior) == b"data"
"""


def kept_after(program: str, changed: list[str], folder: Path, *, plain: bool) -> list[str]:
    """What is in the cache after a program was run in a copy of the package."""
    ignored = shutil.ignore_patterns("__pycache__", "data")
    shutil.copytree(ROOT / "glnzip", folder / "glnzip", ignore=ignored)
    cache = folder / "cache"
    environment = {"GLNZIP_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": str(int(plain))}
    subprocess.run(
        [sys.executable, "-c", UPGRADE + program, *changed],
        cwd=folder,
        env={**os.environ, **environment},
        check=True,
    )
    return sorted(file.suffix for file in cache.glob("*/*") if file.name != ORIGIN)


def test_a_name_tells_sources_and_settings() -> None:
    sources = Sources("block_type.py", "cache")
    assert sources.are_unchanged()
    names = {
        sources.name(),
        sources.name("x"),
        Sources("block_type.py").name(),
        KERNEL_SOURCES.name(),
    }
    assert len(names) == 4
    assert sources.name() == Sources("block_type.py", "cache").name()


def test_an_origin_tells_whether_its_build_is_there(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("1")
    origin = Sources("one.py", package=tmp_path).origin()
    assert is_there(origin)
    (tmp_path / "two.py").write_text("2")
    assert is_there(origin)
    (tmp_path / "one.py").write_text("11")
    assert not is_there(origin)
    (tmp_path / "one.py").write_text("1")
    assert is_there(origin)
    (tmp_path / "one.py").unlink()
    assert not is_there(origin)
    for nonsense in (
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff",
        origin[:-1],
        origin.replace(b"one", b"\\u0000"),
    ):
        assert not is_there(nonsense)


@pytest.mark.skipif(not jit_is_on(), reason="nothing is compiled")
@pytest.mark.parametrize(
    ("changed", "kept"),
    [([], [".kernel"]), (["gln/network.py"], []), (["format/block_type.py"], [])],
)
def test_kernels(changed: list[str], kept: list[str], tmp_path: Path) -> None:
    assert kept_after(USE_A_KERNEL, changed, tmp_path, plain=False) == kept


@pytest.mark.parametrize(
    ("changed", "kept"),
    [([], [".hash", ".image", ".lock"]), (["model/step.py"], []), (["priors/prepared.py"], [])],
)
def test_prepared_models(changed: list[str], kept: list[str], tmp_path: Path) -> None:
    program = USE_A_PRIOR.format(prior=glnzip.compress(b"a prior", level=1, prior=None).hex())
    assert kept_after(program, changed, tmp_path, plain=True) == kept
