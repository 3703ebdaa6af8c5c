"""The loop over bytes and bits: the only kernel, for both directions and for learning.

``direction`` says where each bit comes from and where it goes. The model step is the same two
calls in all three cases, so encoder and decoder cannot drift apart.
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel.step import begin_block, predict_bit, update_bit
from glnzip.coding.arithmetic import decode_bit, encode_bit
from glnzip.jit import kernel

ENCODE, DECODE, LEARN = range(3)


@kernel
def run_bytes(direction, kind, row_bytes, model, coder, payload, data, start, end):
    """Code or learn ``data[start:end]``.

    Parameters
    ----------
    direction : int
        `ENCODE` (data to payload), `DECODE` (payload to data) or `LEARN` (data only).
    kind, row_bytes : int
        The block's plan (`glnzip.plan`).
    model : Model
        Moves on by ``end - start`` bytes.
    coder : CODER[1]
        The arithmetic coder's interval.
    payload, data : uint8[:]
        Coded and original bytes.
    start, end : int
        The part of `data` to do; a block begins where `start` is 0.
    """
    state = coder[0]
    if start == 0:
        begin_block(model, kind, row_bytes)
    for i in range(start, end):
        byte = np.int64(data[i]) if direction != DECODE else 0
        decoded = 0
        for shift in range(7, -1, -1):
            p_one = predict_bit(model)
            if direction == DECODE:
                bit = decode_bit(state, payload, p_one)
                decoded = decoded << 1 | bit
            else:
                bit = (byte >> shift) & 1
                if direction == ENCODE:
                    encode_bit(state, payload, p_one, bit)
            update_bit(model, bit)
        if direction == DECODE:
            data[i] = decoded
