"""Fonts whose outlines are programs, made up: CFF, alone or in OpenType, and parts of Type 1."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from itertools import accumulate

from corpora.make_samples import Dice

HEADER = b"\1\0\4\2"
STRINGS = [b"A font that nobody has drawn", b"for a test", b"Copyright"]
CHARSET, ENCODING, GLYPHS, PRIVATE, SUBRS, FONTS, CHOSEN = 15, 16, 17, 18, 19, 100, 101
"""Operators of dictionaries; those of two bytes with 64 beside the second."""
OTHER_NUMBERS = b"\x1e\x0a\x14\x05\x41\xff\x0c\x09\x1c\xff\x01\xf7\x02\xfb\x03\x8b\x0a"
"""Entries with numbers of decimal digits, of two bytes, and of one."""
SUBRS_START = len(OTHER_NUMBERS) + 17  # local programs begin behind the dictionary that tells it
LINES_AND_CURVES = (5, 6, 7, 8, 24, 25, 26, 27, 30, 31)
OF_TYPE_1 = ((5, 2), (6, 1), (7, 1), (8, 6), (30, 4), (31, 4))
"""Those of Type 1, and how many numbers they take."""


def compact_font(count: int, *, seed: int = 1, by_fonts: bool = False) -> bytes:
    """A font of so many glyphs; `by_fonts`, with dictionaries of several fonts, as of Japanese."""
    dice = Dice(seed)
    shared = [_program(dice, 3) + b"\x0b" for _ in range(5)]
    glyphs = [_glyph(dice, k) for k in range(count)]
    head = HEADER + index([b"Made-Up"])
    behind = index(STRINGS, size=1) + index([shared[0], b"", *shared[1:]])
    private = OTHER_NUMBERS + _dictionary([([-12, 0], 6), ([SUBRS_START], SUBRS)])
    local = index([_program(dice, 2) + b"\x0b" for _ in range(3)], size=1)
    charset = bytes([0]) + b"".join(struct.pack(">H", 391 + k) for k in range(count - 1))
    chosen = bytes([0, *(k % 2 for k in range(count))])
    each = [_dictionary([([len(private), 0], PRIVATE)])] * 2 if by_fonts else []
    fonts = index(each) if by_fonts else b""
    parts = [charset, b"\0\1\x41", index(glyphs), fonts, private + local, chosen]

    def top(starts: Sequence[int]) -> bytes:
        told = zip(starts, (CHARSET, ENCODING, GLYPHS), strict=False)
        entries = [([391], 0), *(([start], operator) for start, operator in told)]
        if by_fonts:
            entries += [([starts[3]], FONTS), ([starts[5]], CHOSEN)]
        else:
            entries += [([50], 64 | 4), ([len(private), starts[4]], PRIVATE)]
        return index([_dictionary(entries)])

    begin = len(head + top([0] * 6) + behind)
    starts = list(accumulate(map(len, parts), initial=begin))
    if by_fonts:
        parts[3] = index([_dictionary([([len(private), starts[4]], PRIVATE)])] * 2)
    return head + top(starts) + behind + b"".join(parts)


def opentype(font: bytes) -> bytes:
    """A font with tables, of which the outlines are one."""
    tables = {b"CFF ": font, b"OS/2": bytes(range(60)), b"head": bytes(54), b"hmtx": bytes(90)}
    at = 12 + 16 * len(tables)
    head = b"OTTO" + struct.pack(">4H", len(tables), 64, 2, 0)
    body = b""
    for tag, table in tables.items():
        head += tag + struct.pack(">3I", 0, at + len(body), len(table))
        body += table + bytes(-len(table) % 4)
    return head + body


def private_part(count: int, *, seed: int = 1, name: bytes = b"RD") -> bytes:
    """The private part of a Type 1 font, in the clear."""
    dice = Dice(seed)
    text = b"\0\0\0\0dup /Private 9 dict dup begin\n/BlueValues [-12 0 650 662] ND\n"
    text += b"/CharStrings %d dict dup begin\n" % count
    for k in range(count):
        program = b"\0\0\0\0" + b"\x8b" + _number(400 + k) + b"\x0d" + _program(dice, 6, plain=True)
        text += b"/glyph%d %d %s %s ND\n" % (k, len(program) + 1, name, program + b"\x0e")
    return text + b"end\nend\nreadonly put\nmark currentfile closefile"


def index(items: Iterable[bytes], *, size: int = 2) -> bytes:
    """An index of items, its offsets of so many bytes."""
    items = list(items)
    if not items:
        return b"\0\0"
    ends = accumulate(map(len, items), initial=1)
    offsets = b"".join(end.to_bytes(size, "big") for end in ends)
    return struct.pack(">HB", len(items), size) + offsets + b"".join(items)


def _dictionary(entries: Iterable[tuple[list[int], int]]) -> bytes:
    """A dictionary, its numbers of four bytes."""
    told = b""
    for numbers, operator in entries:
        told += b"".join(b"\x1d" + struct.pack(">i", number) for number in numbers)
        told += bytes([12, operator & 63]) if operator >= 64 else bytes([operator])
    return told


def _number(number: int) -> bytes:
    """A number of a program."""
    if abs(number) <= 107:
        return bytes([number + 139])
    if 108 <= number <= 1131:
        return bytes([247 + (number - 108 >> 8), number - 108 & 255])
    if -1131 <= number <= -108:
        return bytes([251 + (-number - 108 >> 8), -number - 108 & 255])
    return b"\x1c" + struct.pack(">h", number)


def _numbers(dice: Dice, count: int) -> bytes:
    return b"".join(_number((-1) ** dice.below(2) * 9 * dice.below(40)) for _ in range(count))


def _glyph(dice: Dice, k: int) -> bytes:
    """Hints, a mask, calls, lines and curves."""
    program = (
        _number(500 + 7 * dice.below(20))
        + _numbers(dice, 4)
        + b"\x12"
        + _numbers(dice, 2 * (k % 6))
    )
    program += bytes([0x13, *(dice.below(256) for _ in range((2 + k % 6 + 7) // 8))])
    program += _program(dice, 4)
    if k % 3 == 0:
        program += _number(dice.below(5) - 107) + bytes([29 if k % 2 else 10])
    if k % 4 == 0:
        program += b"\xff\0\7\x80\0" + _number(-2000) + b"\x15" + _numbers(dice, 13) + b"\x0c\x23"
    return program + b"\x0e"


def _program(dice: Dice, operations: int, *, plain: bool = False) -> bytes:
    """A step of the pen, and then lines and curves; if `plain`, those of Type 1."""
    program = _numbers(dice, 2) + b"\x15"
    for _ in range(operations):
        operator = (
            (5, 6, 7, 8, 30, 31)[dice.below(6)] if plain else LINES_AND_CURVES[dice.below(10)]
        )
        count = {5: 2, 6: 1, 7: 1, 8: 6}.get(operator, 4) if plain else 2 + dice.below(12)
        program += _numbers(dice, count) + bytes([operator])
    return program + (_numbers(dice, 1) + b"\x16\x09" if plain else _numbers(dice, 1) + b"\x04")
