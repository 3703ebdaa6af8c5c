"""Run one command in a child process and tell how long it took and how much memory it used."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

LAUNCHER = Path(__file__).with_name("launcher.py")


class ChildFailed(Exception):
    """The command could not be run or did not exit with status 0."""


class ChildRun(NamedTuple):
    """What one run of a command cost."""

    seconds: float  # wall clock, from start to exit
    peak_bytes: int  # the most memory it held at once


def run(
    command: Sequence[str],
    *,
    folder: Path | None = None,
    stdin: str = os.devnull,
    stdout: str = os.devnull,
    piped: bytes | None = None,
    environment: Mapping[str, str] | None = None,
) -> ChildRun:
    """Run `command` to its end.

    Parameters
    ----------
    command
        The program and its arguments; no shell is involved.
    folder
        Where it runs, and where relative `stdin` and `stdout` lie. Default: here.
    stdin, stdout
        Files for its standard input and output.
    piped
        Bytes to send through a pipe instead of `stdin`.
    environment
        Variables to set besides those of this process.

    Raises
    ------
    ChildFailed
        If the exit status is not 0; the message ends with what the command said.
    """
    source = stdin if piped is None else "-"
    finished = subprocess.run(
        [sys.executable, "-I", "-S", str(LAUNCHER), source, stdout, *command],
        cwd=folder,
        input=b"" if piped is None else piped,
        capture_output=True,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    figures = finished.stdout.split()
    said = finished.stderr.decode(errors="replace").strip()[-500:]
    if len(figures) != 3:
        raise ChildFailed(f"cannot run {' '.join(command)}: {said}")
    seconds, peak_bytes, status = float(figures[0]), int(figures[1]), int(figures[2])
    if status != 0:
        raise ChildFailed(f"{' '.join(command)} exited with {status}: {said}")
    return ChildRun(seconds, peak_bytes)
