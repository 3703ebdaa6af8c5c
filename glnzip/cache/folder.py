"""The folders in which things are kept, and the files in them.

A file appears whole or not at all. Small ones carry a hash of their content and their name, so that
one that was damaged, or has come to stand under another's name, is none. All work goes by the
folder that was opened and checked, not by its path, which may lead elsewhere a moment later.
"""

from __future__ import annotations

import errno
import hashlib
import os
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import IO, BinaryIO, cast

from glnzip.cache.trusted import HAS_OWNERS, check_file, open_trusted
from glnzip.system.unfinished import undone_if_killed

UNFINISHED = "unfinished-"
_FORGOTTEN_SECONDS = 60  # a file that nobody writes to any more is older than this
_NOTED_SECONDS = 3600
_DIGEST_BYTES = hashlib.sha256().digest_size
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_OLD = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_LOCK = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)


def cache_root() -> Path | None:
    """The folder for all that glnzip keeps; it need not exist yet.

    None where the user has no home folder and the environment names no other.
    """
    root = os.environ.get("GLNZIP_CACHE_DIR")
    if root:
        return Path(root)
    user_cache = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME") or ""
    try:
        return Path(user_cache if os.path.isabs(user_cache) else Path.home() / ".cache") / "glnzip"
    except RuntimeError:  # no home folder
        return None


def open_folder(name: str = "", *, make: bool = False) -> CacheFolder:
    """A folder of this name in the cache, or the cache itself.

    Raises
    ------
    OSError
        If it is not there, or cannot be made or trusted; `strerror` says why.
    """
    root = cache_root()
    if root is None:
        raise FileNotFoundError(errno.ENOENT, "there is no home folder")
    path = Path(os.path.abspath(root)) / name
    if HAS_OWNERS:
        return CacheFolder(path, open_trusted(path, make=make))
    if make:
        path.mkdir(parents=True, exist_ok=True)
    if not path.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    return CacheFolder(path, None)


def why_unusable() -> str | None:
    """Why nothing can be kept, as a half-sentence; None if it can. Makes the folder if need be."""
    try:
        with open_folder(make=True).new_file("trial") as file:
            file.write(b"trial")
    except OSError as error:
        return error.strerror or str(error)
    open_folder().remove("trial")
    return None


