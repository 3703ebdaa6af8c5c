"""Records whose length is told: where they are found, and where they are not."""

from __future__ import annotations

import random

import numpy as np

from glnzip.format.block_type import BINARY, RECORDS, BlockType
from glnzip.planner.planner import choose_block_type
from glnzip.planner.records import or_records
from tests.fixed_data import slices
from tests.samples import machine_code


def found(data: bytes, row: int) -> BlockType:
    return or_records(np.frombuffer(data, np.uint8), BlockType(BINARY, row))


def test_slices_of_rows() -> None:
    table = slices(12, 100, 24)
    assert found(table, 24) == BlockType(RECORDS, 24, 2400)
    assert choose_block_type(table).kind == RECORDS


def test_a_row_that_is_none_gives_way() -> None:
    assert found(slices(12, 100, 24), 4)[:3] == (RECORDS, 24, 2400)


def test_other_data() -> None:
    chance = random.Random(3)
    changes = bytes(chance.choice((1, 1, 2, 9)) for _ in range(20_000))
    rows = b"".join(bytes([0, row % 256, 7]) + chance.randbytes(5) for row in range(4000))
    for data in (changes, rows, chance.randbytes(20_000), machine_code(300), bytes(9000)):
        assert found(data, 8) == BlockType(BINARY, 8)
    for length in (0, 1, 15, 16, 17, 200, 511):
        assert found(slices(2, 8, 32)[:length], 8) == BlockType(BINARY, 8)
