"""The incremental interface: data in pieces of any size to a frame, and a frame back to data.

`Compressor` collects data until a block is full, then has the model code it; so the pieces that the
data came in leave no trace in the frame, and it never holds more than one block. On request it
makes several frames, the parts of a whole. `Decompressor` takes a frame in pieces of any size and
hands out data as soon as it is decoded. The check at the end of the frame can come only after the
data, so data handed out are not yet verified: they are once `eof` is True, and `decompress` raises
an error instead if the check fails. (`gzip` and `lzma` work the same way.) `glnzip.decompress`
returns verified data only.

Both objects may be shared between threads: a guard lets one call in at a time. An error, or Ctrl-C,
in the middle of a call leaves the model half-way through a block, so the object refuses to go on.
"""

from __future__ import annotations

import sys
from functools import partial
from operator import index
from typing import TYPE_CHECKING, NoReturn

from glnzip.errors import GlnzipError, OutputLimitError
from glnzip.format.container import BLOCK_BYTES, Place
from glnzip.format.levels import DEFAULT_LEVEL, NO_LIMITS, Allowance, check_level
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.priors.watching import heard_by
from glnzip.streams.frame_decoder import FrameState, decode_frame
from glnzip.streams.frame_writer import FrameWriter, check_block_size, whole_name
from glnzip.system.locks import ForkedLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from _typeshed import ReadableBuffer, StrPath


class Uncopied:
    """What cannot be copied or pickled, since a model half-way through its data cannot be."""

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__!r} object")


