"""Memorising goes slice by slice in three threads, and none of that leaves a trace."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from glnzip.coding import memorise_loop
from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import BINARY, TEXT, BlockType
from glnzip.jit import jit_is_on
from glnzip.model.build import new_model
from tests.samples import machine_code

BYTES = 30_000 if jit_is_on() else 300
WORDS = b"".join(b"word %d of %d, " % (n % 97, n * n) for n in range(5000))[:BYTES]
DATA = machine_code(4000, with_data=True)[:BYTES]


def payload(level: int) -> bytes | None:
    """What a block is coded to by a model that has memorised two."""
    codec = BlockCodec(new_model(level))
    codec.memorise(WORDS, BlockType(TEXT))
    codec.memorise(DATA, BlockType(BINARY))
    return codec.encode(WORDS[-200:] + b"and something new", BlockType(TEXT))


@pytest.fixture
def hurried_threads() -> Iterator[None]:
    """Threads that take turns as often as Python lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hurried_threads")
@pytest.mark.parametrize("level", [1, 6])
def test_slices_of_any_size_are_the_same(level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = payload(level)
    assert expected is not None
    assert len(expected) < 100, "it was memorised"
    for size in (64, 777, BYTES, 2 * BYTES):
        monkeypatch.setattr(memorise_loop, "_SLICE_BYTES", size)
        assert payload(level) == expected


def test_without_another_thread_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = payload(1)

    def submit(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(ThreadPoolExecutor, "submit", submit)
    assert payload(1) == expected


def test_progress_adds_up() -> None:
    counted: list[int] = []
    codec = BlockCodec(new_model(1))
    codec.memorise(WORDS, BlockType(TEXT), counted.append)
    assert sum(counted) == len(WORDS)
    codec.memorise(b"", BlockType(TEXT), counted.append)
    assert sum(counted) == len(WORDS)


def test_whoever_stops_it_is_heard() -> None:
    def stop(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        BlockCodec(new_model(1)).memorise(WORDS, BlockType(TEXT), stop)
