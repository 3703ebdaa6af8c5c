"""The block model of bytes, text or other: contexts, match models and gates of its table.

`step` calls these for every bit of such a block: ``gather`` fills the network's inputs
(`inputs`) and contexts, ``learn`` teaches the maps; ``half_byte``, ``end_byte`` and
``enter_nibble`` move on.
"""

from __future__ import annotations

from glnzip.format.block_type import (
    A64,
    BINARY,
    CLASS_FILES,
    FONT,
    LEXICON,
    NUMBERS,
    PYTHON_CODE,
    RECORDS,
)
from glnzip.gln.network import expect_rows
from glnzip.jit import inline
from glnzip.model.contexts import features as f
from glnzip.model.contexts.a64 import begin_a64, see_a64
from glnzip.model.contexts.binary import begin_records, see_binary
from glnzip.model.contexts.class_files import begin_class_files, see_class_file
from glnzip.model.contexts.code import see_code
from glnzip.model.contexts.fields import see_field
from glnzip.model.contexts.fonts import begin_font, see_font
from glnzip.model.contexts.numbers import begin_numbers, see_number
from glnzip.model.contexts.python_code import begin_python_code, see_python_code
from glnzip.model.contexts.relocations import see_relocation
from glnzip.model.contexts.shown import HIDDEN
from glnzip.model.contexts.syntax import see_syntax
from glnzip.model.contexts.tokens import see_token_parts
from glnzip.model.contexts.word_classes import see_token
from glnzip.model.hashing import HASH, HASH_2, U32
from glnzip.model.memory import context_memory, direct_counters, dmc, match_model
from glnzip.model.mixing.apm import select_apms
from glnzip.model.mixing.first_stage import has_first_stage
from glnzip.model.mixing.gates import choose_gates
from glnzip.model.mixing.inputs import (
    gather_contexts,
    gather_others,
    gather_runs,
    learn_contexts,
    learn_others,
    learn_runs,
    move_histories,
)


@inline
def begin_block(block_model, recent):
    """Find the contexts of the block's first byte; those before it may have been seen otherwise."""
    begin_features(recent)
    _begin_byte(block_model, recent)
    enter_nibble(block_model, recent)


@inline
def begin_features(recent):
    """A block begins.

    A lexicon begins a mix of everything, whose blocks are segments; all else is one segment.
    """
    now = recent.now[0]
    if now.kind == NUMBERS:
        begin_numbers(recent)
    if now.kind == RECORDS:
        begin_records(recent)
    if now.kind == A64:
        begin_a64(recent)
    if now.kind == FONT:
        begin_font(recent)
    if now.kind == CLASS_FILES:
        begin_class_files(recent)
    if now.kind == PYTHON_CODE:
        begin_python_code(recent)
    if now.kind == LEXICON:
        now.mixed = 1
    recent.features[f.SEGMENT] += now.mixed


@inline
def gather(block_model, recent):
    """All inputs that the first stage has not gathered, and the network's contexts."""
    table = block_model.table
    network = block_model.learned.network
    if has_first_stage(block_model):
        # All that gates look at is known but the order hits: fetch the rows for the last ones.
        choose_gates(table.gates, recent.features, recent.now[0], network)
        expect_rows(network, 0)
    else:
        recent.features[f.ORDER_HITS] = 0
        gather_others(block_model, recent)
    select_apms(block_model, recent)
    gather_contexts(block_model, recent, table.other_contexts)
    gather_runs(block_model, recent)
    choose_gates(table.gates, recent.features, recent.now[0], network)


@inline
def learn(block_model, recent, bit):
    """Maps and histories see the bit; those that only the network asks, if it was asked."""
    table = block_model.table
    learn_contexts(block_model, recent, bit, table.first_stage_contexts)
    if recent.now[0].early_exit:
        move_histories(block_model, recent, bit, table.other_contexts)
    else:
        learn_contexts(block_model, recent, bit, table.other_contexts)
        learn_runs(block_model, bit)
    learn_others(block_model, recent, bit)


@inline
def expect_half_byte(block_model, recent):
    """Three bits are known: fetch the low nibble's buckets for either value of the fourth."""
    context_memory.expect_low_half(block_model.scratch, recent, recent.now[0].partial & 7)


