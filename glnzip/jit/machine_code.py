"""Compiled kernels in memory: made and loaded by LLVM alone, and called without Numba.

Numba takes most of a second and 80 MB to be imported, and most runs need nothing of it: their
kernels lie compiled on disk. So a kernel is kept as an object file of one function,

    ``int32 entry(int64 *result, void **error, const int64 *words)``

which is Numba's own convention of calling for a function of one address (see
`glnzip.jit.kernel_compiler`). The arguments of the kernel, of whatever types, are laid out as
64-bit words from that address on.
"""

from __future__ import annotations

import ctypes
import pickle
import platform
import struct
import sys
from collections.abc import Callable
from functools import cache
from typing import Any
from weakref import ref

import numpy as np

Kinds = tuple[str, ...]
Native = Callable[[bytes, tuple[Any, ...]], int | None]  # given the words, and what they describe

_RETURNED = 0  # Numba's status code; all others are errors
_BY_ROWS, _BY_COLUMNS, _ALIGNED, _WRITABLE = 1, 2, 0x100, 0x400  # bits of an array's flags

MOST_OPTIMISATION = 3
_X86 = ("x86_64", "amd64")

_ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.POINTER(ctypes.c_int64),
    ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)),
    ctypes.c_char_p,
)

_known: dict[int, tuple[Any, str, bytes]] = {}
"""Kind and words of arrays, by their ids: a model has dozens, and is met again and again."""


def kinds_and_words(arguments: tuple[Any, ...]) -> tuple[Kinds, bytes]:
    """What of the arguments compiled code depends on, and what it is given.

    Returns
    -------
    kinds : tuple of str
        The types of numbers, tuples and arrays, in order; equal for all that one kernel can serve.
    words : bytes
        Numbers; addresses, shapes and strides of arrays. `glnzip.jit.kernel_compiler` has the code
        that reads them.

    Raises
    ------
    TypeError
        If there is anything else among them.
    """
    kinds: list[str] = []
    words: list[bytes] = []
    _describe(arguments, kinds, words)
    return tuple(kinds), b"".join(words)


def _describe(parts: tuple[Any, ...], kinds: list[str], words: list[bytes]) -> None:
    """Append the parts' kinds and words to what came before."""
    for part in parts:
        known = _known.get(id(part))
        if known is not None and known[0]() is part:
            _, kind, numbers = known
        elif isinstance(part, np.ndarray):
            kind, numbers = _of_array(part)
            _known[id(part)] = (ref(part, _forget(id(part))), kind, numbers)
        elif isinstance(part, tuple):
            kinds.append(_name(type(part)))
            _describe(part, kinds, words)
            kind, numbers = "end", b""
        else:
            kind, numbers = _name(type(part)), _of_number(part)
        kinds.append(kind)
        words.append(numbers)


def _of_array(argument: Any) -> tuple[str, bytes]:
    flags = argument.flags.num
    layout = flags & _BY_ROWS or flags & _BY_COLUMNS  # a single row is both, and counts as rows
    access = flags & (_ALIGNED | _WRITABLE)
    kind = _name((argument.dtype, argument.ndim, layout, access))
    numbers = (argument.ctypes.data, *argument.shape, *argument.strides)
    return kind, struct.pack(f"{len(numbers)}q", *numbers)


def _of_number(argument: Any) -> bytes:
    if isinstance(argument, np.float32):
        return struct.pack("f4x" if sys.byteorder == "little" else "4xf", argument)
    if isinstance(argument, float):  # and NumPy's float64
        return struct.pack("d", argument)
    if isinstance(argument, int | np.integer | np.bool_):
        return struct.pack("q" if argument < 0 else "Q", int(argument))
    raise TypeError(f"kernels take numbers, arrays and tuples, not {type(argument).__name__}")


_name: Callable[[Any], str] = cache(repr)  # one string for each type


def _forget(number: int) -> Callable[[Any], object]:
    return lambda _: _known.pop(number, None)


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


def object_of(assembly: str) -> bytes:
    """The object file of a module in LLVM's assembly, for the CPU that is there.

    The module was optimised when it was written (`glnzip.jit.assembly`), which is two thirds of the
    work. As with Numba, no operation on floating-point numbers becomes another one.
    """
    llvm = _llvm()
    module = llvm.parse_assembly(assembly)
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=MOST_OPTIMISATION,
        reloc="static" if platform.machine().lower() in _X86 else "default",
        codemodel="jitdefault",
        jit=True,
    )
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    return bytes(machine.emit_object(module))


def loaded(symbol: str, code: bytes) -> Native:
    """The function of that name in an object file, to be called with the words of its arguments.

    They must be of the kinds that it was compiled for. It runs without the interpreter's lock,
    raises what the compiled code raises, and returns an int, which is 0 where the kernel returns
    nothing.
    """
    llvm = _llvm()
    machine = llvm.Target.from_default_triple().create_target_machine()  # the engine will own it
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(symbol)
    if not address:
        raise LookupError(f"compiled code has no {symbol}")
    entry = _ENTRY(address)

    def call(words: bytes, _: tuple[Any, ...], *, _owned: Any = (engine, code)) -> int:
        result, error = ctypes.c_int64(), ctypes.POINTER(ctypes.c_void_p)()
        status = entry(result, error, words)
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
