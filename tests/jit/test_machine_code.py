"""Compiled kernels called without Numba: every kind of argument arrives, every error comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from glnzip import jit
from glnzip.jit.machine_code import _known, kinds_and_words

pytestmark = pytest.mark.skipif(not jit.jit_is_on(), reason="nothing is compiled")

POINT = np.dtype([("x", np.int32), ("y", np.float64)])


class Inner(NamedTuple):
    weights: Any
    points: Any


class Outer(NamedTuple):
    rows: Any
    inner: Inner


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for compiled kernels."""
    monkeypatch.setenv("GLNZIP_CACHE_DIR", str(tmp_path / "kernels"))
    return tmp_path


@jit.kernel
def seen(outer, square, numbers, flag, real, answers):
    """Write what it sees of its arguments to `answers`."""
    whole, small, large, narrow = numbers
    answers[0] = outer.rows[1] + outer.rows.size
    answers[1] = outer.inner.weights[2]
    answers[2] = outer.inner.points[1].x + outer.inner.points[1].y
    answers[3] = square[0, 1] * 100 + square[1, 0] * 10 + square.shape[1]
    answers[4] = whole
    answers[5] = small
    answers[6] = large
    answers[7] = narrow
    answers[8] = 1 if flag else 0
    answers[9] = real
    outer.inner.points[0].x = -7
    return -(1 << 40)


def arguments(square: Any) -> tuple[Any, ...]:
    points: Any = np.array([(1, 2.5), (3, 4.25)], POINT).view(np.recarray)
    outer = Outer(np.arange(5, dtype=np.uint8), Inner(np.ones(3, np.float32), points))
    numbers = (-5, np.int8(-3), np.uint64((1 << 64) - (1 << 11)), np.float32(0.1))
    return outer, square, numbers, True, -1e-300, np.zeros(10)


@pytest.mark.parametrize("form", ["rows", "columns", "parts", "read only"])
def test_every_kind_of_argument(form: str) -> None:
    square: Any = np.arange(6).reshape(2, 3)
    if form == "columns":
        square = np.asfortranarray(square)
    if form == "parts":
        square = np.arange(24).reshape(4, 6)[::2, ::2]
    square.flags.writeable = form != "read only"
    ours, plain = arguments(square), arguments(square)
    kernel: Any = seen
    assert kernel(*ours) == kernel.py_func(*plain) == -(1 << 40)
    assert ours[-1].tolist() == plain[-1].tolist()
    assert ours[0].inner.points[0].x == -7
    assert kinds_and_words(ours)[0] in kernel.natives


def test_other_types_are_other_kinds() -> None:
    array = np.zeros((2, 2))
    read_only = array.copy()
    read_only.flags.writeable = False
    others = [
        array,
        read_only,
        np.zeros(2),
        np.zeros((2, 2), np.float32),
        np.zeros((2, 2), ">f8"),
        np.asfortranarray(array),
        np.zeros((4, 4))[::2, ::2],
        np.zeros((2, 2), POINT),
        np.zeros(33, np.uint8)[1:].view(np.float64).reshape(2, 2),
        (array,),
        Inner(array, array),
        Outer(array, array),  # type: ignore[arg-type]
        (array, array),
        1,
        1.0,
        True,
        np.int64(1),
        np.float32(1),
    ]
    kinds = {kinds_and_words((other,))[0] for other in others}
    assert len(kinds) == len(others)
    same = [array, np.ones((7, 5)), np.ones((1, 5)), np.ones((5, 1)), np.ones((0, 3))]
    assert len({kinds_and_words((other,))[0] for other in same}) == 1


def test_arrays_that_were_seen_before() -> None:
    rows = np.arange(5)
    first = kinds_and_words(((rows, 1),))
    assert id(rows) in _known
    assert kinds_and_words(((rows, 1),)) == first
    other = rows[1:]
    assert kinds_and_words(((other, 1),)) != first
    before = len(_known)
    del rows, other
    assert len(_known) == before - 2


def test_what_kernels_do_not_take() -> None:
    for thing in ("text", None, [1]):
        with pytest.raises(TypeError, match="kernels take numbers"):
            kinds_and_words((1, (thing,)))


def test_what_kernels_do_not_return() -> None:
    def half(number):
        return number / 2

    with pytest.raises(TypeError, match="half returns float64"):
        jit.kernel(half)(3)


def test_errors_come_back() -> None:
    def fail(number):
        if number == 1:
            raise ValueError("one", 1)
        if number == 2:
            raise KeyError
        return 7 // number

    kernel = jit.kernel(fail)
    assert kernel(3) == 2
    with pytest.raises(ValueError, match="one") as raised:
        kernel(1)
    assert raised.value.args == ("one", 1)
    with pytest.raises(KeyError):
        kernel(2)
    with pytest.raises(ZeroDivisionError):
        kernel(0)


def test_what_needs_numba_is_not_kept(folder: Path) -> None:
    """Dmc code that calls into Numba would end a process that has not imported it."""

    def draw(number):
        return number if np.random.random() < 2 else 0

    kernel = jit.kernel(draw)
    assert kernel(3) == 3
    assert not any(folder.rglob("*.kernel"))
