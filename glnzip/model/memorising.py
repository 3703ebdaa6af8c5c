"""Memorising: the model sees bytes without being asked to predict them.

A prior has many bytes for two reasons: the model is to have met words and contexts, and the maps
and weights are to have learned how far to trust what was met. The second takes far fewer bytes than
the first. So most of a prior is only *memorised*: `Recent` sees it (bit histories, runs, direct
counters, DMC nodes, matches, features), while maps and networks are not asked and do not learn.

Bytes to be memorised are known in advance. They are taken in slices: first the features see all of
a slice, and the contexts of each byte are hashed; then one context after the other sees it, with
memory fetched well ahead.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.byte_model import begin_segment, hash_contexts, see_byte
from glnzip.model.contexts.history import add_byte, begin_history
from glnzip.model.memory import context_memory, direct_counters, dmc

SLICE_BYTES = 1 << 12
_AHEAD = 2  # bytes that memory is fetched ahead


@inline
def begin_block(model, block_type):
    """Bytes follow that are to be memorised as a block of this type."""
    begin_history(model.recent.now[0], block_type)
    begin_segment(model.recent)


@inline
def memorise_slice(model, hashes, data, start, end):
    """Memorise ``data[start:end]``, at most `SLICE_BYTES`.

    `hashes` is scratch: uint32[SLICE_BYTES, contexts and counters].
    """
    block_model, recent = model.byte_model, model.recent
    _hash_slice(block_model, recent, hashes, data, start, end)
    for j in range(start, end):
        if j + _AHEAD < end:
            _expect(
                block_model.scratch, recent, hashes[j + _AHEAD - start], np.int64(data[j + _AHEAD])
            )
        _memorise(block_model.scratch, recent, hashes[j - start], np.int64(data[j]))


@inline
def _hash_slice(block_model, recent, hashes, data, start, end):
    """The hashes of all contexts at each byte; history, features and matches see the bytes."""
    scratch = block_model.scratch
    now = recent.now[0]
    contexts = scratch.contexts.size
    for j in range(start, end):
        hash_contexts(block_model, recent)
        for i in range(contexts):
            hashes[j - start, i] = scratch.contexts[i].hash
        for i in range(scratch.counters.size):
            hashes[j - start, contexts + i] = scratch.counters[i].hash
        now.partial = 256 | np.int64(data[j])
        see_byte(block_model, recent, add_byte(now, recent.buffer))


@inline
def _expect(scratch, recent, hashes, byte):
    """Fetch from memory what `_memorise` will need for a byte."""
    contexts = scratch.contexts.size
    for i in range(contexts):
        context_memory.expect_to_memorise(scratch, recent, np.int64(hashes[i]), byte)
    for i in range(scratch.counters.size):
        direct_counters.expect_to_memorise(recent.counters, np.int64(hashes[contexts + i]), byte)


@inline
def _memorise(scratch, recent, hashes, byte):
    """Contexts, direct counters and DMC models see a byte."""
    contexts = scratch.contexts.size
    for m in range(recent.dmcs.size):
        dmc.begin_byte(recent.dmcs, recent.nodes, m)
    for k in range(7, -1, -1):
        for m in range(recent.dmcs.size):
            dmc.move(recent.dmcs, recent.nodes, m, byte >> k & 1)
    for i in range(contexts):
        context_memory.memorise(scratch, recent, i, np.int64(hashes[i]), byte)
    for i in range(scratch.counters.size):
        direct_counters.memorise(recent.counters, np.int64(hashes[contexts + i]), byte)
