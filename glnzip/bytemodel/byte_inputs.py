"""The inputs of the networks of a view of bytes, and the maps behind them.

Each context speaks twice: the logit of its probability, and the same once more if only one bit
value was ever seen there, so that the network can trust such contexts differently. Runs follow with
one input each, matches with two, Markov machines with two, direct probabilities with one, and the
scout (`scout`), where there is one, with its own logit.

All inputs stand in the signals of the large network. `gather_...` fills them, `learn_...` teaches
the maps the bit that followed.
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel import context_memory, direct_map, markov_machine, match_model, run_map
from glnzip.bytemodel import features as f
from glnzip.bytemodel.adaptive_map import adapted, opinion, stretched
from glnzip.bytemodel.bit_history import NEXT_STATE, ONE_SIDED
from glnzip.jit import inline

MAP_LIMIT = 255  # state maps average over about this many bits
INPUTS_PER_CONTEXT = 2
INPUTS_PER_RUN = 1
INPUTS_PER_MATCH = 2
INPUTS_PER_MACHINE = 2
INPUTS_PER_DIRECT = 1


@inline
def gather_contexts(view, recent, first, end):
    """The inputs of the contexts from `first` to before `end`, and how many plain orders know."""
    lineup, learned, scratch = view
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
            known += lineup.contexts[i, 5]
    recent.features[f.KNOWN_ORDERS] += known


@inline
def gather_runs(view, recent):
    """The inputs of the runs."""
    _, learned, scratch = view
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
def gather_others(view, recent):
    """The inputs of matches, machines and direct probabilities."""
    _, learned, scratch = view
    inputs = learned.network.signals
    at = _gather_matches(learned, recent, first_of_matches(scratch))
    for m in range(recent.machines.size):
        inputs[at], inputs[at + 1] = markov_machine.machine_inputs(
            learned.machine_maps, recent.machines, recent.nodes, m
        )
        at += INPUTS_PER_MACHINE
    node = recent.now[0].node
    for i in range(scratch.directs.size):
        direct = scratch.directs[i]
        direct.entry = direct_map.entry_at(direct.line, node)
        inputs[at + i] = direct_map.direct_input(recent.directs, direct.entry)


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
def learn_contexts(view, recent, bit, first, end):
    """The state maps and histories of the contexts from `first` to before `end` see the bit."""
    _, learned, scratch = view
    at = _history(recent.now[0], first)
    for i in range(first, end):
        entry = scratch.contexts[i].map_index
        learned.state_maps[entry] = adapted(learned.state_maps[entry], bit, MAP_LIMIT)
        scratch.histories[at] = NEXT_STATE[(entry & 255) << 1 | bit]
        at += context_memory.HISTORIES


@inline
def move_histories(view, recent, bit, first, end):
    """Only the histories of these contexts see the bit."""
    histories = view.scratch.histories
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
def learn_runs(view, bit):
    """The run maps that spoke see the bit."""
    _, learned, scratch = view
    for i in range(scratch.runs.size):
        index = scratch.runs[i].map_index
        if index >= 0:
            learned.run_maps[index] = adapted(learned.run_maps[index], bit, run_map.MAP_LIMIT)


@inline
def learn_others(view, recent, bit):
    """The matches that spoke, the machines and the direct probabilities see the bit."""
    _, learned, scratch = view
    for m in range(recent.matches.size):
        index = recent.matches[m].map_index
        if index >= 0:
            match_model.learn_bit(learned.match_maps, index, bit)
    for i in range(scratch.directs.size):
        direct_map.learn_bit(recent.directs, scratch.directs[i].entry, bit)
    for m in range(recent.machines.size):
        markov_machine.learn_bit(learned.machine_maps, recent.machines, recent.nodes, m, bit)
