"""Kernels compiled by what Numba documents, for a Numba that has changed within.

`glnzip.jit.kernel_compiler` makes the fastest code, and uses much of Numba and llvmlite that their
next version may rename. This module needs `njit`, `typeof` and nothing else that is new in either,
so that whoever has a later Numba can still read his data. The bytes are the same. They take five
times as long: arrays are counted, signs of indices are asked for, and what is vector code elsewhere
is here compiled from the plain Python beside it.

A function compiled by `njit` may call others that are. So each is compiled as a copy whose globals
are the functions that `njit` made of the parts it calls.

Numba keeps compiled code itself (``cache=True``), but asks only whether the file of the kernel has
changed and not those of its parts, and would run what was damaged. So it does that in a folder of
the moment, and the caller keeps the files as it keeps all compiled code: under the name of all
sources, and checked.
"""

from __future__ import annotations

import dis
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType, ModuleType
from typing import Any

import numba

from glnzip.cache.build import KERNEL_SOURCES
from glnzip.jit.part import Part


def compiled(
    function: Callable[..., Any], arguments: tuple[Any, ...], kept: bytes = b""
) -> tuple[Callable[..., Any], bytes | None]:
    """A kernel compiled for arguments of these types.

    Parameters
    ----------
    function
        The kernel, in plain Python.
    arguments
        Of a call.
    kept
        What an earlier call of this function gave to be kept, if there was one.

    Returns
    -------
    callable
        To be called with such arguments.
    bytes or None
        What to keep for another process, which then need not compile, if that can be. They are
        those that were kept if this process has not compiled.
    """
    types = tuple(numba.typeof(argument) for argument in arguments)
    copy = _copy(function)
    try:
        with _files_of_numba(kept) as files:
            done = numba.njit(types, nogil=True, cache=True)(copy)
            return done, files()
    except Exception:  # a function without a source file; a disk that is full
        return numba.njit(types, nogil=True)(copy), None


@contextmanager
def _files_of_numba(kept: bytes) -> Iterator[Callable[[], bytes | None]]:
    """Within the block, a folder of these files is Numba's cache; gives what tells the new ones."""
    before = numba.config.CACHE_DIR
    with TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in (pickle.loads(kept) if kept else {}).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)

        def files() -> bytes | None:
            found = sorted(path for path in folder.rglob("*") if path.is_file())
            content = {str(path.relative_to(folder)): path.read_bytes() for path in found}
            return pickle.dumps(content) if content else None

        numba.config.CACHE_DIR = name
        try:
            yield files
        finally:
            numba.config.CACHE_DIR = before


def _copy(function: Any) -> FunctionType:
    """The function with globals that Numba knows."""
    known = dict(function.__globals__)
    for step in dis.get_instructions(function):
        if step.opname == "LOAD_GLOBAL" and step.argval in known:
            known[step.argval] = _known_to_numba(known[step.argval], function.__module__)
    code, defaults, cells = function.__code__, function.__defaults__, function.__closure__
    copy = FunctionType(code, known, function.__name__, defaults, cells)
    # Whatever folder Numba may take instead of ours: there, other sources have another name.
    copy.__qualname__ = f"{function.__qualname__}-{KERNEL_SOURCES.name()}"
    return copy


def _known_to_numba(value: Any, caller: str) -> Any:
    """What stands for a global in the copy of a function of the module `caller`."""
    if isinstance(value, Part):
        return _called(value.py_func)
    if isinstance(value, FunctionType) and value.__module__ == caller:
        return _called(value)
    if isinstance(value, ModuleType) and any(isinstance(v, Part) for v in vars(value).values()):
        return _Module(value)
    return value


@cache
def _called(function: Any) -> Any:
    """What `njit` makes of a function that is called by others."""
    return numba.njit(nogil=True)(_copy(function))


class _Module(ModuleType):
    """A module whose parts are known to Numba."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module.__name__)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return _known_to_numba(getattr(self._module, name), self._module.__name__)
