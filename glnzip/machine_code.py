"""Compiled kernels in memory: loaded by LLVM alone and called without Numba.

Numba takes most of a second and 80 MB to be imported, and most runs need nothing of it: their
kernels lie compiled on disk. So a kernel is kept as an object file of one function,

    ``int32 entry(int64 *result, void **error, const int64 *words)``

which is Numba's own convention of calling for a function of one address (see
`glnzip.kernel_compiler`). The arguments of the kernel, of whatever types, are laid out as 64-bit
words from that address on.
"""

from __future__ import annotations

import ctypes
import pickle
import struct
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

Native = Callable[[tuple[Any, ...]], int | None]

_RETURNED, _RETURNED_NOTHING = 0, -2  # Numba's status codes; all others are errors

_ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.POINTER(ctypes.c_int64),
    ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)),
    ctypes.c_void_p,
)


def signature_of(argument: Any) -> str:
    """All that compiled code depends on: kinds of numbers, tuples and arrays, but no values.

    Raises
    ------
    TypeError
        If it is none of these.
    """
    if isinstance(argument, np.ndarray):
        flags = argument.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        kind = f"{_name_of(argument.dtype)}[{argument.ndim}{layout}]"
        return kind + "w" * flags.writeable + "a" * flags.aligned
    if isinstance(argument, tuple):
        name = f"{type(argument).__module__}.{type(argument).__qualname__}"
        return f"{name}({','.join(map(signature_of, argument))})"
    if isinstance(argument, np.generic):
        return _name_of(argument.dtype)
    if type(argument) in (bool, int, float):
        return type(argument).__name__
    raise TypeError(f"kernels take numbers, arrays and tuples, not {type(argument).__name__}")


@cache
def _name_of(dtype: np.dtype[Any]) -> str:
    return repr(dtype)


def _words_of(argument: Any) -> Iterator[int]:
    """The words of an argument; `glnzip.kernel_compiler` has the code that reads them."""
    if isinstance(argument, np.ndarray):
        yield argument.__array_interface__["data"][0]
        yield from argument.shape
        yield from argument.strides
    elif isinstance(argument, tuple):
        for part in argument:
            yield from _words_of(part)
    elif isinstance(argument, np.float32):
        yield struct.unpack("<i", struct.pack("<f", argument))[0]
    elif isinstance(argument, float):  # and NumPy's float64
        yield struct.unpack("<q", struct.pack("<d", argument))[0]
    else:
        yield int(argument)


@cache
def _llvm() -> Any:
    """The library, ready to load machine code."""
    import llvmlite
    import llvmlite.binding as llvm

    if tuple(map(int, llvmlite.__version__.split(".")[:2])) < (0, 45):  # later ones do it on import
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def this_cpu() -> str:
    """What tells machines apart that cannot run each other's code."""
    llvm = _llvm()
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {features}"


def loaded(symbol: str, code: bytes) -> Native:
    """The function of that name in an object file, to be called with a tuple of arguments.

    They must have the types that it was compiled for: see `signature_of`. It runs without the
    interpreter's lock, raises what the compiled code raises, and returns an int or None.
    """
    llvm = _llvm()
    machine = llvm.Target.from_default_triple().create_target_machine()  # the engine will own it
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    entry = _ENTRY(engine.get_function_address(symbol))

    def call(arguments: tuple[Any, ...], _owned: Any = (engine, code)) -> int | None:
        words = list(_words_of(arguments))
        result, error = ctypes.c_int64(), ctypes.POINTER(ctypes.c_void_p)()
        status = entry(result, error, (ctypes.c_int64 * len(words))(*words))
        if status == _RETURNED_NOTHING:
            return None
        if status != _RETURNED:
            raise _exception(error)
        return result.value

    return call


def _exception(error: Any) -> BaseException:
    """What Numba's code left behind: the address and length of a pickled class with arguments."""
    length = ctypes.cast(error, ctypes.POINTER(ctypes.c_int32))[ctypes.sizeof(ctypes.c_void_p) // 4]
    kind, arguments, *_ = pickle.loads(ctypes.string_at(error[0], length))
    raised: BaseException = kind(*arguments or ())
    return raised
