"""A view of a block as bytes, text or other: contexts, match models and gates of a lineup.

`step` calls these for every bit of such a block: ``gather`` fills the network's inputs and
contexts, ``learn`` teaches the maps; ``half_byte``, ``end_byte`` and ``enter_nibble`` move on.
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel import context_memory, direct_map, markov_machine, match_model, run_map
from glnzip.bytemodel import features as f
from glnzip.bytemodel.adaptive_map import adapted, opinion, stretched
from glnzip.bytemodel.binary_features import see_binary
from glnzip.bytemodel.bit_history import NEXT_STATE, ONE_SIDED
from glnzip.bytemodel.features import HASH, HASH_2, U32
from glnzip.bytemodel.syntax import see_syntax
from glnzip.bytemodel.word_classes import see_token
from glnzip.jit import inline
from glnzip.plan import BINARY, LEXICON, TEXT

MAP_LIMIT = 255  # state maps average over about this many bits
INPUTS_PER_CONTEXT = 2
INPUTS_PER_RUN = 1
INPUTS_PER_MATCH = 2
INPUTS_PER_DIRECT = 1
INPUTS_PER_MACHINE = 2


@inline
def begin_block(view, recent):
    """Find the contexts of the block's first byte; those before it may have been seen otherwise."""
    _begin_segment(recent)
    _begin_machines(recent)
    _hash_contexts(view, recent)
    enter_nibble(view, recent)


@inline
def _begin_segment(recent):
    """A lexicon begins a mix of everything, whose blocks are segments; all else is one segment."""
    now = recent.now[0]
    if now.form == LEXICON:
        now.mixed = 1
    recent.features[f.SEGMENT] += now.mixed


@inline
def gather(view, recent):
    """Inputs and the neurons' contexts.

    Each context speaks twice: the logit of its probability, and the same once more if only one
    bit value was ever seen there, so that the network can trust such contexts differently. Runs
    follow with one input each, matches with two, direct probabilities with one, Markov machines
    with two.
    """
    lineup, learned, scratch = view
    inputs = learned.network.signals
    now = recent.now[0]
    node = now.node
    contexts = scratch.contexts.size
    known = 0
    at = _first_history(now)
    for i in range(contexts):
        context = scratch.contexts[i]
        state = np.int64(scratch.histories[at])
        at += context_memory.HISTORIES
        entry = (i << 8) + state
        context.map_index = entry
        if state == 0:  # never seen: no opinion
            inputs[i] = np.float32(0)
            inputs[contexts + i] = np.float32(0)
        else:
            inputs[i] = stretched(learned.state_maps[entry])
            inputs[contexts + i] = inputs[i] * ONE_SIDED[state]
            known += lineup.contexts[i, 5]
    recent.features[f.KNOWN_ORDERS] = known
    at = INPUTS_PER_CONTEXT * contexts
    at = _gather_runs(learned, scratch, recent, at)
    at = _gather_matches(learned, recent, at)
    for i in range(scratch.directs.size):
        direct = scratch.directs[i]
        direct.entry = direct.line + node
        inputs[at + i] = direct_map.direct_input(recent.directs, direct.entry)
    at += INPUTS_PER_DIRECT * scratch.directs.size
    for m in range(recent.machines.size):
        inputs[at], inputs[at + 1] = markov_machine.machine_inputs(
            learned.machine_maps, recent.machines, recent.nodes, m
        )
        at += INPUTS_PER_MACHINE
    _choose_gates(lineup.gates, learned.network, recent)


@inline
def _first_history(now):
    """Where the first context's history of the present bit is, in the scratch."""
    return (context_memory.LOW_HALF if now.bits_known >= 4 else 0) + now.node


@inline
def _gather_runs(learned, scratch, recent, at):
    now = recent.now[0]
    inputs = learned.network.signals
    for i in range(scratch.runs.size):
        run = scratch.runs[i]
        bit = run_map.expected_bit(run.run, now.partial, now.bits_known)
        if bit < 0:
            run.map_index = -1
            inputs[at + i] = np.float32(0)
        else:
            run.map_index = run_map.map_index(i, run.run, now.bits_known, bit)
            inputs[at + i] = stretched(learned.run_maps[run.map_index])
    return at + scratch.runs.size


@inline
def _gather_matches(learned, recent, at):
    now = recent.now[0]
    inputs = learned.network.signals
    strength = 0
    expected = 0
    for m in range(recent.matches.size):
        match = recent.matches[m]
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
        at += INPUTS_PER_MATCH
    recent.features[f.MATCH_STRENGTH] = min(strength, 15)
    recent.features[f.MATCH_AND_LETTERS] = min(strength, 15) << 4 | recent.features[f.LETTERS]
    recent.features[f.EXPECTED] = expected
    return at


