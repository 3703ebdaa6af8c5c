"""Compressed files as file objects: `open` and `GlnzipFile`, in the shape of `lzma`.

Reading goes through three layers: `FrameReader` turns a compressed file into a raw stream of
data, one frame after the other; `io.BufferedReader` on top of it gives `read`, `readline` and
`peek`; `GlnzipFile` adds closing, modes and names. Writing goes straight to a `Compressor`.
"""

from __future__ import annotations

import builtins
import io
import os
from typing import TYPE_CHECKING, BinaryIO, Literal, cast, overload

from glnzip.levels import DEFAULT_LEVEL, check_level
from glnzip.priors.prior import SHIPPED_PRIOR, Prior
from glnzip.streams.frame_reader import FrameReader
from glnzip.streams.frame_writer import check_block_size
from glnzip.streams.streaming import Compressor, byte_view

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, StrOrBytesPath, WriteableBuffer

BinaryMode = Literal["r", "rb", "w", "wb", "x", "xb"]
TextMode = Literal["rt", "wt", "xt"]


@overload
def open(
    filename: StrOrBytesPath | BinaryIO,
    mode: BinaryMode = ...,
    *,
    level: int = ...,
    prior: Prior | None = ...,
    block_size: int | None = ...,
    memory_limit: int | None = ...,
) -> GlnzipFile: ...
@overload
def open(
    filename: StrOrBytesPath | BinaryIO,
    mode: TextMode,
    *,
    level: int = ...,
    prior: Prior | None = ...,
    block_size: int | None = ...,
    memory_limit: int | None = ...,
    encoding: str | None = ...,
    errors: str | None = ...,
    newline: str | None = ...,
) -> io.TextIOWrapper: ...
@overload
def open(
    filename: StrOrBytesPath | BinaryIO,
    mode: str,
    *,
    level: int = ...,
    prior: Prior | None = ...,
    block_size: int | None = ...,
    memory_limit: int | None = ...,
    encoding: str | None = ...,
    errors: str | None = ...,
    newline: str | None = ...,
) -> GlnzipFile | io.TextIOWrapper: ...


def open(
    filename: StrOrBytesPath | BinaryIO,
    mode: str = "rb",
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | None = SHIPPED_PRIOR,
    block_size: int | None = None,
    memory_limit: int | None = None,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
) -> GlnzipFile | io.TextIOWrapper:
    """Open a compressed file, as the built-in `open` opens a plain one.

    Parameters
    ----------
    filename
        A path, or a binary file object to read from or write to.
    mode
        ``"r"`` to read, ``"w"`` to write, ``"x"`` to write a file that must not exist yet; with
        ``"b"`` (or nothing) for bytes, with ``"t"`` for text.
    level
        When writing: 1 (fast) to 9 (small).
    prior
        When writing: what the model has seen before the data; None for nothing. When reading: only
        needed for data that were compressed with a prior of your own.
    block_size
        When writing: begin a new frame after so many bytes of data; see `Compressor`.
    memory_limit
        When reading: refuse data whose model takes more bytes of memory.
    encoding, errors, newline
        For text, as in the built-in `open`.

    Returns
    -------
    GlnzipFile or io.TextIOWrapper
        The latter in text mode.
    """
    is_text = "t" in mode
    if is_text and "b" in mode:
        raise ValueError(f"mode {mode!r} asks for both text and bytes")
    if not is_text and not encoding is errors is newline is None:
        raise ValueError("encoding, errors and newline are for text mode only")
    file = GlnzipFile(
        filename,
        mode.replace("t", ""),
        level=level,
        prior=prior,
        block_size=block_size,
        memory_limit=memory_limit,
    )
    return io.TextIOWrapper(file, encoding, errors, newline) if is_text else file


