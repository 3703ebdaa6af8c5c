"""Sections "Features", "Features of text", "... of binary data", "... of code" of the document."""

from __future__ import annotations

from collections import defaultdict

from tests.oracles.document.history import History
from tests.oracles.document.instructions import Reader
from tests.oracles.document.tables import HASH, HASH_2, u32


def hashed(a: int, b: int) -> int:
    h = (a * HASH + (b + 1) * HASH_2) & (2**62 - 1)
    return u32(h ^ h >> 23)


def class_of(b: int) -> int:
    if 65 <= b <= 90 or 97 <= b <= 122 or b >= 128:
        return 1
    if 48 <= b <= 57:
        return 2
    return 3 if b == 32 or 9 <= b <= 13 else 0


class Shown:
    def __init__(self) -> None:
        self.place = "outside"
        self.operator = self.many = self.escaped = self.minus = self.digits = self.point = 0
        self.words = [0, 0, 0]

    def see(self, b: int, history: History) -> int | None:
        at = history.position
        _, before, operator, last = history.last4.to_bytes(4, "big")
        before = history.last4 >> 24 if before in (10, 32) else before
        if last in (74, 106) and operator == 84 and before in (41, 62, 93):
            self.operator = at
        if self.operator == 0 or at - self.operator > 4096:
            self.place = "outside"
        elif self.place == "string":
            return self._string(b)
        elif self.place == "move":
            return self._move(b)
        elif b == 40:
            self.place, self.many = "string", 0
        elif b == 91:
            self._begin_move()
            self.many = 1
        return b

    def _begin_move(self) -> None:
        self.place = "move"
        self.minus = self.digits = self.point = 0

    def _string(self, b: int) -> int | None:
        if b == 0:
            return None
        if self.escaped == 1:
            self.escaped = 0
        elif b == 92:
            self.escaped = 1
        elif b == 41 and self.many == 0:
            self.place = "outside"
        elif b == 41:
            self._begin_move()
            return None
        return b

    def _move(self, b: int) -> int | None:
        if b == 93:
            self.place = "outside"
            return b
        if b == 40:
            self.place = "string"
            return 32 if self.minus == 1 and self.digits >= 3 else None
        if b == 45:
            self.minus = 1
        if b == 46:
            self.point = 1
        if 48 <= b <= 57 and self.point == 0:
            self.digits += 1
        return None


class Features(defaultdict[str, int]):
    def __init__(self) -> None:
        super().__init__(int)
        self.shown = Shown()
        self.words_see: int | None = None
        self.line = self.line_before = 0
        self.f1 = [0] * 256
        self.f2 = [0] * 65536
        self.f3 = [0] * 65536

    def see(self, b: int, history: History) -> None:
        f = self
        f["THIRD"], f["SECOND"], f["LAST"] = f["SECOND"], f["LAST"], b
        f["PAIR"] = f["SECOND"] << 8 | b
        f["TEXT_FORM"] = (f["TEXT_FORM"] << 2 | class_of(b)) & 0xFFFF
        self.words_see = None
        if b != 0 or f["THIRD"] != 0 or class_of(f["SECOND"]) != 1:
            self._follow_shown(b, history)
        at = history.position
        if b == 10:
            self.line_before = self.line
            self.line = at
            f["LINE_START"] = 0
        column = at - self.line
        if column in (1, 2):
            f["LINE_START"] = (f["LINE_START"] << 8 | b) & 0xFFFF
        f["COLUMN"] = min(column, 255)
        r = history.block_type.row_bytes
        above = self.line_before + column
        if r:
            f["ROW_PLACE"] = (at - history.block_start) % r
            f["ABOVE"] = history.byte(at - r)
            f["ABOVE_TWICE"] = history.byte(at - 2 * r)
        else:
            f["ROW_PLACE"] = 0
            f["ABOVE"] = history.byte(above) if above < self.line else 10
            f["ABOVE_TWICE"] = history.byte(above + 1) if above < self.line else 10
        second = f["SECOND"]
        self.f1[second] = (self.f1[second] << 8 | b) & 0xFFFFFF
        f["INDIRECT_1"] = self.f1[b] & 0xFFFF
        f["INDIRECT_1_OF_3"] = self.f1[b]
        k = f["THIRD"] << 8 | second
        self.f2[k] = (self.f2[k] << 8 | b) & 0xFFFF
        f["INDIRECT_2"] = self.f2[second << 8 | b]
        k = hashed(history.last4 >> 8, 0) & 0xFFFF
        self.f3[k] = (self.f3[k] << 8 | b) & 0xFFFF
        f["INDIRECT_3"] = self.f3[hashed(history.last4 & 0xFFFFFF, 0) & 0xFFFF]

    def _follow_shown(self, b: int, history: History) -> None:
        was = self.shown.place
        self.words_see = self.shown.see(b, history)
        if self.words_see is not None:
            self._see_word(self.words_see)
        if (was == "outside") != (self.shown.place == "outside"):
            names = "WORD_BEFORE", "WORD_TWO_BEFORE", "WORD_THREE_BEFORE"
            old = [self[name] for name in names]
            self.update(zip(names, self.shown.words, strict=True))
            self.shown.words = old

    def _see_word(self, c: int) -> None:
        self["SEEN"] = u32(self["SEEN"] << 8 | c)
        if class_of(c) == 1:
            self["WORD"] = hashed(self["WORD"], c + 32 if 65 <= c <= 90 else c)
            self["LETTERS"] = min(self["LETTERS"] + 1, 15)
        elif self["WORD"] != 0:
            self["WORD_THREE_BEFORE"] = self["WORD_TWO_BEFORE"]
            self["WORD_TWO_BEFORE"] = self["WORD_BEFORE"]
            self["WORD_BEFORE"] = self["WORD"]
            self["WORD"] = self["LETTERS"] = 0


