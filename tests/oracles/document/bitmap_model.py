"""Section "Bitmaps" of the document."""

from __future__ import annotations

from typing import Any

from tests.oracles.document.history import SIZES, History
from tests.oracles.document.network import Network
from tests.oracles.document.tables import (
    BLANK,
    FIRST_GUESS,
    HASH,
    HASH_2,
    HASH_3,
    NEXT,
    ZERO_REDUNDANCY,
    adapt,
    f32,
    layers_of,
    logit,
    rows_after,
    squash,
    u32,
)

ZERO = f32(0)
Slot = tuple[int, int, int]  # check, bit history, entry


class Context:
    """What bitmaps and JPEG have in common: slots, found by a hash."""

    def __init__(self) -> None:
        self.maps = list(FIRST_GUESS)
        self.slot = self.check = self.state = 0
        self.new = True

    def find(
        self, h: int, slots: dict[int, Slot], size: int, *, in_pairs: bool = False
    ) -> list[Any]:
        self.slot = (h ^ h >> 27) & (size - 1)
        self.check = h >> 40 & 0xFFFF
        if in_pairs:
            (check, _, first), (beside, _, second) = (
                slots.get(slot, (0, 0, 0)) for slot in (self.slot, self.slot ^ 1)
            )
            smaller = second & 1023 < first & 1023
            if check != self.check and (beside == self.check or smaller):
                self.slot ^= 1
        check, self.state, entry = slots.get(self.slot, (0, 0, 0))
        self.new = check != self.check or self.state == 0
        if self.new:
            return [ZERO, ZERO, ZERO]
        by_history = logit(self.maps[self.state])
        return [logit(entry), by_history, ZERO_REDUNDANCY[self.state]]

    def learn(self, y: int, slots: dict[int, Slot]) -> None:
        state, entry = 0, BLANK
        if not self.new:
            _, state, entry = slots[self.slot]
            self.maps[self.state] = adapt(self.maps[self.state], y, 1023)
        slots[self.slot] = self.check, NEXT[2 * state + y], adapt(entry, y, 1023)


def _hash(i: int, masks: list[int], windows: list[int]) -> int:
    h = i
    for r in range(0, len(masks), 2):
        w, m = windows[r : r + 2], masks[r : r + 2]
        h = u32(h ^ h >> 29) * HASH
        h = h + (w[0] & m[0]) * HASH_2 + (w[1] & m[1]) * HASH_3
    return u32(h ^ h >> 31) * HASH_2


def _segment(cell: str) -> tuple[int, int]:
    """The lowest bit and the number of bits."""
    if cell == "-":
        return 0, 0
    lowest, bits = cell.split("+")
    return int(lowest), int(bits)


class BitmapModel:
    def __init__(self, level: int, history: History) -> None:
        self.history = history
        self.size = 1 << SIZES[level][5]
        self.slots: dict[int, Slot] = {}
        rows = rows_after("Contexts of bitmaps:")
        self.masks = [[int(m, 16) for m in row[0].split()] for row in rows]
        self.contexts = [Context() for _ in rows]
        self.gates = [
            (layer, [_segment(cell) for cell in cells.split()], known)
            for layer, cells, known, _ in rows_after("Gates of bitmaps:")
        ]
        layers = [gate[0] for gate in self.gates]
        self.network = Network(
            3 * len(self.contexts),
            [layers.count("0"), layers.count("1"), 1],
            *layers_of("Layers of bitmaps:"),
        )

    def begin_block(self) -> None:
        self._begin_byte()

    def _begin_byte(self) -> None:
        history = self.history
        self.numbers = [0]
        for r in range(1, 12):
            number = 0
            for k in range(-2, 3):
                at = history.position - r * history.block_type.row_bytes + k
                known = history.block_start <= at < history.position
                number = number << 8 | (history.byte(at) if known else 0)
            self.numbers.append(number)

    def predict(self) -> Any:
        history, bits = self.history, self.history.bits_known
        windows = [history.last4 << bits | (history.partial ^ 1 << bits)]
        windows += [number >> 8 - bits for number in self.numbers[1:]]
        windows = [window & 0x7FFFFFFF for window in windows]
        hashes = [_hash(i, masks, windows) for i, masks in enumerate(self.masks)]
        opinions = [
            context.find(h, self.slots, self.size)
            for context, h in zip(self.contexts, hashes, strict=True)
        ]
        inputs = [three[k] for k in range(3) for three in opinions]
        known = sum(not context.new for context in self.contexts)
        contexts = []
        for _, segments, counts in self.gates:
            value = 0
            for window, (a, n) in zip(windows, segments, strict=False):
                value = value << n | window >> a & (1 << n) - 1
            if counts == "yes":
                value = value << 4 | min(known >> 1, 15)
            contexts.append(value)
        return squash(self.network.predict(inputs, [*contexts, 0]))

    def learn(self, y: int) -> None:
        for context in self.contexts:
            context.learn(y, self.slots)
        self.network.learn(y)
        self.history.add_bit(y)
        if self.history.bits_known == 8:
            self.history.add_byte()
            self._begin_byte()
