"""Section "Runs of pixels" of the document."""

from __future__ import annotations

from typing import Any

from tests.oracles.document.features import hashed
from tests.oracles.document.history import History
from tests.oracles.document.tables import adapt, bound, entry, f32, logit


def length_class(count: int) -> int:
    number = 0
    while count > 7:
        count >>= 1
        number += 4
    return min(number + count, 55)


def unlikely(length: int) -> float:
    """The document's *x*."""
    d = max(length // 4 - 1, 0)
    return 1 / (4 * ((length - 4 * d) << d) + 4)


class PixelRuns:
    def __init__(self, history: History) -> None:
        self.history = history
        self.around = self.since = self.expected = self.count = self.strength = 0
        self.expects = self.exits = False
        self.places: dict[int, tuple[int, int, int]] = {}
        self.right_bytes = [entry(1 - unlikely(i >> 3), 6) for i in range(448)]
        self.right_bits = [entry(1 - unlikely(i >> 6) / 4, 6) for i in range(3584)]

    def _see(self, a: int, b: int) -> None:
        data = bytes(self.history.byte_of_image(n) for n in range(a, b))
        for start in range(0, len(data) + 1, 4):
            self.around = hashed(self.around, int.from_bytes(data[start : start + 4], "big"))

    def look_around(self, first: int, row: int, step: int) -> None:
        self.around = 0
        self._see(first - 2 * step, first)
        self._see(first - row - 2 * step, first - row + 3 * step)
        self._see(first - 2 * row, first - 2 * row + 2 * step)
        for n in range(first, self.history.position):
            self.around = hashed(self.around, self.history.byte_of_image(n))

    def begin_byte(self) -> None:
        check, self.expected, self.count = self.places.get(self.around & 2**17 - 1, (0, 0, 0))
        self.expects = self.count > 0 and check == self.around >> 17
        if self.expects:
            since, recent = self.since, 0
            while recent < 7 and since > 2:
                since //= 4
                recent += 1
            self.strength = 8 * length_class(self.count) + recent
        self.exits = self.expects and self.right_bytes[self.strength] >> 10 > 2**22 - 2**12

    def _bit(self) -> int | None:
        known = self.history.bits_known
        if not self.expects or (256 | self.expected) >> 8 - known != self.history.partial:
            return None
        return self.expected >> 7 - known & 1

    def _entry(self) -> int:
        return 8 * self.strength + self.history.bits_known

    def chance(self) -> Any:
        q = bound(self.right_bits[self._entry()] >> 16, 1, 65535)
        return f32(q if self._bit() else 65536 - q) / f32(65536)

    def opinion(self) -> tuple[Any, int]:
        bit = self._bit()
        if bit is None:
            return f32(0), 112
        z = logit(self.right_bits[self._entry()])
        return (z if bit else -z), 2 * (self.strength >> 3) + bit

    def learn_bit(self, y: int) -> bool:
        bit = self._bit()
        if bit is not None:
            at = self._entry()
            self.right_bits[at] = adapt(self.right_bits[at], int(bit == y), 1023)
        return bit == y

    def end_byte(self, byte: int) -> None:
        count = 1
        if self.expects:
            right = byte == self.expected
            self.right_bytes[self.strength] = adapt(
                self.right_bytes[self.strength], int(right), 1023
            )
            self.since = min(self.since + 1, 2**31 - 1) if right else 0
            if right:
                count = min(self.count + 1, 2**31 - 1)
        self.places[self.around & 2**17 - 1] = self.around >> 17, byte, count
        self.around = hashed(self.around, byte)
