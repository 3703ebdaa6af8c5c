"""The table of contents of the sample model: experts, contexts and gates of images and of audio.

Every level uses all rows: blocks of numbers are rare, and what makes them small is these.
"""

from __future__ import annotations

from typing import NamedTuple

from glnzip.model.media import audio_model as s
from glnzip.model.media import image_model as i
from glnzip.model.media.least_squares import Fading


class Gate(NamedTuple):
    """A neuron, by what selects its weights: a feature and a part of the byte so far.

    `values` is the number of values that the feature takes (larger ones count as the last); `bits`
    is a key of `glnzip.model.table.BITS`.
    """

    feature: int
    values: int
    bits: str = "position"


class Filter(NamedTuple):
    """A filter of `glnzip.model.media.nlms`: its length and its rate."""

    taps: int
    rate: float


# Three memories: what nearby rows look like, the present texture, all of the image.
IMAGE_SQUARES = (
    Fading(i.INPUTS, keep=0.998, ridge=1.0, interval=4),
    Fading(16, keep=0.96, ridge=1.0, interval=1),
    Fading(i.INPUTS, keep=0.9998, ridge=1.0, interval=32),
)
IMAGE_CONTEXTS = (
    # Where experts expect the sample, as finely as pays.
    (i.CHANNEL, i.EXPECTED_FINE),
    (i.CHANNEL, i.EXPECTED, i.SCALE),
    (i.CHANNEL, i.EXPECTED, i.EXPECTED_NEAR),
    (i.CHANNEL, i.EXPECTED_CORRECTED),
    (i.CHANNEL, i.EXPECTED_LASTING, i.ERRORS),
    (i.CHANNEL, i.EXPECTED_BLEND),
    # Simple guesses: they fit drawings, and images of few colours.
    (i.CHANNEL, i.PLANE),
    (i.CHANNEL, i.MEDIAN, i.LAST_CHANGE),
    (i.CHANNEL, i.TURN),
    (i.CHANNEL, i.SOUTHWARD),
    (i.CHANNEL, i.EASTWARD),
    (i.CHANNEL, i.W_COLOUR),
    (i.CHANNEL, i.N_COLOUR),
    (i.CHANNEL, i.PLANE_COLOUR),
    (i.CHANNEL, i.PLANE_COLOUR_2),
    (i.CHANNEL, i.PLANE, i.PLANE_COLOUR),
    # The neighbours themselves: patterns that come again.
    (i.CHANNEL, i.W, i.N),
    (i.CHANNEL, i.W, i.LAST),
    (i.CHANNEL, i.N, i.LAST),
    (i.CHANNEL, i.LAST, i.SECOND),
    (i.CHANNEL, i.W, i.WW),
    (i.CHANNEL, i.N, i.NN),
    (i.CHANNEL, i.N, i.NE),
    (i.W, i.N, i.NW, i.CHANNEL),
    (i.W, i.N, i.LAST, i.CHANNEL),
    (i.CHANNEL,),
)
IMAGE_GATES = (
    Gate(i.CHANNEL, i.CHANNELS, "partial"),
    Gate(i.SCALE, 32),
    Gate(i.LOGIT, 40),
    Gate(i.EXPECTED, 256),
    Gate(i.BEST, i.EXPERTS * i.CHANNELS),
    Gate(i.ERRORS, 256),
    Gate(i.KNOWN, 32),
    Gate(i.SPREAD, 32),
    Gate(i.W, 256),
    Gate(i.LAST, 256),
)

AUDIO_SQUARES = (
    Fading(s.INPUTS, keep=0.998, ridge=1.0, interval=4),
    Fading(s.INPUTS, keep=0.985, ridge=1.0, interval=3),
    Fading(16, keep=0.97, ridge=1.0, interval=2),
    Fading(s.INPUTS, keep=0.9998, ridge=1.0, interval=16),
)
AUDIO_FAR = Filter(256, 0.004)
AUDIO_FAR_STAGED = Filter(16, 0.005)
AUDIO_STAGED = Filter(32, 0.005)
AUDIO_CONTEXTS = (
    # Where experts expect the byte; known bytes narrow it down.
    (s.EXPECTED, s.KNOWN_BYTES),
    (s.EXPECTED_FINE, s.SCALE),
    (s.EXPECTED_NEAR, s.EXPECTED),
    (s.EXPECTED_BRIEF, s.SCALE),
    (s.EXPECTED_LASTING, s.KNOWN_BYTES),
    (s.EXPECTED_STAGED,),
    (s.EXPECTED_FAR, s.SCALE),
    (s.EXPECTED_BLEND, s.SCALE),
    # The bytes themselves: silence, and sounds of few values.
    (s.CHANNEL, s.LAST, s.KNOWN_BYTES),
    (s.CHANNEL, s.LAST, s.LAST_TWICE),
    (s.CHANNEL, s.LAST, s.OTHER),
    (s.CHANNEL, s.KNOWN_BYTES),
    (s.CHANNEL,),
)
AUDIO_GATES = (
    Gate(s.PLACE, 3, "partial"),
    Gate(s.SCALE, 96),
    Gate(s.LOGIT, 120),
    Gate(s.EXPECTED, 768),
    Gate(s.BEST, 96),
    Gate(s.KNOWN, 96),
    Gate(s.SPREAD, 96),
    Gate(s.CHANNEL, 12),
)
FINAL_GATE = Gate(0, 1)  # the last layer's neuron knows the place of the bit; feature 0 is always 0
