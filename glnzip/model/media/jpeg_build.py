"""From the table of JPEG to arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from glnzip.format.block_type import MAX_JPEG_WIDTH
from glnzip.jit.records import new_records
from glnzip.model.media.jpeg_guesses import new_guesses
from glnzip.model.media.jpeg_model import APM_BITS, FEATURES, NONE, JpegModel
from glnzip.model.media.jpeg_scan import (
    BLOCK,
    BLOCK_COLUMNS,
    CODE_COLUMNS,
    COMPONENT_COLUMNS,
    LONGEST_CODE,
    MOST_BLOCKS,
    MOST_COMPONENTS,
    MOST_HEADER,
    ROWS_KEPT,
    SCAN,
    Scan,
)
from glnzip.model.memory.bit_history import FIRST_GUESS
from glnzip.model.memory.pattern_slots import INPUTS_PER_CONTEXT, USED
from glnzip.model.memory.state_map import new_map
from glnzip.model.mixing.apm import new_apms
from glnzip.model.mixing.gates import gate_numbers, gated_network
from glnzip.model.table.jpeg import APMS, CONTEXTS, GATES, LAYERS
from glnzip.model.table.limits import FIRST_TRUST


def new_jpeg_model() -> JpegModel:
    """A model of JPEG that has seen nothing."""
    contexts = len(CONTEXTS)
    return JpegModel(
        contexts=_features(CONTEXTS),
        gates=gate_numbers(GATES),
        state_maps=np.tile(new_map(FIRST_GUESS, FIRST_TRUST), contexts),
        used=new_records(contexts, USED),
        network=gated_network(INPUTS_PER_CONTEXT * contexts, GATES, LAYERS),
        scan=_new_scan(),
        apms=_features(APMS),
        apm_maps=new_apms(len(APMS) << APM_BITS),
        apm_buckets=np.zeros(len(APMS), np.int64),
        guesses=new_guesses(),
        hashes=np.zeros(contexts, np.int64),
        features=np.zeros(FEATURES, np.int64),
        symbol=np.zeros(1, np.int64),
    )


def _features(rows: Sequence[tuple[int, ...]]) -> Any:
    """Contexts as numbers, int64[rows, most features]; `NONE` where there are fewer."""
    most = max(map(len, rows))
    return np.array([row + (NONE,) * (most - len(row)) for row in rows], np.int64)


def _new_scan() -> Scan:
    return Scan(
        now=new_records(1, SCAN),
        codes=np.zeros((8, LONGEST_CODE + 1, CODE_COLUMNS), np.int64),
        symbols=np.zeros((8, 256), np.int64),
        quantisers=np.zeros((4, BLOCK), np.int64),
        components=np.zeros((MOST_COMPONENTS, COMPONENT_COLUMNS), np.int64),
        blocks=np.zeros((MOST_BLOCKS, BLOCK_COLUMNS), np.int64),
        coefficients=np.zeros(BLOCK * (1 + ROWS_KEPT * MAX_JPEG_WIDTH), np.int16),
        header=np.zeros(MOST_HEADER, np.uint8),
    )
