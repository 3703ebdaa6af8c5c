"""What section "Features of fonts" says of charstrings, compact fonts and private parts."""

from __future__ import annotations

from collections import defaultdict

from tests.oracles.document.features import hashed
from tests.oracles.document.tables import u32

NOWHERE = 2**40
ITEMS = 16384
NAMES, TOPS, STRINGS, GLOBALS, GLYPHS, FONTS, LOCALS, PRIVATE, UNREAD = range(9)
HEADER, COUNT, SIZE, OFFSETS, TEXT, ENTRIES, PROGRAMS, OTHER = range(8)


def signed(w: int) -> int:
    return w - 65536 if w >= 32768 else w


def h(a: int, b: int) -> int:
    return hashed(u32(a), u32(b))


def packed(four: list[int]) -> int:
    return sum(n << 8 * k for k, n in enumerate(four))


def of_two(number: int) -> int:
    return number - 63124 if number >> 8 < 251 else 64148 - number


class Charstring:
    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.part = self.left = self.number = self.stems = self.y = 0
        self.stack: list[int] = []
        self.n, self.o = [0] * 6, [0] * 8

    def see(self, b: int) -> None:
        if self.part == 0:
            self.number = b
            if b == 12:
                self.part = 1
            elif b == 28:
                self.part, self.left = 2, 2
            elif b >= 247:
                self.part, self.left = 2, 4 if b == 255 else 1
            elif b >= 32:
                self._complete(b - 139)
            else:
                self._operator(b)
        elif self.part == 1:
            self.part = 0
            self._operator(64 | b & 63)
        else:
            self.number = self.number << 8 | b
            self.left -= 1
            if self.left == 0:
                was, self.part = self.part, 0
                if was == 2:
                    self._complete(self._value())

    def _value(self) -> int:
        if self.number >> 16 == 28:
            return signed(self.number & 0xFFFF)
        if self.number >> 32 == 255:
            return signed(self.number >> 16 & 0xFFFF)
        return of_two(self.number)

    def _complete(self, number: int) -> None:
        self.stack += [number] * (len(self.stack) < 48)
        self.n = [number, *self.n[:5]]

    def _operator(self, k: int) -> None:
        self.o = [k, *self.o[:7]]
        if k in (10, 29):
            self.stack = self.stack[:-1]
            return
        if k in (1, 3, 18, 19, 20, 23):
            self.stems = min(self.stems + len(self.stack) // 2, 96)
            if k in (19, 20):
                self.number, self.part, self.left = 0, 3, max((self.stems + 7) // 8, 1)
        else:
            self.y += sum(n for i, n in enumerate(self.stack) if self._upward(k, i))
        self.stack = []

    def _upward(self, k: int, i: int) -> bool:
        depth = len(self.stack)
        odd = depth % 2
        if k in (13, 22) or (k >= 64 and k != 99):
            return False
        if k in (4, 21):
            return i == depth - 1
        if k == 7:
            return i % 2 == 0
        if k == 26:
            return i >= odd and (i - odd) % 4 != 1
        if k == 27:
            return i < odd or (i - odd) % 4 == 2
        if k in (30, 31):
            j = (i - 1) // 4 if odd and i == depth - 1 else i // 4
            begins_upward = j % 2 == k - 30
            return i % 4 in ((0, 2) if begins_upward else (2, 3))
        return i % 2 == 1

    def shown(self) -> dict[str, int]:
        n, o, depth = self.n, self.o, len(self.stack)
        p = [5 + min(depth, 7), 4, 13, 14][self.part]
        both = h(n[0], n[1])
        a, b, c = (2 * min(abs(m).bit_length(), 15) + int(m < 0) for m in n[:3])
        number = self.number if self.part else 0
        return {
            "CODE_PLACE": p,
            "CODE": h(self.part << 10 | self.left << 6 | depth, number),
            "CODE_BEFORE": h(n[0], o[0]),
            "CODE_BEFORE_2": h(n[1], o[0]),
            "CODE_BEFORE_4": h(both, n[2]),
            "OPCODES_3": packed(o[:2]),
            "OPCODES_4": packed(o[:4]),
            "OPCODES_6": h(n[5], o[0]),
            "OPCODES_8": both,
            "REGISTERS": h(n[0] * n[1] // n[2], 0) if n[2] else h(0, 1),
            "OPERAND": h(n[3], o[0]),
            "OPERAND_LIKE": h(self.y, depth),
            "TARGET": h(a << 10 | b << 5 | c, o[0]),
            "CODE_GATE": p << 8 | o[0],
            "CODE_BEFORE_GATE": p << 8 | o[1],
        }


class Dictionary:
    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.part = self.left = self.number = self.operator = self.depth = 0
        self.d = [0, 0]

    def see(self, b: int) -> int | None:
        """The operator that ends with the byte."""
        if self.part == 0:
            self.number = 0
            if b == 12:
                self.part = 1
            elif b < 22:
                return self._operator(b)
            elif b in (28, 29):
                self.part, self.left = (3, 2) if b == 28 else (4, 4)
            elif b == 30:
                self.part = 5
            elif b < 247:
                self._complete(b - 139)
            else:
                self.part, self.left, self.number = 2, 1, b
        elif self.part == 1:
            self.part = 0
            return self._operator(64 | b & 63)
        elif self.part == 5:
            if b & 15 == 15:
                self._complete(0)
        else:
            self.number = self.number << 8 | b
            self.left -= 1
            if self.left == 0:
                small = of_two(self.number) if self.part == 2 else signed(self.number)
                large = self.number - (2**32 if self.number >= 2**31 else 0)
                self._complete(large if self.part == 4 else small)
        return None

    def _complete(self, number: int) -> None:
        self.d = [number, self.d[0]]
        self.part = 0
        self.depth += 1

    def _operator(self, operator: int) -> int:
        self.operator, self.depth = operator, 0
        return operator


class CompactFont:
    def __init__(self) -> None:
        self.charstring, self.dictionary = Charstring(), Dictionary()
        self.ends: defaultdict[int, int] = defaultdict(int)
        self.start = self.item = self.count = self.value = 0
        self.begin()

    def begin(self) -> None:
        self.place = self.column = self.offset = 0
        self.size, self.end = 1, NOWHERE
        self.what, self.part, self.next = UNREAD, HEADER, 4
        self.places: list[tuple[int, int, int]] = []

    def see(self, b: int) -> None:
        self.place += 1
        if self.part == PROGRAMS:
            self.charstring.see(b)
        elif self.part == ENTRIES:
            operator = self.dictionary.see(b)
            if operator is not None:
                self._entry(operator, *self.dictionary.d)
        elif self.part in (COUNT, OFFSETS):
            self.value = self.value << 8 | b
            self.column += 1
            if self.part == OFFSETS and self.column == self.size:
                if 1 <= self.item <= ITEMS:
                    self.ends[self.item - 1] = self.value - 1
                self.item += 1
                self.offset, self.value, self.column = self.value, 0, 0
        elif self.part == SIZE:
            self.size = min(max(b, 1), 4)
        elif self.part == HEADER and self.place == 3:
            self.next = max(b, 4)
        if self.place == self.next:
            self._part_ends()

    def _part_ends(self) -> None:
        if self.part == HEADER:
            self._index(NAMES)
        elif self.part == COUNT:
            self.count, self.part, self.next = self.value, SIZE, self.place + 1
            if self.count == 0:
                self._structure_ends()
        elif self.part == SIZE:
            self.part, self.offset = OFFSETS, 1
            self.item = self.value = self.column = 0
            self.next = self.place + self.size * (self.count + 1)
        elif self.part == OFFSETS:
            end = self.place + self.offset - 1
            self.end = end if self.end == NOWHERE else max(self.end, end)
            kinds = {NAMES: TEXT, STRINGS: TEXT, TOPS: ENTRIES, FONTS: ENTRIES}
            self.part = kinds.get(self.what, PROGRAMS)
            self.start, self.item = self.place, 0
            self._item_begins()
        elif self.what < PRIVATE:
            self.item += 1
            self._item_begins()
        else:
            self._structure_ends()

    def _index(self, kind: int) -> None:
        self.what, self.part, self.next = kind, COUNT, self.place + 2
        self.value = self.column = 0

    def _item_begins(self) -> None:
        known = min(self.count, ITEMS)
        while self.item < known and self.ends[self.item] + self.start <= self.place:
            self.item += 1
        if self.item < known:
            self.next = self.ends[self.item] + self.start
        elif self.start + self.offset - 1 > self.place:
            self.next = self.start + self.offset - 1
        else:
            self._structure_ends()
            return
        if self.part == PROGRAMS:
            self.charstring.begin()
        elif self.part == ENTRIES:
            self.dictionary.begin()

    def _structure_ends(self) -> None:
        if self.what < GLOBALS:
            self._index(self.what + 1)
            return
        self.what, self.part = UNREAD, OTHER
        self.next = min((n for n, _, _ in self.places if n > self.place), default=NOWHERE)
        here = [(kind, size) for n, kind, size in self.places if n == self.place and kind != UNREAD]
        for kind, size in here[:1]:
            if kind == PRIVATE:
                self.what, self.part = PRIVATE, ENTRIES
                self.start, self.next = self.place, self.place + size
                self.dictionary.begin()
            else:
                self._index(kind)

    def _entry(self, operator: int, last: int, before: int) -> None:
        kinds = {15: UNREAD, 16: UNREAD, 101: UNREAD, 17: GLYPHS, 100: FONTS}
        if operator in kinds:
            self._keep(last, kinds[operator], 1)
        elif operator == 18:
            self._keep(last, PRIVATE, before)
        elif operator == 19:
            self._keep(self.start + last, LOCALS, 1)

    def _keep(self, place: int, kind: int, size: int) -> None:
        if len(self.places) < 64 and place >= self.place and size > 0:
            self.places.append((place, kind, size))
            self.end = max(self.end, place + size)


class PrivatePart:
    def __init__(self) -> None:
        self.charstring = Charstring()
        self.left = 0
        self.begin()

    def begin(self) -> None:
        self.part = self.length = self.digit = 0

    def see(self, b: int, last4: int) -> None:
        if self.part == 0:
            if 0x30 <= b <= 0x39:
                self.length = min((10 * self.length if self.digit else 0) + b - 0x30, 65536)
            self.digit = int(0x30 <= b <= 0x39)
            if last4 in (0x20524420, 0x202D7C20) and self.length:
                self.part, self.left = 1, self.length
                self.charstring.begin()
            return
        self.left -= 1
        if self.part == 2:
            self.charstring.see(b)
        elif self.length - self.left == 4:
            self.part = 2
        if self.left == 0:
            self.begin()
