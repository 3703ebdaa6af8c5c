"""JPEGs of several scans as one: it tells the same coefficients, and makes the same scans again."""

from __future__ import annotations

import random

import numpy as np
import pytest

from glnzip.errors import CorruptStreamError
from glnzip.format.block_type import JPEG
from glnzip.transforms.jpeg import scans
from glnzip.transforms.jpeg.codes import STANDARD, Codes, read_codes
from glnzip.transforms.jpeg.encode import MOST_WAITING
from glnzip.transforms.jpeg.layout import Layout
from glnzip.transforms.jpeg.segments import BEHIND, read_frame
from glnzip.transforms.unpacking import unpack as unpacking
from glnzip.transforms.unpacking.repack import repack
from glnzip.transforms.unpacking.unpack import unpack
from tests.model.test_jpeg import followed_blocks
from tests.scans import IN_TURNS, PROGRESSIVE, ManyScans

MOST = 1 << 20
SIZES = [(70, 33), (16, 16), (1, 1), (129, 8)]


def joined(data: bytes) -> tuple[int, scans.Joined | None]:
    """Where the first scan begins, and all of them as one."""

    def read(at: int, count: int) -> bytes:
        assert at + count <= len(data)
        return data[at : at + count]

    def end_of(start: int) -> int:
        behind = BEHIND.search(data, start)
        assert behind
        return behind.start()

    made = scans.join_scans(read, 2, end_of, MOST)
    return next(scans.told_scans(read, 2, end_of)).start, made


def check(data: bytes) -> scans.Joined:
    start, made = joined(data)
    assert made is not None
    again = scans.separate_scans(data[2:start], made.scan, made.between, made.habits, MOST)
    assert again == data[start : made.end]
    return made


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("order", [PROGRESSIVE, IN_TURNS])
@pytest.mark.parametrize("interval", [0, 2])
def test_there_and_back(size, order, interval):
    width, height = size
    picture = ManyScans(width, height, order, interval=interval)
    made = check(picture.data)
    assert made.end == len(picture.data) - 2
    assert made.habits == (scans.WAITING_USUAL, 1, [])


def test_habits_of_encoders():
    made = check(ManyScans(150, 90, breaks=0.3, pad="0").data)
    assert made.habits.pad == 0
    assert len(made.habits.breaks) > 10


def test_many_bits_may_wait_for_a_run():
    picture = ManyScans(700, 300, [((0,), 1, 63, 0, 1), ((0,), 1, 63, 1, 0)])
    for row in picture.blocks[0]:
        for block in row:
            block[1:] = [2 if k % 9 == 0 else 0 for k in range(63)]  # nothing new in the last scan
    made = check(picture.written().data)
    assert made.habits.waiting == MOST_WAITING


def test_the_one_scan_tells_all():
    picture = ManyScans(70, 33)
    start, made = joined(picture.data)
    assert made is not None
    found = followed_blocks(picture.data[2:start], made.scan)
    expected = [
        picture.blocks[c][y * (2 - (c > 0)) + dy][x * (2 - (c > 0)) + dx]
        for y in range(3)
        for x in range(5)
        for c in range(3)
        for dy in range(2 - (c > 0))
        for dx in range(2 - (c > 0))
    ]
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("order", [PROGRESSIVE, IN_TURNS])
def test_unpacked(order):
    data = b"before" + ManyScans(90, 50, order).data + b"and behind"
    made = unpack(data, final=True)
    assert made.recipe
    assert repack(made.recipe, made.content) == data
    assert [piece.block_type.kind for piece in made.pieces if piece.block_type] == [JPEG]


def test_what_is_not_complete_waits():
    data = ManyScans(90, 50).data
    cut = data[: len(data) - 40]
    assert unpack(cut, final=False).taken == 0
    made = unpack(cut, final=True)
    assert not made.recipe
    assert made.content == cut


@pytest.mark.parametrize("seed", range(40))
def test_damaged_pictures(seed):
    chance = random.Random(seed)
    data = bytearray(ManyScans(60, 40, interval=seed % 3, breaks=0.2, seed=seed).data)
    for _ in range(chance.randrange(1, 4)):
        data[chance.randrange(2, len(data))] = chance.choice((0, 255, chance.randrange(256)))
    made = unpack(bytes(data), final=True)
    assert repack(made.recipe, made.content) == data if made.recipe else made.content == data


@pytest.mark.parametrize("seed", range(40))
def test_hostile_parts(seed):
    chance = random.Random(seed)
    picture = ManyScans(60, 40, breaks=0.2)
    start, made = joined(picture.data)
    assert made is not None
    parts = [bytearray(picture.data[2:start]), bytearray(made.scan), bytearray(made.between)]
    for _ in range(3):
        part = chance.choice(parts)
        part[chance.randrange(len(part))] = chance.choice((0, 255, chance.randrange(256)))
    try:
        head, scan, between = map(bytes, parts)
        again = scans.separate_scans(head, scan, between, made.habits, MOST)
    except CorruptStreamError:
        return
    assert len(again) <= MOST


def test_too_much_comes_out():
    start, made = joined(ManyScans(60, 40).data)
    assert made is not None
    head = ManyScans(60, 40).data[2:start]
    with pytest.raises(CorruptStreamError):
        scans.separate_scans(head, made.scan, made.between, made.habits, 300)


def test_a_picture_that_promises_much_is_left(monkeypatch):
    """A large picture of nothing takes long for its few bytes."""
    data = bytearray(ManyScans(16, 16).data)
    place = data.index(b"\xff\xc2") + 5
    data[place : place + 4] = b"\x08\0\x08\0"
    monkeypatch.delattr(scans, "decode_scan")  # it is not called
    assert joined(bytes(data))[1] is None
    assert not unpacking.unpack(bytes(data), final=True).recipe


def test_standard_codes():
    tables = read_codes(STANDARD)
    assert sorted(tables) == [0, 1, 4, 5]
    assert [len(symbols) for _, symbols in tables.values()] == [12, 12, 162, 162]
    codes = Codes(STANDARD)
    assert codes.of_symbol[0, 0] == 0b00 << 5 | 2  # T.81, table K.3
    assert codes.of_symbol[4, 0xF0] == 0b11111111001 << 5 | 11  # table K.5
    assert codes.of_symbol[5, 0x00] == 0b00 << 5 | 2  # table K.6
    for table in tables:
        for symbol in tables[table][1]:
            code, length = codes.of_symbol[table, symbol] >> 5, codes.of_symbol[table, symbol] & 31
            assert codes.found[table, code << 16 - length] == symbol << 5 | length


@pytest.mark.parametrize("size", [(17, 9), (8, 8), (65_000, 1)])
def test_layout(size):
    body = b"\x08" + size[1].to_bytes(2, "big") + size[0].to_bytes(2, "big")
    frame = read_frame(0xC0, body + b"\3\1\x22\0\2\x11\0\3\x11\0")
    assert frame is not None
    columns, rows = -(-size[0] // 16), -(-size[1] // 16)
    assert (frame.columns, frame.rows) == (columns, rows)
    assert Layout(frame).size == columns * rows * 6 * 64
