"""Section "Features of fonts" of the document; what has programs of glyphs is in `charstrings`."""

from __future__ import annotations

from collections import defaultdict

from tests.oracles.document.charstrings import (
    ENTRIES,
    NOWHERE,
    OFFSETS,
    PROGRAMS,
    CompactFont,
    PrivatePart,
    h,
    packed,
    signed,
)
from tests.oracles.document.features import Features
from tests.oracles.document.history import History
from tests.oracles.document.tables import u32

MOST = 16384


def bytes_of(last4: int) -> list[int]:
    """The last four bytes, the last one first."""
    return [last4 >> 8 * k & 255 for k in range(4)]


class Program:
    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.part, self.wide, self.values = 0, 0, 0
        self.o = [0] * 8

    def see(self, b: int) -> None:
        if self.part == 0:
            self.o = [b, *self.o[:7]]
            if b in (0x40, 0x41):
                self.wide, self.part = b & 1, 1
            elif 0xB0 <= b <= 0xBF:
                self.wide, self.values = b >> 3 & 1, (b & 7) + 1
                self._expect()
        elif self.part == 3:
            self.part = 4
        else:
            self.values = b if self.part == 1 else self.values - 1
            self._expect()

    def _expect(self) -> None:
        self.part = 0 if self.values == 0 else 3 if self.wide else 2

    def shown(self, last: list[int], left: int, points: int) -> dict[str, int]:
        o, p = self.o, 5 + self.part
        o4, o8 = packed(o[:4]), packed(o[4:])
        common = {
            "CODE_PLACE": p,
            "OPCODES_3": o4 & 0xFFFFFF,
            "OPCODES_4": o4,
            "OPCODES_6": h(o4, o8 & 0xFFFF),
            "OPCODES_8": h(o4, o8),
            "OPERAND_LIKE": h(self.values, left),
            "TARGET": points,
            "CODE_BEFORE_GATE": p << 8 | o[1],
        }
        if self.part == 0:
            return common | {
                "CODE": p,
                "CODE_BEFORE": o[0],
                "CODE_BEFORE_2": o[1],
                "CODE_BEFORE_4": h(o4, o[4]),
                "REGISTERS": o4 & 0xFFFF,
                "OPERAND": h(o[0], last[1] << 8 | last[0]),
                "CODE_GATE": p << 8 | o[0],
            }
        return common | {
            "CODE": p << 8 | o[0],
            "CODE_BEFORE": self.values,
            "CODE_BEFORE_2": last[1],
            "CODE_BEFORE_4": last[2] << 8 | last[1],
            "REGISTERS": last[2],
            "OPERAND": h(self.values, last[0]),
            "CODE_GATE": p << 8 | (o[0] if self.part == 1 else self.values),
        }


def numbers(
    last: list[int], p: int, column: int, high: int, a: int, c: int, inside: int
) -> dict[str, int]:
    return {
        "CODE_PLACE": p,
        "CODE": h(p << 8 | column, high),
        "CODE_BEFORE": u32(a),
        "CODE_BEFORE_2": u32(c),
        "CODE_BEFORE_4": h(a, c),
        "OPCODES_3": packed(last[:3]),
        "OPCODES_4": packed(last),
        "OPCODES_6": packed(last[2:]),
        "OPCODES_8": inside & 7,
        "REGISTERS": last[1],
        "OPERAND": inside & 3,
        "OPERAND_LIKE": min(inside, 255),
        "TARGET": last[3],
        "CODE_GATE": p << 8 | column,
        "CODE_BEFORE_GATE": p << 8 | last[1],
    }


def others(last: list[int], f: Features, p: int, tag: int, odd: int) -> dict[str, int]:
    """Features of what is not read."""
    above = f["UP"] << 12 | f["RECORD"]
    record = f["RECORD_PLACE"] << 12 | f["RECORD"]
    return {
        "CODE_PLACE": p,
        "CODE": tag,
        "CODE_BEFORE": h(f["WORD"], f["LAST"]),
        "CODE_BEFORE_2": f["WORD_BEFORE"],
        "CODE_BEFORE_4": h(above, record),
        "OPCODES_3": h(record, f["LAST"]),
        "OPCODES_4": h(above, last[1] << 8 | last[0]),
        "OPCODES_6": h(above, f["LAST"]),
        "OPCODES_8": h(above, f["PLANE"]),
        "REGISTERS": packed(last[2:]),
        "OPERAND": h(f["TEXT_PLACE"], f["LAST"]),
        "OPERAND_LIKE": h(f["ABOVE"], f["LAST"]),
        "TARGET": odd << 8 | last[3],
        "CODE_GATE": p << 8 | last[1],
        "CODE_BEFORE_GATE": p << 8 | odd << 7 | tag & 127,
    }


