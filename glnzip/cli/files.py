"""Opening an input, and making an output that appears whole or not at all.

What could lose a user's data is decided here, and the rules are few:

- an output is written under a temporary name in its own folder and renamed when it is complete;
- an existing file is replaced only on request, and never by the result of reading itself;
- an input is removed only after its output is on the disk;
- a device or pipe is written to as it is, and is no reason to remove an input.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, cast

from glnzip.system.unfinished import undone_if_killed, unfinished_name

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STANDARD_STREAM = "-"
STANDARD_OUTPUT = ("-", "/dev/stdout")
_NO_TERMINAL = "compressed data are not written to a terminal (see --help)"


class RefusedError(Exception):
    """Why a file is left alone, although neither the system nor the data failed."""


@dataclass(frozen=True)
class Source:
    """An open input, what the system says of it (None if nothing), and whether it was named."""

    stream: BinaryIO
    status: os.stat_result | None
    named: bool

    @property
    def size(self) -> int | None:
        """Bytes in the input, or None if that cannot be known before its end."""
        if self.status is None or not stat.S_ISREG(self.status.st_mode):
            return None
        return self.status.st_size

    @property
    def attributes(self) -> os.stat_result | None:
        """What an output is to take over: nothing unless a file was named as the input."""
        return self.status if self.named and self.size is not None else None


def occupy_closed_streams() -> None:
    """Put something in the place of standard streams that were closed by whoever started us.

    Otherwise the next file opened would get the number of such a stream, and whatever is meant for
    the stream would land in the file. Using standard input or output then fails; messages are lost.
    """
    streams = (
        ("stdin", "r", os.O_WRONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_RDWR),
    )
    for number, (name, mode, flags) in enumerate(streams):
        if getattr(sys, name) is None:
            os.open(os.devnull, flags)  # gets the lowest number that is free: this one
            setattr(sys, name, os.fdopen(number, mode, closefd=False))


@contextmanager
def streams_that_wait() -> Iterator[None]:
    """Within the block, standard streams wait for data and for room.

    They are shared with other processes, any of which can have it that they do not wait. Then there
    would seem to be no more data, or some would not get out. Afterwards, all is as it was.
    """
    without_waiting = []
    for number in range(3):
        with suppress(OSError, AttributeError):  # Windows has no such thing
            if not os.get_blocking(number):
                without_waiting.append(number)

    def set_all(waiting: bool) -> None:
        for number in without_waiting:
            with suppress(OSError):
                os.set_blocking(number, waiting)

    with undone_if_killed(lambda: set_all(False)):
        set_all(True)
        try:
            yield
        finally:
            set_all(False)


@contextmanager
def open_source(name: str, *, any_kind: bool, terminal: bool) -> Iterator[Source]:
    """Open an input.

    Parameters
    ----------
    name
        A path, or "-" for standard input.
    any_kind
        Whether the path may lead to a pipe or device; otherwise only to a regular file.
    terminal
        Whether standard input may be a terminal.
    """
    if name == STANDARD_STREAM:
        if sys.stdin.isatty() and not terminal:
            raise RefusedError("compressed data are not read from a terminal (see --help)")
        yield Source(sys.stdin.buffer, _status(sys.stdin.buffer), named=False)
        return
    mode = os.stat(name).st_mode  # before opening: opening a pipe waits for its other end
    if stat.S_ISDIR(mode):
        raise RefusedError("is a directory; skipped")
    if not any_kind and not stat.S_ISREG(mode):
        raise RefusedError("is not a regular file; skipped (use -c or -o to read it all the same)")
    with open(name, "rb") as stream:
        yield Source(stream, _status(stream), named=True)


@contextmanager
def standard_output(source: Source, *, terminal: bool) -> Iterator[BinaryIO]:
    """Standard output; it must not be the file being read, and a terminal only if told so."""
    stream = sys.stdout.buffer
    if stream.isatty() and not terminal:
        raise RefusedError(_NO_TERMINAL)
    output = _status(stream)
    if output is not None and stat.S_ISREG(output.st_mode) and _same_file(source.status, output):
        raise RefusedError("is the same file as the output, standard output")
    sink = _StandardOutput(stream)
    yield cast(BinaryIO, sink)
    sink.flush()


class _StandardOutput:
    """Standard output: errors name it, and as it may be a file that is appended to, none seeks."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: ReadableBuffer, /) -> int:
        with _named("write to", "standard output"):
            return self._stream.write(data)

    def flush(self) -> None:
        with _named("write to", "standard output"):
            self._stream.flush()

    def seekable(self) -> bool:
        return False


