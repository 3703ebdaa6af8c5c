"""Sections "Patterns of pixels" and "The match of pixels" of the document."""

from __future__ import annotations

import re
from typing import Any

from tests.oracles.document.byte_model import BRANCHED, Match
from tests.oracles.document.features import hashed
from tests.oracles.document.history import History
from tests.oracles.document.tables import adapt, entry, f32, logit, opinion, rows_after

ZERO = f32(0)
PLACES = 1 << 20


def _windows() -> list[list[tuple[int, int, int]]]:
    spans = r"\((-?\d+), (-?\d+), (-?\d+)\)"
    rows = [row[0] for row in rows_after("Windows of images:")]
    return [[(int(a), int(b), int(c)) for a, b, c in re.findall(spans, row)] for row in rows]


def _expected(history: History, byte: int) -> int:
    known = history.bits_known
    if (256 | byte) >> 8 - known != history.partial:
        return -1
    return byte >> 7 - known & 1


class Window:
    def __init__(self, spans: list[tuple[int, int, int]]) -> None:
        self.spans = spans
        self.hash = self.place = self.run = 0
        self.used = -1
        self.maps = [entry((0.2, 0.8)[n & 1], 0) for n in range(256)]


class PixelPatterns:
    def __init__(self, history: History) -> None:
        self.history = history
        self.windows = [Window(spans) for spans in _windows()]
        self.runs: dict[int, int] = {}
        self.follows = False

    def look_around(self, column: int, row: int, step: int) -> None:
        here = self.history.position
        first = here - column % step
        if first == here or not self.follows:
            for i, window in enumerate(self.windows):
                window.hash = i + 1
                for rows, west, east in window.spans:
                    line = first - rows * row
                    self._see(window, line + west * step, line + (east + 1) * step)
                for n in range(first, here):
                    window.hash = hashed(window.hash, self.history.byte_of_image(n))
        for window in self.windows:
            window.place = self._place_of(window.hash)
            found = self.runs.get(window.place, 0)
            window.run = found & 0xFFFFF if found >> 20 == window.hash >> 20 else 0

    def _see(self, window: Window, a: int, b: int) -> None:
        data = bytes(self.history.byte_of_image(n) for n in range(a, b))
        for start in range(0, len(data) + 1, 4):
            window.hash = hashed(window.hash, int.from_bytes(data[start : start + 4], "big"))

    def _place_of(self, number: int) -> int:
        first = (4 * number + (number >> 20) % 4) % PLACES
        group = [first ^ k for k in range(4)]
        for place in group:
            if self.runs.get(place, 0) >> 20 == number >> 20:
                return place
        return min(group, key=lambda place: self.runs.get(place, 0) >> 8 & 0xFFF)

    def inputs(self) -> list[Any]:
        made = []
        for window in self.windows:
            bit = _expected(self.history, window.run & 255) if window.run else -1
            window.used = -1
            if bit >= 0:
                count = window.run >> 8 & 255
                c = count - 1 if count < 9 else min(7 + (count >> 3), 15)
                window.used = c << 4 | self.history.bits_known << 1 | bit
            made.append(logit(window.maps[window.used]) if bit >= 0 else ZERO)
        return made

    def learn_bit(self, y: int) -> None:
        for window in self.windows:
            if window.used >= 0:
                window.maps[window.used] = adapt(window.maps[window.used], y, 1023)

    def end_byte(self, b: int) -> None:
        for window in self.windows:
            run = window.run
            again = run > 0 and run & 255 == b
            branched = BRANCHED if run > 0 and not again else run & BRANCHED
            count = min((run >> 8 & 255) + 1, 255) if again else 1
            self.runs[window.place] = window.hash >> 20 << 20 | branched | count << 8 | b
            window.hash = hashed(window.hash, b)


class PixelMatch:
    def __init__(self, history: History) -> None:
        self.history = history
        self.match = Match(0, 0)  # of what bytes have, how it goes on and its classes alone
        self.places: dict[int, int] = {}
        self.maps = [entry((0.1, 0.9)[n & 1], 0) for n in range(256)]
        self.used = -1

    def begin(self) -> None:
        self.match.pointer = self.match.length = 0

    def look_up(self, around: int, step: int) -> None:
        here, match, byte = self.history.position, self.match, self.history.byte_of_image
        place = around % (1 << 18)
        c = self.places.get(place, 0)
        self.places[place] = here
        if match.length >= 16 or not self.history.block_start < c < here:
            return
        if here - c >= self.history.size:
            return
        n = 0
        while n < max(6 * step, 32) and byte(c - 1 - n) == byte(here - 1 - n):
            n += 1
        if n >= 6 * step and n > match.length:
            match.pointer, match.length, match.misses = c, n, 0

    def inputs(self) -> tuple[list[Any], int]:
        self.used = -1
        bit = -1
        if self.match.pointer > 0:
            bit = _expected(self.history, self.history.byte(self.match.pointer))
        if bit < 0:
            return [ZERO, ZERO], 0
        self.used = self.match.map_number(bit)
        return list(opinion(self.maps[self.used])), 1 + self.used

    def learn_bit(self, y: int) -> None:
        if self.used >= 0:
            self.maps[self.used] = adapt(self.maps[self.used], y, 1023)

    def end_byte(self, b: int) -> None:
        self.match.go_on(b, self.history)
