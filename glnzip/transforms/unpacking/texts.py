"""Bytes written as text: ASCII85, base64, hexadecimal; and the lines that such text is broken into.

The text of some bytes has characters of an alphabet alone: what may stand around it (the padding of
base64, the `~>` of ASCII85) does not belong to it.
"""

from __future__ import annotations

import binascii
from typing import Any, NamedTuple

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.transforms.unpacking.parts import (
    ASCII85,
    BASE64,
    BASE64_URL,
    HEX_LOWER,
    HEX_UPPER,
    MOST_BYTES,
)

_CHARACTERS = {ASCII85: 5, BASE64: 4, BASE64_URL: 4, HEX_LOWER: 2, HEX_UPPER: 2}  # of a group
_TO_URL = bytes.maketrans(b"+/", b"-_")
_FROM_URL = bytes.maketrans(b"-_", b"+/")


class Lines(NamedTuple):
    """How a text is broken into lines."""

    separator: bytes
    """What stands between two of them; empty if there is one alone."""
    width: int
    """Characters of a line but the first and the last."""
    first: int
    """Those of the first."""

    def breaks(self, count: int) -> int:
        """How many there are in a text of so many characters."""
        return -(-(count - self.first) // self.width) if count > self.first else 0

    def whole(self, count: int) -> int:
        """How many of so many characters stand in lines that are complete."""
        breaks = self.breaks(count + 1)
        return self.first + (breaks - 1) * self.width if breaks else count

    def length(self, count: int) -> int:
        """How long such a text is with what separates its lines."""
        return count + self.breaks(count) * len(self.separator)


def written(kind: int, data: bytes) -> bytes:
    """The text of some bytes, one of the `TEXTS`."""
    if kind == ASCII85:
        return _ascii85(data)
    if kind == HEX_LOWER:
        return binascii.hexlify(data)
    if kind == HEX_UPPER:
        return binascii.hexlify(data).upper()
    text = binascii.b2a_base64(data, newline=False).rstrip(b"=")
    return text.translate(_TO_URL) if kind == BASE64_URL else text


def read(kind: int, text: bytes, *, ends: bool) -> tuple[bytes, int] | None:
    """What a text stands for, and how many of its characters do that.

    Parameters
    ----------
    kind
    text
        Characters of the alphabet of the kind.
    ends
        Whether the last group may have fewer characters than others.

    Returns
    -------
    data, count
        `written` makes of them the first so many characters; None if that is true of no others than
        perhaps a few.
    """
    long = 4 * text.count(b"z") if kind == ASCII85 else 0
    over = (len(text) + long) % _CHARACTERS[kind]
    for count in (len(text), len(text) - over) if ends else (len(text) - over,):
        data = _read(kind, text[:count])
        if data is not None and written(kind, data) == text[:count]:
            return data, count
    return None


def _read(kind: int, text: bytes) -> bytes | None:
    """What the text stands for, if it is one."""
    if kind == ASCII85:
        return _from_ascii85(text)
    if kind in (HEX_LOWER, HEX_UPPER):
        return binascii.unhexlify(text) if len(text) % 2 == 0 else None
    if kind == BASE64_URL:
        text = text.translate(_FROM_URL)
    return binascii.a2b_base64(text + b"=" * (-len(text) % 4)) if len(text) % 4 != 1 else None


def _ascii85(data: bytes) -> bytes:
    """Groups of four bytes as five digits, highest first; zeros as `z` (Adobe: PLRM, 3.13)."""
    short = -len(data) % 4
    numbers = np.frombuffer(data + bytes(short), ">u4").astype(np.uint32)
    digits = np.zeros((len(numbers), 5), np.uint8)
    rest = numbers.copy()
    for k in range(4, -1, -1):
        digits[:, k] = rest % 85 + 33
        rest //= 85
    kept = np.ones(digits.shape, np.bool_)
    zeros = np.flatnonzero(numbers[: len(data) // 4] == 0)
    digits[zeros, 0] = ord("z")
    kept[zeros, 1:] = False
    text = digits[kept].tobytes()
    return text[: len(text) - short]


def _from_ascii85(text: bytes) -> bytes | None:
    """The way back; if the text is not one, anything."""
    if len(text) + 4 * text.count(b"z") > 2 * MOST_BYTES:
        return None
    text = text.replace(b"z", b"!!!!!")
    short = -len(text) % 5
    if short == 4:  # a single character stands for nothing
        return None
    digits = np.frombuffer(text + b"u" * short, np.uint8).reshape(-1, 5).astype(np.uint32) - 33
    numbers = digits[:, 0]
    for k in range(1, 5):
        numbers = numbers * np.uint32(85) + digits[:, k]
    data = numbers.astype(">u4").tobytes()
    return data[: len(data) - short]


def broken(text: bytes, lines: Lines) -> bytes:
    """A text in lines."""
    if lines.length(len(text)) > MOST_BYTES:
        raise CorruptStreamError("a recipe makes too many data")
    between = len(lines.separator)
    rest = text[lines.first :]
    table = _table(lines, len(rest))
    table[:, :between] = np.frombuffer(lines.separator, np.uint8)
    padding = bytes(len(table) * lines.width - len(rest))
    table[:, between:] = np.frombuffer(rest + padding, np.uint8).reshape(-1, lines.width)
    return text[: lines.first] + table.tobytes()[: len(rest) + len(table) * between]


def joined(text: bytes, count: int, lines: Lines) -> bytes:
    """The first so many characters of a text, without what separates its lines."""
    between = len(lines.separator)
    rest = text[lines.first : lines.length(count)]
    table = _table(lines, count - lines.first)
    table.reshape(-1)[: len(rest)] = np.frombuffer(rest, np.uint8)
    return (text[: lines.first] + table[:, between:].tobytes())[:count]


def _table(lines: Lines, count: int) -> Any:
    """Room for lines of so many characters, and for a separator before each."""
    rows = max(0, -(-count // lines.width))
    return np.zeros((rows, len(lines.separator) + lines.width), np.uint8)
