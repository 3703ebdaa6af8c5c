"""Frames, the arithmetic decoder, and the model as a whole."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

from tests.oracles.document.byte_view import ByteView, Shared
from tests.oracles.document.history import SIZES, History, Plan
from tests.oracles.document.tables import bound, u32


class Coder:
    """Section "The arithmetic decoder"."""

    def __init__(self, payload: bytes) -> None:
        self.low, self.high = 0, 2**32 - 1
        self.payload = iter(payload)
        self.code = 0
        for _ in range(4):
            self.code = self.code << 8 | next(self.payload, 0)

    def bit(self, p: int) -> int:
        width = self.high - self.low
        middle = self.low + (width >> 16) * p + ((width & 0xFFFF) * p >> 16)
        bit = int(self.code <= middle)
        if bit:
            self.high = middle
        else:
            self.low = middle + 1
        while self.low >> 24 == self.high >> 24:
            self.low = u32(self.low << 8)
            self.high = u32(self.high << 8) | 255
            self.code = u32(self.code << 8) | next(self.payload, 0)
        return bit


class Model:
    """Section "The whole model"."""

    def __init__(self, level: int) -> None:
        self.history = History(SIZES[level][0])
        self.shared = Shared(level, self.history)
        self.text = ByteView(level, self.shared, text=True)
        self.binary = ByteView(level, self.shared, text=False)
        self.view: Any = None
        self.p = 0

    def begin_block(self, plan: Plan) -> None:
        history = self.history
        self.view = (self.text if plan.form == 0 else self.binary)
        history.block_start = history.position
        history.plan = plan
        self.view.begin_block()

    def predict(self) -> int:
        self.p = bound(int(self.view.predict() * 65536), 1, 65535)
        return self.p

    def learn(self, bit: int) -> None:
        self.view.learn(bit)

    def restart(self) -> None:
        """Section "Priors"."""
        self.text.restart()
        self.binary.restart()
        for machine in self.shared.machines[1:]:
            machine.used = 0


class Block:
    """What a frame has between its header and its end tag, one by one."""

    def __init__(self, plan: Plan, stored: bool, length: int, body: bytes) -> None:
        self.plan, self.stored, self.length, self.body = plan, stored, length, body


def blocks_of(frame: bytes) -> Iterator[Block]:
    """The blocks of a frame that is no part."""
    at = 11 if frame[6] == 4 else 7

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = frame[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while frame[at] != 0:
        tag = frame[at]
        at += 1
        length = number()
        row_bytes = number() if tag & 16 else 0
        kind = tag >> 2 & 3
        rest = list(frame[at : at + max(kind - 1, 0)])
        at += len(rest)
        stored = tag & 3 == 2
        size = length if stored else number()
        plan = Plan(kind, tag >> 5 & 3, row_bytes, *rest)
        yield Block(plan, stored, length, frame[at : at + size])
        at += size


def decode(frame: bytes, most: int, model: Model | None = None) -> tuple[bytes, list[int]]:
    """The first `most` bytes of a frame as the model sees them, and *p* of each bit.

    `model` is that of the frame's prior; it goes on learning.
    """
    model = model or Model(frame[5] & 15)
    data = bytearray()
    trace = []
    for block in blocks_of(frame):
        model.begin_block(block.plan)
        coder = Coder(block.body)
        for n in range(min(block.length, most - len(data))):
            byte = 0
            for k in range(7, -1, -1):
                p = model.predict()
                bit = block.body[n] >> k & 1 if block.stored else coder.bit(p)
                model.learn(bit)
                byte = byte << 1 | bit
                trace.append(p)
            data.append(byte)
    return bytes(data), trace


def check_is_right(frame: bytes, data: bytes) -> bool:
    """Whether the check of a frame of one coded block fits its data."""
    *covered, check = frame[:-5], frame[-4:]
    return zlib.crc32(b"".join([*covered, data, b"\0"])).to_bytes(4, "little") == check
