"""The block model of audio: channels that take turns, samples of one to three bytes.

The experts are linear predictors of four kinds of memory (`least_squares`), long filters that cost
less (`nlms`), each with a short one behind it that predicts what it misses, and an average that
trusts those who did well of late. The scale of each follows from its last errors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, outlined
from glnzip.model.media import sample_model
from glnzip.model.media.least_squares import LeastSquares, learn_target, predicted
from glnzip.model.media.nlms import Nlms, filtered, learn_value
from glnzip.model.media.sample_form import add_to_sample, measure, set_form
from glnzip.model.media.sample_model import SCALE_CLASSES, SampleModel
from glnzip.model.mixing.gates import choose_gates

CHANNELS = 8
STEADY, NEAR, BRIEF, LASTING, STAGED, FAR, BLEND = range(7)  # the experts
EXPERTS = 7
MEMBERS = 4  # experts that are members of the least-squares bank
INPUTS = 32
PAST = 32  # samples kept of each channel
TRENDS = 8

(
    NONE,
    PLACE,  # of the byte in its sample
    CHANNEL,
    SCALE,
    KNOWN_BYTES,  # of the sample
    LAST,  # the same byte of the sample before
    LAST_TWICE,
    OTHER,  # the same byte of the channel before
    SPREAD,  # how far the experts are apart
    KNOWN,
    LOGIT,
    FEATURES,
) = range(12)


class AudioModel(NamedTuple):
    """What is known of a audio."""

    samples: SampleModel
    form: Any  # FORM[1]
    squares: LeastSquares
    staged: Nlms  # behind the steady expert
    far: Nlms
    far_staged: Nlms  # behind `far`
    past: Any  # float64[CHANNELS, PAST]: the last samples, newest first
    quick: Any  # float32[CHANNELS, EXPERTS]: fading mean absolute errors, of short memory
    slow: Any  # float32[CHANNELS, EXPERTS]: of long memory
    ratios: Any  # float32[...]: error by the mean of both, by expert, size and trend
    times: Any  # int64[...]
    cells: Any  # int64[EXPERTS]: the ratio that each expert uses now
    bases: Any  # float32[EXPERTS]: the mean of both
    stages: Any  # float32[3]: what the filters predict: `staged`, `far`, `far_staged`


@inline
def begin_block(audio, now):
    """Take the samples to be as the block type says."""
    form = audio.form[0]
    set_form(form, now.sample_form)
    form.channels = min(max(now.step // form.width, 1), CHANNELS)
    # The first `phase` bytes are the end of a sample that began before.
    form.place = (form.width - now.phase % form.width) % form.width
    form.channel = 0 if form.place == 0 else form.channels - 1
    form.known = 0
    _predict(audio)


@inline
def begin_byte(audio, now, buffer):
    """Prepare the bits of the next byte, which may begin a sample."""
    form = audio.form[0]
    if form.place == 0:
        _predict(audio)
    measure(audio.samples, form)
    _describe(audio, buffer, now.position)
    sample_model.expect_byte(audio.samples)


@inline
def _bounded(mean, limit):
    return np.float32(min(max(np.float64(mean), -limit), limit))


@outlined
def _predict(audio):
    """The experts' means and scales for the next sample."""
    form = audio.form[0]
    experts = audio.samples.experts
    channel = form.channel
    limit = np.float64(np.int64(1) << 8 * form.width)
    _fill_inputs(audio)
    for e in range(MEMBERS):
        mean = predicted(audio.squares, e * CHANNELS + channel)
        experts[e].expected = _bounded(mean, limit)
    audio.stages[0] = filtered(audio.staged, channel)
    audio.stages[1] = _bounded(filtered(audio.far, channel), limit)
    audio.stages[2] = filtered(audio.far_staged, channel)
    experts[STAGED].expected = _bounded(experts[STEADY].expected + audio.stages[0], limit)
    experts[FAR].expected = _bounded(audio.stages[1] + audio.stages[2], limit)
    _set_blend(audio)
    _set_scales(audio)


