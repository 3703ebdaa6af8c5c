"""Where carriers may begin, one place after the other: the signs of all kinds, and coded text."""

from __future__ import annotations

from typing import Any, NamedTuple

from glnzip.transforms.unpacking.runs import CODE85, WORDS, Run, next_run
from glnzip.transforms.unpacking.signs import SIGN_BITS, next_sign


class Place(NamedTuple):
    """Where a carrier may begin."""

    start: int
    resume: int
    """Where to look for more of its sort if it is none."""
    what: int | Run
    """Its sign, or all that is known of a text."""


class Places:
    """Those in a range of a buffer.

    Parameters
    ----------
    buffer : uint8[:]
    begin, end : int
    """

    def __init__(self, buffer: Any, begin: int, end: int) -> None:
        self._buffer = buffer
        self._end = end
        self._sorts = (CODE85, WORDS, None)  # of what is looked for; None: signs
        self._ahead = [Place(-1, begin, -1)] * len(self._sorts)
        self._at = [begin] * len(self._sorts)  # where to look for more of each sort

    def next(self, after: int) -> Place | None:
        """The next place from `after` on that was not returned yet."""
        for k, values in enumerate(self._sorts):
            begin = max(after, self._at[k])
            if self._ahead[k].start < begin:
                self._ahead[k] = self._find(values, begin)
        k, first = min(enumerate(self._ahead), key=lambda item: item[1].start)
        self._at[k] = first.resume
        return first if first.start < self._end else None

    def _find(self, values: Any, at: int) -> Place:
        """The first place of a sort; one at the end if there is none."""
        if values is None:
            found = int(next_sign(self._buffer, at, self._end))
            if found >= 0:
                start = found >> SIGN_BITS
                return Place(start, start + 1, found & (1 << SIGN_BITS) - 1)
        else:
            run = next_run(self._buffer, at, self._end, values)
            if run is not None:
                return Place(run.start, run.end, run)
        return Place(self._end, self._end, -1)
