"""How much memory, and how many addresses, this process may use."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

_CGROUP_LIMITS = ("memory.max", "memory/memory.limit_in_bytes")  # version 2, version 1
_CGROUPS = Path("/sys/fs/cgroup")


@cache
def usable_memory() -> int | None:
    """Bytes of memory that the machine has, or the container, or that `ulimit -d` leaves.

    None where the system does not tell.
    """
    known = [*_of_machine(), *_of_container(), *_of_process()]
    return min(known) if known else None


def free_addresses() -> int | None:
    """Bytes of address space that `ulimit -v` leaves; None where there is no limit to it.

    Libraries, compilers above all, do not fail in an orderly way where these come to an end.
    """
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return None
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        return None
    return limit - pages * resource.getpagesize()


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
    limit = resource.getrlimit(resource.RLIMIT_DATA)[0]
    return [] if limit == resource.RLIM_INFINITY else [limit]
