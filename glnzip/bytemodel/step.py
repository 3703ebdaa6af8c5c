"""One step of the model: predict the next bit, then learn it.

Encoding, decoding and learning all call ``predict_bit`` and ``update_bit`` in turn and nothing
else. `predict_bit` writes no learned state. What the inputs are depends on how the block is seen:
as bytes (`byte_view`) or as pixels (`pixel_view`). Images and sound have a `number_step`.
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel import byte_view, pixel_view
from glnzip.bytemodel.final_adjust import choose_curves, predict_adjusted, update_adjusted
from glnzip.bytemodel.history import add_bit, add_byte
from glnzip.bytemodel.scout import ask_scout, has_scout, teach_scout
from glnzip.gln.logistic import squash
from glnzip.gln.network import predict_network, update_network
from glnzip.jit import inline
from glnzip.plan import PIXELS

PROBABILITY_16 = 1 << 16  # the coder's unit
_ONE_16 = np.float32(PROBABILITY_16)


@inline
def for_the_coder(p):
    """A probability (float32) in 1/65536: 1..65535."""
    return max(min(int(p * _ONE_16), PROBABILITY_16 - 1), 1)


@inline
def begin_block(model, plan):
    """See the bytes that follow in the way that the block's plan says (`glnzip.plan`)."""
    now = model.recent.now[0]
    now.block_start = now.position
    now.lines = 0
    now.kind = plan.kind
    now.row_bytes = plan.row_bytes
    now.form = plan.form
    if plan.kind == PIXELS:
        pixel_view.begin_byte(model.as_pixels, model.recent)
    else:
        byte_view.begin_block(model.as_bytes, model.recent)


@inline
def predict_bit(model):
    """Probability that the next bit is a one, in 1/65536: 1..65535."""
    view, pixels, recent = model.as_bytes, model.as_pixels, model.recent
    if recent.now[0].kind == PIXELS:
        pixel_view.gather(pixels, recent)
        p = squash(predict_network(pixels.network))
    else:
        z = ask_scout(view, recent)
        if recent.now[0].sure:
            p = squash(z)
        else:
            byte_view.gather(view, recent)
            choose_curves(view, recent)
            p = predict_adjusted(view, predict_network(view.learned.network))
    probability = for_the_coder(p)
    recent.now[0].probability = probability
    return probability


@inline
def update_bit(model, bit):
    """Learn the bit that `predict_bit` was asked for, and move on to the next."""
    view, pixels, recent = model.as_bytes, model.as_pixels, model.recent
    now = recent.now[0]
    if now.kind == PIXELS:
        pixel_view.learn(pixels, bit)
        update_network(pixels.network, bit)
        add_bit(now, bit)
        if now.bits_known == 8:
            add_byte(now, recent.ring)
            pixel_view.begin_byte(pixels, recent)
    else:
        byte_view.learn(view, recent, bit)
        if has_scout(view):
            teach_scout(view, recent, bit)
        if not now.sure:
            update_adjusted(view, bit)
        add_bit(now, bit)
        if now.bits_known == 8:
            byte_view.end_byte(view, recent, add_byte(now, recent.ring))
        elif now.bits_known == 4:
            byte_view.half_byte(view, recent)
        # Slots are being fetched from memory by now; the weights keep the CPU busy meanwhile.
        if not now.sure:
            update_network(view.learned.network, bit)
        if now.bits_known & 3 == 0:
            byte_view.enter_nibble(view, recent)
