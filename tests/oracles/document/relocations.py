"""Section "Relocations" of the document."""

from __future__ import annotations

from typing import NamedTuple

from tests.oracles.document.history import History


class Section(NamedTuple):
    address: int
    size: int
    place: int


class Relocations:
    def __init__(self) -> None:
        self.header = self.header_end = 0
        self.base = self.size = self.width = self.count = 0
        self.sections: list[Section] = []
        self.begins = self.ends = 0
        self.page = self.at = self.left = self.known = self.seen = self.number = 0
        self.field = "page"
        self.guess = self.expected = self.length = self.misses = 0
        self.trust: dict[int, int] = {}

    def see(self, b: int, history: History) -> bool:
        """Returns whether a byte of the table is expected."""
        self.history = history
        at = history.position
        if history.last4 == 0x50450000:
            self.header, self.header_end = at, 0
        elif self.header > 0 and at == self.header + 20:
            count = self._n(self.header + 2, 2)
            if 1 <= count <= 24:
                self.count = count
                self.header_end = at + self._n(self.header + 16, 2) + 40 * count
        elif self.header_end > 0 and at == self.header_end:
            self._read_header()
        if self.begins <= 0 or self.begins > at:
            return False
        if at >= self.ends:
            self.begins = 0
            return False
        self._follow(b)
        return True

    def _n(self, n: int, k: int) -> int:
        return int.from_bytes(bytes(self.history.byte(n + i) for i in range(k)), "little")

    def _read_header(self) -> None:
        o = self.header + 20
        if self._n(o, 2) == 0x20B:
            self.width, self.base, d = 8, self._n(o + 24, 7), o + 152
        else:
            self.width, self.base, d = 4, self._n(o + 28, 4), o + 136
        self.size = self._n(o + 56, 4)
        starts = ((n, self.header - 4 - n) for n in range(64, 1025, 4))
        start = next((s for n, s in starts if s >= 0 and self._n(s + 60, 4) == n), -1)
        self.begins = 0
        self.sections = []
        for k in range(self.count):
            r = self.header_end - 40 * (self.count - k)
            section = Section(self._n(r + 12, 4), self._n(r + 16, 4), start + self._n(r + 20, 4))
            self.sections.append(section)
            i = self._n(d, 4) - section.address
            if start != -1 and 0 <= i < section.size:
                self.begins = section.place + i
                self.ends = self.begins + self._n(d + 4, 4)
        self.page = self.at = self.left = self.length = self.misses = 0
        self.trust = {}

    def _follow(self, b: int) -> None:
        if self.history.position == self.begins:
            self._expect("page")
            return
        if b == self.expected:
            self.length = min(self.length + 1, 400)
            self.misses = self.misses << 1 & 255
        else:
            self.length = 0
            self.misses = (self.misses << 1 | 1) & 255
        self.seen |= b << 8 * self.known
        self.known += 1
        if self.known < (2 if self.field == "entry" else 4):
            self.expected = self.number >> 8 * self.known & 255
        elif self.field == "page":
            self.page = self.at = self.seen
            self._expect("bytes")
        else:
            if self.field == "bytes":
                self.left = self.seen - 8
            else:
                self.left -= 2
                if self.seen >= 4096:
                    a = self.page + (self.seen & 4095)
                    if a != self.guess:
                        self._trust_more(self.guess, -1)
                    self._trust_more(a, 1)
                    self.at = a + self.width
            self._expect("entry" if self.left > 0 else "page")

    def _expect(self, field: str) -> None:
        self.field = field
        self.known = self.seen = 0
        end = self.page + 4096
        if field == "page":
            self.number = self._address(self.at + 16384) & ~4095
        elif field == "bytes":
            n = 0
            while (a := self._address(end)) < end:
                n += 1
                self.at = a + self.width
            self.at = self.page
            self.number = 8 + 2 * (n + (n & 1))
        else:
            self.guess = self._address(end)
            kind = 10 if self.width == 8 else 3
            self.number = kind << 12 | (self.guess - self.page) if self.guess < end else 0
        self.expected = self.number & 255

    def _place(self, a: int) -> int | None:
        for section in self.sections:
            if 0 <= a - section.address < section.size:
                return section.place + a - section.address
        return None

    def _address(self, end: int) -> int:
        for a in range(self.at, end):
            p = self._place(a)
            if (
                p is not None
                and self.history.position - p < self.history.size
                and p + self.width <= self.history.position
                and 0 <= self._n(p, self.width) - self.base < self.size
                and self.trust.get(self._around(p), 0) >= 0
            ):
                return a
        return end

    def _around(self, p: int) -> int:
        return (self._n(p - 1, 1) << 4 ^ self._n(p + 2, 1)) & 4095

    def _trust_more(self, a: int, change: int) -> None:
        p = self._place(a)
        if p is not None:
            around = self._around(p)
            self.trust[around] = min(max(self.trust.get(around, 0) + change, -4), 4)
