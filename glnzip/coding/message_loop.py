"""The loop over a message: as that over a block, with an undo log and the places to end."""

from __future__ import annotations

from glnzip.coding.bit_loop import DECODE, code_byte
from glnzip.coding.endings import is_before, next_ending
from glnzip.jit import inline, kernel
from glnzip.model import step
from glnzip.model.undo_log import note_bit, note_byte, note_nibble

AHEAD = 4  # bytes of the payload that a decoder has read beyond those that are final


@kernel
def run_message(direction, block_type, model, undo_log, coder, ending, payload, data, start, end):
    """Code ``data[start:end]``, or, if `direction` is `DECODE`, less where the message ends before.

    Returns where it stopped. Parameters are as in `bit_loop.run_block`; further, `model` is a
    ByteParts, `undo_log` an UndoLog, and `ending` an ENDING[1].
    """
    if start == 0:
        step.begin_block(model, block_type)
        note_nibble(undo_log, model)
        note_byte(undo_log, model)
    logged = (model, undo_log)
    for i in range(start, end):
        code_byte(direction, predict_bit, update_bit, logged, coder[0], payload, data, i)
        note_byte(undo_log, model)
        if direction == DECODE:
            next_ending(ending[0], coder[0], coder[0].at - AHEAD, payload)
            if not is_before(ending[0], payload):
                return i + 1
        else:
            next_ending(ending[0], coder[0], coder[0].at, payload)
    return end


@inline
def predict_bit(logged):
    """`step.predict_bit` of a model that has an undo log."""
    model, _ = logged
    return step.predict_bit(model)


@inline
def update_bit(logged, bit):
    """`step.update_bit`, and note what it touches."""
    model, undo_log = logged
    note_bit(undo_log, model, bit)
    step.update_bit(model, bit)
    if model.recent.now[0].bits_known & 3 == 0:
        note_nibble(undo_log, model)
