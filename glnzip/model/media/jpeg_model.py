"""The block model of JPEG: bits of Huffman codes, told from the coefficients that they stand for.

`jpeg_scan` follows the scan. What a coefficient will be, three things tell: the same coefficient of
the blocks around; the samples at the edge of the blocks to the left and above, which this block
goes on from (its coefficients so far already tell a part of them); and the other coefficients of
the block. A code also says how many coefficients are zero, so each of these looks ahead for the
next coefficient that it takes to be something else: its *prospect*.

A context is made of such features when a symbol begins, and hashed with the bits of the symbol so
far, anew for each bit (`pattern_slots`).

That the edges of neighbours tell coefficients is known from PackJPG (M. Stirner and G. Seelmann,
2006), paq8 (M. Mahoney and J. Ondrus, 2006) and Lepton (D. Horn and others, 2017).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.network import Network
from glnzip.jit import inline, outlined
from glnzip.model.hashing import HASH, HASH_2, U32
from glnzip.model.media import jpeg_scan
from glnzip.model.media.jpeg_scan import (
    BLOCK,
    CODE,
    EXTRA,
    QUANTISER,
    Scan,
)
from glnzip.model.memory import pattern_slots
from glnzip.model.mixing.gates import choose_gates
from glnzip.model.table.limits import JPEG_LIMIT
from glnzip.transforms.jpeg.codes import ZIGZAG

_AHEAD = 12  # coefficients that a prospect looks ahead
_UNIT = 8  # expected coefficients are told in so many parts
_NOTABLE = 5  # in these parts: what a prospect stops at

(
    NONE,
    MODE,
    COMPONENT,
    PLACE,  # component and number of the coefficient
    ACROSS,  # horizontal frequency and component
    DOWN,
    BLOCK_OF_MCU,
    COLUMN,
    PROSPECT,  # by both edges
    PROSPECT_LEFT,
    PROSPECT_ABOVE,
    EDGE,  # the coefficient by both edges, finely
    EDGE_LEFT,
    EDGE_ABOVE,
    LEFT_SYMBOL,  # what would come if the block were as that to the left
    ABOVE_SYMBOL,
    FELLOW_SYMBOL,
    LEFT,  # the coefficient there
    ABOVE,
    FELLOW,
    NEARBY,  # how large it is in the blocks around
    DIAGONAL,
    TAIL,  # how much is left in the blocks around
    ENERGY,  # how much there was in this block
    COUNT,  # how many coefficients of this block are not zero
    SYMBOL_BEFORE,
    VALUE_BEFORE,
    LOWER_ACROSS,  # the coefficients of this block with the next lower frequencies
    LOWER_DOWN,
    LOWER_BOTH,
    AVERAGE,  # of the neighbours, with its sign
    LAST_BYTE,
    CODE_SO_FAR,  # the bits of the symbol
    KNOWN,
    LOGIT,
    FEATURES,
) = range(36)


class JpegModel(NamedTuple):
    """The block model of JPEG.

    Attributes
    ----------
    contexts : int64[contexts, 4]
        The features of each.
    gates : int64[neurons, 3]
        See `mixing.gates.gate_numbers`.
    state_maps, used
        See `pattern_slots`; the slots are those of bitmaps.
    network : Network
    scan : Scan
    hashes : int64[contexts]
        Of the present symbol.
    features : int64[FEATURES]
    across, down : int64[8]
        What of the edges to the left and above is not told by the block's coefficients so far, by
        vertical and by horizontal frequency.
    symbols : int64[2]
        The symbol before and the coefficient before, of the block.
    """

    contexts: Any
    gates: Any
    state_maps: Any
    used: Any
    network: Network
    scan: Scan
    hashes: Any
    features: Any
    across: Any
    down: Any
    symbols: Any


@inline
def begin_block(jpeg, now, buffer):
    """Read the tables before a scan; a block without a header goes on with the one before."""
    if now.row_bytes > 0:
        jpeg_scan.begin_scan(jpeg.scan, buffer, now.position, now.row_bytes)
    _describe(jpeg)


@inline
def gather(jpeg, slots, now):
    """The network's inputs and contexts."""
    state = jpeg.scan.now[0]
    so_far = now.partial
    if state.mode == CODE or state.mode == EXTRA:
        so_far = np.int64(1) << state.bits | state.code
    hits = 0
    for i in range(jpeg.used.size):
        h = ((jpeg.hashes[i] ^ so_far * HASH) & U32) * HASH_2 + so_far
        h = ((h ^ h >> 29) & U32) * HASH
        hits += pattern_slots.ask(slots, jpeg.state_maps, jpeg.used, i, h, jpeg.network.signals)
    f = jpeg.features
    f[CODE_SO_FAR] = min(so_far, 1023)
    f[KNOWN] = hits
    choose_gates(jpeg.gates, f, now, jpeg.network)


