"""Deflate undone and done again: the very same bytes, those of zlib without zlib, never a crash."""

from __future__ import annotations

import hashlib
import random
import zlib
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.errors import CorruptStreamError
from glnzip.transforms.deflate.bits import padded
from glnzip.transforms.deflate.corrections import CORRECTION_COLUMNS
from glnzip.transforms.deflate.recipe import Recipe, Settings, describe, rebuild
from glnzip.transforms.deflate.recipe_bytes import read_recipe, write_recipe
from glnzip.transforms.deflate.stream import (
    BLOCK_COLUMNS,
    DATA_END,
    DYNAMIC,
    FIXED,
    KIND,
    STORED,
    TOKENS_END,
    TooLongError,
    UnfinishedError,
    read_stream,
)
from glnzip.transforms.deflate.zlib_parse import LONG_PATH, SHORT_PATH

RECORDED = {
    (1, 0, 8, 15): ("01f80101020000", "8a5e9199919d1c61"),
    (2, 0, 8, 15): ("02f80101020000", "629afd1b0c33e382"),
    (3, 0, 8, 15): ("03f80101020000", "13de8f77f5abda15"),
    (4, 0, 8, 15): ("04f80101020000", "59c4dd87e8a328b5"),
    (5, 0, 8, 15): ("05f80101020000", "0dd42441fc56e5da"),
    (6, 0, 8, 15): ("06f80101020000", "0cfde50fa838ea6c"),
    (7, 0, 8, 15): ("07f80101020000", "0765ab849b515859"),
    (8, 0, 8, 15): ("09f80101020000", "d9af6c20975f3716"),
    (9, 0, 8, 15): ("09f80101020000", "d9af6c20975f3716"),
    (6, 0, 9, 15): ("06f90101020000", "4d2d3e6e91ac4d20"),
    (6, 0, 1, 15): ("06f1010c1111111111111111111111010000", "e2fbcaf16b101a0e"),
    (9, 0, 3, 12): ("09c30104121112010000", "04265961a72ef04f"),
    (5, 0, 8, 9): ("06980101020000", "4d942e5939b7eb30"),
    (6, 1, 8, 15): ("16f80101020000", "dc5c94203f9f8255"),
    (6, 2, 8, 15): ("26f80101020000", "98210add32f25dd0"),
    (6, 3, 8, 15): ("36f80101020000", "3c009da3518ed342"),
    (6, 4, 8, 15): ("06f80101010000", "f6486aa52be14334"),
    (0, 0, 8, 15): ("06f801010000e05d0000", "1a97d12fa5a7173a"),
}
CHEAPEST = {"46f80101010000": "383c121cbaf76865", "56f80101010000": "081cdd9cc6ea153c"}
"""The cheapest paths, the shorter and the longer tokens first, in fixed codes."""
"""By level, strategy, memory and window: the recipe and the digest of what zlib 1.2.13 made."""


def made_up(size: int, seed: int = 1) -> bytes:
    """Words, runs, records and noise, all from integers."""
    number = seed
    parts: list[bytes] = []
    length = 0
    while length < size:
        number = (number * 6364136223846793005 + 1442695040888963407) % 2**64
        kind, choice = number >> 60, number >> 33 & 0xFFFF
        if kind < 10:
            part = b"word%d " % (choice * choice % 977)
        elif kind < 12:
            part = bytes([choice & 255]) * (choice >> 8)
        elif kind < 14:
            part = b"record" + choice.to_bytes(4, "big") + b"\0\0\0"
        else:
            part = number.to_bytes(8, "big")
        parts.append(part)
        length += len(part)
    return b"".join(parts)[:size]


def as_array(data: bytes) -> Any:
    return np.frombuffer(data, np.uint8)


def undone(stream: bytes, most: int = 1 << 20) -> Any:
    """What `describe` says; None of what is unfinished."""
    with suppress(UnfinishedError):
        return describe(padded(as_array(stream)), most)
    return None


def deflated(data: bytes, level: int = 6, strategy: int = 0, memory: int = 8) -> bytes:
    machine = zlib.compressobj(level, zlib.DEFLATED, -15, memory, strategy)
    return machine.compress(data) + machine.flush()


def again(stream: bytes, most: int = 1 << 20) -> bytes | None:
    """The stream after a round trip, its recipe as bytes; None if it was not undone."""
    found = undone(stream, most)
    if found is None:
        return None
    data, recipe, size = found
    written = write_recipe(recipe)
    read = read_recipe(written)
    assert write_recipe(read) == written
    rebuilt = rebuild(data, read).tobytes()
    assert len(rebuilt) == size
    assert data.tobytes() == zlib.decompress(stream, -15)
    return rebuilt


