"""A journal of the places that a message touches, so that the model can be put back afterwards.

Messages each start from the same model of hundreds of megabytes, of which a message changes a
thousandth. Where it does is written down here, beside the ordinary steps of the model, which know
nothing of it: all that they touch in the large tables can be read from `Recent` and `Scratch`
before they move on. Rows of weights are not written down, as their step counters tell which have
been trained. Everything else is small.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.bytemodel.markov_machine import begin_byte
from glnzip.gln.network import FIRST_NEURON, NEURONS, SIGNALS
from glnzip.jit import inline, kernel

SLOTS, DIRECTS, RUNS, MATCHES, NODES, CURVES, RING = range(7)

PLACE_WORDS = (4, 16, 1, 1, 4, 1, 1)
"""Of each table, how many words of 32 bits have one place."""

_RING_SHIFT = 2  # four bytes of the ring to a place


class Journal(NamedTuple):
    """Places in the tables, the same one perhaps more than once."""

    places: Any  # int64[tables, room]
    counts: Any  # int64[tables]; those beyond the room are counted but not written


def new_journal(room: int) -> Journal:
    """An empty journal with room for so many places of each table."""
    return Journal(
        np.zeros((len(PLACE_WORDS), room), np.int64), np.zeros(len(PLACE_WORDS), np.int64)
    )


@inline
def note_bit(journal, model, bit):
    """Before the model learns `bit`: nodes and curves that will."""
    recent = model.recent
    knots = model.as_bytes.scratch.knots
    for i in range(knots.size):
        _note(journal, CURVES, knots[i])
    for m in range(recent.machines.size):
        node = recent.machines[m].node
        _note_node(journal, recent, m, node)
        _note_node(journal, recent, m, np.int64(recent.nodes[m, node, bit]))


@inline
def note_nibble(journal, model):
    """When a nibble begins: its buckets and lines."""
    scratch = model.as_bytes.scratch
    for i in range(scratch.contexts.size):
        _note(journal, SLOTS, scratch.contexts[i].bucket >> 4)
    for i in range(scratch.directs.size):
        _note(journal, DIRECTS, scratch.directs[i].line >> 4)


@inline
def note_byte(journal, model):
    """When a byte begins: the runs that will see it, and where the one before it was written."""
    recent = model.recent
    runs = model.as_bytes.scratch.runs
    for i in range(runs.size):
        _note(journal, RUNS, runs[i].place)
    for m in range(recent.matches.size):
        _note(journal, MATCHES, m * recent.match_tables.shape[1] + recent.matches[m].hash)
    for m in range(recent.machines.size):  # a clone, perhaps
        _note_node(journal, recent, m, recent.machines[m].node)
    _note(journal, RING, ((recent.now[0].position - 1) & (recent.ring.size - 1)) >> _RING_SHIFT)


@inline
def _note_node(journal, recent, m, node):
    _note(journal, NODES, m * recent.nodes.shape[1] + node)


@inline
def _note(journal, table, place):
    count = journal.counts[table]
    if count < journal.places.shape[1]:
        journal.places[table, count] = place
    journal.counts[table] = count + 1


@kernel
def plant(machines, nodes):
    """Make the first trees of machines that have none, as the first byte of a message would."""
    for m in range(machines.size):
        begin_byte(machines, nodes, m)


@kernel
def put_back_places(table, origin, places, count, words):
    """Copy the places of a table, uint32[:], from its origin."""
    for k in range(count):
        at = places[k] * words
        for i in range(at, at + words):
            table[i] = origin[i]


@kernel
def put_back_weights(network, origin):
    """Copy the rows of weights that have been trained since."""
    for i in range(network.layers.shape[0]):
        first = network.layers[i, FIRST_NEURON]
        length = network.layers[i, SIGNALS]
        for k in range(first, first + network.layers[i, NEURONS]):
            for context in range(network.rows[k]):
                row = network.first_row[k] + context
                if network.steps[row] != origin.steps[row]:
                    at = network.first_weight[k] + context * length
                    for j in range(at, at + length):
                        network.weights[j] = origin.weights[j]
