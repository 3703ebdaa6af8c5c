"""What lies in the cache, what of it is of no more use, and clearing it away.

Folders of builds that are gone are removed when another build writes; one that is installed
elsewhere keeps what it has. ``GLNZIP_CACHE_LIMIT`` bounds what the prepared models take, which are
nearly all there is: those used longest ago give way.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from glnzip.cache.build import ORIGIN, PREPARED_FOLDER, Sources, is_there
from glnzip.cache.folder import CacheFolder, open_folder
from glnzip.system.notices import notice
from glnzip.system.units import parsed_size

IMAGE_SUFFIX = ".image"  # of a prepared model, after its prior's hash, a dot and the level
LIMIT_VARIABLE = "GLNZIP_CACHE_LIMIT"

_OURS = re.compile(r"(kernels|prepared)-[0-9a-f]{16}")
_IMAGE = re.compile(rf"([0-9a-f]{{64}})\.([1-9]){re.escape(IMAGE_SUFFIX)}")


class KeptImage(NamedTuple):
    """A prepared model."""

    prior: str
    """The hash of its prior."""
    level: int
    disk_bytes: int
    used: float
    """When it was last of use, in seconds since 1970."""


def kept_images() -> list[KeptImage]:
    """The prepared models of this version."""
    try:
        return list(_images(open_folder(PREPARED_FOLDER)))
    except OSError:
        return []


def disk_bytes() -> int:
    """The disk space that all of the cache takes, what other builds keep included."""
    return sum(folder.disk_bytes(file) for folder in _folders() for file in folder.names())


def clear_cache() -> int:
    """Remove what this and other builds keep; return the bytes of disk set free."""
    return sum(map(_remove, list(_folders())))


def sign(folder: CacheFolder, sources: Sources) -> None:
    """Say of which build a folder is; the first time, remove those of builds that are gone."""
    origin = sources.origin()
    if folder.read(ORIGIN) == origin:
        return
    with suppress(OSError):
        folder.write(ORIGIN, origin)
    for other in list(_folders()):
        if other.path.name != folder.path.name and not is_there(other.read(ORIGIN) or b""):
            _remove(other)


def keep_to_limit(newest: str) -> bool:
    """Remove prepared models until the limit is kept; return whether the file `newest` is left.

    It goes last.
    """
    limit = cache_limit()
    if limit is None:
        return True
    found = [(folder, file) for folder in _folders() for file in folder.names(f"*{IMAGE_SUFFIX}")]
    found.sort(key=lambda image: (image[1] == newest, image[0].used(image[1])))
    taken = sum(folder.disk_bytes(file) for folder, file in found)
    for folder, file in found:
        if taken <= limit:
            return True
        taken -= folder.disk_bytes(file)
        folder.remove(file)
    return False


def cache_limit() -> int | None:
    """What the environment sets as the limit, in bytes; None for none."""
    text = os.environ.get(LIMIT_VARIABLE)
    if not text:
        return None
    try:
        return parsed_size(text)
    except ValueError as error:
        notice(f"{LIMIT_VARIABLE}: {error}; there is no limit")
        return None


def _folders() -> Iterator[CacheFolder]:
    """The folders in the cache that are ours."""
    try:
        root = open_folder()
        names = [name for name in root.names() if _OURS.fullmatch(name)]
        links = {name for name in names if (root.path / name).is_symlink()}
    except OSError:
        return
    for name in sorted(set(names) - links):  # a link would lead out of the cache
        with suppress(OSError):  # no folder, or others can write to it
            yield open_folder(name)


def _images(folder: CacheFolder) -> Iterator[KeptImage]:
    for file in folder.names():
        if named := _IMAGE.fullmatch(file):
            taken, used = folder.disk_bytes(file), folder.used(file)
            yield KeptImage(named[1], int(named[2]), taken, used)


def _remove(folder: CacheFolder) -> int:
    """Remove a folder and all in it; return the bytes of disk set free."""
    freed = 0
    for file in folder.names():
        freed += folder.disk_bytes(file)
        folder.remove(file)
    open_folder().remove_folder(folder.path.name)
    return freed
