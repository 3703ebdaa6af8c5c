"""Where glnzip keeps what can be made again: a folder that is private to the user.

``GLNZIP_CACHE_DIR`` names it; otherwise it is ``glnzip`` in the user's folder for caches. What lies
in it decides what is compressed (machine code, prepared models), so it is used only if nobody but
its owner can write to it. Files in it appear whole or not at all. All of it may be deleted at any
time; where no such folder can be had, the work is done anew in each process.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

KERNEL_SOURCES = ("gln", "bytemodel", "coding", "priors/lexicon.py", "plan.py")
IMAGE_SUFFIX = ".image"  # of a prepared model, after its prior's hash, a dot and the level
PRIMING_SOURCES = ("block_codec.py", "priors/prior.py", "priors/primed.py", "priors/state_image.py")


def cache_root() -> Path | None:
    """The folder for all that glnzip keeps; it need not exist yet.

    None where the user has no home folder and the environment names no other.
    """
    root = os.environ.get("GLNZIP_CACHE_DIR")
    if root:
        return Path(root)
    user_cache = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(user_cache or Path.home() / ".cache") / "glnzip"
    except RuntimeError:  # no home folder
        return None


def primed_folder() -> Path | None:
    """Where this version of the model keeps what it knows of priors; it need not exist yet."""
    root = cache_root()
    return None if root is None else root / f"primed-{hash_of(KERNEL_SOURCES + PRIMING_SOURCES)}"


def made_private(folder: Path | None) -> Path | None:
    """The folder, made if need be; None if it cannot be made or trusted."""
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return folder if is_private(folder) else None


def is_private(folder: Path) -> bool:
    """Whether the folder is there and nobody but its owner, the user, can put anything into it."""
    try:
        status = folder.stat()
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows, where folders of a user are private by inheritance
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@cache
def hash_of(sources: tuple[str, ...], settings: str = "") -> str:
    """A name for what these files and folders of the package, and some settings, decide."""
    digest = hashlib.sha256(settings.encode())
    package = Path(__file__).parent
    for source in sources:
        path = package / source
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def new_cache_file(file: Path) -> Iterator[BinaryIO]:
    """A file that appears at `file`, complete and on the disk, if the block raises nothing."""
    handle, unfinished = tempfile.mkstemp(dir=file.parent, prefix="unfinished-")
    try:
        with open(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(handle)
        os.replace(unfinished, file)
    except BaseException:
        with suppress(OSError):
            os.unlink(unfinished)
        raise


def kept_images() -> list[tuple[str, int, int]]:
    """The prepared models of this version: hash of the prior, level, and disk space taken."""
    folder = primed_folder()
    if folder is None or not is_private(folder):
        return []
    files = sorted(folder.glob(f"*.[1-9]{IMAGE_SUFFIX}"))
    names = [file.name.split(".") for file in files]
    return [
        (name[0], int(name[1]), disk_bytes(file)) for name, file in zip(names, files, strict=True)
    ]


def clear_cache() -> int:
    """Remove what this and earlier versions keep; return the bytes of disk set free."""
    root = cache_root()
    if root is None:
        return 0
    freed = 0
    for kind in ("kernels", "primed"):
        for folder in root.glob(f"{kind}-{'[0-9a-f]' * 16}"):
            if not folder.is_symlink() and is_private(folder):
                freed += sum(map(disk_bytes, folder.iterdir()))
                shutil.rmtree(folder, ignore_errors=True)
    return freed


def disk_bytes(file: Path) -> int:
    """The disk space that a file takes, which is less than its size where it has holes."""
    try:
        status = file.stat()
    except OSError:
        return 0
    return getattr(status, "st_blocks", -(-status.st_size // 512)) * 512
