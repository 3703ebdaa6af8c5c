"""A journal of the places that a message touches, so that the model can be put back afterwards.

Messages each start from the same model of hundreds of megabytes, of which a message changes a
thousandth. Where it does is written down here, beside the ordinary steps of the model, which know
nothing of it: before they move on, all that they touch in the large tables can be read from
`Recent`, `Scratch` and the contexts of the network. Everything else is small.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.bytemodel import features as f
from glnzip.bytemodel.markov_machine import NODE_FIELDS, begin_byte
from glnzip.bytemodel.memory import prefetch
from glnzip.gln.lanes import LANES
from glnzip.gln.network import FIRST_NEURON, NEURONS, SIGNALS
from glnzip.jit import inline, kernel

SLOTS, DIRECTS, RUNS, MATCHES, NODES, CURVES, RING, FOLLOWERS, THREES, ROWS = range(10)

PLACE_WORDS = (4, 32, 1, 1, 4, 1, 1, 2, 2)
"""Of each table but that of weights, how many words of 32 bits have one place."""

_BUCKET_SHIFT = 4  # a bucket of slots is 16 bytes
_LINES_SHIFT = 5  # two lines of direct probabilities are 32 entries
_RING_SHIFT = 2  # four bytes of the ring are a place
_NEURON_SHIFT = 32  # a row of weights is told by its neuron and, below that, its context
_PLACES_AHEAD, _ROWS_AHEAD = 16, 3  # fetched from memory before they are copied


class Journal(NamedTuple):
    """Places in the tables, the same one perhaps more than once; but rows of weights only once."""

    places: Any  # int64[tables, room]
    counts: Any  # int64[tables]; those beyond the room are counted but not written
    row_seen: Any  # int64[rows of weights]: the number of the last message that has used it
    message: Any  # int64[1]: the number of the present one


def new_journal(model: Any, length: int) -> Journal:
    """A journal for messages of up to `length` bytes that part of a model, a ByteModel, codes."""
    scratch, network = model.as_bytes.scratch, model.as_bytes.learned.network
    a_byte = max(
        5 * scratch.contexts.size,  # two buckets, and three more of one that branches
        8 * scratch.knots.size,
        8 * network.contexts.size,
        9 * model.recent.machines.size,
    )
    return Journal(
        places=np.zeros((ROWS + 1, length and (length + 1) * a_byte), np.int64),
        counts=np.zeros(ROWS + 1, np.int64),
        row_seen=np.zeros(network.steps.size, np.int64),
        message=np.ones(1, np.int64),
    )


def next_message(journal: Journal) -> None:
    """Forget all places: another message begins."""
    journal.counts[:] = 0
    journal.message[0] += 1


@inline
def note_bit(journal, model, bit):
    """Before the model learns `bit`: the curves, nodes and rows of weights that will."""
    recent = model.recent
    for m in range(recent.machines.size):
        _note_node(journal, recent, m, np.int64(recent.nodes[m, recent.machines[m].node, bit]))
    if recent.now[0].sure:
        return  # nothing else of what is noted here learns such a bit
    knots = model.as_bytes.scratch.knots
    for i in range(knots.size):
        _note(journal, CURVES, knots[i])
    network = model.as_bytes.learned.network
    for k in range(network.contexts.size):
        context = network.contexts[k]
        row = network.first_row[k] + context
        if journal.row_seen[row] != journal.message[0]:
            journal.row_seen[row] = journal.message[0]
            _note(journal, ROWS, k << _NEURON_SHIFT | context)


@inline
def note_nibble(journal, model):
    """When a nibble begins: its buckets and lines."""
    scratch = model.as_bytes.scratch
    for i in range(scratch.contexts.size):
        _note_bucket(journal, scratch.contexts[i].bucket)
    for i in range(scratch.directs.size):
        _note(journal, DIRECTS, scratch.directs[i].place >> _LINES_SHIFT)


@inline
def note_byte(journal, model):
    """When a byte begins: the runs that will see it, and where the one before it was written."""
    recent = model.recent
    runs = model.as_bytes.scratch.runs
    for i in range(runs.size):
        run = runs[i]
        _note(journal, RUNS, run.place)
        if run.high >= 0:
            _note_bucket(journal, run.high)
            _note_bucket(journal, run.low)
            _note_bucket(journal, run.other)
    for m in range(recent.matches.size):
        _note(journal, MATCHES, m * recent.match_tables.shape[1] + recent.matches[m].hash)
    for m in range(recent.machines.size):
        _note_node(journal, recent, m, recent.machines[m].node)
    now = recent.now[0]
    _note(journal, FOLLOWERS, recent.features[f.THIRD] << 8 | recent.features[f.SECOND])
    _note(journal, THREES, f.place_of_three(now.last4 >> 8))
    _note(journal, RING, ((now.position - 1) & (recent.ring.size - 1)) >> _RING_SHIFT)


@inline
def _note_bucket(journal, bucket):
    if bucket >= 0:
        _note(journal, SLOTS, bucket >> _BUCKET_SHIFT)


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
def plant_trees(machines, nodes):
    """Make the first trees of machines that have none, as the first byte to come would do.

    Once they are there, a message touches no more nodes than it has bits.
    """
    for m in range(machines.size):
        begin_byte(machines, nodes, m)


@kernel
def put_back_places(table, origin, places, count, words):
    """Copy the places of a table, uint32[:], from its origin."""
    for n in range(count):
        ahead = places[min(n + _PLACES_AHEAD, count - 1)] * words
        prefetch(origin, ahead)
        prefetch(table, ahead)
        at = places[n] * words
        for i in range(at, at + words):
            table[i] = origin[i]


@kernel
def put_back_rows(network, origin, rows, count):
    """Copy rows of weights, and their step counters."""
    for n in range(count):
        first, length, _ = _row(network, rows[min(n + _ROWS_AHEAD, count - 1)])
        for i in range(first, first + length, LANES):
            prefetch(network.weights, i)
            prefetch(origin.weights, i)
        first, length, step = _row(network, rows[n])
        for i in range(first, first + length):
            network.weights[i] = origin.weights[i]
        network.steps[step] = origin.steps[step]


@inline
def _row(network, row):
    """Where a row's weights begin, how many they are, and where its step counter is."""
    k, context = row >> _NEURON_SHIFT, row & ((1 << _NEURON_SHIFT) - 1)
    layer = 0
    while k >= network.layers[layer, FIRST_NEURON] + network.layers[layer, NEURONS]:
        layer += 1
    length = network.layers[layer, SIGNALS]
    return network.first_weight[k] + context * length, length, network.first_row[k] + context


@kernel
def put_back_clones(nodes, origin, machines, machines_before):
    """Copy the nodes that machines have made."""
    for m in range(machines.size):
        for node in range(machines_before[m].used, machines[m].used):
            for i in range(NODE_FIELDS):
                nodes[m, node, i] = origin[m, node, i]