class GlnzipFile(io.BufferedIOBase):
    """A compressed file that is read or written as the data in it.

    Parameters
    ----------
    filename
        A path, or a binary file object. A file object that was given is left open by `close`.
    mode
        ``"r"`` or ``"rb"``; ``"w"``, ``"wb"``, ``"x"`` or ``"xb"``.
    level
        When writing: 1 (fast) to 9 (small).
    prior
        When writing: what the model has seen before the data; None for nothing. When reading: only
        needed for data that were compressed with a prior of your own.
    block_size
        When writing: begin a new frame after so many bytes of data; see `Compressor`.
    memory_limit
        When reading: refuse data whose model takes more bytes of memory.

    Notes
    -----
    Reading yields the data of all frames in the file. Data are handed out as they are decoded,
    verified when the end of their frame is reached; a damaged or truncated file raises an error
    at the latest there. Seeking works as in `lzma`, but decodes from the start of the frame that
    the place is in, not of the file.

    A write that failed leaves the frame without its end, on purpose: nobody can then take the
    file for a whole one.
    """

    def __init__(
        self,
        filename: StrOrBytesPath | BinaryIO,
        mode: str = "r",
        *,
        level: int = DEFAULT_LEVEL,
        prior: Prior | None = SHIPPED_PRIOR,
        block_size: int | None = None,
        memory_limit: int | None = None,
    ) -> None:
        self._file: BinaryIO | None = None  # first, so that a failed start counts as closed
        self._owns_file = False
        self._reader: io.BufferedReader | None = None
        self._compressor: Compressor | None = None
        self._written = 0
        if mode not in ("r", "rb", "w", "wb", "x", "xb"):
            raise ValueError(f"mode {mode!r} is not one of r, w and x, each with or without b or t")
        level = check_level(level)  # before a file is created or emptied
        if block_size is not None:
            check_block_size(block_size)
        if isinstance(filename, (str, bytes, os.PathLike)):
            self._file = cast("BinaryIO", builtins.open(filename, mode[0] + "b"))  # noqa: SIM115
            self._owns_file = True
        elif hasattr(filename, "read" if mode[0] == "r" else "write"):
            self._file = filename
        else:
            raise TypeError(f"a path or a binary file object is needed, not {filename!r}")
        if mode[0] == "r":
            self._reader = io.BufferedReader(FrameReader(self._file, prior, memory_limit))
        else:
            self._compressor = Compressor(level, prior=prior, block_size=block_size)

    @property
    def mode(self) -> str:
        """``"rb"`` or ``"wb"``."""
        return "wb" if self._reader is None else "rb"

    @property
    def name(self) -> str | bytes | int:
        """The name of the compressed file; AttributeError where it has none."""
        return self._open_file().name

    @property
    def closed(self) -> bool:
        """Whether the file has been closed."""
        return self._file is None

    def close(self) -> None:
        """End the frame, if writing, and close the file, if it was opened here."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            if self._reader is not None:
                self._reader.close()
            elif self._compressor is not None:
                file.write(self._compressor.flush())
        finally:
            self._compressor = None  # give the model's memory back
            if self._owns_file:
                file.close()

    def fileno(self) -> int:
        """Return the descriptor of the compressed file."""
        return self._open_file().fileno()

    def readable(self) -> bool:
        """Return whether the file was opened for reading."""
        self._open_file()
        return self._reader is not None

    def writable(self) -> bool:
        """Return whether the file was opened for writing."""
        return not self.readable()

    def seekable(self) -> bool:
        """Return whether `seek` works: when reading from a file that can itself seek."""
        return self.readable() and self._open_reader().seekable()

    def read(self, size: int | None = -1, /) -> bytes:
        """Read up to `size` bytes of data, all that are left if negative or None."""
        return self._open_reader().read(size)

    def read1(self, size: int = -1, /) -> bytes:
        """Read up to `size` bytes, without waiting for more than some; a bufferful if negative."""
        return self._open_reader().read1(size if size >= 0 else io.DEFAULT_BUFFER_SIZE)

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read into `buffer` and return the number of bytes."""
        return self._open_reader().readinto(buffer)

    def readline(self, size: int | None = -1, /) -> bytes:
        """Read up to and including the next newline, at most `size` bytes if not negative."""
        return self._open_reader().readline(size)

    def peek(self, size: int = 0, /) -> bytes:
        """Return some of the data ahead, at least one byte unless at the end, without moving."""
        return self._open_reader().peek(size)

    def write(self, data: ReadableBuffer, /) -> int:
        """Compress some more data; return how many bytes they are."""
        if self.readable():
            raise io.UnsupportedOperation("the file was opened for reading")
        if self._compressor is None:
            raise ValueError("an earlier write failed: the file cannot be completed")
        # Taken away until the write has succeeded, so that `close` never ends a faulty frame.
        compressor, self._compressor = self._compressor, None
        view = byte_view(data)
        self._open_file().write(compressor.compress(view))
        self._compressor = compressor
        self._written += len(view)
        return len(view)

    def flush(self) -> None:
        """When writing, send on all that was written so far: a reader can decode it at once.

        The model goes on learning. Each call costs a few bytes, as in `gzip`.
        """
        if self._file is None:
            raise ValueError("I/O operation on closed file")
        if self._compressor is not None:
            compressor, self._compressor = self._compressor, None
            self._file.write(compressor.end_block())
            self._compressor = compressor
            self._file.flush()

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Move to a place in the data and return it; decodes all of its frame that is before it."""
        return self._open_reader().seek(offset, whence)

    def tell(self) -> int:
        """Return the place in the data."""
        return self._open_reader().tell() if self.readable() else self._written

    def _open_file(self) -> BinaryIO:
        if self._file is None:
            raise ValueError("I/O operation on closed file")
        return self._file

    def _open_reader(self) -> io.BufferedReader:
        self._open_file()
        if self._reader is None:
            raise io.UnsupportedOperation("the file was opened for writing")
        return self._reader
