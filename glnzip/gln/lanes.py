"""Sixteen float32 lanes: the two vector loops of a gated layer, with a fixed order of additions.

A compiler may not reorder floating-point additions, so a plain loop over a dot product runs one
addition at a time; and a compiler that was allowed to reorder them (``fastmath``) would give other
bytes on another CPU. Here the order is written out instead: lane ``j`` sums the products of the
elements ``j, j + 16, j + 32, ...`` and the sixteen lanes are then added pairwise as a tree. LLVM
maps the lanes to one AVX-512 register, two AVX, or four SSE or NEON registers; the result is the
same to the last bit on all of them, and in the NumPy twins used when the JIT is off.

All vectors have a length that is a multiple of ``LANES``; the caller pads with zeros.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.jit import jit_is_on

LANES = 16


def padded(length: int) -> int:
    """`length` rounded up to a whole number of lane groups."""
    return -(-length // LANES) * LANES


def _dot_twin(weights: Any, row: int, inputs: Any, first: int, length: int) -> Any:
    """Sum of ``weights[row + i] * inputs[first + i]`` for ``i < length``, in lane order.

    Parameters
    ----------
    weights, inputs : float32[:]
        A weight table and an input vector.
    row, first : int
        The first element used of each.
    length : int
        A multiple of ``LANES``.

    Returns
    -------
    float32
    """
    lanes: Any = np.zeros(LANES, np.float32)
    for i in range(0, int(length), LANES):
        w, x = row + i, first + i
        lanes = lanes + weights[w : w + LANES] * inputs[x : x + LANES]
    while lanes.size > 1:
        lanes = lanes[: lanes.size // 2] + lanes[lanes.size // 2 :]
    return lanes[0]


def _add_scaled_twin(
    weights: Any, row: int, inputs: Any, first: int, length: int, scale: Any, bound: Any
) -> None:
    """Add ``scale * inputs[first + i]`` to ``weights[row + i]`` and clip to ``[-bound, bound]``.

    Parameters
    ----------
    weights : float32[:]
        A weight table, changed in place.
    inputs : float32[:]
        An input vector.
    row, first : int
        The first element used of each.
    length : int
        A multiple of ``LANES``.
    scale, bound : float32
        Step size and the half-width of the hypercube the weights are projected to.
    """
    chosen = weights[row : row + length]
    chosen += np.float32(scale) * inputs[first : first + length]
    np.clip(chosen, -bound, bound, out=chosen)


def _compiled_twins() -> tuple[Any, Any]:
    """The same two functions as LLVM vector code, callable from Numba kernels."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    vector = ir.VectorType(ir.FloatType(), LANES)

    def lane_pointer(context, builder, array_type, array, index):
        data = context.make_array(array_type)(context, builder, array).data
        return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())

    def broadcast(builder, value):
        first = builder.insert_element(
            ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0)
        )
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(first, first, zeros)

    def sum_as_tree(builder, lanes):
        width = LANES
        while width > 1:
            width //= 2
            halves = [
                builder.shuffle_vector(
                    lanes,
                    lanes,
                    ir.Constant(
                        ir.VectorType(ir.IntType(32), width), list(range(first, first + width))
                    ),
                )
                for first in (0, width)
            ]
            lanes = builder.fadd(*halves)
        return builder.extract_element(lanes, ir.Constant(ir.IntType(32), 0))

    def lane_groups(builder, length):
        step = ir.Constant(length.type, LANES)
        return cgutils.for_range_slice(
            builder, ir.Constant(length.type, 0), length, step, length.type
        )

    @intrinsic
    def dot(typing_context, weights, row, inputs, first, length):
        signature = types.float32(weights, types.int64, inputs, types.int64, types.int64)

        def codegen(context, builder, signature, arguments):
            weights, row, inputs, first, length = arguments
            total = cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES))
            with lane_groups(builder, length) as (i, _):
                at, x_at = builder.add(row, i), builder.add(first, i)
                w = lane_pointer(context, builder, signature.args[0], weights, at)
                x = lane_pointer(context, builder, signature.args[2], inputs, x_at)
                product = builder.fmul(builder.load(w, align=4), builder.load(x, align=4))
                builder.store(builder.fadd(builder.load(total), product), total)
            return sum_as_tree(builder, builder.load(total))

        return signature, codegen

    @intrinsic
    def add_scaled(typing_context, weights, row, inputs, first, length, scale, bound):
        signature = types.void(
            weights,
            types.int64,
            inputs,
            types.int64,
            types.int64,
            types.float32,
            types.float32,
        )

        def codegen(context, builder, signature, arguments):
            weights, row, inputs, first, length, scale, bound = arguments
            steps = broadcast(builder, scale)
            upper = broadcast(builder, bound)
            lower = builder.fsub(ir.Constant(vector, [0.0] * LANES), upper)
            with lane_groups(builder, length) as (i, _):
                at, x_at = builder.add(row, i), builder.add(first, i)
                w = lane_pointer(context, builder, signature.args[0], weights, at)
                x = lane_pointer(context, builder, signature.args[2], inputs, x_at)
                moved = builder.fadd(
                    builder.load(w, align=4), builder.fmul(steps, builder.load(x, align=4))
                )
                moved = builder.select(builder.fcmp_ordered("<", moved, upper), moved, upper)
                moved = builder.select(builder.fcmp_ordered(">", moved, lower), moved, lower)
                builder.store(moved, w, align=4)
            return context.get_dummy_value()

        return signature, codegen

    return dot, add_scaled


dot, add_scaled = _compiled_twins() if jit_is_on() else (_dot_twin, _add_scaled_twin)
