"""The loops that carry bytes through a compressor or a decompressor.

The memory taken does not depend on the length of the input.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from typing import Any, BinaryIO, Protocol, cast

from glnzip.cli.options import Settings
from glnzip.cli.progress import Progress
from glnzip.streams.one_or_several import decompressed_pieces, new_compressor

SLICE_BYTES = 64 * 1024


class Sink(Protocol):
    """Where the result goes."""

    def write(self, data: bytes, /) -> object: ...

    def flush(self) -> object: ...


class Discard:
    """A sink that keeps nothing, for when decompressing is a check."""

    def write(self, data: bytes, /) -> object:
        """Forget `data`."""

    def flush(self) -> object:
        """Do nothing."""


def compress_stream(source: BinaryIO, sink: Sink, settings: Settings, progress: Progress) -> bytes:
    """Compress all of `source` into `sink`; return the SHA-256 of what was read."""
    digest = sha256()
    with settings.workers(progress.name) as workers:
        compressor = new_compressor(
            settings.level,
            prior=settings.prior,
            block_size=settings.block_size,
            threads=settings.threads,
            memory_limit=settings.memory_limit,
            unpack=settings.unpack,
            or_none=settings.or_none,
            progress=lambda count: progress.advance(count, 0),
            workers=workers,
        )
        for original in _slices(source):
            digest.update(original)
            _put(sink, compressor.compress(original), progress)
        _put(sink, compressor.flush(), progress)
    return digest.digest()


def decompress_stream(
    source: BinaryIO, sink: Sink, settings: Settings, progress: Progress
) -> bytes:
    """Decompress and check every frame of `source`, one after another, into `sink`.

    Returns the SHA-256 of what was written. All that comes before damage gets out.
    """
    digest = sha256()
    with settings.workers(progress.name) as workers:
        pieces = decompressed_pieces(
            cast(BinaryIO, _CountedSource(source, progress)),
            prior=settings.prior,
            max_output=settings.max_output,
            memory_limit=settings.memory_limit,
            only_prepared=settings.only_prepared,
            threads=settings.threads,
            progress=lambda count: progress.advance(0, count),
            workers=workers,
        )
        with closing(pieces):  # it may hold what other files wait for
            for original in pieces:
                digest.update(original)
                sink.write(original)
                sink.flush()  # whoever waits at the end of a pipe has it now
    return digest.digest()


def copy_stream(source: BinaryIO, sink: Sink, progress: Progress) -> None:
    """Pass all of `source` on to `sink` as it is."""
    counted = _CountedSource(source, progress)
    while data := counted.read(SLICE_BYTES):
        _put(sink, data, progress)
        sink.flush()


def peeked(source: BinaryIO, count: int) -> tuple[bytes, BinaryIO]:
    """The first bytes of `source`, fewer than `count` only at its end; and all of it, from them."""
    start = source.read(count)
    if source.seekable():
        source.seek(-len(start), io.SEEK_CUR)
        return start, source
    return start, cast(BinaryIO, io.BufferedReader(_Begun(start, source)))


def _slices(source: BinaryIO) -> Iterator[bytes]:
    """All of a source, up to the first end that is typed on a terminal."""
    while piece := source.read(SLICE_BYTES):
        yield piece
        if len(piece) < SLICE_BYTES and source.isatty():
            return


def _put(sink: Sink, data: bytes, progress: Progress) -> None:
    sink.write(data)
    progress.advance(0, len(data))


class _Begun(io.RawIOBase):
    """A pipe whose first bytes have been read, and are read once more."""

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._start = start
        self._rest = cast(io.BufferedReader, rest)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with what has come."""
        data = self._start or self._rest.read1(len(buffer))
        self._start = data[len(buffer) :]
        data = data[: len(buffer)]
        buffer[: len(data)] = data
        return len(data)


class _CountedSource:
    """A source whose bytes are counted as they are read."""

    def __init__(self, source: BinaryIO, progress: Progress) -> None:
        self._source = source
        self._progress = progress
        self.seekable = source.seekable
        self.tell = source.tell

    def read(self, size: int) -> bytes:
        """Up to `size` bytes: from a pipe, those that have come, so that data come out at once."""
        read: Callable[[int], bytes] = getattr(self._source, "read1", self._source.read)
        data = read(size)
        self._progress.advance(len(data), 0)
        return data

    def seek(self, offset: int) -> int:
        """Go back to `offset`: what was read from there on was looked at only."""
        self._progress.advance(offset - self._source.tell(), 0)
        return self._source.seek(offset)
