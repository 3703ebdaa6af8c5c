"""Who is told how far the reading or preparing of a prior is: it takes minutes.

The program as a whole (`watch`), which shows a line on a terminal or at least logs one; and whoever
waits for it in this thread, by a callback (`counted_by`, `heard_by`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

from glnzip.system.notices import notice
from glnzip.system.units import human_size

_NOTICED_BYTES = 1 << 18  # what is more takes seconds

Report = Callable[[int], object]
"""Called now and then with the number of bytes that were dealt with since the last call."""
Watch = Callable[[str, int, bool], AbstractContextManager[Report]]


def _watch_silently(task: str, total: int, once: bool) -> AbstractContextManager[Report]:
    from glnzip.jit import hours_as_plain, why_plain

    if hours := hours_as_plain(total):
        notice(f"{task} takes about {hours:,} hours: {why_plain()}")
    elif total > _NOTICED_BYTES and once:
        notice(f"{task}, once ({human_size(total)}); glnzip.warmup does it ahead of time")
    elif total > _NOTICED_BYTES:
        notice(f"{task} ({human_size(total)})")
    return nullcontext(lambda count: None)


watch: Watch = _watch_silently
"""Called with what is being done, its size in bytes and whether it is kept for later processes when
something here takes long; what it returns is entered for that time and reported to. The command
line shows a progress line with it."""

_listener: ContextVar[Report | None] = ContextVar("listener", default=None)


@contextmanager
def counted_by(progress: Report | None) -> Iterator[None]:
    """Within the block, report to `progress`, too, how far a prior is read or prepared."""
    before = _listener.set(progress)
    try:
        yield
    finally:
        _listener.reset(before)


def heard_by(progress: Report | None) -> AbstractContextManager[None]:
    """Within the block, call `progress` with 0 while a prior is read or prepared.

    So whoever shows something while data are coded can show that something happens, and whoever
    wants to stop can raise an error.
    """
    return counted_by(progress and (lambda count: progress(0)))


@contextmanager
def watched(task: str, total: int, *, once: bool = True) -> Iterator[Report]:
    """Do something here that takes long: everyone who wants to know is told how far it is.

    It is done `once` if it is kept for later processes.
    """
    listener = _listener.get()
    with watch(task, total, once) as report:

        def tell(count: int) -> None:
            report(count)
            if listener is not None:
                listener(count)

        yield tell
