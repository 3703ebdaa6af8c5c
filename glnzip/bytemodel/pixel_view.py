"""The view of a block as an image of one bit a pixel: contexts are patterns of nearby pixels.

A context is a set of already known pixels around the next one, drawn in `lineup`. Each row of
pixels is held as a window of 31 bits centred on the present column, so a context is four masks:
skip-gram contexts over pixels (Veness et al., 2017, section 2.3.1). The masked windows are hashed
into a table of adaptive probabilities; the network's gates are small patterns of the same kind.

`step` calls these for every bit of such a block, as it calls `byte_view` for the others.
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel.adaptive_map import COUNT_MASK, adapted, opinion
from glnzip.bytemodel.features import HASH, HASH_2, U32
from glnzip.jit import inline

MAP_LIMIT = 1023
INPUTS_PER_CONTEXT = 2
ROWS = 4  # the present row and the three above it
CENTRE = 15  # window bit of the pixel straight above; in the present row bit 0 is the last pixel
_UNSEEN = np.int64(
    1 << 31
)  # probability 1/2, count 0; stored as 0 so that a new table is all zeros
_WINDOW = 0x7FFFFFFF


@inline
def begin_byte(pixels, recent):
    """Load the bytes around the present place from the rows above, five of each row."""
    now = recent.now[0]
    mask = recent.ring.size - 1
    for r in range(1, ROWS):
        loaded = np.int64(0)
        for k in range(-2, 3):
            place = now.position - r * now.row_bytes + k
            # Before the block began, and where a short row reaches past the present, is white.
            known = now.block_start <= place and place < now.position
            loaded = loaded << 8 | (np.int64(recent.ring[place & mask]) if known else np.int64(0))
        pixels.rows[r] = loaded


@inline
def gather(pixels, recent):
    """Inputs (two for each context) and the neurons' contexts, from the pixel windows."""
    now = recent.now[0]
    network = pixels.network
    inputs = network.signals
    bits = now.bits_known
    w0 = (now.last4 << bits | (now.partial ^ 1 << bits)) & _WINDOW
    w1 = pixels.rows[1] >> (8 - bits) & _WINDOW
    w2 = pixels.rows[2] >> (8 - bits) & _WINDOW
    w3 = pixels.rows[3] >> (8 - bits) & _WINDOW
    contexts = pixels.contexts.shape[0]
    table_mask = pixels.map.size - 1
    for i in range(contexts):
        masks = pixels.contexts[i]
        h = (w0 & masks[0]) * HASH + (w1 & masks[1]) * HASH_2 + i
        h = ((h ^ h >> 29) & U32) * HASH + (w2 & masks[2]) * HASH_2
        h = ((h ^ h >> 31) & U32) * HASH_2 + (w3 & masks[3]) * HASH
        at = (h ^ h >> 27) & table_mask
        pixels.used[i] = at
        entry = pixels.map[at]
        if np.int64(entry) & COUNT_MASK == 0:
            inputs[i] = np.float32(0)
            inputs[contexts + i] = np.float32(0)
        else:
            inputs[i], inputs[contexts + i] = opinion(entry)
    for k in range(pixels.gates.shape[0]):
        network.contexts[k] = _pattern(pixels.gates[k], w0, w1, w2)


@inline
def _pattern(gate, w0, w1, w2):
    """A gate's value: adjacent pixels of the present row and the two above, packed."""
    before, above, twice = gate[0], gate[1], gate[2]
    value = w0 & ((1 << before) - 1)
    value = value << above | (w1 >> (CENTRE - above // 2)) & ((1 << above) - 1)
    return value << twice | (w2 >> (CENTRE - twice // 2)) & ((1 << twice) - 1)


@inline
def learn(pixels, bit):
    """The entries used for the last prediction see the bit."""
    for i in range(pixels.used.size):
        at = pixels.used[i]
        entry = np.int64(pixels.map[at])
        if entry == 0:
            entry = _UNSEEN
        pixels.map[at] = adapted(entry, bit, MAP_LIMIT)
