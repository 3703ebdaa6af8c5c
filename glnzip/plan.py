"""How the model should see a block: `glnzip.planner` looks, and the block header says.

Looking at the whole block beforehand costs the encoder little and the decoder nothing.
"""

from __future__ import annotations

from typing import NamedTuple

BYTES, PIXELS = range(2)


class BlockPlan(NamedTuple):
    """What the block header says to the model.

    Attributes
    ----------
    kind : int
        `BYTES`, or `PIXELS` for an image of one bit a pixel.
    row_bytes : int
        Length of a row (of a table, a record, an image); 0 for none.
    """

    kind: int
    row_bytes: int
