"""What a measurement was made on, in words: no figure means anything without it."""

from __future__ import annotations

import os
import platform
import time
from importlib import metadata
from pathlib import Path

import glnzip


def processor() -> str:
    """Return the processor's own name, or the best the platform knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def describe() -> dict[str, str]:
    """Return what a reader needs to place a figure."""
    return {
        "date": time.strftime("%Y-%m-%d"),
        "processor": f"{processor()}, {os.cpu_count()} logical cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "numpy": metadata.version("numpy"),
        "glnzip": glnzip.__version__,
    }
