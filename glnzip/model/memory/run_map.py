"""Runs: for a context, the byte that followed last and how often in a row it did.

A bit history sees each bit alone; a run sees that the same whole byte keeps coming. An entry of the
table is ``check << 20 | branched << 19 | count << 8 | byte``; *branched* is 1 once two different
bytes have followed (`context_memory`). It is looked for in a group of four. Where it is not, the
shortest run gives way, and one that has not branched before any that has. While the byte so far
agrees with the run's byte, a state map, by context row and count, says how far the next bit can
be trusted to agree as well (the run model of the PAQ programs; Mahoney, 2005).
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.jit.memory_access import prefetch
from glnzip.model.memory.state_map import adapted, stretched
from glnzip.model.table.limits import RUN_MAP_LIMIT

CLASSES = 256  # entries of a row's map: 16 classes of counts x 8 bits of the byte x expected bit
WAYS = 4  # entries that are looked at together, in one cache line
_CHECK_SHIFT = 20
_COUNT_SHIFT = 8
_LONGEST = 255
_BRANCHED = 1 << 19
_RUN_MASK = (1 << _CHECK_SHIFT) - 1
_RANK_MASK = _RUN_MASK & ~255


@inline
def prefetch_runs(table, context_hash):
    """Fetch the cache line that `find_run` will read."""
    prefetch(table, _first_place(table, context_hash))


@inline
def find_run(table, context_hash):
    """Where the run of a context (32-bit hash) is, or else the run that gives way to it."""
    first = _first_place(table, context_hash)
    place = first
    lowest = 1 << 32
    for way in range(WAYS):
        entry = np.int64(table[first ^ way])
        if entry >> _CHECK_SHIFT == context_hash >> _CHECK_SHIFT:
            return first ^ way
        if entry & _RANK_MASK < lowest:
            lowest = entry & _RANK_MASK
            place = first ^ way
    return place


@inline
def _first_place(table, context_hash):
    """One of a group of four, which is looked at first: of equals, it gives way."""
    return (context_hash * WAYS + (context_hash >> _CHECK_SHIFT & WAYS - 1)) & (table.size - 1)


@inline
def seen_run(table, place, context_hash):
    """The run of a context, without its check; 0 if there is none."""
    run = np.int64(table[place])
    return run & _RUN_MASK if run >> _CHECK_SHIFT == context_hash >> _CHECK_SHIFT else np.int64(0)


@inline
def has_branched(run):
    """Whether more than one byte has followed the context."""
    return run & _BRANCHED != 0


@inline
def run_count(run):
    """How often the run's byte came, in a row."""
    return run >> _COUNT_SHIFT & _LONGEST


@inline
def high_half(run):
    """The first four bits of the run's byte."""
    return run >> 4 & 15


@inline
def extend_run(table, place, context_hash, run, byte):
    """Let the context see the byte that followed, `run` being what `seen_run` said before it."""
    branched = run & _BRANCHED
    count = np.int64(1)
    if run > 0:
        if run & 255 == byte:
            count = min(run_count(run) + 1, _LONGEST)
        else:
            branched = np.int64(_BRANCHED)
    check = context_hash >> _CHECK_SHIFT << _CHECK_SHIFT
    table[place] = check | branched | count << _COUNT_SHIFT | byte


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
    count = run_count(run)
    kind = count - 1 if count < 9 else min(7 + (count >> 3), 15)
    return row * CLASSES + (kind << 4 | bits_known << 1 | bit)


@inline
def gather(runs, maps, now, inputs, at):
    """Write what each run expects of the next bit to the inputs from `at` on: a logit, or 0.

    A record of `runs` has a `run`, and gets as its `map_index` the entry of `maps` that spoke, or
    -1.
    """
    for i in range(runs.size):
        run = runs[i]
        bit = expected_bit(run.run, now.partial, now.bits_known)
        if bit < 0:
            run.map_index = -1
            inputs[at + i] = np.float32(0)
        else:
            run.map_index = map_index(i, run.run, now.bits_known, bit)
            inputs[at + i] = stretched(maps[run.map_index])


@inline
def learn_bit(runs, maps, bit):
    """Let the entries that spoke see the bit."""
    for i in range(runs.size):
        index = runs[i].map_index
        if index >= 0:
            maps[index] = adapted(maps[index], bit, RUN_MAP_LIMIT)
