"""Which glnzip a machine has: another one would write other bytes."""

from __future__ import annotations

from typing import NamedTuple

import glnzip
from glnzip.cache.build import KERNEL_SOURCES, PREPARING_SOURCES
from glnzip.errors import GlnzipError
from glnzip.format.levels import MODEL_GENERATION


class Build(NamedTuple):
    """What decides the bytes of a frame."""

    version: str
    generation: int
    sources: str
    """The names of the sources of kernels, and of what prepares priors."""

    def __str__(self) -> str:
        return f"{self.version} (generation {self.generation}, build {self.sources})"


def own_build() -> Build:
    """The build of this process."""
    sources = f"{KERNEL_SOURCES.name()[:8]}-{PREPARING_SOURCES.name()[:8]}"
    return Build(glnzip.__version__, MODEL_GENERATION, sources)


def check_build(needed: Build, found: object, where: str) -> None:
    """Raise GlnzipError unless a machine has the build that is needed, or tells of an error."""
    if isinstance(found, Exception):
        raise GlnzipError(f"{where} cannot run glnzip: {found}")
    if found != needed:
        raise GlnzipError(
            f"{where} has glnzip {found}, which may write other bytes than {needed} here"
        )
