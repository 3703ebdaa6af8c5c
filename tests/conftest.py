"""What all tests share: hypothesis settings, a guard of speed, a quick stand-in for the model.

The container, the streams and the file objects are to be right for any model, so most of their
tests use `ZlibCodec`, which is thousands of times faster. It has the interface of
`glnzip.coding.block_codec.BlockCodec` and its manners: it learns from block to block, decodes any
payload to something, and needs no payload at all for the most expected data.
"""

from __future__ import annotations

import gc
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from glnzip import jit
from glnzip.format.block_type import (
    A64,
    AUDIO,
    AUDIO_FORMS,
    BINARY,
    BLOCK_MODELS,
    CALLS,
    CALLS_AND_DATA,
    CLASS_FILES,
    FONT,
    IMAGE,
    MAX_IMAGE_CHANNELS,
    MAX_NUMBERS,
    NUMBER_FORMS,
    NUMBERS,
    PYTHON_CODE,
    RECORDS,
    SAMPLE_FORMS,
    VOLUME,
    VOLUMES,
    WIDE_FORMS,
    WIDE_IMAGE,
    WIDE_VOLUME,
    BlockType,
)
from glnzip.format.container import MAX_ADDRESS, MIN_RECORD_BYTES, MIN_SLICE_ROWS
from glnzip.priors.prior import Prior

settings.register_profile("glnzip", deadline=None)  # a kernel's first call compiles it
settings.load_profile("glnzip")

gc.set_threshold(100_000, 50)  # Numba makes millions of objects, and few of them are garbage

NEW_CODEC = "glnzip.priors.prepared.new_codec"
"""What all that opens a codec calls in the end: its stand-ins take a level and a prior."""

