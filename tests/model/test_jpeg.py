"""The model of JPEG follows a scan exactly, gets lost without harm, and knows what comes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import BINARY, JPEG, BlockType
from glnzip.format.levels import MIN_LEVEL
from glnzip.jit import kernel
from glnzip.model.build import new_model
from glnzip.model.media import jpeg_scan
from glnzip.model.media.jpeg_build import new_jpeg_model
from tests.packed import Jpeg


@kernel
def follow(scan, buffer, data, header, places, found):
    """See all bits of `data`; what each block was comes into `found` as it ends."""
    jpeg_scan.begin_scan(scan, buffer, header, header)
    blocks = np.int64(0)
    for i in range(data.size):
        for shift in range(8):
            now = scan.now[0]
            here = now.here
            before = now.block + now.blocks * (now.column + now.columns * now.row)
            jpeg_scan.see_bit(scan, np.int64(data[i]) >> (7 - shift) & 1)
            if now.block + now.blocks * (now.column + now.columns * now.row) != before:
                for k in range(64):
                    found[blocks, k] = scan.coefficients[here + k]
                places[blocks] = here
                blocks += 1
    return blocks


def followed(picture: Jpeg, data: bytes | None = None) -> tuple[Any, Any]:
    """The state after a scan, and the coefficients of its blocks."""
    return _followed(picture.header[2 + 18 :], bytes(picture.scan) if data is None else data)


def followed_blocks(header: bytes, data: bytes) -> Any:
    """The coefficients of the blocks of a scan, behind its tables."""
    return _followed(header, data)[1]


def _followed(header: bytes, data: bytes) -> tuple[Any, Any]:
    scan = new_jpeg_model().scan
    buffer = np.zeros(1 << 10, np.uint8)
    buffer[: len(header)] = np.frombuffer(header, np.uint8)
    most = 4 * len(data)  # a block takes two bits at least
    found = np.zeros((most, 64), np.int64)
    scanned = np.frombuffer(bytearray(data), np.uint8)
    blocks = follow(scan, buffer, scanned, len(header), np.zeros(most, np.int64), found)
    return scan, found[:blocks]


@pytest.mark.parametrize("interval", [0, 1, 2, 5])
@pytest.mark.parametrize("colour", [False, True])
def test_coefficients(colour, interval):
    picture = Jpeg(7, 5, colour=colour, interval=interval, seed=interval + 1)
    scan, found = followed(picture)
    assert np.array_equal(found, picture.blocks)
    assert scan.now[0]["mode"] == jpeg_scan.LOST  # nothing is left
    assert scan.now[0]["row"] == 5


@pytest.mark.parametrize("at", [0, 40, 90, 200])
def test_what_is_no_scan(at):
    picture = Jpeg(4, 4)
    damaged = bytearray(picture.scan)
    damaged[at : at + 2] = b"\xff\x31"
    scan, found = followed(picture, bytes(damaged))
    assert scan.now[0]["mode"] == jpeg_scan.LOST
    assert len(found) < len(picture.blocks)


@pytest.mark.parametrize("marker", [0xDB, 0xC4, 0xC0, 0xDA])
def test_cut_headers(marker):
    """A table that is missing or ends early: no scan, no harm."""
    picture = Jpeg(2, 2)
    place = picture.header.index(bytes([0xFF, marker]))
    picture.header = picture.header[: place + 6]
    scan, found = followed(picture)
    assert scan.now[0]["mode"] == jpeg_scan.LOST
    assert not len(found)


def coded(blocks: list[tuple[bytes, BlockType]]) -> list[int]:
    codec = BlockCodec(new_model(MIN_LEVEL))
    sizes = []
    for data, block_type in blocks:
        payload = codec.encode(data, block_type)
        sizes.append(len(data) if payload is None else len(payload))
    return sizes


def test_it_pays():
    picture = Jpeg(12, 12)
    header = (picture.header[20:], BlockType(BINARY))
    scan = bytes(picture.scan)
    (_, as_jpeg) = coded([header, (scan, BlockType(JPEG, len(header[0])))])
    (_, as_bytes) = coded([header, (scan, BlockType(BINARY))])
    assert as_jpeg < 0.9 * as_bytes


def test_a_scan_goes_on_in_the_next_block():
    picture = Jpeg(12, 12)
    header = (picture.header[20:], BlockType(BINARY))
    scan = bytes(picture.scan)
    (_, whole) = coded([header, (scan, BlockType(JPEG, len(header[0])))])
    cut = len(scan) // 3
    first = (scan[:cut], BlockType(JPEG, len(header[0])))
    (_, *parts) = coded([header, first, (scan[cut:], BlockType(JPEG))])
    assert abs(sum(parts) - whole) <= 8


def test_hostile_scans_decode():
    chance = random.Random(5)
    picture = Jpeg(3, 3, interval=2)
    codec = BlockCodec(new_model(MIN_LEVEL))
    for _ in range(60):
        header = bytearray(picture.header[20:])
        for _ in range(chance.randrange(4)):
            header[chance.randrange(len(header))] = chance.choice(
                (0, 17, 255, chance.randrange(256))
            )
        codec.learn(bytes(header), BlockType(BINARY))
        rows = chance.choice((len(header), 0, 65_535, chance.randrange(500)))
        payload = chance.randbytes(50)
        codec.begin_decode(payload, 200, BlockType(JPEG, rows))
        decoded = b""
        while piece := codec.decode(200):
            decoded += piece
        assert len(decoded) == 200
