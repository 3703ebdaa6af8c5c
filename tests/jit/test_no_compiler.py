"""Kernels that were compiled once go on serving where Numba has stopped working since."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import glnzip
from glnzip import jit
from glnzip.cache import cache_root

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not jit.jit_is_on(), reason="nothing is compiled"),
]

ROOT = Path(glnzip.__file__).parents[1]
NOTICE = "very slow, as little as 50 bytes a second: Numba cannot be imported (needs another NumPy)"


def run(program: str, folder: Path, *, broken: bool) -> subprocess.CompletedProcess[str]:
    """Run a program with a cache of its own, and perhaps with a Numba that cannot be imported."""
    start = ""
    if broken:
        (folder / "broken").mkdir(parents=True, exist_ok=True)
        (folder / "broken" / "numba.py").write_text("raise ImportError('needs another NumPy')")
        start = f"import sys; sys.path.insert(0, {str(folder / 'broken')!r})\n"
    environment = {**os.environ, "GLNZIP_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-c", start + program]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_what_is_missing_runs_as_plain_python(tmp_path: Path) -> None:
    program = (
        "from glnzip import jit\n"
        "@jit.inline\n"
        "def double(number): return 2 * number\n"
        "@jit.kernel\n"
        "def first(number): return double(number) + 1\n"
        "@jit.kernel\n"
        "def second(number): return double(number) + 2\n"
    )
    assert run(program + "first(20)", tmp_path, broken=False).returncode == 0
    done = run(program + "print(first(20), second(20))", tmp_path, broken=True)
    assert done.stdout == "41 42\n"
    assert done.stderr.splitlines() == [NOTICE]
    without = run(program + "print(second(20))", tmp_path / "none", broken=True)
    assert without.stdout == "42\n", "there nothing was compiled ever"


def test_messages_and_warmup(tmp_path: Path) -> None:
    """Where only the kernel of streams was compiled."""
    message = glnzip.compress_message(b"Hi" * 12, level=1, prior=None)
    assert len(message) < 12, "it is not stored"
    glnzip.compress(b"data", level=1, prior=None)
    root = cache_root()
    assert root is not None
    kernels = tmp_path / "cache" / jit.folder_name()
    kernels.mkdir(parents=True, mode=0o700)
    kernels.parent.chmod(0o700)
    for file in (root / jit.folder_name()).glob(f"{jit.MAIN_KERNEL}-*"):
        shutil.copy2(file, kernels)
    program = (
        "import glnzip\n"
        "from glnzip.jit import assembly; assembly.is_of_use = lambda: False\n"
        "assert glnzip.decompress(glnzip.compress(b'data', level=1, prior=None)) == b'data'\n"
        f"print(glnzip.decompress_message({message!r}, level=1, prior=None))"
    )
    done = run(program, tmp_path, broken=True)
    assert done.stdout == f"{b'Hi' * 12!r}\n"
    assert done.stderr.splitlines() == [NOTICE]
