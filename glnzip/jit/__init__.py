"""How kernels are compiled, and where the compiled code is kept.

Every hot function of glnzip carries one of three decorators:

``kernel``
    an entry point called from Python. Compiled at its first call and cached on disk, so that later
    processes load it in a moment, without Numba. Most come with the package half compiled
    (`glnzip.jit.assembly`) and do not need Numba even then. Runs without the interpreter's lock.
``inline``
    a part of a kernel. LLVM inlines it into its caller, so small functions cost nothing.
``outlined``
    a part that is compiled once, however many places call it.

A ``Part`` made otherwise stands for vector code or an instruction of the CPU that Python has no
word for. None ever turns on ``fastmath``: the compressed bytes depend on every floating-point
operation happening exactly as written (``docs/DETERMINISM.md`` tells where this was tried).

The fastest code takes more of Numba than it documents. Where a later Numba lacks something of that,
kernels are compiled by its documented means (`glnzip.jit.plain_numba`), and are five times slower.

Where Numba cannot be imported, or compiles nothing in that way either, and with
``NUMBA_DISABLE_JIT=1``, the plain Python functions run. They compute the same bytes, a thousand
times more slowly: so what is compressed today can be read wherever there are Python and NumPy.
Kernels that were compiled before go on serving without Numba; where one is missing and Numba has
stopped working, its plain Python runs beside them.

The folder of compiled code (see `glnzip.cache`) is named by a hash of all that decides what is
compiled but the CPU: kernel sources, versions, Numba's settings. The names of the files in it tell
CPUs apart. Where no such folder can be had the kernels are compiled for each process.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from functools import cache, update_wrapper
from importlib import metadata
from importlib.util import find_spec
from typing import Any, TypeVar

from glnzip.cache import CacheFolder, open_folder, why_unusable
from glnzip.cache.build import KERNEL_SOURCES
from glnzip.cache.housekeeping import sign
from glnzip.errors import MemoryLimitError
from glnzip.jit.assembly import ENTRY, is_of_use, kept_assembly
from glnzip.jit.kernel_cache import kernel_file, kernel_files, read_kernel, write_kernel
from glnzip.jit.machine_code import (
    Kinds,
    Native,
    kinds_and_words,
    loaded,
    object_of,
    this_cpu,
)
from glnzip.jit.part import NO_COMPILER, Part, WrongResultError, in_a_line
from glnzip.system import beside
from glnzip.system.locks import ForkedLock
from glnzip.system.machine import free_addresses
from glnzip.system.notices import detail, notice
from glnzip.system.units import human_size

Function = TypeVar("Function", bound=Callable[..., Any])

MAIN_KERNEL = "run_bytes"  # the one that every stream runs: see glnzip.coding.bit_loop
MESSAGE_KERNEL = "run_message"  # and every message: see glnzip.coding.message_loop
_CALL_MAIN_KERNEL = """
from glnzip.streams.oneshot import compress
compress(b"glnzip", level=1, prior=None)
"""
_TO_COMPILE = 900 << 20  # bytes of address space, for Numba and LLVM ...
_TO_LOAD = 256 << 20  # ... and for LLVM alone
_SECONDS = 15  # that compiling the model takes, roughly ...
_ASSEMBLY_SECONDS = 3  # ... from assembly that came with the package
_why_slower: list[str] = []  # why not the fastest code, once that was found out
_compiling = ForkedLock()  # threads that need the same kernel wait for the first one to make it

PLAIN_BYTES_PER_SECOND = 50
"""What plain Python does, roughly: 400 at level 1 on one core of a server, 60 at 6, 45 at 9."""


def why_plain() -> str | None:
    """Why the model runs as plain Python, as a half-sentence; None where it is compiled."""
    return NO_COMPILER[0] if NO_COMPILER else _why_plain()


def why_slower() -> str | None:
    """Why kernels are not the fastest code, as a half-sentence; None as long as none is slower."""
    return _why_slower[0] if _why_slower else None


@cache
def _why_plain() -> str | None:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "NUMBA_DISABLE_JIT is set"
    for needed in ("numba", "llvmlite"):
        if find_spec(needed) is None:
            return f"{'Numba' if needed == 'numba' else needed} is not installed"
    folder = _kernels()
    if is_of_use() or (folder is not None and kernel_files(folder)):
        return None  # most kernels do not need it, or it has worked here: no need to wait for it
    return _why_no_numba()


def _check_addresses(needed: int) -> None:
    """Raise MemoryLimitError if `ulimit -v` leaves fewer bytes of address space."""
    free = free_addresses()
    if free is not None and free < needed:
        what = "to compile the model" if needed == _TO_COMPILE else "to load the compiled model"
        raise MemoryLimitError(
            f"{what} takes about {human_size(needed)} of address space; "
            f"of what `ulimit -v` allows, {human_size(max(0, free))} are left"
        )


def _why_no_numba() -> str | None:
    _check_addresses(_TO_COMPILE)
    try:
        import numba  # noqa: F401
    except (ImportError, OSError) as error:  # a NumPy too new for it; a library that does not load
        return f"Numba cannot be imported ({error})"
    return None


@cache
def notice_if_plain() -> None:
    """Tell the user, once, if the model runs as plain Python."""
    if reason := why_plain():
        notice(f"very slow, as little as {PLAIN_BYTES_PER_SECOND} bytes a second: {reason}")


def jit_is_on() -> bool:
    """Whether kernels are compiled: Numba can be imported and is not switched off."""
    return why_plain() is None


def indices_are_checked() -> bool:
    """Whether an index out of bounds is an error: in plain Python, or where Numba is told so."""
    return not jit_is_on() or os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")


def hours_as_plain(count: int) -> int:
    """Whole hours that it takes to show a model so many bytes; 0 if it is compiled."""
    return 0 if jit_is_on() else count // PLAIN_BYTES_PER_SECOND // 3600


def folder_name() -> str:
    """The name of the folder of this version's compiled kernels."""
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    return f"kernels-{KERNEL_SOURCES.name(repr((_versions(), platform.machine(), settings)))}"


