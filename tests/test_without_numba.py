"""Where Numba cannot be imported everything works, slowly, and says so.

Each test blocks Numba in a process of its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import glnzip
from glnzip import jit
from glnzip.cli.preparation import preparation_shown
from glnzip.priors import watching
from tests.test_golden import FOLDER

pytestmark = pytest.mark.slow

ROOT = Path(glnzip.__file__).parents[1]
BLOCKED = "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None\n"
COMMAND = BLOCKED + "import runpy; runpy.run_module('glnzip', run_name='__main__')"
NOTICE = b"glnzip: very slow, as little as 50 bytes a second: Numba is not installed\n"


def run(program: str, *arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-W", "error", "-c", program, *arguments]
    return subprocess.run(command, cwd=ROOT, input=data, capture_output=True, check=True)


def test_numba_works_unless_it_is_switched_off() -> None:
    """Without it, all tests that compare compiled code with plain Python would be skipped."""
    assert jit.why_plain() in (None, "NUMBA_DISABLE_JIT is set")


def test_the_command_makes_and_reads_the_same_frames() -> None:
    text = (FOLDER / "prose").read_bytes()[:150]
    expected = glnzip.compress(text, level=1, prior=None)
    packed = run(COMMAND, "compress", "-1", "--prior", "none", data=text)
    assert packed.stdout == expected
    assert packed.stderr == NOTICE
    restored = run(COMMAND, "decompress", "-q", data=expected)
    assert restored.stdout == text
    assert restored.stderr == b""


def test_a_golden_file_is_read() -> None:
    frame = (FOLDER / "prose.1.gln").read_bytes()
    program = (
        BLOCKED + "import glnzip\n"
        "frame = sys.stdin.buffer.read()\n"
        "sys.stdout.buffer.write(glnzip.Decompressor().decompress(frame, 150))"
    )
    start = run(program, data=frame).stdout
    assert 0 < len(start) <= 150
    assert (FOLDER / "prose").read_bytes().startswith(start)


def test_warmup_says_why_there_is_nothing_to_do() -> None:
    assert b"Numba is not installed" in run(COMMAND, "warmup").stderr


def test_a_numba_that_does_not_work_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('Numba needs another NumPy')")
    program = (
        f"import os, sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        f"os.environ['GLNZIP_CACHE_DIR'] = {str(tmp_path)!r}\n"
        "from glnzip import jit; from glnzip.jit import assembly\n"
        "assembly.is_of_use = jit.is_of_use = lambda: {}\n"
        "print(jit.jit_is_on(), jit.why_plain())"
    )
    expected = b"False Numba cannot be imported (Numba needs another NumPy)\n"
    assert run(program.format(False)).stdout == expected
    assert run(program.format(True)).stdout == b"True None\n", "what came with the package runs"


def test_a_long_prior_is_announced(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(jit, "why_plain", lambda: "Numba is not installed")
    size = glnzip.SHIPPED_PRIOR.original_bytes
    watching.watch("priming", size, True)
    assert re.fullmatch(
        r"priming takes about \d\d hours: Numba is not installed", caplog.messages[0]
    )
    with preparation_shown(quiet=False), watching.watch("priming", size, True):
        pass
    assert " MB, about " in capsys.readouterr().err
