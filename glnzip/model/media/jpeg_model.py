"""The block model of JPEG: bits of Huffman codes, told from the coefficients that they stand for.

`jpeg_scan` follows the scan, and `jpeg_guesses` tells what a coefficient will be. A code also says
how many coefficients are zero, so each guess looks ahead for the next coefficient that it takes to
be something else: its *prospect*.

A context is made of such features when a symbol begins, and hashed with the bits of the symbol so
far, anew for each bit (`pattern_slots`). APMs refine what the network says.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.logistic import squash
from glnzip.gln.network import Network
from glnzip.jit import inline, outlined
from glnzip.model.hashing import HASH, HASH_2, U32
from glnzip.model.media import jpeg_guesses, jpeg_scan
from glnzip.model.media.jpeg_guesses import Guesses, base, coefficient
from glnzip.model.media.jpeg_scan import BLOCK, CODE, EXTRA, Scan
from glnzip.model.memory import pattern_slots
from glnzip.model.memory.state_map import adapted
from glnzip.model.mixing.apm import APM_BUCKETS, bucket_of, interpolated
from glnzip.model.mixing.gates import choose_gates
from glnzip.model.table.limits import APM_LIMIT, JPEG_LIMIT
from glnzip.transforms.jpeg.codes import ZIGZAG

APM_BITS = 15  # contexts of an APM that are told apart, as a power of two
_AHEAD = 9  # coefficients that a prospect looks ahead
_NOTABLE = 4  # in parts of a guess: what a prospect stops at

# Features
(
    NONE,
    MODE,
    COMPONENT,
    PLACE,  # component and number of the coefficient
    DOWN,  # vertical frequency and component
    BLOCK_OF_MCU,
    COLUMN,
    EDGE_LEFT,
    EDGE_ABOVE,
    GUESS_FINE,
    SIZE_FINE,
    EDGE_AHEAD,  # the prospects
    LEFT_AHEAD,
    ABOVE_AHEAD,
    GUESS_AHEAD,
    SIZE_AHEAD,
    SIZE_TAIL,  # of the next coefficients, together
    FELLOW_SYMBOL,  # what would come if the block were as that of another component
    LEFT,  # the coefficient to the left
    ABOVE,
    FELLOW,
    TAIL,  # how much is left in the blocks around
    SYMBOL_BEFORE,
    LOWER_ACROSS,  # the coefficients of this block with the next lower frequencies
    LOWER_DOWN,
    CODE_SO_FAR,  # the bits of the symbol
    KNOWN,
    FEATURES,
) = range(28)


class JpegModel(NamedTuple):
    """The block model of JPEG.

    Attributes
    ----------
    contexts : int64[contexts, 4]
        The features of each.
    gates : int64[neurons, 3]
        See `mixing.gates.gate_numbers`.
    apms : int64[apms, 2]
        The features of each.
    state_maps, used
        See `pattern_slots`; the slots are those of bitmaps.
    network : Network
    apm_maps, apm_buckets
        See `mixing.apm`.
    scan : Scan
    guesses : Guesses
    hashes : int64[contexts]
        Of the present symbol.
    features : int64[FEATURES]
    symbol : int64[1]
        The last one of the present block, 0 at its first.
    """

    contexts: Any
    gates: Any
    apms: Any
    state_maps: Any
    used: Any
    network: Network
    apm_maps: Any
    apm_buckets: Any
    scan: Scan
    guesses: Guesses
    hashes: Any
    features: Any
    symbol: Any


@inline
def begin_block(jpeg, now, buffer):
    """Read the tables before a scan; a block without them goes on with the one before."""
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
        pattern_slots.take(slots, jpeg.used, i, h)
    for i in range(jpeg.used.size):
        pattern_slots.take_better(slots, jpeg.used, i)
        hits += pattern_slots.ask(slots, jpeg.state_maps, jpeg.used, i, jpeg.network.signals)
    f = jpeg.features
    f[CODE_SO_FAR] = min(so_far, 1023)
    f[KNOWN] = hits
    choose_gates(jpeg.gates, f, now, jpeg.network)


@inline
def refine(jpeg, stretched):
    """The probability of a one: float32, the mean of the network's and of those of all APMs."""
    f = jpeg.features
    bucket, fraction, nearer = bucket_of(stretched)
    total = squash(stretched)
    for i in range(jpeg.apms.shape[0]):
        h = (f[CODE_SO_FAR] + 1) * HASH
        for k in range(jpeg.apms.shape[1]):
            h = ((h ^ h >> 23) & U32) * HASH_2 + (f[jpeg.apms[i, k]] & U32) * HASH
        context = i << APM_BITS | ((h ^ h >> 29) >> 7 & ((1 << APM_BITS) - 1))
        first = context * APM_BUCKETS
        total += interpolated(jpeg.apm_maps, first + bucket, fraction)
        jpeg.apm_buckets[i] = first + bucket + nearer
    return total / np.float32(jpeg.apms.shape[0] + 1)