def _kernels(*, make: bool = False) -> CacheFolder | None:
    """That folder, open; None if there is none that can be used."""
    try:
        return open_folder(folder_name(), make=make)
    except OSError:
        return None


def kernels_are_cached(main: str = MAIN_KERNEL) -> bool:
    """Whether the model's compiled code is on disk, its `main` kernel, so that it loads quickly.

    Always True when nothing needs compiling because the JIT is off. The CPU is not checked,
    so code for another is taken for ours where a home folder is shared by machines.
    """
    if not jit_is_on():
        return True
    folder = _kernels()
    if folder is None:
        return False
    return any(read_kernel(folder, file) is not None for file in kernel_files(folder, main))


def inline(function: Function) -> Function:
    """Compile `function` as a part of the kernels that call it."""
    return _part(function, forceinline=True)


def outlined(function: Function) -> Function:
    """Compile `function` once and let kernels call it: for large parts that run once a byte."""
    return _part(function, forceinline=False)  # not set, it would be that of the caller


def kernel(function: Function) -> Function:
    """Compile `function` as an entry point, cached on disk and running without the GIL."""
    return Kernel(function) if jit_is_on() else function  # type: ignore[return-value]


def _part(function: Function, **options: bool) -> Function:
    def compile_it() -> Any:
        from glnzip.jit.kernel_compiler import compiled_part

        return compiled_part(function, **options)

    return twin(function, compile_it)


def twin(function: Function, for_kernels: Callable[[], Any]) -> Function:
    """What `for_kernels` returns, for them; `function` says the same in plain Python."""

    def compile_it() -> Any:
        from glnzip.jit.kernel_compiler import compiled

        return compiled(function)

    if not jit_is_on():
        return function
    return Part(function, for_kernels, compile_it)  # type: ignore[return-value]


