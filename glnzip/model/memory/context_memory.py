"""Where the bit histories of contexts are: in runs, and in buckets once a second byte has followed.

Most contexts of a high order are *deterministic*: one byte alone has followed them (the term of
PPM; Cleary and Teahan, 1997). All that is known of such a context is the byte and how often it
came, and that is its run (`run_map`), in 4 bytes; two buckets of the slot table would take 32. A
context *branches* when another byte follows: from then on it has buckets.

Either way the model works on a copy in `Scratch.histories`, two buckets of 16 bytes for each
context: one for the high half of the byte, one for the low half. What the half byte has taught is
put back when it ends.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.jit.memory_access import clear_16
from glnzip.model.memory.bit_history import NEXT_STATE, SAME_BITS
from glnzip.model.memory.run_map import (
    extend_run,
    find_run,
    has_branched,
    high_half,
    prefetch_runs,
    run_count,
    seen_run,
)
from glnzip.model.memory.slot_table import (
    BUCKET_BYTES,
    check_byte,
    copy_bucket,
    find_bucket,
    high_nibble_place,
    low_nibble_place,
    prefetch_bucket,
)

HISTORIES = 2 * BUCKET_BYTES
"""Bytes of `Scratch.histories` for a context."""
LOW_HALF = BUCKET_BYTES
"""Where, among them, those of the low half begin."""


@inline
def expect_contexts(scratch, recent):
    """The contexts of the byte that begins are hashed: fetch from memory what belongs to them."""
    for i in range(scratch.contexts.size):
        context = scratch.contexts[i]
        context.place = high_nibble_place(context.hash, recent.slots.size - 1)
        prefetch_bucket(recent.slots, context.place)
    for i in range(scratch.runs.size):
        prefetch_runs(recent.runs, scratch.contexts[i].hash)


@inline
def enter_high_half(scratch, recent):
    """A byte begins: get its contexts' runs, and the histories of its high half."""
    for i in range(scratch.runs.size):
        run = scratch.runs[i]
        context_hash = scratch.contexts[i].hash
        run.place = find_run(recent.runs, context_hash)
        run.run = seen_run(recent.runs, run.place, context_hash)
    for i in range(scratch.contexts.size):
        if _is_in_slots(scratch, i):
            _take_bucket(scratch, recent, i, 0, HISTORIES * i)
        else:
            scratch.contexts[i].bucket = -1
            run = scratch.runs[i].run
            _from_run(scratch.histories, HISTORIES * i, run, high_half(run))


@inline
def expect_low_half(scratch, recent, first_bits):
    """Three bits are known: fetch from memory what the low half needs, whatever the fourth is.

    A bit later, when it is known, would be too late: the low half begins at once.
    """
    for i in range(scratch.contexts.size):
        context = scratch.contexts[i]
        if context.bucket >= 0:
            for bit in range(2):
                place = low_nibble_place(context.place, first_bits << 1 | bit)
                prefetch_bucket(recent.slots, place)


@inline
def leave_high_half(scratch, recent, nibble):
    """Four bits are known: put the high half back, and fetch what contexts that branch need."""
    for i in range(scratch.contexts.size):
        context = scratch.contexts[i]
        high = context.place
        context.place = low_nibble_place(high, nibble)
        if context.bucket >= 0:
            copy_bucket(recent.slots, context.bucket, scratch.histories, HISTORIES * i)
            continue
        run = scratch.runs[i].run
        if run > 0 and high_half(run) != nibble:  # will branch
            prefetch_bucket(recent.slots, high)
            prefetch_bucket(recent.slots, context.place)
            prefetch_bucket(recent.slots, low_nibble_place(high, high_half(run)))


@inline
def enter_low_half(scratch, recent, partial):
    """Get the histories of the low half; `partial` is the high one under a leading one."""
    for i in range(scratch.contexts.size):
        at = HISTORIES * i + LOW_HALF
        if scratch.contexts[i].bucket >= 0:
            _take_bucket(scratch, recent, i, partial, at)
        else:
            run = scratch.runs[i].run
            agrees = high_half(run) == partial & 15
            _from_run(scratch.histories, at, run if agrees else 0, run & 15)


@inline
def leave_byte(scratch, recent, byte):
    """A byte is complete: put its low half back, and let the runs see it."""
    for i in range(scratch.contexts.size):
        context = scratch.contexts[i]
        if context.bucket >= 0:
            copy_bucket(recent.slots, context.bucket, scratch.histories, HISTORIES * i + LOW_HALF)
    for i in range(scratch.runs.size):
        run = scratch.runs[i]
        run.high = -1
        if _branches(run, byte):
            _branch(scratch, recent, i, scratch.contexts[i].hash, byte)
        extend_run(recent.runs, run.place, scratch.contexts[i].hash, run.run, byte)


