"""Sixteen float32 lanes: the vector loops of a gated layer, with a fixed order of additions.

A compiler may not reorder floating-point additions, so a plain loop over a dot product runs one
addition at a time; and a compiler that was allowed to reorder them (``fastmath``) would give other
bytes on another CPU. Here the order is written out instead: lane ``j`` sums the products of the
elements ``j, j + 16, j + 32, ...`` and the sixteen lanes are then added pairwise as a tree. LLVM
maps the lanes to one AVX-512 register, two AVX, or four SSE or NEON registers; the result is the
same to the last bit on all of them, and in the NumPy twins used when the JIT is off.

All vectors have a length that is a multiple of ``LANES``; the caller pads with zeros. Only the rows
of a layer may have ``FEW_LANES`` instead: the sum comes sooner, and what it leaves out is zeros.

The rows of a layer, `dot_rows` and `add_to_rows`, are worked on `_SIDE_BY_SIDE` at a time: their
inputs are the same, and while one row waits for an addition another one adds. Each row's own
additions keep their order.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from glnzip.jit import twin

LANES = 16
FEW_LANES = 4
_SIDE_BY_SIDE = 4


def padded(length: int) -> int:
    """`length` rounded up to whole groups of lanes, or to `FEW_LANES` if so many are enough."""
    return FEW_LANES if length <= FEW_LANES else whole_groups(length)


def whole_groups(length: int) -> int:
    """`length` rounded up to a multiple of `LANES`."""
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
    return _tree_sum(lanes)


def _tree_sum(lanes: Any) -> Any:
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


def _dot_rows_twin(
    weights: Any,
    rows: Any,
    first_row: int,
    count: int,
    inputs: Any,
    first: int,
    length: int,
    output: int,
    bound: Any,
) -> None:
    """The clipped dot products of `count` rows with the same inputs, written beside these.

    Parameters
    ----------
    weights, inputs : float32[:]
        A weight table and an input vector; ``inputs[output + k]`` receives the product of row
        ``k``.
    rows : int64[:]
        The rows begin at the elements ``rows[first_row + k]`` of `weights`, for ``k < count``.
    first, length : int
        The part of `inputs` that is used; `length` is `padded`.
    output : int
        Where the products go, outside that part.
    bound : float32
        The half-width of the interval that products are clipped to.
    """
    for k in range(count):
        row = rows[first_row + k]
        if length == FEW_LANES:
            product = _tree_sum(weights[row : row + FEW_LANES] * inputs[first : first + FEW_LANES])
        else:
            product = _dot_twin(weights, row, inputs, first, length)
        inputs[output + k] = max(min(product, bound), -bound)


def _add_to_rows_twin(
    weights: Any,
    rows: Any,
    first_row: int,
    count: int,
    inputs: Any,
    first: int,
    length: int,
    scales: Any,
    bound: Any,
) -> None:
    """Add ``scales[first_row + k]`` times the inputs to row ``k`` and clip it, for ``k < count``.

    Parameters
    ----------
    weights, rows, first_row, count, inputs, first, length
        As those of `dot_rows`; no two of the rows overlap.
    scales : float32[:]
        Step sizes, beside `rows`.
    bound : float32
        The half-width of the hypercube the weights are projected to; infinite for none.
    """
    for k in range(first_row, first_row + count):
        _add_scaled_twin(weights, rows[k], inputs, first, length, scales[k], bound)


@cache
def _compiled_twins() -> dict[str, Any]:
    """The same four functions as LLVM vector code, callable from Numba kernels."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    i32, i64 = ir.IntType(32), ir.IntType(64)

    def vector_of(width):
        return ir.VectorType(ir.FloatType(), width)

    def zeros(width):
        return ir.Constant(vector_of(width), [0.0] * width)

    def data_of(context, builder, signature, arguments, number):
        array = context.make_array(signature.args[number])(context, builder, arguments[number])
        return array.data

    def elements(builder, data, first, numbers):
        return [builder.load(builder.gep(data, [builder.add(first, k)])) for k in numbers]

    def lane_pointer(builder, data, index, width=LANES):
        return builder.bitcast(builder.gep(data, [index]), vector_of(width).as_pointer())

    def broadcast(builder, value, width):
        lane = builder.insert_element(ir.Constant(vector_of(width), ir.Undefined), value, i32(0))
        first_lanes = ir.Constant(ir.VectorType(i32, width), [0] * width)
        return builder.shuffle_vector(lane, lane, first_lanes)

    def sum_as_tree(builder, lanes):
        width = lanes.type.count
        while width > 1:
            width //= 2
            halves = [
                builder.shuffle_vector(
                    lanes,
                    lanes,
                    ir.Constant(ir.VectorType(i32, width), list(range(first, first + width))),
                )
                for first in (0, width)
            ]
            lanes = builder.fadd(*halves)
        return builder.extract_element(lanes, i32(0))

    def clipped(builder, value, bound):
        """`bound` is a number or a vector; so is `value`."""
        least = builder.fneg(bound)
        value = builder.select(builder.fcmp_ordered("<", value, bound), value, bound)
        return builder.select(builder.fcmp_ordered(">", value, least), value, least)

    def lane_groups(builder, length):
        return cgutils.for_range_slice(builder, i64(0), length, i64(LANES), i64)

    def dots(builder, w_data, rows, x_data, first, length):
        totals = [cgutils.alloca_once_value(builder, zeros(LANES)) for _ in rows]
        with lane_groups(builder, length) as (i, _):
            x = builder.load(lane_pointer(builder, x_data, builder.add(first, i)), align=4)
            for total, row in zip(totals, rows, strict=True):
                w = builder.load(lane_pointer(builder, w_data, builder.add(row, i)), align=4)
                builder.store(builder.fadd(builder.load(total), builder.fmul(w, x)), total)
        return [sum_as_tree(builder, builder.load(total)) for total in totals]

    def dot_of_few(builder, w_data, row, x_data, first):
        # The inputs were written one by one a moment ago: a CPU that reads them at once waits.
        x = ir.Constant(vector_of(FEW_LANES), ir.Undefined)
        numbers = [i64(lane) for lane in range(FEW_LANES)]
        for lane, value in enumerate(elements(builder, x_data, first, numbers)):
            x = builder.insert_element(x, value, i32(lane))
        w = builder.load(lane_pointer(builder, w_data, row, FEW_LANES), align=4)
        return sum_as_tree(builder, builder.fmul(w, x))

    def add(builder, w_data, rows, x_data, first, i, steps, bound, width=LANES):
        """Add to one group of lanes of all rows; `bound` is None where there is none."""
        steps = [broadcast(builder, step, width) for step in steps]
        x = builder.load(lane_pointer(builder, x_data, builder.add(first, i), width), align=4)
        for row, step in zip(rows, steps, strict=True):
            w = lane_pointer(builder, w_data, builder.add(row, i), width)
            moved = builder.fadd(builder.load(w, align=4), builder.fmul(step, x))
            if bound is not None:
                moved = clipped(builder, moved, broadcast(builder, bound, width))
            builder.store(moved, w, align=4)

    def add_groups(builder, w_data, rows, x_data, first, length, steps, bound):
        with lane_groups(builder, length) as (i, _):
            add(builder, w_data, rows, x_data, first, i, steps, bound)

    def side_by_side(builder, count, do):
        """Let `do` work on the numbers below `count`, several at a time and then the rest."""
        whole = builder.and_(count, i64(-_SIDE_BY_SIDE))
        with cgutils.for_range_slice(builder, i64(0), whole, i64(_SIDE_BY_SIDE), i64) as (k, _):
            do([builder.add(k, i64(j)) for j in range(_SIDE_BY_SIDE)])
        with cgutils.for_range_slice(builder, whole, count, i64(1), i64) as (k, _):
            do([k])

    @intrinsic
    def dot(typing_context, weights, row, inputs, first, length):
        signature = types.float32(weights, types.int64, inputs, types.int64, types.int64)

        def codegen(context, builder, signature, arguments):
            w, x = (data_of(context, builder, signature, arguments, n) for n in (0, 2))
            _, row, _, first, length = arguments
            return dots(builder, w, [row], x, first, length)[0]

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
            w, x = (data_of(context, builder, signature, arguments, n) for n in (0, 2))
            _, row, _, first, length, scale, bound = arguments
            add_groups(builder, w, [row], x, first, length, [scale], bound)
            return context.get_dummy_value()

        return signature, codegen

    @intrinsic
    def dot_rows(
        typing_context, weights, rows, first_row, count, inputs, first, length, output, bound
    ):
        signature = types.void(
            weights,
            rows,
            types.int64,
            types.int64,
            inputs,
            types.int64,
            types.int64,
            types.int64,
            types.float32,
        )

        def codegen(context, builder, signature, arguments):
            w, r, x = (data_of(context, builder, signature, arguments, n) for n in (0, 1, 4))
            _, _, first_row, count, _, first, length, output, bound = arguments

            def put(k, product):
                builder.store(
                    clipped(builder, product, bound), builder.gep(x, [builder.add(output, k)])
                )

            def do(numbers):
                chosen = elements(builder, r, first_row, numbers)
                products = dots(builder, w, chosen, x, first, length)
                for k, product in zip(numbers, products, strict=True):
                    put(k, product)

            with builder.if_else(builder.icmp_signed("==", length, i64(FEW_LANES))) as (few, many):
                with few, cgutils.for_range(builder, count, intp=i64) as loop:
                    (row,) = elements(builder, r, first_row, [loop.index])
                    put(loop.index, dot_of_few(builder, w, row, x, first))
                with many:
                    side_by_side(builder, count, do)
            return context.get_dummy_value()

        return signature, codegen

    @intrinsic
    def add_to_rows(
        typing_context, weights, rows, first_row, count, inputs, first, length, scales, bound
    ):
        signature = types.void(
            weights,
            rows,
            types.int64,
            types.int64,
            inputs,
            types.int64,
            types.int64,
            scales,
            types.float32,
        )

        def codegen(context, builder, signature, arguments):
            w, r, x, s = (data_of(context, builder, signature, arguments, n) for n in (0, 1, 4, 7))
            _, _, first_row, count, _, first, length, _, bound = arguments

            def do(numbers, bound):
                chosen = elements(builder, r, first_row, numbers)
                steps = elements(builder, s, first_row, numbers)
                add_groups(builder, w, chosen, x, first, length, steps, bound)

            def do_few(bound):
                with cgutils.for_range(builder, count, intp=i64) as loop:
                    (row,) = elements(builder, r, first_row, [loop.index])
                    steps = elements(builder, s, first_row, [loop.index])
                    add(builder, w, [row], x, first, i64(0), steps, bound, FEW_LANES)

            def do_all(bound):
                few_lanes = builder.icmp_signed("==", length, i64(FEW_LANES))
                with builder.if_else(few_lanes) as (few, many):
                    with few:
                        do_few(bound)
                    with many:
                        side_by_side(builder, count, lambda numbers: do(numbers, bound))

            infinite = ir.Constant(ir.FloatType(), float("inf"))
            with builder.if_else(builder.fcmp_ordered("<", bound, infinite)) as (then, otherwise):
                with then:
                    do_all(bound)
                with otherwise:
                    do_all(None)
            return context.get_dummy_value()

        return signature, codegen

    return {"dot": dot, "add_scaled": add_scaled, "dot_rows": dot_rows, "add_to_rows": add_to_rows}


dot = twin(_dot_twin, lambda: _compiled_twins()["dot"])
add_scaled = twin(_add_scaled_twin, lambda: _compiled_twins()["add_scaled"])
dot_rows = twin(_dot_rows_twin, lambda: _compiled_twins()["dot_rows"])
add_to_rows = twin(_add_to_rows_twin, lambda: _compiled_twins()["add_to_rows"])