class Text:
    def __init__(self) -> None:
        self.depth = 0
        self.bracket = [0] * 64
        self.place = [0] * 64
        self.caller = [0] * 64
        self.first = [0] * 64
        self.arguments = [0] * 64
        self.words = [0] * 64
        self.word = self.first_word = self.first_above = 0
        self.indent = self.indent_above = self.indented = self.shape_above = self.lines = 0
        self.line_feeds = 0
        self.classes: dict[int, int] = {}
        self.token = self.length = self.before = self.name = self.gap = 0
        self.enclosing = self.capital = self.mark = self.five = self.sounds = 0
        self.seen = [0] * 2**15
        self.number = self.field = self.start = self.agrees = self.parted = self.slashes = 0
        self.e = self.hits = 0
        self.starts = [0] * 64
        self.above = [0] * 64
        self.values = [0] * 64

    def see(self, b: int, history: History, f: Features) -> None:
        column = history.position - f.line
        self._identifiers(b, f)
        self._brackets(b, column, f)
        self._lines(b, f)
        here = self.depth
        arguments = min(self.arguments[here], 15)
        f["BRACKET_PLACE"] = ((column - self.place[here]) & 255) << 8 | self.bracket[here]
        f["CALL"] = hashed(self.caller[here], arguments)
        statement = hashed(self.first[here], arguments)
        shapes = hashed(self.shape_above, f["SHAPE"])
        prose = f["SIGNS"] & 0xFFFFFF == 0x616161
        for feature, value in (
            ("STATEMENT", statement),
            ("LINES", hashed(self.lines, f["INDENTS"])),
            ("SHAPES", shapes),
            ("WORD_ABOVE", self.words[min(self.word, 63)]),
        ):
            f[feature] = 0 if prose else hashed(value, f["IDENTIFIER"])
        if f.words_see is not None:
            self._tokens(f.words_see, history, f)
            f["CLASS_AND_LETTERS"] = f["CLASS"] << 4 | f["LETTERS"]
            self._token_parts(f.words_see, history.position, f)
        self._fields(b, history, f)

    def _token_parts(self, b: int, at: int, f: Features) -> None:
        folded = b + 32 if 65 <= b <= 90 else b
        if class_of(b) in (1, 2):
            if self.token == 0:
                self.gap = self.sounds = 0
            self.token = hashed(self.token, folded)
            self.length = min(self.length + 1, 6)
            self.five = (self.five << 8 | folded) & 0xFFFFFFFFFF
            if folded >= 128:
                sound = 128
            elif 48 <= folded <= 57:
                sound = 48
            elif chr(folded) in "ey":
                sound = folded
            else:
                sound = 97 if chr(folded) in "aiou" else 98
            self.sounds = u32(self.sounds << 8 | sound)
        else:
            if self.token != 0:
                self.seen[self.token & 2**15 - 1] = at
                if b in (58, 61):
                    self.name = self.token
                self.before = self.token
                self.token = self.length = self.sounds = 0
            self.gap = hashed(self.gap, 32 if b == 10 else b)
            self.sounds = u32(self.sounds << 8 | b)
            if b in b"([{<":
                self.enclosing = b
            elif b in b")]}>":
                self.enclosing = 0
            elif b in (34, 39):
                self.enclosing = 0 if self.enclosing == b else b
            elif b in b".,;:!?":
                self.mark = at
        if b != folded:
            self.capital = at
        last = self.seen[self.token & 2**15 - 1]
        age = (at - last + 64).bit_length() if self.token != 0 and last != 0 else 0
        f["TOKEN_AGE"] = hashed(self.token, age)
        f["TOKEN_HERE"] = hashed(self.token or b, u32(at >> 10))
        f["TOKEN_NAMED"] = hashed(hashed(self.token, b), self.name)
        f["GAP_AGE"] = hashed(hashed(self.before, self.gap), age)
        f["GAP_NAMED"] = hashed(self.gap, self.name)
        f["LAST_FIVE"] = hashed(u32(self.five), self.five >> 32)
        f["SOUNDS"] = hashed(self.length << 1 | (age > 0), self.sounds)
        f["ENCLOSED"] = hashed(self.enclosing, hashed(self.token, folded))
        since = [min((at - place).bit_length(), 7) for place in (self.capital, self.mark)]
        f["SINCE"] = since[0] << 3 | since[1]

    def _begin_field(self, number: int, at: int) -> None:
        self.number, self.field, self.agrees = number, 0, 1
        self.start = self.starts[number] = at

    def _fields(self, b: int, history: History, f: Features) -> None:
        at = history.position
        hit = b == self.e
        self.hits += 4096 * hit - self.hits >> 6
        self.parted |= b in b",;\t| "
        if b == 10:
            self.values[self.number] = self.field
            known = self.number + 1
            self.above = self.starts[:known] + [at - 1] * (64 - known)
            self.slashes, self.parted = 1 - self.parted, 0
            self._begin_field(0, at)
        elif b in b",;\t|" or (b == 32 and self.field) or (b == 47 and self.slashes):
            self.values[self.number] = self.field
            self._begin_field(min(self.number + 1, 63), at)
        elif b == 32:
            self._begin_field(self.number, at)
        else:
            self.field = hashed(self.field, b)
            self.agrees &= hit
        place = min(self.above[self.number] + at - self.start, at - 1)
        self.e, a = history.byte(place), history.byte(min(place + 1, at - 1))
        after = hashed(self.field, self.values[self.number])
        values = (
            ("FIELD_SO_FAR", hashed(self.number, self.field)),
            ("FIELD_ABOVE", self.number << 17 | self.agrees << 16 | a << 8 | self.e),
            ("FIELD_AFTER", hashed(after, self.number)),
        )
        prose = f["SIGNS"] & 0xFFFFFF == 0x616161 and self.hits < 600
        for feature, value in values:
            f[feature] = 0 if prose else value

    def _tokens(self, b: int, history: History, f: Features) -> None:
        if class_of(b) == 1:
            return
        seen = f["SEEN"]
        before = seen >> 8 & 255
        if class_of(before) == 1:
            ending = hashed(seen >> 8 & 0xDFDFDF, 1)
            if history.block_type.kind == 16:
                self._define(ending if 65 <= before <= 90 else f["WORD_BEFORE"])
            else:
                known = self._word_class(f["WORD_BEFORE"]) or self._word_class(ending)
                k = 4 if class_of(seen >> 24) == 1 else 3
                guess = 128 + (hashed(seen >> 8 & 0xDFDF, k) >> 20 & 127)
                self._move_on(known or guess, f)
        blank = b == before == 10 != seen >> 16 & 255
        if class_of(b) != 3 or blank:
            if history.block_type.kind == 16:
                self._define(hashed(b, 2))
            else:
                self._move_on(self._word_class(hashed(b, 2)) or b & 127, f)
        self.line_feeds += b == 10

    def _places(self, t: int) -> tuple[int, int]:
        first = (t ^ t >> 15) & (2**18 - 1)
        return first, first ^ 1

    def _word_class(self, t: int) -> int:
        found = (self.classes.get(place, 0) for place in self._places(t))
        return next((w & 255 for w in found if w >> 8 == t >> 24), 0)

    def _define(self, t: int) -> None:
        if 1 <= self.line_feeds <= 127:
            places = self._places(t)
            taken = [self.classes.get(place, 0) for place in places]
            free = [w == 0 or w >> 8 == t >> 24 for w in taken]
            self.classes[places[free.index(True) if any(free) else 0]] = (
                t >> 24 << 8 | self.line_feeds
            )

    def _move_on(self, c: int, f: Features) -> None:
        f["CLASSES_3"] = (f["CLASSES_3"] << 8 | c) & 0xFFFFFF
        f["CLASSES"], f["CLASS"] = f["CLASSES_3"] & 0xFFFF, c

    def _brackets(self, b: int, column: int, f: Features) -> None:
        if chr(b) in "([{":
            self.depth = min(self.depth + 1, 63)
            here = self.depth
            self.bracket[here], self.place[here] = b, column
            self.caller[here] = f["IDENTIFIER_BEFORE"]
            self._begin_statement()
        elif chr(b) in ")]}":
            self.depth = max(self.depth - 1, 0)
            if b == 125:
                self._begin_statement()
        elif b == 44:
            self.arguments[self.depth] += 1
        elif b == 59 or (b == 10 and self.depth == 0):
            self._begin_statement()

    def _begin_statement(self) -> None:
        self.first[self.depth] = self.arguments[self.depth] = 0

    def _identifiers(self, b: int, f: Features) -> None:
        if class_of(b) in (1, 2) or b == 95:
            if f["IDENTIFIER"] == 0:
                self._extend(97, f)
            f["IDENTIFIER"] = hashed(f["IDENTIFIER"], b)
            return
        n = f["IDENTIFIER"]
        if n != 0:
            f["IDENTIFIER"], f["IDENTIFIER_BEFORE"] = 0, n
            self.first[self.depth] = self.first[self.depth] or n
            if self.word == 0:
                self.first_word = n
            self.words[min(self.word, 63)] = n
            self.word += 1
        if class_of(b) != 3:
            self._extend(b, f)
            f["MARKS"] = (f["MARKS"] << 8 | b) & 0xFFFFFF

    def _extend(self, n: int, f: Features) -> None:
        f["SHAPE"] = hashed(f["SHAPE"], n)
        f["SIGNS"] = u32(f["SIGNS"] << 8 | n)

    def _lines(self, b: int, f: Features) -> None:
        if b == 10:
            self.lines = hashed(self.first_word, self.first_above)
            self.first_above, self.first_word, self.word = self.first_word, 0, 0
            self.shape_above, f["SHAPE"] = f["SHAPE"], 0
            self.indent_above, self.indent, self.indented = self.indent, 0, 0
        elif self.indented == 0:
            if b in (32, 9):
                self.indent += 1 if b == 32 else 8
            else:
                self.indented = 1
        f["INDENTS"] = (
            (self.indent & 0xFFFF) << 16 | (self.indent_above << 1 & 0xFFFF) | self.indented
        )


