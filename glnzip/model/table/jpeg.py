"""The table of JPEG: contexts, gates, APMs. Every level uses all rows: such blocks are rare."""

from __future__ import annotations

from glnzip.model.media import jpeg_model as j
from glnzip.model.table.rows import Gate, Layer, Rate

CONTEXTS = (
    # What is expected, and how large.
    (j.PLACE, j.GUESS_FINE),
    (j.PLACE, j.SIZE_TAIL),
    (j.COMPONENT, j.GUESS_AHEAD, j.SIZE_AHEAD),
    (j.COMPONENT, j.GUESS_FINE, j.SIZE_FINE),
    (j.COMPONENT, j.SIZE_FINE, j.SIZE_TAIL),
    (j.COMPONENT, j.SYMBOL_BEFORE, j.GUESS_AHEAD),
    (j.COMPONENT, j.SYMBOL_BEFORE, j.SIZE_AHEAD),
    # What the edges of the neighbours expect.
    (j.COMPONENT, j.SYMBOL_BEFORE, j.EDGE_AHEAD),
    (j.COMPONENT, j.SYMBOL_BEFORE, j.LEFT_AHEAD),
    (j.COMPONENT, j.SYMBOL_BEFORE, j.ABOVE_AHEAD),
    (j.COMPONENT, j.LEFT_AHEAD, j.ABOVE_AHEAD),
    (j.DOWN, j.ABOVE_AHEAD, j.LOWER_ACROSS),
    # What stands in the blocks around.
    (j.PLACE, j.LEFT, j.EDGE_LEFT),
    (j.PLACE, j.ABOVE, j.EDGE_ABOVE),
    (j.PLACE, j.FELLOW, j.EDGE_AHEAD),
    (j.PLACE, j.FELLOW_SYMBOL, j.TAIL),
    # What stands in this block.
    (j.PLACE, j.LOWER_ACROSS, j.LOWER_DOWN),
    (j.COMPONENT, j.LOWER_ACROSS, j.LOWER_DOWN, j.EDGE_AHEAD),
    (j.PLACE, j.BLOCK_OF_MCU),
    (j.PLACE, j.COLUMN),
    (j.PLACE,),
)

GATES = (
    Gate("place", j.PLACE, 256),
    Gate("code", j.CODE_SO_FAR, 1024),
    Gate("known", j.KNOWN, 64),
    Gate("symbol before", j.SYMBOL_BEFORE, 256),
    Gate("final, mode", j.MODE, 8, layer=1),
    Gate("final, code", j.CODE_SO_FAR, 1024, layer=1),
)

APMS = (
    (j.PLACE,),
    (j.COMPONENT, j.SIZE_FINE),
)
"""Contexts of the APMs, each with the bits of the symbol so far."""

LAYERS = (
    Layer(Rate(0.015, 0.001, 400.0), start=0.03),
    Layer(Rate(0.005, 0.0005, 400.0)),
    Layer(Rate(0.005, 0.0005, 400.0)),
)
