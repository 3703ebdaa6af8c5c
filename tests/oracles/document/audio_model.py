"""Section "Audio" of the document."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles.document.history import History
from tests.oracles.document.sample_model import FORMATS, Filter, Member, SampleModel, scale_class
from tests.oracles.document.tables import bound, f32

STEADY, NEAR, BRIEF, LASTING, STAGED, FAR, BLEND = range(7)


class AudioModel(SampleModel):
    def __init__(self, history: History) -> None:
        super().__init__("audio", 7, history)
        settings = ((32, 0.998, 8), (32, 0.985, 4), (16, 0.97, 4), (32, 0.9998, 64))
        self.members = [[Member(*row) for _ in range(8)] for row in settings]
        self.staged = [Filter(32, 0.005) for _ in range(8)]
        self.far = [Filter(256, 0.004) for _ in range(8)]
        self.far_staged = [Filter(16, 0.005) for _ in range(8)]
        self.samples = [[0.0] * 32 for _ in range(8)]
        self.quick = [[f32(1)] * 7 for _ in range(8)]
        self.slow = [[f32(1)] * 7 for _ in range(8)]
        self.ratio: dict[int, list[Any]] = {}
        self.cells = [0] * 7
        self.bases = [f32(1)] * 7
        self.x = np.zeros(32)
        self.channel = 0

    def begin_block(self) -> None:
        block_type = self.history.block_type
        self.width, self.of_sign, self.little = FORMATS[block_type.sample & 15]
        self.channels = bound(block_type.step // self.width, 1, 8)
        self.at = (self.width - (block_type.sample >> 4) % self.width) % self.width
        self.channel = 0 if self.at == 0 else self.channels - 1
        self.known = 0
        self._predict_sample()
        self.begin_byte()

    def begin_byte(self) -> None:
        if self.at == 0:
            self._predict_sample()
        self.measure_next()
        self._describe()
        self.enter_byte()

    def _predict_sample(self) -> None:
        c, experts = self.channel, self.experts
        limit = 2.0 ** (8 * self.width)

        def bounded(x: Any) -> Any:
            return f32(bound(float(x), -limit, limit))

        own, other = self.samples[c], self.samples[(c or self.channels) - 1]
        if self.channels == 1:
            self.x = np.array(own)
        else:
            self.x = np.array(
                [other[i // 3] if i % 3 == 2 else own[i - (i + 1) // 3] for i in range(32)]
            )
        for e, members in enumerate(self.members):
            experts[e].mean = bounded(members[c].predict(self.x))
        self.g = self.staged[c].predict()
        self.h = bounded(self.far[c].predict())
        self.k = self.far_staged[c].predict()
        experts[STAGED].mean = bounded(experts[STEADY].mean + self.g)
        experts[FAR].mean = bounded(self.h + self.k)
        quick = self.quick[c]
        least = min(quick[:BLEND])
        total = share = f32(0)
        for e in range(BLEND):
            weight = (least + f32(0.05)) / (quick[e] + f32(0.05))
            for _ in range(3):
                weight = weight * weight
            share = share + weight
            total = total + weight * experts[e].mean
        experts[BLEND].mean = total / share
        unit = f32(1 / 64) if self.width == 3 else f32(1)
        for e, expert in enumerate(experts):
            slow = self.slow[c][e]
            base = self.bases[e] = (quick[e] + slow) * f32(0.5)
            size = scale_class(base * unit)
            trend = bound(size - scale_class(slow * unit) + 4, 0, 7)
            cell = self.cells[e] = ((e * 2 + (self.channels > 1)) * 32 + size) * 8 + trend
            expert.set_scale(base * self.ratio.setdefault(cell, [f32(1), 0])[0], unit)

    def _describe(self) -> None:
        history, experts, place = self.history, self.experts, self.at
        steady = experts[STEADY]
        n = self.width * self.channels

        channel = place * 4 + min(self.channel, 3)
        apart = abs(steady.mean - experts[NEAR].mean) / steady.scale
        self.features |= {
            "PLACE": place,
            "CHANNEL": channel,
            "SCALE": place << 5 | experts[BLEND].scale_class,
            "KNOWN_BYTES": self.known & 0xFFFF,
            "LAST": history.byte(history.position - n),
            "LAST_TWICE": history.byte(history.position - 2 * n),
            "OTHER": history.byte(history.position - self.width),
            "SPREAD": place << 5 | int(min(apart * f32(4), f32(31))),
        }

    def set_known(self, known: int, inputs: list[Any]) -> None:
        self.features["KNOWN"] = self.at << 5 | known
        self.features["LOGIT"] = self.at * 40 + int((inputs[12] + f32(10)) * f32(2))

    def end_byte(self, byte: int) -> None:
        self.add(byte)
        self.at += 1
        if self.at == self.width:
            self._learn_sample()
            self.at = self.known = 0
            self.channel = (self.channel + 1) % self.channels

    def _learn_sample(self) -> None:
        c = self.channel
        value = f32(self.known)
        for e, expert in enumerate(self.experts):
            error = abs(value - expert.mean)
            quick, slow = self.quick[c][e], self.slow[c][e]
            self.quick[c][e] = quick + (error - quick) * f32(1 / 12)
            self.slow[c][e] = slow + (error - slow) * f32(1 / 100)
            ratio, n = self.ratio[self.cells[e]]
            r = error / (self.bases[e] + f32(0.02))
            self.ratio[self.cells[e]] = [ratio + (r - ratio) / f32(n + 9), min(n + 1, 500)]
        miss = value - self.experts[STEADY].mean
        self.staged[c].learn(miss, miss - self.g)
        far_miss = value - self.h
        self.far[c].learn(value, far_miss)
        self.far_staged[c].learn(far_miss, far_miss - self.k)
        for members in self.members:
            members[c].learn(self.x, float(self.known))
        self.samples[c] = [float(self.known), *self.samples[c][:-1]]