@inline
def learn(jpeg, slots, bit):
    """Slots and maps see the bit, and the scan goes on."""
    pattern_slots.learn(slots, jpeg.state_maps, jpeg.used, bit, JPEG_LIMIT)
    if jpeg_scan.see_bit(jpeg.scan, bit):
        _describe(jpeg)


@outlined
def _describe(jpeg):
    """The features of the symbol that begins, and the hashes of all contexts."""
    f = jpeg.features
    state = jpeg.scan.now[0]
    for k in range(FEATURES):
        f[k] = 0
    f[MODE] = state.mode
    f[LAST_BYTE] = state.byte
    if state.mode == CODE or state.mode == EXTRA:
        _describe_coefficient(jpeg)
    for i in range(jpeg.contexts.shape[0]):
        h = np.int64(i + 1) * HASH_2 + state.mode
        for k in range(jpeg.contexts.shape[1]):
            h = ((h ^ h >> 27) & U32) * HASH + (f[jpeg.contexts[i, k]] & U32) * HASH_2
        jpeg.hashes[i] = (h ^ h >> 31) & U32


@inline
def _level(value):
    """A number on a logarithmic scale, two steps for each power of two; its sign is kept."""
    size = abs(value)
    level = np.int64(0)
    while size > 3:
        size >>= 1
        level += 2
    level += size
    return level if value >= 0 else -level


@inline
def _coefficient(jpeg, block, k):
    return np.int64(jpeg.scan.coefficients[block + k])


