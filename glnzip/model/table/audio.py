"""The table of audio: experts, contexts, gates."""

from __future__ import annotations

from glnzip.model.media import audio_model as a
from glnzip.model.media.least_squares import Fading
from glnzip.model.table.rows import Filter, Gate, Layer, Rate
from glnzip.model.table.sample_table import FINAL_GATE, SampleTable

SQUARES = (
    Fading(a.INPUTS, keep=0.998, ridge=1.0, interval=8),
    Fading(a.INPUTS, keep=0.985, ridge=1.0, interval=4),
    Fading(16, keep=0.97, ridge=1.0, interval=4),
    Fading(a.INPUTS, keep=0.9998, ridge=1.0, interval=64),
)

# Long filters, and short ones behind the steady expert and behind the long filters.
FAR = Filter(256, 0.004)
FAR_STAGED = Filter(16, 0.005)
STAGED = Filter(32, 0.005)

CONTEXTS = (
    # The bytes: silence, and sounds of few values. What experts expect they know best themselves.
    (a.CHANNEL, a.LAST, a.KNOWN_BYTES),
    (a.CHANNEL, a.LAST, a.LAST_TWICE),
    (a.CHANNEL, a.LAST, a.OTHER),
    (a.CHANNEL, a.KNOWN_BYTES),
    (a.CHANNEL,),
)

GATES = (
    Gate("place", a.PLACE, 4, "partial"),
    Gate("scale", a.SCALE, 128, "position"),
    Gate("logit", a.LOGIT, 128, "position"),
    Gate("order hits", a.KNOWN, 128, "position"),
    Gate("spread", a.SPREAD, 128, "position"),
    Gate("channel", a.CHANNEL, 16, "position"),
    FINAL_GATE,
)

AUDIO = SampleTable(
    squares=SQUARES,
    contexts=CONTEXTS,
    gates=GATES,
    layers=(
        Layer(Rate(0.02, 0.002, 400.0), start=0.05),
        Layer(Rate(0.005, 0.0005, 400.0)),
    ),
)
