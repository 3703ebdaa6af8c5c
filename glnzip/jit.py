"""How kernels are compiled, and where the compiled code is kept.

Every hot function of glnzip carries one of two decorators:

``kernel``
    an entry point called from Python. Compiled by Numba at its first call, GIL released, and
    cached on disk so that later processes load it in a fraction of a second.
``inline``
    a part of a kernel. LLVM inlines it into its caller, so small functions cost nothing.

Neither ever turns on ``fastmath``: the compressed bytes depend on every floating-point operation
happening exactly as written. With ``NUMBA_DISABLE_JIT=1``, or where Numba is not installed, both
decorators return the plain Python function, which computes the same bytes slowly.

The cache folder is private to the user (mode 0700, because Numba's cache files are pickles) and
named by a hash of all kernel sources and of Numba's version. Numba alone looks only at the file
that holds the entry point, and would go on using a stale kernel after a helper module changed.
``GLNZIP_CACHE_DIR`` moves the folder; when no folder is writable the kernels are compiled in
memory for each process.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

KERNEL_FOLDERS = ("gln", "bytemodel", "coding")


def jit_is_on() -> bool:
    """Whether kernels are compiled (Numba is installed and not switched off)."""
    return _numba_version() is not None and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


def cache_folder() -> Path:
    """The folder of this version's compiled kernels; it need not exist yet."""
    root = os.environ.get("GLNZIP_CACHE_DIR")
    if root is None:
        user_cache = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME")
        try:
            root = os.path.join(user_cache or Path.home() / ".cache", "glnzip")
        except RuntimeError:  # no home folder at all
            root = os.path.join(tempfile.gettempdir(), f"glnzip-{os.getuid()}")
    return Path(root) / f"kernels-{_source_hash()}"


def kernels_are_cached() -> bool:
    """Whether a process of this user has compiled the kernels before, so that they load quickly.

    Always True when nothing needs compiling because the JIT is off.
    """
    if not jit_is_on():
        return True
    try:
        return any(cache_folder().rglob("*.nbc"))
    except OSError:
        return False


def drop_cached_kernels() -> None:
    """Delete this version's compiled kernels; they are compiled again when next needed."""
    for file in cache_folder().rglob("*.nb?"):
        try:
            file.unlink()
        except OSError:
            continue  # another process may have been quicker


def inline(function: Function) -> Function:
    """Compile `function` as a part of the kernels that call it."""
    return _njit(function, forceinline=True)


def kernel(function: Function) -> Function:
    """Compile `function` as an entry point, cached on disk and running without the GIL."""
    folder = _usable_cache_folder() if jit_is_on() else None
    if folder is None:
        return _njit(function)
    from numba import config

    # Numba reads its cache folder at decoration time and offers no argument for it; the
    # process-wide setting is put back at once so that the user's own kernels are not moved.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        return _njit(function, cache=True)
    finally:
        config.CACHE_DIR = before


def _njit(function: Function, **options: bool) -> Function:
    if not jit_is_on():
        return function
    import numba

    # Without its run-time (which counts references to arrays, atomically) Numba's code is three
    # times as fast here. Kernels never allocate, so they do not need it.
    compiled: Function = numba.njit(nogil=True, _nrt=False, **options)(function)
    return compiled


def _usable_cache_folder() -> Path | None:
    """The cache folder, made if need be; None if it cannot be made, written or trusted."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return None
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def _numba_version() -> str | None:
    try:
        return metadata.version("numba")
    except metadata.PackageNotFoundError:
        return None


def _source_hash() -> str:
    package = Path(__file__).parent
    digest = hashlib.sha256(f"{_numba_version()} {sys.implementation.cache_tag}".encode())
    kernels = (file for name in KERNEL_FOLDERS for file in (package / name).rglob("*.py"))
    for file in (Path(__file__), *sorted(kernels)):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
