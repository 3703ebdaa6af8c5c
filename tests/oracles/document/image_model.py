"""Section "Images" of the document."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tests.oracles.document.history import History
from tests.oracles.document.sample_model import Member, SampleModel, scale_class
from tests.oracles.document.tables import DEVIATIONS, DOCUMENT, bound, f32

STEADY, NEAR, LASTING, EDGE, CORRECTED, BLEND = range(6)


def _list_after(words: str) -> list[tuple[int, ...]]:
    assert DOCUMENT.count(words) == 1
    text = DOCUMENT.split(words)[1].split("\n\n")[0]
    return [tuple(map(int, t)) for t in re.findall(r"\((-?\d+), (-?\d+), (-?\d+)\)", text)]


GREY = _list_after("If *step* is 1:\n\n")
COLOUR = _list_after("\nand else:\n\n")


def median(a: int, b: int, p: int) -> int:
    return min(max(p, min(a, b)), max(a, b))


def bounded(x: Any) -> Any:
    return f32(bound(float(x), 0.0, 255.0))


class ImageModel(SampleModel):
    def __init__(self, history: History) -> None:
        super().__init__("images", 6, history)
        settings = ((32, 0.998, 4), (16, 0.96, 1), (32, 0.9998, 32))
        self.members = [[Member(*row) for _ in range(4)] for row in settings]
        self.x = np.zeros(32)
        self.bias: dict[int, list[Any]] = {}
        self.deviation: dict[int, list[Any]] = {}
        self.errors: dict[tuple[int, int], int] = {}
        self.lately = [f32(0)] * 6
        self.cells = [0] * 6
        self.look = self.channel = 0

    def begin_block(self) -> None:
        self.begin_byte()

    def _error(self, e: int, n: int) -> int:
        return self.errors.get((e, self.history.position - n & 65535), 0)

    def begin_byte(self) -> None:
        history = self.history
        row, step = history.block_type.row_bytes, history.block_type.step
        here = history.position
        c = self.channel = min((here - history.block_start) % row % step, 3)

        def s(n: int) -> int:
            return history.byte(here - n)

        w, n, nw, ne = s(step), s(row), s(row + step), s(row - step)
        ww, nn = s(2 * step), s(2 * row)
        last, lw, ln, lnw = s(1), s(1 + step), s(1 + row), s(1 + row + step)
        more = [s(a * row + b * step + d) for a, b, d in (GREY if step == 1 else COLOUR)]
        self.x = np.array([w, n, nw, ne, ww, nn, *more, 64], np.float64)
        experts = self.experts
        for e, members in enumerate(self.members):
            experts[e].mean = bounded(members[c].predict(self.x))
        edge = median(w, n, w + n - nw)
        if c > 0:
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
                for back in (step, row, row + step, row - step, 2 * step, 2 * row, 1)
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
            if step > 1:
                energy += 2 * self._error(e, 1) + self._error(e, 2)
            size = scale_class(f32(energy) * f32(1 / 64))
            cell = self.cells[e] = ((e * 4 + c) * 32 + size) * 8 + busy
            self.deviation.setdefault(cell, [DEVIATIONS[size], 0])
            expert.set_scale(self.deviation[cell][0], f32(1))
        self.measure(0, 0, 1, False, False, False)
        second_plane = s(2 + step) + s(2 + row) - s(2 + row + step)
        guesses = {
            "PLANE": w + n - nw,
            "MEDIAN": median(w, n, w + n - nw),
            "TURN": w + ne - n,
            "SOUTHWARD": 2 * n - nn,
            "EASTWARD": 2 * w - ww,
            "W_COLOUR": w + last - lw,
            "N_COLOUR": n + last - ln,
            "PLANE_COLOUR": w + n - nw + last - (lw + ln - lnw),
            "PLANE_COLOUR_2": w + n - nw + s(2) - second_plane,
        }
        best = min(range(6), key=lambda e: self.lately[e])
        apart = abs(steady.mean - experts[EDGE].mean) / steady.scale
        self.features |= {name: bound(guess, 0, 255) for name, guess in guesses.items()}
        self.features |= {
            "CHANNEL": c,
            "W": w,
            "N": n,
            "NW": nw,
            "NE": ne,
            "WW": ww,
            "NN": nn,
            "LAST": last,
            "SECOND": s(2),
            "EXPECTED": int(steady.centre),
            "EXPECTED_FINE": int(steady.centre * f32(8)),
            "EXPECTED_NEAR": int(experts[NEAR].centre * f32(2)),
            "EXPECTED_LASTING": int(experts[LASTING].centre * f32(4)),
            "EXPECTED_CORRECTED": int(experts[CORRECTED].centre * f32(4)),
            "EXPECTED_BLEND": int(experts[BLEND].centre * f32(4)),
            "SCALE": steady.scale_class,
            "BEST": best * 4 + c,
            "ERRORS": min(self._error(STEADY, step) >> 3, 15) << 4
            | min(self._error(STEADY, row) >> 3, 15),
            "LAST_CHANGE": min(abs(last - lw), 63) >> 2,
            "SPREAD": int(min(apart * f32(4), f32(31))),
        }
        self.enter_byte()

    def set_known(self, known: int, inputs: list[Any]) -> None:
        self.features["KNOWN"] = known
        self.features["LOGIT"] = int((inputs[0] + f32(10)) * f32(2))

    def end_byte(self, byte: int) -> None:
        place = self.history.position - 1 & 65535
        value = f32(byte)
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
            members[self.channel].learn(self.x, float(byte))