@inline
def memorise(scratch, recent, i, context_hash, byte):
    """Let a context see the byte that followed it, though nobody asked it.

    Of `scratch`, only run and histories `i` change.
    """
    if scratch.runs.size > 0:
        run = scratch.runs[i]
        run.place = find_run(recent.runs, context_hash)
        run.run = seen_run(recent.runs, run.place, context_hash)
    if _is_in_slots(scratch, i):
        nibble = byte >> 4
        high = high_nibble_place(context_hash, recent.slots.size - 1)
        bucket = find_bucket(recent.slots, high, check_byte(context_hash, 0))
        _move_nibble(recent.slots, bucket, nibble)
        low = low_nibble_place(high, nibble)
        bucket = find_bucket(recent.slots, low, check_byte(context_hash, 16 | nibble))
        _move_nibble(recent.slots, bucket, byte & 15)
    if scratch.runs.size > 0:
        run = scratch.runs[i]
        if _branches(run, byte):
            _make_histories(scratch.histories, HISTORIES * i, run.run, byte)
            _branch(scratch, recent, i, context_hash, byte)
        extend_run(recent.runs, run.place, context_hash, run.run, byte)


@inline
def expect_run(scratch, recent, context_hash):
    """Fetch from memory what `memorise`, and `expect_buckets` before, will look at first."""
    if scratch.runs.size > 0:
        prefetch_runs(recent.runs, context_hash)


@inline
def expect_buckets(scratch, recent, context_hash, byte):
    """Fetch from memory what `memorise` will look at then, if it is as far as now."""
    if scratch.runs.size > 0:
        run = seen_run(recent.runs, find_run(recent.runs, context_hash), context_hash)
        if run == 0 or (not has_branched(run) and run & 255 == byte):
            return
    high = high_nibble_place(context_hash, recent.slots.size - 1)
    prefetch_bucket(recent.slots, high)
    prefetch_bucket(recent.slots, low_nibble_place(high, byte >> 4))


@inline
def _make_histories(histories, at, run, byte):
    """The histories of a context that a second byte has followed, which has only a run."""
    _from_run(histories, at, run, high_half(run))
    _move_nibble(histories, at, byte >> 4)
    _from_run(histories, at + LOW_HALF, run if high_half(run) == byte >> 4 else 0, run & 15)
    _move_nibble(histories, at + LOW_HALF, byte & 15)


@inline
def _move_nibble(histories, at, nibble):
    """The histories at `at` see the four bits of half a byte."""
    node = 1
    for k in range(3, -1, -1):
        bit = nibble >> k & 1
        histories[at + node] = NEXT_STATE[np.int64(histories[at + node]) << 1 | bit]
        node = node << 1 | bit


@inline
def _branches(run, byte):
    """Whether this is the second byte to follow a context."""
    return run.run > 0 and not has_branched(run.run) and run.run & 255 != byte


@inline
def _is_in_slots(scratch, i):
    """Whether the context has buckets: one that has branched, or any if the level has no runs."""
    return scratch.runs.size == 0 or has_branched(scratch.runs[i].run)


@inline
def _take_bucket(scratch, recent, i, node, at):
    """Copy the context's bucket of the present half byte."""
    context = scratch.contexts[i]
    context.bucket = find_bucket(recent.slots, context.place, check_byte(context.hash, node))
    copy_bucket(scratch.histories, at, recent.slots, context.bucket)


@inline
def _from_run(histories, at, run, nibble):
    """The histories of a half byte as if the run's byte alone had been seen; `nibble` is of it."""
    clear_16(histories, at)
    if run > 0:
        count = run_count(run)
        node = 1
        for k in range(3, -1, -1):
            bit = nibble >> k & 1
            histories[at + node] = SAME_BITS[count << 1 | bit]
            node = node << 1 | bit


@inline
def _branch(scratch, recent, i, context_hash, byte):
    """A second byte has followed the context: give it buckets, with what is known of both."""
    run = scratch.runs[i]
    at = HISTORIES * i
    nibble, before = byte >> 4, high_half(run.run)
    high = high_nibble_place(context_hash, recent.slots.size - 1)
    run.high = _put_new(scratch, recent, context_hash, high, 0, at)
    low = low_nibble_place(high, nibble)
    run.low = _put_new(scratch, recent, context_hash, low, 16 | nibble, at + LOW_HALF)
    run.other = run.low
    if before != nibble:
        _from_run(scratch.histories, at, run.run, run.run & 15)
        place = low_nibble_place(high, before)
        run.other = _put_new(scratch, recent, context_hash, place, 16 | before, at)


@inline
def _put_new(scratch, recent, context_hash, place, node, at):
    """Copy histories to a bucket that the context has not had until now; return where it is."""
    check = check_byte(context_hash, node)
    bucket = find_bucket(recent.slots, place, check)
    scratch.histories[at] = check
    copy_bucket(recent.slots, bucket, scratch.histories, at)
    return bucket