@inline
def learn(jpeg, slots, bit):
    """Slots and maps see the bit, and the scan goes on."""
    for i in range(jpeg.apm_buckets.size):
        at = jpeg.apm_buckets[i]
        jpeg.apm_maps[at] = adapted(jpeg.apm_maps[at], bit, APM_LIMIT)
    pattern_slots.learn(slots, jpeg.state_maps, jpeg.used, bit, JPEG_LIMIT)
    state = jpeg.scan.now[0]
    first = state.coefficient
    symbols = state.symbols
    if jpeg_scan.see_bit(jpeg.scan, bit):
        if state.symbols != symbols:
            jpeg_guesses.learn(jpeg.guesses, jpeg.scan, first, state.until)
        _describe(jpeg)


@outlined
def _describe(jpeg):
    """The features of the symbol that begins, and the hashes of all contexts."""
    f = jpeg.features
    state = jpeg.scan.now[0]
    for k in range(FEATURES):
        f[k] = 0
    f[MODE] = state.mode
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
    return _scaled(value, np.int64(2))


@inline
def _scaled(value, steps):
    """A number on a logarithmic scale, so many steps for each power of two; its sign is kept."""
    size = abs(value)
    level = np.int64(0)
    while size > 2 * steps - 1:
        size >>= 1
        level += steps
    level += size
    return level if value >= 0 else -level


@inline
def _describe_coefficient(jpeg):
    """Features of the next coefficient."""
    f = jpeg.features
    scan = jpeg.scan
    state = scan.now[0]
    k = state.coefficient
    if state.finished == 0:
        jpeg_guesses.begin_block(jpeg.guesses, scan)
        jpeg.symbol[0] = 0
    elif state.mode == CODE and state.bits == 0:
        jpeg_guesses.see_coefficient(jpeg.guesses, scan, k - 1)
        jpeg.symbol[0] = state.symbol
    u, v = ZIGZAG[k] & 7, ZIGZAG[k] >> 3
    component = state.component
    f[COMPONENT] = component
    f[PLACE] = component << 6 | k
    f[DOWN] = v << 2 | component
    f[BLOCK_OF_MCU] = state.block
    f[COLUMN] = state.column
    f[SYMBOL_BEFORE] = jpeg.symbol[0]
    f[LOWER_ACROSS] = _level(np.int64(jpeg_guesses.lower(jpeg.guesses, scan, u - 1, v)))
    f[LOWER_DOWN] = _level(np.int64(jpeg_guesses.lower(jpeg.guesses, scan, u, v - 1)))
    _look_around(jpeg, k)
    _look_ahead(jpeg, k)


@inline
def _look_around(jpeg, k):
    """The same coefficient in other blocks, and how much is left in them."""
    f = jpeg.features
    scan = jpeg.scan
    state = scan.now[0]
    less = base(scan, k)
    left = coefficient(scan, state.left, k) - less
    above = coefficient(scan, state.above, k) - less
    f[LEFT] = _level(left)
    f[ABOVE] = _level(above)
    f[FELLOW] = _level(coefficient(scan, state.fellow, k) - less)
    if k == 0:
        right = coefficient(scan, state.right, k)
        f[FELLOW_SYMBOL] = _level(above + right - coefficient(scan, state.corner, k))
    else:
        f[FELLOW_SYMBOL] = _symbol_of(jpeg, state.fellow, k)
    tail = np.int64(0)
    for j in range(max(k, np.int64(1)), BLOCK):
        tail += abs(coefficient(scan, state.left, j)) + abs(coefficient(scan, state.above, j))
    f[TAIL] = _level(tail)


@inline
def _symbol_of(jpeg, block, k):
    """What another block has from a coefficient on: zeros, then a size and a sign."""
    for j in range(k, BLOCK):
        value = coefficient(jpeg.scan, block, j)
        if value != 0:
            return _prospect(j - k, value)
    return np.int64(-1)


@inline
def _prospect(zeros, value):
    return np.int64(zeros) << 6 | (_level(value) & 63)


@outlined
def _look_ahead(jpeg, k):
    """What is expected of this coefficient, and which the next one is that is more than zero."""
    f = jpeg.features
    for feature in range(EDGE_AHEAD, SIZE_AHEAD + 1):
        f[feature] = -1
    tail = np.int64(0)
    for j in range(k, min(k + _AHEAD, BLOCK) if k > 0 else np.int64(1)):
        left, above, signed, size = jpeg_guesses.guess(jpeg.guesses, jpeg.scan, j)
        both = (left + above) >> 1
        if j == k:
            f[EDGE_LEFT] = _level(left)
            f[EDGE_ABOVE] = _level(above)
            f[GUESS_FINE] = _scaled(signed, np.int64(4))
            f[SIZE_FINE] = _scaled(size, np.int64(4))
        _notice(f, EDGE_AHEAD, j, k, both)
        _notice(f, LEFT_AHEAD, j, k, left)
        _notice(f, ABOVE_AHEAD, j, k, above)
        _notice(f, GUESS_AHEAD, j, k, signed)
        _notice(f, SIZE_AHEAD, j, k, size)
        tail += size
    f[SIZE_TAIL] = _level(tail)


@inline
def _notice(features, feature, j, k, expected):
    """The first coefficient *j* from *k* on that more than zero is expected of; or the mean."""
    if features[feature] < 0 and (abs(expected) >= _NOTABLE or j == 0):
        features[feature] = _prospect(j - k, expected)
