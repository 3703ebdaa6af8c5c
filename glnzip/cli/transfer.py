"""The two loops that carry bytes: through a compressor, and back through a decompressor.

The memory they take does not depend on the length of the input.
"""

from __future__ import annotations

from typing import BinaryIO, Protocol, cast

from glnzip.cli.progress import Progress
from glnzip.file_object import GlnzipFile
from glnzip.prior import Prior
from glnzip.streaming import Compressor

SLICE_BYTES = 64 * 1024


class Sink(Protocol):
    """Where the result goes."""

    def write(self, data: bytes, /) -> object: ...


class Discard:
    """A sink that keeps nothing, for when decompressing is a check."""

    def write(self, data: bytes, /) -> object:
        """Forget `data`."""


def compress_stream(
    source: BinaryIO, sink: Sink, level: int, prior: Prior | None, progress: Progress
) -> None:
    """Compress all of `source` into one frame in `sink`."""
    compressor = Compressor(level, prior=prior, progress=lambda count: progress.advance(count, 0))
    while original := source.read(SLICE_BYTES):
        compressed = compressor.compress(original)
        sink.write(compressed)
        progress.advance(0, len(compressed))
    compressed = compressor.flush()
    sink.write(compressed)
    progress.advance(0, len(compressed))


def decompress_stream(
    source: BinaryIO, sink: Sink, prior: Prior | None, progress: Progress
) -> None:
    """Decompress and check every frame of `source`, one after another, into `sink`."""
    with GlnzipFile(cast(BinaryIO, _CountedSource(source, progress)), prior=prior) as frames:
        # One step of the decoder at a time: all that comes before damage gets out.
        while original := frames.read1(SLICE_BYTES):
            sink.write(original)
            progress.advance(0, len(original))


class _CountedSource:
    """A source whose bytes are counted as they are read."""

    def __init__(self, source: BinaryIO, progress: Progress) -> None:
        self._source = source
        self._progress = progress

    def read(self, size: int) -> bytes:
        data = self._source.read(size)
        self._progress.advance(len(data), 0)
        return data