LONGEST_FIRST = ("test_shipped_prior.py", "test_determinism.py")
LAST = ("test_attribution.py",)  # whose kernels test_same_trace.py makes, too: they are kept


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take minutes, so that at the end no process waits for another."""
    items.sort(key=lambda item: (item.path.name in LAST) - (item.path.name in LONGEST_FIRST))


@pytest.fixture(autouse=True)
def fast_kernels() -> Iterator[None]:
    """Fail the test by which all kernels of this process became slow: else nothing tells."""
    before = jit.why_slower()
    yield
    fail_if_slower(before)


def fail_if_slower(before: str | None) -> None:
    """Fail if kernels run slower than they did `before`, though there is a Numba that works."""
    if (reason := jit.why_slower()) != before:
        pytest.fail(f"a kernel is not compiled in the fast way: {reason}", pytrace=False)


READ = (FONT, CLASS_FILES, PYTHON_CODE)
"""Kinds of files that are read while they are coded."""


def choose_block_type(block: bytes, level: int) -> BlockType:
    """A type that differs from block to block and may be large, so that all fields are used."""
    kinds = sorted(set(BLOCK_MODELS) - {A64, RECORDS, *READ, *VOLUMES})
    kind = kinds[block[0] % len(kinds)]
    row_bytes = 0 if block[0] & 16 else block[-1] * 257
    if kind in (IMAGE, WIDE_IMAGE) and block[-1] % 4 == 3:
        width = 1 if kind == IMAGE else 2
        volume, row, form = (VOLUME, WIDE_VOLUME)[width - 1], width * block[-1], (0, 7)[width - 1]
        return BlockType(volume, row, width, form, 0, max(MIN_SLICE_ROWS * row, row_bytes))
    if kind == IMAGE:
        return BlockType(kind, max(row_bytes, 1), step=1 + block[-1] % MAX_IMAGE_CHANNELS)
    if kind == WIDE_IMAGE:
        form = WIDE_FORMS[block[-1] % len(WIDE_FORMS)]
        return BlockType(kind, max(row_bytes & ~1, 2), 2 + 2 * (block[-1] % 4), form, block[-1] % 2)
    if kind == NUMBERS:
        form = NUMBER_FORMS[block[-1] % len(NUMBER_FORMS)]
        width = SAMPLE_FORMS[form][0]
        step = width * (1 + block[-1] % MAX_NUMBERS)
        return BlockType(kind, row_bytes & ~7, step, form, block[-1] % width)
    if kind == AUDIO:
        form = block[-1] % len(AUDIO_FORMS)
        width = SAMPLE_FORMS[form][0]
        return BlockType(kind, 0, width * (1 + block[-1] % 8), form, block[-1] % width)
    if kind == BINARY and block[-1] % 2:
        return BlockType(RECORDS, row_bytes, MIN_RECORD_BYTES + 2055 * block[-1])
    if kind == CALLS and block[-1] % 2:
        return BlockType(A64, row_bytes, address=MAX_ADDRESS // 255 * block[-1])
    if kind == CALLS_AND_DATA and block[-1] % 2:
        return BlockType(READ[(block[-1] >> 1) % len(READ)], row_bytes)
    return BlockType(kind, row_bytes)


class ZlibCodec:
    """The stand-in for `BlockCodec`: deflate, with what came before as its dictionary."""

    def __init__(self, level: int, prior: Prior | None = None, *_: object) -> None:
        self._start = f"{level} {prior and prior.id}"
        self._level = level
        self._seen = b""
        self._decoded = b""

    def encode(
        self, block: bytes, block_type: BlockType, progress: Callable[[int], object] | None = None
    ) -> bytes | None:
        """Code a block, or return None where that would not make it smaller."""
        if progress is not None:
            progress(len(block))
        coder = zlib.compressobj(
            self._level, zlib.DEFLATED, -15, zdict=self._dictionary(block_type)
        )
        payload = coder.compress(block) + coder.flush() if any(block) else b""
        self._seen += block
        return payload if len(payload) < len(block) else None

    def learn(
        self, block: bytes, block_type: BlockType, progress: Callable[[int], object] | None = None
    ) -> None:
        """Take note of a block that was stored."""
        if progress is not None:
            progress(len(block))
        self._seen += block

    def begin_document(self) -> None:
        """Take note of it: what follows is coded otherwise."""
        self._seen += b"document"

    def begin_decode(self, payload: bytes, length: int, block_type: BlockType) -> None:
        """Decode a payload to `length` bytes; a damaged one gives some bytes all the same."""
        decoder = zlib.decompressobj(-15, zdict=self._dictionary(block_type))
        try:
            block = decoder.decompress(payload, length)
        except zlib.error:  # an empty payload, for zeros, or a damaged one
            block = b""
        self._decoded = block.ljust(length, b"\0")
        self._seen += self._decoded

    def decode(self, most: int) -> bytes:
        """Hand out the next bytes of the decoded block."""
        piece, self._decoded = self._decoded[:most], self._decoded[most:]
        return piece

    def _dictionary(self, block_type: BlockType) -> bytes:
        """The model depends on all that the real one does: level, prior, type and what was seen."""
        return f"{self._start} {block_type}".encode() + self._seen[-32_000:]


@pytest.fixture(scope="session")
def other_kernels(pytestconfig: pytest.Config) -> Path:
    """Where processes with other compiler settings keep what they compile, from run to run."""
    assert pytestconfig.cache is not None
    return pytestconfig.cache.mkdir("kernels")


def use_quick_model(patch: pytest.MonkeyPatch) -> None:
    """Put `ZlibCodec` in the place of the model."""
    patch.setattr(NEW_CODEC, ZlibCodec)
    patch.setattr("glnzip.planner.planner.choose_block_type", choose_block_type)


@pytest.fixture(scope="module")
def quick_model() -> Iterator[None]:
    """Put `ZlibCodec` in the place of the model, for the tests of one module."""
    with pytest.MonkeyPatch.context() as patch:
        use_quick_model(patch)
        yield


@pytest.fixture(scope="module")
def small_blocks(quick_model: None) -> Iterator[int]:
    """Cut blocks at every 64 bytes instead of every megabyte, so that little data make many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("glnzip.streams.compressor.BLOCK_BYTES", 64)
        patch.setattr("glnzip.streams.parallel.BLOCK_BYTES", 64)
        yield 64


@pytest.fixture
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut blocks of the real model at every 512 bytes instead of every megabyte."""
    monkeypatch.setattr("glnzip.streams.compressor.BLOCK_BYTES", 512)
