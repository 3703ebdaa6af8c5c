"""What takes one instruction of the CPU where Python needs a loop or has no word."""

from __future__ import annotations

from functools import cache
from typing import Any

from glnzip.jit import twin


def _prefetch_twin(table: Any, index: int) -> None:
    """Ask for the cache line of ``table[index]`` before it is needed; changes no value."""


def _copy_16_twin(target: Any, to: int, source: Any, at: int) -> None:
    """Copy 16 bytes from ``source[at]`` on to ``target[to]`` on; both are uint8[:]."""
    target[to : to + 16] = source[at : at + 16]


def _clear_16_twin(target: Any, at: int) -> None:
    """Make 16 bytes from ``target[at]`` on zero; uint8[:]."""
    target[at : at + 16] = 0


@cache
def _compiled_twins() -> dict[str, Any]:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    i32 = ir.IntType(32)
    byte_pointer = ir.IntType(8).as_pointer()
    sixteen = ir.VectorType(ir.IntType(8), 16)
    pointer = sixteen.as_pointer()

    def address(context, builder, signature, arguments, number):
        """Where the element is that argument `number + 1` counts, of the array before it."""
        array = context.make_array(signature.args[number])(context, builder, arguments[number])
        return builder.gep(array.data, [arguments[number + 1]])

    @intrinsic
    def prefetch(typing_context, table, index):
        def codegen(context, builder, signature, arguments):
            function = builder.module.declare_intrinsic(
                "llvm.prefetch",
                [byte_pointer],
                ir.FunctionType(ir.VoidType(), [byte_pointer, i32, i32, i32]),
            )
            place = builder.bitcast(
                address(context, builder, signature, arguments, 0), byte_pointer
            )
            to_read, keep_near, data_cache = (ir.Constant(i32, n) for n in (0, 3, 1))
            builder.call(function, [place, to_read, keep_near, data_cache])
            return context.get_dummy_value()

        return types.void(table, types.int64), codegen

    @intrinsic
    def copy_16(typing_context, target, to, source, at):
        def codegen(context, builder, signature, arguments):
            target, source = (
                builder.bitcast(address(context, builder, signature, arguments, n), pointer)
                for n in (0, 2)
            )
            builder.store(builder.load(source, align=1), target, align=1)
            return context.get_dummy_value()

        return types.void(target, types.int64, source, types.int64), codegen

    @intrinsic
    def clear_16(typing_context, target, at):
        def codegen(context, builder, signature, arguments):
            place = builder.bitcast(address(context, builder, signature, arguments, 0), pointer)
            builder.store(ir.Constant(sixteen, None), place, align=1)
            return context.get_dummy_value()

        return types.void(target, types.int64), codegen

    return {"prefetch": prefetch, "copy_16": copy_16, "clear_16": clear_16}


prefetch = twin(_prefetch_twin, lambda: _compiled_twins()["prefetch"])
copy_16 = twin(_copy_16_twin, lambda: _compiled_twins()["copy_16"])
clear_16 = twin(_clear_16_twin, lambda: _compiled_twins()["clear_16"])
