"""What a signal does: undo half-finished work, then end the process as that signal ends others.

The work is undone inside the signal handler rather than by an exception unwinding the stack: an
exception can be swallowed on its way (a callback from compiled code ignores it) or interrupted by
a second Ctrl-C. The process then dies of the very signal it got, so that a shell sees 128 + its
number (130 for Ctrl-C, 143 for SIGTERM, 141 for a closed pipe) and stops a loop it was running.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

FATAL_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE")

_undo_stack: list[Callable[[], None]] = []


def handle_signals() -> None:
    """Let every fatal signal run what `undone_if_killed` was given before it kills."""
    for name in FATAL_SIGNALS:
        number = getattr(signal, name, None)  # Windows lacks some
        # A parent that had a signal ignored (nohup) meant it, but SIGPIPE is ignored by Python.
        if number is not None and (
            name == "SIGPIPE" or signal.getsignal(number) is not signal.SIG_IGN
        ):
            signal.signal(number, _die)


@contextmanager
def undone_if_killed(undo: Callable[[], None]) -> Iterator[None]:
    """Call `undo` should a signal end the process inside this block; it may be called twice."""
    _undo_stack.append(undo)
    try:
        yield
    finally:
        _undo_stack.remove(undo)


def _die(number: int, frame: FrameType | None) -> None:
    for undo in reversed(_undo_stack):
        undo()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)
    os._exit(128 + number)  # the first process of a container survives its own signals
