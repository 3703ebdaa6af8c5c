"""A compressed file as a raw stream of the data in it, all its frames joined."""

from __future__ import annotations

import io
import sys
from bisect import bisect_right
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from glnzip.errors import CorruptStreamError, GlnzipError, TruncatedStreamError
from glnzip.format.container import Succession
from glnzip.format.walk import FrameStart, frame_starts
from glnzip.streams.calls import CallGuard
from glnzip.streams.decompressor import Decompressor
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import WriteableBuffer

_READ_BYTES = 1 << 14
"""Compressed bytes asked for at a time, and data skipped at a time."""


class FrameReader(io.RawIOBase):
    """The data of all frames of a binary file, unbuffered; what is no frame is an error.

    The file is read from where it stands, and left open; each frame has a new decompressor. After
    an error nothing more is read before a `seek`: data may be lost.
    """

    def __init__(
        self, file: IO[bytes], new_decompressor: Callable[[], Decompressor] = Decompressor
    ) -> None:
        self._file = file
        self._new_decompressor = new_decompressor
        self._start = file.tell() if self.seekable() else 0
        self._frames: list[FrameStart] | None = None  # known after the first `seek`
        self._guard = CallGuard()
        self._restart()

    def _restart(self) -> None:
        self._decompressor = self._new_decompressor()
        self._succession = Succession()
        self._frames_done = 0
        self._frame_bytes: int | None = None  # so far; None before the frame header is known
        self._position = 0

    def close(self) -> None:
        self._restart()  # gives the model's memory back at once
        super().close()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return hasattr(self._file, "seekable") and self._file.seekable()

    def tell(self) -> int:
        return self._position

    @property
    def failed(self) -> bool:
        """Whether nothing can be read before a `seek`."""
        return self._guard.refuses

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = byte_view(buffer)
        with self._guard:
            data = self._take_data(len(view))
        view[: len(data)] = data
        return len(data)

    def _take_data(self, most: int) -> bytes:
        """Return up to `most` bytes of data, and move behind them."""
        data = self._next_data(most) if most else b""
        self._position += len(data)
        return data

    def _next_data(self, most: int) -> bytes:
        """Return 1..most bytes of data; none at the end of the last frame."""
        while True:
            packed = b""
            if self._decompressor.eof:
                packed = self._decompressor.unused_data or self._file.read(_READ_BYTES)
                if not packed and self._succession.complete:
                    return b""
                self._frames_done += 1
                self._decompressor = self._new_decompressor()
                self._frame_bytes = None
            elif self._decompressor.needs_input:
                packed = self._file.read(_READ_BYTES)
                if not packed:
                    raise TruncatedStreamError("the stream ends before its end mark")
            data = self._decompress(packed, most)
            if data:
                return data

    def _decompress(self, packed: bytes, most: int) -> bytes:
        """The next data of the frame; its place is checked before any of them are used."""
        decompressor = self._decompressor
        data = self._decompress_frame(packed, most)
        if decompressor.level is not None:
            if self._frame_bytes is None:
                self._succession.begin(decompressor.place)
                self._frame_bytes = 0
            self._frame_bytes += len(data)
            if decompressor.eof:
                self._succession.end(decompressor.place, decompressor.last, self._frame_bytes)
        return data

    def _decompress_frame(self, packed: bytes, most: int) -> bytes:
        try:
            return self._decompressor.decompress(packed, most)
        except CorruptStreamError as error:
            if self._frames_done and self._decompressor.level is None:
                raise CorruptStreamError(
                    "the bytes after the last frame are not a frame"
                ) from error
            raise

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        if not self.seekable():
            raise io.UnsupportedOperation("the compressed file cannot seek")
        if whence not in (io.SEEK_SET, io.SEEK_CUR, io.SEEK_END):
            raise ValueError(f"whence must be 0, 1 or 2, not {whence}")
        if whence == io.SEEK_CUR:
            offset += self._position
        if self.failed:
            self._begin_at(FrameStart(0, 0, None))
            self._guard = CallGuard()
        with self._guard:
            if whence == io.SEEK_END:
                offset += self._skip_to(sys.maxsize)
            return self._skip_to(offset)

    def _skip_to(self, offset: int) -> int:
        """Be at `offset` of the data, or at their end; return the place."""
        self._go_to_frame(offset)
        while self._position < offset:
            if not self._take_data(min(offset - self._position, _READ_BYTES)):
                break
        return self._position

    def _go_to_frame(self, offset: int) -> None:
        """Be at the start of the frame that `offset` is in, or nearer to it.

        Headers tell where the frames are, so that none is decoded for nothing; a damaged stream is
        read from its start, up to the damage.
        """
        if self._frames is None:
            here = self._file.tell()
            self._file.seek(self._start)
            try:
                self._frames = frame_starts(cast("BinaryIO", self._file))
            except GlnzipError:
                self._frames = [FrameStart(0, 0, None)]
            self._file.seek(here)
        frame = self._frames[bisect_right(self._frames, max(0, offset), key=lambda f: f.data) - 1]
        if offset < self._position or frame.data > self._position:
            self._begin_at(frame)

    def _begin_at(self, frame: FrameStart) -> None:
        self._file.seek(self._start + frame.file)
        self._restart()
        self._succession = Succession(frame.place)
        self._position = frame.data
        self._frames_done = int(frame.data > 0)
