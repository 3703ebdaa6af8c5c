"""Files that were written to and not closed: their data are saved before Python ends.

Python drops what is left at its end when nothing can be imported any more, which is too late to run
a model. So such files are closed a moment before, as files of `lzma` and `gzip` are when dropped.
"""

from __future__ import annotations

import atexit
import gc
import io
from contextlib import ExitStack
from importlib import import_module
from weakref import WeakSet

_written: WeakSet[io.BufferedIOBase] = WeakSet()


def close_at_exit(file: io.BufferedIOBase) -> None:
    """Close a file when Python ends, unless it is gone by then."""
    import_module("concurrent.futures.thread")  # which models need, and which cannot be had then
    _written.add(file)


@atexit.register
def _close_all() -> None:
    with ExitStack() as stack:  # all are closed, whatever happens to one
        for file in list(_written):
            stack.callback(file.close)
            for user in gc.get_referrers(file):  # where text, say, waits for more
                if isinstance(user, (io.TextIOWrapper, io.BufferedWriter)) and not user.closed:
                    stack.callback(user.flush)  # before `close`
