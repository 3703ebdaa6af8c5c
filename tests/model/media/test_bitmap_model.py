"""The pixel view against a direct look at the picture."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from glnzip.format.block_type import BITMAP, TEXT, BlockType
from glnzip.format.levels import MIN_LEVEL
from glnzip.model.build import new_model
from glnzip.model.media import bitmap_model
from glnzip.model.state import ByteParts
from glnzip.model.table.bitmap import CONTEXTS, GATES
from tests.model.model_parts import for_bytes
from tests.steps import OF_BYTES

begin_block, predict_bit, update_bit = OF_BYTES

WINDOW = range(-15, 16)  # columns that a context may look at, the present one being 0


def offsets(pattern: str) -> list[tuple[int, int]]:
    """The pixels of a drawing, as (rows up, columns to the right) of the next one: bottom up."""
    lines = pattern.strip("\n").splitlines()
    here = lines[-1].index("?")
    marks = [
        (up, column - here)
        for up, line in enumerate(reversed(lines))
        for column, mark in enumerate(line)
        if mark == "x"
    ]
    return marks


def pixel(picture: bytes, row_bytes: int, place: int, up: int, right: int) -> int:
    """A pixel near the one at bit `place`: white outside of what is known."""
    at = place - 8 * row_bytes * up + right
    known = range(place // 8 * 8) if up else range(place)
    return picture[at // 8] >> (7 - at % 8) & 1 if at in known else 0


def walk(model: ByteParts, picture: bytes, row_bytes: int):
    """Code a picture, and yield the place of each pixel before it is learned."""
    begin_block(model, BlockType(BITMAP, row_bytes))
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
    """Same pixels, same slot and check; other pixels, others."""
    now = model()
    picture = random.Random(row_bytes).randbytes(120)
    found: list[dict[tuple[int, ...], tuple[int, int]]] = [{} for _ in CONTEXTS]
    for place in walk(now, picture, row_bytes):
        for seen, drawn, used in zip(found, CONTEXTS, now.bitmap.used, strict=True):
            marks = offsets(drawn.pattern)
            key = tuple(pixel(picture, row_bytes, place, *mark) for mark in marks)
            where = int(used.slot), int(used.check)
            assert seen.setdefault(key, where) == where
    for seen in found:
        assert len(set(seen.values())) >= 0.99 * len(seen)


@pytest.mark.parametrize("row_bytes", [1, 3, 8])
def test_a_gate_is_the_pixels_drawn_for_it(row_bytes, model):
    """And, if it says so, half the number of contexts that were seen before."""
    now = model()
    picture = random.Random(row_bytes).randbytes(100)
    network = now.bitmap.network
    for place in walk(now, picture, row_bytes):
        known = sum(int(used.map_index >= 0) for used in now.bitmap.used)
        for gate, context in zip(GATES, network.contexts, strict=False):
            value = 0
            for mark in offsets(gate.pattern):
                value = value << 1 | pixel(picture, row_bytes, place, *mark)
            assert context == (value << 4 | min(known // 2, 15) if gate.order_hits else value)


def test_another_pattern_in_the_same_slot_has_no_opinion(model):
    now = model()
    picture = bytes(range(64))
    inputs = now.bitmap.network.signals
    contexts = len(CONTEXTS)
    for place in walk(now, picture, 4):
        if place == 300:
            assert (now.bitmap.used.map_index >= 0).any()
            now.bitmap.slots[:] ^= 1 << 40  # the lowest bit of the check
            predict_bit(now)
            assert (now.bitmap.used.map_index == -1).all()
            assert not inputs[: 3 * contexts].any()


def test_a_picture_is_predicted(model):
    """A slanted stripe on white costs next to nothing after a few rows."""
    row_bytes, rows = 6, 40
    picture = b"".join((0xFFF << 30 >> row).to_bytes(8, "big")[-row_bytes:] for row in range(rows))
    now = model()
    begin_block(now, BlockType(BITMAP, row_bytes))
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
    begin_block(now, BlockType(TEXT))
    for place in range(64):
        predict_bit(now)
        update_bit(now, place & 1)
    for place in walk(now, picture, 3):
        if place % 8 == 0:
            rows = [int(row) for row in now.bitmap.rows[1:]]
            above = place // 8
            for up, row in enumerate(rows, 1):
                wanted = range(above - 3 * up - 2, above - 3 * up + 3)
                known = [picture[at] if at in range(above) else 0 for at in wanted]
                assert row == int.from_bytes(known, "big")
    assert now.recent.now[0].position == 8 + 30
    assert bytes(now.recent.buffer[8:38]) == picture


def test_windows_hold_what_the_drawings_need():
    for drawn in (*CONTEXTS, *GATES):
        for up, right in offsets(drawn.pattern):
            assert up < bitmap_model.ROWS
            assert right in WINDOW if up else right in range(-31, 0)


def test_gates_take_adjacent_pixels_of_few_rows():
    for gate in GATES:
        for up in range(bitmap_model.ROWS):
            columns = [right for above, right in offsets(gate.pattern) if above == up]
            assert not columns or columns == [*range(columns[0], columns[-1] + 1)]
            assert up < bitmap_model.GATE_ROWS or not columns
