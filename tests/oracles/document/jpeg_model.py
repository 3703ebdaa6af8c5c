"""Section "JPEG" of docs/MODEL.md: guesses, features, contexts and the network."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.oracles.document.bitmap_model import BitmapModel, Context
from tests.oracles.document.history import History, gate_context
from tests.oracles.document.jpeg_scan import CODE, EXTRA, NONE, NUMBER, ZIGZAG, Block, Scan
from tests.oracles.document.network import Network
from tests.oracles.document.sample_model import Member
from tests.oracles.document.tables import (
    FIRST_APM,
    HASH,
    HASH_2,
    adapt,
    bound,
    clip,
    f32,
    layers_of,
    names_of,
    rows_after,
    squash,
    u32,
)


def scaled(n: int, steps: int) -> int:
    s, up = abs(n), 0
    while s >= 2 * steps:
        s >>= 1
        up += steps
    return up + s if n >= 0 else -(up + s)


def level(n: int) -> int:
    return scaled(n, 2)


def prospect(z: int, n: int) -> int:
    return z << 6 | (level(n) & 63)


def weight(frequency: int) -> int:
    return 256 if frequency else 181


def part(g: float) -> int:
    return math.floor(bound(g, -30000.0, 30000.0) * 8 + 0.5)


class Guesses:
    """Section "Guesses"."""

    def __init__(self) -> None:
        self.scan = Scan(self.learn)
        self.across, self.down = [0] * 8, [0] * 8  # of edges
        self.members: dict[tuple[int, int], tuple[Member, Member]] = {}

    def around(self) -> list[Block | None]:
        """Left, above, corner, right and fellow."""
        scan = self.scan
        x, y, c = scan.across, scan.down, scan.component
        fellow = None
        if c > 0:
            own, other = scan.picture.components[c], scan.picture.components[c - 1]
            at = x * other.across // own.across, y * other.down // own.down
            fellow = scan.neighbour(*at, c - 1)
        places = (x - 1, y), (x, y - 1), (x - 1, y - 1), (x + 1, y - 1)
        return [*(scan.neighbour(*place) for place in places), fellow]

    def _quantisers(self) -> list[int]:
        return self.scan.tables.quantisers.get(self.scan.own.quantiser, NONE)

    def begin_code(self) -> None:
        """The edges: at first of the neighbours, then without what is known."""
        k, block, quantisers = self.scan.k, self.scan.block, self._quantisers()
        if k == 0:
            self.across, self.down = [0] * 8, [0] * 8
            left, above = (block or NONE for block in self.around()[:2])
            for (u, v), q, to_left, over in zip(ZIGZAG, quantisers, left, above, strict=True):
                self.across[v] += (-1) ** u * to_left * q * weight(u)
                self.down[u] += (-1) ** v * over * q * weight(v)
        else:
            u, v = ZIGZAG[k - 1]
            self.across[v] -= block[k - 1] * quantisers[k - 1] * weight(u)
            self.down[u] -= block[k - 1] * quantisers[k - 1] * weight(v)

    def base(self, k: int) -> int:
        return self.scan.before_mean if k == 0 else 0

    def lower(self, u: int, v: int) -> int:
        known = u >= 0 and v >= 0 and (u, v) != (0, 0)
        return self.scan.block[NUMBER[u, v]] if known else 0

    def inputs(self, k: int) -> list[float]:
        """Those of both members."""
        (u, v), q, base = ZIGZAG[k], max(self._quantisers()[k], 1), self.base(k)
        left, above, *_ = around = self.around()
        by_left = self.across[v] / (weight(u) * q)
        by_above = self.down[u] / (weight(v) * q)
        if left is None:
            by_left = by_above
        if above is None:
            by_above = by_left
        x: list[float] = [by_left - base, by_above - base]
        x += [float((block or NONE)[k] - base) for block in around]
        places = (u - 1, v), (u, v - 1), (u - 2, v), (u, v - 2), (u - 1, v - 1)
        x += [float(self.lower(*place)) for place in places]
        x += [abs(value) for value in x]
        x.append(float(sum(map(abs, self.scan.block[max(k - 3, 1) : k]))))
        ahead = [*(left or NONE)[k + 1 : k + 4], *(above or NONE)[k + 1 : k + 4]]
        return [*x, float(sum(map(abs, ahead))), 1.0]

    def _members(self, k: int) -> tuple[Member, Member]:
        key = min(self.scan.component, 2), k
        if key not in self.members:
            self.members[key] = Member(12, 0.9995, 8, 4.0), Member(15, 0.9995, 8, 4.0)
        return self.members[key]

    def parts(self, k: int) -> tuple[int, int, int, int]:
        """Of the edges, left and above; of the guess and of the size."""
        x = self.inputs(k)
        of_value, of_size = self._members(k)
        guess, size = of_value.predict(x[:12]), of_size.predict(x[12:])
        return part(x[0]), part(x[1]), part(guess), max(part(size), 0)

    def learn(self, first: int, last: int) -> None:
        """A symbol has told these coefficients."""
        for k in range(first, last + 1):
            x = np.array(self.inputs(k))
            value = float(self.scan.block[k] - self.base(k))
            of_value, of_size = self._members(k)
            of_value.learn(x[:12], value)
            of_size.learn(x[12:], abs(value))


class Apm:
    """As those of bytes, but for the context."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.contexts: dict[int, list[int]] = {}
        self.buckets: list[int] = []
        self.used = 0

    def answer(self, features: dict[str, int], k: int, u: Any) -> Any:
        h = (features["CODE_SO_FAR"] + 1) * HASH
        for name in [*self.names, "NONE"][:2]:
            h = u32(h ^ h >> 23) * HASH_2 + u32(features[name]) * HASH
        context = (h ^ h >> 29) >> 7 & 32767
        self.buckets = self.contexts.setdefault(context, list(FIRST_APM))
        self.used = k if u < f32(0.5) else k + 1
        low, high = (f32(self.buckets[n] >> 10) * f32(2**-22) for n in (k, k + 1))
        return low + (high - low) * u

    def learn(self, y: int) -> None:
        self.buckets[self.used] = adapt(self.buckets[self.used], y, 255)


