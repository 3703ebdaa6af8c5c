"""One step of the model: predict the next bit, then learn it.

Encoding, decoding, training and measuring all call ``predict_bit`` and ``update_bit`` in turn and
nothing else. `predict_bit` writes no learned state.
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel import features as f
from glnzip.bytemodel import match_model
from glnzip.bytemodel.adaptive_map import COUNT_BITS, PROBABILITY_BITS, adapted
from glnzip.bytemodel.bit_history import NEXT_STATE
from glnzip.bytemodel.features import HASH, HASH_2, U32
from glnzip.bytemodel.final_adjust import predict_adjusted, update_adjusted
from glnzip.bytemodel.slot_table import (
    check_byte,
    find_bucket,
    high_nibble_place,
    low_nibble_place,
    prefetch_bucket,
)
from glnzip.bytemodel.state import Model
from glnzip.gln.logistic import STRETCH, STRETCH_BITS, squash
from glnzip.gln.network import predict_network, update_network
from glnzip.jit import inline

PROBABILITY_16 = 1 << 16  # the coder's unit
MAP_LIMIT = 255  # state maps average over about this many bits
_STRETCH_SHIFT = COUNT_BITS + PROBABILITY_BITS - STRETCH_BITS
_HALF = np.float32(1 << (STRETCH_BITS - 1))
_CENTRED = np.float32(4 / (1 << STRETCH_BITS))  # scales p - 1/2 to about +-2
_ONE_16 = np.float32(PROBABILITY_16)


def begin_block(model: Model, kind: int, row_bytes: int) -> None:
    """Tell the model how to see the bytes that follow (see `glnzip.plan`)."""
    now = model.recent.now[0]
    now["block_start"] = now["position"]
    now["row_bytes"] = row_bytes


@inline
def predict_bit(model):
    """Probability that the next bit is a one, in 1/65536: 1..65535."""
    _gather_inputs(model.learned, model.recent)
    _choose_gates(model.lineup, model.learned.network, model.recent)
    stretched = predict_network(model.learned.network)
    p = predict_adjusted(model.lineup, model.learned, model.recent, stretched, squash(stretched))
    return max(min(int(p * _ONE_16), PROBABILITY_16 - 1), 1)


@inline
def update_bit(model, bit):
    """Learn the bit that `predict_bit` was asked for, and move on to the next."""
    recent = model.recent
    learned = model.learned
    now = recent.now[0]
    _learn_histories(learned, recent, bit)
    now.partial = now.partial << 1 | bit
    now.node = now.node << 1 | bit
    now.bits_known += 1
    if now.bits_known == 8:
        _end_byte(model.lineup, recent)
    elif now.bits_known == 4:
        for i in range(recent.hashes.size):
            recent.places[i] = low_nibble_place(recent.places[i], now.partial & 15)
            prefetch_bucket(recent.slots, recent.places[i])
    update_adjusted(model.lineup, learned, recent, bit)
    update_network(learned.network, bit)
    if now.bits_known & 3 == 0:
        _enter_nibble(recent)


@inline
def _gather_inputs(learned, recent):
    """Fill the network's inputs: two for each context, then two for each match."""
    inputs = learned.network.signals
    node = recent.now[0].node
    contexts = recent.hashes.size
    for i in range(contexts):
        state = recent.slots[recent.buckets[i] + node]
        entry = (i << 8) + state
        recent.maps_used[i] = entry
        p = np.int64(learned.state_maps[entry]) >> _STRETCH_SHIFT
        if state == 0:  # never seen: no opinion
            inputs[i] = np.float32(0)
            inputs[contexts + i] = np.float32(0)
        else:
            inputs[i] = STRETCH[p]
            inputs[contexts + i] = (np.float32(p) - _HALF) * _CENTRED
    _gather_matches(learned, recent, 2 * contexts)


