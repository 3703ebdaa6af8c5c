"""Direct counters (CM in ZPAQ): contexts with an adaptive probability, not a history, for each bit.

Where a context comes often enough, a 22-bit probability of its own says more than a bit history of
one byte. An entry is one of `state_map`. The 15 of a nibble share a line of 64 bytes with their
owner, ``check << 8 | visits``, so that a context costs one cache miss a nibble.

A context may have one of two lines. Where both belong to others, it takes that with fewer visits if
they are few; if not, it has none this time, and that line loses a visit. So what came often lasts,
in a prior above all, and makes room in the end if it never comes again.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.jit.memory_access import prefetch
from glnzip.model.hashing import HASH, HASH_2
from glnzip.model.memory.state_map import UNSEEN, adapted, stretched
from glnzip.model.table.limits import COUNTER_LIMIT

LINE_ENTRIES = 16
NO_LINE = -1
_WAYS = 2
_VISIT_BITS = 8
_MOST_VISITS = (1 << _VISIT_BITS) - 1
_FEW_VISITS = 3
_CHECK_SHIFT = 8
_CHECK_STEP = 0x3D5B


@inline
def expect_lines(table, context_hash, high_nibble):
    """First entry of the first line for a context (32-bit hash) in this nibble; fetches both.

    `high_nibble` is 0 while the high nibble is coded and 16 plus its value after that.
    """
    h = context_hash * HASH + high_nibble * HASH_2
    place = (h ^ h >> 25) & (table.size - 1) & ~(LINE_ENTRIES - 1)
    for way in range(_WAYS):
        prefetch(table, place ^ way * LINE_ENTRIES)
    return place


@inline
def find_line(table, place, context_hash, high_nibble):
    """First entry of the context's own line at `place` or next to it; NO_LINE if it has none."""
    check = ((context_hash >> _CHECK_SHIFT) + high_nibble * _CHECK_STEP) & 0xFFFFFF
    least = _MOST_VISITS + 1
    line = place
    for way in range(_WAYS):
        at = place ^ way * LINE_ENTRIES
        owner = np.int64(table[at])
        visits = owner & _MOST_VISITS
        if owner >> _VISIT_BITS == check:
            table[at] = owner + (visits < _MOST_VISITS)
            return at
        if visits < least:
            least = visits
            line = at
    if least > _FEW_VISITS:
        table[line] -= np.uint32(1)
        return np.int64(NO_LINE)
    table[line] = check << _VISIT_BITS | 1
    for k in range(1, LINE_ENTRIES):
        table[line + k] = 0
    return line


@inline
def entry_at(line, node):
    """The entry of a line for the bits of the nibble so far; NO_LINE if there is no line."""
    return line + node if line != NO_LINE else np.int64(NO_LINE)


@inline
def counter_input(table, entry):
    """The logit of an entry's probability, float32."""
    return stretched(table[entry] ^ UNSEEN) if entry != NO_LINE else np.float32(0)


@inline
def learn_bit(table, entry, bit):
    """Let an entry see the bit."""
    if entry != NO_LINE:
        table[entry] = adapted(table[entry] ^ UNSEEN, bit, COUNTER_LIMIT) ^ UNSEEN
