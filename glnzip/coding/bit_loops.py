"""The loops over bytes and bits: the only kernels, for both directions and for learning.

``direction`` says where each bit comes from and where it goes. The model step is the same two
calls in all three cases, so encoder and decoder cannot drift apart. Blocks that are seen as numbers
have a kernel of their own, which is compiled when the first of them comes.
"""

from __future__ import annotations

import numpy as np

from glnzip.coding.arithmetic import decode_bit, encode_bit
from glnzip.format.block_type import AUDIO, IMAGE, LEXICON, TEXT
from glnzip.jit import inline, kernel
from glnzip.model import step
from glnzip.model.media import sample_step
from glnzip.model.state import ByteParts, SampleParts

ENCODE, DECODE, LEARN = range(3)


def run_block(direction, block_type, model, coder, payload, data, start, end):
    """Code or learn ``data[start:end]``.

    Parameters
    ----------
    direction : int
        `ENCODE` (data to payload), `DECODE` (payload to data) or `LEARN` (data only).
    plan : BlockType
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
    if block_type.kind in (IMAGE, AUDIO):
        numbers = SampleParts(model.image, model.audio, recent.now, recent.buffer)
        run_samples(direction, block_type, numbers, coder, payload, data, start, end)
    else:
        run_bytes(
            direction,
            block_type,
            byte_parts(model, block_type.form),
            coder,
            payload,
            data,
            start,
            end,
        )


def byte_parts(model, form):
    """The part of a Model that sees bytes of this form, as a ByteParts."""
    block_model = model.text if form in (TEXT, LEXICON) else model.binary
    return ByteParts(block_model, model.bitmap, model.recent)


@kernel
def run_bytes(direction, block_type, model, coder, payload, data, start, end):
    """`run_block` for blocks of bytes and of one-bit pixels."""
    if start == 0:
        step.begin_block(model, block_type)
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
def run_samples(direction, block_type, model, coder, payload, data, start, end):
    """`run_block` for blocks of images and of audio."""
    if start == 0:
        sample_step.begin_block(model, block_type)
    for i in range(start, end):
        byte = np.int64(data[i]) if direction != DECODE else 0
        decoded = 0
        for shift in range(7, -1, -1):
            p_one = sample_step.predict_bit(model)
            bit = _code_bit(direction, coder[0], payload, p_one, byte >> shift & 1)
            sample_step.update_bit(model, bit)
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
