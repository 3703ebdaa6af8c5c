"""The view of a block as bytes: contexts, match models and gates of the byte lineup.

`step` calls these for every bit of such a block: ``gather`` fills the network's inputs and
contexts, ``learn`` teaches the maps; ``half_byte``, ``end_byte`` and ``enter_nibble`` move on.
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel import features as f
from glnzip.bytemodel import match_model
from glnzip.bytemodel.adaptive_map import adapted, opinion, stretched
from glnzip.bytemodel.bit_history import NEXT_STATE, ONE_SIDED
from glnzip.bytemodel.features import HASH, HASH_2, U32
from glnzip.bytemodel.slot_table import (
    check_byte,
    find_bucket,
    high_nibble_place,
    low_nibble_place,
    prefetch_bucket,
)
from glnzip.jit import inline

MAP_LIMIT = 255  # state maps average over about this many bits
INPUTS_PER_CONTEXT = 2
INPUTS_PER_MATCH = 2


@inline
def begin_block(lineup, recent):
    """Find the contexts of the block's first byte; the bytes before it may have been pixels."""
    _hash_contexts(lineup, recent)
    enter_nibble(recent)


@inline
def gather(lineup, learned, recent):
    """Inputs and the neurons' contexts.

    Each context speaks twice: the logit of its probability, and the same once more if only one
    bit value was ever seen there, so that the network can trust such contexts differently. Each
    match follows with two inputs.
    """
    inputs = learned.network.signals
    node = recent.now[0].node
    contexts = recent.hashes.size
    known = 0
    for i in range(contexts):
        state = np.int64(recent.slots[recent.buckets[i] + node])
        entry = (i << 8) + state
        recent.maps_used[i] = entry
        if state == 0:  # never seen: no opinion
            inputs[i] = np.float32(0)
            inputs[contexts + i] = np.float32(0)
        else:
            inputs[i] = stretched(learned.state_maps[entry])
            inputs[contexts + i] = inputs[i] * ONE_SIDED[state]
            known += lineup.contexts[i, 5]
    recent.features[f.KNOWN_ORDERS] = known
    _gather_matches(learned, recent, INPUTS_PER_CONTEXT * contexts)
    _choose_gates(lineup.gates, learned.network, recent)


@inline
def _gather_matches(learned, recent, first):
    now = recent.now[0]
    inputs = learned.network.signals
    strength = 0
    expected = 0
    for m in range(recent.matches.size):
        match = recent.matches[m]
        at = first + INPUTS_PER_MATCH * m
        bit = match_model.expected_bit(match, now.partial, now.bits_known)
        if bit < 0:
            match.map_index = -1
            inputs[at] = np.float32(0)
            inputs[at + 1] = np.float32(0)
        else:
            match.map_index = match_model.map_index(match, m, bit)
            inputs[at], inputs[at + 1] = opinion(learned.match_maps[match.map_index])
            strength = 1 + (match_model.length_class(match.length) >> 1)
            expected = match.expected - 255
    recent.features[f.MATCH_STRENGTH] = min(strength, 15)
    recent.features[f.EXPECTED] = expected


@inline
def _choose_gates(gates, network, recent):
    """Each gated neuron's context: its feature's value and its part of the byte so far."""
    now = recent.now[0]
    for k in range(gates.shape[0]):
        value = min(recent.features[gates[k, 0]], gates[k, 1] - 1)
        kind = gates[k, 2]
        if kind == 2:
            value = value << 8 | now.partial
        elif kind == 1:
            value = value << 3 | now.bits_known
        network.contexts[k] = value


@inline
def learn(learned, recent, bit):
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
def half_byte(recent):
    """Four bits are known: go to the low nibble's buckets."""
    now = recent.now[0]
    for i in range(recent.hashes.size):
        recent.places[i] = low_nibble_place(recent.places[i], now.partial & 15)
        prefetch_bucket(recent.slots, recent.places[i])


@inline
def end_byte(lineup, recent, byte):
    """A byte is complete and in the ring: features, matches, and the hashes of all contexts."""
    f.see_byte(recent, byte)
    recent.features[f.EXPECTED] = 0
    for m in range(recent.matches.size):
        match_model.see_byte(recent, m, byte)
        if recent.matches[m].expected > 0:
            recent.features[f.EXPECTED] = recent.matches[m].expected - 255
    _hash_contexts(lineup, recent)


@inline
def _hash_contexts(lineup, recent):
    now = recent.now[0]
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
def enter_nibble(recent):
    """Find the buckets of the nibble that begins."""
    now = recent.now[0]
    node = 0 if now.bits_known == 0 else now.partial
    for i in range(recent.hashes.size):
        check = check_byte(recent.hashes[i], node)
        recent.buckets[i] = find_bucket(recent.slots, recent.places[i], check)
    now.node = 1
