"""The pixel view against a direct look at the picture."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from glnzip.bytemodel import pixel_view
from glnzip.bytemodel.build import new_model
from glnzip.bytemodel.lineup import PIXEL_CONTEXTS, PIXEL_GATES
from glnzip.bytemodel.state import ByteModel
from glnzip.bytemodel.step import begin_block, predict_bit, update_bit
from glnzip.levels import MIN_LEVEL
from glnzip.plan import BYTES, PIXELS, BlockPlan
from tests.bytemodel.model_parts import for_bytes

WINDOW = range(-15, 16)  # columns that a context may look at, the present one being 0


def offsets(pattern: str) -> list[tuple[int, int]]:
    """The pixels of a drawing, as (rows up, columns to the right) of the next pixel."""
    lines = pattern.strip("\n").splitlines()
    here = lines[-1].index("?")
    marks = [
        (up, column - here)
        for up, line in enumerate(reversed(lines))
        for column, mark in enumerate(line)
        if mark == "x"
    ]
    assert marks
    return marks


def pixel(picture: bytes, row_bytes: int, place: int, up: int, right: int) -> int:
    """A pixel near the one at bit `place`: white outside of what is known."""
    at = place - 8 * row_bytes * up + right
    known = range(place // 8 * 8) if up else range(place)
    return picture[at // 8] >> (7 - at % 8) & 1 if at in known else 0


def walk(model: ByteModel, picture: bytes, row_bytes: int):
    """Code a picture, and yield the place of each pixel before it is learned."""
    begin_block(model, BlockPlan(PIXELS, row_bytes))
    for place in range(8 * len(picture)):
        predict_bit(model)
        yield place
        update_bit(model, picture[place // 8] >> (7 - place % 8) & 1)


@pytest.fixture(scope="module")
def model() -> Any:
    """Call to get a new model."""
    return lambda: for_bytes(new_model(MIN_LEVEL))


@pytest.mark.parametrize("row_bytes", [1, 2, 3, 5, 8])
def test_a_context_is_the_pixels_drawn_for_it(row_bytes, model):
    """Same pixels, same entry of the table; other pixels, another entry."""
    now = model()
    picture = random.Random(row_bytes).randbytes(120)
    for context, drawn in enumerate(PIXEL_CONTEXTS):
        assert all(right in range(-31, 16) for _, right in offsets(drawn.pattern)), context
    entries: list[dict[tuple[int, ...], int]] = [{} for _ in PIXEL_CONTEXTS]
    for place in walk(now, picture, row_bytes):
        for seen, drawn, entry in zip(entries, PIXEL_CONTEXTS, now.as_pixels.used, strict=True):
            marks = offsets(drawn.pattern)
            key = tuple(pixel(picture, row_bytes, place, *mark) for mark in marks)
            assert seen.setdefault(key, int(entry)) == entry
    for seen in entries:
        assert len(set(seen.values())) >= 0.99 * len(seen)


@pytest.mark.parametrize("row_bytes", [1, 3, 8])
def test_a_gate_is_a_number_of_adjacent_pixels(row_bytes, model):
    now = model()
    picture = random.Random(row_bytes).randbytes(100)
    network = now.as_pixels.network
    for place in walk(now, picture, row_bytes):
        for gate, context in zip(PIXEL_GATES, network.contexts, strict=False):
            marks = [(0, -n) for n in range(gate.before, 0, -1)]
            marks += [(1, n) for n in around(gate.above)] + [(2, n) for n in around(gate.twice)]
            value = 0
            for mark in marks:
                value = value << 1 | pixel(picture, row_bytes, place, *mark)
            assert context == value, gate.name


def around(count: int) -> range:
    """`count` columns centred on the present one."""
    return range(count // 2 + 1 - count, count // 2 + 1)


def test_a_picture_is_predicted(model):
    """A slanted stripe on white costs next to nothing after a few rows."""
    row_bytes, rows = 6, 40
    picture = b"".join((0xFFF << 30 >> row).to_bytes(8, "big")[-row_bytes:] for row in range(rows))
    now = model()
    begin_block(now, BlockPlan(PIXELS, row_bytes))
    cost = []
    for place in range(8 * len(picture)):
        p_one = int(predict_bit(now)) / 65536
        bit = picture[place // 8] >> (7 - place % 8) & 1
        cost.append(-np.log2(p_one if bit else 1 - p_one))
        update_bit(now, bit)
    assert sum(cost[len(cost) // 2 :]) < 0.06 * len(cost) / 2


def test_bytes_and_pixels_may_take_turns(model):
    """A block of pixels begins on white, whatever came before, and leaves bytes a history."""
    now = model()
    picture = random.Random(9).randbytes(30)
    begin_block(now, BlockPlan(BYTES, 0))
    for place in range(64):
        predict_bit(now)
        update_bit(now, place & 1)
    for place in walk(now, picture, 3):
        if place % 8 == 0:
            rows = [int(row) for row in now.as_pixels.rows[1:]]
            above = place // 8
            for up, row in enumerate(rows, 1):
                wanted = range(above - 3 * up - 2, above - 3 * up + 3)
                known = [picture[at] if at in range(above) else 0 for at in wanted]
                assert row == int.from_bytes(known, "big")
    assert now.recent.now[0].position == 8 + 30
    assert bytes(now.recent.ring[8:38]) == picture


def test_windows_hold_what_the_drawings_need():
    assert pixel_view.ROWS > max(up for c in PIXEL_CONTEXTS for up, _ in offsets(c.pattern))
    for drawn in PIXEL_CONTEXTS:
        for up, right in offsets(drawn.pattern):
            assert right in WINDOW if up else right < 0
