"""The loop over a message: as that over a block, with an undo log and the places to end."""

from __future__ import annotations

import numpy as np

from glnzip.coding.arithmetic import decode_bit, encode_bit
from glnzip.coding.bit_loops import DECODE
from glnzip.coding.endings import is_before, next_ending
from glnzip.jit import kernel
from glnzip.model import step
from glnzip.model.undo_log import note_bit, note_byte, note_nibble

AHEAD = 4  # bytes of the payload that a decoder has read beyond those that are final


@kernel
def run_message(direction, block_type, model, undo_log, coder, ending, payload, data, start, end):
    """Code ``data[start:end]``, or, if `direction` is `DECODE`, less where the message ends before.

    Returns where it stopped. Parameters are as in `bit_loops.run_block`; further, `model` is a
    ByteParts, `undo_log` a UndoLog, and `ending` an ENDING[1].
    """
    if start == 0:
        step.begin_block(model, block_type)
        note_nibble(undo_log, model)
        note_byte(undo_log, model)
    now = model.recent.now[0]
    for i in range(start, end):
        byte = np.int64(data[i]) if direction != DECODE else 0
        decoded = 0
        for shift in range(7, -1, -1):
            p_one = step.predict_bit(model)
            bit = byte >> shift & 1
            if direction == DECODE:
                bit = decode_bit(coder[0], payload, p_one)
            else:
                encode_bit(coder[0], payload, p_one, bit)
            note_bit(undo_log, model, bit)
            step.update_bit(model, bit)
            if now.bits_known & 3 == 0:
                note_nibble(undo_log, model)
            decoded = decoded << 1 | bit
        note_byte(undo_log, model)
        if direction == DECODE:
            data[i] = decoded
            next_ending(ending[0], coder[0], coder[0].at - AHEAD, payload)
            if not is_before(ending[0], payload):
                return i + 1
        else:
            next_ending(ending[0], coder[0], coder[0].at, payload)
    return end
