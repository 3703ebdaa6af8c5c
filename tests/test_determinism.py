"""The same bytes whatever compiles the model, and for whatever CPU.

Each case is a process with other settings, and prints digests of the blocks it has coded. They run
side by side, because most of their time is Numba's. What they compile is kept in pytest's cache.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import glnzip
from glnzip.jit import jit_is_on
from tests.coded_blocks import digests

SHORT, LONG = 80, 10_000

CASES: dict[str, tuple[int, dict[str, str]]] = {
    "plain Python": (SHORT, {"NUMBA_DISABLE_JIT": "1"}),
    "any CPU": (LONG, {"NUMBA_CPU_NAME": "generic"}),
    "no optimisation": (LONG, {"NUMBA_OPT": "0"}),
}
if platform.machine() in ("x86_64", "AMD64"):
    CASES["a CPU of 2013"] = (LONG, {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": ""})


@pytest.fixture(scope="module")
def processes(other_kernels: Path) -> dict[str, subprocess.Popen[str]]:
    """All cases, started."""
    started = {}
    for name, (length, settings) in CASES.items():
        # Warnings of the plain path would be ours: values that overflow. Numba has its own.
        warnings = ["-W", "error"] if "NUMBA_DISABLE_JIT" in settings else []
        started[name] = subprocess.Popen(
            [sys.executable, *warnings, "-m", "tests.coded_blocks", str(length)],
            env={**os.environ, **settings, "GLNZIP_CACHE_DIR": str(other_kernels)},
            cwd=Path(glnzip.__file__).parents[1],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    return started


@pytest.mark.skipif(not jit_is_on(), reason="there is only the plain model to compare")
@pytest.mark.parametrize("name", CASES)
def test_same_bytes(name: str, processes: dict[str, subprocess.Popen[str]]) -> None:
    output, errors = processes[name].communicate(timeout=300)
    assert processes[name].returncode == 0, errors
    assert output.splitlines() == digests(CASES[name][0])
