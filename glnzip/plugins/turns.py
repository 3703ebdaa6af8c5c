"""How many chunks of arrays are worked on at a time: libraries give each a thread of its own.

Each thread has a model in memory, a gigabyte at the default level, and threads beyond the number of
CPUs gain nothing. So they take turns, for each level apart.
"""

from __future__ import annotations

import os
from threading import BoundedSemaphore

from glnzip.format.levels import LEVELS
from glnzip.streams.workers import affordable
from glnzip.system.machine import usable_memory

_turns: dict[int, BoundedSemaphore] = {}


def turn(level: int) -> BoundedSemaphore:
    """What to hold while a model of this level is in memory."""
    return _turns[level]


def at_a_time(level: int) -> int:
    """As many models as there are CPUs, and as fit into half of the memory; at least one."""
    memory = usable_memory()
    return affordable(os.cpu_count() or 1, None if memory is None else memory // 2, level)


def _begin() -> None:
    """Nobody has a turn: a forked process, too, begins without the threads that had one."""
    _turns.update((level, BoundedSemaphore(at_a_time(level))) for level in LEVELS)


_begin()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin)
