"""Whether a block is seen as an array of numbers: of what `numbers` guesses, the model decides."""

from __future__ import annotations

import numpy as np

from glnzip.format.block_type import BINARY, BlockType
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.planner.numbers import as_floats, guess_numbers
from glnzip.planner.trial import Trial, spread_parts

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
    one = other.kind != BINARY or 2 * _TRIED_ROWS * longest > size
    parts = spread_parts(data, _LONG_TRIED_BYTES, 1) if one else spread_parts(data, size, 2)
    tried = Trial(*parts, min(level, _FEW_ROWS))
    whole = min(guesses, key=tried.bytes_as)
    best = min(whole, as_floats(whole), key=tried.bytes_as)
    as_other = tried.bytes_as(other)
    if other.kind != BINARY and level > _FEW_ROWS:
        tried = Trial(*parts, min(level, DEFAULT_LEVEL))
    clearly = 100 * tried.bytes_as(best) < _BEST_OF_TRIAL * as_other
    return best if clearly and as_other * _SMALLEST_OF_TRIAL > len(tried.piece) else other
