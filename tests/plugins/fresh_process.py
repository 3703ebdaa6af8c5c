"""Processes in which nobody has imported glnzip: what is found there is found by itself."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points

import pytest


def run(code: str) -> None:
    """Run some code in a process of its own; fail if it fails."""
    if not entry_points(group="numcodecs.codecs", name="gln"):
        pytest.fail("glnzip is installed without its entry points: install it again")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