def _tops(w: int) -> int:
    return (w >> 21 & 7) << 6 | (w >> 13 & 7) << 3 | w >> 5 & 7


def _few(w: int) -> int:
    return (w >> 14 & 3) << 4 | (w >> 6 & 3) << 2 | w & 3


class Binary:
    def __init__(self) -> None:
        self.seen = [0] * 256
        self.gap = [0] * 256
        self.pair_seen = [0] * 65536
        self.length = [0] * 4
        self.votes = [0] * 4
        self.mark = self.mark_votes = self.head = self.count = 0
        self.tops = [0] * 512
        self.few = [0] * 64

    def begin(self, history: History, f: Features) -> None:
        f["RECORD"] = history.block_type.step

    def see(self, b: int, history: History, f: Features) -> None:
        at, buffer = history.position, history.byte
        pair = history.last4 & 0xFFFF
        f["PAIR_SINCE"] = (at - self.pair_seen[pair]).bit_length()
        self.pair_seen[pair] = at
        g = at - self.seen[b]
        self.seen[b] = at
        f["ZERO_SINCE"] = min(at - self.seen[0], 255)
        if (
            g == self.gap[b]
            and 2 <= g <= 4095
            and (g >= 16 or buffer(at - 1 - 3 * g) == buffer(at - 1 - 4 * g) == b)
        ):
            if history.block_type.kind != 24:
                self._vote(g, f)
            if g == f["RECORD"]:
                if b == self.mark:
                    self.mark_votes = min(self.mark_votes + 1, 63)
                elif self.mark_votes > 0:
                    self.mark_votes -= 1
                else:
                    self.mark = b
        self.gap[b] = g
        f["FIELD"] = min(at - self.seen[self.mark], 255)

        n = f["RECORD"] or 4
        up, left = buffer(at - n), buffer(at - 1 - n)
        f["SAME_UP"] = (f["SAME_UP"] << 1 | (b == left)) & 255
        f["UP"] = up
        f["RECORD_PLACE"] = (at - history.block_start) % n
        f["UPS"] = sum(buffer(at - (k + 1) * n) << 8 * k for k in range(4))
        f["PLANE"] = (up + b - left) & 255
        f["HEIGHTS"] = (
            (up >> 4) << 12 | (buffer(at - 2 * n) >> 4) << 8 | (b >> 4) << 4 | buffer(at - 2) >> 4
        )

        f["FOURS"] = u32(f["FOURS"] << 2 | (b == buffer(at - 5)) << 1 | (b == 0))
        f["FOURS_NOW"] = f["FOURS"] & 255
        f["PLACE_IN_4"] = (at - history.block_start) & 3
        f["FOURS_AND_PLACE"] = f["PLACE_IN_4"] << 8 | f["FOURS_NOW"]

        before, now = history.last4 >> 8, history.last4
        self.tops[_tops(before)] = b
        self.few[_few(before)] = b
        f["INDIRECT_TOPS"] = self.tops[_tops(now)]
        f["INDIRECT_FEW"] = self.few[_few(now)]
        f["INDIRECT_BYTE_1"] = f["INDIRECT_1"] & 255
        f["INDIRECT_BYTE_2"] = f["INDIRECT_2"] & 255

        if b < 32 or b == 127:
            self.head, self.count = b, 0
        else:
            self.count += 1
        left_over = self.head - self.count
        f["TEXT_LEFT"] = left_over if left_over >= 0 else 255
        f["TEXT_PLACE"] = self.head << 8 | min(self.count, 255)

    def _vote(self, g: int, f: Features) -> None:
        if g in self.length:
            k = self.length.index(g)
        elif 0 in self.votes:
            k = self.votes.index(0)
            self.length[k], self.votes[k] = g, 0
        else:
            self.votes = [v - 1 for v in self.votes]
            return
        self.votes[k] = min(self.votes[k] + 1, 63)
        best = k
        for j in range(4):
            if self.votes[j] > self.votes[best]:
                best = j
        if self.votes[best] > 12:
            f["RECORD"] = self.length[best]


