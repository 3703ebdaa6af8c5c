"""A frame with a prior, or without: which of the two is found out on the first of the data.

A prior helps nearly always, and most at the beginning. Where it is in the way, of large data unlike
anything in it, that shows later: so the two are not compared by what they have made so far alone.
"""

from __future__ import annotations

from collections.abc import Callable

from glnzip.format.container import BLOCK_BYTES
from glnzip.frames.writer import FrameWriter

TRIAL_BYTES = 2 * BLOCK_BYTES
"""Of data that both frames are given, if there are as many ..."""
LEAST_MADE = 1024
"""... and more, until each has made so many bytes of them: data may be waiting for others ..."""
MOST_BYTES = 32 * BLOCK_BYTES
"""... but no more than these."""


class EitherFrame:
    """Two frames in the making, of the same data; `take` returns what is ready of the smaller one.

    Parameters
    ----------
    begin
        Makes each of them. What is the same size goes to the first.
    """

    def __init__(self, *begin: Callable[[], FrameWriter]) -> None:
        self._frames = [make() for make in begin]
        self._ready = [b"" for _ in self._frames]
        self._half: list[int] | None = None  # bytes made of the first half of the trial
        self._given = 0

    def write(self, data: bytes, *, final: bool) -> None:
        """Take some more data: see `FrameWriter.write`."""
        for frame in self._frames:
            frame.write(data, final=final)
        self._given += len(data)
        if len(self._frames) > 1:
            self._collect()
            if self._half is None and self._given >= TRIAL_BYTES // 2:
                self._half = [len(ready) for ready in self._ready]
            made = min(len(ready) for ready in self._ready)
            if self._given >= (TRIAL_BYTES if made >= LEAST_MADE else MOST_BYTES):
                self._decide(more=True)

    def end_block(self) -> None:
        """Code all data that were given so far; they are to be had at once, so this decides."""
        for frame in self._frames:
            frame.end_block()
        self._decide(more=True)

    def end(self, *, last: bool = True) -> None:
        """End the frame; `last` is False where another part follows."""
        for frame in self._frames:
            frame.end(last=last)
        self._decide(more=False)

    def take(self) -> bytes:
        """Return what is ready of the frame that was chosen; nothing before."""
        if len(self._frames) > 1:
            return b""
        ready = self._ready[0] + self._frames[0].take()
        self._ready[0] = b""
        return ready

    def _collect(self) -> None:
        self._ready = [
            ready + frame.take() for ready, frame in zip(self._ready, self._frames, strict=True)
        ]

    def _decide(self, *, more: bool) -> None:
        """Go on with one of them; if more data are to come, think of as many as there were."""
        if len(self._frames) == 1:
            return
        self._collect()
        sizes = [len(ready) for ready in self._ready]
        if more and self._half is not None:
            sizes = [size + 2 * (size - half) for size, half in zip(sizes, self._half, strict=True)]
        best = sizes.index(min(sizes))
        self._frames, self._ready = [self._frames[best]], [self._ready[best]]
