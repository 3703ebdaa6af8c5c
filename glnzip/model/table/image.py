"""The table of images: experts, contexts, gates."""

from __future__ import annotations

from glnzip.model.media import image_model as i
from glnzip.model.media.least_squares import Fading
from glnzip.model.table.rows import Gate, Layer, Rate
from glnzip.model.table.sample_table import FINAL_GATE, SampleTable

# Three memories: what nearby rows look like, the present texture, all of the image.
SQUARES = (
    Fading(i.INPUTS, keep=0.998, ridge=1.0, interval=8),
    Fading(16, keep=0.96, ridge=1.0, interval=2),
    Fading(i.INPUTS, keep=0.9998, ridge=1.0, interval=64),
)

CONTEXTS = (
    # Simple guesses: they fit drawings, and images of few colours.
    (i.CHANNEL, i.PLANE),
    (i.CHANNEL, i.TURN),
    (i.CHANNEL, i.SOUTHWARD),
    (i.CHANNEL, i.W_COLOUR),
    (i.CHANNEL, i.N_COLOUR),
    (i.CHANNEL, i.PLANE_COLOUR),
    (i.CHANNEL, i.PLANE_COLOUR_2),
    # The neighbours themselves: patterns that come again.
    (i.CHANNEL, i.W, i.LAST),
    (i.CHANNEL, i.N, i.LAST),
    (i.CHANNEL, i.LAST, i.SECOND),
    (i.CHANNEL, i.W, i.WW),
    (i.CHANNEL, i.N, i.NN),
    (i.CHANNEL, i.N, i.NE),
    (i.AROUND,),
    (i.AROUND_COARSE,),
    (i.PIXELS,),
    (i.CHANNEL,),
)

GATES = (
    Gate("channel", i.CHANNEL, 8, "partial"),
    Gate("scale", i.SCALE, 64, "position"),
    Gate("best expert", i.BEST, 64, "position"),
    Gate("errors", i.ERRORS, 256, "position"),
    Gate("order hits", i.KNOWN, 64, "position"),
    Gate("west", i.W_GATE, 256, "position"),
    Gate("sample before", i.LAST_GATE, 256, "position"),
    Gate("run", i.RUN, 128, "position"),
    FINAL_GATE,
)

IMAGE = SampleTable(
    squares=SQUARES,
    contexts=CONTEXTS,
    gates=GATES,
    layers=(
        Layer(Rate(0.02, 0.002, 400.0), start=0.05),
        Layer(Rate(0.005, 0.0005, 400.0)),
    ),
    runs=1,
)