@pytest.mark.parametrize("settings", RECORDED)
def test_the_bytes_of_zlib_without_zlib(settings: tuple[int, int, int, int]):
    recipe, digest = RECORDED[settings]
    stream = rebuild(as_array(made_up(12_000)), read_recipe(bytes.fromhex(recipe))).tobytes()
    assert hashlib.sha256(stream).hexdigest()[:16] == digest
    assert zlib.decompress(stream, -15) == made_up(12_000)


@pytest.mark.parametrize("recipe", CHEAPEST)
def test_the_cheapest_path(recipe: str):
    """It is kept for ever, no longer than what zlib finds, and found again in the stream."""
    data = made_up(12_000)
    stream = rebuild(as_array(data), read_recipe(bytes.fromhex(recipe))).tobytes()
    assert hashlib.sha256(stream).hexdigest()[:16] == CHEAPEST[recipe]
    assert zlib.decompress(stream, -15) == data
    assert len(stream) <= len(deflated(data, 9, zlib.Z_FIXED))
    found = undone(stream)
    assert found is not None
    assert write_recipe(found[1]).hex() == recipe


@pytest.mark.parametrize("strategy", [SHORT_PATH, LONG_PATH])
def test_a_path_through_several_blocks(strategy: int):
    """Fixed, stored and dynamic ones, the codes of zlib for its own tokens."""
    data = made_up(30_000)
    machine = zlib.compressobj(9, zlib.DEFLATED, -15)
    stream = machine.compress(data[:40]) + machine.flush(zlib.Z_SYNC_FLUSH)
    stream += machine.compress(data[40:17_000]) + machine.flush(zlib.Z_FULL_FLUSH)
    stream = as_array(stream + machine.compress(data[17_000:]) + machine.flush())
    parts = read_stream(padded(stream), 1 << 20)
    assert parts is not None
    blocks = parts.blocks
    assert set(blocks[:, KIND].tolist()) == {STORED, FIXED, DYNAMIC}
    stored = blocks[blocks[:, KIND] == STORED, DATA_END]
    blocks[:, TOKENS_END] = 0
    blocks[-1, DATA_END] = 0
    recipe = Recipe(
        settings=Settings(6, strategy, 8, 15),
        blocks=blocks,
        headers=stream,
        skips=np.stack([stored, 0 * stored], axis=1),
        corrections=np.zeros((0, CORRECTION_COLUMNS), np.int64),
        fills=np.zeros(len(stored) + 1, np.uint8),
    )
    cheapest = rebuild(as_array(data), recipe).tobytes()
    assert zlib.decompress(cheapest, -15) == data
    assert len(cheapest) < len(stream)
    found = undone(cheapest)
    assert found[1].settings.strategy == strategy
    assert not len(found[1].corrections)
    assert again(cheapest) == cheapest


def test_codes_of_sorted_symbols():
    """The same lengths, but the first of equally frequent symbols has the longest."""
    data = b"".join(bytes([i]) * (1 + i % 7) for i in range(200, 0, -1)) * 2
    stream = rebuild(as_array(data), read_recipe(bytes.fromhex("a602f80101020000"))).tobytes()
    zlibs = rebuild(as_array(data), read_recipe(bytes.fromhex("26f80101020000"))).tobytes()
    assert zlib.decompress(stream, -15) == zlib.decompress(zlibs, -15) == data
    assert stream != zlibs
    assert len(stream) == len(zlibs)
    found = undone(stream)
    assert found is not None
    assert write_recipe(found[1]).hex() == "a602f80101020000"


def test_a_path_needs_codes():
    """A dynamic block without a header, stored bytes outside their block, blocks too long."""
    for recipe in ("46f80101020000", "46f8010200050300050100", "46f80102010a01050000"):
        with pytest.raises(CorruptStreamError):
            rebuild(as_array(made_up(9)), read_recipe(bytes.fromhex(recipe)))


@given(
    st.binary(max_size=60) | st.integers(0, 3000).map(lambda n: made_up(n, n)),
    st.integers(0, 9),
    st.integers(0, 4),
    st.integers(1, 9),
)
def test_streams_of_zlib(data: bytes, level: int, strategy: int, memory: int):
    """Whatever zlib this Python has."""
    stream = deflated(data, level, strategy, memory)
    assert again(stream) == stream


FLUSHES = [zlib.Z_NO_FLUSH, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH, zlib.Z_PARTIAL_FLUSH]


@given(st.lists(st.tuples(st.integers(0, 1500), st.sampled_from(FLUSHES)), max_size=8))
def test_flushes(pieces: list[tuple[int, int]]):
    machine = zlib.compressobj(6, zlib.DEFLATED, -15)
    stream = b""
    for size, flush in pieces:
        stream += machine.compress(made_up(size, size + 1)) + machine.flush(flush)
    stream += machine.flush()
    assert again(stream) == stream


