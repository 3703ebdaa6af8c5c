"""The model's arrays in three parts: what it is, what it has learned, what it has lately seen.

`Learned` is what training could ship: weights with their counters, adaptive maps, curves. `Recent`
is history and scratch. `Lineup` is the level's table turned into numbers. Predicting writes only
`Recent` and the scratch arrays of the networks (see `glnzip.gln.network.Network`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.network import Network

NOW = np.dtype(
    [
        ("position", np.int64),  # bytes seen since the stream began
        ("partial", np.int64),  # the bits of the byte so far under a leading one: 1..255
        ("node", np.int64),  # the same within the nibble: 1..15
        ("bits_known", np.int64),  # 0..7
        ("last4", np.int64),  # the last four bytes, newest lowest
        ("last8", np.int64),  # the four before them
        ("line", np.int64),  # where the present line began
        ("line_before", np.int64),
        ("block_start", np.int64),
        ("kind", np.int64),  # how the present block is seen: glnzip.plan.BYTES or PIXELS
        ("row_bytes", np.int64),  # of the present block; 0 without rows
        ("knot_fraction", np.float32),  # of the final adjustment, from predict to update
        ("unadjusted", np.float32),
    ],
    align=True,
)
MATCH = np.dtype(
    [
        ("pointer", np.int64),  # position of the byte expected next; 0 for none
        ("length", np.int64),
        ("misses", np.int64),  # bit mask of recent wrong guesses, newest in bit 0
        ("expected", np.int64),  # 256 + the byte expected next; 0 for none
        ("minimum", np.int64),
        ("shift", np.int64),
        ("hash", np.int64),
        ("map_index", np.int64),  # entry used for the present bit; -1 for none
    ],
)


def new_records(count: int, fields: np.dtype[Any]) -> Any:
    """Records of zeros, their fields attributes in plain Python as they are in kernels."""
    return np.zeros(count, fields).view(np.recarray)


class Lineup(NamedTuple):
    """A level's table as arrays: see `glnzip.bytemodel.build`."""

    contexts: Any  # int64[contexts, 6]: mask of bytes 1-4, of 5-8, three features, 1 if plain order
    gates: Any  # int64[neurons, 3]: feature, its values, kind of bits
    adjustments: Any  # int64[adjustments, 4]: two features, first curve knot, context mask
    shares: Any  # float32[1]: 1 / (adjustments + 1)
    pixel_contexts: Any  # int64[pixel contexts, ROWS]: masks over the windows, present row first
    pixel_gates: Any  # int64[neurons, 3]: pixels of the present row, the one above, the next above


class Learned(NamedTuple):
    """What the model has learned."""

    state_maps: Any  # uint32[contexts * 256]
    match_maps: Any  # uint32[matches * STRENGTHS]
    curves: Any  # float32[...]
    network: Network
    pixel_map: Any  # uint32[2**k]
    pixel_network: Network


class Recent(NamedTuple):
    """What the model has seen: history, hash tables, and scratch between predict and update."""

    now: Any  # NOW[1]
    features: Any  # int64[FEATURES]
    ring: Any  # uint8[2**k]: the last bytes
    slots: Any  # uint8[2**k]: see slot_table
    hashes: Any  # int64[contexts]: this byte's context hashes
    places: Any  # int64[contexts]: where the present nibble's bucket is looked for
    buckets: Any  # int64[contexts]: where it is
    maps_used: Any  # int64[contexts]: entry of state_maps used for the present bit
    matches: Any  # MATCH[matches]
    match_tables: Any  # int32[matches, 2**k]
    followers_last: Any  # int64[256]
    followers_pair: Any  # int64[65536]
    curve_places: Any  # int64[adjustments]
    pixel_rows: Any  # int64[ROWS]: 40 bits of each row above around the present byte
    pixels_used: Any  # int64[pixel contexts]: entry of pixel_map used for the present bit


class Model(NamedTuple):
    """One stream's model."""

    lineup: Lineup
    learned: Learned
    recent: Recent
