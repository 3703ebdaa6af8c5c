"""`glnzip messages`: each line a message, each message a line of Base64 or hexadecimal digits.

A line is whatever stands between line feeds, so that any bytes will do, and a last one without a
line feed stays without. Each is written as soon as it has been read.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from glnzip.cli.files import open_source, standard_output
from glnzip.cli.work import FAILURE, SUCCESS, announce_slowness, complain, for_each
from glnzip.errors import GlnzipError
from glnzip.messages import MessageCodec
from glnzip.priors.prior import Prior


class Notation(NamedTuple):
    """How the bytes of a message are written in a line, and read."""

    write: Callable[[bytes], bytes]
    read: Callable[[bytes], bytes]


HEX = Notation(binascii.b2a_hex, binascii.a2b_hex)
BASE64 = Notation(base64.b64encode, partial(base64.b64decode, validate=True))


def carry_messages(
    names: Iterable[str],
    *,
    decompressing: bool,
    as_hex: bool,
    level: int,
    prior: Prior | None,
    check_bytes: int,
    quiet: bool,
) -> int:
    """Convert the lines of each named file, and return the exit status."""
    codec = MessageCodec(level, prior=prior, check_bytes=check_bytes)
    notation = HEX if as_hex else BASE64
    statuses = {SUCCESS}

    def convert(line: bytes) -> bytes:
        if decompressing:
            return codec.decompress(notation.read(line.removesuffix(b"\r")))
        return notation.write(codec.compress(line))

    def do_one(name: str) -> None:
        with (
            open_source(name, any_kind=True, terminal=True) as source,
            standard_output(source, terminal=True) as sink,
        ):
            for number, line in enumerate(source.stream, 1):
                content = line.removesuffix(b"\n")
                try:
                    converted = convert(content)
                except (GlnzipError, ValueError) as error:  # the next line does not need this one
                    complain(name, GlnzipError(f"line {number}: {error}"))
                    statuses.add(FAILURE)
                else:
                    sink.write(converted + line[len(content) :])
                    sink.flush()

    if not quiet:
        announce_slowness(of_messages=True)
    return max(for_each(names, do_one), *statuses)
