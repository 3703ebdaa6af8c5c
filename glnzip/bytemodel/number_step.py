"""One step of the model where it sees numbers: the counterpart of `step` for images and sound."""

from __future__ import annotations

from glnzip.bytemodel import image_view, numeric, sound_view
from glnzip.bytemodel.history import add_bit, add_byte
from glnzip.bytemodel.step import for_the_coder
from glnzip.gln.logistic import squash
from glnzip.gln.network import predict_network, update_network
from glnzip.jit import inline, outlined
from glnzip.plan import IMAGE


@inline
def begin_block(model, plan):
    """See the bytes that follow in the way that the block's plan says (`glnzip.plan`)."""
    now = model.now[0]
    if now.kind != plan.kind or now.row_bytes != plan.row_bytes or now.step != plan.step:
        now.block_start = now.position  # else the rows of the block before go on
    now.kind = plan.kind
    now.row_bytes = plan.row_bytes
    now.step = plan.step
    now.form = plan.form
    now.phase = plan.phase
    if plan.kind != IMAGE:
        sound_view.begin_block(model.sound, now)
    _begin_byte(model)


@outlined
def _begin_byte(model):
    now = model.now[0]
    if now.kind == IMAGE:
        image_view.begin_byte(model.image, now, model.ring)
    else:
        sound_view.begin_byte(model.sound, now, model.ring)
    now.node = 1


@inline
def predict_bit(model):
    """Probability that the next bit is a one, in 1/65536: 1..65535."""
    now = model.now[0]
    if now.kind == IMAGE:
        image_view.gather(model.image, now)
        z = predict_network(model.image.numbers.network)
    else:
        sound_view.gather(model.sound, now)
        z = predict_network(model.sound.numbers.network)
    return for_the_coder(squash(z))


@inline
def update_bit(model, bit):
    """Learn the bit that `predict_bit` was asked for, and move on to the next."""
    now = model.now[0]
    if now.kind == IMAGE:
        _learn_bit(model.image.numbers, now, bit)
    else:
        _learn_bit(model.sound.numbers, now, bit)
    if now.bits_known == 8:
        _end_byte(model)
        _begin_byte(model)


@inline
def _learn_bit(view, now, bit):
    numeric.learn(view, now, bit)
    update_network(view.network, bit)
    add_bit(now, bit)
    if now.bits_known == 4:
        numeric.enter_nibble(view, now.partial)
        now.node = 1


@outlined
def _end_byte(model):
    now = model.now[0]
    byte = add_byte(now, model.ring)
    if now.kind == IMAGE:
        image_view.end_byte(model.image, now.position - 1, byte)
    else:
        sound_view.end_byte(model.sound, byte)