COLUMNS = {"contours": 0, "box": 1, "ends": 2, "length": 3}
COLUMNS |= {"component": 8, "arguments": 9, "lost": 10}
SHORT, SAME = {"X": 2, "Y": 4}, {"X": 16, "Y": 32}


class Outlines:
    def __init__(self) -> None:
        self.program = Program()
        self.part = "contours"
        self.place = self.half = self.left = self.contours = self.contour = 0
        self.points = self.point = self.begins = self.side = self.repeats = 0
        self.at = self.began = self.component = self.used = self.count = 0
        self.box, self.s, self.g = [0] * 4, [0] * 4, [0] * 8
        self.ends: list[int] = []
        self.flags: list[int] = []
        self.x_steps: defaultdict[int, int] = defaultdict(int)
        self.starts: list[int] = []
        self.lefts: list[int] = []
        self.told_before = False

    def forget(self) -> None:
        self.count, self.starts, self.lefts, self.told_before = 0, [], [], False

    def begin(self) -> None:
        self.place = self.half = self.side = self.used = 0
        self.part = "contours"

    def see(self, b: int, last: list[int]) -> None:
        self.place += 1
        w = last[1] << 8 | last[0]
        if self.part == "program":
            self.program.see(b)
            self.left -= 1
            if self.left == 0:
                self._end_program()
        elif self.part == "flags":
            self._flag(b)
        elif self.part in SHORT:
            f = self.flags[self.point]
            if f & SHORT[self.part]:
                self._step(b if f & SAME[self.part] else -b)
                self._go_on()
            else:
                self.half = 1 - self.half
                if not self.half:
                    self._step(signed(w))
                    self._go_on()
        elif self.part == "arguments":
            self.left -= 1
            if self.left == 0:
                more, code = self.component & 32, self.component & 256
                self.part = "component" if more else "length" if code else "contours"
        else:
            self.half = 1 - self.half
            if not self.half:
                getattr(self, "_" + self.part)(w)

    def _lost(self, w: int) -> None:
        pass

    def _contours(self, w: int) -> None:
        if self.place % 2 and w in (0, 255):
            self.half = 1
        elif w:
            if self.count < MOST:
                self.starts.append(self.place - 2)
            self.count += 1
            self.contour = self.points = 0
            self.ends = []
            self.contours = 0 if w == 65535 else w
            self.part = "lost" if self.contours > 1024 else "box"

    def _box(self, w: int) -> None:
        if self.side == 0:
            self._left_side(signed(w))
        self.box[self.side] = signed(w)
        self.side = (self.side + 1) % 4
        if self.side == 0:
            self.part = "ends" if self.contours else "component"

    def _left_side(self, left: int) -> None:
        if not self.told_before:
            self.keep(left)
            return
        near = self.lefts[self.used : self.used + 8]
        self.used += near.index(left) + 1 if left in near else 1

    def keep(self, left: int) -> None:
        self.lefts += [left] * (len(self.lefts) < MOST)

    def _ends(self, w: int) -> None:
        if w < self.points or w > 4095:
            self.part = "lost"
            return
        self.ends.append(w)
        self.points = w + 1
        self.contour += 1
        if self.contour == self.contours:
            self.part = "length"

    def _length(self, w: int) -> None:
        self.left, self.part = w, "program"
        self.program.begin()
        if w == 0:
            self._end_program()

    def _component(self, w: int) -> None:
        self.component = w
        self.left = 6 if w & 1 else 4
        self.left += 2 if w & 8 else 4 if w & 64 else 8 if w & 128 else 0
        self.part = "arguments"

    def _end_program(self) -> None:
        self.part = "contours"
        if self.contours:
            self.part = "flags"
            self._to_first()
            self.repeats, self.g, self.flags = 0, [0] * 8, []

    def _to_first(self) -> None:
        self.point, self.contour, self.begins = 0, 0, 1

    def _move_on(self) -> None:
        self.begins = int(self.point == self.ends[self.contour])
        self.contour += self.begins
        self.point += 1

    def _flag(self, b: int) -> None:
        more = [b]
        if self.repeats:
            more, self.repeats = self.flags[-1:] * b, 0
        else:
            self.repeats = b >> 3 & 1
        for flag in more[: self.points - self.point]:
            self.flags.append(flag)
            self.g = [flag, *self.g[:7]]
            self._move_on()
        if self.point == self.points and not self.repeats:
            self.part = "X"
            self._begin_steps()

    def _begin_steps(self) -> None:
        self._to_first()
        self.at = self.began = 0
        self.s = [0] * 4
        self._go_on()

    def _go_on(self) -> None:
        short, same = SHORT[self.part], SAME[self.part]
        while self.point < self.points and self.flags[self.point] & (short | same) == same:
            self._step(0)
        if self.point == self.points:
            if self.part == "X":
                self.part = "Y"
                self._begin_steps()
            else:
                self.part = "contours"

    def _step(self, d: int) -> None:
        if self.part == "X":
            self.x_steps[self.point] = d
        self.at += d
        self.s = [d, *self.s[:3]]
        if self.begins:
            self.began = self.at
        self._move_on()

    def shown(self, last: list[int]) -> dict[str, int]:
        if self.part == "program":
            return self.program.shown(last, self.left, self.points)
        if self.part == "flags":
            return self._shown_flags()
        if self.part in SHORT:
            return self._shown_step(last)
        a = c = 0
        if self.part == "box":
            a = self.box[self.side] + 1
            if self.side >= 2:
                c = self.box[self.side - 2] + 1
            elif self.side == 0 and self.told_before and self.used < len(self.lefts):
                c = self.lefts[self.used] + 1
        elif self.part == "ends":
            a, c = self.points, self.contours - self.contour
        elif self.part == "length":
            a = self.points
        elif self.part == "arguments":
            c = self.left
        column = COLUMNS[self.part] << 3 | self.side << 1 | self.half
        return numbers(last, 2, column, self._high(last), a, c, self.place)

    def _high(self, last: list[int]) -> int:
        return 256 + last[0] if self.half else 0

    def _shown_flags(self) -> dict[str, int]:
        g, p = self.g, 10 + self.repeats
        g4, g8 = packed(g[:4]), packed(g[4:])
        end = self.ends[self.contour] if self.contour < self.contours else 0
        m = max(min(end - self.point, 15), 0) + 1
        k = min(self.points - self.point, 255) if self.repeats else min(m, 2) << 1 | self.begins
        return {
            "CODE_PLACE": p,
            "CODE": p << 8 | k,
            "CODE_BEFORE": g4 & 0xFFFF,
            "CODE_BEFORE_2": g4 >> 8 & 0xFFFF,
            "CODE_BEFORE_4": h(g4, g[4]),
            "OPCODES_3": g4 & 0xFFFFFF,
            "OPCODES_4": g4,
            "OPCODES_6": h(g4, g8 & 0xFFFF),
            "OPCODES_8": h(g4, g8),
            "REGISTERS": g[0],
            "OPERAND": m << 8 | g[0],
            "OPERAND_LIKE": h(self.point, self.points),
            "TARGET": h(self.point, end),
            "CODE_GATE": p << 8 | g[0],
            "CODE_BEFORE_GATE": p << 8 | g[1],
        }

    def _shown_step(self, last: list[int]) -> dict[str, int]:
        f = self.flags[self.point]
        before = self.flags[self.point - 1] if self.point else 0
        following = self.flags[self.point + 1] if self.point + 1 < self.points else 0
        short, same = int(f & SHORT[self.part] != 0), int(f & SAME[self.part] != 0)
        p = 12 + 2 * (self.part == "X") + 1 - short
        shape = (before & 1) << 3 | (f & 1) << 2 | (following & 1) << 1 | self.begins
        lowest, highest = self.box[0::2] if self.part == "X" else self.box[1::2]
        s, at = self.s, self.at
        two = h(s[0], s[1])
        three = h(two, s[2])
        rest = self.ends[self.contour] - self.point
        x = self.x_steps[self.point]
        x_before = self.x_steps[self.point - 1] if self.point else 0
        if self.part == "X":
            own = {
                "CODE_BEFORE_2": h(s[1], f << 8 | following),
                "OPCODES_3": three,
                "OPCODES_6": h(three, s[3]),
                "OPCODES_8": h(at, s[0]),
                "OPERAND": u32(at - lowest),
            }
        else:
            own = {
                "CODE_BEFORE_2": h(x, shape),
                "OPCODES_3": h(x, s[0]),
                "OPCODES_6": three,
                "OPCODES_8": h(h(x, s[0]), x_before),
                "OPERAND": u32(at),
            }
        return own | {
            "CODE_PLACE": p,
            "CODE": p << 20 | short << 17 | same << 16 | self._high(last),
            "CODE_BEFORE": h(s[0], shape),
            "CODE_BEFORE_4": h(two, shape),
            "OPCODES_4": before << 16 | f << 8 | following,
            "REGISTERS": h(at, f),
            "OPERAND_LIKE": u32(highest - at if same else at - lowest),
            "TARGET": h(self.began - at, min(rest, 3)),
            "CODE_GATE": p << 8 | short << 6 | same << 5 | shape << 1 | self.half,
            "CODE_BEFORE_GATE": p << 8 | min(rest, 7) << 5 | min(abs(s[0]) >> 3, 31),
        }


