"""`glnzip messages`: each line a message, each message a line of Base64 or hexadecimal digits.

A line is whatever stands between line feeds, so that any bytes will do, and a last one without a
line feed stays without. Each is written as soon as it has been read; of one that is too long for a
message, nothing is kept.
"""

from __future__ import annotations

import base64
import binascii
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO, NamedTuple

import click

from glnzip.cli import options as given
from glnzip.cli.command_line import command
from glnzip.cli.files import STANDARD_STREAM, open_source, standard_output
from glnzip.cli.inputs import for_each
from glnzip.cli.options import chosen_level
from glnzip.cli.preparation import preparation_shown
from glnzip.cli.priors import chosen_prior
from glnzip.cli.report import FAILURE, SUCCESS, complain, reason, say
from glnzip.cli.text import parsed_size
from glnzip.errors import CorruptStreamError, GlnzipError, OutputLimitError
from glnzip.messages import (
    DEFAULT_CHECK_BYTES,
    MAX_CHECK_BYTES,
    MAX_MESSAGE_BYTES,
    MessageCodec,
)
from glnzip.priors.prior import Prior


class Notation(NamedTuple):
    """How the bytes of a message are written in a line, and read."""

    write: Callable[[bytes], bytes]
    read: Callable[[bytes], bytes]


HEX = Notation(binascii.b2a_hex, binascii.a2b_hex)
BASE64 = Notation(base64.b64encode, partial(base64.b64decode, validate=True))
_OF_A_LINE = (CorruptStreamError, OutputLimitError, ValueError)
"""What can be wrong with one line alone; of other errors there is no end."""
_LONGEST_LINE = 2 * MAX_MESSAGE_BYTES + 64
"""Any message fits, in hexadecimal, with its check and its line end."""


@command
@given.files
@click.option(
    "-d", "--decompress", "decompressing", is_flag=True, help="Turn messages back into lines."
)
@click.option("--hex/--base64", "as_hex", help="How messages are written.  [default: Base64]")
@given.level
@given.prior
@click.option(
    "--check",
    "check_bytes",
    type=click.IntRange(0, MAX_CHECK_BYTES),
    default=DEFAULT_CHECK_BYTES,
    metavar="N",
    show_default=True,
    help=f"Bytes of checksum in each message, 0 to {MAX_CHECK_BYTES}.",
)
@click.option(
    "--max-output",
    type=parsed_size,
    metavar="SIZE",
    help="With -d, leave out lines longer than SIZE.",
)
@given.memory_limit
@given.only_prepared
@given.quiet
def messages(
    files: tuple[str, ...],
    level: int | None,
    prior: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Compress each line alone, for links where each byte counts.

    Each line of each FILE, or of standard input, becomes a line of Base64 or hexadecimal digits on
    standard output. Both sides must use the same level, prior and check, since nothing in a message
    names them. Any message may be lost or come late.
    """
    if options["max_output"] is not None and not options["decompressing"]:
        raise click.UsageError("--max-output needs -d")
    used = chosen_prior(prior)
    with preparation_shown(quiet=quiet):
        status = _carry_messages(
            files or (STANDARD_STREAM,),
            level=chosen_level(level),
            prior=used,
            quiet=quiet,
            **options,
        )
    sys.exit(status)


def _carry_messages(
    names: Iterable[str],
    *,
    decompressing: bool,
    as_hex: bool,
    level: int,
    prior: Prior | None,
    check_bytes: int,
    max_output: int | None,
    memory_limit: int | None,
    only_prepared: bool,
    quiet: bool,
) -> int:
    """Convert the lines of each named file, and return the exit status.

    A line of more data than `max_output` is left out when decompressing.
    """
    max_length = MAX_MESSAGE_BYTES if max_output is None else max_output
    codec = MessageCodec(
        level,
        prior=prior,
        check_bytes=check_bytes,
        memory_limit=memory_limit,
        only_prepared=only_prepared,
    )
    notation = HEX if as_hex else BASE64
    statuses = {SUCCESS}

    def convert(line: bytes | None) -> bytes:
        if line is None:
            raise ValueError("longer than any message can be")
        content = line.removesuffix(b"\n")
        end = line[len(content) :]
        if decompressing:
            message = notation.read(content.removesuffix(b"\r"))
            return codec.decompress(message, max_length=max_length) + end
        return notation.write(codec.compress(content)) + end

    def do_one(name: str) -> None:
        with (
            open_source(name, any_kind=True, terminal=True) as source,
            standard_output(source, terminal=True) as sink,
        ):
            for number, line in enumerate(_lines(source.stream), 1):
                try:
                    converted = convert(line)
                except _OF_A_LINE as error:  # the next line does not need this one
                    complain(name, GlnzipError(f"line {number}: {reason(error)}"))
                    statuses.add(FAILURE)
                else:
                    sink.write(converted)
                    sink.flush()

    if decompressing and not check_bytes and not quiet:
        say("messages without a check: damage, or another level or prior, cannot be detected")
    return max(for_each(names, do_one), *statuses)


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a file with their ends; None for one that is longer than any message."""
    while line := stream.readline(_LONGEST_LINE):
        if len(line) < _LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while (rest := stream.readline(_LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None
