"""How much memory this process may use."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

_CGROUP_LIMITS = ("memory.max", "memory/memory.limit_in_bytes")  # version 2, version 1
_CGROUPS = Path("/sys/fs/cgroup")


@cache
def usable_memory() -> int | None:
    """Bytes of memory that the machine has, or the container, or that `ulimit` leaves.

    None where the system does not tell.
    """
    known = [*_of_machine(), *_of_container(), *_of_process()]
    return min(known) if known else None


def _of_machine() -> list[int]:
    with suppress(AttributeError, ValueError, OSError):
        return [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    return _of_windows()


def _of_windows() -> list[int]:
    import ctypes

    kernel32 = getattr(getattr(ctypes, "windll", None), "kernel32", None)
    kilobytes = ctypes.c_ulonglong()
    if kernel32 is None or not kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes)):
        return []
    return [kilobytes.value << 10]


def _of_container() -> list[int]:
    """The limits of the control group that the process sees as the root of all."""
    found = []
    for name in _CGROUP_LIMITS:
        with suppress(OSError, ValueError):  # none, or "max"
            found.append(int((_CGROUPS / name).read_text()))
    return found


def _of_process() -> list[int]:
    try:
        import resource
    except ImportError:
        return []
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return [limit for limit in limits if limit != resource.RLIM_INFINITY]
