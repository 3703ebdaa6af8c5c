"""Compiled kernels on disk, one checked file each, so that no damage to them can do harm.

No machine code runs in which bits have flipped, or which was compiled for another kernel, and two
processes at once do not disturb each other (`glnzip.cache.folder`). A file that cannot be read or
checked is as good as none: the kernel is compiled and saved again. One that cannot be saved is
compiled in each process.
"""

from __future__ import annotations

import contextlib
import hashlib

from glnzip.cache import CacheFolder

KERNEL_SUFFIX = ".kernel"

_MARK = b"glnzip kernel"


def kernel_file(name: str, what: str) -> str:
    """The file of a kernel, compiled for the CPU and the types of arguments that `what` tells."""
    number = hashlib.sha256(what.encode()).hexdigest()[:16]
    return f"{name}-{number}{KERNEL_SUFFIX}"


def kernel_files(folder: CacheFolder, name: str = "*") -> list[str]:
    """The files of a kernel, or of all, for whatever CPUs they were compiled for."""
    return folder.names(f"{name}-*{KERNEL_SUFFIX}")


def read_kernel(folder: CacheFolder, file: str) -> tuple[str, bytes] | None:
    """The line and the code that `write_kernel` wrote; None if they are not there."""
    mark, line, code = (*(folder.read(file) or b"").split(b"\n", 2), b"", b"")[:3]
    return (line.decode(), code) if mark == _MARK else None


def write_kernel(folder: CacheFolder, file: str, line: str, code: bytes) -> None:
    """Keep compiled code for later processes, if that can be done, and a line about it.

    That is the symbol of its entry; or, of Numba's own files, why there is no faster code.
    """
    with contextlib.suppress(OSError):
        folder.write(file, b"\n".join((_MARK, line.encode(), code)))
