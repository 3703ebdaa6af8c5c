"""A64 code: where it is found, at which address, and where it is not."""

from __future__ import annotations

import random
from functools import partial

import pytest

import glnzip
from glnzip.format.block_type import A64, BINARY
from glnzip.planner.a64 import address_of_code, changes_of_code
from glnzip.planner.planner import choose_block_type
from glnzip.planner.stretches import next_stretch
from tests.fixed_data import a64_code
from tests.samples import machine_code

CODE = a64_code(60_000)
NOISE = random.Random(5).randbytes(50_000)


@pytest.mark.parametrize("start", [0, 4, 1000, 1001, 4094])
def test_pages_are_found(start: int) -> None:
    found = address_of_code(CODE[start:])
    assert found is not None
    assert found % 4 == start % 4
    assert abs(found - start + 2048) % 4096 in range(2048 - 64, 2048 + 65), "where pages begin"
    assert choose_block_type(CODE[start:]).kind == A64


def test_other_data() -> None:
    without_returns = CODE.replace(bytes.fromhex("c0035fd6"), bytes.fromhex("1f2003d5"))
    text = b"return to the start of the page, and call it again\n" * 900
    for data in (NOISE, text, machine_code(2000), bytes(40_000), without_returns, CODE[:6000]):
        assert address_of_code(data) is None
        assert changes_of_code(data) == []


@pytest.mark.parametrize("before", [0, 4096, 30_001])
def test_where_code_begins_and_ends(before: int) -> None:
    places = changes_of_code(NOISE[:before] + CODE + NOISE)
    expected = [before] * (before > 0) + [before + len(CODE)]
    assert len(places) == len(expected)
    assert all(abs(place - edge) <= 1024 for place, edge in zip(places, expected, strict=True))


def kinds_and_addresses(blocks: list) -> list[tuple[int, int]]:
    return [(block.block_type.kind, block.block_type.address) for block in blocks]


def test_a_piece_of_code_among_others_is_one_of_its_own() -> None:
    stretch = next_stretch(NOISE[:32_768] + CODE + NOISE, 1, final=True)
    assert stretch is not None
    assert [block.block_type.kind for block in stretch.blocks] == [BINARY, A64, BINARY]
    assert stretch.address is None


def test_code_goes_on_where_it_stopped() -> None:
    stretch = next_stretch(CODE, 1, final=True, address=2**28 - 1000)
    assert stretch is not None
    assert kinds_and_addresses(stretch.blocks) == [(A64, 2**28 - 1000)]
    assert stretch.address == len(CODE) - 1000
    other = next_stretch(CODE, 1, final=True, address=2)
    assert other is not None
    assert other.blocks[0].block_type.address != 2, "words would not begin there"


def test_what_a_base_has_stays_as_it_is() -> None:
    planned = partial(next_stretch, CODE, 1, final=True)
    known, other = planned(is_known=lambda part: True), planned(is_known=lambda part: False)
    assert known is not None
    assert other is not None
    assert known.blocks[0].block_type.kind == BINARY
    assert other.blocks[0].block_type.kind == A64


def test_half_of_it_is_enough() -> None:
    for share, kind in ((0.3, A64), (0.7, BINARY)):
        has = CODE[: int(share * len(CODE))]
        stretch = next_stretch(CODE, 1, final=True, is_known=has.__contains__)
        assert stretch is not None
        assert stretch.blocks[0].block_type.kind == kind


def test_it_comes_back() -> None:
    data = NOISE[:5000] + CODE + NOISE[:777]
    packed = glnzip.compress(data, level=1, prior=None)
    assert glnzip.decompress(packed) == data
    assert len(packed) < len(glnzip.compress(NOISE[:5777], level=1, prior=None)) + len(CODE) // 4
