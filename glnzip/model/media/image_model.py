"""The block model of images of one or two bytes a sample: grey, or channels that take turns.

The experts are linear predictors of three kinds of memory (`least_squares`), an edge detector, and
two that are made of these: one corrected by what was missed in places of the same look, and an
average that trusts those who did well nearby. The scale of each is the mean of what it missed where
its errors nearby, and the differences of the neighbours, were as large as here. What comes again is
found by runs (`pixel_runs`), windows (`pixel_patterns`) and the last place alike (`pixel_match`).
Where the runs are enough, nothing else is asked.

Neighbours are named by compass: W is the same channel of the pixel before, N of the one above. In a
volume, the slice before is what the channel before is elsewhere. Of samples of two bytes, features
have what a neighbour or a guess says of the byte to come.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, outlined
from glnzip.model.hashing import hashed_pair
from glnzip.model.media import pixel_match, pixel_patterns, pixel_runs, sample_model
from glnzip.model.media.least_squares import LeastSquares, learn_target, predicted
from glnzip.model.media.pixel_match import PixelMatch
from glnzip.model.media.pixel_patterns import PixelPatterns
from glnzip.model.media.pixel_runs import PixelRuns
from glnzip.model.media.sample_form import add_to_sample, measure, set_form
from glnzip.model.media.sample_model import SCALE_CLASSES, SampleModel
from glnzip.model.memory import run_map
from glnzip.model.mixing.gates import choose_gates

CHANNELS = 4
STEADY, NEAR, LASTING, EDGE, CORRECTED, BLEND = range(6)  # the experts
EXPERTS = 6
MEMBERS = 3  # experts that are members of the least-squares bank
INPUTS = 32
ERROR_BUFFER = 1 << 16
ERROR_UNIT = np.float32(8)  # errors are kept in eighths
ACTIVITIES = 8
LOOKS = 1 << 12

(
    NONE,
    CHANNEL,  # and, of samples of two bytes, which of them comes
    W,
    N,
    NE,
    NN,
    LAST,  # the sample before: the channel before, or the last one of the pixel before; of a
    # volume, the one here in the slice before
    SECOND,
    PLANE,  # W + N - NW
    TURN,  # W + NE - N
    SOUTHWARD,  # 2 N - NN
    W_COLOUR,  # W, moved as the channel before has moved
    N_COLOUR,
    PLANE_COLOUR,
    SCALE,
    BEST,  # the expert that was best of late, and the channel
    ERRORS,  # to the west and to the north
    AROUND,  # a hash of the six nearest neighbours
    AROUND_COARSE,  # and of the top bits of seven
    KNOWN,
    W_GATE,  # these two as gates tell them apart
    LAST_GATE,
    RUN,  # how long the run of pixels is, and the bit that it expects; for each bit
    MATCH,  # the same of the match of pixels, and how it went of late; for each bit
    FEATURES,
) = range(25)


class ImageModel(NamedTuple):
    """What is known of an image."""

    samples: SampleModel
    form: Any  # FORM[1]
    squares: LeastSquares
    errors: Any  # int64[ERROR_BUFFER, EXPERTS]: of the last samples, in eighths
    deviations: Any  # float32[...]: mean absolute error by expert, channel, energy, activity
    times: Any  # int64[...]: errors that each deviation is the mean of
    cells: Any  # int64[EXPERTS]: the deviation that each expert uses now
    biases: Any  # float32[CHANNELS * LOOKS]: mean error of the steady expert
    bias_times: Any  # int64[CHANNELS * LOOKS]
    lately: Any  # float32[EXPERTS]: fading mean absolute error
    look: Any  # int64[1]: the bias that is used now
    runs: PixelRuns
    patterns: PixelPatterns
    match: PixelMatch


@inline
def begin_block(image, now, goes_on):
    """Take the samples to be as the block type says; its rows may go on with those of the last."""
    form = image.form[0]
    set_form(form, now.sample_form)
    if not goes_on:
        form.known = 0
        now.block_start += now.phase - form.width * (now.phase > 0)  # where its sample began
        pixel_match.begin(image.match)
    pixel_patterns.begin_block(image.patterns)
    form.start = now.block_start
    form.before = max(now.slice_bytes, form.width)


@inline
def begin_byte(image, now, buffer, begins):
    """Go on to the next byte, the first of the block if it `begins`, and look for its run."""
    form = image.form[0]
    row, step = _row_and_step(form, now)
    column = (now.position - now.block_start) % row
    in_pixel = column % step
    form.place = column % form.width
    form.channel = min(in_pixel // form.width, CHANNELS - 1)
    if form.place == 0:
        form.known = 0
    if form.place == 0 or begins:
        form.predicted = 0
    if in_pixel == 0 or begins:
        first = now.position - in_pixel
        pixel_runs.look_around(image.runs, buffer, form.start, first, now.position, row, step)
    pixel_runs.expect_byte(image.runs)


@inline
def take_up(image, now, buffer):
    """Prepare the bits of the byte, which does not exit; predict its sample if nothing has."""
    form = image.form[0]
    row, step = _row_and_step(form, now)
    here = now.position - form.place
    in_pixel = (now.position - now.block_start) % row % step
    _find_alike(image, buffer, now.position, in_pixel, row, step)
    if not form.predicted:
        form.predicted = 1
        _predict(image, buffer, here, row, step)
    measure(image.samples, form)
    _describe(image, buffer, here, row, step)
    sample_model.expect_byte(image.samples)


@inline
def _find_alike(image, buffer, position, in_pixel, row, step):
    """Find what came in other places that look like this one."""
    start = image.form[0].start
    patterns = image.patterns
    pixel_patterns.look_around(patterns, buffer, start, position, in_pixel, row, step)
    pixel_patterns.expect_byte(patterns)
    if in_pixel == 0:
        around = patterns.patterns[0].hash  # the widest window
        pixel_match.look_up(image.match, buffer, start, position, around, step)


@inline
def _row_and_step(form, now):
    return max(now.row_bytes, 1), max(now.step, form.width)


@inline
def _sample(form, buffer, place):
    """The sample at a place of the stream; 0 before the image, whatever is there."""
    if place < form.start:
        return np.int64(0)
    mask = buffer.size - 1
    first = np.int64(buffer[place & mask])
    if form.width == 1:
        return first
    second = np.int64(buffer[place + 1 & mask])
    value = second << 8 | first if form.little else first << 8 | second
    return value - (value >> 15 << 16) if form.signed else value


@inline
def _in_byte(form, value):
    """What the byte to come is if the sample is `value`, or as near to it as that goes: 0..255."""
    if form.width == 1:
        return min(max(value, 0), 255)
    if form.place == 0:
        return (value if form.little else value >> 8) & 255
    if form.little:
        return (value - form.known + 128) >> 8 & 255
    return min(max(value - form.known, 0), 255)


@inline
def _median(a, b, plane):
    return min(max(plane, min(a, b)), max(a, b))


@inline
def _bounded(form, mean):
    """A mean that a sample can have."""
    span = np.float64(np.int64(1) << 8 * form.width)
    lowest = -span / 2 if form.signed else 0.0
    return np.float32(min(max(mean, lowest), lowest + span - 1.0))


@outlined
def _predict(image, buffer, here, row, step):
    form = image.form[0]
    experts = image.samples.experts
    channel = form.channel
    w = _sample(form, buffer, here - step)
    n = _sample(form, buffer, here - row)
    nw = _sample(form, buffer, here - row - step)
    ne = _sample(form, buffer, here - row + step)
    _fill_inputs(form, image.squares.inputs, buffer, here, row, step)
    for e in range(MEMBERS):
        experts[e].expected = _bounded(form, predicted(image.squares, e * CHANNELS + channel))
    edge = _median(w, n, w + n - nw)
    before = here - form.before
    last = _sample(form, buffer, before)
    last_w = _sample(form, buffer, before - step)
    if channel > 0 or form.before > form.width:
        last_n = _sample(form, buffer, before - row)
        last_nw = _sample(form, buffer, before - row - step)
        edge += last - _median(last_w, last_n, last_w + last_n - last_nw)
    experts[EDGE].expected = _bounded(form, np.float64(edge))
    mean = int(experts[STEADY].expected)
    look = channel
    look = look << 1 | (w > mean)
    look = look << 1 | (n > mean)
    look = look << 1 | (nw > mean)
    look = look << 1 | (ne > mean)
    look = look << 1 | (_sample(form, buffer, here - 2 * step) > mean)
    look = look << 1 | (_sample(form, buffer, here - 2 * row) > mean)
    look = look << 1 | (last > last_w)
    look = look << 1 | (w + n - nw > mean)
    look = look << 4 | experts[STEADY].scale_class >> 3
    image.look[0] = look
    experts[CORRECTED].expected = _bounded(
        form, np.float64(experts[STEADY].expected + image.biases[look])
    )
    _set_blend(form, experts, image.errors, here, row, step)
    _set_scales(image, here, row, step, abs(w - nw) + abs(n - nw) + abs(n - ne))


@inline
def _error(errors, e, place):
    return errors[place & (ERROR_BUFFER - 1), e]


@inline
def _set_blend(form, experts, errors, position, row, step):
    """The average of the others, weighted by how small their errors nearby are."""
    total = np.float32(0)
    share = np.float32(0)
    for e in range(BLEND):
        near = _error(errors, e, position - step) + _error(errors, e, position - row)
        near += _error(errors, e, position - row - step) + _error(errors, e, position - row + step)
        near += _error(errors, e, position - 2 * step) + _error(errors, e, position - 2 * row)
        near += _error(errors, e, position - form.width)
        weight = np.float32(1) / np.float32(near * near + 20)
        share += weight
        total += weight * experts[e].expected
    experts[BLEND].expected = total / share


@inline
def _set_scales(image, position, row, step, activity):
    form = image.form[0]
    experts = image.samples.experts
    errors = image.errors
    busy = 0
    while busy < ACTIVITIES - 1 and activity > 2:
        activity = activity * 5 // 8
        busy += 1
    for e in range(EXPERTS):
        energy = 2 * _error(errors, e, position - step) + 2 * _error(errors, e, position - row)
        energy += _error(errors, e, position - row - step) + _error(
            errors, e, position - row + step
        )
        energy += _error(errors, e, position - 2 * step) + _error(errors, e, position - 2 * row)
        if step > form.width:
            energy += 2 * _error(errors, e, position - form.width)
            energy += _error(errors, e, position - 2 * form.width)
        size = sample_model.scale_class(np.float32(energy) * np.float32(1 / 64))
        cell = (e * CHANNELS + form.channel) * SCALE_CLASSES + size
        cell = cell * ACTIVITIES + busy
        image.cells[e] = cell
        sample_model.set_scale(experts[e], image.deviations[cell], np.float32(1))


@outlined
def _describe(image, buffer, here, row, step):
    """The features that contexts and gates are made of."""
    form = image.form[0]
    errors = image.errors
    experts = image.samples.experts
    f = image.samples.features
    w = _sample(form, buffer, here - step)
    n = _sample(form, buffer, here - row)
    nw = _sample(form, buffer, here - row - step)
    ne = _sample(form, buffer, here - row + step)
    ww = _sample(form, buffer, here - 2 * step)
    nn = _sample(form, buffer, here - 2 * row)
    before = here - form.before
    last = _sample(form, buffer, before)
    last_w = _sample(form, buffer, before - step)
    last_n = _sample(form, buffer, before - row)
    last_plane = last_w + last_n - _sample(form, buffer, before - row - step)
    f[CHANNEL] = form.place * CHANNELS + form.channel
    f[W] = w
    f[N] = n
    f[NE] = ne
    f[NN] = nn
    f[LAST] = last
    f[SECOND] = _sample(form, buffer, before - form.before)
    f[PLANE] = w + n - nw
    f[TURN] = w + ne - n
    f[SOUTHWARD] = 2 * n - nn
    f[W_COLOUR] = w + last - last_w
    f[N_COLOUR] = n + last - last_n
    f[PLANE_COLOUR] = w + n - nw + last - last_plane
    for k in range(W, PLANE_COLOUR + 1):
        f[k] = _in_byte(form, f[k])
    _describe_around(form, f, w, n, nw, ne, ww, nn, _sample(form, buffer, here - row + 2 * step))
    f[SCALE] = form.place << 5 | experts[STEADY].scale_class
    best = 0
    for e in range(1, EXPERTS):
        if image.lately[e] < image.lately[best]:
            best = e
    f[BEST] = form.place << 5 | best * CHANNELS + form.channel
    west = min(_error(errors, STEADY, here - step) >> 3, 15)
    north = min(_error(errors, STEADY, here - row) >> 3, 15)
    f[ERRORS] = west << 4 | north
    f[W_GATE] = _for_gate(form, f[W])
    f[LAST_GATE] = _for_gate(form, f[LAST])


@inline
def _describe_around(form, f, w, n, nw, ne, ww, nn, nee):
    """What is around a sample, exactly and in short: drawings come again, in any channel."""
    around = _begun(form)
    for sample in (w, n, nw, ne, ww, nn):
        around = hashed_pair(around, sample & 0xFFFF)
    f[AROUND] = around
    coarse = _begun(form)
    for sample in (w, n, nw, ne):
        coarse = coarse << 3 | _top(form, sample, 3)
    for sample in (ww, nn, nee):
        coarse = coarse << 2 | _top(form, sample, 2)
    f[AROUND_COARSE] = coarse


@inline
def _begun(form):
    """What is known of the sample to come: whether its first byte is, and that."""
    return form.place << 8 | form.known >> 8 - 8 * form.little & 255


@inline
def _top(form, sample, bits):
    """The top bits of a sample."""
    return sample >> 8 * form.width - bits & (1 << bits) - 1


@inline
def _for_gate(form, byte):
    """A byte as gates tell it apart: that of a wide sample less finely, but by its place."""
    return form.place << 7 | byte >> form.width - 1


@inline
def _fill_inputs(form, inputs, buffer, here, row, step):
    """The nearest samples, those of most use first."""
    inputs[0] = np.float64(_sample(form, buffer, here - step))
    inputs[1] = np.float64(_sample(form, buffer, here - row))
    inputs[2] = np.float64(_sample(form, buffer, here - row - step))
    inputs[3] = np.float64(_sample(form, buffer, here - row + step))
    inputs[4] = np.float64(_sample(form, buffer, here - 2 * step))
    inputs[5] = np.float64(_sample(form, buffer, here - 2 * row))
    offsets = _COLOUR
    if step == form.width:
        offsets = _VOLUME if form.before > form.width else _GREY
    for k in range(offsets.shape[0]):
        back = offsets[k, 0] * row + offsets[k, 1] * step + offsets[k, 2] * form.before
        inputs[6 + k] = np.float64(_sample(form, buffer, here - back))
    inputs[INPUTS - 1] = 64.0


# Further inputs: rows, steps and samples (of a volume, slices) back.
_GREY = np.array(
    [
        (2, 1, 0),
        (2, -1, 0),
        (1, 2, 0),
        (1, -2, 0),
        (0, 3, 0),
        (3, 0, 0),
        (2, 2, 0),
        (2, -2, 0),
        (1, -3, 0),
        (1, 3, 0),
        (0, 4, 0),
        (4, 0, 0),
        (3, 1, 0),
        (3, -1, 0),
        (3, 2, 0),
        (3, -2, 0),
        (2, 3, 0),
        (2, -3, 0),
        (1, -4, 0),
        (1, 4, 0),
        (0, 5, 0),
        (5, 0, 0),
        (2, -4, 0),
        (1, -5, 0),
        (3, -3, 0),
    ],
    np.int64,
)
_COLOUR = np.array(
    [
        (0, 0, 1),
        (0, 0, 2),
        (0, 1, 1),
        (1, 0, 1),
        (0, 1, 2),
        (1, 0, 2),
        (1, 1, 1),
        (1, 1, 2),
        (1, -1, 1),
        (1, -1, 2),
        (1, 2, 0),
        (1, -2, 0),
        (2, 1, 0),
        (2, -1, 0),
        (0, 3, 0),
        (3, 0, 0),
        (0, 2, 1),
        (2, 0, 1),
        (0, 2, 2),
        (2, 0, 2),
        (2, -2, 0),
        (2, 2, 0),
        (1, -3, 0),
        (1, 2, 1),
        (1, -2, 1),
    ],
    np.int64,
)
_VOLUME = np.array(
    [
        (0, 0, 1),
        (0, 1, 1),
        (1, 0, 1),
        (0, -1, 1),
        (-1, 0, 1),
        (1, 1, 1),
        (1, -1, 1),
        (-1, 1, 1),
        (-1, -1, 1),
        (0, 0, 2),
        (2, 1, 0),
        (2, -1, 0),
        (1, 2, 0),
        (1, -2, 0),
        (0, 3, 0),
        (3, 0, 0),
        (0, -2, 1),
        (-2, 0, 1),
        (0, 2, 1),
        (2, 0, 1),
        (0, 1, 2),
        (1, 0, 2),
        (0, -1, 2),
        (-1, 0, 2),
        (0, 0, 3),
    ],
    np.int64,
)


@inline
def gather(image, now):
    """The network's inputs and contexts."""
    block_model = image.samples
    f = block_model.features
    place = block_model.byte[0].place
    f[KNOWN] = place << 5 | sample_model.gather(block_model, now)
    network = block_model.network
    inputs = network.signals
    at = sample_model.inputs_of_all(block_model)
    inputs[at], f[RUN] = pixel_runs.opinion(image.runs, now)
    f[MATCH] = pixel_match.gather(image.match, now, inputs, at + 1)
    patterns = image.patterns
    first = at + 1 + pixel_match.INPUTS
    run_map.gather(patterns.patterns, patterns.run_maps, now, inputs, first)
    choose_gates(block_model.gates, f, now, network)


