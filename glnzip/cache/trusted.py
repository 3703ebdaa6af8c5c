"""Opening a folder that nobody but its user can have changed.

Machine code is loaded from there, so whoever can write to it, or can put another folder in its
place, runs code in the user's name. A path is looked up name by name, each in the folder that was
opened before it, links among them; so what was checked is what is opened. Every folder on the way
belongs to the user or to the system, and no one else can write to it, but for folders such as
``/tmp``, where nobody can touch what belongs to others. The last one belongs to the user.

(These are the rules by which OpenSSH trusts a file of keys. Windows has no such rights; folders
within a user's profile are private there by inheritance.)
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from contextlib import suppress
from pathlib import Path

HAS_OWNERS = hasattr(os, "geteuid") and os.open in os.supports_dir_fd
"""Whether the system has the owners and the calls that the rules are about."""

_SYSTEM = 0
_MOST_LINKS = 40
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_ON_THE_WAY = (
    getattr(os, "O_PATH", os.O_RDONLY)
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_AT_THE_END = _ON_THE_WAY & ~getattr(os, "O_PATH", 0)


class UntrustedError(OSError):
    """Somebody else could change the folder or the file; `strerror` says who and which."""

    def __init__(self, reason: str) -> None:
        super().__init__(errno.EPERM, reason)


def open_trusted(path: Path, *, make: bool = False) -> int:
    """The descriptor of a folder that the user can trust.

    Parameters
    ----------
    path
        Absolute.
    make
        Whether to make what is missing of it, for nobody but the user.

    Raises
    ------
    UntrustedError
        If somebody else could change it. Nothing was made then where that could be seen before.
    OSError
        If it is not there, or cannot be made or opened.
    """
    names = deque(path.parts[1:])
    shown = Path(path.anchor)
    links = 0
    folder = os.open(shown, _ON_THE_WAY if names else _AT_THE_END)
    try:
        _check_folder(os.fstat(folder), shown, is_last=not names)
        while names:
            name = names.popleft()
            link = _link(name, folder, shown)
            if link is not None:
                links += 1
                if links > _MOST_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
                names.extendleft(reversed(link.parts[1:] if link.is_absolute() else link.parts))
                if link.is_absolute():
                    shown = Path(link.anchor)
                    folder = _replaced(folder, os.open(shown, _ON_THE_WAY))
                if names:
                    continue
                name = "."  # the link led to the root
            folder = _replaced(folder, _opened(name, folder, is_last=not names, make=make))
            shown /= name
            _check_folder(os.fstat(folder), shown, is_last=not names)
    except BaseException:
        os.close(folder)
        raise
    return folder


def check_file(status: os.stat_result, name: str) -> None:
    """Raise UntrustedError unless it is a plain file that only the user can have written."""
    if not stat.S_ISREG(status.st_mode):
        raise UntrustedError(f"{name} is not a file")
    if HAS_OWNERS:
        _check_owner(status, name, {os.geteuid()})
        if status.st_mode & _OTHERS:
            raise UntrustedError(f"others can write to {name}")


def _replaced(old: int, new: int) -> int:
    os.close(old)
    return new


def _link(name: str, folder: int, shown: Path) -> Path | None:
    """Where a name in a folder leads to, if it is a link."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISLNK(status.st_mode):
        return None
    _check_owner(status, str(shown / name), {_SYSTEM, os.geteuid()})
    return Path(os.readlink(name, dir_fd=folder))


def _opened(name: str, folder: int, *, is_last: bool, make: bool) -> int:
    """A folder within a folder; it is no link, even if it was exchanged a moment ago."""
    flags = _AT_THE_END if is_last else _ON_THE_WAY
    try:
        return os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):  # another process was quicker
        os.mkdir(name, 0o700, dir_fd=folder)
    return os.open(name, flags, dir_fd=folder)


def _check_folder(status: os.stat_result, shown: Path, *, is_last: bool) -> None:
    user = os.geteuid()
    _check_owner(status, str(shown), {user} if is_last else {user, _SYSTEM})
    others = status.st_mode & _OTHERS
    if not is_last:
        if status.st_mode & stat.S_ISVTX:  # nobody can touch what belongs to others
            others = 0
        if others == stat.S_IWGRP and _is_group_of_one(status.st_gid):
            others = 0
    if others:
        raise UntrustedError(f"others can write to {shown}")


def _check_owner(status: os.stat_result, shown: str, allowed: set[int]) -> None:
    if status.st_uid not in allowed:
        raise UntrustedError(f"{shown} belongs to {_name_of(status.st_uid)}")


def _name_of(user: int) -> str:
    import pwd

    try:
        return f"the user {pwd.getpwuid(user).pw_name}"
    except KeyError:
        return f"the user {user}"


def _is_group_of_one(group: int) -> bool:
    """Whether a group is the user's own, as many systems give one to each."""
    import grp
    import pwd

    try:
        user, entry = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    is_own = user.pw_gid == group and entry.gr_name == user.pw_name
    return is_own and set(entry.gr_mem) <= {user.pw_name}
