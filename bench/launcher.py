"""Run one command; print its wall-clock seconds, peak memory in bytes and exit status.

Usage: ``python -I -S launcher.py STDIN STDOUT COMMAND...`` where STDIN is a file to read, or ``-``
for this process's own standard input, and STDOUT is a file to write.

This is a process of its own because a child's peak memory starts at that of the process it was
started from: a benchmark that has compressed something would lend every program its own hundreds
of megabytes. It imports next to nothing, so the figure is true from about 10 MB upwards.
"""

import os
import sys
import time


def main(stdin: str, stdout: str, *command: str) -> None:
    """Run `command` and print the three figures."""
    files = [(os.POSIX_SPAWN_OPEN, 1, stdout, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
    if stdin != "-":
        files.append((os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0))
    started = time.perf_counter()
    try:
        child = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
    except OSError as error:
        sys.exit(str(error))
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - started
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss
    print(seconds, usage.ru_maxrss * unit, os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(*sys.argv[1:])
