"""Kernels as LLVM's assembly: what Numba makes of them, kept with the package.

Compiling a kernel has three parts. Numba finds out the types of everything and writes LLVM's
assembly, which takes most of the time; LLVM makes better assembly of it, and then machine code for
the CPU that is there. The first two can be the same on every machine. So the package has the
assembly of the kernels that most runs need, as `make kernels` wrote it, and the first use on a
machine takes the third part alone. Without it, or where it is not that of the sources that are
there, kernels are compiled from these.

It is text: one module for each kernel and types of arguments, all in it internal but the entry
(`ENTRY`, which `glnzip.jit.machine_code` can call), for no machine in particular but one with
64-bit addresses, the low byte first.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import sys
from collections.abc import Callable
from typing import Any

from glnzip.cache.build import KERNEL_SOURCES, PACKAGE

ENTRY = "kernel"
"""The name of a module's entry."""

SOURCES = "sources"
"""The file that says of which sources all of them are, and below that, by what they were made."""

FOLDER = PACKAGE / "data" / "kernels"
"""Where they lie."""


def assembly_file(function: Callable[..., Any], kinds: tuple[str, ...]) -> str:
    """The file of a kernel for arguments of these kinds (`machine_code.kinds_and_words`)."""
    number = hashlib.sha256(f"{function.__module__} {kinds}".encode()).hexdigest()[:16]
    return f"{function.__name__}-{number}.ll.xz"


def kept_assembly(function: Callable[..., Any], kinds: tuple[str, ...]) -> str | None:
    """The assembly of a kernel, if it came with the package and is of use here.

    It is of none with settings of Numba's (``NUMBA_...``), which may be about its part or LLVM's.
    """
    if not is_of_use():
        return None
    try:
        packed = (FOLDER / assembly_file(function, kinds)).read_bytes()
        return lzma.decompress(packed).decode()
    except (OSError, ValueError, lzma.LZMAError, EOFError):
        return None


def is_of_use() -> bool:
    """Whether there is assembly of the sources that were loaded, and it may be used."""
    if sys.maxsize < 1 << 32 or sys.byteorder != "little":
        return False
    if any(name.startswith("NUMBA_") for name in os.environ):
        return False
    try:
        sources = (FOLDER / SOURCES).read_text(encoding="ascii")
    except (OSError, ValueError):
        return False
    return sources.split("\n", 1)[0] == KERNEL_SOURCES.loaded.hex()
