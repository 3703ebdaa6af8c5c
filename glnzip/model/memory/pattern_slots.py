"""Slots of patterns: contexts that change with every bit, and what came after each.

A context is hashed anew for each bit, to 62 bits, and falls on a slot, an int64:

    check (16 bits) << 40 | bit history (8 bits) << 32 | entry of a state map (32 bits)

Patterns are many and fill the table, so a check tells one that was here before from one that only
falls on the same slot.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.jit.memory_access import prefetch
from glnzip.model.hashing import U32
from glnzip.model.memory.bit_history import NEXT_STATE, ZERO_REDUNDANCY
from glnzip.model.memory.state_map import COUNT_MASK, UNSEEN, adapted, stretched

INPUTS_PER_CONTEXT = 3
HISTORIES = 256
_CHECK_SHIFT = 40
_HISTORY_SHIFT = 32

USED = np.dtype(
    [
        ("slot", np.int64),  # of the present bit's pattern
        ("check", np.int64),
        ("map_index", np.int64),  # entry of the state maps; -1 if the pattern is new
    ]
)


@inline
def take(slots, used, i, h):
    """Context `i` is at the pattern with the hash `h`: the slot that it falls on is its own.

    The slot is fetched from memory meanwhile: take those of all contexts before any is asked.
    """
    now = used[i]
    now.slot = (h ^ h >> 27) & (slots.size - 1)
    now.check = h >> _CHECK_SHIFT & 0xFFFF
    prefetch(slots, now.slot)


@inline
def take_better(slots, used, i):
    """Take the slot beside that of context `i` if the pattern is there, or less was learned."""
    now = used[i]
    own = slots[now.slot]
    if own >> _CHECK_SHIFT != now.check:
        other = slots[now.slot ^ 1]
        if other >> _CHECK_SHIFT == now.check or (other & COUNT_MASK) < (own & COUNT_MASK):
            now.slot ^= 1


@inline
def ask(slots, state_maps, used, i, inputs):
    """Context `i` speaks of its pattern; returns 1 if that has been here before.

    It does so three times: the logit of its own probability, that of its bit history, and that of
    the history's Zero-Redundancy estimate if only one bit was ever seen there.
    """
    contexts = used.size
    now = used[i]
    slot = slots[now.slot]
    state = slot >> _HISTORY_SHIFT & 255
    if state == 0 or slot >> _CHECK_SHIFT != now.check:  # never seen: no opinion
        now.map_index = -1
        inputs[i] = np.float32(0)
        inputs[contexts + i] = np.float32(0)
        inputs[2 * contexts + i] = np.float32(0)
        return 0
    now.map_index = i * HISTORIES + state
    inputs[i] = stretched(slot & U32)
    inputs[contexts + i] = stretched(state_maps[now.map_index])
    inputs[2 * contexts + i] = ZERO_REDUNDANCY[state]
    return 1


@inline
def learn(slots, state_maps, used, bit, limit):
    """The slots and maps used for the last prediction see the bit."""
    for i in range(used.size):
        now = used[i]
        entry = np.int64(UNSEEN)
        state = np.int64(0)
        if now.map_index >= 0:
            slot = slots[now.slot]
            entry = slot & U32
            state = slot >> _HISTORY_SHIFT & 255
            state_maps[now.map_index] = adapted(state_maps[now.map_index], bit, limit)
        state = np.int64(NEXT_STATE[state << 1 | bit])
        slots[now.slot] = (
            now.check << _CHECK_SHIFT | state << _HISTORY_SHIFT | adapted(entry, bit, limit)
        )
