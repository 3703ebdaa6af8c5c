"""The loop over bytes and bits, made from a step of the model, and the kernels that run it.

``direction`` says where each bit comes from and where it goes. The model step is the same two calls
in all cases, so encoder and decoder cannot drift apart. Images and audio have a kernel of
their own, which is compiled when the first of them comes; messages have one, too
(`glnzip.coding.message_loop`).
"""

from __future__ import annotations

import numpy as np

from glnzip.coding.arithmetic import decode_bit, encode_bit
from glnzip.format.block_type import JPEG, SAMPLED
from glnzip.jit import inline, kernel
from glnzip.model import step
from glnzip.model.media import jpeg_step, sample_step
from glnzip.model.state import ByteParts, JpegParts, SampleParts

ENCODE, DECODE, LEARN, MEASURE = range(4)
CHANCE_BYTES = 2
"""Of `MEASURE`, for each bit: the probability that it came, in 1/65536, the low byte first."""


def run_block(direction, block_type, model, coder, payload, data, start, end):
    """Code or learn ``data[start:end]``.

    Parameters
    ----------
    direction : int
        `ENCODE` (data to payload), `DECODE` (payload to data), `LEARN` (data only) or `MEASURE`
        (data; in place of a payload, what the model said of each bit).
    block_type : BlockType
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
    parts = parts_for(model, block_type)
    run = {SampleParts: run_samples, JpegParts: run_jpeg, ByteParts: run_bytes}[type(parts)]
    run(direction, block_type, parts, coder, payload, data, start, end)


def parts_for(model, block_type):
    """The part of a Model that sees a block."""
    if block_type.kind in SAMPLED:
        return sample_parts(model)
    return jpeg_parts(model) if block_type.kind == JPEG else byte_parts(model, block_type)


def sample_parts(model):
    """The part of a Model that sees images and audio, as a SampleParts."""
    return SampleParts(model.image, model.audio, model.recent.now, model.recent.buffer)


def jpeg_parts(model):
    """The part of a Model that sees JPEG, as a JpegParts."""
    return JpegParts(model.jpeg, model.bitmap.slots, model.recent.now, model.recent.buffer)


def byte_parts(model, block_type):
    """The part of a Model that sees a block of bytes, or a bitmap, as a ByteParts."""
    name = block_type.block_model
    byte_model = model.text if name == "bitmap" else getattr(model, name)  # one kernel for both
    return ByteParts(byte_model, model.bitmap, model.recent)


@kernel
def run_bytes(direction, block_type, model, coder, payload, data, start, end):
    """`run_block` for bytes and bitmaps."""
    if start == 0:
        step.begin_block(model, block_type)
    predict_bit, update_bit = step.predict_bit, step.update_bit
    for i in range(start, end):
        code_byte(direction, predict_bit, update_bit, model, coder[0], payload, data, i)


@kernel
def run_samples(direction, block_type, model, coder, payload, data, start, end):
    """`run_block` for images and audio."""
    if start == 0:
        sample_step.begin_block(model, block_type)
    predict_bit, update_bit = sample_step.predict_bit, sample_step.update_bit
    for i in range(start, end):
        code_byte(direction, predict_bit, update_bit, model, coder[0], payload, data, i)


@kernel
def run_jpeg(direction, block_type, model, coder, payload, data, start, end):
    """`run_block` for JPEG."""
    if start == 0:
        jpeg_step.begin_block(model, block_type)
    predict_bit, update_bit = jpeg_step.predict_bit, jpeg_step.update_bit
    for i in range(start, end):
        code_byte(direction, predict_bit, update_bit, model, coder[0], payload, data, i)


@inline
def code_byte(direction, predict_bit, update_bit, model, coder, payload, data, i):
    """Code ``data[i]``, or decode it, or learn it, or measure what it costs.

    `predict_bit` and `update_bit` are those of `glnzip.model.step`, or of what does the same.
    """
    byte = np.int64(data[i]) if direction != DECODE else np.int64(0)
    coded = 0
    for shift in range(7, -1, -1):
        p_one = predict_bit(model)
        bit = byte >> shift & 1
        if direction == DECODE:
            bit = decode_bit(coder, payload, p_one)
        elif direction == ENCODE:
            encode_bit(coder, payload, p_one, bit)
        elif direction == MEASURE:
            chance = p_one if bit else step.PROBABILITY_16 - p_one
            at = CHANCE_BYTES * (8 * i + 7 - shift)
            payload[at] = chance & 255
            payload[at + 1] = chance >> 8
        update_bit(model, bit)
        coded = coded << 1 | bit
    if direction == DECODE:
        data[i] = coded
