"""The table of images: experts, contexts, gates."""

from __future__ import annotations

from glnzip.model.media import image_model as i
from glnzip.model.media.least_squares import Fading
from glnzip.model.media.pixel_match import INPUTS as MATCH_INPUTS
from glnzip.model.table.rows import Gate, Layer, Rate
from glnzip.model.table.sample_table import SampleTable

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
    # The neighbours themselves: patterns that come again.
    (i.CHANNEL, i.W, i.LAST),
    (i.CHANNEL, i.N, i.LAST),
    (i.CHANNEL, i.LAST, i.SECOND),
    (i.CHANNEL, i.N, i.NN),
    (i.CHANNEL, i.N, i.NE),
    (i.AROUND,),
    (i.AROUND_COARSE,),
    (i.CHANNEL,),
)

# Windows of pixels, as spans of rows above, from a pixel up to another.
WINDOWS = (
    # A piece of five rows; where it is as it was, a match begins.
    ((0, -6, -1), (1, -5, 5), (2, -4, 4), (3, -3, 3), (4, -2, 2)),
    ((0, -4, -1), (1, -3, 3), (2, -2, 2), (3, -1, 1)),
    ((0, -1, -1), (1, -1, 5)),
    ((0, -4, -1),),
    ((0, -8, -1),),
    ((1, 0, 0),),
    tuple((rows, 0, 0) for rows in range(1, 5)),
    tuple((rows, 0, 0) for rows in range(1, 9)),
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
    Gate("match", i.MATCH, 512),
    Gate("channel, final", i.CHANNEL, 8, "partial", layer=1),
    Gate("run, final", i.RUN, 128, "position", layer=1),
    Gate("match, final", i.MATCH, 512, layer=1),
)

IMAGE = SampleTable(
    squares=SQUARES,
    contexts=CONTEXTS,
    gates=GATES,
    layers=(
        Layer(Rate(0.02, 0.002, 400.0), start=0.05),
        Layer(Rate(0.005, 0.0005, 400.0)),
        Layer(Rate(0.002, 0.0003, 200.0)),
    ),
    more=1 + MATCH_INPUTS + len(WINDOWS),
)
