"""The recorded bytes on ARM, where a folder made by `make_tree.sh` is named:

    GLNZIP_AARCH64=FOLDER pytest tests/aarch64

An emulated compiler takes ten minutes the first time; what it compiles is kept in the folder.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import glnzip

TREE = os.environ.get("GLNZIP_AARCH64", "")


@pytest.mark.skipif(not TREE, reason="GLNZIP_AARCH64 names no folder made by make_tree.sh")
def test_same_bytes_on_arm() -> None:
    kept = Path(TREE).resolve() / "cache"
    done = subprocess.run(
        [f"{TREE}/python", "-m", "tests.determinism", "--short", "1"],
        cwd=Path(glnzip.__file__).parents[1],
        env={**os.environ, "GLNZIP_CACHE_DIR": str(kept)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "aarch64" in done.stdout