@inline
def learn_bit(image, bit):
    """What comes again sees a bit that did not exit."""
    pixel_match.learn_bit(image.match, bit)
    run_map.learn_bit(image.patterns.patterns, image.patterns.run_maps, bit)


@inline
def end_byte(image, buffer, position, byte):
    """Add the byte, which stands at `position`, to its sample; of a complete one, all learns."""
    form = image.form[0]
    add_to_sample(form, byte)
    pixel_match.see_byte(image.match, buffer, byte)
    if not image.runs.run[0].exits:
        pixel_patterns.learn_byte(image.patterns, position, byte)
    pixel_runs.learn_byte(image.runs, byte)
    if form.place == form.width - 1:
        here = position - form.place
        if form.predicted:
            _learn_sample(image, here)
        else:
            for e in range(EXPERTS):
                image.errors[here & ERROR_BUFFER - 1, e] = 0


@outlined
def _learn_sample(image, here):
    form = image.form[0]
    experts = image.samples.experts
    place = here & (ERROR_BUFFER - 1)
    value = np.float32(form.known)
    for e in range(EXPERTS):
        error = abs(value - experts[e].expected)
        image.errors[place, e] = int(error * ERROR_UNIT)
        image.lately[e] += (error - image.lately[e]) * np.float32(0.03)
        cell = image.cells[e]
        times = image.times[cell]
        image.deviations[cell] += (error - image.deviations[cell]) / np.float32(times + 2)
        image.times[cell] = min(times + 1, 400)
    look = image.look[0]
    times = image.bias_times[look]
    miss = value - experts[STEADY].expected
    image.biases[look] += (miss - image.biases[look]) / np.float32(times + 5)
    image.bias_times[look] = min(times + 1, 200)
    target = np.float64(form.known)
    for e in range(MEMBERS):
        learn_target(image.squares, e * CHANNELS + form.channel, target)
