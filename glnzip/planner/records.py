"""Whether rows are parts of longer records: tables of several indices, volumes, lists of tables.

The model finds records of up to 4,095 bytes by itself, where bytes stand at equal distances. In a
table whose place tells several numbers - the squares of pieces on a board, the colours of a pixel,
the slice, row and column of a volume - all that belongs to one value of the first number is a
record, and the next one is much like it. Such distances are found by how often bytes come again,
and judged by how often the bytes around tell what follows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.format.block_type import RECORDS, BlockType
from glnzip.planner.repeats import count_foretold, count_repeats_at

_LONGEST = 1 << 15  # bytes of a record
_RECORDS_WANTED = 8  # a block must hold this many
_PLACES = 2048
_LEAST_PLACES = 256
_LEAST_REPEATS = 100  # per mille of the places, more than usual
_GUESSES = 6
_TABLE_BYTES = 1 << 18
_MOST_MISSES = 90  # per cent of those without records


def or_records(block: Any, other: BlockType) -> BlockType:
    """The type of a block (uint8[:]) of other data in rows, with the length of records it has."""
    longest = min(_LONGEST, block.size // _RECORDS_WANTED)
    lengths = _guess_lengths(block, other.row_bytes, longest)
    if not lengths:
        return other

    def misses(row: int, record: int) -> int:
        table = np.zeros(_TABLE_BYTES, np.uint8)
        return counted - count_foretold(block, longest, row, record, table)

    counted = block.size - longest
    without = misses(other.row_bytes, other.row_bytes)

    def cost(row: int, record: int) -> int:
        unseen = (row + record) * without // counted  # nothing foretells the first of each
        return misses(row, record) + unseen

    rows = sorted({other.row_bytes, *lengths})
    pairs = [(row, record) for record in lengths for row in rows if row < record]
    fewest, row, record = min((cost(*pair), *pair) for pair in pairs)
    if 100 * fewest > _MOST_MISSES * without:
        return other
    return BlockType(RECORDS, row, record)


def _guess_lengths(block: Any, row: int, longest: int) -> list[int]:
    """Distances at which bytes come again that neither the last byte nor the row above tells.

    Of the distances from a power of two to the next, the best one; of these, some of the best.
    """
    if longest <= 2 * row:
        return []
    here = block[longest:]
    told = (here == block[longest - 1 : -1]) | (here == block[longest - row : -row])
    places = np.flatnonzero(~told) + longest
    if places.size < _LEAST_PLACES:
        return []
    if places.size > _PLACES:
        places = places[np.arange(_PLACES) * places.size // _PLACES]
    repeats = np.zeros(longest + 1, np.uint16)
    count_repeats_at(block, places, repeats)
    per_mille = 1000 * repeats.astype(np.int64) // places.size
    least = int(np.sort(per_mille[2:])[(longest - 1) // 2]) + _LEAST_REPEATS
    found = []
    start = row + 1
    while start <= longest:
        end = min(1 << start.bit_length(), longest + 1)
        best = start + int(np.argmax(per_mille[start:end]))
        if per_mille[best] >= least:
            found.append((-int(per_mille[best]), best))
        start = end
    return [length for _, length in sorted(found)[:_GUESSES]]
