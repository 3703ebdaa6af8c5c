"""Numbers written as bytes: what predictions of the next sample say about the next bit.

A *sample* (a channel of a pixel, an amplitude) is one to three bytes. An *expert* states where the
next one will probably lie: a logistic distribution with a mean and a scale. Each known bit halves
the interval that the sample can lie in, so an expert's probability of the next bit is a ratio of
masses,

    P(upper half) = (F(high) - F(middle)) / (F(high) - F(low)),   F(x) = squash((x - mean) / scale)

A byte within a larger number is no different: what its known bytes add up to is taken off the mean,
and the rest is measured in units of the byte's place value. Only where a low byte comes before a
high one, its distribution is the sum over all high bytes, of which the nearest count (`_WRAPS`).

Each expert gives two inputs of the network: that logit, and the logit of a state map in the
context of the former and of the scale, which learns the true shape of the distribution. Beside the
experts stand *contexts*: features, hashed to lines of sixteen adaptive probabilities. A line holds
the nodes of one nibble, and in its unused first entry a check.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.logistic import STRETCH, STRETCH_BITS, clip, squash
from glnzip.gln.network import Network
from glnzip.jit import inline, outlined
from glnzip.jit.memory_access import prefetch
from glnzip.model.hashing import HASH, HASH_2, U32
from glnzip.model.memory.state_map import COUNT_MASK, UNSEEN, adapted, opinion, stretched
from glnzip.model.table.limits import SAMPLE_CONTEXT_LIMIT, SHAPE_LIMIT

INPUTS_PER_EXPERT = 2
INPUTS_PER_CONTEXT = 2
LINE_ENTRIES = 16
CONTEXT_FEATURES = 4
PLACES = 4  # bytes of a sample, and one to spare
SCALE_CLASSES = 32
LOGIT_CLASSES = 64
LOGIT_SPAN = 8  # logits beyond +-8 share a class
SHAPES = PLACES * 8 * SCALE_CLASSES * LOGIT_CLASSES  # entries of an expert's map
FIRST_CLASS = 0.18  # largest scale of class 0
CLASS_RATIO = 1.36
DEVIATION_TO_SCALE = np.float32(0.7213475)  # 1 / (2 ln 2), for a logistic distribution
SMALLEST_SCALE = np.float32(0.05)
_WRAPS = 2
_REACH = np.float32(8)  # scales; a mean further off than this is no more surprising
_TAIL = np.float32(0.002)  # mass spread evenly, so that nothing is impossible
_STRETCH_TOP = (1 << STRETCH_BITS) - 1
_LOGIT_EDGE = np.float32(LOGIT_SPAN - 0.01)
_LOGIT_STEPS = np.float32(LOGIT_CLASSES / (2 * LOGIT_SPAN))


EXPERT = np.dtype(
    [
        ("expected", np.float32),  # mean of the sample, and the scale of its distribution
        ("scale", np.float32),
        ("centre", np.float32),  # the same in units of the present byte
        ("sharpness", np.float32),  # 1 / scale in these units
        ("below", np.float32),  # F at the ends and the middle of the interval
        ("above", np.float32),
        ("middle", np.float32),
        ("scale_class", np.int64),
        ("entry", np.int64),  # entry of the shapes used for the present bit
    ],
    align=True,
)
BYTE = np.dtype(
    [
        ("low", np.int64),  # the interval left of the present byte
        ("span", np.int64),
        ("place", np.int64),  # number of the byte in its sample
        ("wrapped", np.int64),  # 1 if more significant bytes are yet to come
        ("signed", np.int64),  # 1 if its top bit is a sign
    ],
)


class SampleModel(NamedTuple):
    """What images and audio have in common."""

    contexts: Any  # int64[contexts, CONTEXT_FEATURES]
    gates: Any  # int64[neurons, 3]: see `mixing.gates.gate_numbers`
    network: Network
    shapes: Any  # uint32[experts * SHAPES]
    lines: Any  # uint32[2**k]
    experts: Any  # EXPERT[experts]
    byte: Any  # BYTE[1]
    features: Any  # int64[...]: small numbers that contexts and gates are made of
    hashes: Any  # int64[contexts]
    line: Any  # int64[contexts]: first entry of the present nibble's line


@inline
def scale_class(scale):
    """Class of a positive scale or energy: 0 .. SCALE_CLASSES - 1."""
    number = 0
    edge = np.float32(FIRST_CLASS)
    while number < SCALE_CLASSES - 1 and scale > edge:
        edge = edge * np.float32(CLASS_RATIO)
        number += 1
    return number


@inline
def set_scale(expert, deviation, unit):
    """Give an expert the scale that fits a mean absolute error; classes count in `unit`."""
    expert.scale = max(deviation * DEVIATION_TO_SCALE, SMALLEST_SCALE)
    expert.scale_class = scale_class(expert.scale * unit)


@outlined
def measure_byte(block_model, place, known, unit, wrapped, signed, after):
    """Restate the experts in units of the byte to come.

    `known` is what the sample's known bytes add up to, `unit` the place value of the byte, `after`
    1 if less significant bytes follow.
    """
    byte = block_model.byte[0]
    byte.place = place
    byte.low = -128 if signed else 0
    byte.span = 256
    byte.wrapped = wrapped
    byte.signed = signed
    low = np.float32(byte.low)
    # Distributions are cut halfway between numbers; a byte that others follow stands for all
    # numbers that begin with it.
    offset = np.float32(0.5) / np.float32(unit if after else 1)
    for e in range(block_model.experts.size):
        expert = block_model.experts[e]
        centre = (expert.expected - np.float32(known)) / np.float32(unit) + offset
        reach = _REACH * expert.scale / np.float32(unit)
        if wrapped:
            centre -= np.float32(256) * np.float32(int(centre * np.float32(1 / 256)))
            if centre < np.float32(0):
                centre += np.float32(256)
        else:
            centre = max(min(centre, low + np.float32(256) + reach), low - reach)
        expert.centre = centre
        expert.sharpness = np.float32(unit) / expert.scale
        expert.below = _mass_below(expert, low, wrapped)
        expert.above = _mass_below(expert, low + np.float32(256), wrapped)


@inline
def _mass_below(expert, x, wrapped):
    distance = x - expert.centre
    if not wrapped:
        return squash(distance * expert.sharpness)
    total = np.float32(0)
    for k in range(-_WRAPS, _WRAPS + 1):
        total += squash((distance + np.float32(256 * k)) * expert.sharpness)
    return total


@inline
def gather(block_model, now):
    """The network's inputs; returns how many contexts have been here before."""
    byte = block_model.byte[0]
    inputs = block_model.network.signals
    half = byte.span >> 1
    cut = np.float32(byte.low + half)
    tail = _TAIL * np.float32(half) / np.float32(256)
    for e in range(block_model.experts.size):
        expert = block_model.experts[e]
        expert.middle = _mass_below(expert, cut, byte.wrapped)
        upper = expert.above - expert.middle + tail
        p = upper / (upper + (expert.middle - expert.below + tail))
        if byte.signed and now.bits_known == 0:
            p = np.float32(1) - p
        scaled = int(p * np.float32(1 << STRETCH_BITS))
        logit = STRETCH[min(max(scaled, 0), _STRETCH_TOP)]
        shape = ((e * PLACES + byte.place) * 8 + now.bits_known) * SCALE_CLASSES
        shape = (shape + expert.scale_class) * LOGIT_CLASSES
        shape += int((clip(logit, _LOGIT_EDGE) + np.float32(LOGIT_SPAN)) * _LOGIT_STEPS)
        expert.entry = shape
        inputs[2 * e] = logit
        inputs[2 * e + 1] = stretched(block_model.shapes[shape])
    return _gather_contexts(block_model, now.node)


