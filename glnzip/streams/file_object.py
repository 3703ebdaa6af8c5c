"""Compressed files as file objects: `open` and `GlnzipFile`, in the shape of `lzma`.

Reading goes through three layers: `FrameReader` turns a compressed file into a raw stream of
data, one frame after the other; `io.BufferedReader` on top of it gives `read`, `readline` and
`peek`; `GlnzipFile` adds closing, modes and names. Writing goes straight to a `Compressor`.

No file is opened before all arguments are known to be good, so that a wrong one never empties a
file. Threads may share a file object: a lock lets them in one after the other.
"""

from __future__ import annotations

import builtins
import codecs
import io
import os
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Literal, cast, overload

from glnzip.errors import GlnzipError
from glnzip.format.levels import DEFAULT_LEVEL, check_level
from glnzip.priors.allowance import check_memory_limit
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.streams.calls import Uncopied
from glnzip.streams.compressor import Compressor
from glnzip.streams.decompressor import Decompressor
from glnzip.streams.forgotten import close_at_exit
from glnzip.streams.frame_reader import FrameReader
from glnzip.streams.new_frame import check_block_size
from glnzip.system.byte_view import byte_view
from glnzip.system.locks import ForkedLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from _typeshed import ReadableBuffer, StrOrBytesPath, StrPath, WriteableBuffer

BinaryMode = Literal["r", "rb", "w", "wb", "x", "xb", "a", "ab"]
TextMode = Literal["rt", "wt", "xt", "at"]


@overload
def open(
    filename: StrOrBytesPath | BinaryIO,
    mode: BinaryMode = ...,
    *,
    level: int = ...,
    prior: Prior | StrPath | None = ...,
    block_size: int | None = ...,
    memory_limit: int | None = ...,
    only_prepared: bool = ...,
    progress: Callable[[int], object] | None = ...,
    unpack: bool = ...,
) -> GlnzipFile: ...
@overload
def open(
    filename: StrOrBytesPath | BinaryIO,
    mode: TextMode,
    *,
    level: int = ...,
    prior: Prior | StrPath | None = ...,
    block_size: int | None = ...,
    memory_limit: int | None = ...,
    only_prepared: bool = ...,
    progress: Callable[[int], object] | None = ...,
    unpack: bool = ...,
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
    prior: Prior | StrPath | None = ...,
    block_size: int | None = ...,
    memory_limit: int | None = ...,
    only_prepared: bool = ...,
    progress: Callable[[int], object] | None = ...,
    unpack: bool = ...,
    encoding: str | None = ...,
    errors: str | None = ...,
    newline: str | None = ...,
) -> GlnzipFile | io.TextIOWrapper: ...


