"""One step of the model: predict the next bit, then learn it.

Encoding, decoding and learning all call ``predict_bit`` and ``update_bit`` in turn and nothing
else. `predict_bit` writes no learned state. What the inputs are depends on how the block is seen:
as bytes (`byte_model`) or as a bitmap (`bitmap_model`). Images and audio have a `sample_step`.
"""

from __future__ import annotations

import numpy as np

from glnzip.format.block_type import BITMAP
from glnzip.gln.logistic import squash
from glnzip.gln.network import predict_network, update_network
from glnzip.jit import inline
from glnzip.model import byte_model
from glnzip.model.contexts.history import add_bit, add_byte, begin_history
from glnzip.model.media import bitmap_model
from glnzip.model.mixing.apm import refine, update_apms
from glnzip.model.mixing.first_stage import has_first_stage, predict_first_stage, update_first_stage

PROBABILITY_16 = 1 << 16  # the coder's unit
_ONE_16 = np.float32(PROBABILITY_16)


@inline
def for_the_coder(p):
    """A probability (float32) in 1/65536: 1..65535."""
    return max(min(int(p * _ONE_16), PROBABILITY_16 - 1), 1)


@inline
def begin_block(model, block_type):
    """See the bytes that follow as the block's type says (`glnzip.format.block_type`)."""
    begin_history(model.recent.now[0], block_type)
    if block_type.kind == BITMAP:
        bitmap_model.begin_byte(model.bitmap, model.recent)
    else:
        byte_model.begin_block(model.byte_model, model.recent)


@inline
def predict_bit(model):
    """Probability that the next bit is a one, in 1/65536: 1..65535."""
    block_model, pixels, recent = model.byte_model, model.bitmap, model.recent
    if recent.now[0].kind == BITMAP:
        bitmap_model.gather(pixels, recent)
        p = squash(predict_network(pixels.network))
    else:
        z = predict_first_stage(block_model, recent)
        if recent.now[0].early_exit:
            p = squash(z)
        else:
            byte_model.gather(block_model, recent)
            p = refine(block_model, predict_network(block_model.learned.network))
    probability = for_the_coder(p)
    recent.now[0].probability = probability
    return probability


@inline
def update_bit(model, bit):
    """Learn the bit that `predict_bit` was asked for, and move on to the next."""
    block_model, pixels, recent = model.byte_model, model.bitmap, model.recent
    now = recent.now[0]
    if now.kind == BITMAP:
        bitmap_model.learn(pixels, bit)
        update_network(pixels.network, bit)
        add_bit(now, bit)
        if now.bits_known == 8:
            add_byte(now, recent.buffer)
            bitmap_model.begin_byte(pixels, recent)
    else:
        byte_model.learn(block_model, recent, bit)
        add_bit(now, bit)
        if now.bits_known == 8:
            byte_model.end_byte(block_model, recent, add_byte(now, recent.buffer))
        elif now.bits_known == 4:
            byte_model.half_byte(block_model, recent)
        elif now.bits_known == 3:
            byte_model.expect_half_byte(block_model, recent)
        # Slots are being fetched from memory by now; the weights keep the CPU busy meanwhile.
        if has_first_stage(block_model):
            update_first_stage(block_model, recent, bit)
        if not now.early_exit:
            update_apms(block_model, bit)
            update_network(block_model.learned.network, bit)
        if now.bits_known & 3 == 0:
            byte_model.enter_nibble(block_model, recent)
