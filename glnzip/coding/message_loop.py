"""The loop over a message: as that over a block, with a journal and the places where it can end."""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel import step
from glnzip.bytemodel.journal import note_bit, note_byte, note_nibble
from glnzip.coding.arithmetic import decode_bit, encode_bit
from glnzip.coding.byte_loops import DECODE
from glnzip.coding.endings import is_before, next_ending
from glnzip.jit import kernel

AHEAD = 4  # bytes of the payload that a decoder has read beyond those that are final


@kernel
def run_message(direction, plan, model, journal, coder, ending, payload, data, start, end):
    """Code ``data[start:end]``, or, if `direction` is `DECODE`, less where the message ends before.

    Returns where it stopped. Parameters are as in `byte_loops.run_block`; further, `model` is a
    ByteModel, `journal` a Journal, and `ending` an ENDING[1].
    """
    if start == 0:
        step.begin_block(model, plan)
        note_nibble(journal, model)
        note_byte(journal, model)
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
            note_bit(journal, model, bit)
            step.update_bit(model, bit)
            if now.bits_known & 3 == 0:
                note_nibble(journal, model)
            decoded = decoded << 1 | bit
        note_byte(journal, model)
        if direction == DECODE:
            data[i] = decoded
            next_ending(ending[0], coder[0], coder[0].at - AHEAD, payload)
            if not is_before(ending[0], payload):
                return i + 1
        else:
            next_ending(ending[0], coder[0], coder[0].at, payload)
    return end
