"""Checks that many tests share: what must hold for any data, frame or damage."""

from __future__ import annotations

import io
import os
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

import glnzip
from glnzip.format.container import FrameHeader, read_frame_header, write_frame_header
from glnzip.format.levels import DEFAULT_LEVEL, MIN_LEVEL, MODEL_GENERATION
from glnzip.planner.stretches import next_stretch

OLDER, NEWER = MODEL_GENERATION - 1, MODEL_GENERATION + 1
"""Generations that this build has not."""


QUICK_LEVELS = (MIN_LEVEL, DEFAULT_LEVEL)


def by_level(cases: Iterable[Any], level_of: Callable[[Any], int] = int) -> list[Any]:
    """The cases of other levels than these two are slow tests: `make check` leaves them out."""
    return [
        case if level_of(case) in QUICK_LEVELS else pytest.param(case, marks=pytest.mark.slow)
        for case in cases
    ]


def need_test_data(missing: str | None, variable: str) -> None:
    """Skip where files were never fetched; fail where the environment says that they are there."""
    if missing is not None:
        (pytest.fail if variable in os.environ else pytest.skip)(missing)


def sample(length: int, seed: int = 0) -> bytes:
    """Data that compress in some stretches and not in others, so that both block kinds occur."""
    chance = random.Random(seed)
    words = [b"the ", b"model ", b"learns ", b"bit ", b"by ", b"bit.\n"]
    data = bytearray()
    while len(data) < length:
        for _ in range(40):
            data += chance.choice(words)
        data += chance.randbytes(200)
    return bytes(data[:length])


def frame_head(
    level: int = 6, *, generation: int = MODEL_GENERATION, prior_id: bytes | None = None
) -> bytes:
    """A frame header, whether or not there is such a model."""
    return write_frame_header(FrameHeader(generation, level, prior_id))


def with_other_head(stream: bytes, **changes: Any) -> bytes:
    """The stream with other fields in its first frame header, which is sound."""
    header = read_frame_header(io.BytesIO(stream).read)
    head = write_frame_header(header._replace(**changes))
    return head + stream[len(head) :]


def pieces_of(data: bytes, sizes: list[int]) -> list[bytes]:
    """Cut `data` into pieces of these sizes, over and over until it is used up."""
    pieces = []
    start = turn = 0
    while start < len(data):
        end = start + sizes[turn % len(sizes)]
        pieces.append(data[start:end])
        start, turn = end, turn + 1
    return pieces


def compress_pieces(
    pieces: list[bytes],
    level: int = glnzip.DEFAULT_LEVEL,
    prior: glnzip.Prior | None = None,
) -> bytes:
    """Compress data that come in pieces."""
    compressor = glnzip.Compressor(level, prior=prior)
    return b"".join(map(compressor.compress, pieces)) + compressor.flush()


def decompress_pieces(
    pieces: list[bytes], max_length: int = -1, prior: glnzip.Prior | None = None
) -> bytes:
    """Decompress one frame that comes in pieces, checking every promise of `Decompressor`."""
    decompressor = glnzip.Decompressor(prior=prior)
    output = bytearray()
    for piece in pieces:
        assert state(decompressor) == "needs input"
        data = decompressor.decompress(piece, max_length)
        output += data
        while state(decompressor) == "has more":
            assert len(data) == max_length
            data = decompressor.decompress(b"", max_length)
            assert data
            output += data
        assert max_length < 0 or len(data) <= max_length
    assert state(decompressor) == "at the end"
    assert decompressor.unused_data == b""
    return bytes(output)


def state(decompressor: glnzip.Decompressor) -> str:
    """What a decompressor's `eof` and `needs_input` say together."""
    names = {(False, True): "needs input", (False, False): "has more", (True, False): "at the end"}
    return names[decompressor.eof, decompressor.needs_input]


def check_round_trip(
    data: bytes, level: int = glnzip.DEFAULT_LEVEL, prior: glnzip.Prior | None = None
) -> bytes:
    """Compress, decompress, compare; return the frame, which must not have grown too much."""
    frame = glnzip.compress(data, level=level, prior=prior)
    assert glnzip.decompress(frame, prior=prior) == data
    assert len(frame) <= len(data) * 1.01 + 64
    return frame


def check_rejected(
    stream: bytes,
    error: type[glnzip.GlnzipError] = glnzip.GlnzipError,
    message: str | None = None,
) -> None:
    """Neither way of decoding may take this stream for a sound one; both say why not."""
    with pytest.raises(error, match=message) as caught:
        glnzip.decompress(stream)
    assert str(caught.value)
    output = bytearray()
    decompressor = glnzip.Decompressor()
    try:
        for piece in pieces_of(stream, [7]):
            output += decompressor.decompress(piece)
    except (error, EOFError):
        return
    assert decompressor.unused_data or not decompressor.eof


def kinds_of(data: bytes) -> list[int]:
    """The kinds of the blocks that data become at the default level."""
    stretch = next_stretch(data, DEFAULT_LEVEL, final=True)
    assert stretch is not None
    return [block.block_type.kind for block in stretch.blocks]
