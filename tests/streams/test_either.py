"""With a prior or without: what is smaller, and the same bytes as if that had been asked for."""

from __future__ import annotations

import pytest

import glnzip
from glnzip.errors import MemoryLimitError
from glnzip.format.container import BLOCK_BYTES
from glnzip.frames.either import TRIAL_BYTES, EitherFrame
from glnzip.streams.one_or_several import new_compressor
from tests.conftest import NEW_CODEC, ZlibCodec

SHIPPED = glnzip.SHIPPED_PRIOR
DATA = b"".join(b"%d times, " % n for n in range(400_000))


class Frame:
    """A frame in the making that makes so many bytes of each megabyte."""

    def __init__(self, name: bytes, sizes: list[int]) -> None:
        self.name = name
        self.sizes = iter(sizes)
        self.ready = b""
        self.written = 0

    def write(self, data: bytes, *, final: bool) -> None:
        self.written += len(data)
        self.ready += self.name * next(self.sizes)

    def end_block(self) -> None:
        self.ready += self.name

    def end(self, *, last: bool = True) -> None:
        self.ready += self.name

    def take(self) -> bytes:
        ready, self.ready = self.ready, b""
        return ready


def either(first: list[int], second: list[int]) -> tuple[EitherFrame, Frame, Frame]:
    frames = Frame(b"1", first), Frame(b"2", second)
    return EitherFrame(*(lambda frame=frame: frame for frame in frames)), *frames


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        ([100], [101], b"1"),
        ([100], [100], b"1"),
        ([101], [100], b"2"),
        ([], [], b"1"),
    ],
)
def test_short_data_take_what_is_smaller(first: list[int], second: list[int], chosen: bytes):
    frame, *_ = either(first, second)
    for _ in first:
        frame.write(b"data", final=False)
        assert frame.take() == b""
    frame.end()
    assert set(frame.take()) == set(chosen)
    assert frame.take() == b""


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        ([1000, 1000, 7], [1100, 1010, 7], b"1"),
        ([1000, 1100, 7], [1100, 1090, 7], b"1"),  # a little worse lately, but ahead
        ([1000, 1100, 7], [1050, 1070, 7], b"2"),  # ahead, and much worse lately
    ],
)
def test_of_long_data_the_latter_half_of_the_trial_counts_more(
    first: list[int], second: list[int], chosen: bytes
):
    frame, one, two = either(first, second)
    frame.write(bytes(BLOCK_BYTES), final=False)
    assert frame.take() == b""
    frame.write(bytes(BLOCK_BYTES), final=False)
    sizes = first if chosen == b"1" else second
    assert frame.take() == chosen * sum(sizes[:2])
    frame.write(b"more", final=True)
    assert frame.take() == chosen * 7
    assert sorted([one.written, two.written]) == [TRIAL_BYTES, TRIAL_BYTES + 4], "the other is gone"


def test_data_that_wait_for_others_decide_nothing():
    frame, one, _ = either([3, 0, 5000, 5000], [2, 0, 6000, 6000])
    for _ in range(3):
        assert frame.take() == b""
        frame.write(bytes(BLOCK_BYTES), final=False)
    assert frame.take() == b"1" * 5003
    assert one.written == 3 * BLOCK_BYTES


def test_the_trial_ends(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("glnzip.frames.either.MOST_BYTES", 4 * BLOCK_BYTES)
    frame, _, two = either([3, 0, 0, 9, 9], [2, 0, 0, 8, 8])
    for _ in range(5):
        frame.write(bytes(BLOCK_BYTES), final=False)
    assert frame.take() == b"2" * 18
    assert two.written == 5 * BLOCK_BYTES


def test_data_that_are_sent_on_decide():
    frame, *_ = either([100, 50], [90, 60])
    frame.write(b"data", final=False)
    frame.end_block()
    assert frame.take() == b"2" * 91
    frame.write(b"data", final=False)
    frame.end()
    assert frame.take() == b"2" * 61


@pytest.fixture
def helped(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the place of the model, a codec that makes larger blocks with a prior."""

    class OneWay(ZlibCodec):
        def encode(self, block, block_type, progress=None):
            payload = super().encode(block, block_type, progress)
            return payload if payload is None or not self.has_prior else payload + bytes(20)

        def __init__(self, level: int, prior: glnzip.Prior | None = None, *_: object) -> None:
            super().__init__(level, prior)
            self.has_prior = prior is not None

    monkeypatch.setattr(NEW_CODEC, OneWay)


@pytest.mark.usefixtures("helped")
@pytest.mark.parametrize("data", [b"", b"short " * 9, DATA], ids=["none", "short", "long"])
@pytest.mark.parametrize(
    "options", [{}, {"block_size": 1 << 20}, {"block_size": 1 << 20, "threads": 2}]
)
def test_the_bytes_are_those_of_one_of_the_ways(data: bytes, options):
    packed = glnzip.compress(data, or_none=True, **options)
    with_prior = glnzip.compress(data, **options)
    without = glnzip.compress(data, prior=None, **options)
    assert len(packed) == min(len(with_prior), len(without))
    if not options:
        assert packed in (with_prior, without)


@pytest.mark.usefixtures("quick_model")
def test_without_a_prior_there_is_nothing_to_choose():
    assert glnzip.compress(DATA, prior=None, or_none=True) == glnzip.compress(DATA, prior=None)


def test_memory_for_both(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(MemoryLimitError, match="with and without its prior; the limit is"):
        new_compressor(6, memory_limit=1_500_000_000, or_none=True)
    new_compressor(6, memory_limit=2_500_000_000, or_none=True)
