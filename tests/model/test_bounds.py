"""No index of any kernel is out of bounds, whatever is decoded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import glnzip
from glnzip.jit import jit_is_on


@pytest.mark.slow
@pytest.mark.skipif(not jit_is_on(), reason="plain Python checks bounds in every test")
def test_hostile_blocks(other_kernels: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile_blocks"],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "GLNZIP_CACHE_DIR": str(other_kernels)},
        cwd=Path(glnzip.__file__).parents[1],
        capture_output=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr.decode()