class Kernel:
    """A function compiled for each combination of types that it is called with.

    Attributes
    ----------
    py_func : callable
        The function in plain Python.
    natives : dict of tuple to callable
        What runs, by the kinds of arguments.
    compiled_here : int
        How many of these were compiled by this process and not found on disk.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.__name__ = function.__name__
        self.py_func = function
        self.natives: dict[Kinds, Native] = {}
        self.compiled_here = 0

    def __call__(self, *arguments: Any) -> Any:
        kinds, words = kinds_and_words(arguments)
        native = self.natives.get(kinds)
        if native is None:
            with _compiling:
                native = self.natives.get(kinds) or self._made(kinds, arguments)
            self.natives[kinds] = native
        return native(words, arguments)

    def _made(self, kinds: Kinds, arguments: tuple[Any, ...]) -> Native:
        """What runs for arguments of these kinds: the fastest that can be had."""
        _check_addresses(_TO_LOAD)
        folder = _kernels(make=True) if KERNEL_SOURCES.are_unchanged() else None
        for way, give_up in ((self._fastest, _be_slower), (self._slower, _be_plain)):
            try:
                if native := way(folder, kinds, arguments):
                    return native
            except (MemoryError, MemoryLimitError, WrongResultError):
                raise
            except Exception as error:  # whatever comes of a name that is gone
                give_up(f"compiling fails ({in_a_line(error)})")
        return lambda _, arguments: self.py_func(*arguments)

    def _fastest(
        self, folder: CacheFolder | None, kinds: Kinds, arguments: tuple[Any, ...]
    ) -> Native | None:
        """Loaded by LLVM alone; None if nothing compiles it, or not in that way."""
        file = self._file(kinds)
        if kept := _kept(folder, file):
            return loaded(*kept)
        if self.__name__ == MAIN_KERNEL and beside.end() and (kept := _kept(folder, file)):
            return loaded(*kept)
        if native := self._from_assembly(folder, kinds):
            return native
        if kept := _kept(folder, self._slower_file(kinds)):
            _be_slower(kept[0])
        if _why_slower or not _numba_is_there():
            return None
        from glnzip.jit.kernel_compiler import object_file, usable_options

        self._begin(folder, _SECONDS, beside_it=self._may_begin_beside(folder))
        options = usable_options()
        symbol, code, stands_alone = object_file(self.py_func, arguments, options)
        native = loaded(symbol, code)
        self.compiled_here += 1
        if folder is not None and stands_alone:
            write_kernel(folder, file, symbol, code)
        return native

    def _from_assembly(self, folder: CacheFolder | None, kinds: Kinds) -> Native | None:
        """Compiled by LLVM alone from what came with the package; None if nothing did."""
        text = kept_assembly(self.py_func, kinds)
        if text is None:
            return None
        self._begin(folder, _ASSEMBLY_SECONDS, beside_it=self._may_begin_beside(folder))
        try:
            code = object_of(text)
            native = loaded(ENTRY, code)
        except MemoryError:
            raise
        except Exception as error:  # of another LLVM
            detail(f"{self.__name__} is compiled from its source ({in_a_line(error)})")
            return None
        self.compiled_here += 1
        if folder is not None:
            write_kernel(folder, self._file(kinds), ENTRY, code)
        return native

    def _slower(
        self, folder: CacheFolder | None, kinds: Kinds, arguments: tuple[Any, ...]
    ) -> Native | None:
        """Loaded or compiled by Numba as it documents; None if there is no Numba."""
        if not _numba_is_there():
            return None
        from glnzip.jit.plain_numba import compiled

        file = self._slower_file(kinds)
        _, kept = _kept(folder, file) or ("", b"")
        if not kept:
            self._begin(folder, _SECONDS)
        function, files = compiled(self.py_func, arguments, kept)
        if files != kept:
            self.compiled_here += 1
            if folder is not None and files:
                write_kernel(folder, file, _why_slower[0], files)
        return lambda _, arguments: function(*arguments)

    def _file(self, kinds: Kinds) -> str:
        return kernel_file(self.__name__, f"{this_cpu()} {self.__module__} {kinds}")

    def _slower_file(self, kinds: Kinds) -> str:
        return kernel_file(self.__name__, f"plain Numba {self.__module__} {kinds}")

    def _may_begin_beside(self, folder: CacheFolder | None) -> bool:
        return self.__name__ != MAIN_KERNEL and _compile_beside(folder)

    def _begin(self, folder: CacheFolder | None, seconds: int, *, beside_it: bool = False) -> None:
        """Something is to be compiled, and perhaps the main kernel beside it."""
        if folder is not None:
            sign(folder, KERNEL_SOURCES)
        if beside_it or self.__name__ in (MAIN_KERNEL, MESSAGE_KERNEL):
            notice(f"compiling the model for this machine, {_how_often()} (about {seconds} s)")


def _compile_beside(folder: CacheFolder | None) -> bool:
    """Have another process compile the main kernel, if need be: it will be called in a while."""
    missing = folder is not None and not kernel_files(folder, MAIN_KERNEL)
    return missing and beside.begin(_CALL_MAIN_KERNEL)


def _kept(folder: CacheFolder | None, file: str) -> tuple[str, bytes] | None:
    return None if folder is None else read_kernel(folder, file)


def _be_slower(reason: str) -> None:
    """Compile by what Numba documents from now on, and say so to those who want details."""
    if not _why_slower:
        _why_slower.append(reason)
        detail(f"the model runs at a fifth of its speed: {reason}")


def _numba_is_there() -> bool:
    if not NO_COMPILER and (reason := _why_no_numba()):
        _be_plain(reason)
    return not NO_COMPILER


def _be_plain(reason: str) -> None:
    """Compile nothing from now on, and tell the user."""
    NO_COMPILER.append(reason)
    notice_if_plain.cache_clear()
    notice_if_plain()


def _how_often() -> str:
    """Once, if what is compiled can be kept."""
    reason = why_unusable()
    return "once" if reason is None else f"which cannot be kept: {reason}"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


@cache
def _versions() -> tuple[str | None, ...]:
    """Of all that compiles, or decides whether it works."""
    return (*map(_version, ("numba", "llvmlite", "numpy")), sys.implementation.cache_tag)
