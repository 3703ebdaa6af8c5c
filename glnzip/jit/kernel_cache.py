"""Compiled kernels on disk, one checked file each, so that no damage to them can do harm.

A file begins with the SHA-256 of the rest and is renamed into place when it is complete: no machine
code runs in which bits have flipped, and two processes at once do not disturb each other. A file
that cannot be read or checked is as good as none: the kernel is compiled and saved again. One that
cannot be saved is compiled in each process.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from glnzip.cache_folder import new_cache_file

KERNEL_SUFFIX = ".kernel"

_DIGEST_BYTES = hashlib.sha256().digest_size
_MARK = b"glnzip kernel"


def kernel_file(folder: Path, name: str, what: str) -> Path:
    """The file of a kernel, compiled for the CPU and the types of arguments that `what` tells."""
    number = hashlib.sha256(what.encode()).hexdigest()[:16]
    return folder / f"{name}-{number}{KERNEL_SUFFIX}"


def kernel_files(folder: Path, name: str = "*") -> list[Path]:
    """The files of a kernel, or of all, for whatever CPUs they were compiled for."""
    return list(folder.glob(f"{name}-*{KERNEL_SUFFIX}"))


def read_kernel(file: Path) -> tuple[str, bytes] | None:
    """The symbol and object code that `write_kernel` wrote; None if that is not there."""
    mark, symbol, code = (*(read_intact(file) or b"").split(b"\n", 2), b"", b"")[:3]
    return (symbol.decode(), code) if mark == _MARK else None


def write_kernel(file: Path, symbol: str, code: bytes) -> None:
    """Keep a compiled kernel for later processes, if that can be done."""
    with contextlib.suppress(OSError):
        write_intact(file, b"\n".join((_MARK, symbol.encode(), code)))


def read_intact(file: Path) -> bytes | None:
    """What `write_intact` wrote, or None if that cannot be read or is damaged."""
    try:
        whole = file.read_bytes()
    except OSError:
        return None
    digest, content = whole[:_DIGEST_BYTES], whole[_DIGEST_BYTES:]
    return content if hashlib.sha256(content).digest() == digest else None


def write_intact(file: Path, content: bytes) -> None:
    """Write a file that appears whole, with its digest, or not at all."""
    with new_cache_file(file) as stream:
        stream.write(hashlib.sha256(content).digest() + content)
