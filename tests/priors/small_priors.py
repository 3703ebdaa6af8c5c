"""Small priors and the places where models are prepared, for the tests that are about them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import glnzip
from glnzip import jit
from glnzip.cache import cache_root
from glnzip.priors import prepared
from glnzip.training.train import make_prior

SAMPLES = [b"a record of %d words and %d more\n" % (n, n * n) for n in range(40)]
RECORD = b"a record of 123 words and 456 more\n"


def small_prior(base: glnzip.Prior | None = None, level: int = 1) -> glnzip.Prior:
    """A prior of about a kilobyte."""
    return make_prior(SAMPLES, base, level)


def empty_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Move the cache folder to an empty place; compiled kernels come along."""
    root = cache_root()
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(folder))
    folder.mkdir(mode=0o700, exist_ok=True)
    if root is not None and (kernels := root / jit.folder_name()).is_dir():
        shutil.copytree(kernels, folder / kernels.name)
    return folder


def forget_images() -> None:
    """Let every image be opened anew, as in another process."""
    prepared._verified.cache_clear()


def images(folder: Path) -> list[Path]:
    """The image files under a cache folder."""
    return sorted(folder.glob("prepared-*/*.image"))
