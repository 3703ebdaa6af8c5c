"""What lies in the cache, and clearing it away."""

from __future__ import annotations

import re

from glnzip.cache.build import PREPARED_FOLDER
from glnzip.cache.folder import open_folder

IMAGE_SUFFIX = ".image"  # of a prepared model, after its prior's hash, a dot and the level

_OURS = re.compile(r"(kernels|prepared)-[0-9a-f]{16}")


def kept_images() -> list[tuple[str, int, int]]:
    """The prepared models of this version: hash of the prior, level, and disk space taken."""
    try:
        folder = open_folder(PREPARED_FOLDER)
    except OSError:
        return []
    images = []
    for file in folder.names(f"*.[1-9]{IMAGE_SUFFIX}"):
        prior, level, _ = file.split(".")
        images.append((prior, int(level), folder.disk_bytes(file)))
    return images


def clear_cache() -> int:
    """Remove what this and earlier versions keep; return the bytes of disk set free."""
    try:
        root = open_folder()
        names = [name for name in root.names() if _OURS.fullmatch(name)]
        links = {name for name in names if (root.path / name).is_symlink()}
    except OSError:
        return 0
    freed = 0
    for name in set(names) - links:  # a link would lead out of the cache
        try:
            folder = open_folder(name)
        except OSError:  # no folder, or others can write to it
            continue
        for file in folder.names():
            freed += folder.disk_bytes(file)
            folder.remove(file)
        root.remove_folder(name)
    return freed