def is_special(path: str) -> bool:
    """Whether `path` leads to something that is there and neither a file nor a folder."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def output_file(
    path: str, source: Source, *, replace: bool, durable: bool, terminal: bool
) -> AbstractContextManager[BinaryIO]:
    """What is written to `path`: a new file, or straight to the device or pipe that is there."""
    if is_special(path):
        return _special_file(path, replace=replace, terminal=terminal)
    return new_file(path, source, replace=replace, durable=durable)


@contextmanager
def _special_file(path: str, *, replace: bool, terminal: bool) -> Iterator[BinaryIO]:
    """A device or pipe; a disk, which holds data, only if they may be replaced."""
    if stat.S_ISBLK(os.stat(path).st_mode) and not replace:
        raise RefusedError(_exists(path))
    with io.BufferedWriter(_Output(path, "w", path)) as stream:
        if stream.isatty() and not terminal:
            raise RefusedError(_NO_TERMINAL)
        yield cast(BinaryIO, stream)


@contextmanager
def new_file(path: str, source: Source, *, replace: bool, durable: bool) -> Iterator[BinaryIO]:
    """A file that appears at `path`, complete, if the block ends without an exception.

    Parameters
    ----------
    path
        Where the file is to appear.
    source
        The input; a named file's time, permissions and owner go to the new file.
    replace
        Whether an existing file may be replaced.
    durable
        Whether to wait until the new file would survive a power failure.
    """
    _check_target(path, source, replace=replace)
    with unfinished_name(path) as temporary:
        with _create(temporary, path, private=source.attributes is not None) as stream:
            yield stream
            stream.flush()
            if source.attributes is not None:
                _copy_attributes(source.attributes, stream.fileno(), temporary)
            if durable:
                with _named("write to", path):
                    os.fsync(stream.fileno())
        _check_target(path, source, replace=replace)  # the work may have taken hours
        os.replace(temporary, path)
        if durable:
            _sync_folder(os.path.dirname(path))


def check_removable(name: str) -> None:
    """Refuse an input whose removal would remove a name and leave the data where it was."""
    status = os.lstat(name)
    if stat.S_ISLNK(status.st_mode):
        raise RefusedError("is a symbolic link; --rm would remove only the link (use -f to do so)")
    if status.st_nlink > 1:
        raise RefusedError(
            "has other hard links; --rm would remove only this one (use -f to do so)"
        )


def remove_input(name: str, source: Source) -> None:
    """Remove an input that has been dealt with, if it is still what it was when it was opened."""
    now, before = os.stat(name), source.status
    if before is None or _identity(now) != _identity(before):
        raise RefusedError("was changed in the meantime; not removed")
    os.unlink(name)


def _check_target(path: str, source: Source, *, replace: bool) -> None:
    """Refuse a target that cannot be, or that exists and may not be replaced."""
    if not path:
        raise RefusedError("the output has no name")
    try:
        with _named("create", path):
            status = os.stat(path)
    except FileNotFoundError:
        if not os.path.islink(path):
            return
        status = os.lstat(path)  # a link to nowhere
    if _same_file(source.status, status):
        raise RefusedError(f"is the same file as the output, {path}")
    if stat.S_ISDIR(status.st_mode):
        raise RefusedError(f"the output, {path}, is a directory")
    if not replace:
        raise RefusedError(_exists(path))
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISLNK(status.st_mode):
        raise RefusedError(f"the output, {path}, is no longer a regular file")


def _exists(path: str) -> str:
    return f"the output, {path}, exists already (use -f to replace it)"


def _create(temporary: str, path: str, *, private: bool) -> BinaryIO:
    """Create the temporary file; `private` until it gets the permissions of the input."""
    mode = 0o600 if private else 0o666  # less the umask

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    with _named("create", path):
        raw = _Output(temporary, "x+", path, opener)  # to be read when it is verified
    return cast(BinaryIO, io.BufferedRandom(raw))


class _Output(io.FileIO):
    """A file to write to; an error names it as its user knows it."""

    def __init__(
        self, name: str, mode: str, known_as: str, opener: Callable[[str, int], int] | None = None
    ) -> None:
        super().__init__(name, mode, opener=opener)
        self._known_as = known_as

    def write(self, data: ReadableBuffer, /) -> int:
        with _named("write to", self._known_as):
            return super().write(data)


@contextmanager
def _named(what: str, path: str) -> Iterator[None]:
    """Within the block, say of errors what could not be done to which output."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"cannot {what} {path}: {error.strerror}") from None


def _copy_attributes(status: os.stat_result, descriptor: int, path: str) -> None:
    """Give a new file the owner, permissions and times of the input, as far as allowed."""
    where = descriptor if os.utime in os.supports_fd else path
    permissions = stat.S_IMODE(status.st_mode) & 0o777  # no set-user-id on another content
    if hasattr(os, "chown"):
        if os.geteuid() == 0:
            with suppress(OSError):
                os.chown(where, status.st_uid, -1)
        try:
            os.chown(where, -1, status.st_gid)
        except OSError:  # what the input's group may do is not for another group
            permissions &= ~0o070 | (permissions & 0o007) << 3
    with suppress(OSError):  # some file systems keep no permissions
        os.chmod(where, permissions)
    with suppress(OSError):
        os.utime(where, ns=(status.st_atime_ns, status.st_mtime_ns))


def _sync_folder(folder: str) -> None:
    """Make a rename in `folder` survive a power failure, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder or ".", os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _status(stream: BinaryIO) -> os.stat_result | None:
    try:
        return os.fstat(stream.fileno())
    except OSError:  # not a file of the system
        return None


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _same_file(one: os.stat_result | None, other: os.stat_result) -> bool:
    return one is not None and os.path.samestat(one, other)
