"""What the headers of a stream tell without its data."""

from __future__ import annotations

import io

import pytest

import glnzip
from glnzip.format import container
from glnzip.format.container import FrameHeader
from glnzip.format.levels import MODEL_GENERATION, memory_bytes
from tests.checks import sample

pytestmark = pytest.mark.usefixtures("small_blocks")


class Trickle(io.RawIOBase):
    """A file that gives at most three bytes at a time, like a slow pipe, and cannot seek."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._data.read(min(size, 3))


def test_frame_info_tells_each_frame_without_decoding():
    data = sample(1000)
    stream = glnzip.compress(data, level=3) + glnzip.compress(b"")
    first, second = glnzip.frame_info(stream)
    assert (first.version, first.generation, first.level) == (1, MODEL_GENERATION, 3)
    assert (first.original_bytes, first.blocks) == (1000, 16)
    assert first.coded_blocks > 0
    assert first.stored_blocks > 0
    assert first.compressed_bytes + second.compressed_bytes == len(stream)
    assert first.check.to_bytes(4, "little") == stream[: first.compressed_bytes][-4:]
    assert first.memory_bytes == memory_bytes(3)
    assert (second.original_bytes, second.blocks) == (0, 0)
    assert list(glnzip.frame_info(Trickle(stream))) == [first, second]  # type: ignore[arg-type]


def test_what_holds_no_bytes_is_no_stream():
    with pytest.raises(TypeError):
        list(glnzip.frame_info(None))  # type: ignore[arg-type]


def test_frame_info_needs_neither_the_model_nor_the_prior():
    head = container.write_frame_header(FrameHeader(15, 9, b"ABCD"))
    (info,) = glnzip.frame_info(head + b"\x00\1\0\0\0")
    assert (info.generation, info.level, info.prior_id) == (15, 9, b"ABCD".hex())
    assert info.memory_bytes is None


def test_frame_info_refuses_every_cut_and_trailing_bytes():
    stream = glnzip.compress(sample(200))
    for length in range(len(stream)):
        with pytest.raises(glnzip.TruncatedStreamError):
            list(glnzip.frame_info(stream[:length]))
    with pytest.raises(glnzip.CorruptStreamError):
        list(glnzip.frame_info(stream + b"\n"))