@inline
def _describe_coefficient(jpeg):
    f = jpeg.features
    scan = jpeg.scan
    state = scan.now[0]
    k = state.coefficient
    place = ZIGZAG[k]
    u, v = place & 7, place >> 3
    if state.finished == 0:
        _begin_edges(jpeg)
    elif k > 0 and state.mode == CODE and state.bits == 0:
        _move_edges(jpeg)
    component = state.component
    f[COMPONENT] = component
    f[PLACE] = component << 6 | k
    f[ACROSS] = u << 2 | component
    f[DOWN] = v << 2 | component
    f[BLOCK_OF_MCU] = state.block
    f[COLUMN] = state.column
    left = _coefficient(jpeg, state.left, k)
    above = _coefficient(jpeg, state.above, k)
    corner = _coefficient(jpeg, state.corner, k)
    right = _coefficient(jpeg, state.right, k)
    fellow = _coefficient(jpeg, state.fellow, k)
    base = state.before if k == 0 else np.int64(0)  # of a mean, the difference is told
    f[LEFT] = _level(left - base)
    f[ABOVE] = _level(above - base)
    f[FELLOW] = _level(fellow - base)
    f[AVERAGE] = _level((3 * (left + above) + corner + right) // 2 - 4 * base)
    if k == 0:
        f[NEARBY] = _level(abs(left - corner) + abs(above - corner) + abs(above - right))
        f[LEFT_SYMBOL] = _level(above - base)
        f[ABOVE_SYMBOL] = _level(left + above - corner - base)
        f[FELLOW_SYMBOL] = _level(above + right - corner - base)
    else:
        f[NEARBY] = _level((13 * (abs(left) + abs(above)) + 6 * (abs(corner) + abs(right))) >> 2)
        f[DIAGONAL] = _level(2 * (abs(corner) + abs(right)))
        f[LEFT_SYMBOL] = _symbol_of(jpeg, state.left, k)
        f[ABOVE_SYMBOL] = _symbol_of(jpeg, state.above, k)
        f[FELLOW_SYMBOL] = _symbol_of(jpeg, state.fellow, k)
    tail = np.int64(0)
    energy = np.int64(0)
    count = np.int64(0)
    for j in range(1, BLOCK):
        if j < k:
            own = abs(_coefficient(jpeg, state.here, j))
            energy += own
            count += own != 0
        else:
            tail += abs(_coefficient(jpeg, state.left, j)) + abs(_coefficient(jpeg, state.above, j))
    f[TAIL] = _level(tail)
    f[ENERGY] = _level(energy)
    f[COUNT] = count
    f[SYMBOL_BEFORE] = jpeg.symbols[0]
    f[VALUE_BEFORE] = _level(jpeg.symbols[1])
    f[LOWER_ACROSS] = _lower(jpeg, u - 1, v)
    f[LOWER_DOWN] = _lower(jpeg, u, v - 1)
    f[LOWER_BOTH] = _lower(jpeg, u - 1, v - 1)
    _look_ahead(jpeg, k, base)


@inline
def _lower(jpeg, u, v):
    """A coefficient of the present block with these frequencies, on a logarithmic scale."""
    if u < 0 or v < 0 or u + v == 0:
        return np.int64(0)
    return _level(_coefficient(jpeg, jpeg.scan.now[0].here, NUMBERS[v << 3 | u]))


@inline
def _symbol_of(jpeg, block, k):
    """What another block has from a coefficient on: zeros, then a size and a sign."""
    for j in range(k, BLOCK):
        value = _coefficient(jpeg, block, j)
        if value != 0:
            return np.int64(j - k) << 6 | (_level(value) & 63)
    return np.int64(-1)


@inline
def _weight(frequency):
    """How a coefficient counts at the edge of its block: the first as the root of one half."""
    return np.int64(181 if frequency == 0 else 256)


@outlined
def _begin_edges(jpeg):
    """What the edges of the neighbours are, by their frequencies along the edge."""
    scan = jpeg.scan
    state = scan.now[0]
    quantiser = scan.components[state.component, QUANTISER]
    for i in range(8):
        jpeg.across[i] = 0
        jpeg.down[i] = 0
    for k in range(BLOCK):
        u, v = ZIGZAG[k] & 7, ZIGZAG[k] >> 3
        left = _coefficient(jpeg, state.left, k) * scan.quantisers[quantiser, k] * _weight(u)
        above = _coefficient(jpeg, state.above, k) * scan.quantisers[quantiser, k] * _weight(v)
        jpeg.across[v] += -left if u & 1 else left
        jpeg.down[u] += -above if v & 1 else above
    jpeg.symbols[0] = 0
    jpeg.symbols[1] = 0


@inline
def _move_edges(jpeg):
    """Take away what the last symbol's coefficient tells of the edges."""
    scan = jpeg.scan
    state = scan.now[0]
    quantiser = scan.components[state.component, QUANTISER]
    k = state.coefficient - 1
    value = _coefficient(jpeg, state.here, k)
    u, v = ZIGZAG[k] & 7, ZIGZAG[k] >> 3
    step = value * scan.quantisers[quantiser, k]
    jpeg.across[v] -= step * _weight(u)
    jpeg.down[u] -= step * _weight(v)
    jpeg.symbols[0] = state.symbol
    jpeg.symbols[1] = value


@inline
def _look_ahead(jpeg, k, base):
    """What the edges say of this coefficient, and which the next one is that they expect."""
    f = jpeg.features
    scan = jpeg.scan
    state = scan.now[0]
    quantiser = scan.components[state.component, QUANTISER]
    f[PROSPECT] = -1
    f[PROSPECT_LEFT] = -1
    f[PROSPECT_ABOVE] = -1
    for j in range(k, min(k + _AHEAD, BLOCK)):
        u, v = ZIGZAG[j] & 7, ZIGZAG[j] >> 3
        step = max(scan.quantisers[quantiser, j], 1)
        by_left = _UNIT * jpeg.across[v] // (_weight(u) * step) - _UNIT * base
        by_above = _UNIT * jpeg.down[u] // (_weight(v) * step) - _UNIT * base
        if state.left == 0:
            by_left = by_above
        if state.above == 0:
            by_above = by_left
        both = (by_left + by_above) >> 1
        if j == k:
            f[EDGE] = _level(both)
            f[EDGE_LEFT] = _level(by_left)
            f[EDGE_ABOVE] = _level(by_above)
        ahead = np.int64(j - k) << 6
        if f[PROSPECT] < 0 and (abs(both) >= _NOTABLE or k == 0):
            f[PROSPECT] = ahead | (_level(both) & 63)
        if f[PROSPECT_LEFT] < 0 and (abs(by_left) >= _NOTABLE or k == 0):
            f[PROSPECT_LEFT] = ahead | (_level(by_left) & 63)
        if f[PROSPECT_ABOVE] < 0 and (abs(by_above) >= _NOTABLE or k == 0):
            f[PROSPECT_ABOVE] = ahead | (_level(by_above) & 63)
        if k == 0:
            break


NUMBERS = np.argsort(ZIGZAG)
"""The number in zigzag order of a place in the block."""
