"""Section "Layers" of docs/UNPACKING.md: data packed again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple
from zlib import adler32, crc32

from tests.oracles.document import deflate
from tests.oracles.document.bzip2 import OpenBlocks, Told, blocks
from tests.oracles.document.deflate import Bits, stream
from tests.oracles.document.glyphs import GlyphsOfLayer
from tests.oracles.document.jpeg_scans import jpeg
from tests.oracles.document.lzw import exceptions, lzw
from tests.oracles.document.numbers import Numbers, require

DOCUMENT = (Path(__file__).parents[3] / "docs" / "UNPACKING.md").read_text(encoding="utf-8")
MOST = 16_777_216
LIMIT = MOST + 1


class Member:
    """A member of a zip archive: where it begins, and its fields."""

    def __init__(self, begin: int, fields: bytes) -> None:
        self.begin = begin
        self.fields = fields


class Open(NamedTuple):
    """What a portion leaves to the next."""

    data: bytes = b""
    untold: int = 0
    bits: str = ""
    row: bytes = b""
    chunk: int = 0
    """Bytes that it has room for."""
    in_chunk: bytes = b""
    """Those that are in it, and its name."""


def repack(recipe: bytes, content: bytes) -> bytes:
    """The original data of a stretch of which nothing is open before."""
    return Frame().repack(recipe, content)


class Frame:
    def __init__(self) -> None:
        self.open: Open | OpenBlocks | None = None

    def repack(self, recipe: bytes, content: bytes) -> bytes:
        """The original data of its next stretch."""
        numbers = Numbers(recipe)
        layers = numbers.next()
        require(1 <= layers <= 6)
        for _ in range(layers):
            content = Layer(self, numbers, content).output
            require(len(content) <= MOST)
        require(not numbers.rest())
        return content


class Layer:
    def __init__(self, frame: Frame, recipe: Numbers, data: bytes) -> None:
        self.frame = frame
        self.recipe = recipe
        self.input = Numbers(data)
        self.output = b""
        self.glyphs = GlyphsOfLayer(data)
        self.members: list[Member] = []
        for _ in range(recipe.below(LIMIT)):
            self.output += self.input.take(recipe.below(LIMIT))
            kind = recipe.below(23)
            if kind < 3:
                self._stream(kind)
            elif kind < 7:
                self._member(kind)
            elif kind == 7:
                self._directory()
            elif kind == 8:
                self._png()
            elif kind == 9:
                self._jpeg()
            elif kind < 15:
                self._text(kind)
            elif kind == 15:
                self._font()
            elif kind == 16:
                self._quoted()
            elif kind == 17:
                self._portion()
            elif kind == 18:
                self._rows()
            elif kind == 19:
                self._gif()
            elif kind == 20:
                self._bzip2()
            elif kind == 21:
                self._tiff()
            else:
                self._glyphs()
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

    def _glyphs(self) -> None:
        text = self.input.take(self.recipe.below(LIMIT))
        self.output += self.glyphs.text(text, self.recipe)

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

    def _png(self) -> None:
        header, row = self.recipe.below(65536), self.recipe.below(LIMIT)
        step = self.recipe.below(25)
        height = self.recipe.below(LIMIT) if step > 16 else 0
        chunks = self.recipe.below(2 * LIMIT)
        same, count = chunks & 1, chunks >> 1
        require(count > 0)
        if same and count > 1:
            sizes = [self.recipe.below(LIMIT)] * (count - 1)
        else:
            sizes = [self.recipe.below(LIMIT) for _ in range(count - 1)]
        data = self.input.take(self.recipe.below(LIMIT))
        if row > 0:
            data = (
                _passes(data, row, step - 16, height) if step > 16 else _filtered(data, row, step)
            )
        packed = header.to_bytes(2, "big") + stream(data, self._recipe_of_stream())
        pieces = Numbers(packed + adler32(data).to_bytes(4, "big"))
        for size in [*sizes, None]:
            piece = pieces.rest() if size is None else pieces.take(size)
            named = b"IDAT" + piece
            self.output += len(piece).to_bytes(4, "big") + named + crc32(named).to_bytes(4, "big")

    def _portion(self) -> None:
        flags, row, step = self.recipe.below(8), self.recipe.below(LIMIT), self.recipe.below(9)
        size, untold = self.recipe.below(LIMIT), self.recipe.below(LIMIT)
        before = self.frame.open if flags & 1 else Open()
        require(isinstance(before, Open))
        assert isinstance(before, Open)
        require(before.untold + size <= MOST and len(before.row) in (0, row))
        data = self.input.take(size)
        last_row = before.row
        if row > 0:
            last_row = data[-row:] if data else last_row
            data = _filtered(data, row, step, before.row)
        head = tail = b""
        sizes: list[int] = []
        if flags & 4:
            head, tail = [self.recipe.take(self.recipe.below(17)) for _ in range(2)]
            sizes = self._sizes()
        data = before.data + data
        told = deflate.Told(data, len(before.data) - before.untold, len(data) - untold)
        require(told.begin <= told.end and (untold == 0 or flags & 2 > 0))
        bits, fill = deflate.blocks(told, self._recipe_of_stream(), before.bits)
        if not flags & 2:
            bits.fill(fill)
        whole = "".join(bits.bits)
        rest = whole[bits.count // 8 * 8 :]
        packed = head + Bits.of(whole[: len(whole) - len(rest)]).bytes() + tail
        left = before
        if flags & 4:
            left = self._into_chunks(packed, before, sizes)
        else:
            self.output += packed
        kept = data[max(0, told.end - 32768) :]
        self.frame.open = (
            left._replace(data=kept, untold=untold, bits=rest, row=last_row) if flags & 2 else None
        )

    def _sizes(self) -> list[int]:
        chunks = self.recipe.below(2 * LIMIT)
        same, count = chunks & 1, chunks >> 1
        if same and count > 1:
            size, last = self.recipe.below(1 << 31), self.recipe.below(1 << 31)
            require((count - 1) * (size + 12) <= MOST)
            return [size] * (count - 1) + [last]
        return [self.recipe.below(1 << 31) for _ in range(count)]

    def _into_chunks(self, packed: bytes, before: Open, sizes: list[int]) -> Open:
        room, body = before.chunk, before.in_chunk
        pieces = iter([None, *sizes] if room else sizes)
        for size in pieces:
            if size is not None:
                require(room == 0)
                room, body = size, b"IDAT"
                self.output += size.to_bytes(4, "big") + body
            part, packed = packed[:room], packed[room:]
            room, body = room - len(part), body + part
            self.output += part
            if room == 0:
                self.output += crc32(body).to_bytes(4, "big")
        require(packed == b"")
        return before._replace(chunk=room, in_chunk=body)

    def _tiff(self) -> None:
        packing = self.recipe.below(2)
        size, row, step = [self.recipe.below(LIMIT) for _ in range(3)]
        samples, usual = self.recipe.below(3), self.recipe.below(LIMIT)
        require(usual > 0)
        sizes = exceptions(self.recipe, 1, LIMIT)
        pixels = self.input.take(size)
        if step > 0:
            pixels = _differences(pixels, row, step, samples)
        for strip in _cut(pixels, usual, sizes):
            self.output += self.recipe.take(self.recipe.below(65))
            if packing:
                self.output += lzw(strip, self.recipe.take(self.recipe.below(LIMIT)))
            else:
                self.output += self.recipe.below(65536).to_bytes(2, "big")
                self.output += stream(strip, self._recipe_of_stream())
                self.output += adler32(strip).to_bytes(4, "big")

    def _bzip2(self) -> None:
        flags = self.recipe.below(4)
        before = self.frame.open
        if not flags & 1:
            level = self.recipe.below(10)
            require(level > 0)
            before = OpenBlocks(level)
        require(isinstance(before, OpenBlocks))
        assert isinstance(before, OpenBlocks)
        data = self.input.take(self.recipe.below(LIMIT))
        sizes, behind = [exceptions(self.recipe, 1, LIMIT, 1025) for _ in range(2)]
        bits = exceptions(self.recipe, 1, 320_000, 1025)
        headers = {}
        for number, count in bits.items():
            packed = self.recipe.take((count + 7) // 8)
            headers[number] = "".join(f"{byte:08b}" for byte in packed)[:count]
        made, left = blocks(data, Told(sizes, behind, headers), before, flags & 2 > 0)
        self.output += made
        if flags:
            self.frame.open = left if flags & 2 else None

    def _gif(self) -> None:
        size, row = [self.recipe.below(LIMIT) for _ in range(2)]
        pixels = self.input.take(size)
        if row > 0:
            require(len(pixels) % row == 0)
            rows = [pixels[i : i + row] for i in range(0, len(pixels), row)]
            pixels = b"".join([*rows[::8], *rows[4::8], *rows[2::4], *rows[1::2]])
        told = self.recipe.take(self.recipe.below(LIMIT))
        packed = lzw(pixels, told)
        self.output += told[:1]
        block = self.recipe.below(256)
        require(block > 0)
        sizes = exceptions(self.recipe, 1, 256)
        for part in _cut(packed, block, sizes):
            self.output += bytes([len(part)]) + part
        self.output += b"\0"

    def _rows(self) -> None:
        row, step = self.recipe.below(LIMIT), self.recipe.below(9)
        require(row > 0)
        data = _filtered(self.input.take(self.recipe.below(LIMIT)), row, step)
        self.output += stream(data, self._recipe_of_stream()) + adler32(data).to_bytes(4, "big")

    def _jpeg(self) -> None:
        head, scan, between = [self.recipe.below(LIMIT) for _ in range(3)]
        pad, waiting = self.recipe.below(2), self.recipe.below(2_097_153)
        count = range(self.recipe.below(LIMIT))
        breaks = [(self.recipe.below(65), self.recipe.below(LIMIT)) for _ in count]
        require(head <= len(self.output))
        told = self.output[len(self.output) - head :]
        data = self.input.take(scan)
        self.output += jpeg(told, data, self.input.take(between), pad, waiting, breaks)

    def _text(self, kind: int) -> None:
        size, between = self.recipe.below(LIMIT), self.recipe.below(33)
        if between == 0:
            self.output += _as_text(kind, self.input.take(size))
            return
        separator = self.recipe.take(between)
        width, first = self.recipe.below(LIMIT), self.recipe.below(LIMIT)
        require(width > 0)
        text = _as_text(kind, self.input.take(size))
        start = first or width
        lines = [text[at : at + width] for at in range(start, len(text), width)]
        self.output += separator.join([text[:start], *lines])

    def _font(self) -> None:
        data = self.input.take(self.recipe.below(LIMIT))
        made = b""
        end = at = 0  # of the program before
        while at < len(data):
            digits = re.search(rb"[0-9]{0,5}$", data[max(end, at - 5) : at])
            assert digits is not None
            size = int(digits[0] or b"0")
            if data[at : at + 4] in (b" RD ", b" -| ") and 0 < size <= len(data) - at - 4:
                made += data[end : at + 4] + _encrypted(data[at + 4 : at + 4 + size], 4330)
                end = at = at + 4 + size
            else:
                at += 1
        self.output += _encrypted(made + data[end:], 55665)

    def _quoted(self) -> None:
        size, flags = self.recipe.below(LIMIT), self.recipe.below(12)
        soft, hard = self.recipe.below(LIMIT), self.recipe.below(LIMIT)
        others = self.recipe.take(self.recipe.below(257))
        toggled = set()
        place = -1
        for _ in range(self.recipe.below(size + 1)):
            place += 1 + self.recipe.below(LIMIT)
            require(place < size)
            toggled.add(place)
        moved = {}
        line = -1
        for _ in range(self.recipe.below(size + 1)):
            line += 1 + self.recipe.below(LIMIT)
            shift = self.recipe.below(2 * LIMIT - 1)
            moved[line] = -(shift + 1) // 2 if shift % 2 else shift // 2
        text = self.input.take(size)
        self.output += _quoted_lines(
            _written(text, flags, others, toggled), flags, soft, hard, moved
        )


Characters = tuple[bytes, bytes, bool]
"""A byte of a text, what is written of it, and whether it is an ending (then it may be two)."""


def _written(text: bytes, flags: int, others: bytes, toggled: set[int]) -> list[Characters]:
    ending = b"\r\n" if flags & 1 else b"\n"
    letters = "02x" if flags & 2 else "02X"
    made: list[Characters] = []
    at = 0
    while at < len(text):
        byte = text[at : at + 1]
        is_ending = text.startswith(ending, at)
        if is_ending and at not in toggled:
            made.append((ending, ending, True))
            at += len(ending)
            continue
        plain = (32 <= byte[0] <= 126 or byte == b"\t") and byte != b"="
        plain ^= byte in [others[k : k + 1] for k in range(len(others))]
        rest = text[at + 1 :]
        if byte in (b" ", b"\t") and (not rest or rest.startswith(ending)):
            plain = False
        plain = (plain and not is_ending) ^ (at in toggled and not is_ending)
        made.append((byte, byte if plain else b"=" + format(byte[0], letters).encode(), False))
        at += 1
    return made


def _quoted_lines(
    text: list[Characters], flags: int, soft: int, hard: int, moved: dict[int, int]
) -> bytes:
    ending = b"\r\n" if flags & 1 else b"\n"
    out = b""
    line = 0
    while text:
        ends = [k for k, (_, _, is_ending) in enumerate(text) if is_ending]
        length = ends[0] if ends else len(text)
        widths = [sum(len(text[j][1]) for j in range(k)) for k in range(length + 1)]
        within = max([k for k in range(length + 1) if widths[k] <= soft])
        stop = within or 1
        if flags >> 2 == 1:
            spaces = [k for k in range(1, within + 1) if text[k - 1][0] == b" "]
            stop = spaces[-1] if spaces else stop
        if flags >> 2 == 2 and stop < len(text) and 128 <= text[stop][0][0] < 192:
            starts = [k for k in range(1, stop) if not 128 <= text[k][0][0] < 192]
            stop = starts[-1] if starts else stop
        if line in moved:
            stop += moved.pop(line)
            require(0 < stop <= length)
            broken = True
        else:
            broken = widths[length] > max(soft, hard)
            stop = stop if broken else length + len(ends[:1])
        out += b"".join(characters for _, characters, _ in text[:stop])
        out += b"=" + ending if broken else b""
        text = text[stop:]
        line += 1
    require(not moved)
    return out


def _encrypted(data: bytes, key: int) -> bytes:
    made = bytearray()
    for byte in data:
        made.append(byte ^ key >> 8)
        key = ((made[-1] + key) * 52845 + 22719) % 65536
    return bytes(made)


ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def _as_text(kind: int, data: bytes) -> bytes:
    if kind == 10:
        return b"".join(_ascii85(data[at : at + 4]) for at in range(0, len(data), 4))
    if kind > 12:
        return (data.hex() if kind == 13 else data.hex().upper()).encode()
    digits = ALPHABET + (b"+/" if kind == 11 else b"-_")
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 6)
    return bytes(digits[int(bits[at : at + 6], 2)] for at in range(0, len(bits), 6))


def _ascii85(data: bytes) -> bytes:
    """Four bytes, or the last ones."""
    if data == bytes(4):
        return b"z"
    number = int.from_bytes(data.ljust(4, b"\0"), "big")
    digits = bytes(33 + number // 85**power % 85 for power in (4, 3, 2, 1, 0))
    return digits if len(data) == 4 else digits[: len(data) + 1]


def _filtered(data: bytes, row: int, step: int, above: bytes = b"") -> bytes:
    """Each row behind its filter, and filtered."""
    rows = len(data) // (1 + row)
    require(step > 0)
    require(len(data) == rows * (1 + row))
    filters, pixels = data[:rows], data[rows:]
    made = bytearray()
    above = above or bytes(row)
    for which, start in zip(filters, range(0, rows * row, row), strict=True):
        line = pixels[start : start + row]
        made.append(which)
        for x, value in enumerate(line):
            a, c = (line[x - step], above[x - step]) if x >= step else (0, 0)
            made.append(value - _predicted(which, a, above[x], c) & 255)
        above = line
    return bytes(made)


def _passes(data: bytes, row: int, step: int, height: int) -> bytes:
    """The specification of PNG, 8.2: the pixels by the number of their pass."""
    pattern = "16462646", "77777777", "56565656", "77777777", "36463646", "77777777", "56565656"
    require(row % step == 0 and height > 0)
    width = row // step
    require(height * row <= len(data))
    lines: dict[str, dict[int, list[int]]] = {}
    for y in range(height):
        for x in range(width):
            number = (*pattern, "77777777")[y % 8][x % 8]
            lines.setdefault(number, {}).setdefault(y, []).append(y * width + x)
    filters = sum(len(rows) for rows in lines.values())
    require(len(data) == filters + height * row)
    which, pixels = data[:filters], data[filters:]
    made = b""
    for number in sorted(lines):
        rows = lines[number]
        part = b"".join(
            pixels[at * step : (at + 1) * step] for line in rows.values() for at in line
        )
        made += _filtered(which[: len(rows)] + part, len(part) // len(rows), step)
        which = which[len(rows) :]
    return made


def _predicted(which: int, a: int, b: int, c: int) -> int:
    """The specification of PNG, 9.2: left, above, above left."""
    p = a + b - c
    paeth = min((a, b, c), key=lambda v: abs(p - v))  # the first of the nearest
    return {1: a, 2: b, 3: (a + b) // 2, 4: paeth}.get(which, 0)


def _low(value: int) -> bytes:
    return (value % (1 << 32)).to_bytes(4, "little")


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _cut(data: bytes, usual: int, sizes: dict[int, int]) -> Iterator[bytes]:
    number = 0
    while data:
        size = sizes.get(number, usual)
        yield data[:size]
        data = data[size:]
        number += 1


def _differences(pixels: bytes, row: int, step: int, samples: int) -> bytes:
    width = 1 if samples == 0 else 2
    order: Literal["little", "big"] = "little" if samples == 2 else "big"
    require(row > 0 and len(pixels) % row == 0 and row % (step * width) == 0)
    made = b""
    for at in range(0, len(pixels), row):
        line = pixels[at : at + row]
        values = [int.from_bytes(line[i : i + width], order) for i in range(0, row, width)]
        for i, value in enumerate(values):
            before = values[i - step] if i >= step else 0
            made += ((value - before) % (1 << 8 * width)).to_bytes(width, order)
    return made
