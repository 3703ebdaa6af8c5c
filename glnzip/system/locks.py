"""Locks that a forked process finds open.

A child process begins with a copy of all locks and with one thread. A lock that another thread held
would never open there.
"""

from __future__ import annotations

import os
from threading import RLock
from weakref import WeakSet

_all: WeakSet[ForkedLock] = WeakSet()


class ForkedLock:
    """A reentrant lock that is open in a child process if another thread held it.

    Attributes
    ----------
    abandoned : bool
        Whether that was so: what it guards may be half-way through something.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self.abandoned = False
        _all.add(self)

    def acquire(self) -> None:
        """Wait until no other thread holds it."""
        self._lock.acquire()

    def release(self) -> None:
        """Let others have it."""
        self._lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def after_fork(self) -> None:
        """In a child process: be open, unless this very thread holds it."""
        if self._lock.acquire(blocking=False):
            self._lock.release()
        else:
            self._lock = RLock()
            self.abandoned = True


def _after_fork() -> None:
    for lock in list(_all):
        lock.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
