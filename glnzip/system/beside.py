"""Work done by a process beside this one, which leaves its result on the disk.

That is done for the command line alone, which sets `is_allowed`: only there is it certain that
`sys.executable` runs Python, and that nobody minds a child process. Whatever goes wrong with it is
not told: who does not find the result does the work.
"""

from __future__ import annotations

import os
import sys
from subprocess import DEVNULL, Popen

is_allowed = False
_child: list[Popen[bytes]] = []

_PATH = "import sys; sys.path[:] = sys.argv[1:]\n"
"""Modules come from where this process has them, and from nowhere else."""


def begin(code: str) -> bool:
    """Run a piece of Python, if there is another processor; return whether that was begun."""
    if not is_allowed or _child or (os.cpu_count() or 1) < 2:
        return False
    command = [sys.executable, "-c", _PATH + code, *sys.path]
    try:
        _child.append(Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL))
    except OSError:
        return False
    return True


def end() -> bool:
    """Wait for what was begun; return whether anything was."""
    if not _child:
        return False
    _child.pop().wait()
    return True
