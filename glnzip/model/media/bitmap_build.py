"""From the drawings of the bitmap model to arrays."""

from __future__ import annotations

import numpy as np

from glnzip.gln.aligned import aligned_zeros
from glnzip.jit.records import new_records
from glnzip.model.media.bitmap_model import (
    CENTRE,
    GATE_ROWS,
    ROWS,
    BitmapModel,
)
from glnzip.model.memory.bit_history import FIRST_GUESS
from glnzip.model.memory.pattern_slots import INPUTS_PER_CONTEXT, USED
from glnzip.model.memory.state_map import new_map
from glnzip.model.mixing.gates import gated_network
from glnzip.model.table.bitmap import CONTEXTS, GATES, LAYERS
from glnzip.model.table.limits import FIRST_TRUST


def new_bitmap_model(slot_bits: int) -> BitmapModel:
    """A bitmap model that has seen nothing, with ``2**slot_bits`` slots."""
    contexts = len(CONTEXTS)
    return BitmapModel(
        contexts=np.array([_context_numbers(row.pattern) for row in CONTEXTS], np.int64),
        gates=np.array([_segments(row.pattern) for row in GATES], np.int64),
        counts_hits=np.array([row.order_hits for row in GATES], np.int64),
        slots=aligned_zeros(1 << slot_bits, np.int64),
        state_maps=np.tile(new_map(FIRST_GUESS, FIRST_TRUST), contexts),
        network=gated_network(INPUTS_PER_CONTEXT * contexts, GATES, LAYERS),
        rows=np.zeros(ROWS, np.int64),
        windows=np.zeros(ROWS, np.int64),
        used=new_records(contexts, USED),
    )


def _context_numbers(pattern: str) -> list[int]:
    """One window mask a row, the present row first; then the rows to look at, an even number."""
    masks = _masks(pattern)
    used = max((r + 1 for r in range(ROWS) if masks[r]), default=0)
    return [*masks, used + used % 2]


def _segments(pattern: str) -> list[tuple[int, int]]:
    """The lowest window bit and the number of bits of each row of a gate."""
    return [((m & -m).bit_length() - 1 if m else 0, m.bit_count()) for m in _masks(pattern)][
        :GATE_ROWS
    ]


def _masks(pattern: str) -> list[int]:
    lines = pattern.strip("\n").splitlines()
    present = lines[-1].index("?")
    masks = [0] * ROWS
    for r, line in enumerate(reversed(lines)):
        for column, mark in enumerate(line):
            if mark == "x":
                ahead = column - present
                masks[r] |= 1 << (-1 - ahead if r == 0 else CENTRE - ahead)
    return masks
