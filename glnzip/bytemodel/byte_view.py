"""A view of a block as bytes, text or other: contexts, match models and gates of a lineup.

`step` calls these for every bit of such a block: ``gather`` fills the network's inputs
(`byte_inputs`) and contexts, ``learn`` teaches the maps; ``half_byte``, ``end_byte`` and
``enter_nibble`` move on.
"""

from __future__ import annotations

from glnzip.bytemodel import context_memory, direct_map, markov_machine, match_model
from glnzip.bytemodel import features as f
from glnzip.bytemodel.binary_features import see_binary
from glnzip.bytemodel.byte_inputs import (
    choose_gates,
    gather_contexts,
    gather_others,
    gather_runs,
    learn_contexts,
    learn_others,
    learn_runs,
    move_histories,
)
from glnzip.bytemodel.features import HASH, HASH_2, U32
from glnzip.bytemodel.scout import SCOUT_END, SCOUT_FIRST, has_scout
from glnzip.bytemodel.syntax import see_syntax
from glnzip.bytemodel.tokens import see_token_parts
from glnzip.bytemodel.word_classes import see_token
from glnzip.jit import inline
from glnzip.plan import BINARY, LEXICON, TEXT


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
    """All inputs but the scout's own, and the large network's contexts."""
    scratch = view.scratch
    if has_scout(view):  # has gathered some already
        gather_contexts(view, recent, 0, SCOUT_FIRST)
        gather_contexts(view, recent, SCOUT_END, scratch.contexts.size)
    else:
        recent.features[f.KNOWN_ORDERS] = 0
        gather_contexts(view, recent, 0, scratch.contexts.size)
        gather_others(view, recent)
    gather_runs(view, recent)
    choose_gates(view.lineup.gates, view.learned.network, recent)


@inline
def learn(view, recent, bit):
    """Maps and histories see the bit; the maps that only the large network asks, if it was."""
    contexts = view.scratch.contexts.size
    if recent.now[0].sure:
        move_histories(view, recent, bit, 0, SCOUT_FIRST)
        learn_contexts(view, recent, bit, SCOUT_FIRST, SCOUT_END)
        move_histories(view, recent, bit, SCOUT_END, contexts)
    else:
        learn_contexts(view, recent, bit, 0, contexts)
        learn_runs(view, bit)
    learn_others(view, recent, bit)


@inline
def half_byte(view, recent):
    """Four bits are known: go to the low nibble's buckets and lines."""
    now = recent.now[0]
    context_memory.leave_high_half(view.scratch, recent, now.partial & 15)
    for i in range(view.scratch.directs.size):
        direct = view.scratch.directs[i]
        direct.place = direct_map.expect_lines(recent.directs, direct.hash, now.partial)


@inline
def end_byte(view, recent, byte):
    """A byte is complete and in the ring: features, matches, runs, and the next contexts."""
    context_memory.leave_byte(view.scratch, recent, byte)
    f.see_byte(recent, byte)
    form = recent.now[0].form
    if form in (TEXT, LEXICON):
        see_syntax(recent, byte)
        see_token(recent, byte)
        if recent.tokens.size > 0:
            see_token_parts(recent, byte)
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
        direct.place = direct_map.expect_lines(recent.directs, direct.hash, 0)


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
    """Get the histories and lines of the nibble that begins, and the runs of a byte that begins."""
    now = recent.now[0]
    high_nibble = 0
    if now.bits_known == 0:
        context_memory.enter_high_half(view.scratch, recent)
    else:
        high_nibble = now.partial
        context_memory.enter_low_half(view.scratch, recent, high_nibble)
    for i in range(view.scratch.directs.size):
        direct = view.scratch.directs[i]
        direct.line = direct_map.find_line(recent.directs, direct.place, direct.hash, high_nibble)
    now.node = 1
