"""How far the coding of a stretch is, in bytes of the data that it stands for.

What is coded of a stretch is its recipe and content, often many more bytes than those that were
packed. Whoever watches knows of the latter only; so they are counted in proportion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import overload

Report = Callable[[int], object]
"""Called with the number of bytes that were coded since the last call."""


@overload
def share(report: Report, whole: int, parts: int) -> Report: ...


@overload
def share(report: None, whole: int, parts: int) -> None: ...


@overload
def share(report: Report | None, whole: int, parts: int) -> Report | None: ...


def share(report: Report | None, whole: int, parts: int) -> Report | None:
    """What `parts` bytes in all can be reported to as they are coded: it reports `whole` bytes."""
    if report is None:
        return None
    coded = 0

    def advance(count: int) -> None:
        nonlocal coded
        before = coded * whole // parts
        coded += count
        report(coded * whole // parts - before)

    return advance