class Compressor(Uncopied):
    """Compress data that come in pieces.

    Parameters
    ----------
    level
        1 (fast) to 9 (small). It sets the memory that both compressing and decompressing take.
    prior
        What the model has seen before the data, or the path of its file; None for nothing. Whoever
        decompresses needs the same; the shipped one comes with this package.
    block_size
        Begin a new frame after so many bytes of data, each decoded without the others, so that
        damage to one costs no more than its data (`glnzip.recover`). None makes a single frame,
        which is smaller.
    progress
        Called during `compress` and `flush` with the number of bytes coded since the last call,
        after every 16 KiB or so; with 0 while a prior is prepared. It cannot use this compressor.

    Examples
    --------
    >>> compressor = Compressor()
    >>> frame = compressor.compress(b"some data, ") + compressor.compress(b"and more")
    >>> frame += compressor.flush()
    """

    def __init__(
        self,
        level: int = DEFAULT_LEVEL,
        *,
        prior: Prior | StrPath | None = SHIPPED_PRIOR,
        block_size: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        NO_LIMITS.check_memory(check_level(level))  # before libraries are loaded
        prior = as_prior(prior)
        if prior is not None:
            with heard_by(progress):
                _ = prior.id  # may have to be decoded: damage is found before any data come
        self._new_frame = partial(FrameWriter, level, prior, progress=progress)
        self._guard = CallGuard()
        self._pending = bytearray()
        self._output = bytearray()
        self._frame: FrameWriter | None = None
        self._place: Place | None = None  # of the frame, if it is a part
        self._part_bytes = 0  # of data in each part; 0 for a single frame
        self._room = sys.maxsize  # for more data in the frame
        if block_size is None:
            self._frame = self._new_frame(None)
        else:
            self._part_bytes = self._room = check_block_size(block_size)
            self._name = partial(whole_name, level, prior, self._part_bytes)

    def compress(self, data: ReadableBuffer) -> bytes:
        """Take some more data, and return what of the stream is ready, often nothing.

        Parameters
        ----------
        data
            Any bytes-like object.

        Raises
        ------
        GlnzipError
            If there is not enough memory for the model, or an earlier call failed.
        ValueError
            If `flush` was called before.
        """
        view = byte_view(data)
        with self._guard:
            while view:
                if not self._room:
                    self._end_part()
                taken = view[: min(BLOCK_BYTES - len(self._pending), self._room)]
                self._pending += taken
                self._room -= len(taken)
                view = view[len(taken) :]
                if len(self._pending) == BLOCK_BYTES or not self._room:
                    self._write_block()
            return self._take_output()

    def end_block(self) -> bytes:
        """Return all of the stream that the data given so far make, and go on with a new block.

        A receiver can then decode these data at once; the model carries on. Each call costs a few
        bytes. Unlike the cut of `compress` into pieces, it shows in the stream.
        """
        with self._guard:
            if self._pending:
                self._write_block()
            return self._take_output()

    def flush(self) -> bytes:
        """End the stream and return the rest of it; the compressor cannot be used afterwards."""
        with self._guard:
            if self._pending:
                self._write_block()
            self._end_frame(last=True)
            self._guard.refuse(ValueError, "the compressor has been flushed")
            return self._take_output()

    def _write_block(self) -> None:
        """Give the pending data to the frame."""
        block = bytes(self._pending)
        self._pending.clear()
        self._current_frame(block).write_block(block)

    def _current_frame(self, block: bytes) -> FrameWriter:
        """The frame that the data go to; the first block of all gives the whole its name."""
        if self._frame is None:
            self._place = self._place or Place(self._name(block), 0)
            self._frame = self._new_frame(self._place)
        return self._frame

    def _end_part(self) -> None:
        """The frame is full, and more data have come."""
        self._end_frame(last=False)
        assert self._place is not None, "a frame that is full has a place"
        self._place = self._place._replace(offset=self._place.offset + self._part_bytes)
        self._room = self._part_bytes

    def _end_frame(self, *, last: bool) -> None:
        frame = self._current_frame(b"")
        frame.end(last=last)
        self._output += frame.take()
        self._frame = None  # gives the model's memory back at once

    def _take_output(self) -> bytes:
        if self._frame is not None:
            self._output += self._frame.take()
        output = bytes(self._output)
        self._output.clear()
        return output


class Decompressor(Uncopied):
    """Decompress one frame that comes in pieces.

    Parameters
    ----------
    prior
        For a frame that was compressed with a prior of your own: that prior, or the path of its
        file. A frame without a prior, or with the shipped one, needs nothing.
    memory_limit
        Refuse a frame whose model takes more bytes of memory, before it takes any; None for what
        the machine has.
    only_prepared
        Refuse a frame whose prior has to be prepared first, which takes minutes. Set it where
        frames come from strangers: each level has to be prepared once.
    progress
        Called during `decompress` with the number of bytes decoded since the last call, after
        every 16 KiB or so; with 0 while a prior is prepared. It cannot use this decompressor.

    Examples
    --------
    >>> decompressor = Decompressor()
    >>> data = b"".join(decompressor.decompress(piece) for piece in pieces)
    >>> whole_and_verified = decompressor.eof
    """

    def __init__(
        self,
        *,
        prior: Prior | StrPath | None = None,
        memory_limit: int | None = None,
        only_prepared: bool = False,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self._guard = CallGuard()
        allowance = Allowance(check_memory_limit(memory_limit), only_prepared)
        self._frame = FrameState(as_prior(prior), allowance, progress)
        self._steps = decode_frame(self._frame)

    @property
    def eof(self) -> bool:
        """Whether the frame has been decoded to its end and its check has matched."""
        return self._frame.ended

    @property
    def needs_input(self) -> bool:
        """Whether no more data can be had before more of the frame is given."""
        return not self._frame.ended and not self._frame.undecoded

    @property
    def unused_data(self) -> bytes:
        """What was given beyond the end of the frame; perhaps the start of another frame."""
        return bytes(self._frame.unread) if self._frame.ended else b""

    @property
    def level(self) -> int | None:
        """The level that the frame was made with; None until the frame header has been read."""
        return self._frame.level

    @property
    def place(self) -> Place | None:
        """Where the data of the frame belong, if it is one of several parts."""
        return self._frame.place

    @property
    def last(self) -> bool:
        """Whether the data end with the frame; False where another part follows. Known at `eof`."""
        return self._frame.last

    def decompress(self, data: ReadableBuffer, max_length: int = -1) -> bytes:
        """Take some more of the frame, and return data decoded from it.

        Parameters
        ----------
        data
            Any bytes-like object; may be empty, to get more data from what was given before.
        max_length
            Return at most this many bytes; -1 means all there are. While `needs_input` is False,
            further calls return more.

        Raises
        ------
        CorruptStreamError
            If the frame is damaged, or the bytes are no frame at all.
        UnsupportedStreamError
            If this build cannot decode such a frame.
        PriorMismatchError
            If the frame needs a prior other than the one given.
        BadPriorError
            If that prior itself is damaged.
        MemoryLimitError
            If the frame needs more memory than the limit.
        NotPreparedError
            If its prior was not prepared, and only such may be used.
        GlnzipError
            If there is not enough memory for the model, or an earlier call failed.
        EOFError
            If the end of the frame was reached before.
        """
        view = byte_view(data)
        with self._guard:
            self._frame.unread += view
            self._frame.room = max_length if max_length >= 0 else sys.maxsize
            pieces = []
            while piece := next(self._steps, b""):
                pieces.append(piece)
            if self._frame.ended:
                self._frame.codec = None  # give the model's memory back at once
                self._guard.refuse(EOFError, "the end of the frame has been reached")
            return b"".join(pieces)


def byte_view(data: ReadableBuffer) -> memoryview:
    """Return a view of any bytes-like object as single bytes."""
    view = memoryview(data)
    try:
        return view.cast("B")
    except TypeError:  # nothing in it, or items that cannot be cast: big-endian, records
        return memoryview(view.tobytes())


def check_length(length: int, max_output: int | None) -> None:
    """Raise OutputLimitError if so many bytes of data are more than the limit, if there is one."""
    if max_output is not None and length > max_output:
        raise OutputLimitError(f"the stream holds more than the {max_output:,} bytes allowed")


def check_memory_limit(memory_limit: int | None) -> int | None:
    """Return `memory_limit`, if it is a number of bytes or none."""
    return None if memory_limit is None else index(memory_limit)


class CallGuard:
    """Lets one call in at a time, and none at all after the end or after a call that failed."""

    def __init__(self) -> None:
        self._lock = ForkedLock()
        self._is_in_use = False
        self._refusal: tuple[type[Exception], str] | None = None

    def refuse(self, error: type[Exception], reason: str) -> None:
        """Answer every later call with this error."""
        self._refusal = error, reason

    @property
    def refuses(self) -> bool:
        """Whether no call is let in any more."""
        return self._refusal is not None

    def __enter__(self) -> None:
        self._lock.acquire()
        if self._lock.abandoned:
            self.refuse(GlnzipError, "another thread was using it when this process was forked")
        elif self._is_in_use and self._refusal is None:
            self._lock.release()
            raise GlnzipError("a progress callback cannot use the object that calls it")
        if self._refusal is not None:
            self._lock.release()
            error, reason = self._refusal
            raise error(reason)
        self._is_in_use = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            reason = f"an earlier call did not finish: {str(error) or type(error).__name__}"
            self.refuse(type(error) if isinstance(error, GlnzipError) else GlnzipError, reason)
        self._is_in_use = False
        self._lock.release()
