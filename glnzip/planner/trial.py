"""A trial: what the model takes for parts of a block that is seen in one way or another."""

from __future__ import annotations

from glnzip.coding.trial import bytes_when_coded
from glnzip.format.block_type import SAMPLE_FORMS, BlockType


class Trial:
    """A piece of a block, to be coded in several ways.

    Parameters
    ----------
    piece : bytes
        Parts of the block, one after the other; rows and samples go on from each to the next.
    start : int
        Where in the block the first one begins.
    level : int
        Whose rows of the model's table they are coded with.
    """

    def __init__(self, piece: bytes, start: int, level: int) -> None:
        self.piece = piece
        self._start = start
        self._level = level
        self._known: dict[BlockType, int] = {}

    def bytes_as(self, block_type: BlockType) -> int:
        """How many bytes the model takes for the piece of a block of this type."""
        if block_type not in self._known:
            seen = _from_later_byte(block_type, self._start)
            self._known[block_type] = bytes_when_coded(self.piece, seen, self._level)
        return self._known[block_type]


def spread_parts(data: bytes, size: int, count: int) -> tuple[bytes, int]:
    """Parts of a block, evenly spread, so many and of so many bytes together; where they begin.

    All begin and end at multiples of eight bytes.
    """
    size = min(size, len(data)) // count & ~7
    starts = [(len(data) - size) * (2 * k + 1) // (2 * count) & ~7 for k in range(count)]
    return b"".join(data[start : start + size] for start in starts), starts[0]


def _from_later_byte(block_type: BlockType, start: int) -> BlockType:
    """How to see a block from a later byte on: its samples begin where they did."""
    width = SAMPLE_FORMS[block_type.sample_form][0]
    return block_type._replace(phase=(block_type.phase - start) % width)
