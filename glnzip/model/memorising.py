"""Memorising: the model sees bytes without being asked to predict them.

A prior has many bytes for two reasons: the model is to have met words and contexts, and the maps
and weights are to have learned how far to trust what was met. The second takes far fewer bytes than
the first. So most of a prior is only *memorised*: `Recent` sees it (bit histories, runs, DMC nodes,
matches, features), while maps and networks are not asked and do not learn. Direct counters do not
see it either: what they knew of a mix of everything would be in the way of the data (`build`). Nor
do contexts of what each file has in its own way, as the rows of the table say (`fleeting`).

Bytes to be memorised are known in advance, so they are taken in slices, and each in two steps. In
the first the contexts of each byte are hashed, and features and matches see the slice
(`hash_slice`); in the second contexts see it (`memorise_slice`). Memory is fetched well ahead. The
steps share nothing but the hashes: the second may run in another thread while the first goes on to
the next slice. DMC models go through the block by themselves (`move_nodes`).
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.byte_model import begin_features, hash_row, see_byte
from glnzip.model.contexts.history import add_byte, begin_history
from glnzip.model.memory import context_memory, dmc

_FAR_AHEAD = 6  # bytes that the memory of runs is fetched ahead ...
_AHEAD = 3  # ... and that of buckets


@inline
def begin_block(model, block_type):
    """Bytes follow that are to be memorised as a block of this type."""
    begin_history(model.recent.now[0], block_type)
    begin_features(model.recent)


@inline
def hash_slice(model, hashes, data, start, end):
    """Fill `hashes` with those of the contexts that are memorised, at each of ``data[start:end]``.

    History, features and matches see the bytes.
    """
    block_model, recent = model.byte_model, model.recent
    table = block_model.table
    now = recent.now[0]
    for j in range(start, end):
        for k in range(table.memorised.size):
            hashes[j - start, k] = hash_row(table.contexts, table.memorised[k], recent)
        now.partial = 256 | np.int64(data[j])
        see_byte(block_model, recent, add_byte(now, recent.buffer))


@inline
def move_nodes(recent, data):
    """Lasting DMC models see all of `data`. Others will start afresh (`build.restart_learning`)."""
    for m in range(recent.dmcs.size):
        if recent.dmcs[m].lasting:
            for j in range(data.size):
                dmc.begin_byte(recent.dmcs, recent.nodes, m)
                for k in range(7, -1, -1):
                    dmc.move(recent.dmcs, recent.nodes, m, np.int64(data[j]) >> k & 1)


@inline
def memorise_slice(model, hashes, data, start, end):
    """Contexts see ``data[start:end]``, by the hashes from `hash_slice`."""
    scratch, recent = model.byte_model.scratch, model.recent
    for j in range(start, end):
        if j + _FAR_AHEAD < end:
            for k in range(hashes.shape[1]):
                context_memory.expect_run(
                    scratch, recent, np.int64(hashes[j + _FAR_AHEAD - start, k])
                )
        if j + _AHEAD < end:
            byte = np.int64(data[j + _AHEAD])
            for k in range(hashes.shape[1]):
                context_hash = np.int64(hashes[j + _AHEAD - start, k])
                context_memory.expect_buckets(scratch, recent, context_hash, byte)
        for k in range(hashes.shape[1]):
            context_hash = np.int64(hashes[j - start, k])
            context_memory.memorise(scratch, recent, k, context_hash, np.int64(data[j]))
