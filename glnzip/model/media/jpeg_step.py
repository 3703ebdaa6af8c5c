"""One step of the model where it sees the scan of a JPEG: the counterpart of `step`."""

from __future__ import annotations

from glnzip.gln.network import predict_network, update_network
from glnzip.jit import inline
from glnzip.model.contexts.history import add_bit, add_byte
from glnzip.model.media import jpeg_model
from glnzip.model.step import for_the_coder


@inline
def begin_block(model, block_type):
    """See the bytes that follow as the block's type says (`glnzip.format.block_type`)."""
    now = model.now[0]
    now.block_start = now.position
    now.kind = block_type.kind
    now.row_bytes = block_type.row_bytes
    jpeg_model.begin_block(model.jpeg, now, model.buffer)


@inline
def predict_bit(model):
    """Probability that the next bit is a one, in 1/65536: 1..65535."""
    jpeg_model.gather(model.jpeg, model.slots, model.now[0])
    return for_the_coder(jpeg_model.refine(model.jpeg, predict_network(model.jpeg.network)))


@inline
def update_bit(model, bit):
    """Learn the bit that `predict_bit` was asked for, and move on to the next."""
    now = model.now[0]
    update_network(model.jpeg.network, bit)
    add_bit(now, bit)
    jpeg_model.learn(model.jpeg, model.slots, bit)
    if now.bits_known == 8:
        add_byte(now, model.buffer)
        now.node = 1