def test_other_encoders_are_corrections():
    """Two levels in one stream: no settings tell both halves."""
    data = made_up(40_000)
    machine = zlib.compressobj(1, zlib.DEFLATED, -15)
    first = machine.compress(data[:20_000]) + machine.flush(zlib.Z_FULL_FLUSH)
    stream = first + deflated(data[20_000:], 9)
    found = undone(stream)
    assert found is not None
    recipe = found[1]
    assert 0 < len(recipe.corrections) < len(data) / 30
    assert again(stream) == stream


def test_what_follows_is_left_alone():
    stream = deflated(b"abcabcabcabcabc" * 20)
    found = undone(stream + b"more")
    assert found is not None
    assert found[2] == len(stream)


def test_fill_bits_come_back():
    stream = bytes([*zlib.compress(b"abcabcabcabcabc")[2:-5], 0x80])  # one bit is left
    assert zlib.decompress(stream, -15) == b"abcabcabcabcabc"
    assert again(stream) == stream


def test_no_more_data_than_allowed():
    stream = deflated(bytes(100_000))
    with pytest.raises(TooLongError):
        describe(padded(as_array(stream)), 99_999)
    assert again(stream, 100_000) == stream


def test_a_stored_block_may_be_incomplete():
    """What stands in it up to the end is not wrong."""
    stream = deflated(np.random.default_rng(2).bytes(40_000))
    for cut in (10, 20_000, len(stream) - 1):
        with pytest.raises(UnfinishedError):
            describe(padded(as_array(stream[:cut])), 1 << 20)


def test_corrections_behind_many_tokens_that_are_as_predicted():
    """An encoder that goes on at another level is told, too."""
    chance = random.Random(4)
    data = b"".join(b"%d, " % chance.randrange(3000) for _ in range(60_000))
    machine = zlib.compressobj(6, zlib.DEFLATED, -15)
    stream = machine.compress(data[:250_000]) + machine.flush(zlib.Z_SYNC_FLUSH)
    other = zlib.compressobj(1, zlib.DEFLATED, -15, zdict=data[250_000 - 32_768 : 250_000])
    stream += other.compress(data[250_000:]) + other.flush()
    assert zlib.decompress(stream, -15) == data
    found = describe(padded(as_array(stream)), 1 << 20)
    assert found is not None
    assert len(found[1].corrections) > 0
    assert again(stream, 1 << 20) == stream


def test_what_is_incomplete_is_not_undone():
    stream = deflated(made_up(300))
    for cut in range(len(stream)):
        with pytest.raises(UnfinishedError):
            describe(padded(as_array(stream[:cut])), 1 << 20)


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes):
    rebuilt = again(data)
    assert rebuilt is None or data.startswith(rebuilt)


@given(st.integers(0, 2**32), st.integers(0, 9), st.integers(1, 4))
def test_damaged_streams(seed: int, level: int, damages: int):
    random = np.random.default_rng(seed)
    stream = as_array(deflated(made_up(1500, seed % 7 + 1), level)).copy()
    stream[random.integers(stream.size, size=damages)] ^= random.integers(1, 256, damages).astype(
        np.uint8
    )
    found = undone(stream.tobytes(), 1 << 16)
    if found is not None:
        data, recipe, size = found
        assert np.array_equal(rebuild(data, read_recipe(write_recipe(recipe))), stream[:size])


@given(st.integers(0, 2**32), st.integers(1, 4))
def test_damaged_recipes(seed: int, damages: int):
    """Another stream, or an error; never anything else."""
    random = np.random.default_rng(seed)
    data = made_up(3000)
    machine = zlib.compressobj(1, zlib.DEFLATED, -15)
    stream = machine.compress(data) + machine.flush(zlib.Z_FULL_FLUSH)
    stream += deflated(made_up(2000, 3), 9)
    found = undone(stream)
    assert found is not None
    recipe = as_array(write_recipe(found[1])).copy()
    recipe[random.integers(recipe.size, size=damages)] ^= random.integers(1, 256, damages).astype(
        np.uint8
    )
    with suppress(CorruptStreamError):
        rebuild(found[0], read_recipe(recipe.tobytes()))


@pytest.mark.parametrize("skips", [[[90, 11]], [[101, 0]], [[0, 60], [50, 10]]])
def test_stored_blocks_outside_the_data_or_each_other(skips: list[list[int]]):
    stored = np.zeros((len(skips), BLOCK_COLUMNS), np.int64)
    recipe = undone(deflated(made_up(100)))
    assert recipe is not None
    wrong = recipe[1]._replace(
        blocks=stored, skips=np.array(skips), fills=np.zeros(len(skips) + 1, np.uint8)
    )
    with pytest.raises(CorruptStreamError, match="does not fit its data"):
        rebuild(recipe[0], wrong)


@given(st.binary(max_size=60))
def test_any_recipe(recipe: bytes):
    with suppress(CorruptStreamError):
        rebuild(as_array(made_up(200)), read_recipe(recipe))
