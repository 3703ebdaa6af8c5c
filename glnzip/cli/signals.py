"""What a signal does: undo half-finished work, then end the process as that signal ends others.

The work is undone inside the signal handler rather than by an exception unwinding the stack: an
exception can be swallowed on its way (a callback from compiled code ignores it) or interrupted by
a second Ctrl-C. The process then dies of the very signal it got, so that a shell sees 128 + its
number (130 for Ctrl-C, 143 for SIGTERM, 141 for a closed pipe) and stops a loop it was running.
"""

from __future__ import annotations

import os
import signal
from types import FrameType

from glnzip.system.unfinished import undo_all

FATAL_SIGNALS = ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGXCPU")


def handle_signals() -> None:
    """Let every fatal signal undo what is unfinished before it kills."""
    for name in FATAL_SIGNALS:
        number = getattr(signal, name, None)  # Windows lacks some
        # A parent that had a signal ignored (nohup) meant it, but SIGPIPE is ignored by Python.
        if number is not None and (
            name == "SIGPIPE" or signal.getsignal(number) is not signal.SIG_IGN
        ):
            signal.signal(number, _die)


def _die(number: int, frame: FrameType | None) -> None:
    undo_all()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)
    os._exit(128 + number)  # the first process of a container survives its own signals
