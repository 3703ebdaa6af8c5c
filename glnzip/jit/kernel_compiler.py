"""Numba at work: from a kernel and the arguments of a call to an object file.

The object file has one entry, as `glnzip.jit.machine_code` calls it: Numba's code for a function of
one address, which reads the kernel's arguments from there and calls it.

This module, `glnzip.jit.part_compiler` and `glnzip.jit.unsigned_index` use names of Numba's that it
does not document. Where one of them is gone, or means something else, an error comes of it, and
either kernels are compiled without the latter two, or `glnzip.jit.plain_numba` takes over.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, typeof
from numba import types as numba_types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, typeof_impl
from numba.np.arrayobj import populate_array

from glnzip.jit.assembly import ENTRY
from glnzip.jit.machine_code import kinds_and_words, loaded
from glnzip.jit.part import Part, WrongResultError, in_a_line
from glnzip.system.notices import detail

types: Any = numba_types

# Without its run-time (which counts references to arrays, atomically) Numba's code is three times
# as fast here. Kernels never allocate, so they do not need it.
_OPTIONS = {"nogil": True, "_nrt": False}

# What stands for a function that is an argument; nothing ever looks there.
_PLACE_OF_AN_OBJECT = re.compile(r"^(@\w+ = internal global ptr )inttoptr \(i64 \d+ to ptr\)", re.M)

_C_LIBRARY = {"sqrt"}  # what kernels may take from there: exact by IEEE 754, and in every process


def compiled(function: Callable[..., Any]) -> Any:
    """The function as a Numba dispatcher, to be called from Python."""
    return njit(**usable_options())(function)


def compiled_part(function: Callable[..., Any], **options: bool) -> Any:
    """The function as a Numba dispatcher, to be called from compiled code."""
    return _as_part(function, {**usable_options(), **options})


def _as_part(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    if "pipeline_class" not in options:
        return njit(**options)(function)
    from glnzip.jit.part_compiler import part_of_kernels

    return part_of_kernels(function, options)


@cache
def usable_options() -> dict[str, Any]:
    """The options by which this Numba makes the fastest kernels, tried out.

    Raises
    ------
    Exception
        Of any kind, if it makes none that can be called.
    """
    try:
        from glnzip.jit.unsigned_index import Compiler

        options = {**_OPTIONS, "pipeline_class": Compiler}
        _try_out(options)
    except Exception as error:
        _try_out(_OPTIONS)
        detail(f"the model runs a tenth slower: a pass of the compiler fails ({in_a_line(error)})")
        return _OPTIONS
    return options


def _try_out(options: dict[str, Any]) -> None:
    """Compile small kernels with these options, and see that what they do arrives here."""
    table, pair = np.arange(4).reshape(2, 2), (1, 0.5)
    inlined = {**options, "forceinline": True}
    part = Part(_element, lambda: _as_part(_element, inlined), lambda: _element)

    def give(table, pair):
        if pair[1] > 1:
            raise LookupError("tried out")
        return part(table, pair[0]) + 10

    def put(table, pair):
        table[0, pair[0]] = part(table, pair[0])

    def made(kernel: Callable[..., Any]) -> Callable[..., Any]:
        call = loaded(*object_file(kernel, (table, pair), options)[:2])
        return lambda *arguments: call(kinds_and_words(arguments)[1], arguments)

    given = made(give)
    results = [given(table, pair), made(put)(table, pair), *table.ravel().tolist()]
    try:
        given(table, (1, 1.5))
    except LookupError as error:
        results += error.args
    if results != [13, 0, 0, 3, 2, 3, "tried out"]:
        raise RuntimeError("Numba's compiled code is called in another way")


def _element(table, row):
    return table[row, 1]


@typeof_impl.register(Part)
def _part_as_function(part: Part, context: Any) -> Any:
    """Let compiled code call a part by its name, as if that were Numba's own object."""
    called = part.for_kernels  # which may have come to be just now, unknown to Numba's tables
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(called)


