"""The command line inside the process of a test, in a working folder of its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from click.testing import CliRunner, Result

from glnzip.cli.commands import command_for

DATA = b"A file of a few words, and then a few words more. " * 40
OLD_TIME_NS = 1_234_567_890_123_456_789


def run(*arguments: str, stdin: bytes | BinaryIO = b"", status: int = 0) -> Result:
    """Run `glnzip` with these arguments, and check its exit status."""
    command = command_for(list(arguments))
    result = CliRunner().invoke(command, arguments, input=stdin, prog_name="glnzip")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    return result


def write(name: str, data: bytes = DATA) -> Path:
    """Make a file with an old time and permissions unlike the usual ones."""
    path = Path(name)
    path.write_bytes(data)
    path.chmod(0o640)
    os.utime(path, ns=(OLD_TIME_NS, OLD_TIME_NS))
    return path


def files() -> list[str]:
    """The names in the working folder: nothing else may be left there."""
    return sorted(os.listdir())