@inline
def _gather_matches(learned, recent, first):
    now = recent.now[0]
    inputs = learned.network.signals
    strength = 0
    expected = 0
    for m in range(recent.matches.size):
        match = recent.matches[m]
        bit = match_model.expected_bit(match, now.partial, now.bits_known)
        if bit < 0:
            match.map_index = -1
            inputs[first + 2 * m] = np.float32(0)
            inputs[first + 2 * m + 1] = np.float32(0)
        else:
            match.map_index = match_model.map_index(match, m, bit)
            p = np.int64(learned.match_maps[match.map_index]) >> _STRETCH_SHIFT
            inputs[first + 2 * m] = STRETCH[p]
            inputs[first + 2 * m + 1] = (np.float32(p) - _HALF) * _CENTRED
            strength = 1 + (match_model.length_class(match.length) >> 1)
            expected = match.expected - 255
    recent.features[f.MATCH_STRENGTH] = min(strength, 15)
    recent.features[f.EXPECTED] = expected


@inline
def _choose_gates(lineup, network, recent):
    """Each first-layer neuron's context: its feature's value and its part of the byte so far."""
    now = recent.now[0]
    for k in range(lineup.gates.shape[0]):
        value = recent.features[lineup.gates[k, 0]]
        limit = lineup.gates[k, 1]
        if value >= limit:
            value = limit - 1
        kind = lineup.gates[k, 2]
        if kind == 2:
            value = value << 8 | now.partial
        elif kind == 1:
            value = value << 3 | now.bits_known
        network.contexts[k] = value


@inline
def _learn_histories(learned, recent, bit):
    """Adaptive maps and bit histories of all contexts, and the match maps, see the bit."""
    node = recent.now[0].node
    for i in range(recent.hashes.size):
        entry = recent.maps_used[i]
        learned.state_maps[entry] = adapted(learned.state_maps[entry], bit, MAP_LIMIT)
        recent.slots[recent.buckets[i] + node] = NEXT_STATE[(entry & 255) << 1 | bit]
    for m in range(recent.matches.size):
        index = recent.matches[m].map_index
        if index >= 0:
            match_model.learn_bit(learned.match_maps, index, bit)


@inline
def _end_byte(lineup, recent):
    """The byte is complete: history, features, matches, and the hashes of all contexts."""
    now = recent.now[0]
    byte = now.partial & 255
    recent.ring[now.position & (recent.ring.size - 1)] = byte
    now.position += 1
    now.last8 = (now.last8 << 8 | now.last4 >> 24) & U32
    now.last4 = (now.last4 << 8 | byte) & U32
    now.partial = 1
    now.bits_known = 0
    f.see_byte(recent, byte)
    for m in range(recent.matches.size):
        match_model.see_byte(recent, m, byte)
        recent.features[f.EXPECTED] = 0
    for m in range(recent.matches.size):
        if recent.matches[m].expected > 0:
            recent.features[f.EXPECTED] = recent.matches[m].expected - 255
    for i in range(recent.hashes.size):
        h = (now.last4 & lineup.contexts[i, 0]) * HASH + (i + 1) * HASH_2
        h = ((h ^ h >> 29) & U32) * HASH_2 + (now.last8 & lineup.contexts[i, 1]) * HASH
        for k in range(2, 5):
            h = ((h ^ h >> 27) & U32) * HASH + recent.features[lineup.contexts[i, k]] * HASH_2
        h = (h ^ h >> 31) & U32
        recent.hashes[i] = h
        recent.places[i] = high_nibble_place(h, recent.slots.size - 1)
        prefetch_bucket(recent.slots, recent.places[i])


@inline
def _enter_nibble(recent):
    """Find the buckets of the nibble that begins."""
    now = recent.now[0]
    known = 0
    node = 0 if now.bits_known == 0 else now.partial
    for i in range(recent.hashes.size):
        check = check_byte(recent.hashes[i], node)
        recent.buckets[i] = find_bucket(recent.slots, recent.places[i], check)
    now.node = 1
