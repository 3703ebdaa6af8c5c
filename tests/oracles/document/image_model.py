"""Section "Images" of the document."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tests.oracles.document.features import hashed
from tests.oracles.document.history import History
from tests.oracles.document.pixel_patterns import PixelMatch, PixelPatterns
from tests.oracles.document.pixel_runs import PixelRuns
from tests.oracles.document.sample_model import FORMATS, Member, SampleModel, scale_class
from tests.oracles.document.tables import DEVIATIONS, DOCUMENT, bound, f32

STEADY, NEAR, LASTING, EDGE, CORRECTED, BLEND = range(6)


def _list_after(words: str) -> list[tuple[int, ...]]:
    assert DOCUMENT.count(words) == 1
    text = DOCUMENT.split(words)[1].split("\n\n")[0]
    return [tuple(map(int, t)) for t in re.findall(r"\((-?\d+), (-?\d+), (-?\d+)\)", text)]


GREY = _list_after("Of an image whose\n*step* is *width*:\n\n")
COLOUR = _list_after("\nof other images:\n\n")
VOLUME = _list_after("\nand of volumes:\n\n")


def median(a: int, b: int, p: int) -> int:
    return min(max(p, min(a, b)), max(a, b))


class ImageModel(SampleModel):
    def __init__(self, history: History) -> None:
        self.runs = PixelRuns(history)
        self.patterns, self.match = PixelPatterns(history), PixelMatch(history)
        super().__init__("images", 6, history, more=3 + len(self.patterns.windows))
        settings = ((32, 0.998, 8), (16, 0.96, 2), (32, 0.9998, 64))
        self.members = [[Member(*row) for _ in range(4)] for row in settings]
        self.x = np.zeros(32)
        self.bias: dict[int, list[Any]] = {}
        self.deviation: dict[int, list[Any]] = {}
        self.errors: dict[tuple[int, int], int] = {}
        self.lately = [f32(0)] * 6
        self.cells = [0] * 6
        self.look = self.channel = 0
        self.predicted = False

    def begin_block(self) -> None:
        history = self.history
        sample = history.block_type.sample if history.block_type.kind in (6, 14) else 0
        self.width, self.of_sign, self.little = FORMATS[sample & 15]
        self.back = history.block_type.slice_bytes or self.width
        phase = sample >> 4
        if not history.goes_on:
            self.known = 0
            if phase:
                history.block_start = history.position + phase - self.width
            self.match.begin()
        self.patterns.follows = False
        self.begin_byte(begins=True)

    def _bounded(self, x: Any) -> Any:
        lowest, highest = 0.0, 256.0**self.width - 1
        if self.of_sign:
            lowest, highest = -32768.0, 32767.0
        return f32(bound(float(x), lowest, highest))

    def _in_byte(self, x: int) -> int:
        if self.width == 1:
            return bound(x, 0, 255)
        if self.at == 0:
            return x & 255 if self.little else x >> 8 & 255
        return x - self.known + 128 >> 8 & 255 if self.little else bound(x - self.known, 0, 255)

    def _error(self, e: int, n: int) -> int:
        return self.errors.get((e, self.history.position - self.at - n & 65535), 0)

    def _sample(self, n: int) -> int:
        first = self.history.position - self.at - n
        if first < self.history.block_start:
            return 0
        data = bytes(self.history.byte(first + k) for k in range(self.width))
        return int.from_bytes(data, "little" if self.little else "big", signed=self.of_sign)

    def begin_byte(self, *, begins: bool = False) -> None:
        history = self.history
        row, step = history.block_type.row_bytes, history.block_type.step
        column = (history.position - history.block_start) % row
        self.at = column % self.width
        self.channel = min(column % step // self.width, 3)
        if self.at == 0:
            self.known = 0
        if self.at == 0 or begins:
            self.predicted = False
        if column % step == 0 or begins:
            self.runs.look_around(history.position - column % step, row, step)
        self.runs.begin_byte()
        history.node = 1
        if not self.runs.exits:
            self._take_up()

    def _take_up(self) -> None:
        history = self.history
        row, step = history.block_type.row_bytes, history.block_type.step
        column = (history.position - history.block_start) % row
        self.patterns.look_around(column, row, step)
        if column % step == 0:
            self.match.look_up(self.patterns.windows[0].hash, step)
        if not self.predicted:
            self.predicted = True
            self._predict_sample(row, step)
        self.measure_next()
        self._describe(row, step)
        self.enter_byte()

    def predict(self) -> Any:
        return self.runs.chance() if self.runs.exits else super().predict()

    def more_inputs(self) -> list[Any]:
        z, self.features["RUN"] = self.runs.opinion()
        of_match, self.features["MATCH"] = self.match.inputs()
        return [z, *of_match, *self.patterns.inputs()]

    def learn(self, y: int) -> None:
        history, runs = self.history, self.runs
        as_expected = runs.learn_bit(y)
        if not runs.exits:
            self.match.learn_bit(y)
            self.patterns.learn_bit(y)
            super().learn(y)
            return
        history.add_bit(y)
        if history.bits_known == 8:
            self.end_byte(history.add_byte())
            self.begin_byte()
        elif not as_expected:
            runs.exits = False
            self._take_up()
            bits = [history.partial >> n & 1 for n in range(history.bits_known - 1, -1, -1)]
            for k, bit in enumerate(bits):
                for e in self.experts:
                    e.middle = e.mass(f32(self.low + (self.span >> 1)), self.wrapped)
                self.halve(bit, k)
            if len(bits) >= 4:
                self.enter_nibble(history.partial >> len(bits) - 4)
            history.node = int("1" + "".join(map(str, bits[len(bits) // 4 * 4 :])), 2)

    def _predict_sample(self, row: int, step: int) -> None:
        c, width, s, bounded = self.channel, self.width, self._sample, self._bounded

        w, n, nw, ne = s(step), s(row), s(row + step), s(row - step)
        ww, nn = s(2 * step), s(2 * row)
        last, lw, ln, lnw = self._before(row, step)
        offsets = VOLUME if self.back > width else GREY if step == width else COLOUR
        more = [s(a * row + b * step + d * self.back) for a, b, d in offsets]
        self.x = np.array([w, n, nw, ne, ww, nn, *more, 64], np.float64)
        experts = self.experts
        for e, members in enumerate(self.members):
            experts[e].mean = bounded(members[c].predict(self.x))
        edge = median(w, n, w + n - nw)
        if c > 0 or self.back > width:
            edge += last - median(lw, ln, lw + ln - lnw)
        experts[EDGE].mean = bounded(edge)
        steady = experts[STEADY]
        mean = int(steady.mean)
        look = c
        for seen in (w, n, nw, ne, ww, nn):
            look = look << 1 | (seen > mean)
        look = look << 1 | (last > lw)
        look = look << 1 | (w + n - nw > mean)
        self.look = look << 4 | steady.scale_class >> 3
        bias = self.bias.get(self.look, [f32(0)])[0]
        experts[CORRECTED].mean = bounded(steady.mean + bias)
        total = share = f32(0)
        for e in range(BLEND):
            near = sum(
                self._error(e, back)
                for back in (step, row, row + step, row - step, 2 * step, 2 * row, width)
            )
            weight = f32(1) / f32(near * near + 20)
            share = share + weight
            total = total + weight * experts[e].mean
        experts[BLEND].mean = total / share
        activity, busy = abs(w - nw) + abs(n - nw) + abs(n - ne), 0
        while busy < 7 and activity > 2:
            activity = activity * 5 // 8
            busy += 1
        for e, expert in enumerate(experts):
            energy = 2 * self._error(e, step) + 2 * self._error(e, row)
            energy += self._error(e, row + step) + self._error(e, row - step)
            energy += self._error(e, 2 * step) + self._error(e, 2 * row)
            if step > width:
                energy += 2 * self._error(e, width) + self._error(e, 2 * width)
            size = scale_class(f32(energy) * f32(1 / 64))
            cell = self.cells[e] = ((e * 4 + c) * 32 + size) * 8 + busy
            self.deviation.setdefault(cell, [DEVIATIONS[size], 0])
            expert.set_scale(self.deviation[cell][0], f32(1))

    def _before(self, row: int, step: int) -> list[int]:
        return [self._sample(self.back + n) for n in (0, step, row, row + step)]

    def _describe(self, row: int, step: int) -> None:
        c, s, experts = self.channel, self._sample, self.experts
        steady = experts[STEADY]
        w, n, nw, ne = s(step), s(row), s(row + step), s(row - step)
        last, lw, ln, lnw = self._before(row, step)
        guesses = {
            "W": w,
            "N": n,
            "NE": ne,
            "NN": s(2 * row),
            "LAST": last,
            "SECOND": s(2 * self.back),
            "PLANE": w + n - nw,
            "TURN": w + ne - n,
            "SOUTHWARD": 2 * n - s(2 * row),
            "W_COLOUR": w + last - lw,
            "N_COLOUR": n + last - ln,
            "PLANE_COLOUR": w + n - nw + last - (lw + ln - lnw),
        }
        best = min(range(6), key=lambda e: self.lately[e])
        place = self.at
        f = self.features
        f |= {name: self._in_byte(guess) for name, guess in guesses.items()}
        f |= {
            "CHANNEL": place * 4 + c,
            "SCALE": place << 5 | steady.scale_class,
            "BEST": place << 5 | best * 4 + c,
            "ERRORS": min(self._error(STEADY, step) >> 3, 15) << 4
            | min(self._error(STEADY, row) >> 3, 15),
        }
        self._describe_around(w, n, nw, ne, row, step)
        for name in ("W", "LAST"):
            f[f"{name}_GATE"] = place << 7 | f[name] >> (self.width - 1)

    def _describe_around(self, w: int, n: int, nw: int, ne: int, row: int, step: int) -> None:
        f, s, width = self.features, self._sample, self.width
        ww, nn, nee = s(2 * step), s(2 * row), s(row - 2 * step)
        begun = self.at << 8 | (self.known if self.little else self.known >> 8) & 255
        f["AROUND"] = f["AROUND_COARSE"] = begun
        for x in (w, n, nw, ne, ww, nn):
            f["AROUND"] = hashed(f["AROUND"], x & 0xFFFF)
        for bits, xs in ((3, (w, n, nw, ne)), (2, (ww, nn, nee))):
            for x in xs:
                top = (x & (1 << 8 * width) - 1) >> 8 * width - bits
                f["AROUND_COARSE"] = f["AROUND_COARSE"] << bits | top

    def set_known(self, known: int, inputs: list[Any]) -> None:
        self.features["KNOWN"] = self.at << 5 | known

    def end_byte(self, byte: int) -> None:
        self.add(byte)
        self.match.end_byte(byte)
        self.patterns.follows = not self.runs.exits
        if self.patterns.follows:
            self.patterns.end_byte(byte)
        self.runs.end_byte(byte)
        if self.at == self.width - 1:
            place = self.history.position - self.width & 65535
            if self.predicted:
                self._learn_sample(place)
            else:
                self.errors |= {(e, place): 0 for e in range(6)}

    def _learn_sample(self, place: int) -> None:
        value = f32(self.known)
        for e, expert in enumerate(self.experts):
            error = abs(value - expert.mean)
            self.errors[e, place] = int(error * f32(8))
            self.lately[e] = self.lately[e] + (error - self.lately[e]) * f32(0.03)
            deviation, n = self.deviation[self.cells[e]]
            deviation = deviation + (error - deviation) / f32(n + 2)
            self.deviation[self.cells[e]] = [deviation, min(n + 1, 400)]
        bias, n = self.bias.get(self.look, [f32(0), 0])
        bias = bias + (value - self.experts[STEADY].mean - bias) / f32(n + 5)
        self.bias[self.look] = [bias, min(n + 1, 200)]
        for members in self.members:
            members[self.channel].learn(self.x, float(self.known))
