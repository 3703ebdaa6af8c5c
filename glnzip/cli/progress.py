"""How far a piece of work is: a count for everyone, a line on the terminal for long work.

The line is drawn on standard error, only if that is a terminal, and only once the work has taken
a second: short work stays silent. It is redrawn in place and gone when the work ends. There is room
for one: of several pieces of work at a time, the one that was begun last has it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from glnzip.cli.text import human_size, human_time, ratio, speed
from glnzip.system.unfinished import undone_if_killed

SILENT_SECONDS = 1.0
REDRAW_SECONDS = 0.2
_begun: list[Progress] = []
"""What is at work, in the order in which it was begun."""


def may_draw() -> bool:
    """Whether there is a terminal to draw on."""
    return sys.stderr.isatty()


class Progress:
    """Counts the bytes of one input through the work, and draws them.

    Parameters
    ----------
    name
        What is being worked on, fit to be shown.
    total
        Original bytes in all, or None if that is unknown (a pipe).
    compressing
        The direction: whether the bytes read or the bytes written are the original ones.
    visible
        Whether a line may be drawn.
    clock
        Seconds, as from `time.monotonic`.
    """

    def __init__(
        self,
        name: str,
        total: int | None,
        *,
        compressing: bool,
        visible: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.bytes_read = 0
        self.bytes_written = 0
        self._ratio: str | None = None
        self.name = name
        self._total = total
        self._compressing = compressing
        self._visible = visible
        self._clock = clock
        self._start = clock()
        self._first: tuple[float, int] | None = None  # when the first step was done, and its bytes
        self._next_draw = self._start + SILENT_SECONDS
        self._drawn = False

    @property
    def seconds(self) -> float:
        """Time since the work began."""
        return self._clock() - self._start

    @property
    def original(self) -> int:
        """Bytes on the original side so far."""
        return self.bytes_read if self._compressing else self.bytes_written

    @property
    def compressed(self) -> int:
        """Bytes on the compressed side so far."""
        return self.bytes_written if self._compressing else self.bytes_read

    def advance(self, bytes_read: int, bytes_written: int) -> None:
        """Count one more step of the work, and draw if it is time to.

        One side may be counted by one thread and the other by others, one of them at a time.
        """
        if bytes_read:
            self.bytes_read += bytes_read
        if bytes_written:
            self.bytes_written += bytes_written
        if bytes_written and self.original:  # between two blocks: then both sides are complete
            self._ratio = ratio(self.compressed, self.original)
        if self._first is None and self.original:
            self._first = self._clock(), self.original
        if self._visible and self._clock() >= self._next_draw and self._has_the_line():
            self._next_draw = self._clock() + REDRAW_SECONDS
            self._drawn = True
            _write(f"\r{self.line()[: _terminal_width() - 1]}\x1b[K")

    def line(self) -> str:
        """The state of the work in one line: share done, sizes, ratio, speed, time left."""
        sizes = f"{human_size(self.bytes_read)} -> {human_size(self.bytes_written)}"
        seconds, count = self._pace()
        parts = [self.name, sizes, speed(count, seconds) if count else ""]
        if self._compressing:  # a decoder reads a block ahead: the ratio means nothing yet
            if self._ratio is None:  # nothing but a header has come out
                parts[1] = human_size(self.bytes_read)
            else:
                parts.insert(2, self._ratio)
        if self._total and self.original:
            done = min(1.0, self.original / self._total)  # a growing file passes its size
            parts.insert(1, f"{100 * done:.0f} %")
            if count:
                left = max(0, self._total - self.original)
                parts.append(f"{human_time(left * seconds / count)} left")
        return "  ".join(filter(None, parts))

    def _has_the_line(self) -> bool:
        return not _begun or _begun[-1] is self

    def _pace(self) -> tuple[float, int]:
        """Seconds and original bytes since the first step, in which something may be compiled."""
        if self._first is None:
            return 0.0, 0
        start, before = self._first
        return self._clock() - start, self.original - before

    def close(self) -> None:
        """Take the line off the terminal."""
        if self._drawn:
            self._drawn = False
            _write("\r\x1b[K")


@contextmanager
def progress_line(
    name: str, total: int | None, *, compressing: bool, visible: bool
) -> Iterator[Progress]:
    """A `Progress` whose line is gone after the block, also if a signal ends the process in it."""
    progress = Progress(name, total, compressing=compressing, visible=visible)
    with undone_if_killed(progress.close), closing(progress):
        _begun.append(progress)
        try:
            yield progress
        finally:
            _begun.remove(progress)


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _terminal_width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80
