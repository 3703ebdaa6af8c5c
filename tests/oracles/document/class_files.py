"""Sections "Class files" of docs/FORMAT.md and "Features of class files" of docs/MODEL.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator
from typing import NamedTuple

from tests.oracles.document.features import Features
from tests.oracles.document.fonts import bytes_of, h, others, packed
from tests.oracles.document.history import History
from tests.oracles.document.tables import u32

MOST = 16384
MOST_PLACES = 8192
SORTS = {b"Code": 1, b"LineNumberTable": 2, b"LocalVariableTable": 3, b"LocalVariableTypeTable": 4}


def operands(opcode: int) -> tuple[int, int]:
    """Bytes of the constant that comes first, and of what follows it."""
    if opcode == 0x12:
        return 1, 0
    if opcode in (0x13, 0x14, *range(0xB2, 0xB9), 0xBB, 0xBD, 0xC0, 0xC1):
        return 2, 0
    if opcode == 0xC5:
        return 2, 1
    if opcode in (0xB9, 0xBA):
        return 2, 2
    if opcode in (0x10, *range(0x15, 0x1A), *range(0x36, 0x3B), 0xA9, 0xBC):
        return 0, 1
    if opcode in (0x11, 0x84, *range(0x99, 0xA9), 0xC6, 0xC7):
        return 0, 2
    return 0, 4 if opcode in (0xC8, 0xC9) else 0


def ends_statement(opcode: int) -> bool:
    of_lists = opcode in (0x84, 0xBF, 0xC2, 0xC3, 0xC6, 0xC7, 0xC8)
    return 0x36 <= opcode <= 0x58 or 0x99 <= opcode <= 0xBA or of_lists


class Field(NamedTuple):
    number: int
    size: int
    way: str = ""
    x: int = 0


Fields = Generator[Field, int, None]


class Reader:
    def __init__(self) -> None:
        self.place = self.index = self.t = self.text = self.depth = self.name = self.items = 0
        self.opcode = self.code = self.line_place = 0
        self.tags: dict[int, int] = defaultdict(int)
        self.roles: dict[int, int] = defaultdict(int)
        self.sorts: dict[int, int] = defaultdict(int)
        self.attributes, self.next = [0] * 3, [0] * 3
        self.begun: dict[int, int] = defaultdict(int)
        self.ended: dict[int, int] = defaultdict(int)
        self.begin()

    def begin(self) -> None:
        self.count = self.code_length = self.line = 0
        self._fields = self._read()
        self._enter(next(self._fields))

    def _enter(self, field: Field) -> None:
        self.field, self.seen = field, b""

    def see(self, b: int) -> int | None:
        """A byte as it is seen; the value of the field, if it is complete."""
        self.place += 1
        self.seen += bytes([b])
        if self.field.number == 5:
            self.text = (31 * self.text + b) % 2**32
        if len(self.seen) < self.field.size:
            return None
        value = turned_back(self.field, int.from_bytes(self.seen[-4:], "big"))
        self._enter(self._fields.send(value))
        return value

    def _read(self) -> Fields:
        last = b""
        while True:
            while last != b"\xca\xfe\xba\xbe":
                last = (last + bytes([(yield Field(0, 1))]))[-4:]
            yield from self._class_file()
            last = b""

    def _new(self, f: int, w: int, size: int = 2) -> Generator[Field, int, int]:
        v = yield Field(f, size, "new", self.next[w])
        self._before_named(f, v)
        self._named(v, w)
        return v

    def _before_named(self, f: int, v: int) -> None:
        if f in (7, 8) and v < MOST:
            self.roles[v] = 2 * self.t + (f == 8)

    def _named(self, v: int, w: int) -> None:
        u = max(v, self.index) if w == 0 else v
        if not self.next[w] <= u < self.count:
            return
        self.next[w] = u + 1
        while w and self.next[w] < min(self.count, MOST):
            k = self.next[w]
            if self.roles[k] == 0 and (self.tags[k] > 1 if w == 1 else self.tags[k] == 1):
                break
            self.next[w] += 1

    def _class_file(self) -> Fields:
        v = yield Field(1, 4)
        if v >> 16 > 3 or not 45 <= v & 0xFFFF <= 99:
            return
        self.count = yield Field(2, 2)
        self.index, self.next = 0, [1, 1, 1]
        for kept in (self.tags, self.roles, self.sorts):
            for k in range(self.count):
                kept.pop(k, None)
        step = 1
        while True:
            self.index += step
            if self.index >= self.count:
                break
            self.t = yield Field(3, 1)
            if self.index < MOST:
                self.tags[self.index] = self.t
            step = 2 if self.t in (5, 6) else 1
            if self.t == 1:
                yield from self._text()
            elif self.t in (3, 4, 5, 6):
                yield Field(6, 4 * step)
            elif self.t in (*range(7, 13), *range(15, 21)):
                if self.t in (15, 17, 18):
                    yield Field(9, 1 if self.t == 15 else 2)
                yield from self._new(7, 0)
                if 9 <= self.t <= 12:
                    yield from self._new(8, 0)
            else:
                return
        for w in (1, 2):
            self.next[w] = 0
            self._named(0, w)
        yield Field(10, 2)
        yield from self._members()
        self.depth = 0
        yield from self._attributes()

    def _text(self) -> Fields:
        size = yield Field(4, 2)
        self.text = 0
        if size:
            yield Field(5, size)
            if self.index < MOST:
                hashes = {self._hash(text): sort for text, sort in SORTS.items()}
                self.sorts[self.index] = hashes.get(self.text, 0)

    @staticmethod
    def _hash(text: bytes) -> int:
        value = 0
        for b in text:
            value = (31 * value + b) % 2**32
        return value

    def _members(self) -> Fields:
        self.items = 2
        while self.items:
            yield Field(11, 2)
            self.items -= 1
        self.items = yield Field(12, 2)
        while self.items:
            yield Field(13, 2)
            self.items -= 1
        for _ in ("fields", "methods"):
            for _ in range((yield Field(14, 2))):
                self.depth = 1
                yield Field(15, 2)
                yield from self._new(16, 2)
                yield from self._new(17, 2)
                yield from self._attributes()

    def _attributes(self) -> Fields:
        depth = self.depth
        self.attributes[depth] = yield Field(18, 2)
        while self.attributes[depth]:
            self.attributes[depth] -= 1
            self.name = yield from self._new(19, 2)
            v = yield Field(20, 4)
            sort = self.sorts[self.name] if self.name < min(self.count, MOST) else 0
            if sort == 1 and depth == 1:
                yield from self._code()
                self.depth = 2
                yield from self._attributes()
                self.depth = 1
            elif sort == 2:
                yield from self._lines((v - 2) // 4)
            elif sort in (3, 4):
                yield from self._variables((v - 2) // 10)
            elif v == 2:
                yield from self._new(21, 2)
            elif v:
                yield Field(22, v)

    def _code(self) -> Fields:
        yield Field(23, 2)
        yield Field(24, 2)
        self.code_length = yield Field(25, 4)
        self.code, self.opcode = self.place, 0
        for p in range(min(self.code_length + 1, MOST_PLACES)):
            self.begun.pop(p, None)
        while self._instruction_follows():
            self.opcode = yield Field(26, 1)
            p = self.place - self.code - 1
            if p < MOST_PLACES:
                self.begun[p] = min(self.opcode + 1, 255)
            yield from self._operands()
        handlers = yield Field(35, 2)
        if handlers:
            yield Field(36, 8 * handlers)

    def _instruction_follows(self) -> bool:
        p = self.place - self.code
        if p < MOST_PLACES:
            self.ended[p] = self.opcode
        return p < self.code_length

    def _operands(self) -> Fields:
        if self.opcode == 0xC4:
            yield Field(29, 4 if (yield Field(27, 1)) == 0x84 else 2)
        elif self.opcode in (0xAA, 0xAB):
            if padding := (self.code - self.place) % 4:
                yield Field(30, padding)
            yield Field(31, 4)
            low = yield Field(32, 4)
            size = 8 * low
            if self.opcode == 0xAA:
                size = 4 * (((yield Field(33, 4)) - low) % 2**32 + 1)
            size = min(size, self.code_length - (self.place - self.code))
            if size > 0:
                yield Field(34, size)
        else:
            constant, more = operands(self.opcode)
            if constant:
                yield from self._new(28, 1, constant)
            if more:
                yield Field(29, more)

    def _lines(self, x: int) -> Fields:
        self.items = yield Field(37, 2, "after", x)
        self.line_place = 0
        while self.items:
            self.items -= 1
            self.line_place = yield Field(38, 2, "after", self.line_place)
            self.line = yield Field(39, 2, "after", self.line)

    def _variables(self, x: int) -> Fields:
        self.items = yield Field(40, 2, "after", x)
        while self.items:
            self.items -= 1
            begins = yield Field(41, 2)
            yield Field(42, 2, "before", self.code_length - begins)
            yield from self._new(43, 2)
            yield from self._new(44, 2)
            yield Field(45, 2)


def turned_back(field: Field, s: int) -> int:
    """The value for which a number is seen."""
    m = 256**field.size
    if field.way == "after":
        return (s + field.x) % m
    if field.way == "before":
        return (field.x - s) % m
    if field.way == "new" and field.x < m:
        return {0: field.x, field.x: 0}.get(s, s)
    return s


def data_of(seen: bytes) -> bytes:
    """The data of a block, from what the model sees."""
    reader, data, at = Reader(), b"", 0
    while at < len(seen):
        field = reader.field
        part = seen[at : at + field.size]
        at += len(part)
        if field.way and len(part) == field.size:
            value = turned_back(field, int.from_bytes(part, "big"))
            data += value.to_bytes(field.size, "big")
        else:
            data += part
        for b in part:
            reader.see(b)
    return data


PLACES = [0, 6, 6, 1, 2, 3, 15, 4, 5, 15, *[6] * 6, 7, 7, 8, 7, 8, 7, 15, 6, 6, 8, 9, 9, 10]
PLACES += [*[11] * 6, 8, 15, 8, 12, 13, 8, *[14] * 5]
NAMING = (7, 8, 16, 17, 19, 21, 28, 43, 44)


class ClassFiles:
    def __init__(self) -> None:
        self.reader = Reader()
        self.o, self.w, self.v = [0] * 8, [0] * 4, [0] * 3
        self.operand: dict[int, int] = defaultdict(int)
        self.values: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        self.new = self.tags = self.t0 = self.t1 = 0

    def begin(self, history: History, features: Features) -> None:
        self.reader.begin()
        self._show(history, features)

    def see(self, b: int, history: History, features: Features) -> None:
        f, x = self.reader.field.number, self.reader.field.x
        value = self.reader.see(b)
        if value is not None and f != 0:
            self._complete(f, value, x)
        self._show(history, features)

    def _complete(self, f: int, v: int, x: int) -> None:
        if f in NAMING:
            self.new = (self.new << 1 | (v == x)) & 0xFFFF
        if f == 5:
            self.t0, self.t1 = self.reader.text, self.t0
            return
        if f == 3:
            self.tags = u32(self.tags << 8 | v)
        if f == 26:
            self.o, self.w = [v, *self.o[:7]], [v, *self.w[:3]]
        if f in (27, 28, 29):
            self.w[0] = u32(self.w[0] << 16 | v)
            self.operand[self.reader.opcode] = v
        self.values[f] = [v, self.values[f][0]]
        self.v = [v, *self.v[:2]]

    def _show(self, history: History, features: Features) -> None:
        last = bytes_of(history.last4)
        f = self.reader.field.number
        if f == 26:
            shown = self._opcode()
        elif 27 <= f <= 34:
            shown = self._operands()
        elif f == 5:
            shown = self._text(last, features)
        elif f in (3, 4):
            shown = self._constant()
        elif f in (38, 39):
            shown = self._line()
        elif f in (0, 6, 22, 36):
            k = len(self.reader.seen)
            tag = h(f << 8 | self.reader.depth, self.reader.name)
            shown = others(last, features, 0, tag, k % 2 if f else 0)
        else:
            shown = self._number()
        p = PLACES[f]
        for gate in ("CODE_GATE", "CODE_BEFORE_GATE"):
            shown[gate] = p << 8 | shown[gate] & 255
        features.update({name: u32(value) for name, value in shown.items()} | {"CODE_PLACE": p})

    @property
    def _so_far(self) -> int:
        seen = self.reader.seen
        return len(seen) << 16 | int.from_bytes(seen[-2:], "big")

    @property
    def _left(self) -> int:
        return self.reader.field.size - len(self.reader.seen)

    @property
    def _rest(self) -> int:
        return self.reader.code_length - (self.reader.place - self.reader.code)

    def _instructions(self) -> dict[str, int]:
        o4, o8, w = packed(self.o[:4]), packed(self.o[4:]), self.w
        return {
            "CODE_BEFORE_4": h(h(w[0], w[1]), h(w[2], w[3])),
            "OPCODES_3": o4 & 0xFFFFFF,
            "OPCODES_4": o4,
            "OPCODES_6": h(o4, o8 & 0xFFFF),
            "OPCODES_8": h(o4, o8),
        }

    def _opcode(self) -> dict[str, int]:
        method = h(self.values[17][0], self.values[16][0])
        p = self.reader.place - self.reader.code
        return self._instructions() | {
            "CODE": 26,
            "CODE_BEFORE": self.w[0],
            "CODE_BEFORE_2": self.w[1],
            "REGISTERS": h(self.w[0], self.o[1]),
            "OPERAND": h(min(self._rest, 64), self.o[0]),
            "OPERAND_LIKE": h(min(p, 16), method),
            "TARGET": h(self.v[0], self.v[1]),
            "CODE_GATE": self.o[0],
            "CODE_BEFORE_GATE": self.o[1],
        }

    def _operands(self) -> dict[str, int]:
        reader = self.reader
        nt = reader.tags[reader.next[1]]
        operand = self.operand[reader.opcode]
        return self._instructions() | {
            "CODE": h(reader.field.number << 8 | reader.opcode, self._so_far),
            "CODE_BEFORE": self.w[1],
            "CODE_BEFORE_2": operand,
            "REGISTERS": nt << 4 | self.new & 15,
            "OPERAND": nt,
            "OPERAND_LIKE": h(operand, self.w[1]),
            "TARGET": h(self._rest, reader.opcode),
            "CODE_GATE": reader.opcode,
            "CODE_BEFORE_GATE": nt << 2 | self.new & 3,
        }

    def _text(self, last: list[int], features: Features) -> dict[str, int]:
        reader = self.reader
        role = reader.roles[reader.index]
        k, left = len(reader.seen), self._left
        text = h(reader.text, k)
        word = features["WORD"]
        return {
            "CODE": 5,
            "CODE_BEFORE": h(word, last[0]),
            "CODE_BEFORE_2": h(text, role),
            "CODE_BEFORE_4": h(text, k + left),
            "OPCODES_3": h(left, last[0]),
            "OPCODES_4": h(role, packed(last[:3])),
            "OPCODES_6": h(word, features["WORD_BEFORE"]),
            "OPCODES_8": h(text, self.t0),
            "REGISTERS": role << 16 | packed(last[:2]),
            "OPERAND": h(left, word),
            "OPERAND_LIKE": h(role, packed(last)),
            "TARGET": role << 8 | last[0],
            "CODE_GATE": min(left, 255),
            "CODE_BEFORE_GATE": role,
        }

    def _constant(self) -> dict[str, int]:
        reader = self.reader
        role = reader.roles[reader.index] if reader.index < MOST else 0
        length = self.values[4][0]
        return {
            "CODE": h(reader.field.number, self._so_far),
            "CODE_BEFORE": role,
            "CODE_BEFORE_2": self.t0,
            "CODE_BEFORE_4": h(self.t0, self.t1),
            "OPCODES_3": h(role, self.tags & 0xFFFF),
            "OPCODES_4": self.tags,
            "OPCODES_6": h(self.t0, self.tags & 0xFFFF),
            "OPCODES_8": h(self.tags, role),
            "REGISTERS": length,
            "OPERAND": h(self.new & 15, self.tags & 255),
            "OPERAND_LIKE": h(role, length),
            "TARGET": reader.index,
            "CODE_GATE": role,
            "CODE_BEFORE_GATE": self.tags & 255,
        }

    def _begun(self, p: int) -> int:
        return self.reader.begun[p] if p < MOST_PLACES else 0

    def _ended(self, p: int) -> int:
        return self.reader.ended[p] if p < MOST_PLACES else 0

    def _statement_after(self, a: int) -> int:
        end = min(a + 64, 8191)
        for p in range(a + 1, end):
            if self._begun(p) and ends_statement(self._ended(p)):
                return p
        return max(end, a + 1)

    def _line(self) -> dict[str, int]:
        a = self.reader.line_place
        b = self._statement_after(a)
        c = self._statement_after(b)
        steps = b - a << 8 | c - a
        v, items = self.v, self.reader.items
        step = self.values[39][0] - self.values[39][1]
        shown = {
            "CODE": h(self.reader.field.number, self._so_far),
            "CODE_BEFORE": self._begun(a),
            "CODE_BEFORE_2": h(self._begun(a), self._ended(a)),
            "CODE_BEFORE_4": h(self._begun(a), v[1]),
            "OPCODES_3": h(self._begun(a), step),
            "OPCODES_4": h(self._begun(a), self._begun(b)),
            "OPCODES_6": h(items, steps),
            "OPCODES_8": items,
            "REGISTERS": self.reader.code_length - a,
            "OPERAND": h(v[0], v[1]),
            "OPERAND_LIKE": v[0],
            "TARGET": step,
            "CODE_GATE": self._begun(a),
            "CODE_BEFORE_GATE": self._ended(b),
        }
        if self.reader.field.number == 39:
            return shown
        kind = self._ended(b) << 8 | self._begun(b)
        return shown | {
            "CODE_BEFORE": h(b - a, self._ended(b)),
            "CODE_BEFORE_2": steps,
            "CODE_BEFORE_4": h(steps, kind),
            "OPCODES_3": h(b - a, kind),
            "CODE_GATE": b - a,
        }

    def _number(self) -> dict[str, int]:
        reader, v = self.reader, self.v
        f = reader.field.number
        last, last_but_one = self.values[f]
        member = reader.t if f in (7, 8) else reader.depth
        return {
            "CODE": h(f << 8 | member, self._so_far),
            "CODE_BEFORE": last,
            "CODE_BEFORE_2": v[0],
            "CODE_BEFORE_4": h(v[0], v[1]),
            "OPCODES_3": h(last, v[0]),
            "OPCODES_4": h(h(v[0], v[1]), v[2]),
            "OPCODES_6": h(last, last_but_one),
            "OPCODES_8": self.new & 255,
            "REGISTERS": h(self.new & 7, last),
            "OPERAND": h(reader.name, reader.attributes[reader.depth]),
            "OPERAND_LIKE": h(reader.name, reader.code_length),
            "TARGET": self.tags if f in (7, 8) else reader.items,
            "CODE_GATE": f << 2 | self._left & 3,
            "CODE_BEFORE_GATE": self.new & 15,
        }
