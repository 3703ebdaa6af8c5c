"""The names of compressed files, and of what they were made from."""

from __future__ import annotations

import os

SUFFIX = ".gln"
ARCHIVE_SUFFIX = ".tgln"
"""Short for .tar.gln."""


def is_compressed(name: str, suffix: str = SUFFIX) -> bool:
    """Whether a file of this name is taken for a compressed one, where `suffix` is in use."""
    ends = (suffix, SUFFIX, ARCHIVE_SUFFIX)
    return name.endswith(ends) and os.path.basename(name) not in ends


def original_name(name: str, suffix: str = SUFFIX) -> str:
    """The name of what a file was made from whose name `is_compressed`."""
    if name.endswith(suffix):
        return name.removesuffix(suffix)
    if name.endswith(ARCHIVE_SUFFIX):
        return name.removesuffix(ARCHIVE_SUFFIX) + ".tar"
    return name.removesuffix(SUFFIX)
