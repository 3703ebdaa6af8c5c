"""Runs: for a context, the byte that followed last and how often in a row it did.

A bit history sees each bit alone; a run sees that the same whole byte keeps coming. The table holds
one entry a context, ``check << 20 | count << 8 | byte``. While the byte so far agrees with the
run's byte, an adaptive map, by context row and count, says how far the next bit can be trusted to
agree as well (the run model of the PAQ programs; Mahoney, 2005).
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel.prefetch import prefetch
from glnzip.jit import inline

MAP_LIMIT = 1023
CLASSES = 256  # entries of a row's map: 16 classes of counts x 8 bits of the byte x expected bit
_CHECK_SHIFT = 20
_COUNT_SHIFT = 8
_LONGEST = 255


@inline
def run_place(table, context_hash):
    """Where the run of a context (32-bit hash) lies; fetches it."""
    place = (context_hash ^ context_hash >> 7) & (table.size - 1)
    prefetch(table, place)
    return place


@inline
def seen_run(table, place, context_hash):
    """The run of a context as ``count << 8 | byte``, 0 if there is none."""
    run = np.int64(table[place])
    return run & 0xFFFFF if run >> _CHECK_SHIFT == context_hash >> _CHECK_SHIFT else np.int64(0)


@inline
def extend_run(table, place, context_hash, run, byte):
    """Let the context see the byte that followed, `run` being what `seen_run` said before it."""
    count = np.int64(1)
    if run >> _COUNT_SHIFT > 0 and run & 255 == byte:
        count = min((run >> _COUNT_SHIFT) + 1, _LONGEST)
    table[place] = context_hash >> _CHECK_SHIFT << _CHECK_SHIFT | count << _COUNT_SHIFT | byte


@inline
def expected_bit(run, partial, bits_known):
    """The next bit of the run's byte, or -1 if there is no run or the byte so far contradicts."""
    byte = run & 255 | 256
    if run == 0 or byte >> (8 - bits_known) != partial:
        return -1
    return byte >> (7 - bits_known) & 1


@inline
def map_index(row, run, bits_known, bit):
    """Which entry of the run maps speaks for the run of context row `row`."""
    count = run >> _COUNT_SHIFT
    kind = count - 1 if count < 9 else min(7 + (count >> 3), 15)
    return row * CLASSES + (kind << 4 | bits_known << 1 | bit)