class JpegModel:
    def __init__(self, bitmap: BitmapModel, history: History) -> None:
        self.history = history
        self.bitmap = bitmap  # whose slots are used
        self.guesses = Guesses()
        self.scan = self.guesses.scan
        self.names = [names_of(row[0]) for row in rows_after("Contexts of JPEG:")]
        self.contexts = [Context() for _ in self.names]
        self.hashes = [0] * len(self.names)
        self.gates = rows_after("Gates of JPEG:")
        layers = [gate[1] for gate in self.gates]
        self.network = Network(
            3 * len(self.contexts),
            [layers.count("0"), layers.count("1"), 1],
            *layers_of("Layers of JPEG:"),
        )
        self.apms = [Apm(names_of(row[0])) for row in rows_after("APMs of JPEG:")]
        names = [name for row in self.names for name in row]
        self.features = dict.fromkeys([*names, *(gate[2] for gate in self.gates), "NONE"], 0)

    def begin_block(self) -> None:
        history = self.history
        count = history.block_type.row_bytes
        if count:
            here = history.position
            self.scan.begin(bytes(history.byte(n) for n in range(here - count, here)))
            self._find_features()

    def _find_features(self) -> None:
        scan = self.scan
        self.features = dict.fromkeys(self.features, 0) | {"MODE": scan.mode}
        if scan.mode in (CODE, EXTRA):
            if scan.mode == CODE and not scan.bits:
                self.guesses.begin_code()
            self.features |= self._of_blocks() | self._ahead()
        for i, names in enumerate(self.names):
            h = (i + 1) * HASH_2 + scan.mode
            for name in [*names, "NONE", "NONE", "NONE"][:4]:
                h = u32(h ^ h >> 27) * HASH + u32(self.features[name]) * HASH_2
            self.hashes[i] = u32(h ^ h >> 31)

    def _of_blocks(self) -> dict[str, int]:
        scan, k, c = self.scan, self.scan.k, self.scan.component
        u, v = ZIGZAG[k]
        blocks = [block or NONE for block in self.guesses.around()]
        base = self.guesses.base(k)
        left, above, corner, right, fellow = (block[k] - base for block in blocks)
        values = {
            "COMPONENT": c,
            "PLACE": c << 6 | k,
            "DOWN": v << 2 | c,
            "BLOCK_OF_MCU": scan.block_of_mcu,
            "COLUMN": scan.column,
            "SYMBOL_BEFORE": scan.symbol_before,
            "LOWER_ACROSS": level(self.guesses.lower(u - 1, v)),
            "LOWER_DOWN": level(self.guesses.lower(u, v - 1)),
            "LEFT": level(left),
            "ABOVE": level(above),
            "FELLOW": level(fellow),
        }
        mean = level(above + right - corner)
        first = max(k, 1)
        return values | {
            "FELLOW_SYMBOL": _symbol(blocks[4], k) if k else mean,
            "TAIL": level(sum(map(abs, [*blocks[0][first:], *blocks[1][first:]]))),
        }

    def _ahead(self) -> dict[str, int]:
        k = self.scan.k
        names = ("EDGE", "LEFT", "ABOVE", "GUESS", "SIZE")
        values = {f"{name}_AHEAD": -1 for name in names}
        sizes = 0
        for j in range(k, min(k + 9, 64) if k else 1):
            left, above, guess, size = self.guesses.parts(j)
            sizes += size
            numbers = left + above >> 1, left, above, guess, size
            if j == k:
                values |= {"EDGE_LEFT": level(left), "EDGE_ABOVE": level(above)}
                values |= {"GUESS_FINE": scaled(guess, 4), "SIZE_FINE": scaled(size, 4)}
            for name, n in zip(names, numbers, strict=True):
                if values[f"{name}_AHEAD"] < 0 and (abs(n) >= 4 or k == 0):
                    values[f"{name}_AHEAD"] = prospect(j - k, n)
        return values | {"SIZE_TAIL": level(sizes)}

    def predict(self) -> Any:
        scan = self.scan
        known = int("1" + scan.bits, 2) if scan.mode in (CODE, EXTRA) else self.history.partial
        opinions = []
        for context, h in zip(self.contexts, self.hashes, strict=True):
            g = u32(h ^ known * HASH) * HASH_2 + known
            g = u32(g ^ g >> 29) * HASH
            opinions.append(context.find(g, self.bitmap.slots, self.bitmap.size, in_pairs=True))
        inputs = [three[n] for n in range(3) for three in opinions]
        self.features["CODE_SO_FAR"] = min(known, 1023)
        self.features["KNOWN"] = sum(not context.new for context in self.contexts)
        contexts = []
        for _, _, name, values, bits in self.gates:
            value = self.features[name] & int(values) - 1
            contexts.append(gate_context(value, bits, self.history))
        z = self.network.predict(inputs, [*contexts, 0])
        s = (clip(z, f32(11.99)) + f32(12)) * f32(23 / 24)
        k = int(s)
        total = squash(z)
        for apm in self.apms:
            total = total + apm.answer(self.features, k, s - f32(k))
        return total / f32(len(self.apms) + 1)

    def learn(self, y: int) -> None:
        self.network.learn(y)
        self.history.add_bit(y)
        for apm in self.apms:
            apm.learn(y)
        for context in self.contexts:
            context.learn(y, self.bitmap.slots)
        begun = self.scan.bit(y)
        if self.history.bits_known == 8:
            self.history.add_byte()
            self.history.node = 1
        if begun:
            self._find_features()


def _symbol(block: Block, k: int) -> int:
    """What the first coefficient that is not 0 from number k on is, and how far."""
    for j in range(k, 64):
        if block[j]:
            return prospect(j - k, block[j])
    return -1