@inline
def inputs_of_all(block_model):
    """How many inputs images and audio have alike: those that are theirs alone come after."""
    contexts = INPUTS_PER_CONTEXT * block_model.line.size
    return INPUTS_PER_EXPERT * block_model.experts.size + contexts


@inline
def _gather_contexts(block_model, node):
    inputs = block_model.network.signals
    first = INPUTS_PER_EXPERT * block_model.experts.size
    known = 0
    for i in range(block_model.line.size):
        entry = block_model.lines[block_model.line[i] + node] ^ UNSEEN
        at = first + INPUTS_PER_CONTEXT * i
        if entry & COUNT_MASK == 0:  # never seen: no opinion
            inputs[at] = np.float32(0)
            inputs[at + 1] = np.float32(0)
        else:
            inputs[at], inputs[at + 1] = opinion(entry)
            known += 1
    return known


@inline
def see_known_bits(block_model, now):
    """Bits of the byte were known before it was measured: halve the interval for each."""
    byte = block_model.byte[0]
    for k in range(now.bits_known):
        bit = now.partial >> now.bits_known - 1 - k & 1
        cut = np.float32(byte.low + (byte.span >> 1))
        upper = _halve(byte, bit, k)
        for e in range(block_model.experts.size):
            expert = block_model.experts[e]
            expert.middle = _mass_below(expert, cut, byte.wrapped)
            if upper:
                expert.below = expert.middle
            else:
                expert.above = expert.middle


