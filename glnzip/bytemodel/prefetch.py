"""Ask the CPU for a cache line before it is needed; changes the time taken, never a value."""

from __future__ import annotations

from typing import Any

from glnzip.jit import jit_is_on


def _prefetch_twin(table: Any, index: int) -> None:
    """Start loading the cache line of ``table[index]``."""


def _compiled_twin() -> Any:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def prefetch(typing_context, table, index):
        def codegen(context, builder, signature, arguments):
            array_type, _ = signature.args
            data = context.make_array(array_type)(context, builder, arguments[0]).data
            address = builder.gep(data, [arguments[1]])
            byte_pointer = ir.IntType(8).as_pointer()
            i32 = ir.IntType(32)
            function = builder.module.declare_intrinsic(
                "llvm.prefetch",
                [byte_pointer],
                ir.FunctionType(ir.VoidType(), [byte_pointer, i32, i32, i32]),
            )
            to_read, keep_near, data_cache = (ir.Constant(i32, n) for n in (0, 3, 1))
            builder.call(
                function,
                [builder.bitcast(address, byte_pointer), to_read, keep_near, data_cache],
            )
            return context.get_dummy_value()

        return types.void(table, types.int64), codegen

    return prefetch


prefetch = _compiled_twin() if jit_is_on() else _prefetch_twin
