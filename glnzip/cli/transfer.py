"""What carries bytes: through a compressor, back through a decompressor, or out of damaged data.

The memory taken does not depend on the length of the input.
"""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, Protocol, cast

from glnzip.cli.progress import Progress
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.priors.prior import SHIPPED_PRIOR, Prior
from glnzip.streams.one_or_several import decompressed_pieces, new_compressor
from glnzip.streams.recovery import Recovery, recover

SLICE_BYTES = 64 * 1024
_SPOOLED_BYTES = 1 << 26  # of a pipe, kept in memory; what is more goes to a temporary file


@dataclass(frozen=True)
class Wanted:
    """How data are to be carried; the parameters are those of the Python interface."""

    level: int = DEFAULT_LEVEL
    prior: Prior | None = SHIPPED_PRIOR
    block_size: int | None = None
    threads: int = 1
    max_output: int | None = None
    memory_limit: int | None = None
    only_prepared: bool = False


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


def compress_stream(source: BinaryIO, sink: Sink, wanted: Wanted, progress: Progress) -> bytes:
    """Compress all of `source` into `sink`; return the SHA-256 of what was read."""
    compressor = new_compressor(
        wanted.level,
        prior=wanted.prior,
        block_size=wanted.block_size,
        threads=wanted.threads,
        memory_limit=wanted.memory_limit,
        progress=lambda count: progress.advance(count, 0),
    )
    digest = sha256()
    while original := source.read(SLICE_BYTES):
        digest.update(original)
        _put(sink, compressor.compress(original), progress)
    _put(sink, compressor.flush(), progress)
    return digest.digest()


def decompress_stream(source: BinaryIO, sink: Sink, wanted: Wanted, progress: Progress) -> bytes:
    """Decompress and check every frame of `source`, one after another, into `sink`.

    Returns the SHA-256 of what was written. All that comes before damage gets out.
    """
    pieces = decompressed_pieces(
        cast(BinaryIO, _CountedSource(source, progress)),
        prior=wanted.prior,
        max_output=wanted.max_output,
        memory_limit=wanted.memory_limit,
        only_prepared=wanted.only_prepared,
        threads=wanted.threads,
    )
    digest = sha256()
    for original in pieces:
        digest.update(original)
        _put(sink, original, progress)
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


def recover_stream(
    source: BinaryIO, sink: BinaryIO | None, wanted: Wanted, progress: Progress
) -> Recovery:
    """Decompress what is sound of `source` into `sink`, if there is one."""
    if sink is sys.stdout.buffer:
        sink = cast(BinaryIO, _OneWay(sink))
    with SpooledTemporaryFile(_SPOOLED_BYTES) as copy:
        if not source.seekable():
            shutil.copyfileobj(source, copy)
            copy.seek(0)
            source = cast(BinaryIO, copy)
        return recover(
            source,
            sink,
            prior=wanted.prior,
            max_output=wanted.max_output,
            memory_limit=wanted.memory_limit,
            only_prepared=wanted.only_prepared,
            progress=progress.advance,
        )


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
        self._start = data[len(buffer) :] if self._start else b""
        data = data[: len(buffer)]
        buffer[: len(data)] = data
        return len(data)


class _OneWay:
    """Standard output: it may be a file that is appended to, where seeking is of no use."""

    def __init__(self, sink: BinaryIO) -> None:
        self.write = sink.write

    def seekable(self) -> bool:
        return False


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
