"""Section "The whole model" of the document: history and sizes."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.oracles.document.tables import rows_after, u32

SIZES = {int(row[0]): [int(cell) for cell in row[1:]] for row in rows_after("### Sizes")}


class BlockType(NamedTuple):
    """What a block's header says."""

    kind: int
    row_bytes: int = 0
    step: int = 0
    sample: int = 0
    slice_bytes: int = 0
    address: int = 0


class History:
    def __init__(self, buffer_bits: int) -> None:
        self.position = self.last4 = self.last8 = self.block_start = 0
        self.document = self.mixed = 0
        self.partial = self.node = 1
        self.bits_known = self.p = 0
        self.size = 1 << buffer_bits
        self.buffer: dict[int, int] = {}
        self.block_type = BlockType(0)
        self.goes_on = False

    def byte(self, n: int) -> int:
        return self.buffer.get(n & (self.size - 1), 0)

    def byte_of_image(self, n: int) -> int:
        return self.byte(n) if n >= self.block_start else 0

    def add_bit(self, bit: int) -> None:
        self.partial = self.partial << 1 | bit
        self.node = self.node << 1 | bit
        self.bits_known += 1

    def add_byte(self) -> int:
        byte = self.partial & 255
        self.buffer[self.position & (self.size - 1)] = byte
        self.position += 1
        self.last8 = u32(self.last8 << 8 | self.last4 >> 24)
        self.last4 = u32(self.last4 << 8 | byte)
        self.partial = 1
        self.bits_known = 0
        return byte


def gate_context(value: int, bits: str, history: Any) -> int:
    if bits == "position":
        return value << 3 | history.bits_known
    return value << 8 | history.partial if bits == "partial" else value
