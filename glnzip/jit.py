"""How kernels are compiled, and where the compiled code is kept.

Every hot function of glnzip carries one of three decorators:

``kernel``
    an entry point called from Python. Compiled by Numba at its first call, GIL released, and
    cached on disk so that later processes load it in a fraction of a second.
``inline``
    a part of a kernel. LLVM inlines it into its caller, so small functions cost nothing.
``outlined``
    a part that is compiled once, however many places call it.

None ever turns on ``fastmath``: the compressed bytes depend on every floating-point operation
happening exactly as written (``docs/DETERMINISM.md`` tells where this was tried).

Where Numba cannot be imported, or with ``NUMBA_DISABLE_JIT=1``, the decorators return the plain
Python function. It computes the same bytes, a thousand times more slowly: so what is compressed
today can be read wherever there are Python and NumPy.

The folder of compiled code (see `glnzip.cache_folder`) is named by a hash of all that decides what
is compiled but the CPU: kernel sources, versions, Numba's settings. (Numba alone looks only at the
file that holds the entry point, and would go on using a stale kernel after a helper module
changed.) The names of the files in it tell CPUs apart. Where no such folder can be had the kernels
are compiled in memory for each process.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

from glnzip.cache_folder import KERNEL_SOURCES, cache_root, hash_of, is_private, made_private
from glnzip.kernel_cache import KernelCache, kernel_files, read_intact

Function = TypeVar("Function", bound=Callable[..., Any])

MAIN_KERNEL = "run_bytes"  # the one that every stream runs: see glnzip.coding.byte_loops
MESSAGE_KERNEL = "run_message"  # and every message: see glnzip.coding.message_loop


PLAIN_BYTES_PER_SECOND = 50
"""What plain Python does, roughly: 400 at level 1 on one core of a server, 60 at 6, 45 at 9."""


@cache
def why_plain() -> str | None:
    """Why the model runs as plain Python, as a half-sentence; None where it is compiled."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "NUMBA_DISABLE_JIT is set"
    try:
        import numba  # noqa: F401
    except ModuleNotFoundError as error:
        return f"{'Numba' if error.name == 'numba' else error.name} is not installed"
    except (ImportError, OSError) as error:  # a NumPy too new for it; a library that does not load
        return f"Numba cannot be imported ({error})"
    return None


def jit_is_on() -> bool:
    """Whether kernels are compiled: Numba can be imported and is not switched off."""
    return why_plain() is None


def hours_as_plain(count: int) -> int:
    """Whole hours that it takes to show a model so many bytes; 0 if it is compiled."""
    return 0 if jit_is_on() else count // PLAIN_BYTES_PER_SECOND // 3600


def cache_folder() -> Path | None:
    """The folder of this version's compiled kernels; it need not exist yet.

    None where the user has no home folder and the environment names no other.
    """
    root = cache_root()
    return None if root is None else root / f"kernels-{_build_hash()}"


def kernels_are_cached(main: str = MAIN_KERNEL) -> bool:
    """Whether the model's compiled code is on disk, its `main` kernel, so that it loads quickly.

    Always True when nothing needs compiling because the JIT is off. Numba is not asked which CPU
    this is, so code for another is taken for ours where a home folder is shared by machines.
    """
    if not jit_is_on():
        return True
    folder = cache_folder()
    if folder is None or not is_private(folder):
        return False
    return any(read_intact(file) is not None for file in kernel_files(main, folder))


def inline(function: Function) -> Function:
    """Compile `function` as a part of the kernels that call it."""
    return _njit(function, forceinline=True)


def outlined(function: Function) -> Function:
    """Compile `function` once and let kernels call it: for large parts that run once a byte."""
    return _njit(function)


def kernel(function: Function) -> Function:
    """Compile `function` as an entry point, cached on disk and running without the GIL."""
    compiled: Any = _njit(function)
    folder = made_private(cache_folder()) if jit_is_on() else None
    if folder is not None:
        # Where Numba keeps the cache of a function decorated with ``cache=True``.
        compiled._cache = KernelCache(function.__name__, folder)
    return compiled


def _njit(function: Function, **options: bool) -> Function:
    if not jit_is_on():
        return function
    import numba

    from glnzip.unsigned_index import Compiler

    # Without its run-time (which counts references to arrays, atomically) Numba's code is three
    # times as fast here. Kernels never allocate, so they do not need it.
    options_of_all = {"nogil": True, "_nrt": False, "pipeline_class": Compiler}
    compiled: Function = numba.njit(**options_of_all, **options)(function)
    return compiled


@cache
def _numba_version() -> str | None:
    try:
        return metadata.version("numba")
    except metadata.PackageNotFoundError:
        return None


def _build_hash() -> str:
    """A name for what is compiled: the same sources, compilers and settings give the same code."""
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    versions = (_numba_version(), sys.implementation.cache_tag, platform.machine())
    return hash_of((*KERNEL_SOURCES, "jit.py", "unsigned_index.py"), repr((versions, settings)))
