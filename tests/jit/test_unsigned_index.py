"""Indices without their sign: the same elements, and no code that asks for the sign."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glnzip import jit

pytestmark = pytest.mark.skipif(not jit.jit_is_on(), reason="nothing is compiled")

POINT = np.dtype([("x", np.int32), ("tail", np.int64, (3,))])


@jit.inline
def element(array, index):
    """One element."""
    return array[index]


@jit.inline
def play(line, square, points, i, j):
    """Every kind of access that kernels have; `i` and `j` are 1 and 2."""
    line[i] = line[j] + 1
    line[j] += 10
    square[i, j] = square[j, i] + square[i][j]
    square[i, 0] = square[j, 1]
    points[i].x = points[j].x + points[i].tail[j]
    points[i].tail[j] = line[-1] + line[np.uint8(i)]


def test_the_same_elements() -> None:
    line, square = np.arange(4), np.arange(9).reshape(3, 3)
    points: Any = np.zeros(3, POINT)
    points["x"], points["tail"] = [5, 6, 7], np.arange(9).reshape(3, 3)
    compiled, plain = (line, square, points), (line.copy(), square.copy(), points.copy())
    play(*compiled, 1, 2)
    play.py_func(*plain[:2], plain[2].view(np.recarray), 1, 2)  # type: ignore[attr-defined]
    for ours, theirs in zip(compiled, plain, strict=True):
        assert np.array_equal(ours, theirs)
    assert line.tolist() == [0, 3, 12, 3]


@pytest.mark.skipif(jit.indices_are_checked(), reason="what checks an index asks for its sign")
def test_no_sign_is_asked_for() -> None:
    import numba

    array = np.zeros(3, np.int64)
    code = []
    ours: Any = element
    for compiled in (ours.compiled, numba.njit(ours.py_func)):
        assert compiled(array, 1) == 0
        (text,) = compiled.inspect_llvm().values()
        code.append(any(word in text for word in ("ashr", "icmp slt", "lshr i64 %arg.index")))
    assert code == [False, True], "Numba itself asks, glnzip's kernels do not"