def bare(word: int) -> int:
    """A word of x86 code without registers."""
    return word & ~(63 << 10 | 7 << 24)


class Code:
    def __init__(self) -> None:
        self.reader = Reader()
        self.words = [0] * 4
        self.opcodes = [0] * 8
        self.operand = self.target = 0
        self.addresses: defaultdict[int, int] = defaultdict(int)
        self.constants: defaultdict[int, int] = defaultdict(int)
        self.likes: defaultdict[int, int] = defaultdict(int)

    def see(self, b: int, f: Features) -> None:
        code = self.reader
        part, opcode, modrm, like = code.part, code.opcode, code.modrm, self._like()
        ended = code.see(b)
        if part in ("address", "constant"):
            self.operand = u32(self.operand << 8 | b)
            if code.part != part or ended is not None:
                self.likes[like] = self.operand
                if part == "address":
                    self.addresses[modrm & 0xC7] = self.operand
                else:
                    self.constants[opcode] = self.operand
                    if opcode == 0xE8:
                        self.target = self.operand
                self.operand = 0
        if ended is not None:
            self.words = [ended, *self.words[:3]]
            self.opcodes = [ended & 255, *self.opcodes[:7]]
        w0, w1, w2, w3 = self.words
        o, older = (sum(n << 8 * k for k, n in enumerate(self.opcodes[i : i + 4])) for i in (0, 4))
        place = code.place()
        known = code.opcode if code.opcode > 0 else w0
        last = like = 0
        if code.part == "address":
            last = self.addresses[code.modrm & 0xC7] + 1
        elif code.part == "constant":
            last = self.constants[code.opcode] + 1
        if code.part in ("address", "constant"):
            like = self.likes[self._like()] + 1
        word = code.word() if place < 8 else bare(code.word())
        f |= {
            "CODE_PLACE": place,
            "CODE": word << 4 | place,
            "CODE_BEFORE": bare(w0),
            "CODE_BEFORE_2": w1,
            "CODE_BEFORE_4": hashed(hashed(w0, w1), hashed(w2, w3)),
            "CODE_GATE": place << 8 | known & 255,
            "CODE_BEFORE_GATE": place << 8 | w0 & 255,
            "OPCODES_3": o & 0xFFFFFF,
            "OPCODES_4": o,
            "OPCODES_6": hashed(o, older & 0xFFFF),
            "OPCODES_8": hashed(o, older),
            "REGISTERS": w0,
            "OPERAND": hashed(hashed(last, self.operand), o & 0xFFFF),
            "OPERAND_LIKE": hashed(like, self.operand),
            "TARGET": self.target,
        }

    def _like(self) -> int:
        part = {"address": 6, "constant": 7}.get(self.reader.part, 0)
        return hashed(self.reader.modrm << 10 | self.reader.opcode, part) & 4095


