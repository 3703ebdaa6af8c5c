"""The table of JPEG: contexts, gates. Every level uses all rows: such blocks are rare."""

from __future__ import annotations

from glnzip.model.media import jpeg_model as j
from glnzip.model.table.rows import Gate, Layer, Rate

CONTEXTS = (
    # What the edges of the neighbours expect, and how busy the block is.
    (j.PLACE, j.PROSPECT, j.ENERGY),
    (j.PLACE, j.PROSPECT_LEFT, j.ENERGY),
    (j.PLACE, j.PROSPECT_ABOVE, j.ENERGY),
    (j.COMPONENT, j.SYMBOL_BEFORE, j.PROSPECT),
    (j.COMPONENT, j.SYMBOL_BEFORE, j.PROSPECT_LEFT),
    (j.COMPONENT, j.SYMBOL_BEFORE, j.PROSPECT_ABOVE),
    (j.COMPONENT, j.PROSPECT_LEFT, j.PROSPECT_ABOVE),
    (j.COMPONENT, j.PROSPECT, j.NEARBY, j.TAIL),
    (j.PLACE, j.EDGE),
    (j.PLACE, j.EDGE_LEFT, j.EDGE_ABOVE),
    (j.ACROSS, j.PROSPECT_LEFT, j.LOWER_DOWN),
    (j.DOWN, j.PROSPECT_ABOVE, j.LOWER_ACROSS),
    # What stands in the blocks around.
    (j.PLACE, j.ABOVE_SYMBOL, j.PROSPECT),
    (j.PLACE, j.LEFT_SYMBOL, j.PROSPECT),
    (j.PLACE, j.LEFT_SYMBOL, j.ABOVE_SYMBOL),
    (j.PLACE, j.AVERAGE, j.NEARBY),
    (j.PLACE, j.NEARBY, j.TAIL),
    (j.PLACE, j.NEARBY, j.ENERGY),
    (j.PLACE, j.TAIL, j.COUNT),
    (j.PLACE, j.LEFT, j.EDGE_LEFT),
    (j.PLACE, j.ABOVE, j.EDGE_ABOVE),
    (j.PLACE, j.DIAGONAL, j.NEARBY),
    (j.PLACE, j.FELLOW, j.PROSPECT),
    (j.PLACE, j.FELLOW_SYMBOL, j.TAIL),
    # What stands in this block.
    (j.PLACE, j.LOWER_ACROSS, j.LOWER_DOWN),
    (j.COMPONENT, j.LOWER_ACROSS, j.LOWER_DOWN, j.PROSPECT),
    (j.ACROSS, j.LOWER_ACROSS, j.LOWER_BOTH),
    (j.DOWN, j.LOWER_DOWN, j.LOWER_BOTH),
    (j.PLACE, j.SYMBOL_BEFORE, j.TAIL),
    (j.PLACE, j.VALUE_BEFORE, j.COUNT),
    (j.COMPONENT, j.COUNT, j.TAIL, j.ENERGY),
    (j.PLACE, j.BLOCK_OF_MCU),
    (j.PLACE, j.COLUMN),
    (j.PLACE,),
)

GATES = (
    Gate("place", j.PLACE, 256),
    Gate("code", j.CODE_SO_FAR, 1024),
    Gate("prospect", j.PROSPECT, 1024),
    Gate("left prospect", j.PROSPECT_LEFT, 1024),
    Gate("prospect above", j.PROSPECT_ABOVE, 1024),
    Gate("nearby", j.NEARBY, 64),
    Gate("tail", j.TAIL, 64),
    Gate("known", j.KNOWN, 64),
    Gate("symbol before", j.SYMBOL_BEFORE, 256),
    Gate("left symbol", j.LEFT_SYMBOL, 1024),
    Gate("final", j.COMPONENT, 4, layer=1),
    Gate("final, mode", j.MODE, 8, layer=1),
)

LAYERS = (
    Layer(Rate(0.02, 0.002, 400.0), start=0.03),
    Layer(Rate(0.005, 0.0005, 400.0)),
    Layer(Rate(0.005, 0.0005, 400.0)),
)
