"""x86 instructions byte by byte, from the table in docs/FORMAT.md."""

from __future__ import annotations

from collections.abc import Iterable

PREFIXES = {0x26, 0x2E, 0x36, 0x3E, *range(0x40, 0x50), *range(0x64, 0x68), 0xF0, 0xF2, 0xF3}
WIDE = -1
Group = tuple[Iterable[int], bool, int]
ONE_BYTE: list[Group] = [
    ([n for n in range(0x40) if n % 8 < 4], True, 0),
    ([n for n in range(0x40) if n % 8 == 4], False, 1),
    ([n for n in range(0x40) if n % 8 == 5], False, WIDE),
    ([0x62, 0x63, *range(0x84, 0x90), *range(0xD0, 0xD4), *range(0xD8, 0xE0)], True, 0),
    ([0xFE, 0xFF, 0xF6, 0xF7], True, 0),
    ([0x6B, 0x80, 0x82, 0x83, 0xC0, 0xC1, 0xC6], True, 1),
    ([0x69, 0x81, 0xC7], True, WIDE),
    ([0x6A, *range(0x70, 0x80), 0xA8, *range(0xB0, 0xB8), 0xCD], False, 1),
    ([*range(0xE0, 0xE8), 0xEB], False, 1),
    ([0xC2, 0xCA], False, 2),
    ([0xC8], False, 3),
    ([0x68, *range(0xA0, 0xA4), 0xA9, *range(0xB8, 0xC0), 0xE8, 0xE9], False, WIDE),
    (range(256), False, 0),
]
AFTER_0F: list[Group] = [
    (range(0x80, 0x90), False, WIDE),
    ([*range(0x05, 0x0A), 0x0B, *range(0x30, 0x36), 0x77], False, 0),
    ([*range(0xA0, 0xA3), *range(0xA8, 0xAB), *range(0xC8, 0xD0)], False, 0),
    ([*range(0x70, 0x74), 0xA4, 0xAC, 0xBA, 0xC2, 0xC4, 0xC5, 0xC6], True, 1),
    (range(256), True, 0),
]


class Reader:
    """The instruction that is being read; `part` is what comes next, as in `CODE_PLACE`."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.part = "opcode"
        self.left = self.opcode = self.modrm = self.prefixes = self.constant = 0

    def word(self) -> int:
        return self.opcode | self.modrm << 10 | self.prefixes << 20

    def place(self) -> int:
        if self.part in ("address", "constant"):
            return (8 if self.part == "address" else 12) + min(self.left, 4) - 1
        return ["opcode", "0F", "0F 38", "VEX", "modrm", "sib"].index(self.part)

    def see(self, b: int) -> int | None:
        """Returns the word of an instruction that has come to its end."""
        if self.part == "opcode":
            if b == 0x0F:
                self.part = "0F"
            elif b in PREFIXES:
                if b >> 4 == 4:
                    self.prefixes = self.prefixes & 3 | 4 | (b & 15) << 4
                else:
                    self.prefixes |= 1 if b == 0x66 else 2
            elif b in (0xC4, 0xC5):
                self.part, self.left = "VEX", 2 if b == 0xC4 else 1
            else:
                return self._opcode(b, ONE_BYTE, b)
        elif self.part == "0F":
            if b not in (0x38, 0x3A):
                return self._opcode(256 + b, AFTER_0F, b)
            self.part = "0F 38"
            self.constant = 1 if b == 0x3A else 0
        elif self.part == "0F 38":
            self.opcode = 512 + b
            self.part = "modrm"
        elif self.part == "modrm":
            self.modrm = 256 + b
            if self.opcode in (0xF6, 0xF7) and b >> 4 & 3 == 0:
                self.constant = 1 if self.opcode == 0xF6 else WIDE
            if b & 7 == 4 and b >> 6 != 3:
                self.part = "sib"
            else:
                return self._address(b & 7)
        elif self.part == "sib":
            return self._address(b & 7)
        else:
            self.left -= 1
            if self.left == 0:
                if self.part == "VEX":
                    self.part = "0F"
                elif self.part == "address":
                    return self._constant()
                else:
                    return self._end()
        return None

    def _opcode(self, opcode: int, groups: list[Group], b: int) -> int | None:
        self.opcode = opcode
        _, has_modrm, self.constant = next(group for group in groups if b in group[0])
        if has_modrm:
            self.part = "modrm"
            return None
        return self._constant()

    def _address(self, base: int) -> int | None:
        mode = self.modrm >> 6 & 3
        if mode == 1:
            self.left = 1
        else:
            self.left = 4 if mode == 2 or (mode == 0 and base == 5) else 0
        if self.left:
            self.part = "address"
            return None
        return self._constant()

    def _constant(self) -> int | None:
        self.left = self.constant
        if self.constant == WIDE:
            self.left = 4
            if self.prefixes & 1:
                self.left = 2
            elif 0xB8 <= self.opcode <= 0xBF and self.prefixes >> 7 & 1:
                self.left = 8
        if self.left:
            self.part = "constant"
            return None
        return self._end()

    def _end(self) -> int:
        word = self.word()
        self._begin()
        return word