class CacheFolder:
    """An open folder that nobody but the user can write to.

    Parameters
    ----------
    path
        Where it was found.
    descriptor
        The open folder itself, closed with this object; None where the system has no such thing.
    """

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self._descriptor = descriptor
        if descriptor is not None:
            weakref.finalize(self, os.close, descriptor)

    def names(self, pattern: str = "*") -> list[str]:
        """The names in it that match a pattern of the shell, in order."""
        found = os.listdir(self.path if self._descriptor is None else self._descriptor)
        return sorted(name for name in found if fnmatchcase(name, pattern))

    def open(self, name: str) -> BinaryIO:
        """A file of it for reading; OSError if it is not there, or cannot be trusted."""
        file = self._opened(name, _OLD)
        try:
            check_file(os.fstat(file.fileno()), name)
        except OSError:
            file.close()
            raise
        return file

    @contextmanager
    def new_file(self, name: str, *, durable: bool = True) -> Iterator[BinaryIO]:
        """A file that appears in it, complete, if the block raises nothing.

        A durable one is on the disk then; after a power failure, another one may be damaged.
        """
        with self._unfinished() as (file, unfinished):
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
            os.replace(
                self._place(unfinished),
                self._place(name),
                src_dir_fd=self._descriptor,
                dst_dir_fd=self._descriptor,
            )

    @contextmanager
    def nameless_file(self) -> Iterator[BinaryIO]:
        """A file on its disk that is gone when it is closed."""
        with self._unfinished() as (file, _):
            yield file

    def read(self, name: str) -> bytes | None:
        """What `write` wrote under this name, or None if that cannot be read or is damaged."""
        try:
            with self.open(name) as file:
                whole = file.read()
        except OSError:
            return None
        content = whole[_DIGEST_BYTES:]
        return content if whole[:_DIGEST_BYTES] == _digest(name, content) else None

    def write(self, name: str, content: bytes) -> None:
        """Write a file that `read` knows to be sound and to be the one of this name."""
        with self.new_file(name) as file:
            file.write(_digest(name, content) + content)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there and can be removed."""
        with suppress(OSError):
            os.unlink(self._place(name), dir_fd=self._descriptor)

    def remove_folder(self, name: str) -> None:
        """Remove a folder in it that is empty, if it can be removed."""
        with suppress(OSError):
            os.rmdir(self._place(name), dir_fd=self._descriptor)

    def disk_bytes(self, name: str) -> int:
        """The disk space that a file takes, which is less than its size where it has holes."""
        status = self._status(name)
        if status is None:
            return 0
        return getattr(status, "st_blocks", -(-status.st_size // 512)) * 512

    def used(self, name: str) -> float:
        """When a file was last written or `use`d, in seconds since 1970."""
        status = self._status(name)
        return 0.0 if status is None else max(status.st_atime, status.st_mtime)

    def use(self, name: str) -> None:
        """Note that a file is of use, unless that was noted within the hour."""
        status = self._status(name)
        if status is not None and time.time() - self.used(name) > _NOTED_SECONDS:
            times = time.time_ns(), status.st_mtime_ns
            with suppress(OSError):
                os.utime(self._place(name), ns=times, dir_fd=self._descriptor)

    @contextmanager
    def locked(self, name: str, waiting: Callable[[], object] = lambda: None) -> Iterator[None]:
        """Within the block, no other process is in such a block of the same name.

        `waiting` is called if another one is. It ends with that process, however it dies. Where
        the disk knows no locks, there are none.
        """
        try:
            file = self._opened(f"{name}.lock", _LOCK, "r+b")
        except OSError:  # a folder that can only be read
            yield
            return
        with file:
            if not _lock(file, wait=False):
                waiting()
                _lock(file, wait=True)
            yield

    @contextmanager
    def _unfinished(self) -> Iterator[tuple[BinaryIO, str]]:
        """A file under a name that nobody looks for, and removed at the end."""
        self._remove_forgotten()
        name = f"{UNFINISHED}{os.urandom(8).hex()}"
        remove = partial(self.remove, name)
        with undone_if_killed(remove):
            try:
                with self._opened(name, _NEW, "w+b") as file:
                    _lock(file, wait=False)  # tells others that it is not forgotten
                    yield file, name
            finally:
                remove()

    def _remove_forgotten(self) -> None:
        """Remove what processes have left that were killed in the midst of writing."""
        for name in self.names(f"{UNFINISHED}*"):
            with suppress(OSError), self._opened(name, _OLD) as file:
                age = time.time() - os.fstat(file.fileno()).st_mtime
                if age > _FORGOTTEN_SECONDS and _lock(file, wait=False):
                    self.remove(name)

    def _status(self, name: str) -> os.stat_result | None:
        """What the system knows of a file; None if it is not there."""
        try:
            return os.stat(self._place(name), dir_fd=self._descriptor, follow_symlinks=False)
        except OSError:
            return None

    def _opened(self, name: str, flags: int, mode: str = "rb") -> BinaryIO:
        handle = os.open(self._place(name), flags, 0o600, dir_fd=self._descriptor)
        try:
            return cast(BinaryIO, open(handle, mode))
        except OSError:  # a folder
            os.close(handle)
            raise

    def _place(self, name: str) -> str:
        """What to call a file of it by, together with the descriptor."""
        return name if self._descriptor is not None else str(self.path / name)


def _digest(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


def _lock(file: IO[bytes], *, wait: bool) -> bool:
    """Lock a file until it is closed; whether that was possible, or locks are unknown."""
    try:
        import fcntl
    except ImportError:
        return _lock_on_windows(file, wait=wait)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _lock_on_windows(file: IO[bytes], *, wait: bool) -> bool:
    import msvcrt

    while True:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            if not wait:
                return False
            time.sleep(0.2)
        else:
            return True