def object_file(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    options: dict[str, Any] | None = None,
) -> tuple[str, bytes, bool]:
    """A kernel compiled for arguments of these types.

    Parameters
    ----------
    function
        The kernel, in plain Python.
    arguments
        Of a call.
    options
        Of njit; the fastest that are usable if None.

    Returns
    -------
    symbol : str
        The entry's.
    code : bytes
        The object file.
    stands_alone : bool
        Whether it needs nothing of Numba's; what does cannot be loaded where Numba is not.

    Raises
    ------
    WrongResultError
        If the kernel returns anything but an int64 or nothing.
    """
    if options is None:
        options = usable_options()
    whole = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(
        _entry(function, arguments, options)
    )
    with _seldom_collecting():
        done = whole._compiler.compile((types.intp,), None)
    module, symbol = done.library._final_module, done.fndesc.llvm_func_name
    _check_entry(function, done, module)
    return symbol, done.library._get_compiled_object(), _stands_alone(module)


def assembly(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str | None:
    """A kernel as `glnzip.jit.assembly` has them; None if it does not stand alone.

    Names that Numba makes up from places in memory and counts become numbers, so that the same
    kernel is the same text.
    """
    from glnzip.jit.part_compiler import part_of_kernels

    options = usable_options()
    part = part_of_kernels(_entry(function, arguments, options), options)
    with _seldom_collecting():
        part.compile((types.intp,))
    (done,) = part.overloads.values()
    module = done.library._get_module_for_linking()
    _check_entry(function, done, module)
    if not _stands_alone(module):
        return None
    module.name = function.__name__
    entry = module.get_function(done.fndesc.llvm_func_name)
    for number, item in enumerate((*module.functions, *module.global_variables)):
        if not item.is_declaration:
            item.linkage = "internal"
            item.name = f"_{number}"
    entry.linkage = "external"
    entry.name = ENTRY
    return _PLACE_OF_AN_OBJECT.sub(r"\1null", str(module))


def _entry(
    function: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]
) -> Callable[[Any], Any]:
    """What calls a kernel with the arguments that lie at an address."""
    kernel = _as_part(function, options)
    unpacked = _reader(types.Tuple([typeof(argument) for argument in arguments]))

    def entry(address):
        return kernel(*unpacked(address))

    return entry


def _check_entry(function: Callable[..., Any], done: Any, module: Any) -> None:
    """See that an entry gives and takes what it should."""
    result = types.unliteral(done.signature.return_type)
    if result not in (types.none, types.int64):
        raise WrongResultError(f"{function.__name__} returns {result}")
    _, _, *words = module.get_function(done.fndesc.llvm_func_name).arguments
    if [str(argument.type) for argument in words] != ["i64"]:
        raise NotImplementedError("Numba's compiled code takes other arguments")


def _stands_alone(module: Any) -> bool:
    """Whether a module needs nothing of Numba's."""
    outside = [
        item.name for item in (*module.functions, *module.global_variables) if item.is_declaration
    ]
    return all(name.startswith("llvm.") or name in _C_LIBRARY for name in outside)


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Let Python look for cycles seldom: nearly all that a compiler makes lives on to its end.

    That saves a seventh of the time, for a tenth more memory.
    """
    before = gc.get_threshold()
    gc.set_threshold(200_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _reader(wanted: Any) -> Any:
    """A function for compiled code that reads a tuple of this type from words in memory."""

    @intrinsic
    def unpacked(typing_context, address):
        def codegen(context, builder, signature, arguments):
            words = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
            places = count()

            def word():
                place = ir.Constant(ir.IntType(64), next(places))
                return builder.load(builder.gep(words, [place]))

            def value(kind):
                if isinstance(kind, types.BaseTuple):
                    return context.make_tuple(builder, kind, [value(part) for part in kind])
                if isinstance(kind, types.Array):
                    return array(kind)
                bits, form = word(), context.get_value_type(kind)
                if isinstance(kind, types.Float):
                    width = ir.IntType(kind.bitwidth)
                    return builder.bitcast(narrowed(bits, width), form)
                return narrowed(bits, form)

            def narrowed(bits, form):
                return bits if form == bits.type else builder.trunc(bits, form)

            def array(kind):
                made = context.make_array(kind)(context, builder)
                size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
                populate_array(
                    made,
                    data=builder.inttoptr(word(), made.data.type),
                    shape=[word() for _ in range(kind.ndim)],
                    strides=[word() for _ in range(kind.ndim)],
                    itemsize=context.get_constant(types.intp, size),
                    meminfo=None,
                )
                return made._getvalue()

            return value(wanted)

        return wanted(types.intp), codegen

    return unpacked
