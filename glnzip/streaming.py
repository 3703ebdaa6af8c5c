"""The incremental interface: data in pieces of any size to a frame, and a frame back to data.

`Compressor` collects data until a block is full, then has the model code it; so the pieces that the
data came in leave no trace in the frame, and it never holds more than one block. `Decompressor`
takes a frame in pieces of any size and hands out data as soon as it is decoded. The check at the
end of the frame can come only after the data, so data handed out are not yet verified: they are
once `eof` is True, and `decompress` raises an error instead if the check fails. (`gzip` and `lzma`
work the same way.) `glnzip.decompress` returns verified data only.

Both objects may be shared between threads: a guard lets one call in at a time. An error, or Ctrl-C,
in the middle of a call leaves the model half-way through a block, so the object refuses to go on.
"""

from __future__ import annotations

import sys
from threading import Lock
from typing import TYPE_CHECKING
from zlib import crc32

from glnzip.container import (
    BLOCK_BYTES,
    CHECK_BYTES,
    END_TAG,
    BlockHeader,
    FrameHeader,
    write_block_header,
    write_frame_header,
)
from glnzip.errors import GlnzipError
from glnzip.frame_decoder import FrameState, allocate_codec, decode_frame
from glnzip.levels import DEFAULT_LEVEL, MODEL_GENERATION, check_level
from glnzip.prior import SHIPPED_PRIOR, Prior

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from _typeshed import ReadableBuffer

    from glnzip.block_codec import BlockCodec


class Compressor:
    """Compress data that come in pieces, into one frame.

    Parameters
    ----------
    level
        1 (fast) to 9 (small). It sets the memory that both compressing and decompressing take.
    prior
        What the model has seen before the data; None for nothing. Whoever decompresses needs the
        same; the shipped one comes with this package.
    progress
        Called during `compress` and `flush` with the number of bytes coded since the last call,
        after every 16 KiB or so. It must not use this compressor.

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
        prior: Prior | None = SHIPPED_PRIOR,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self._level = check_level(level)
        self._prior = prior
        self._progress = progress
        self._guard = _CallGuard()
        self._codec: BlockCodec | None = None
        self._pending = bytearray()
        self._output = bytearray()
        self._check = 0
        prior_id = None if prior is None else bytes.fromhex(prior.id)
        self._write(write_frame_header(FrameHeader(MODEL_GENERATION, self._level, prior_id)))

    def compress(self, data: ReadableBuffer) -> bytes:
        """Take some more data, and return what of the frame is ready, often nothing.

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
                room = BLOCK_BYTES - len(self._pending)
                self._pending += view[:room]
                view = view[room:]
                if len(self._pending) == BLOCK_BYTES:
                    self._write_block()
            return self._take_output()

    def end_block(self) -> bytes:
        """Return all of the frame that the data given so far make, and go on with a new block.

        A receiver can then decode these data at once; the model carries on. Each call costs a few
        bytes. Unlike the cut of `compress` into pieces, it shows in the frame.
        """
        with self._guard:
            if self._pending:
                self._write_block()
            return self._take_output()

    def flush(self) -> bytes:
        """End the frame and return the rest of it; the compressor cannot be used afterwards."""
        with self._guard:
            if self._pending:
                self._write_block()
            self._write(END_TAG)
            self._output += self._check.to_bytes(CHECK_BYTES, "little")
            self._codec = None  # give the model's memory back at once
            self._guard.refuse(ValueError, "the compressor has been flushed")
            return self._take_output()

    def _write_block(self) -> None:
        """Code the pending data as a block, or store them where coding would not pay."""
        from glnzip.block_codec import plan_block

        block = bytes(self._pending)
        self._pending.clear()
        self._codec = self._codec or allocate_codec(self._level, self._prior, len(block))
        plan = plan_block(block)
        payload = self._codec.encode(block, plan, self._progress)
        body = block if payload is None else payload
        header = BlockHeader(payload is None, plan, len(block), len(body))
        self._write(write_block_header(header))
        self._write(body)
        if not header.stored:
            self._check = crc32(block, self._check)

    def _write(self, part: bytes) -> None:
        self._output += part
        self._check = crc32(part, self._check)

    def _take_output(self) -> bytes:
        output = bytes(self._output)
        self._output.clear()
        return output


class Decompressor:
    """Decompress one frame that comes in pieces.

    Parameters
    ----------
    prior
        For a frame that was compressed with a prior of your own. One without a prior, or with the
        shipped one, needs nothing.

    Examples
    --------
    >>> decompressor = Decompressor()
    >>> data = b"".join(decompressor.decompress(piece) for piece in pieces)
    >>> whole_and_verified = decompressor.eof
    """

    def __init__(self, *, prior: Prior | None = None) -> None:
        self._guard = _CallGuard()
        self._frame = FrameState(prior)
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


class _CallGuard:
    """Lets one call in at a time, and none at all after the end or after a call that failed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._refusal: tuple[type[Exception], str] | None = None

    def refuse(self, error: type[Exception], reason: str) -> None:
        """Answer every later call with this error."""
        self._refusal = error, reason

    def __enter__(self) -> None:
        self._lock.acquire()
        if self._refusal is not None:
            self._lock.release()
            error, reason = self._refusal
            raise error(reason)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            self.refuse(
                GlnzipError, f"an earlier call did not finish: {str(error) or type(error).__name__}"
            )
        self._lock.release()
