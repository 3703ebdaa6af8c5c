"""The model's arrays: what it is, what it has learned, what it has lately seen.

A *view* is one way to see a block (`glnzip.plan`), with a table, maps and networks of its own. Its
`Lineup` is the level's table turned into numbers, `Learned` what training could ship (weights with
their counters, adaptive maps, curves), `Scratch` what lives from one bit or byte to the next.
`Recent` is what all views share: history and hash tables. Predicting writes only scratch, `now`,
the features, and the inputs and contexts of the networks (see `glnzip.gln.network.Network`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.bytemodel.image_view import ImageView
from glnzip.bytemodel.pixel_view import PixelView
from glnzip.bytemodel.sound_view import SoundView
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
        ("lines", np.int64),  # line feeds since then, in text
        ("kind", np.int64),  # the present block's plan: see glnzip.plan
        ("row_bytes", np.int64),
        ("step", np.int64),
        ("form", np.int64),
        ("phase", np.int64),
        ("probability", np.int64),  # that the present bit is a one, as the coder was told
        ("error", np.int64),  # in 2**-32, how wrong that was of late in bytes, on the average
        ("sure", np.int64),  # 1 if the scout's word is enough for the present bit
        ("mixed", np.int64),  # 1 while a general prior is read, from its lexicon on
        ("document", np.int64),  # 0..DOCUMENTS - 1, see `build.leave_mix`
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
CONTEXT = np.dtype(
    [
        ("hash", np.int64),  # of this byte's context
        ("place", np.int64),  # where the present nibble's bucket is looked for
        ("bucket", np.int64),  # where it is; -1 for none (`context_memory`)
        ("map_index", np.int64),  # entry of state_maps used for the present bit
    ],
)
RUN = np.dtype(
    [
        ("place", np.int64),  # in the table of runs
        ("run", np.int64),  # what stood there for this byte's context; 0 for nothing
        ("map_index", np.int64),  # entry of run_maps used for the present bit; -1 for none
        ("high", np.int64),  # the buckets that the context got with the last byte; -1 if none
        ("low", np.int64),
        ("other", np.int64),
    ],
)
DIRECT = np.dtype(
    [
        ("hash", np.int64),  # of this byte's context
        ("place", np.int64),  # where the lines are that it may have in the present nibble
        ("line", np.int64),  # first entry of the one that it has, or `direct_map.NO_LINE`
        ("entry", np.int64),  # used for the present bit
    ],
)


class Lineup(NamedTuple):
    """A level's table as arrays: see `glnzip.bytemodel.build`."""

    # int64[rows, 7] both: mask of bytes 1-4, of 5-8, three features, 1 if a plain order, LOCAL_STEP
    # if local
    contexts: Any
    directs: Any
    gates: Any  # int64[neurons, 3]: feature, mask of its values, kind of bits
    scout_gates: Any  # the same of the scout; none at a level without one (`scout`)
    doubt: Any  # float32[1]: the share of `now.error` below which the scout's doubt must be
    adjustments: Any  # int64[adjustments, 4]: two features, first curve knot, context mask
    shares: Any  # float32[1]: 1 / (adjustments + 1)


class Learned(NamedTuple):
    """What a view of bytes has learned."""

    state_maps: Any  # uint32[contexts * 256]
    run_maps: Any  # uint32[runs * CLASSES]
    match_maps: Any  # uint32[matches * STRENGTHS]
    machine_maps: Any  # uint32[machines * 256]
    curves: Any  # uint32[...]: see final_adjust
    network: Network
    scout: Network


class Scratch(NamedTuple):
    """What a view of bytes keeps from one byte, or bit, to the next."""

    contexts: Any  # CONTEXT[contexts]
    histories: Any  # uint8[contexts * HISTORIES]: see context_memory
    runs: Any  # RUN[contexts], or none at a level without runs
    directs: Any  # DIRECT[directs]
    knots: Any  # int64[adjustments]: a curve's first entry; then the one that learns the bit


class ByteView(NamedTuple):
    """A view of blocks as bytes."""

    lineup: Lineup
    learned: Learned
    scratch: Scratch


class Recent(NamedTuple):
    """What the model has seen, whatever the view: history and hash tables."""

    now: Any  # NOW[1]
    features: Any  # int64[FEATURES]
    ring: Any  # uint8[2**k]: the last bytes
    slots: Any  # uint8[2**k]: see slot_table
    runs: Any  # uint32[2**k]: see run_map
    directs: Any  # uint32[2**k]: see direct_map
    matches: Any  # MATCH[matches]
    match_tables: Any  # int32[matches, 2**k]
    machines: Any  # markov_machine.MACHINE[machines]
    nodes: Any  # int32[machines, 2**k, NODE_FIELDS]
    followers_last: Any  # int64[256]
    followers_pair: Any  # int64[65536]
    followers_three: Any  # int64[65536]
    binary: Any  # binary_features.BINARY[1]
    syntax: Any  # syntax.SYNTAX[1]
    tokens: Any  # tokens.TOKENS[1], or none at a level without
    word_classes: Any  # uint16[2**k]: see word_classes


class Model(NamedTuple):
    """One stream's model."""

    as_text: ByteView
    as_binary: ByteView
    as_pixels: PixelView
    as_image: ImageView
    as_sound: SoundView
    recent: Recent


class ByteModel(NamedTuple):
    """What the kernel for bytes and pixels works on: one view of bytes, and what is shared."""

    as_bytes: ByteView
    as_pixels: PixelView
    recent: Recent


class NumberModel(NamedTuple):
    """What the kernel for images and sound works on: their views, and the history."""

    image: ImageView
    sound: SoundView
    now: Any  # NOW[1]
    ring: Any  # uint8[2**k]
