"""What the command tells its user, a line each on standard error, and its exit statuses."""

from __future__ import annotations

import sys

from glnzip.cli.files import STANDARD_STREAM
from glnzip.cli.text import printable
from glnzip.errors import MemoryLimitError, OutputLimitError

SUCCESS = 0
FAILURE = 1  # a wrong command line has 2, from click


def say(message: str) -> None:
    """Write one line to standard error, in the name of the program."""
    print(f"glnzip: {message}", file=sys.stderr, flush=True)


def complain(name: str, error: BaseException) -> None:
    """Say in one line what is wrong with a file."""
    say(f"{label(name)}: {printable(reason(error))}")


def label(name: str) -> str:
    """An input's name, as it is shown."""
    return "standard input" if name == STANDARD_STREAM else printable(name)


def reason(error: BaseException) -> str:
    """What an error says, and which option is about it."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, MemoryError):
        return "not enough memory"
    if isinstance(error, MemoryLimitError):
        return f"{error} (see --memory-limit)"
    if isinstance(error, OutputLimitError):
        return f"{error} (see --max-output)"
    return str(error)