class A64:
    """Section "Features of A64 code"."""

    def __init__(self) -> None:
        self.known = self.word = self.operation = self.target = 0
        self.first_bytes = [0] * 8
        self.words = [0] * 4
        self.pages: defaultdict[int, int] = defaultdict(int)
        self.likes: defaultdict[int, int] = defaultdict(int)

    def begin(self, address: int, f: Features) -> None:
        self.known, self.word = address & 3, 0
        self._show(f)

    def see(self, b: int, f: Features) -> None:
        self.word = self.word << 8 | b
        self.known += 1
        if self.known == 4:
            self._end(self.word >> 24)
            self.known = self.word = 0
        self._show(f)

    def _end(self, top: int) -> None:
        word = self.word
        self.operation, w, page = word >> 21, word & 0xFFFF0000, 0
        if top & 0x7C == 0x14:
            self.operation, w, self.target = top << 3, top << 24, word
        elif top & 0x1F == 0x10:
            self.operation, w = top << 3, word & 0xFF1F0000
            self.target = page = word & 0xFFFF
        self.pages[word >> 16 & 31] = page
        self.words = [w, *self.words[:3]]
        self.likes[hashed(word >> 16, 2) & 4095] = word & 0xFFFF
        self.likes[hashed(word >> 8 & 0xFFE0F8, 3) & 4095] = word & 0x7FF
        self.first_bytes = [top, *self.first_bytes[:7]]

    def _show(self, f: Features) -> None:
        known, word, o = self.known, self.word, self.first_bytes
        w0, w1, w2, w3 = self.words
        opcodes, older = (sum(n << 8 * k for k, n in enumerate(o[i : i + 4])) for i in (0, 4))
        first = word >> 8 * (known - 1) if known else o[0]
        like = page = 0
        if known == 2:
            like = self.likes[hashed(word, 2) & 4095] + 1
        elif known == 3:
            like = self.likes[hashed(word & 0xFFE0F8, 3) & 4095] + 1
            page = self.pages[word >> 3 & 31] + 1
        f |= {
            "CODE_PLACE": known,
            "CODE": hashed(word & [0xFF, 0xFF, 0xFFE0, 0xFFE007][known], known),
            "CODE_BEFORE": self.operation,
            "CODE_BEFORE_2": w1,
            "CODE_BEFORE_4": hashed(hashed(w0, w1), hashed(w2, w3)),
            "CODE_GATE": known << 8 | first,
            "CODE_BEFORE_GATE": known << 8 | o[0],
            "OPCODES_3": opcodes & 0xFFFFFF,
            "OPCODES_4": opcodes,
            "OPCODES_6": hashed(opcodes, older & 0xFFFF),
            "OPCODES_8": hashed(opcodes, older),
            "REGISTERS": w0,
            "OPERAND": hashed(hashed(page, word), o[0]),
            "OPERAND_LIKE": hashed(like, word),
            "TARGET": self.target,
        }
