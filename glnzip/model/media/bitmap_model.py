"""The block model of bitmaps, one bit a pixel: contexts are patterns of nearby pixels.

A context is a set of already known pixels around the next one, drawn in the table
(`glnzip.model.table.bitmap`). Each row of pixels is held as a window of 31 bits centred on the
present column, so a context is a mask for each row: skip-gram contexts over pixels (Veness et al.,
2017, section 2.3.1). The masked windows are hashed to a slot (`pattern_slots`). The network's gates
are small patterns of the same kind.

`step` calls these for every bit of such a block, as it calls `byte_model` for the others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.network import Network
from glnzip.jit import inline
from glnzip.model.hashing import HASH, HASH_2, U32
from glnzip.model.memory import pattern_slots
from glnzip.model.table.bitmap import ORDER_HIT_BITS
from glnzip.model.table.limits import BITMAP_LIMIT

ROWS = 12  # the present row and those above it that contexts may look at; even
GATE_ROWS = 6  # and gates
CENTRE = 15  # window bit of the pixel straight above; in the present row bit 0 is the last pixel
_WINDOW = 0x7FFFFFFF
_HASH_3 = 0x1D83A0D5
_MOST_HITS = (1 << ORDER_HIT_BITS) - 1


class BitmapModel(NamedTuple):
    """The block model of one-bit pixels."""

    contexts: Any  # int64[contexts, ROWS + 1]: masks over the windows, present row first; their end
    gates: Any  # int64[neurons, GATE_ROWS, 2]: lowest window bit and number of bits of each row
    counts_hits: Any  # int64[neurons]: 1 if the gate also counts contexts seen before
    slots: Any  # int64[2**k]
    state_maps: Any  # uint32[contexts * HISTORIES]
    network: Network
    rows: Any  # int64[ROWS]: 40 bits of each row above around the present byte
    windows: Any  # int64[ROWS]: 31 bits of each row around the present pixel
    used: Any  # USED[contexts]


@inline
def begin_byte(pixels, recent):
    """Load the bytes around the present place from the rows above, five of each row."""
    now = recent.now[0]
    mask = recent.buffer.size - 1
    for r in range(1, ROWS):
        loaded = np.int64(0)
        for k in range(-2, 3):
            place = now.position - r * now.row_bytes + k
            # Before the block began, and where a short row reaches past the present, is white.
            known = now.block_start <= place and place < now.position
            loaded = loaded << 8 | (np.int64(recent.buffer[place & mask]) if known else np.int64(0))
        pixels.rows[r] = loaded


@inline
def gather(pixels, recent):
    """Inputs and the neurons' contexts, from the pixel windows."""
    _move_windows(pixels, recent.now[0])
    network = pixels.network
    for i in range(pixels.used.size):
        pattern_slots.take(pixels.slots, pixels.used, i, _pattern_hash(pixels, i))
    hits = 0
    for i in range(pixels.used.size):
        hits += pattern_slots.ask(pixels.slots, pixels.state_maps, pixels.used, i, network.signals)
    for k in range(pixels.gates.shape[0]):
        value = _packed(pixels.gates[k], pixels.windows)
        if pixels.counts_hits[k]:
            value = value << ORDER_HIT_BITS | min(hits >> 1, _MOST_HITS)
        network.contexts[k] = value


@inline
def _move_windows(pixels, now):
    """Centre the windows on the present pixel."""
    bits = now.bits_known
    pixels.windows[0] = (now.last4 << bits | (now.partial ^ 1 << bits)) & _WINDOW
    for r in range(1, ROWS):
        pixels.windows[r] = pixels.rows[r] >> (8 - bits) & _WINDOW


@inline
def _pattern_hash(pixels, i):
    """The hash of context `i`, 62 bits: two rows at a time."""
    masks = pixels.contexts[i]
    windows = pixels.windows
    h = np.int64(i)
    for r in range(0, masks[ROWS], 2):
        h = ((h ^ h >> 29) & U32) * HASH
        h += (windows[r] & masks[r]) * HASH_2 + (windows[r + 1] & masks[r + 1]) * _HASH_3
    return ((h ^ h >> 31) & U32) * HASH_2


@inline
def _packed(gate, windows):
    """A gate's pixels as a number, adjacent ones of each row."""
    value = np.int64(0)
    for r in range(GATE_ROWS):
        value = value << gate[r, 1] | windows[r] >> gate[r, 0] & ((1 << gate[r, 1]) - 1)
    return value


@inline
def learn(pixels, bit):
    """The slots and maps used for the last prediction see the bit."""
    pattern_slots.learn(pixels.slots, pixels.state_maps, pixels.used, bit, BITMAP_LIMIT)