def open(
    filename: StrOrBytesPath | BinaryIO,
    mode: str = "rb",
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    block_size: int | None = None,
    memory_limit: int | None = None,
    only_prepared: bool = False,
    progress: Callable[[int], object] | None = None,
    unpack: bool = True,
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
        ``"r"`` to read, ``"w"`` to write, ``"x"`` to write a file that must not exist yet, ``"a"``
        to add a frame to what is there; with ``"b"`` (or nothing) for bytes, ``"t"`` for text.
    level
        When writing: 1 (fast) to 9 (small).
    prior
        When writing: what the model has seen before the data, or the path of its file; None for
        nothing. When reading: only needed for data that were compressed with a prior of your own.
    block_size
        When writing: begin a new frame after so many bytes of data; see `Compressor`.
    memory_limit
        When reading: refuse data whose model takes more bytes of memory.
    only_prepared
        When reading: refuse data whose prior has to be prepared first; see `Decompressor`.
    progress
        Called with the number of bytes of data coded since the last call, after every 16 KiB or so.
        With 0 while a prior is prepared. It must not read, write, seek or close the file.
    unpack
        When writing: whether data that were compressed before are unpacked; see `Compressor`.
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
    if is_text:
        encoding = io.text_encoding(encoding)  # type: ignore[attr-defined]  # in 3.10, too
        _check_text_arguments(encoding, errors, newline)
    file = GlnzipFile(
        filename,
        mode.replace("t", ""),
        level=level,
        prior=prior,
        block_size=block_size,
        memory_limit=memory_limit,
        only_prepared=only_prepared,
        progress=progress,
        unpack=unpack,
    )
    return _TextFile(file, encoding, errors, newline) if is_text else file


def _check_text_arguments(encoding: str, errors: str | None, newline: str | None) -> None:
    """Raise what `io.TextIOWrapper` would raise, now or at the first character in question."""
    io.TextIOWrapper(io.BytesIO(), encoding, errors, newline)
    if errors is not None:
        codecs.lookup_error(errors)


def _write_all(file: BinaryIO, data: bytes) -> None:
    """Write to a file that may take less than it is given, as an unbuffered one does."""
    while data:
        taken = file.write(data)
        if not isinstance(taken, int) or taken >= len(data):  # not every file object tells
            break
        data = data[taken:]


class _Closing(io.IOBase):
    """A file whose closing puts no error of its own in the place of one that leaves its block."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self.close()
        except GlnzipError:
            if error is None:
                raise


class _TextFile(_Closing, io.TextIOWrapper):
    """The text in a compressed file."""


class GlnzipFile(Uncopied, _Closing, io.BufferedIOBase):
    """A compressed file that is read or written as the data in it.

    Parameters
    ----------
    filename
        A path, or a binary file object. A file object that was given is left open by `close`.
    mode
        ``"r"`` or ``"rb"``; ``"w"``, ``"wb"``, ``"x"``, ``"xb"``, ``"a"`` or ``"ab"``.
    level
        When writing: 1 (fast) to 9 (small).
    prior
        When writing: what the model has seen before the data, or the path of its file; None for
        nothing. When reading: only needed for data that were compressed with a prior of your own.
    block_size
        When writing: begin a new frame after so many bytes of data; see `Compressor`.
    memory_limit
        When reading: refuse data whose model takes more bytes of memory.
    only_prepared
        When reading: refuse data whose prior has to be prepared first; see `Decompressor`.
    progress
        Called with the number of bytes of data coded since the last call, after every 16 KiB or so.
        With 0 while a prior is prepared. It must not read, write, seek or close the file.
    unpack
        When writing: whether data that were compressed before are unpacked; see `Compressor`.

    Notes
    -----
    Reading yields the data of all frames in the file. Data are handed out as they are decoded,
    verified when the end of their frame is reached; a damaged or truncated file raises an error
    at the latest there. Seeking works as in `lzma`, but decodes from the start of the frame that
    the place is in, not of the file. After an error, read on only after a successful `seek`.

    A write that failed leaves the frame without its end, on purpose: nobody can then take the
    file for a whole one. `close` raises a GlnzipError then; all the same, the file is closed. What
    is still open when Python ends is closed then.
    """

    def __init__(
        self,
        filename: StrOrBytesPath | BinaryIO,
        mode: str = "r",
        *,
        level: int = DEFAULT_LEVEL,
        prior: Prior | StrPath | None = SHIPPED_PRIOR,
        block_size: int | None = None,
        memory_limit: int | None = None,
        only_prepared: bool = False,
        progress: Callable[[int], object] | None = None,
        unpack: bool = True,
    ) -> None:
        self._file: BinaryIO | None = None  # first, so that a failed start counts as closed
        self._lock = ForkedLock()  # a progress callback may call `tell`
        self._owns_file = False
        self._reader: io.BufferedReader | None = None
        self._compressor: Compressor | None = None
        self._written = 0
        if mode not in ("r", "rb", "w", "wb", "x", "xb", "a", "ab"):
            raise ValueError(f"mode {mode!r} is not one of r, w, x, a, each with or without b or t")
        is_read = mode[0] == "r"
        check_level(level)
        check_memory_limit(memory_limit)
        if block_size is not None:
            check_block_size(block_size)
        prior = as_prior(prior)
        new_decompressor = partial(
            Decompressor,
            prior=prior,
            memory_limit=memory_limit,
            only_prepared=only_prepared,
            progress=progress,
        )
        if not is_read:
            self._compressor = Compressor(
                level, prior=prior, block_size=block_size, progress=progress, unpack=unpack
            )
        if isinstance(filename, (str, bytes, os.PathLike)):
            self._file = cast("BinaryIO", builtins.open(filename, mode[0] + "b"))  # noqa: SIM115
            self._owns_file = True
        elif hasattr(filename, "read" if is_read else "write"):
            self._file = filename
        else:
            raise TypeError(f"a path or a binary file object is needed, not {filename!r}")
        if is_read:
            self._reader = io.BufferedReader(FrameReader(self._file, new_decompressor))
        else:
            close_at_exit(self)

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
        """End the frame, if writing, and close the file, if it was opened here.

        Raises
        ------
        GlnzipError
            If an earlier write did not finish, so that the file is incomplete.
        """
        with self._lock:
            file = self._file
            if file is None:
                return
            try:
                if self._reader is not None:
                    self._reader.close()
                else:
                    _write_all(file, self._take_compressor().flush())
            finally:
                self._file = None
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

    def read(self, size: int | None = -1) -> bytes:
        """Read up to `size` bytes of data, all that are left if negative or None."""
        with self._lock:
            return self._open_reader().read(size)

    def read1(self, size: int = -1) -> bytes:
        """Read up to `size` bytes, without waiting for more than some; a bufferful if negative."""
        with self._lock:
            return self._open_reader().read1(size if size >= 0 else io.DEFAULT_BUFFER_SIZE)

    def readinto(self, b: WriteableBuffer) -> int:
        """Read into `b` and return the number of bytes."""
        with self._lock:
            return self._open_reader().readinto(b)

    def readline(self, size: int | None = -1) -> bytes:
        """Read up to and including the next newline, at most `size` bytes if not negative."""
        with self._lock:
            return self._open_reader().readline(size)

    def peek(self, size: int = 0) -> bytes:
        """Return some of the data ahead, at least one byte unless at the end, without moving."""
        with self._lock:
            return self._open_reader().peek(size)

    def write(self, data: ReadableBuffer) -> int:
        """Compress some more data; return how many bytes they are."""
        with self._lock:
            if self.readable():
                raise io.UnsupportedOperation("the file was opened for reading")
            view = byte_view(data)
            compressor = self._take_compressor()
            _write_all(self._open_file(), compressor.compress(view))
            self._compressor = compressor
            self._written += len(view)
            return len(view)

    def flush(self) -> None:
        """When writing, send on all that was written so far: a reader can decode it at once.

        The model goes on learning. Each call costs a few bytes, as in `gzip`.
        """
        with self._lock:
            file = self._open_file()
            if self._reader is None:
                compressor = self._take_compressor()
                _write_all(file, compressor.end_block())
                self._compressor = compressor
                file.flush()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to a place in the data and return it; decodes all of its frame that is before it."""
        with self._lock:
            reader = self._open_reader()
            try:
                return reader.seek(offset, whence)
            finally:
                if cast("FrameReader", reader.raw).failed:  # the buffer is of where it was before
                    self._reader = io.BufferedReader(reader.detach())

    def tell(self) -> int:
        """Return the place in the data."""
        with self._lock:
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

    def _take_compressor(self) -> Compressor:
        """The compressor, which is put back only when all that it returned has been written.

        So nothing is added to a frame with a gap in it, which would look whole.
        """
        compressor, self._compressor = self._compressor, None
        if compressor is None:
            raise GlnzipError("the file is incomplete: an earlier write did not finish")
        return compressor
