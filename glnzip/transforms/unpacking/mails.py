"""Where mails have text in quoted-printable: in each part whose header says so."""

from __future__ import annotations

import re

import numpy as np

from glnzip.format.numbers import write_numbers
from glnzip.transforms.deflate.stream import UnfinishedError
from glnzip.transforms.exceptions import exceptions, gaps, write_exceptions
from glnzip.transforms.unpacking.parts import QUOTED, without_sign
from glnzip.transforms.unpacking.quoted import Manner, unquoted
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_QUOTED_PRINTABLE = b"quoted-printable"
_BLANK_LINE = re.compile(rb"\n\r?\n")
_LONGEST_HEADER = 1 << 12  # bytes from that word to the text
_LEAST_SAVED = 32  # characters, less what the recipe takes


def printable_entry(window: Window, at: int) -> Entry | None:
    """A text in quoted-printable, which begins behind the header that says so (RFC 2045, 6)."""
    word = window.bytes_at(at, len(_QUOTED_PRINTABLE))
    if word.lower() != _QUOTED_PRINTABLE or window.is_worn:
        return None
    header = window.buffer[at : min(at + _LONGEST_HEADER, window.end)].tobytes()
    blank = _BLANK_LINE.search(header)
    if blank is None:
        window.bytes_at(at, _LONGEST_HEADER)
        window.tried(_LONGEST_HEADER)
        return None
    start = at + blank.end()
    found = unquoted(window.buffer, start, window.end)
    if not found.ends and window.waits(at):
        raise UnfinishedError
    numbers = write_numbers([len(found.text)]) + _manner(found.manner)
    if found.saved < len(numbers) + _LEAST_SAVED:
        window.tried(max(found.size, _LONGEST_HEADER))  # lines without anything quoted, too
        return None
    piece = Piece(len(found.text), True)
    return Entry(start, start + found.size, QUOTED, numbers, found.text, [piece])


def _manner(manner: Manner) -> bytes:
    """How quoted-printable is written, in a recipe."""
    flags = manner.crlf | manner.small << 1 | manner.breaks << 2
    written = write_numbers([flags, manner.soft, manner.hard, len(manner.others)]) + manner.others
    toggled = np.flatnonzero(manner.toggled)
    written += write_numbers([len(toggled), *gaps(toggled).tolist()])
    lines, shifts = manner.moves.T.tolist()
    moves = zip(lines, map(without_sign, shifts), strict=True)
    return written + write_exceptions(exceptions([*moves]))
