"""Numba at work: from a kernel and the arguments of a call to an object file.

The object file has one entry, as `glnzip.jit.machine_code` calls it: Numba's code for a function of
one address, which reads the kernel's arguments from there and calls it. Only this module, and
`glnzip.jit.unsigned_index` with it, needs Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from llvmlite import ir
from numba import njit, typeof
from numba import types as numba_types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, typeof_impl
from numba.np.arrayobj import populate_array

from glnzip.jit.part import Part
from glnzip.jit.unsigned_index import Compiler

types: Any = numba_types

# Without its run-time (which counts references to arrays, atomically) Numba's code is three times
# as fast here. Kernels never allocate, so they do not need it.
_OPTIONS = {"nogil": True, "_nrt": False, "pipeline_class": Compiler}

_C_LIBRARY = {"sqrt"}  # what kernels may take from there: exact by IEEE 754, and in every process


def compiled(function: Callable[..., Any], **options: bool) -> Any:
    """The function as a Numba dispatcher."""
    return njit(**_OPTIONS, **options)(function)


@typeof_impl.register(Part)
def _part_as_function(part: Part, context: Any) -> Any:
    """Let compiled code call a part by its name, as if that were Numba's own object."""
    called = part.compiled  # which may have come to be just now, unknown to Numba's tables
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(called)


def object_file(
    function: Callable[..., Any], arguments: tuple[Any, ...]
) -> tuple[str, bytes, bool]:
    """A kernel compiled for arguments of these types.

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
    TypeError
        If the kernel returns anything but an int64 or nothing.
    """
    kernel = compiled(function)
    unpacked = _reader(types.Tuple([typeof(argument) for argument in arguments]))

    def entry(address):
        return kernel(*unpacked(address))

    whole = compiled(entry, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    done = whole._compiler.compile((types.intp,), None)
    result = types.unliteral(done.signature.return_type)
    if result not in (types.none, types.int64):
        raise TypeError(f"{function.__name__} returns {result}")
    module = done.library._final_module
    outside = [
        item.name for item in (*module.functions, *module.global_variables) if item.is_declaration
    ]
    stands_alone = all(name.startswith("llvm.") or name in _C_LIBRARY for name in outside)
    return done.fndesc.llvm_func_name, done.library._get_compiled_object(), stands_alone


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
