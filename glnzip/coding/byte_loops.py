"""The loops over bytes and bits: the only kernels, for both directions and for learning.

``direction`` says where each bit comes from and where it goes. The model step is the same two
calls in all three cases, so encoder and decoder cannot drift apart. Blocks that are seen as numbers
have a kernel of their own, which is compiled when the first of them comes.
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel import number_step, step
from glnzip.bytemodel.state import ByteModel, NumberModel
from glnzip.coding.arithmetic import decode_bit, encode_bit
from glnzip.jit import inline, kernel
from glnzip.plan import IMAGE, LEXICON, SOUND, TEXT

ENCODE, DECODE, LEARN = range(3)


def run_block(direction, plan, model, coder, payload, data, start, end):
    """Code or learn ``data[start:end]``.

    Parameters
    ----------
    direction : int
        `ENCODE` (data to payload), `DECODE` (payload to data) or `LEARN` (data only).
    plan : BlockPlan
        How the model is to see the block.
    model : Model
        Moves on by ``end - start`` bytes.
    coder : CODER[1]
        The arithmetic coder's interval.
    payload, data : uint8[:]
        Coded and original bytes.
    start, end : int
        The part of `data` to do; a block begins where `start` is 0.
    """
    recent = model.recent
    if plan.kind in (IMAGE, SOUND):
        numbers = NumberModel(model.as_image, model.as_sound, recent.now, recent.ring)
        run_numbers(direction, plan, numbers, coder, payload, data, start, end)
    else:
        run_bytes(direction, plan, in_bytes(model, plan.form), coder, payload, data, start, end)


def in_bytes(model, form):
    """The part of a Model that sees bytes of this form, as a ByteModel."""
    view = model.as_text if form in (TEXT, LEXICON) else model.as_binary
    return ByteModel(view, model.as_pixels, model.recent)


@kernel
def run_bytes(direction, plan, model, coder, payload, data, start, end):
    """`run_block` for blocks of bytes and of one-bit pixels."""
    if start == 0:
        step.begin_block(model, plan)
    for i in range(start, end):
        byte = np.int64(data[i]) if direction != DECODE else 0
        decoded = 0
        for shift in range(7, -1, -1):
            p_one = step.predict_bit(model)
            bit = _code_bit(direction, coder[0], payload, p_one, byte >> shift & 1)
            step.update_bit(model, bit)
            decoded = decoded << 1 | bit
        if direction == DECODE:
            data[i] = decoded


@kernel
def run_numbers(direction, plan, model, coder, payload, data, start, end):
    """`run_block` for blocks of images and of sound."""
    if start == 0:
        number_step.begin_block(model, plan)
    for i in range(start, end):
        byte = np.int64(data[i]) if direction != DECODE else 0
        decoded = 0
        for shift in range(7, -1, -1):
            p_one = number_step.predict_bit(model)
            bit = _code_bit(direction, coder[0], payload, p_one, byte >> shift & 1)
            number_step.update_bit(model, bit)
            decoded = decoded << 1 | bit
        if direction == DECODE:
            data[i] = decoded


@inline
def _code_bit(direction, coder, payload, p_one, bit):
    """Code `bit`, or decode one, or do neither; returns the bit."""
    if direction == DECODE:
        return decode_bit(coder, payload, p_one)
    if direction == ENCODE:
        encode_bit(coder, payload, p_one, bit)
    return bit
