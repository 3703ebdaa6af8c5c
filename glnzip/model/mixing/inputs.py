"""The inputs of the networks of a block model of bytes, and the maps behind them.

Each context speaks twice: the logit of its probability, and that of the Zero-Redundancy estimate if
only one bit value was ever seen there. The first is learned, the second is fixed by the counts, and
the network finds out how far to trust each (the paper's base models, section 6.3). Runs follow with
one input each, matches with two, DMC models with two, direct counters with one, and the
first stage (`first_stage`), where there is one, with its own logit.

All inputs stand in the signals of the large network. `gather_...` fills them, `learn_...` teaches
the maps the bit that followed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import features as f
from glnzip.model.memory import context_memory, direct_counters, dmc, match_model, run_map
from glnzip.model.memory.bit_history import NEXT_STATE, ZERO_REDUNDANCY
from glnzip.model.memory.state_map import adapted, opinion, stretched
from glnzip.model.table.limits import STATE_MAP_LIMIT

INPUTS_PER_CONTEXT = 2
INPUTS_PER_RUN = 1
INPUTS_PER_MATCH = 2
INPUTS_PER_DMC = 2
INPUTS_PER_COUNTER = 1


class Places(NamedTuple):
    """Where the inputs of each kind begin, for so many of each."""

    contexts: int
    runs: int
    match_models: int
    dmc_models: int

    @property
    def zero_redundancy(self) -> int:
        """The first of the contexts' second inputs."""
        return self.contexts

    @property
    def matches(self) -> int:
        """The first of the match models'; those of the DMC models follow."""
        return INPUTS_PER_CONTEXT * self.contexts + INPUTS_PER_RUN * self.runs

    @property
    def counters(self) -> int:
        """The first of the direct counters'."""
        others = INPUTS_PER_MATCH * self.match_models + INPUTS_PER_DMC * self.dmc_models
        return self.matches + others


@inline
def gather_contexts(block_model, recent, rows):
    """The inputs of some rows of contexts, and how many plain orders were seen before."""
    table, learned, scratch = block_model
    inputs = learned.network.signals
    contexts = scratch.contexts.size
    first = _first_history(recent.now[0])
    hits = 0
    for i in rows:
        context = scratch.contexts[i]
        state = np.int64(scratch.histories[first + context_memory.HISTORIES * i])
        entry = (i << 8) + state
        context.map_index = entry
        if state == 0:  # never seen: no opinion
            inputs[i] = np.float32(0)
            inputs[contexts + i] = np.float32(0)
        else:
            inputs[i] = stretched(learned.state_maps[entry])
            inputs[contexts + i] = ZERO_REDUNDANCY[state]
            hits += table.contexts[i, 5]
    recent.features[f.ORDER_HITS] += hits


@inline
def gather_runs(block_model, recent):
    """The inputs of the runs."""
    _, learned, scratch = block_model
    at = INPUTS_PER_CONTEXT * scratch.contexts.size
    run_map.gather(scratch.runs, learned.run_maps, recent.now[0], learned.network.signals, at)


@inline
def gather_others(block_model, recent):
    """The inputs of matches, DMC models and direct counters."""
    _, learned, scratch = block_model
    inputs = learned.network.signals
    first = INPUTS_PER_CONTEXT * scratch.contexts.size + INPUTS_PER_RUN * scratch.runs.size
    at = _gather_matches(learned, recent, first)
    for m in range(recent.dmcs.size):
        inputs[at], inputs[at + 1] = dmc.dmc_inputs(learned.dmc_maps, recent.dmcs, recent.nodes, m)
        at += INPUTS_PER_DMC
    node = recent.now[0].node
    for i in range(scratch.counters.size):
        counter = scratch.counters[i]
        counter.entry = direct_counters.entry_at(counter.line, node)
        inputs[at + i] = direct_counters.counter_input(recent.counters, counter.entry)


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
def learn_contexts(block_model, recent, bit, rows):
    """The state maps and histories of some rows of contexts see the bit."""
    _, learned, scratch = block_model
    first = _first_history(recent.now[0])
    for i in rows:
        entry = scratch.contexts[i].map_index
        learned.state_maps[entry] = adapted(learned.state_maps[entry], bit, STATE_MAP_LIMIT)
        state = NEXT_STATE[(entry & 255) << 1 | bit]
        scratch.histories[first + context_memory.HISTORIES * i] = state


@inline
def move_histories(block_model, recent, bit, rows):
    """Only the histories of these contexts see the bit."""
    histories = block_model.scratch.histories
    first = _first_history(recent.now[0])
    for i in rows:
        at = first + context_memory.HISTORIES * i
        histories[at] = NEXT_STATE[np.int64(histories[at]) << 1 | bit]


@inline
def _first_history(now):
    """Where the first context's history of the present bit is, in the scratch."""
    return (context_memory.LOW_HALF if now.bits_known >= 4 else 0) + now.node


@inline
def learn_runs(block_model, bit):
    """The run maps that spoke see the bit."""
    _, learned, scratch = block_model
    run_map.learn_bit(scratch.runs, learned.run_maps, bit)


@inline
def learn_others(block_model, recent, bit):
    """The matches that spoke, the DMC models and the direct counters see the bit."""
    _, learned, scratch = block_model
    for m in range(recent.matches.size):
        index = recent.matches[m].map_index
        if index >= 0:
            match_model.learn_bit(learned.match_maps, index, bit)
    for i in range(scratch.counters.size):
        direct_counters.learn_bit(recent.counters, scratch.counters[i].entry, bit)
    for m in range(recent.dmcs.size):
        dmc.learn_bit(learned.dmc_maps, recent.dmcs, recent.nodes, m, bit)
