"""Whether a block is seen as an array of numbers: of what `numbers` guesses, the model decides."""

from __future__ import annotations

import numpy as np

from glnzip.coding.trial import bytes_when_coded
from glnzip.format.block_type import BINARY, BlockType
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.planner.guess import from_later_byte
from glnzip.planner.numbers import as_floats, guess_numbers

_FEW_ROWS = 4  # the level whose rows they are: those above are slow
_TRIED_ROWS = 4  # in each part
_TRIED_BYTES = 1 << 13  # for each level: the lower ones are fast
_MOST_TRIED_BYTES, _LONG_TRIED_BYTES = 1 << 15, 1 << 16
_BEST_OF_TRIAL = 98  # per cent of what another type takes, or less
_SMALLEST_OF_TRIAL = 6  # a part of the data that they take at least, seen otherwise


def or_numbers(data: bytes, other: BlockType, level: int) -> BlockType:
    """The type of a block that may be an array of numbers: what the model takes fewest bytes for.

    It codes two parts of it, or one that is larger where rows are long, with few rows of its table.
    What gets very small repeats itself, of which parts tell little. Against audio and images, which
    all levels see alike, numbers have the rows that they will have.
    """
    guesses = guess_numbers(np.frombuffer(data, np.uint8), level)
    if not guesses:
        return other
    size = min(level * _TRIED_BYTES, _MOST_TRIED_BYTES)
    longest = max(guess.row_bytes for guess in guesses)
    if other.kind != BINARY or 2 * _TRIED_ROWS * longest > size:
        tried = Trial(data, _LONG_TRIED_BYTES, 1, min(level, _FEW_ROWS))
    else:
        tried = Trial(data, size, 2, min(level, _FEW_ROWS))
    whole = min(guesses, key=tried.bytes_as)
    best = min(whole, as_floats(whole), key=tried.bytes_as)
    as_other = tried.bytes_as(other)
    if other.kind != BINARY and level > _FEW_ROWS:
        tried = Trial(data, _LONG_TRIED_BYTES, 1, min(level, DEFAULT_LEVEL))
    clearly = 100 * tried.bytes_as(best) < _BEST_OF_TRIAL * as_other
    return best if clearly and as_other * _SMALLEST_OF_TRIAL > len(tried.parts) else other


class Trial:
    """Some parts of a block, evenly spread, to be coded in several ways.

    Parameters
    ----------
    data : bytes
        The block.
    size, count : int
        Bytes of all parts together, and how many there are.
    level : int
    """

    def __init__(self, data: bytes, size: int, count: int, level: int) -> None:
        size = min(size, len(data)) // count & ~7
        starts = [(len(data) - size) * (2 * k + 1) // (2 * count) & ~7 for k in range(count)]
        self.parts = b"".join(data[start : start + size] for start in starts)
        self._start = starts[0]
        self._level = level
        self._known: dict[BlockType, int] = {}

    def bytes_as(self, block_type: BlockType) -> int:
        """How many bytes the model takes for the parts of a block of this type."""
        if block_type not in self._known:
            seen = from_later_byte(block_type, self._start)
            self._known[block_type] = bytes_when_coded(self.parts, seen, self._level)
        return self._known[block_type]
