"""An undo log of the places that a message touches, so that the model can be put back afterwards.

Messages each start from the same model of hundreds of megabytes, of which a message changes a
thousandth. Where it does is written down here, beside the ordinary steps of the model, which know
nothing of it: before they move on, all that they touch in the large tables can be read from
`Recent`, `Scratch` and the contexts of the network. Everything else is small.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.network import FIRST_NEURON, NEURONS, SIGNALS
from glnzip.jit import inline, kernel
from glnzip.jit.lanes import LANES
from glnzip.jit.memory_access import prefetch
from glnzip.model.contexts import features as f
from glnzip.model.memory.dmc import NODE_FIELDS, begin_byte
from glnzip.model.roles import LOGGED

SLOTS, COUNTERS, RUNS, MATCHES, NODES, APM_MAPS, BUFFER, INDIRECT_2, INDIRECT_3 = range(len(LOGGED))
ROWS = len(LOGGED)  # of the network's weights

_BUCKET_SHIFT = 4  # a bucket of slots is 16 bytes
_LINES_SHIFT = 5  # two lines of direct counters are 32 entries
_BUFFER_SHIFT = 2  # four bytes of the history buffer are a place
_NEURON_SHIFT = 32  # a row of weights is told by its neuron and, below that, its context
_PLACES_AHEAD, _ROWS_AHEAD = 16, 3  # fetched from memory before they are copied


class UndoLog(NamedTuple):
    """Places in the tables, the same one perhaps more than once; but rows of weights only once."""

    places: Any  # int64[tables, room]
    counts: Any  # int64[tables]; those beyond the room are counted but not written
    row_seen: Any  # int64[rows of weights]: the number of the last message that has used it
    message: Any  # int64[1]: the number of the present one


def new_undo_log(model: Any, length: int) -> UndoLog:
    """An undo log for messages of up to `length` bytes that part of a model, a ByteParts, codes."""
    scratch, network = model.byte_model.scratch, model.byte_model.learned.network
    a_byte = max(
        5 * scratch.contexts.size,  # two buckets, and three more of one that branches
        8 * scratch.apm_buckets.size,
        8 * network.contexts.size,
        9 * model.recent.dmcs.size,
    )
    return UndoLog(
        places=np.zeros((ROWS + 1, length and (length + 1) * a_byte), np.int64),
        counts=np.zeros(ROWS + 1, np.int64),
        row_seen=np.zeros(network.steps.size, np.int64),
        message=np.ones(1, np.int64),
    )


def next_message(undo_log: UndoLog) -> None:
    """Forget all places: another message begins."""
    undo_log.counts[:] = 0
    undo_log.message[0] += 1


@inline
def note_bit(undo_log, model, bit):
    """Before the model learns `bit`: the APMs, nodes and rows of weights that will."""
    recent = model.recent
    for m in range(recent.dmcs.size):
        _note_node(undo_log, recent, m, np.int64(recent.nodes[m, recent.dmcs[m].node, bit]))
    if recent.now[0].early_exit:
        return  # nothing else of what is noted here learns such a bit
    apm_buckets = model.byte_model.scratch.apm_buckets
    for i in range(apm_buckets.size):
        _note(undo_log, APM_MAPS, apm_buckets[i])
    network = model.byte_model.learned.network
    for k in range(network.contexts.size):
        context = network.contexts[k]
        row = network.first_row[k] + context
        if undo_log.row_seen[row] != undo_log.message[0]:
            undo_log.row_seen[row] = undo_log.message[0]
            _note(undo_log, ROWS, k << _NEURON_SHIFT | context)


@inline
def note_nibble(undo_log, model):
    """When a nibble begins: its buckets and lines."""
    scratch = model.byte_model.scratch
    for i in range(scratch.contexts.size):
        _note_bucket(undo_log, scratch.contexts[i].bucket)
    for i in range(scratch.counters.size):
        _note(undo_log, COUNTERS, scratch.counters[i].place >> _LINES_SHIFT)


@inline
def note_byte(undo_log, model):
    """When a byte begins: the runs that will see it, and where the one before it was written."""
    recent = model.recent
    runs = model.byte_model.scratch.runs
    for i in range(runs.size):
        run = runs[i]
        _note(undo_log, RUNS, run.place)
        if run.high >= 0:
            _note_bucket(undo_log, run.high)
            _note_bucket(undo_log, run.low)
            _note_bucket(undo_log, run.other)
    for m in range(recent.matches.size):
        _note(undo_log, MATCHES, m * recent.match_tables.shape[1] + recent.matches[m].hash)
    for m in range(recent.dmcs.size):
        _note_node(undo_log, recent, m, recent.dmcs[m].node)
    now = recent.now[0]
    if recent.indirect_2.size > 0:
        _note(undo_log, INDIRECT_2, recent.features[f.THIRD] << 8 | recent.features[f.SECOND])
    if recent.indirect_3.size > 0:
        _note(undo_log, INDIRECT_3, f.indirect_3_place(now.last4 >> 8))
    _note(undo_log, BUFFER, ((now.position - 1) & (recent.buffer.size - 1)) >> _BUFFER_SHIFT)


@inline
def _note_bucket(undo_log, bucket):
    if bucket >= 0:
        _note(undo_log, SLOTS, bucket >> _BUCKET_SHIFT)


@inline
def _note_node(undo_log, recent, m, node):
    _note(undo_log, NODES, m * recent.nodes.shape[1] + node)


@inline
def _note(undo_log, table, place):
    count = undo_log.counts[table]
    if count < undo_log.places.shape[1]:
        undo_log.places[table, count] = place
    undo_log.counts[table] = count + 1


@kernel
def plant_trees(dmcs, nodes):
    """Make the first trees of DMC models that have none, as the first byte to come would do.

    Once they are there, a message touches no more nodes than it has bits.
    """
    for m in range(dmcs.size):
        begin_byte(dmcs, nodes, m)


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
def put_back_clones(nodes, origin, dmcs, machines_before):
    """Copy the nodes that DMC models have made."""
    for m in range(dmcs.size):
        for node in range(machines_before[m].used, dmcs[m].used):
            for i in range(NODE_FIELDS):
                nodes[m, node, i] = origin[m, node, i]
