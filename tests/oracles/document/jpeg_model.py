"""Section "JPEG" of docs/MODEL.md: features, contexts and the network."""

from __future__ import annotations

from typing import Any

from tests.oracles.document.bitmap_model import BitmapModel, Context
from tests.oracles.document.history import History, gate_context
from tests.oracles.document.jpeg_scan import CODE, EXTRA, NONE, NUMBER, ZIGZAG, Block, Scan
from tests.oracles.document.network import Network
from tests.oracles.document.tables import (
    HASH,
    HASH_2,
    layers_of,
    names_of,
    rows_after,
    squash,
    u32,
)


def level(n: int) -> int:
    s, steps = abs(n), 0
    while s > 3:
        s >>= 1
        steps += 2
    return steps + s if n >= 0 else -(steps + s)


def weight(frequency: int) -> int:
    return 256 if frequency else 181


def _told(j: int, k: int, value: int) -> int:
    return (j - k) << 6 | (level(value) & 63)


class JpegModel:
    def __init__(self, bitmap: BitmapModel, history: History) -> None:
        self.history = history
        self.bitmap = bitmap  # whose slots are used
        self.scan = Scan()
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
        self.features: dict[str, int] = {}
        self.across, self.down = [0] * 8, [0] * 8  # of edges

    def begin_block(self) -> None:
        history = self.history
        count = history.block_type.row_bytes
        if count:
            here = history.position
            self.scan.begin(bytes(history.byte(n) for n in range(here - count, here)))
        self._find_features()

    def _find_features(self) -> None:
        scan = self.scan
        self.features = dict.fromkeys([name for row in self.names for name in row], 0)
        self.features |= dict.fromkeys([gate[2] for gate in self.gates], 0)
        self.features |= {"MODE": scan.mode, "NONE": 0}
        if scan.mode in (CODE, EXTRA):
            self._of_neighbours()
            self._of_edges()
        for i, names in enumerate(self.names):
            h = (i + 1) * HASH_2 + scan.mode
            for name in [*names, "NONE", "NONE", "NONE"][:4]:
                h = u32(h ^ h >> 27) * HASH + u32(self.features[name]) * HASH_2
            self.hashes[i] = u32(h ^ h >> 31)

    def _around(self) -> list[Block | None]:
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

    def _of_neighbours(self) -> None:
        scan, k, c = self.scan, self.scan.k, self.scan.component
        u, v = ZIGZAG[k]
        blocks = [block or NONE for block in self._around()]
        base = scan.means[c] if k == 0 else 0
        left, above, corner, right, fellow = (block[k] for block in blocks)
        values = {
            "COMPONENT": c,
            "PLACE": c << 6 | k,
            "ACROSS": u << 2 | c,
            "DOWN": v << 2 | c,
            "BLOCK_OF_MCU": scan.block_of_mcu,
            "COLUMN": scan.column,
            "LEFT": level(left - base),
            "ABOVE": level(above - base),
            "FELLOW": level(fellow - base),
            "AVERAGE": level((3 * (left + above) + corner + right) // 2 - 4 * base),
        }
        if k == 0:
            values |= {
                "NEARBY": level(abs(left - corner) + abs(above - corner) + abs(above - right)),
                "LEFT_SYMBOL": level(above - base),
                "ABOVE_SYMBOL": level(left + above - corner - base),
                "FELLOW_SYMBOL": level(above + right - corner - base),
            }
        else:
            near, far = abs(left) + abs(above), abs(corner) + abs(right)
            values |= {
                "NEARBY": level(13 * near + 6 * far >> 2),
                "DIAGONAL": level(2 * far),
                "LEFT_SYMBOL": _symbol(blocks[0], k),
                "ABOVE_SYMBOL": _symbol(blocks[1], k),
                "FELLOW_SYMBOL": _symbol(blocks[4], k),
            }
        first = max(k, 1)
        known = scan.block[1:k]
        values |= {
            "TAIL": level(sum(map(abs, [*blocks[0][first:], *blocks[1][first:]]))),
            "ENERGY": level(sum(map(abs, known))),
            "COUNT": sum(value != 0 for value in known),
            "SYMBOL_BEFORE": scan.symbol_before,
            "VALUE_BEFORE": level(scan.value_before),
            "LOWER_ACROSS": self._lower(u - 1, v),
            "LOWER_DOWN": self._lower(u, v - 1),
            "LOWER_BOTH": self._lower(u - 1, v - 1),
        }
        self.features |= values

    def _lower(self, u: int, v: int) -> int:
        return level(self.scan.block[NUMBER[u, v]]) if u >= 0 and v >= 0 and (u, v) != (0, 0) else 0

    def _of_edges(self) -> None:
        scan, k = self.scan, self.scan.k
        quantisers = scan.tables.quantisers.get(scan.own.quantiser, NONE)
        left, above = self._around()[:2]
        if scan.mode == CODE and not scan.bits:
            self._sum_edges(left or NONE, above or NONE, quantisers)
        base = scan.means[scan.component] if k == 0 else 0
        names = ("", "_LEFT", "_ABOVE")
        prospects = dict.fromkeys(names, -1)
        for j in range(k, min(k + 12, 64) if k else 1):
            (u, v), q = ZIGZAG[j], max(quantisers[j], 1)
            by_left = 8 * self.across[v] // (weight(u) * q) - 8 * base
            by_above = 8 * self.down[u] // (weight(v) * q) - 8 * base
            if left is None:
                by_left = by_above
            elif above is None:
                by_above = by_left
            both = by_left + by_above >> 1
            for name, number in zip(names, (both, by_left, by_above), strict=True):
                if j == k:
                    self.features[f"EDGE{name}"] = level(number)
                if prospects[name] < 0 and (abs(number) >= 5 or k == 0):
                    prospects[name] = _told(j, k, number)
        self.features |= {f"PROSPECT{name}": told for name, told in prospects.items()}

    def _sum_edges(self, left: Block, above: Block, quantisers: list[int]) -> None:
        """When a code begins: at first from the neighbours, then without what is known."""
        k, block = self.scan.k, self.scan.block
        if k == 0:
            self.across, self.down = [0] * 8, [0] * 8
            for (u, v), q, to_left, over in zip(ZIGZAG, quantisers, left, above, strict=True):
                self.across[v] += (-1) ** u * to_left * q * weight(u)
                self.down[u] += (-1) ** v * over * q * weight(v)
        else:
            u, v = ZIGZAG[k - 1]
            self.across[v] -= block[k - 1] * quantisers[k - 1] * weight(u)
            self.down[u] -= block[k - 1] * quantisers[k - 1] * weight(v)

    def predict(self) -> Any:
        scan = self.scan
        known = int("1" + scan.bits, 2) if scan.mode in (CODE, EXTRA) else self.history.partial
        opinions = []
        for context, h in zip(self.contexts, self.hashes, strict=True):
            g = u32(h ^ known * HASH) * HASH_2 + known
            g = u32(g ^ g >> 29) * HASH
            opinions.append(context.find(g, self.bitmap.slots, self.bitmap.size))
        inputs = [three[n] for n in range(3) for three in opinions]
        self.features["CODE_SO_FAR"] = min(known, 1023)
        self.features["KNOWN"] = sum(not context.new for context in self.contexts)
        contexts = []
        for _, _, name, values, bits in self.gates:
            value = self.features[name] & int(values) - 1
            contexts.append(gate_context(value, bits, self.history))
        return squash(self.network.predict(inputs, [*contexts, 0]))

    def learn(self, y: int) -> None:
        self.network.learn(y)
        self.history.add_bit(y)
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
            return _told(j, k, block[j])
    return -1
