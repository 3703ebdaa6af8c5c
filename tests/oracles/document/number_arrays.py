"""Section "Features of numbers" of the document."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from tests.oracles.document.features import Features
from tests.oracles.document.history import History
from tests.oracles.document.sample_model import Member
from tests.oracles.document.tables import bound

NAMES = ("LAST", "LINE", "ABOVE", "LINE_ABOVE", "PLANE", "STEADY", "QUICK", "MIDDLE")


def size(a: int, b: int) -> int:
    h = (a >> 32) - (b >> 32)
    if abs(h) < 2**28:
        return abs(h * 2**32 + (a & 0xFFFFFFFF) - (b & 0xFFFFFFFF)).bit_length()
    return 32 + abs(h).bit_length()


class Numbers:
    def __init__(self) -> None:
        self.known = self.so_far = self.place = 0
        self.expected = [0] * 8
        self.averages = [0] * 8
        self.sizes = [[0] * 8 for _ in range(16)]
        self.base = self.unit = self.scale = 0.0
        self.members = [Member(9, keep, 8, 1e-4) for keep in (0.998, 0.98)]
        self.x = np.zeros(9)

    def begin(self, history: History, f: Features) -> None:
        form = history.block_type.sample & 15
        phase = history.block_type.sample >> 4
        self.history = history
        self.width = 8 if form & 2 else 4
        self.floats = form >= 12
        self.step = history.block_type.step
        self.row = history.block_type.row_bytes or 2 * self.step
        self.known, self.so_far, self.place = -phase, 0, 0
        self.scale = max(self.scale, 1e-200)
        if phase == 0:
            self._expect()
        self._show(f)

    def see(self, b: int, f: Features) -> None:
        self.known += 1
        if self.known == 1:
            self.so_far = b - 256 if b > 127 else b
        elif self.known > 1:
            self.so_far = self.so_far << 8 | b
        if self.known == self.width:
            self._learn()
            self.known = self.so_far = 0
            self.place = (self.place + 1) % (self.step // self.width)
        if self.known == 0:
            self._expect()
        self._show(f)

    def _n(self, k: int) -> int:
        n = self.history.position - k
        written = bytes(self.history.byte(n + i) for i in range(self.width))
        return int.from_bytes(written, "big", signed=True)

    def _value(self, n: int) -> float:
        if not self.floats:
            return float(n)
        if self.width == 4:
            if n >> 23 & 255 == 255:
                return 0.0
            return float(struct.unpack(">f", struct.pack(">i", n))[0])
        if n >> 52 & 2047 > 1353:
            return 0.0
        return float(struct.unpack(">d", struct.pack(">q", n))[0])

    def _v(self, k: int) -> float:
        return self._value(self._n(k))

    def _written(self, x: float) -> int:
        limit = (3e38 if self.width == 4 else 1e100) if self.floats else 2.0 ** (8 * self.width - 1)
        if not abs(x) < limit:
            return 0
        if not self.floats:
            return int(x)
        if self.width == 4:
            return int(struct.unpack(">i", struct.pack(">f", np.float32(x)))[0])
        return int(struct.unpack(">q", struct.pack(">d", x))[0])

    def _expect(self) -> None:
        step, row, v = self.step, self.row, self._v
        last, above = v(step), v(row)
        x = [
            v(2 * step) - last,
            v(3 * step) - last,
            v(4 * step) - last,
            above - last,
            v(row + step) - last,
            v(row - step) - last,
            v(2 * row) - last,
            v(2 * row + step) - last,
            v(self.width) - v(self.width + step),
        ]
        self.unit = max(self.scale, *(abs(d) / 4 for d in x))
        self.x = np.array([d / self.unit for d in x])
        self.base = last
        guesses = [last + self.unit * member.predict(self.x) for member in self.members]
        self.expected = [
            self._n(step),
            self._written(2 * last - v(2 * step)),
            self._n(row),
            self._written(2 * above - v(2 * row)),
            self._written(last + above - v(row + step)),
            *map(self._written, guesses),
        ]
        best, second = sorted(range(7), key=self.averages.__getitem__)[:2]
        a, b = self.expected[best], self.expected[second]
        self.expected.append((a >> 1) + (b >> 1) + (a & b & 1))

    def _learn(self) -> None:
        for i, expected in enumerate(self.expected):
            bits = self.sizes[min(self.place, 15)][i] = size(self.so_far, expected)
            self.averages[i] += (bits * 65536 - self.averages[i]) >> 4
        change = self._value(self.so_far) - self.base
        if abs(change) <= 4 * self.unit:
            for member in self.members:
                member.learn(self.x, change / self.unit)
        self.scale = max(self.scale + (abs(change) - self.scale) / 32, 1e-200)

    def _show(self, f: Features) -> None:
        f.update(self._shown())

    def _shown(self) -> Iterator[tuple[str, int]]:
        k, p = max(self.known, 0), min(self.place, 15)
        rest = 8 * (self.width - k)
        yield "NUMBER_PLACE", k * 16 + p
        for name, expected, last_size in zip(NAMES, self.expected, self.sizes[p], strict=True):
            off = bound(self.so_far - (expected >> rest), -2, 2) if k else 0
            relation = 5 * k + 2 + off
            spread = bound(last_size - (rest - 8) + 3, 0, 15)
            yield f"NEXT_{name}", relation << 8 | expected >> rest - 8 & 255
            yield f"SPREAD_{name}", spread
            yield f"NEARNESS_{name}", relation * 16 + spread