@inline
def half_byte(block_model, recent):
    """Four bits are known: go to the low nibble's buckets and lines."""
    now = recent.now[0]
    context_memory.leave_high_half(block_model.scratch, recent, now.partial & 15)
    for i in range(block_model.scratch.counters.size):
        counter = block_model.scratch.counters[i]
        counter.place = direct_counters.expect_lines(recent.counters, counter.hash, now.partial)
    for m in range(recent.matches.size):
        match_model.expect_place(recent, m, now.partial & 15)


@inline
def end_byte(block_model, recent, byte):
    """A byte is complete: features, matches and runs see it; the next contexts are hashed."""
    for m in range(recent.matches.size):
        match_model.expect_candidate(recent, m, byte)  # `see_byte` will compare what is there
    context_memory.leave_byte(block_model.scratch, recent, byte)
    see_byte(block_model, recent, byte)
    _begin_byte(block_model, recent)


@inline
def see_byte(block_model, recent, byte):
    """Features and matches see a byte, the last of the history."""
    seen = f.see_byte(recent, byte)
    of_text = block_model.table.of_text[0]
    of_numbers = recent.now[0].kind == NUMBERS
    if of_text:
        if recent.syntax.size > 0:
            see_syntax(recent, byte)
        if recent.fields.size > 0:
            see_field(recent, byte)
        if recent.tokens.size > 0 and seen != HIDDEN:
            see_token(recent, seen)
            see_token_parts(recent, seen)
    elif of_numbers:
        see_number(recent, byte)
    else:
        see_binary(recent, byte)
        if recent.now[0].kind == A64:
            see_a64(recent.a64[0], recent.features, byte)
        elif recent.now[0].kind == FONT:
            see_font(recent, byte)
        elif recent.now[0].kind == CLASS_FILES:
            see_class_file(recent, byte)
        elif recent.now[0].kind == PYTHON_CODE:
            see_python_code(recent, byte)
        else:
            see_code(recent.instructions[0], recent.features, byte)
    recent.features[f.EXPECTED] = 0
    for m in range(recent.matches.size):
        match_model.see_byte(recent, m, byte)
    if not (of_text or of_numbers):
        see_relocation(recent, byte)
    for m in range(recent.matches.size):
        if recent.matches[m].expected > 0:
            recent.features[f.EXPECTED] = recent.matches[m].expected - 255


@inline
def _begin_byte(block_model, recent):
    """Hash the contexts of the byte that begins, and fetch from memory what belongs to them."""
    scratch = block_model.scratch
    for m in range(recent.dmcs.size):
        dmc.begin_byte(recent.dmcs, recent.nodes, m)
    hash_rows(block_model.table.contexts, scratch.contexts, recent)
    hash_rows(block_model.table.counters, scratch.counters, recent)
    context_memory.expect_contexts(scratch, recent)
    for i in range(scratch.counters.size):
        counter = scratch.counters[i]
        counter.place = direct_counters.expect_lines(recent.counters, counter.hash, 0)


@inline
def hash_rows(rows, contexts, recent):
    """Hash contexts, or counters, of the byte that begins, by their rows of the table."""
    for i in range(contexts.size):
        contexts[i].hash = hash_row(rows, i, recent)


@inline
def hash_row(contexts, i, recent):
    """The 32-bit hash of row `i`: its masked bytes, its features, its number.

    A local row has another number in each document, so that it forgets what it knew of others.
    """
    now = recent.now[0]
    document = now.document if now.kind == BINARY or now.kind == RECORDS else 0
    number = i + 1 + contexts[i, 6] * document
    h = (now.last4 & contexts[i, 0]) * HASH + number * HASH_2
    h = ((h ^ h >> 29) & U32) * HASH_2 + (now.last8 & contexts[i, 1]) * HASH
    for k in range(2, 5):
        h = ((h ^ h >> 27) & U32) * HASH + recent.features[contexts[i, k]] * HASH_2
    return (h ^ h >> 31) & U32


@inline
def enter_nibble(block_model, recent):
    """Get the histories and lines of the nibble that begins, and the runs of a byte that begins."""
    now = recent.now[0]
    high_nibble = 0
    if now.bits_known == 0:
        context_memory.enter_high_half(block_model.scratch, recent)
    else:
        high_nibble = now.partial
        context_memory.enter_low_half(block_model.scratch, recent, high_nibble)
    for i in range(block_model.scratch.counters.size):
        counter = block_model.scratch.counters[i]
        counter.line = direct_counters.find_line(
            recent.counters, counter.place, counter.hash, high_nibble
        )
    now.node = 1