@inline
def _halve(byte, bit, bits_known):
    """Leave the half of the interval that a bit says; whether that is the upper one."""
    upper = 1 - bit if byte.signed and bits_known == 0 else bit
    byte.span >>= 1
    if upper:
        byte.low += byte.span
    return upper


@inline
def learn(block_model, now, bit):
    """Maps and lines see the bit, and the interval is halved."""
    upper = _halve(block_model.byte[0], bit, now.bits_known)
    for e in range(block_model.experts.size):
        expert = block_model.experts[e]
        block_model.shapes[expert.entry] = adapted(
            block_model.shapes[expert.entry], bit, SHAPE_LIMIT
        )
        if upper:
            expert.below = expert.middle
        else:
            expert.above = expert.middle
    for i in range(block_model.line.size):
        at = block_model.line[i] + now.node
        block_model.lines[at] = (
            adapted(block_model.lines[at] ^ UNSEEN, bit, SAMPLE_CONTEXT_LIMIT) ^ UNSEEN
        )


@outlined
def expect_byte(block_model):
    """Hash the contexts' features, and fetch the lines of the byte's high nibble from memory."""
    for i in range(block_model.contexts.shape[0]):
        h = (i + 1) * HASH_2
        for k in range(CONTEXT_FEATURES):
            h = ((h ^ h >> 27) & U32) * HASH + block_model.features[
                block_model.contexts[i, k]
            ] * HASH_2
        block_model.hashes[i] = (h ^ h >> 31) & U32
    expect_nibble(block_model, 1)


@outlined
def expect_nibble(block_model, partial):
    """Fetch the lines of the nibble that begins after the known bits `partial` from memory."""
    for i in range(block_model.hashes.size):
        h = block_model.hashes[i] * HASH + partial * HASH_2
        h ^= h >> 25
        block_model.line[i] = h & (block_model.lines.size - 1) & ~(LINE_ENTRIES - 1)
        block_model.hashes[i] = (h ^ h >> 17) & U32
        prefetch(block_model.lines, block_model.line[i])


@outlined
def enter_nibble(block_model):
    """Go to the lines that were fetched; those of other contexts begin anew."""
    for i in range(block_model.hashes.size):
        line = block_model.line[i]
        check = block_model.hashes[i] | 1  # never the zero of a new line
        if np.int64(block_model.lines[line]) != check:
            for k in range(1, LINE_ENTRIES):
                block_model.lines[line + k] = 0
            block_model.lines[line] = check
