"""The inputs of the networks of a block model of bytes, and the maps behind them.

Each context speaks twice: the logit of its probability, and the same once more if only one bit
value was ever seen there, so that the network can trust such contexts differently. Runs follow with
one input each, matches with two, DMC models with two, direct counters with one, and the
first stage (`first_stage`), where there is one, with its own logit.

All inputs stand in the signals of the large network. `gather_...` fills them, `learn_...` teaches
the maps the bit that followed.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import features as f
from glnzip.model.memory import context_memory, direct_counters, dmc, match_model, run_map
from glnzip.model.memory.bit_history import NEXT_STATE, ONE_SIDED
from glnzip.model.memory.state_map import adapted, opinion, stretched

MAP_LIMIT = 255  # state maps average over about this many bits
INPUTS_PER_CONTEXT = 2
INPUTS_PER_RUN = 1
INPUTS_PER_MATCH = 2
INPUTS_PER_DMC = 2
INPUTS_PER_DIRECT = 1


@inline
def gather_contexts(block_model, recent, first, end):
    """The inputs of the contexts from `first` to before `end`, and how many plain orders know."""
    table, learned, scratch = block_model
    inputs = learned.network.signals
    contexts = scratch.contexts.size
    known = 0
    at = _history(recent.now[0], first)
    for i in range(first, end):
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
            known += table.contexts[i, 5]
    recent.features[f.ORDER_HITS] += known


@inline
def gather_runs(block_model, recent):
    """The inputs of the runs."""
    _, learned, scratch = block_model
    now = recent.now[0]
    inputs = learned.network.signals
    at = INPUTS_PER_CONTEXT * scratch.contexts.size
    for i in range(scratch.runs.size):
        run = scratch.runs[i]
        bit = run_map.expected_bit(run.run, now.partial, now.bits_known)
        if bit < 0:
            run.map_index = -1
            inputs[at + i] = np.float32(0)
        else:
            run.map_index = run_map.map_index(i, run.run, now.bits_known, bit)
            inputs[at + i] = stretched(learned.run_maps[run.map_index])


@inline
def first_of_matches(scratch):
    """The number of the first input of the matches."""
    return INPUTS_PER_CONTEXT * scratch.contexts.size + INPUTS_PER_RUN * scratch.runs.size


@inline
def gather_others(block_model, recent):
    """The inputs of matches, DMC models and direct counters."""
    _, learned, scratch = block_model
    inputs = learned.network.signals
    at = _gather_matches(learned, recent, first_of_matches(scratch))
    for m in range(recent.dmcs.size):
        inputs[at], inputs[at + 1] = dmc.dmc_inputs(learned.dmc_maps, recent.dmcs, recent.nodes, m)
        at += INPUTS_PER_DMC
    node = recent.now[0].node
    for i in range(scratch.directs.size):
        direct = scratch.directs[i]
        direct.entry = direct_counters.entry_at(direct.line, node)
        inputs[at + i] = direct_counters.direct_input(recent.directs, direct.entry)


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
def choose_gates(gates, network, recent):
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
def learn_contexts(block_model, recent, bit, first, end):
    """The state maps and histories of the contexts from `first` to before `end` see the bit."""
    _, learned, scratch = block_model
    at = _history(recent.now[0], first)
    for i in range(first, end):
        entry = scratch.contexts[i].map_index
        learned.state_maps[entry] = adapted(learned.state_maps[entry], bit, MAP_LIMIT)
        scratch.histories[at] = NEXT_STATE[(entry & 255) << 1 | bit]
        at += context_memory.HISTORIES


@inline
def move_histories(block_model, recent, bit, first, end):
    """Only the histories of these contexts see the bit."""
    histories = block_model.scratch.histories
    at = _history(recent.now[0], first)
    for _ in range(first, end):
        histories[at] = NEXT_STATE[np.int64(histories[at]) << 1 | bit]
        at += context_memory.HISTORIES


@inline
def _history(now, context):
    """Where a context's history of the present bit is, in the scratch."""
    half = context_memory.LOW_HALF if now.bits_known >= 4 else 0
    return context * context_memory.HISTORIES + half + now.node


@inline
def learn_runs(block_model, bit):
    """The run maps that spoke see the bit."""
    _, learned, scratch = block_model
    for i in range(scratch.runs.size):
        index = scratch.runs[i].map_index
        if index >= 0:
            learned.run_maps[index] = adapted(learned.run_maps[index], bit, run_map.MAP_LIMIT)


@inline
def learn_others(block_model, recent, bit):
    """The matches that spoke, the DMC models and the direct counters see the bit."""
    _, learned, scratch = block_model
    for m in range(recent.matches.size):
        index = recent.matches[m].map_index
        if index >= 0:
            match_model.learn_bit(learned.match_maps, index, bit)
    for i in range(scratch.directs.size):
        direct_counters.learn_bit(recent.directs, scratch.directs[i].entry, bit)
    for m in range(recent.dmcs.size):
        dmc.learn_bit(learned.dmc_maps, recent.dmcs, recent.nodes, m, bit)