@inline
def _fill_inputs(audio):
    """Own samples, newest first; of several channels, the one before has every third place."""
    form = audio.form[0]
    inputs = audio.squares.inputs
    own = audio.past[form.channel]
    if form.channels == 1:
        for k in range(INPUTS):
            inputs[k] = own[k]
        return
    other = audio.past[(form.channel + form.channels - 1) % form.channels]
    for k in range(INPUTS):
        inputs[k] = other[k // 3] if k % 3 == 2 else own[k - (k + 1) // 3]


@inline
def _set_blend(audio):
    """The average of the others, by far the most of it from those of the smallest errors."""
    experts = audio.samples.experts
    quick = audio.quick[audio.form[0].channel]
    least = quick[0]
    for e in range(1, BLEND):
        least = min(least, quick[e])
    total = np.float32(0)
    share = np.float32(0)
    for e in range(BLEND):
        weight = (least + np.float32(0.05)) / (quick[e] + np.float32(0.05))
        weight *= weight
        weight *= weight
        weight *= weight
        share += weight
        total += weight * experts[e].expected
    experts[BLEND].expected = total / share


@inline
def _set_scales(audio):
    form = audio.form[0]
    unit = np.float32(1 / 64) if form.width == 3 else np.float32(1)
    for e in range(EXPERTS):
        slow = audio.slow[form.channel, e]
        base = (audio.quick[form.channel, e] + slow) * np.float32(0.5)
        size = sample_model.scale_class(base * unit)
        trend = min(max(size - sample_model.scale_class(slow * unit) + 4, 0), TRENDS - 1)
        cell = ((e * 2 + (form.channels > 1)) * SCALE_CLASSES + size) * TRENDS + trend
        audio.cells[e] = cell
        audio.bases[e] = base
        sample_model.set_scale(audio.samples.experts[e], base * audio.ratios[cell], unit)


@outlined
def _describe(audio, buffer, here):
    """The features that contexts and gates are made of."""
    form = audio.form[0]
    experts = audio.samples.experts
    f = audio.samples.features
    place = form.place
    f[PLACE] = place
    f[CHANNEL] = place * 4 + min(form.channel, 3)
    f[SCALE] = place << 5 | experts[BLEND].scale_class
    f[KNOWN_BYTES] = form.known & 0xFFFF
    step = form.width * form.channels
    mask = buffer.size - 1
    f[LAST] = np.int64(buffer[(here - step) & mask])
    f[LAST_TWICE] = np.int64(buffer[(here - 2 * step) & mask])
    f[OTHER] = np.int64(buffer[(here - form.width) & mask])
    apart = abs(experts[STEADY].expected - experts[NEAR].expected) / experts[STEADY].scale
    f[SPREAD] = place << 5 | int(min(apart * np.float32(4), np.float32(31)))


@inline
def gather(audio, now):
    """The network's inputs and contexts."""
    block_model = audio.samples
    place = block_model.byte[0].place
    block_model.features[KNOWN] = place << 5 | sample_model.gather(block_model, now)
    logit = block_model.network.signals[sample_model.INPUTS_PER_EXPERT * BLEND]
    block_model.features[LOGIT] = place * 40 + int((logit + np.float32(10)) * np.float32(2))
    choose_gates(block_model.gates, block_model.features, now, block_model.network)


@inline
def end_byte(audio, byte):
    """Add a byte to its sample; all that predicts learns from a complete one."""
    form = audio.form[0]
    add_to_sample(form, byte)
    form.place += 1
    if form.place == form.width:
        _learn_sample(audio)
        form.place = 0
        form.known = 0
        form.channel = (form.channel + 1) % form.channels


@outlined
def _learn_sample(audio):
    form = audio.form[0]
    channel = form.channel
    experts = audio.samples.experts
    value = np.float32(form.known)
    for e in range(EXPERTS):
        error = abs(value - experts[e].expected)
        audio.quick[channel, e] += (error - audio.quick[channel, e]) * np.float32(1 / 12)
        audio.slow[channel, e] += (error - audio.slow[channel, e]) * np.float32(1 / 100)
        cell = audio.cells[e]
        times = audio.times[cell]
        ratio = error / (audio.bases[e] + np.float32(0.02))
        audio.ratios[cell] += (ratio - audio.ratios[cell]) / np.float32(times + 9)
        audio.times[cell] = min(times + 1, 500)
    miss = value - experts[STEADY].expected
    learn_value(audio.staged, channel, miss, miss - audio.stages[0])
    far_miss = value - audio.stages[1]
    learn_value(audio.far, channel, value, far_miss)
    learn_value(audio.far_staged, channel, far_miss, far_miss - audio.stages[2])
    target = np.float64(form.known)
    for e in range(MEMBERS):
        learn_target(audio.squares, e * CHANNELS + channel, target)
    past = audio.past[channel]
    for k in range(PAST - 1, 0, -1):
        past[k] = past[k - 1]
    past[0] = target
