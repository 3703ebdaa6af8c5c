"""Sections "Python modules" of docs/FORMAT.md and "Features of Python modules" of docs/MODEL.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator

from tests.oracles.document.features import Features
from tests.oracles.document.fonts import bytes_of, h, others, packed
from tests.oracles.document.history import History
from tests.oracles.document.tables import u32

OUTSIDE, HEADER, TYPE, COUNT, TEXT, NUMBER, REFERENCE, FIELD = range(8)
OPCODE, ARGUMENT, LOCATION, BYTES = range(8, 12)
ORDERS = (
    (1, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 15, 16, 7, 19),
    (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 15, 16, 7, 19),
    (1, 2, 3, 5, 6, 8, 9, 10, 11, 14, 15, 16, 17, 7, 18, 20),
)
Parts = Generator[tuple[int, int], int, None]


class Code:
    def __init__(self) -> None:
        self.units: list[tuple[int, int]] = []
        self.lengths: list[list[int]] = [[], [], []]


class LostError(Exception):
    """What comes next is not known."""


class Reader:
    text: int
    entry: Entry

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.opens: list[Code] = []
        self.depth = self.references = self.role = 0
        self.items = 0
        self.kept_lengths: dict[int, int] = {}
        self.hits: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0] * 10)
        self._parts = self._read()
        self._enter(next(self._parts))

    def _enter(self, part: tuple[int, int]) -> None:
        self.part, self.left = part
        self.seen = 0
        self.number = 0

    def see(self, b: int) -> None:
        if self.seen < 4:
            self.number += b << 8 * self.seen
        self.seen += 1
        self.left -= 1
        if self.part == TEXT:
            self.text = (31 * self.text + b) % 2**32
        if self.part in (OPCODE, ARGUMENT):
            self._see_unit(b)
        elif self.part == LOCATION:
            self.entry.see(b)
        self.last = self.number
        if self.left == 0:
            self._enter(self._parts.send(self.number))

    def _see_unit(self, b: int) -> None:
        units = self.opens[-1].units
        if sum(len(code.units) for code in self.opens) == 32768:
            self.part = 17 - self.part
            return
        if self.part == OPCODE:
            self.half, self.part = b, ARGUMENT
        else:
            units.append((self.half, b))
            self.part = OPCODE

    def _read(self) -> Parts:
        last = b""
        while True:
            while not (len(last) == 4 and last[2:] == b"\r\n" and 3390 <= magic(last) <= 3999):
                last = (last + bytes([(yield OUTSIDE, 1)]))[-4:]
            self.order = (magic(last) >= 3400) + (magic(last) >= 3450)
            self.references, self.kept_lengths = 0, {}
            try:
                if (yield HEADER, 12) > 3:
                    raise LostError
                yield from self._object(0, 0)
            except LostError:
                pass
            last = b""
            self.opens, self.depth, self.role, self.items = [], 0, 0, 0

    def _object(self, role: int, items: int) -> Generator[tuple[int, int], int, int]:
        """One object; its length as a text."""
        self.role, self.items = role, items
        b = yield TYPE, 1
        t, kept = b % 128, None
        if b >= 128:
            kept = self.references
            self.references += 1
            self._keep(kept, 0)
        kind = chr(t)
        if self.depth == 0 and kind != "c":
            raise LostError
        if kind in "NFTS.":
            return 0
        if kind == "c":
            yield from self._code()
        elif kind == ":":
            yield from self._objects(3)
        elif kind in ")([<>":
            yield from self._objects((yield COUNT, 1 if kind == ")" else 4))
        elif kind in "zZaAut":
            size = yield COUNT, 1 if kind in "zZ" else 4
            self.text = 0
            self._keep(kept, min(size, 255))
            if size:
                yield TEXT, size
            return min(size, 255)
        elif kind == "s":
            size = yield COUNT, 4
            if size:
                if role == 18:
                    self.entry = Entry(self)
                yield {8: OPCODE, 18: LOCATION}.get(role, BYTES), size
        elif kind == "l":
            size = yield COUNT, 4
            if size := 2 * abs(size - (size >> 31 << 32)):
                yield NUMBER, size
        elif kind == "r":
            number = yield REFERENCE, 4
            known = number < min(self.references, 16384)
            return self.kept_lengths[number] if known else 0
        elif kind in "igy":
            yield NUMBER, {"i": 4, "g": 8, "y": 16}[kind]
        else:
            raise LostError
        return 0

    def _keep(self, kept: int | None, length: int) -> None:
        if kept is not None and kept < 16384:
            self.kept_lengths[kept] = length

    def _deeper(self) -> None:
        if self.depth == 64:
            raise LostError
        self.depth += 1

    def _objects(self, count: int) -> Parts:
        if count == 0:
            return
        role, of_code = self.role, self.items == -1
        self._deeper()
        for k in range(count):
            length = yield from self._object(role, count - k)
            if of_code and 9 <= role <= 11:
                kept = sum(len(code.lengths[role - 9]) for code in self.opens)
                if kept < 4096:
                    self.opens[-1].lengths[role - 9].append(length)
        self.depth -= 1

    def _code(self) -> Parts:
        self._deeper()
        self.opens.append(Code())
        for role in ORDERS[self.order]:
            self.role, self.items = role, -1
            if role < 8:
                yield FIELD, 4
            else:
                yield from self._object(role, -1)
        self.opens.pop()
        self.depth -= 1

    def unit(self, k: int) -> tuple[int, int]:
        units = self.opens[-1].units
        return units[k] if k < len(units) else (0, 0)

    def length(self, w: int, k: int) -> int:
        lengths = self.opens[-1].lengths[w]
        return lengths[k] if k < len(lengths) else 0

    def meant(self, s: int) -> int:
        return self.entry.meant(s) if self.part == LOCATION else s


def magic(last: bytes) -> int:
    return last[0] + 256 * last[1]


class Entry:
    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.unit = self.end = self.line = self.form_before = self.opcode_before = 0
        self.opened: list[int] = []
        self.guesses: dict[int, list[int]] = {}
        self.best: dict[int, int] = {}
        self.expected: dict[int, int] = {}
        self._begin()

    def _begin(self) -> None:
        self.place = self.form = self.complete = self.number = self.shift = self.before = 0
        self.new_line = 0
        self._guess_start()

    def opcode(self) -> int:
        return self.reader.unit(self.unit)[0]

    def argument(self) -> int:
        return self.reader.unit(self.unit)[1]

    def open(self, k: int) -> int:
        return self.opened[max(len(self.opened) - 1 - k, 0)] if self.opened else 0

    def hits_of(self, side: int) -> list[int]:
        return self.reader.hits[2 if side else self.new_line, self.opcode()]

    def _choose(self, side: int, guesses: list[int]) -> None:
        hits = self.hits_of(side)
        self.guesses[side], self.best[side] = guesses, hits.index(max(hits))
        self.expected[side] = guesses[self.best[side]]

    def _guess_start(self) -> None:
        guesses = [self.open(k) for k in (0, 1, 2)] + [self.open(self.argument() + 1)]
        guesses += [self.end + k for k in range(3)]
        guesses += [max(self.line + k, 0) for k in (-4, 0, 4)]
        self._choose(0, guesses)
        self._guess_end(self.expected[0])

    def _guess_end(self, start: int) -> None:
        a = self.argument()
        text, local = self.reader.length(0, a), self.reader.length(2, a)
        name, half = self.reader.length(1, a), self.reader.length(1, a // 2)
        guesses = [start + k for k in (text, text + 2, name, half, local)]
        guesses += [self.end + k for k in (0, 1, 2, 1 + name, 1 + half)]
        self._choose(1, guesses)

    def _learn(self, side: int, column: int) -> None:
        hits = self.hits_of(side)
        for k in range(10):
            right = 65536 if self.guesses[side][k] == column else 0
            hits[k] += (right - hits[k]) // 8

    def meant(self, s: int) -> int:
        if self.place == 0 or self.form > 12:
            return s
        if self.form > 9:
            return (s + self.expected[int(self.place > 1)]) % 256
        high = s >> 4
        high = (high + self.expected[0]) % 8 + (high & 8)
        start = 8 * self.form + high
        self._guess_end(start)
        return 16 * high + (s + self.expected[1] - start) % 16

    def see(self, b: int) -> None:
        self.place += 1
        if self.place == 1:
            self.form, self.covers = b >> 3 & 15, (b & 7) + 1
            if self.form in (11, 12):
                self.new_line = 1
                self._guess_start()
            if self.form == 15:
                self._finish()
        elif self.form < 10:
            start = 8 * self.form + (b >> 4)
            self._see_start(start)
            self._see_end(start, start + (b & 15))
        elif self.form < 13:
            if self.place == 2:
                self.number = b
                self._see_start(b)
            else:
                self._see_end(self.number, b)
        else:
            self._see_long(b)

    def _see_long(self, b: int) -> None:
        if self.shift <= 30:
            self.number += (b & 63) << self.shift
        self.shift += 6
        if b & 64:
            return
        number, before = self.number, self.before
        self.before, self.number, self.shift = number, 0, 0
        self.complete += 1
        if self.form == 13:
            self._finish()
        elif self.complete == 1 and number > 1:
            self.new_line = 1
            self._guess_start()
        elif self.complete == 3:
            self._see_start(column(number))
        elif self.complete == 4:
            self._see_end(column(before), column(number))

    def _see_start(self, start: int) -> None:
        self._learn(0, start)
        self._guess_end(start)

    def _see_end(self, start: int, end: int) -> None:
        self._learn(1, end)
        if self.new_line:
            self.opened, self.line = [], start
        self.line = min(self.line, start)
        self.end = end
        while self.opened and self.opened[-1] >= start:
            self.opened.pop()
        self.opened = [*self.opened[-15:], start]
        self._finish()

    def _finish(self) -> None:
        self.form_before, self.opcode_before = self.form, self.opcode()
        self.unit += self.covers
        self._begin()

    def sure(self, side: int) -> int:
        return self.hits_of(side)[self.best[side]] >> 13


def column(number: int) -> int:
    return min(max(number - 1, 0), 65535)


def data_of(seen: bytes) -> bytes:
    """The data of a block, from what the model sees."""
    reader, data = Reader(), bytearray()
    for s in seen:
        data.append(reader.meant(s))
        reader.see(data[-1])
    return bytes(data)


class PythonModules:
    def __init__(self) -> None:
        self.reader = Reader()
        self.o, self.w, self.n, self.t = [0] * 8, [0] * 4, [0] * 3, [0] * 2
        self.caches = self.types = 0
        self.argument: dict[int, int] = defaultdict(int)
        self.following: dict[int, int] = defaultdict(int)
        self.values: dict[int, list[int]] = defaultdict(lambda: [0, 0])

    def begin(self, history: History, features: Features) -> None:
        self.reader.begin()
        self._show(history, features)

    def see(self, s: int, history: History, features: Features) -> None:
        reader = self.reader
        part, role = reader.part, reader.role
        b = reader.meant(s)
        left = reader.left
        reader.see(b)
        if part in (OPCODE, ARGUMENT) or left == 1:
            self._complete(part, role, b)
        if part == COUNT and reader.part == OPCODE:
            self.o, self.caches = [0] * 8, 0
            self.following.clear()
        self._show(history, features)

    def _complete(self, part: int, role: int, b: int) -> None:
        if part == OPCODE:
            self.caches = min(self.caches + 1, 15) if b == 0 else 0
            if b:
                self.o, self.w = [b, *self.o[:7]], [b, *self.w[:3]]
        elif part == ARGUMENT and self.caches == 0:
            opcode = self.w[0] & 255
            self.w[0] = b << 8 | opcode
            self.argument[opcode] = b
            self.following[opcode] = max(self.following[opcode], b + 1)
        elif part == TYPE:
            self.types = u32(self.types << 8 | b)
        elif part == TEXT:
            self.t = [self.reader.text, self.t[0]]
        elif part in (COUNT, REFERENCE, FIELD):
            values = self.values[self._sort(part, role)]
            values[:] = [self.reader.last, values[0]]
            self.n = [self.reader.last, *self.n[:2]]

    @staticmethod
    def _sort(part: int, role: int) -> int:
        return ((part - 3) * 32 + role) % 128

    def _show(self, history: History, features: Features) -> None:
        part, last = self.reader.part, bytes_of(history.last4)
        shown: dict[str, int] = {}
        if part == OPCODE:
            place, first, second = self._opcode(shown)
        elif part == ARGUMENT:
            place, first, second = self._argument(shown)
        elif part == TYPE:
            place, first, second = self._type(shown)
        elif part in (COUNT, REFERENCE, FIELD):
            place, first, second = self._number(shown)
        elif part == TEXT:
            place, first, second = self._text(shown, last, features)
        elif part == LOCATION:
            place, first, second = self._location(shown, last[0])
        else:
            tag = part << 8 | self.reader.role
            features.update(others(last, features, 0, tag, self.reader.seen % 2))
            return
        shown["CODE_GATE"] = place << 8 | first & 255
        shown["CODE_BEFORE_GATE"] = place << 8 | second & 255
        features.update({name: u32(value) for name, value in shown.items()} | {"CODE_PLACE": place})

    def _opcodes(self, shown: dict[str, int]) -> None:
        o4, o8 = packed(self.o[:4]), packed(self.o[4:])
        w = self.w
        shown["CODE_BEFORE_4"] = h(h(w[0], w[1]), h(w[2], w[3]))
        shown["OPCODES_3"] = o4 & 0xFFFFFF
        shown["OPCODES_4"] = o4
        shown["OPCODES_6"] = h(o4, o8 & 0xFFFF)
        shown["OPCODES_8"] = h(o4, o8)

    def _opcode(self, shown: dict[str, int]) -> tuple[int, int, int]:
        w = self.w
        opcode = w[0] & 255
        self._opcodes(shown)
        shown["CODE"] = 8 << 8 | self.caches
        shown["CODE_BEFORE"] = opcode
        shown["CODE_BEFORE_2"] = w[0]
        shown["REGISTERS"] = h(w[0], w[1] & 255)
        shown["OPERAND"] = min(self.reader.left, 64) << 8 | opcode
        shown["OPERAND_LIKE"] = h(w[0], w[1])
        shown["TARGET"] = h(w[1], opcode)
        return 1, opcode, w[1]

    def _argument(self, shown: dict[str, int]) -> tuple[int, int, int]:
        w = self.w
        opcode, of_cache = w[0] & 255, int(self.caches > 0)
        last, following = self.argument[opcode], self.following[opcode]
        self._opcodes(shown)
        shown["CODE"] = 9 << 9 | of_cache << 8 | opcode
        shown["CODE_BEFORE"] = w[1]
        shown["CODE_BEFORE_2"] = last
        shown["REGISTERS"] = h(last, w[1])
        shown["OPERAND"] = following
        shown["OPERAND_LIKE"] = following << 8 | last
        shown["TARGET"] = following << 8 | w[1] & 255
        return 2 + of_cache, opcode, min(following, 255)

    def _type(self, shown: dict[str, int]) -> tuple[int, int, int]:
        reader, types, t, n = self.reader, self.types, self.t, self.n
        left = min(max(reader.items, 0), 255)
        shown["CODE"] = 2 << 8 | reader.role
        shown["CODE_BEFORE"] = types & 0xFFFF
        shown["CODE_BEFORE_2"] = left << 8 | types & 255
        shown["CODE_BEFORE_4"] = types
        shown["OPCODES_3"] = types & 255
        shown["OPCODES_4"] = left
        shown["OPCODES_6"] = h(types & 0xFFFF, t[0])
        shown["OPCODES_8"] = h(t[0], t[1])
        shown["REGISTERS"] = h(n[0], types & 255)
        shown["OPERAND"] = h(reader.references, types & 255)
        shown["OPERAND_LIKE"] = h(n[0], n[1])
        shown["TARGET"] = types & 0xFFFFFF
        return 4, reader.role << 3 | min(left, 7), types

    def _text(
        self, shown: dict[str, int], last: list[int], features: Features
    ) -> tuple[int, int, int]:
        reader = self.reader
        text = h(reader.text, reader.seen)
        left, role = reader.left, reader.role
        shown["CODE"] = 4
        shown["CODE_BEFORE"] = h(features["WORD"], last[0])
        shown["CODE_BEFORE_2"] = h(text, role)
        shown["CODE_BEFORE_4"] = h(text, reader.seen + left)
        shown["OPCODES_3"] = h(left, last[0])
        shown["OPCODES_4"] = h(role, packed(last[:3]))
        shown["OPCODES_6"] = h(features["WORD"], features["WORD_BEFORE"])
        shown["OPCODES_8"] = h(text, self.t[0])
        shown["REGISTERS"] = role << 16 | packed(last[:2])
        shown["OPERAND"] = h(left, features["WORD"])
        shown["OPERAND_LIKE"] = h(role, packed(last))
        shown["TARGET"] = role << 8 | last[0]
        return 5, min(left, 255), role

    def _number(self, shown: dict[str, int]) -> tuple[int, int, int]:
        reader, n, t = self.reader, self.n, self.t
        sort = self._sort(reader.part, reader.role)
        last, before = self.values[sort]
        two = h(n[0], n[1])
        so_far = reader.seen << 24 | reader.number & 0xFFFFFF
        shown["CODE"] = h(sort << 8 | self.types & 255, so_far)
        shown["CODE_BEFORE"] = last
        shown["CODE_BEFORE_2"] = n[0]
        shown["CODE_BEFORE_4"] = two
        shown["OPCODES_3"] = h(last, n[0])
        shown["OPCODES_4"] = h(two, n[2])
        shown["OPCODES_6"] = h(last, before)
        shown["OPCODES_8"] = h(t[0], t[1])
        shown["REGISTERS"] = self.types & 0xFFFF
        shown["OPERAND"] = reader.references
        shown["OPERAND_LIKE"] = t[0]
        shown["TARGET"] = h(reader.references, last)
        return 6 + min(reader.seen, 3), sort, self.types

    def _location(self, shown: dict[str, int], last: int) -> tuple[int, int, int]:
        e, reader = self.reader.entry, self.reader
        run = 1
        while run < 8 and e.unit + run < len(reader.opens[-1].units):
            if reader.unit(e.unit + run)[0]:
                break
            run += 1
        y, q, x = e.opcode(), e.opcode_before, reader.unit(e.unit + run)[0]
        a = e.argument()
        name, half = reader.length(1, a), reader.length(1, a // 2)
        if e.place == 0:
            high, end = e.expected[0] >> 3, e.end
            shown["CODE"] = run
            shown["CODE_BEFORE"] = h(high << 8 | y, e.sure(0))
            shown["CODE_BEFORE_2"] = h(y, e.open(1))
            shown["CODE_BEFORE_4"] = h(y, h(e.open(0), e.open(1)))
            shown["OPCODES_3"] = h(y << 8 | q, high << 8 | x)
            shown["OPCODES_4"] = h(y, h(e.open(0), end))
            shown["OPCODES_6"] = h(y << 8 | q, e.form_before << 8 | x)
            shown["OPCODES_8"] = h(y, e.open(a + 1))
            shown["REGISTERS"] = h(y, end)
            shown["OPERAND"] = h(h(y, end), name)
            shown["OPERAND_LIKE"] = h(y << 8 | x, high)
            shown["TARGET"] = y << 8 | a
            return 10, y, e.form_before << 4 | min(high, 15)
        if e.form > 12:
            of_columns = int(e.complete > 1)
            near = e.expected[e.complete % 2] + 1 if of_columns else 0
            place = 13 + of_columns
            so_far = u32(e.shift << 24 | e.number & 0xFFFFFF)
            shown["CODE"] = h(place << 8 | e.complete << 4 | e.form, so_far)
            shown["CODE_BEFORE"] = near
            shown["CODE_BEFORE_2"] = y
            shown["CODE_BEFORE_4"] = h(near, y)
            shown["OPCODES_3"] = y << 8 | q
            shown["OPCODES_4"] = e.form_before
            shown["OPCODES_6"] = x << 8 | y
            shown["OPCODES_8"] = e.open(0)
            shown["REGISTERS"] = e.line
            shown["OPERAND"] = e.end
            shown["OPERAND_LIKE"] = h(u32(e.before), y)
            shown["TARGET"] = h(u32(e.before), e.line)
            return place, y, min(near, 255)
        side, expected = int(e.place > 1), e.expected[0]
        place = 11 + side
        gap = u32(expected - e.end)
        manner = (e.form < 10) << 2 | e.new_line << 1 | side
        shown["CODE"] = place << 16 | manner << 8 | y
        shown["CODE_BEFORE"] = h(e.sure(side) << 3 | e.sure(1), e.best[0] << 4 | e.best[1])
        shown["CODE_BEFORE_2"] = h(gap, e.form)
        shown["CODE_BEFORE_4"] = h(gap, q)
        shown["OPCODES_3"] = h(q, 1 + last if side else 0)
        shown["OPCODES_4"] = h(gap, name)
        shown["OPCODES_6"] = x << 8 | q
        shown["OPCODES_8"] = h(u32(e.open(0) - expected), u32(e.open(1) - expected))
        shown["REGISTERS"] = reader.length(2, a) << 8 | reader.length(0, a)
        shown["OPERAND"] = name << 8 | half
        shown["OPERAND_LIKE"] = h(expected, e.form)
        shown["TARGET"] = a << 8 | q
        return place, y, e.form_before << 4 | e.form