@inline
def _choose_gates(gates, network, recent):
    """Each gated neuron's context: its feature's value and its part of the byte so far."""
    now = recent.now[0]
    for k in range(gates.shape[0]):
        value = recent.features[gates[k, 0]] & gates[k, 1]
        kind = gates[k, 2]
        if kind == 2:
            value = value << 8 | now.partial
        elif kind == 1:
            value = value << 3 | now.bits_known
        network.contexts[k] = value


@inline
def learn(view, recent, bit):
    """All adaptive maps, histories, direct probabilities and machines that spoke see the bit."""
    _, learned, scratch = view
    at = _first_history(recent.now[0])
    for i in range(scratch.contexts.size):
        entry = scratch.contexts[i].map_index
        learned.state_maps[entry] = adapted(learned.state_maps[entry], bit, MAP_LIMIT)
        scratch.histories[at] = NEXT_STATE[(entry & 255) << 1 | bit]
        at += context_memory.HISTORIES
    for i in range(scratch.runs.size):
        index = scratch.runs[i].map_index
        if index >= 0:
            learned.run_maps[index] = adapted(learned.run_maps[index], bit, run_map.MAP_LIMIT)
    for m in range(recent.matches.size):
        index = recent.matches[m].map_index
        if index >= 0:
            match_model.learn_bit(learned.match_maps, index, bit)
    for i in range(scratch.directs.size):
        direct_map.learn_bit(recent.directs, scratch.directs[i].entry, bit)
    for m in range(recent.machines.size):
        markov_machine.learn_bit(learned.machine_maps, recent.machines, recent.nodes, m, bit)


@inline
def half_byte(view, recent):
    """Four bits are known: go to the low nibble's buckets and lines."""
    now = recent.now[0]
    context_memory.leave_high_half(view.scratch, recent, now.partial & 15)
    for i in range(view.scratch.directs.size):
        direct = view.scratch.directs[i]
        direct.line = direct_map.enter_line(recent.directs, direct.hash, now.partial)


@inline
def end_byte(view, recent, byte):
    """A byte is complete and in the ring: features, matches, runs, and the next contexts."""
    context_memory.leave_byte(view.scratch, recent, byte)
    f.see_byte(recent, byte)
    form = recent.now[0].form
    if form in (TEXT, LEXICON):
        see_syntax(recent, byte)
        see_token(recent, byte)
    else:
        see_binary(recent, byte)
    recent.features[f.EXPECTED] = 0
    for m in range(recent.matches.size):
        match_model.see_byte(recent, m, byte)
        if recent.matches[m].expected > 0:
            recent.features[f.EXPECTED] = recent.matches[m].expected - 255
    _begin_machines(recent)
    _hash_contexts(view, recent)


@inline
def _begin_machines(recent):
    for m in range(recent.machines.size):
        markov_machine.begin_byte(recent.machines, recent.nodes, m)


@inline
def _hash_contexts(view, recent):
    """Hash the contexts of the byte that begins, and fetch from memory what belongs to them."""
    lineup, _, scratch = view
    now = recent.now[0]
    document = now.document if now.form == BINARY else 0
    for i in range(scratch.contexts.size):
        context = scratch.contexts[i]
        context.hash = _context_hash(lineup.contexts, i, recent, document)
    context_memory.expect_contexts(scratch, recent)
    for i in range(scratch.directs.size):
        direct = scratch.directs[i]
        direct.hash = _context_hash(lineup.directs, i, recent, document)
        direct.line = direct_map.enter_line(recent.directs, direct.hash, 0)


@inline
def _context_hash(contexts, i, recent, document):
    """The 32-bit hash of row `i`: its masked bytes, its features, its number.

    A local row has another number in each document, so that it forgets what it knew of others.
    """
    now = recent.now[0]
    number = i + 1 + contexts[i, 6] * document
    h = (now.last4 & contexts[i, 0]) * HASH + number * HASH_2
    h = ((h ^ h >> 29) & U32) * HASH_2 + (now.last8 & contexts[i, 1]) * HASH
    for k in range(2, 5):
        h = ((h ^ h >> 27) & U32) * HASH + recent.features[contexts[i, k]] * HASH_2
    return (h ^ h >> 31) & U32


@inline
def enter_nibble(view, recent):
    """Get the histories of the nibble that begins, and the runs of a byte that begins."""
    now = recent.now[0]
    if now.bits_known == 0:
        context_memory.enter_high_half(view.scratch, recent)
    else:
        context_memory.enter_low_half(view.scratch, recent, now.partial)
    now.node = 1
