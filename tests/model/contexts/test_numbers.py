"""Features of numbers against a transcription in NumPy, which takes numbers from an array."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.format.block_type import FLOATS, NUMBER_FORMS, NUMBERS, SAMPLE_FORMS, BlockType
from glnzip.jit import kernel
from glnzip.model.contexts import numbers as n
from glnzip.model.contexts.history import add_byte, begin_history
from tests.model.memory.histories import new_recent
from tests.samples import waves

PREDICTIONS = range(n.NEXT_LAST, n.SPREAD_LAST)
BIG = [form for form in NUMBER_FORMS if not SAMPLE_FORMS[form][2]]


@kernel
def follow_numbers(data, recent, block_type, seen, expected):
    """Show a block byte by byte; keep features and predictions before each."""
    begin_history(recent.now[0], block_type)
    n.begin_numbers(recent)
    for i in range(data.size):
        for k in range(seen.shape[1]):
            seen[i, k] = recent.features[n.NEXT_LAST + k]
        for p in range(expected.shape[1]):
            expected[i, p] = recent.numbers[0].expected[p]
        recent.now[0].partial = 256 | np.int64(data[i])
        n.see_number(recent, add_byte(recent.now[0], recent.buffer))


def follow(data: bytes, block_type: BlockType, recent: Any = None) -> tuple[Any, Any]:
    seen = np.zeros((len(data), n.END - n.NEXT_LAST), np.int64)
    expected = np.zeros((len(data), len(PREDICTIONS)), np.int64)
    array = np.frombuffer(bytearray(data), np.uint8)
    follow_numbers(array, recent or new_recent(level=1), block_type, seen, expected)
    return seen, expected


def array_of(data: bytes, form: int) -> Any:
    width = SAMPLE_FORMS[form][0]
    return np.frombuffer(data, f">{'f' if form in FLOATS else 'i'}{width}")


def as_whole(values: Any, form: int) -> Any:
    """The numbers as they are written."""
    width = SAMPLE_FORMS[form][0]
    kind = "f" if form in FLOATS else "i"
    return values.astype(f">{kind}{width}").view(f">i{width}").astype(np.int64)


@pytest.mark.parametrize("form", BIG)
def test_simple_predictions(form: int) -> None:
    """As the last one, on lines, as the plane has it: from the third row on."""
    width = SAMPLE_FORMS[form][0]
    step, row = 2, 10
    data = waves(60, form, step)
    _, expected = follow(data, BlockType(NUMBERS, row * width, step * width, form))
    x = array_of(data, form).astype(np.float64)
    for i in range(2 * row + step, x.size):
        wanted = np.array(
            [
                x[i - step],
                2 * x[i - step] - x[i - 2 * step],
                x[i - row],
                2 * x[i - row] - x[i - 2 * row],
                x[i - step] + x[i - row] - x[i - row - step],
            ]
        )
        assert (expected[i * width, :5] == as_whole(wanted, form)).all()


def test_least_squares_find_a_recurrence() -> None:
    """A sum of two sines obeys a linear rule: it is predicted far better than by a line."""
    t = np.arange(500)
    x = (40 * np.sin(t / 5) + 9 * np.sin(t / 2.2)).astype(">f4")
    _, expected = follow(x.tobytes(), BlockType(NUMBERS, 0, 4, 13))
    quick = expected[::4, 6].astype(np.int32).view(np.float32)
    line = expected[::4, 1].astype(np.int32).view(np.float32)
    late = slice(300, None)
    assert 10 * np.abs(quick - x)[late].mean() < np.abs(line - x)[late].mean()


@pytest.mark.parametrize("form", BIG)
@pytest.mark.parametrize("phase", [0, 3])
def test_what_is_shown_of_a_prediction(form: int, phase: int) -> None:
    width = SAMPLE_FORMS[form][0]
    chance = random.Random(form)
    data = bytes(phase) + waves(40, form) + chance.randbytes(5 * width)
    seen, expected = follow(data, BlockType(NUMBERS, 0, width, form, phase))
    for i in range(len(data)):
        known = max(i - phase, 0) % width
        place = int(seen[i, n.NUMBER_PLACE - n.NEXT_LAST])
        assert place == known << 4
        so_far = int.from_bytes(data[i - known : i], "big", signed=known > 0)
        for p in PREDICTIONS:
            bits = int(expected[i, p - n.NEXT_LAST]).to_bytes(8, "big", signed=True)[-width:]
            head = int.from_bytes(bits[:known], "big", signed=known > 0)
            off = min(max(so_far - head, -2), 2)
            relation = 5 * known + 2 + off
            assert seen[i, p - n.NEXT_LAST] == relation << 8 | bits[known]
            near = int(seen[i, p - n.NEXT_LAST + len(PREDICTIONS) * 2])
            assert near >> 4 == relation
            assert near < n.NEARNESSES


def test_sizes_of_errors_are_told_in_units_of_the_byte() -> None:
    """An error of 20 bits is one of 12 in units of 256, and -4 of those above."""
    numbers = np.array([0, 0, 0, 0, 1 << 19, 1 << 19], ">i4")
    seen, _ = follow(numbers.tobytes() + bytes(4), BlockType(NUMBERS, 0, 4, 9))
    spread = seen[20:24, n.SPREAD_LAST - n.NEXT_LAST]
    assert spread.tolist() == [0, 20 - 16 + 3, 20 - 8 + 3, 15]


@given(
    st.lists(st.floats(width=32), min_size=1, max_size=30),
    st.sampled_from([13, 15]),
    st.integers(1, 3),
)
def test_any_floats_leave_sums_finite(values: list[float], form: int, step: int) -> None:
    """What is no number, or very large, means 0; no prediction is infinite."""
    width = SAMPLE_FORMS[form][0]
    with np.errstate(invalid="ignore"):
        data = np.array(values * 3, f">f{width}").tobytes()
    recent = new_recent(level=1)
    follow(data, BlockType(NUMBERS, 0, step * width, form), recent)
    assert np.isfinite(recent.squares.weights).all()
    assert np.isfinite(recent.squares.moments).all()
    assert np.isfinite(recent.numbers["scale"]).all()
