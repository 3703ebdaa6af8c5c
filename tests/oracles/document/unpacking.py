"""Section "Layers" of docs/UNPACKING.md, but for the scans of a JPEG: data packed again."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from binascii import hexlify
from collections.abc import Callable
from pathlib import Path
from zlib import adler32, crc32

from tests.oracles.document.deflate import stream
from tests.oracles.document.numbers import Numbers, require

DOCUMENT = (Path(__file__).parents[3] / "docs" / "UNPACKING.md").read_text(encoding="utf-8")
MOST = 16_777_216
LIMIT = MOST + 1


class Member:
    """A member of a zip archive: where it begins, and its fields."""

    def __init__(self, begin: int, fields: bytes) -> None:
        self.begin = begin
        self.fields = fields


def repack(recipe: bytes, content: bytes) -> bytes:
    """The original data of a stretch."""
    numbers = Numbers(recipe)
    layers = numbers.next()
    require(1 <= layers <= 6)
    for _ in range(layers):
        content = Layer(numbers, content).output
        require(len(content) <= MOST)
    require(not numbers.rest())
    return content


class Layer:
    def __init__(self, recipe: Numbers, data: bytes) -> None:
        self.recipe = recipe
        self.input = Numbers(data)
        self.output = b""
        self.members: list[Member] = []
        for _ in range(recipe.below(LIMIT)):
            self.output += self.input.take(recipe.below(LIMIT))
            kind = recipe.below(16)
            if kind < 3:
                self._stream(kind)
            elif kind < 7:
                self._member(kind)
            elif kind == 7:
                self._directory()
            elif kind == 8:
                self._png()
            elif kind == 9:
                require(False)  # the scans of a JPEG are not written here
            elif kind < 15:
                self._text(kind)
            else:
                self.output += _encrypted_font(self.input.take(recipe.below(LIMIT)))
        self.output += self.input.rest()

    def _recipe_of_stream(self) -> bytes:
        return self.recipe.take(self.recipe.below(LIMIT))

    def _stream(self, kind: int) -> None:
        data = self.input.take(self.recipe.below(LIMIT))
        self.output += stream(data, self._recipe_of_stream())
        if kind == 1:
            self.output += adler32(data).to_bytes(4, "big")
        elif kind == 2:
            self.output += _low(crc32(data)) + _low(len(data))

    def _member(self, kind: int) -> None:
        size = self.recipe.below(LIMIT)
        lengths = self.input.take(4)
        names = lengths + self.input.take(_number(lengths[:2]) + _number(lengths[2:]))
        data = self.input.take(size)
        body = data if kind == 3 else stream(data, self._recipe_of_stream())
        fields = _low(crc32(data)) + _low(len(body)) + _low(len(data))
        self.members.append(Member(len(self.output) - 14, fields))
        require(self.members[-1].begin >= 0)
        if kind < 5:
            self.output += fields + names + body
        else:
            mark = b"PK\7\x08" if kind == 5 else b""
            self.output += bytes(12) + names + body + mark + fields

    def _directory(self) -> None:
        count, first = self.recipe.below(LIMIT), self.recipe.below(LIMIT)
        double = self.recipe.below((1 << 34) + 1)
        base = -((double + 1) // 2) if double & 1 else double // 2
        require(count == 0 or first + count <= len(self.members))
        for member in self.members[first : first + count]:
            own = self.input.take(14)
            texts = self.input.take(_number(own[2:4]) + _number(own[4:6]))
            start = member.begin
            local = self.output[start : start + 30]
            self.output += b"PK\1\2" + own[:2] + local[4:14] + member.fields + local[26:28]
            self.output += own[2:14] + _low(start - base)
            self.output += self.output[start + 30 :][: _number(local[26:28])] + texts

    def _text(self, kind: int) -> None:
        size, between = self.recipe.below(LIMIT), self.recipe.below(33)
        separator = self.recipe.take(between)
        width = first = 0
        if between:
            width, first = self.recipe.below(LIMIT), self.recipe.below(LIMIT)
            require(width > 0)
        data = self.input.take(size)
        text = _WRITERS[kind](data)
        if kind in (11, 12):
            text = text.rstrip(b"=")
        elif kind == 14:
            text = text.upper()
        lines = [text]
        if between:
            head = first or width
            lines = [text[:head], *(text[at : at + width] for at in range(head, len(text), width))]
        self.output += separator.join(lines)

    def _png(self) -> None:
        header, row, step = self.recipe.below(65536), self.recipe.below(LIMIT), self.recipe.below(9)
        chunks = self.recipe.below(2 * LIMIT)
        same, count = chunks & 1, chunks >> 1
        require(count > 0)
        if same and count > 1:
            sizes = [self.recipe.below(LIMIT)] * (count - 1)
        else:
            sizes = [self.recipe.below(LIMIT) for _ in range(count - 1)]
        data = self.input.take(self.recipe.below(LIMIT))
        if row > 0:
            data = _filtered(data, row, step)
        packed = header.to_bytes(2, "big") + stream(data, self._recipe_of_stream())
        pieces = Numbers(packed + adler32(data).to_bytes(4, "big"))
        for size in [*sizes, None]:
            piece = pieces.rest() if size is None else pieces.take(size)
            named = b"IDAT" + piece
            self.output += len(piece).to_bytes(4, "big") + named + crc32(named).to_bytes(4, "big")


def _filtered(data: bytes, row: int, step: int) -> bytes:
    """Each row behind its filter, and filtered."""
    rows = len(data) // (1 + row)
    require(step > 0)
    require(len(data) == rows * (1 + row))
    filters, pixels = data[:rows], data[rows:]
    made = bytearray()
    above = bytes(row)
    for which, start in zip(filters, range(0, rows * row, row), strict=True):
        line = pixels[start : start + row]
        made.append(which)
        for x, value in enumerate(line):
            a, c = (line[x - step], above[x - step]) if x >= step else (0, 0)
            made.append(value - _predicted(which, a, above[x], c) & 255)
        above = line
    return bytes(made)


def _predicted(which: int, a: int, b: int, c: int) -> int:
    """The specification of PNG, 9.2: left, above, above left."""
    p = a + b - c
    paeth = min((a, b, c), key=lambda v: abs(p - v))  # the first of the nearest
    return {1: a, 2: b, 3: (a + b) // 2, 4: paeth}.get(which, 0)


def _ascii85(data: bytes) -> bytes:
    text = bytearray()
    for at in range(0, len(data), 4):
        four = data[at : at + 4]
        number = int.from_bytes(four.ljust(4, b"\0"), "big")
        if number == 0 and len(four) == 4:
            text += b"z"
        else:
            digits = bytes(33 + number // 85**n % 85 for n in (4, 3, 2, 1, 0))
            text += digits[: len(four) + 1]
    return bytes(text)


_WRITERS: dict[int, Callable[[bytes], bytes]] = {
    10: _ascii85,
    11: b64encode,
    12: urlsafe_b64encode,
    13: hexlify,
    14: hexlify,
}


def _encrypted(data: bytes, key: int) -> bytes:
    made = bytearray()
    for byte in data:
        made.append(byte ^ key >> 8)
        key = (made[-1] + key) * 52845 + 22719 & 0xFFFF
    return bytes(made)


def _encrypted_font(data: bytes) -> bytes:
    made = bytearray(data)
    behind = at = 0
    while at < len(data):
        count = 0
        if data[at : at + 4] in (b" RD ", b" -| "):
            digits = re.search(rb"[0-9]*$", data[max(behind, at - 5) : at])
            count = int(digits[0] or b"0") if digits else 0
        if 0 < count <= len(data) - at - 4:
            behind = at + 4 + count
            made[at + 4 : behind] = _encrypted(data[at + 4 : behind], 4330)
            at = behind
        else:
            at += 1
    return _encrypted(bytes(made), 55665)


def _low(value: int) -> bytes:
    return (value % (1 << 32)).to_bytes(4, "little")


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")
