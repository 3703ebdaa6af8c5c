"""Memory of a model that is gone, for the next one of the process.

The system clears memory before it hands it out, and virtual machines may have to ask their host for
it first: for the hundreds of megabytes of a prepared model, that takes longer than reading it.
So the last such memory stays with the process, marked as free: a system that is short of memory
takes it back without asking.
"""

from __future__ import annotations

import mmap
import weakref
from collections import deque
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

_spare: deque[mmap.mmap] = deque(maxlen=1)
_lent: deque[None] = deque()  # one for each that somebody has


def is_at_hand() -> bool:
    """Whether memory is kept here, and nobody has any: the next model's may be used again."""
    return hasattr(mmap, "MADV_FREE") and not _lent


def new_memory(size: int) -> NDArray[np.uint8]:
    """At least `size` bytes with any content, beginning on a page.

    When the array and all views of it are gone, the memory is spare. Raises MemoryError if there is
    none.
    """
    region = _spare_region(size) or _new_region(size)
    memory = np.frombuffer(region, np.uint8)
    _lent.append(None)
    weakref.finalize(memory, _keep, region).atexit = False
    return memory


def _spare_region(size: int) -> mmap.mmap | None:
    try:
        region = _spare.pop()
    except IndexError:
        return None
    return region if size <= len(region) <= 2 * size else None


def _new_region(size: int) -> mmap.mmap:
    options: dict[str, int] = {}
    if hasattr(mmap, "MAP_PRIVATE"):  # not on Windows, where memory is so anyway
        options["flags"] = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    try:
        region = mmap.mmap(-1, size, **options)
    except OSError as error:
        raise MemoryError("memory for a model could not be allocated") from error
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # not every kernel has them
            region.madvise(mmap.MADV_HUGEPAGE)
    return region


def _keep(region: mmap.mmap) -> None:
    _lent.pop()
    if hasattr(mmap, "MADV_FREE"):
        with suppress(OSError):  # then it is not kept
            region.madvise(mmap.MADV_FREE)
            _spare.append(region)
