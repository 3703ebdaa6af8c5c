"""One step of the model where it sees numbers: the counterpart of `step` for images and audio.

A byte of an image may take an early exit (`pixel_runs`).
"""

from __future__ import annotations

from glnzip.format.block_type import AUDIO
from glnzip.gln.logistic import squash
from glnzip.gln.network import predict_network, update_network
from glnzip.jit import inline, outlined
from glnzip.model.contexts.history import add_bit, add_byte
from glnzip.model.media import audio_model, image_model, pixel_runs, sample_model
from glnzip.model.step import for_the_coder


@inline
def begin_block(model, block_type):
    """See the bytes that follow as the block's type says (`glnzip.format.block_type`)."""
    now = model.now[0]
    goes_on = (
        now.kind == block_type.kind
        and now.row_bytes == block_type.row_bytes
        and now.step == block_type.step
        and now.sample_form == block_type.sample_form
        and now.slice_bytes == block_type.slice_bytes
    )
    if not goes_on:
        now.block_start = now.position
    now.kind = block_type.kind
    now.row_bytes = block_type.row_bytes
    now.step = block_type.step
    now.sample_form = block_type.sample_form
    now.phase = block_type.phase
    now.slice_bytes = block_type.slice_bytes
    if block_type.kind == AUDIO:
        audio_model.begin_block(model.audio, now)
    else:
        image_model.begin_block(model.image, now, goes_on)
    _begin_byte(model, True)
    if not exits(model):
        sample_model.enter_nibble(_samples(model))


@outlined
def _begin_byte(model, begins):
    now = model.now[0]
    now.node = 1
    if now.kind == AUDIO:
        audio_model.begin_byte(model.audio, now, model.buffer)
        return
    image_model.begin_byte(model.image, now, model.buffer, begins)
    if not exits(model):
        image_model.take_up(model.image, now, model.buffer)


@inline
def predict_bit(model):
    """Probability that the next bit is a one, in 1/65536: 1..65535."""
    now = model.now[0]
    if exits(model):
        return pixel_runs.chance_of_one(model.image.runs, now)
    if now.kind == AUDIO:
        audio_model.gather(model.audio, now)
        z = predict_network(model.audio.samples.network)
    else:
        image_model.gather(model.image, now)
        z = predict_network(model.image.samples.network)
    return for_the_coder(squash(z))


@inline
def update_bit(model, bit):
    """Learn the bit that `predict_bit` was asked for, and move on to the next."""
    now = model.now[0]
    is_image = now.kind != AUDIO
    missed = is_image and pixel_runs.learn_bit(model.image.runs, now, bit)
    if exits(model):
        _update_in_exit(model, bit, missed)
        return
    samples = _samples(model)
    sample_model.learn(samples, now, bit)
    if is_image:
        image_model.learn_bit(model.image, bit)
    add_bit(now, bit)
    if now.bits_known == 8:
        _end_byte(model)
        _begin_byte(model, False)
    elif now.bits_known == 4:
        sample_model.expect_nibble(samples, now.partial)
        now.node = 1
    # Lines are being fetched from memory by now; the weights keep the CPU busy meanwhile.
    update_network(samples.network, bit)
    if now.bits_known & 3 == 0 and not exits(model):
        sample_model.enter_nibble(samples)


@inline
def _update_in_exit(model, bit, missed):
    """Move on to the next bit of a byte that exits; one that is not as expected does so no more."""
    now = model.now[0]
    add_bit(now, bit)
    if now.bits_known == 8:
        _end_byte(model)
        _begin_byte(model, False)
        if not exits(model):
            sample_model.enter_nibble(model.image.samples)
    elif missed:
        _take_up(model)


@outlined
def _take_up(model):
    """The byte is not as expected: all of the model sees its other bits."""
    now = model.now[0]
    samples = model.image.samples
    model.image.runs.run[0].exits = 0
    image_model.take_up(model.image, now, model.buffer)
    sample_model.see_known_bits(samples, now)
    sample_model.enter_nibble(samples)
    in_nibble = now.bits_known & 3
    if now.bits_known >= 4:
        sample_model.expect_nibble(samples, now.partial >> in_nibble)
        sample_model.enter_nibble(samples)
    now.node = 1 << in_nibble | now.partial & (1 << in_nibble) - 1


@inline
def exits(model):
    """Whether the runs of pixels alone see the present byte."""
    return model.now[0].kind != AUDIO and model.image.runs.run[0].exits


@inline
def _samples(model):
    """What images and audio have in common, of the model that sees this block."""
    return model.audio.samples if model.now[0].kind == AUDIO else model.image.samples


@outlined
def _end_byte(model):
    now = model.now[0]
    byte = add_byte(now, model.buffer)
    if now.kind == AUDIO:
        audio_model.end_byte(model.audio, byte)
    else:
        image_model.end_byte(model.image, model.buffer, now.position - 1, byte)
