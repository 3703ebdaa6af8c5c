"""The way in: data in pieces of any size to a frame, or to several.

`Compressor` collects data until a block is full, then gives it to the frame; so the pieces that the
data came in leave no trace. The frame looks at what they are, and holds back what belongs to data
that are still to come, 16 MiB at most. On request it makes several frames, the parts of a whole.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from glnzip.format.container import BLOCK_BYTES, Place
from glnzip.format.levels import DEFAULT_LEVEL, check_level
from glnzip.priors.allowance import NO_LIMITS, check_models
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.priors.watching import heard_by
from glnzip.streams.calls import CallGuard, Uncopied
from glnzip.streams.new_frame import check_block_size, new_frame, whole_name
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import ReadableBuffer, StrPath

    from glnzip.frames.either import EitherFrame
    from glnzip.frames.writer import FrameWriter


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
        Of what was unpacked, its share of the bytes that had been packed.
    unpack
        Whether data that were compressed before, as in zip, gzip, PNG and PDF, are looked for and
        unpacked for the model, and packed again, into the very same bytes, when they are
        decompressed. Otherwise data are taken as they come, and JPEG has no model of its own.
    or_none
        Whether the first two megabytes (of each part) are compressed without the prior as well, to
        go on with what is smaller. Until then nothing is returned, and time and memory are doubled.

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
        unpack: bool = True,
        or_none: bool = False,
    ) -> None:
        check_models(check_level(level), NO_LIMITS, or_none=or_none)  # before libraries are loaded
        prior = as_prior(prior)
        if prior is not None:
            with heard_by(progress):
                _ = prior.id  # may have to be decoded: damage is found before any data come
        self._new_frame = partial(
            new_frame, level, prior, progress, unpacks=unpack, or_none=or_none
        )
        self._guard = CallGuard()
        self._pending = bytearray()
        self._output = bytearray()
        self._frame: FrameWriter | EitherFrame | None = None
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
                    self._write_pending()
            return self._take_output()

    def end_block(self) -> bytes:
        """Return all of the stream that the data given so far make, and go on with a new block.

        A receiver can then decode these data at once; the model carries on. Each call costs a few
        bytes. Unlike the cut of `compress` into pieces, it shows in the stream.
        """
        with self._guard:
            self._write_pending()
            if self._frame is not None:
                self._frame.end_block()
            return self._take_output()

    def flush(self) -> bytes:
        """End the stream and return the rest of it; the compressor cannot be used afterwards."""
        with self._guard:
            self._write_pending()
            self._end_frame(last=True)
            self._guard.refuse(ValueError, "the compressor has been flushed")
            return self._take_output()

    def _write_pending(self) -> None:
        """Give the pending data to the frame; fewer than a block are the last for now."""
        if self._pending:
            block = bytes(self._pending)
            self._pending.clear()
            self._current_frame(block).write(block, final=len(block) < BLOCK_BYTES)

    def _current_frame(self, block: bytes) -> FrameWriter | EitherFrame:
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