class Font:
    def __init__(self) -> None:
        self.position = self.place = self.end = self.count = self.next = self.start = 0
        self.tables: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
        self.what, self.tag = "directory", b""
        self.outlines = Outlines()
        self.program = Program()
        self.compact, self.private = CompactFont(), PrivatePart()
        self.long = self.widths = self.entry = self.before = self.following = 0

    def begin(self, history: History, f: Features) -> None:
        moved = history.position - self.position
        self.place += moved
        if self.place >= self.end:
            self.place = self.count = self.start = self.long = 0
            self.end, self.next, self.widths = NOWHERE, 12, MOST
            self.what, self.tag = "directory", b""
            self.outlines.forget()
        elif moved:
            self._table()
        self.position = history.position
        self._show(history, f)

    def see(self, b: int, history: History, f: Features) -> None:
        last = bytes_of(history.last4)
        self.place += 1
        self.position = history.position
        inside = self.place - self.start
        if self.what == "directory":
            self._directory(last)
        elif self.what == "compact":
            self.compact.see(b)
            if self.count == 0:
                self.end = self.compact.end
        elif self.what == "private":
            self.private.see(b, history.last4)
            if history.last4 == 0x66696C65:
                self.end = self.place
        elif self.what == "outlines":
            self.outlines.see(b, last)
        elif self.what == "program":
            self.program.see(b)
        elif self.what == "places":
            self._place(b, inside)
        elif self.what == "widths":
            self._width(inside, signed(last[1] << 8 | last[0]))
        elif self.tag == b"head" and inside == 52:
            self.long = int(b > 0)
        elif self.tag == b"hhea" and inside == 36:
            self.widths = last[1] << 8 | last[0]
        if self.place == self.next:
            self._table()
        self._show(history, f)

    def _directory(self, last: list[int]) -> None:
        sign = packed(last)
        if self.place == 4 and sign not in (0x00010000, 0x74727565, 0x4F54544F):
            self.next = NOWHERE
            self.what = "compact" if sign >> 8 == 0x010004 else "private"
            if self.what == "compact":
                self.compact.begin()
                for b in reversed(last):
                    self.compact.see(b)
            else:
                self.private.begin()
        elif self.place == 6:
            self.count = min(last[1] << 8 | last[0], 48)
            self.next = self.end = 12 + 16 * self.count
        elif self.place > 12:
            table, r = self.tables[(self.place - 13) // 16], (self.place - 12) % 16
            if r in (4, 12):
                table[r // 12] = packed(last)
            elif r == 0:
                table[2] = table[1] + packed(last)
                self.end = max(self.end, table[2])

    def _table(self) -> None:
        at = self.place
        self.start, self.tag = at, b""
        ends = [self.end] if self.end > at else []
        for k in range(self.count):
            tag, start, stop = self.tables[k]
            if start == at and stop > at:
                self.tag = tag.to_bytes(4, "big") if tag else b""
                ends.append(stop)
            elif start > at:
                ends.append(start)
        self.next = min(ends, default=NOWHERE)
        kinds = {b"glyf": "outlines", b"fpgm": "program", b"prep": "program"}
        kinds |= {b"loca": "places", b"hmtx": "widths", b"CFF ": "compact"}
        self.what = kinds.get(self.tag, "other")
        if self.what == "compact":
            self.compact.begin()
        elif self.what == "outlines":
            self.outlines.begin()
        elif self.what == "program":
            self.program.begin()
        elif self.what == "places":
            self.entry = self.before = self.following = 0
        elif self.what == "widths":
            self.outlines.used = 0
            self.outlines.told_before = self.outlines.count == 0

    def _place(self, b: int, inside: int) -> None:
        self.entry = self.entry << 8 | b
        if inside % (4 if self.long else 2) == 0:
            self.before = self.entry if self.long else 2 * self.entry
            self.entry = 0
            starts = self.outlines.starts
            while self.following < len(starts) and starts[self.following] <= self.before:
                self.following += 1

    def _width(self, inside: int, left: int) -> None:
        if inside % 2 or (inside % 4 and inside <= 4 * self.widths):
            return
        lefts, u = self.outlines.lefts, self.outlines.used
        if self.outlines.told_before:
            self.outlines.keep(left)
        elif left or lefts[u : u + 1] == [0]:
            skipped = lefts[u : u + 1] != [left] and lefts[u + 1 : u + 2] == [left]
            self.outlines.used += 1 + int(skipped)

    def _show(self, history: History, f: Features) -> None:
        last = bytes_of(history.last4)
        inside = self.place - self.start
        if self.what == "outlines":
            f |= self.outlines.shown(last)
        elif self.what == "compact":
            f |= self._compact_shown(last, f)
        elif self.what == "private":
            if self.private.part == 2:
                f |= self.private.charstring.shown()
            else:
                f |= others(last, f, 1, 256 + self.private.part, 0)
        elif self.what == "program":
            f |= self.program.shown(last, self.next - self.place, 0)
        elif self.what == "places":
            size = 4 if self.long else 2
            column = inside % size
            following = [*self.outlines.starts[self.following :], -1][0]
            a, c = (self._next_byte(n, size - 1 - column) for n in (self.before, following))
            f |= numbers(last, 3, column, a << 9 | c, a, c, inside)
        elif self.what == "widths":
            column = inside & 3 if inside < 4 * self.widths else 2 + (inside & 1)
            lefts = [] if self.outlines.told_before else self.outlines.lefts[self.outlines.used :]
            a = lefts[0] + 65536 if lefts else 0
            high = 256 + last[0] if inside % 2 else 0
            f |= numbers(last, 4, column, high, a, last[3] << 8 | last[2], inside)
        else:
            tag = int.from_bytes(self.tag, "big")
            f |= others(last, f, int(self.tag != b""), tag, inside & 1)

    def _compact_shown(self, last: list[int], f: Features) -> dict[str, int]:
        font = self.compact
        if font.part == PROGRAMS:
            return font.charstring.shown()
        if font.part == ENTRIES:
            d = font.dictionary
            a, c = d.d
            return numbers(last, 3, d.part << 8 | d.operator, d.number, a, c, d.depth)
        if font.part == OFFSETS:
            expected = font.offset >> 8 * (font.size - 1 - font.column)
            column, high = font.size << 2 | font.column, font.value - (expected >> 8)
            return numbers(last, 2, column, high, expected & 255, font.what, font.column)
        return others(last, f, 1, font.what << 4 | font.part, font.place & 1)

    def _next_byte(self, place: int, behind: int) -> int:
        entry = place if self.long else place // 2
        known = place >= 0 and entry >> 8 * (behind + 1) == self.entry
        return 1 + (entry >> 8 * behind & 255) if known else 0
