"""Section "Images and audio" of the document, with least squares and filters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.oracles.document.history import History, gate_context
from tests.oracles.document.network import Network, dot
from tests.oracles.document.tables import (
    BLANK,
    HASH,
    HASH_2,
    SHAPE,
    STRETCH,
    adapt,
    bound,
    clip,
    f32,
    layers_of,
    logit,
    names_of,
    opinion,
    rows_after,
    squash,
    u32,
)

ZERO, ONE, HALF, EIGHT, _256 = f32(0), f32(1), f32(0.5), f32(8), f32(256)


def scale_class(x: Any) -> int:
    edge, number = f32(0.18), 0
    while number < 31 and x > edge:
        edge = edge * f32(1.36)
        number += 1
    return number


class Member:
    """Section "Least squares"."""

    def __init__(self, n: int, keep: float, interval: int, ridge: float = 1.0) -> None:
        self.n, self.keep, self.interval, self.ridge = n, keep, interval, ridge
        self.a = np.zeros((n, n))  # the lower triangle is kept as well, and not used
        self.b = np.zeros(n)
        self.w = [0.0] * n
        self.count = 0

    def predict(self, x: Any) -> float:
        total = 0.0
        for i in range(self.n):
            total += self.w[i] * float(x[i])
        return total

    def learn(self, x: Any, y: float) -> None:
        x = x[: self.n]
        self.a = self.a * self.keep + x[:, None] * x[None, :]
        self.b = self.b * self.keep + y * x
        self.count += 1
        if self.count % self.interval == 0:
            self._solve()

    def _solve(self) -> None:
        n, u, z = self.n, self.a.copy(), self.b.copy()
        u[range(n), range(n)] += self.ridge
        for p in range(n):
            if u[p, p] < 1e-9:
                return
            s = 1.0 / math.sqrt(u[p, p])
            u[p, p:] *= s
            z[p] *= s
            t = u[p, p + 1 :].copy()
            u[p + 1 :, p + 1 :] -= t[:, None] * u[p, None, p + 1 :]
            z[p + 1 :] -= t * z[p]
        w = [0.0] * n
        for p in range(n - 1, -1, -1):
            total = float(z[p])
            for j in range(p + 1, n):
                total -= float(u[p, j]) * w[j]
            w[p] = total / float(u[p, p])
        self.w = w


class Filter:
    """Section "Filters"."""

    def __init__(self, taps: int, rate: float) -> None:
        self.v = np.zeros(taps, f32)
        self.w = np.zeros(taps, f32)
        self.rate = f32(rate)

    def predict(self) -> Any:
        return dot(self.w, self.v)

    def learn(self, value: Any, error: Any) -> None:
        scale = self.rate * error / (dot(self.v, self.v) + ONE)
        self.w = np.clip(self.w + scale * self.v, -f32(64), f32(64))
        self.v = np.append(self.v[1:], value)


# FORMAT.md: bytes of a sample, signed, lowest byte first
FORMATS = (
    (1, False, True),
    (1, True, True),
    (2, True, True),
    (2, True, False),
    (3, True, True),
    (3, True, False),
    (2, False, True),
    (2, False, False),
)


class Expert:
    def __init__(self) -> None:
        self.mean = self.scale = self.centre = self.sharpness = ZERO
        self.below = self.above = self.middle = ZERO
        self.scale_class = self.shape = 0

    def set_scale(self, deviation: Any, unit: Any) -> None:
        self.scale = max(deviation * f32(0.7213475), f32(0.05))
        self.scale_class = scale_class(self.scale * unit)

    def mass(self, x: Any, wrapped: bool) -> Any:
        if not wrapped:
            return squash((x - self.centre) * self.sharpness)
        total = ZERO
        for k in (-2, -1, 0, 1, 2):
            total += squash((x - self.centre + f32(256 * k)) * self.sharpness)
        return total


class SampleModel:
    """What images and audio have in common; they say how samples are predicted."""

    def __init__(self, kind: str, experts: int, history: History, more: int = 0) -> None:
        self.history = history
        self.experts = [Expert() for _ in range(experts)]
        self.shapes: dict[int, int] = {}
        self.lines: dict[int, int] = {}
        self.features: dict[str, int] = {"NONE": 0}
        self.contexts = [names_of(row[0]) for row in rows_after(f"Contexts of {kind}:")]
        self.hashes = [0] * len(self.contexts)
        self.line = [0] * len(self.contexts)
        self.gates = rows_after(f"Gates of {kind}:")
        layers = [gate[1] for gate in self.gates]
        self.last = [0] if layers.count("1") > 1 else []  # the context of one neuron for several
        self.network = Network(
            2 * experts + 2 * len(self.contexts) + more,
            [layers.count("0"), layers.count("1"), *(1 for _ in self.last)],
            *layers_of(f"Layers of {kind}:"),
        )
        self.place = self.low = self.span = 0
        self.width, self.of_sign, self.little = FORMATS[0]
        self.at = self.known = 0
        self.wrapped = self.signed = False

    def begin_byte(self) -> None:
        raise NotImplementedError

    def end_byte(self, byte: int) -> None:
        raise NotImplementedError

    def set_known(self, known: int, inputs: list[Any]) -> None:
        raise NotImplementedError

    def more_inputs(self) -> list[Any]:
        return []

    def _unit(self) -> int:
        return 256 ** (self.at if self.little else self.width - 1 - self.at)

    def measure_next(self) -> None:
        """Byte `at` of a sample of which `known` is known."""
        unit = self._unit()
        highest = unit == 256 ** (self.width - 1)
        self.measure(
            self.at,
            self.known,
            unit,
            self.little and not highest,
            self.of_sign and highest,
            not self.little and unit > 1,
        )

    def add(self, byte: int) -> None:
        unit = self._unit()
        if self.of_sign and unit == 256 ** (self.width - 1) and byte > 127:
            byte -= 256
        self.known += byte * unit

    def measure(
        self, place: int, known: int, unit: int, wrapped: bool, signed: bool, followed: bool
    ) -> None:
        self.place, self.wrapped, self.signed = place, wrapped, signed
        self.low = -128 if signed else 0
        self.span = 256
        low, u = f32(self.low), f32(unit)
        for e in self.experts:
            centre = (e.mean - f32(known)) / u + HALF / f32(unit if followed else 1)
            if wrapped:
                centre = centre - _256 * f32(int(centre * f32(1 / 256)))
                if centre < 0:
                    centre = centre + _256
            else:
                reach = EIGHT * e.scale / u
                centre = max(min(centre, low + _256 + reach), low - reach)
            e.centre = centre
            e.sharpness = u / e.scale
            e.below = e.mass(low, wrapped)
            e.above = e.mass(low + _256, wrapped)

    def enter_byte(self) -> None:
        for i, names in enumerate(self.contexts):
            h = (i + 1) * HASH_2
            for name in [*names, "NONE", "NONE", "NONE"][:4]:
                h = u32(h ^ h >> 27) * HASH + self.features[name] * HASH_2
            self.hashes[i] = u32(h ^ h >> 31)
        self.enter_nibble(1)

    def enter_nibble(self, k: int) -> None:
        for i, number in enumerate(self.hashes):
            h = number * HASH + k * HASH_2
            h = h ^ h >> 25
            self.line[i] = h & 2**22 - 1 & ~15
            self.hashes[i] = u32(h ^ h >> 17)
        for line, number in zip(self.line, self.hashes, strict=True):
            if self.lines.get(line, 0) != number | 1:
                self.lines[line] = number | 1
                for n in range(line + 1, line + 16):
                    self.lines.pop(n, None)
        self.history.node = 1

    def predict(self) -> Any:
        history = self.history
        half = self.span >> 1
        tail = f32(0.002) * f32(half) / _256
        inputs = []
        for n, e in enumerate(self.experts):
            e.middle = e.mass(f32(self.low + half), self.wrapped)
            upper = e.above - e.middle + tail
            q = upper / (upper + (e.middle - e.below + tail))
            if self.signed and history.bits_known == 0:
                q = ONE - q
            x = STRETCH[bound(int(q * f32(4096)), 0, 4095)]
            shape = ((n * 4 + self.place) * 8 + history.bits_known) * 32 + e.scale_class
            e.shape = shape * 64 + int((clip(x, f32(7.99)) + EIGHT) * f32(4))
            inputs += [x, logit(self._shape(e))]
        known = 0
        for line in self.line:
            entry = self.lines.get(line + history.node, BLANK)
            known += entry & 1023 > 0
            inputs += opinion(entry) if entry & 1023 else [ZERO, ZERO]
        self.set_known(known, inputs)
        inputs += self.more_inputs()
        contexts = []
        for _, _, name, values, bits in self.gates:
            value = self.features[name] & int(values) - 1
            contexts.append(gate_context(value, bits, history))
        return squash(self.network.predict(inputs, [*contexts, *self.last]))

    def _shape(self, e: Expert) -> int:
        return self.shapes.get(e.shape, SHAPE[e.shape & 63])

    def halve(self, y: int, bits_known: int) -> None:
        upper = 1 - y if self.signed and bits_known == 0 else y
        self.span >>= 1
        if upper:
            self.low += self.span
        for e in self.experts:
            if upper:
                e.below = e.middle
            else:
                e.above = e.middle

    def learn(self, y: int) -> None:
        history = self.history
        for e in self.experts:
            self.shapes[e.shape] = adapt(self._shape(e), y, 1023)
        self.halve(y, history.bits_known)
        for line in self.line:
            at = line + history.node
            self.lines[at] = adapt(self.lines.get(at, BLANK), y, 255)
        self.network.learn(y)
        history.add_bit(y)
        if history.bits_known == 4:
            self.enter_nibble(history.partial)
        elif history.bits_known == 8:
            self.end_byte(history.add_byte())
            self.begin_byte()
