"""The way back: a frame in pieces of any size to data.

`Decompressor` hands out data as soon as they are decoded. The check at the end of the frame can
come only after the data, so data handed out are not yet verified: they are once `eof` is True, and
`decompress` raises an error instead if the check fails. (`gzip` and `lzma` work the same way.)
`glnzip.decompress` returns verified data only.
"""

from __future__ import annotations

import sys
from functools import partial
from operator import index
from typing import TYPE_CHECKING

from glnzip.errors import OutputLimitError
from glnzip.format.container import Place
from glnzip.frames.decoder import FrameState, decode_frame
from glnzip.priors.allowance import Allowance, check_memory_limit
from glnzip.priors.prior import Prior, as_prior, open_frame
from glnzip.streams.calls import CallGuard, Uncopied
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import ReadableBuffer, StrPath


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
        prior = as_prior(prior)
        self._frame = FrameState(
            partial(open_frame, given=prior, allowance=allowance, progress=progress), progress
        )
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
        most = index(max_length)
        with self._guard:
            self._frame.unread += view
            self._frame.room = most if most >= 0 else sys.maxsize
            pieces = []
            while piece := next(self._steps, b""):
                pieces.append(piece)
            if self._frame.ended:
                self._frame.codec = None  # give the model's memory back at once
                self._guard.refuse(EOFError, "the end of the frame has been reached")
            return b"".join(pieces)


def check_length(length: int, max_output: int | None) -> None:
    """Raise OutputLimitError if so many bytes of data are more than the limit, if there is one."""
    if max_output is not None and length > max_output:
        raise OutputLimitError(f"the stream holds more than the {max_output:,} bytes allowed")
