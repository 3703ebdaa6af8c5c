"""One step of the model: predict the next bit, then learn it.

Encoding, decoding, training and measuring all call ``predict_bit`` and ``update_bit`` in turn and
nothing else. `predict_bit` writes no learned state. What the inputs are depends on how the block
is seen: as bytes (`byte_view`) or as pixels (`pixel_view`).
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel import byte_view, pixel_view
from glnzip.bytemodel.features import U32
from glnzip.bytemodel.final_adjust import predict_adjusted, update_adjusted
from glnzip.gln.logistic import squash
from glnzip.gln.network import predict_network, update_network
from glnzip.jit import inline
from glnzip.plan import PIXELS

PROBABILITY_16 = 1 << 16  # the coder's unit
_ONE_16 = np.float32(PROBABILITY_16)


@inline
def begin_block(model, kind, row_bytes):
    """See the bytes that follow in the way that the block's plan says (`glnzip.plan`)."""
    now = model.recent.now[0]
    now.block_start = now.position
    now.kind = kind
    now.row_bytes = row_bytes
    if kind == PIXELS:
        pixel_view.begin_byte(model.as_pixels, model.recent)
    else:
        byte_view.begin_block(model.as_bytes, model.recent)


@inline
def predict_bit(model):
    """Probability that the next bit is a one, in 1/65536: 1..65535."""
    view, pixels, recent = model
    if recent.now[0].kind == PIXELS:
        pixel_view.gather(pixels, recent)
        p = squash(predict_network(pixels.network))
    else:
        byte_view.gather(view, recent)
        p = predict_adjusted(view, recent, predict_network(view.learned.network))
    return max(min(int(p * _ONE_16), PROBABILITY_16 - 1), 1)


@inline
def update_bit(model, bit):
    """Learn the bit that `predict_bit` was asked for, and move on to the next."""
    view, pixels, recent = model
    now = recent.now[0]
    if now.kind == PIXELS:
        pixel_view.learn(pixels, bit)
        update_network(pixels.network, bit)
        _advance(now, bit)
        if now.bits_known == 8:
            _end_byte(recent)
            pixel_view.begin_byte(pixels, recent)
    else:
        byte_view.learn(view, recent, bit)
        update_adjusted(view, recent, bit)
        _advance(now, bit)
        if now.bits_known == 8:
            byte_view.end_byte(view, recent, _end_byte(recent))
        elif now.bits_known == 4:
            byte_view.half_byte(view, recent)
        # Slots are being fetched from memory by now; the weights keep the CPU busy meanwhile.
        update_network(view.learned.network, bit)
        if now.bits_known & 3 == 0:
            byte_view.enter_nibble(view, recent)


@inline
def _advance(now, bit):
    now.partial = now.partial << 1 | bit
    now.node = now.node << 1 | bit
    now.bits_known += 1


@inline
def _end_byte(recent):
    """Put the complete byte into the history and begin the next; returns it."""
    now = recent.now[0]
    byte = now.partial & 255
    recent.ring[now.position & (recent.ring.size - 1)] = byte
    now.position += 1
    now.last8 = (now.last8 << 8 | now.last4 >> 24) & U32
    now.last4 = (now.last4 << 8 | byte) & U32
    now.partial = 1
    now.bits_known = 0
    return byte
