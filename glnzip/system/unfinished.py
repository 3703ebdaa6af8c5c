"""What is to be undone if the process is killed in the midst of some work.

A file that is not complete yet is known to the code that writes it, and signals are dealt with by
the program around it: this is where the two meet.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_undo_stack: list[Callable[[], None]] = []


@contextmanager
def undone_if_killed(undo: Callable[[], None]) -> Iterator[None]:
    """Call `undo` should a signal end the process inside this block; it may be called twice."""
    _undo_stack.append(undo)
    try:
        yield
    finally:
        _undo_stack.remove(undo)


@contextmanager
def unfinished_name(path: str) -> Iterator[str]:
    """A name beside `path` for what is to be there when it is complete.

    What has that name after the block, or if a signal ends the process inside it, is removed.
    """
    temporary = os.path.join(os.path.dirname(path), f".glnzip-{os.urandom(8).hex()}")

    def remove() -> None:
        with suppress(OSError):
            os.unlink(temporary)

    with undone_if_killed(remove):
        try:
            yield temporary
        finally:
            remove()


def undo_all() -> None:
    """Undo all that is unfinished, the latest first."""
    for undo in reversed(_undo_stack):
        undo()
