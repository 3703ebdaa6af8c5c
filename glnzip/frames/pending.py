"""Data on their way into blocks: what has come, until it is known how it is to be coded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from glnzip.frames.share import share

if TYPE_CHECKING:
    from glnzip.frames.share import Report
    from glnzip.planner.stretches import Stretch
    from glnzip.transforms.unpacking.long_streams import GoesOn


class PendingData:
    """Data that wait, and the stretches that they become.

    Parameters
    ----------
    level
        That of the model to come.
    unpacks
        Whether data that others have packed are unpacked, and each kind of data has blocks of its
        own. Otherwise what is given makes one block.
    progress
        Called with the number of bytes of data coded since the last call.
    is_known
        Tells of packed data whether the model knows them as they are, if it may.
    """

    def __init__(
        self,
        level: int,
        progress: Report | None,
        *,
        unpacks: bool,
        is_known: Callable[[bytes], bool] | None = None,
    ) -> None:
        self._progress = progress
        self._level = level
        self._unpacks = unpacks
        self._is_known = is_known
        self._bytes = bytearray()
        self._wanted = 0  # bytes that must be pending before they are looked at again
        self._cuts: list[int] = []  # in what is pending and what follows it
        self._begun: GoesOn | None = None  # what goes on with it
        self._address: int | None = None  # that of it, if it goes on with A64 code

    def __bool__(self) -> bool:
        return bool(self._bytes)

    def stretches(
        self, data: bytes, *, final: bool
    ) -> Iterator[tuple[bytes, Stretch, Report | None]]:
        """Take some more data, and yield those that are ready, each with what it becomes.

        Third comes what the bytes of its blocks are to be reported to as they are coded.

        What is ready depends on how many there are at the time, so whoever wants the same blocks
        from the same data gives pieces of the same sizes. With the `final` piece, all are. Data
        that wait for others are not looked at all the time.
        """
        from glnzip.planner.stretches import next_stretch, plain_stretch

        self._bytes += data
        while self._bytes and (final or len(self._bytes) >= self._wanted):
            pending = bytes(self._bytes)
            if self._unpacks:
                stretch = next_stretch(
                    pending,
                    self._level,
                    final=final,
                    cuts=self._cuts,
                    begun=self._begun,
                    address=self._address,
                    is_known=self._is_known,
                )
            else:
                stretch = plain_stretch(pending, self._level, self._is_known)
            if stretch is None:
                self._wanted = 2 * len(self._bytes)
                break
            self._wanted = 0
            self._cuts = stretch.cuts
            self._begun = stretch.begun
            self._address = stretch.address
            del self._bytes[: stretch.length]
            yield pending[: stretch.length], stretch, self._report(stretch)

    def _report(self, stretch: Stretch) -> Report | None:
        if stretch.header is None:
            return self._progress
        return share(self._progress, stretch.length, stretch.header.unpacked)
