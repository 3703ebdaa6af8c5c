"""The model's arrays: what it is, what it has learned, what it has lately seen.

A *block model* predicts blocks of one type (`glnzip.format.block_type`) with maps and networks of
its own. Its `Table` is the level's table turned into numbers, `Learned` what training could ship
(weights with their counters, state maps, APMs), `Scratch` what lives from one bit or byte to the
next. `Recent` is what all block models share: history and hash tables. Predicting writes only
scratch, `now`, the features, and the inputs and contexts of the networks (see
`glnzip.gln.network.Network`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.network import Network
from glnzip.model.media.audio_model import AudioModel
from glnzip.model.media.bitmap_model import BitmapModel
from glnzip.model.media.image_model import ImageModel
from glnzip.model.media.jpeg_model import JpegModel
from glnzip.model.media.least_squares import LeastSquares

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
        ("kind", np.int64),  # the present block's type: see glnzip.format.block_type
        ("row_bytes", np.int64),
        ("step", np.int64),
        ("sample_form", np.int64),
        ("phase", np.int64),
        ("slice_bytes", np.int64),
        ("address", np.int64),
        ("probability", np.int64),  # that the present bit is a one, as the coder was told
        ("error", np.int64),  # in 2**-32, how wrong that was of late in bytes, on the average
        ("early_exit", np.int64),  # 1 if the first stage alone predicts the present bit
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
COUNTER = np.dtype(
    [
        ("hash", np.int64),  # of this byte's context
        ("place", np.int64),  # where the lines are that it may have in the present nibble
        ("line", np.int64),  # first entry of the one that it has, or `direct_counters.NO_LINE`
        ("entry", np.int64),  # used for the present bit
    ],
)


class Table(NamedTuple):
    """A level's table as arrays: see `glnzip.model.build`."""

    of_text: Any  # int64[1]: 1 if it follows the features of text, 0 if those of other data
    # int64[rows, 7] both: mask of bytes 1-4, of 5-8, three features, 1 if a plain order, LOCAL_STEP
    # if local
    contexts: Any
    counters: Any
    gates: Any  # int64[neurons, 3]: see `mixing.gates.gate_numbers`
    first_stage_gates: Any  # of the first stage, likewise; none at a level without one
    first_stage_contexts: Any  # int64[...]: the rows of contexts that the first stage asks, too
    other_contexts: Any  # int64[...]: the others
    first_stage_inputs: Any  # int64[...]: the network's inputs that are inputs of the first stage
    exit_threshold: Any  # float32[1]: see `mixing.first_stage`; a share of `now.error`
    apms: Any  # int64[apms, 4]: two features, first bucket, context mask
    shares: Any  # float32[1]: 1 / (apms + 1)
    memorised: Any  # int64[...]: the rows of contexts that are memorised


class Learned(NamedTuple):
    """What a block model of bytes has learned."""

    state_maps: Any  # uint32[contexts * 256]
    run_maps: Any  # uint32[runs * CLASSES]
    match_maps: Any  # uint32[matches * STRENGTHS]
    dmc_maps: Any  # uint32[dmcs * 256]
    apm_maps: Any  # uint32[...]: see mixing.apm
    network: Network
    first_stage: Network

    @property
    def maps(self) -> tuple[Any, ...]:
        """All entries of `memory.state_map` that are learned."""
        return self.state_maps, self.run_maps, self.match_maps, self.dmc_maps, self.apm_maps


class Scratch(NamedTuple):
    """What a block model of bytes keeps from one byte, or bit, to the next."""

    contexts: Any  # CONTEXT[contexts]
    histories: Any  # uint8[contexts * HISTORIES]: see context_memory
    runs: Any  # RUN[contexts], or none at a level without runs
    counters: Any  # COUNTER[counters]
    apm_buckets: Any  # int64[apms]: the first bucket; then the one that learns the bit


class ByteModel(NamedTuple):
    """A block model for bytes."""

    table: Table
    learned: Learned
    scratch: Scratch


class Recent(NamedTuple):
    """What the model has seen, whatever the block type: history and hash tables."""

    now: Any  # NOW[1]
    features: Any  # int64[FEATURES]
    buffer: Any  # uint8[2**k]: the last bytes
    slots: Any  # uint8[2**k]: see slot_table
    runs: Any  # uint32[2**k]: see run_map
    counters: Any  # uint32[2**k]: see direct_counters
    matches: Any  # MATCH[matches]
    match_tables: Any  # int32[matches, 2**k]
    dmcs: Any  # dmc.DMC[dmcs]
    nodes: Any  # int32[dmcs, 2**k, NODE_FIELDS]
    indirect_1: Any  # int64[256]
    indirect_2: Any  # int64[65536], or none at a level without
    indirect_3: Any  # int64[65536], or none at a level without
    binary: Any  # binary_features.BINARY[1]
    instructions: Any  # code.INSTRUCTIONS[1]
    a64: Any  # a64.A64[1]
    font: Any  # fonts.FONT[1]
    class_files: Any  # class_files.CLASS_FILES[1]
    python_code: Any  # python_code.PYTHON_CODE[1]
    numbers: Any  # numbers.NUMBERS[1]
    squares: LeastSquares  # those of `numbers`
    relocations: Any  # relocations.RELOCATIONS[1]
    syntax: Any  # syntax.SYNTAX[1], or none at a level without
    shown: Any  # shown.SHOWN[1]
    tokens: Any  # tokens.TOKENS[1], or none at a level without
    fields: Any  # fields.FIELDS[1], the same
    word_classes: Any  # uint16[2**k], or none at a level without: see word_classes


class Model(NamedTuple):
    """One stream's model."""

    text: ByteModel
    binary: ByteModel
    code: ByteModel
    numbers: ByteModel
    bitmap: BitmapModel
    image: ImageModel
    audio: AudioModel
    jpeg: JpegModel
    recent: Recent


class ByteParts(NamedTuple):
    """What the kernel for bytes and bitmaps works on: their block models, and what is shared."""

    byte_model: ByteModel
    bitmap: BitmapModel
    recent: Recent


class SampleParts(NamedTuple):
    """What the kernel for images and audio works on: their block models, and the history."""

    image: ImageModel
    audio: AudioModel
    now: Any  # NOW[1]
    buffer: Any  # uint8[2**k]


class JpegParts(NamedTuple):
    """What the kernel for JPEG works on: its block model, the slots of bitmaps, and the history."""

    jpeg: JpegModel
    slots: Any  # int64[2**k]
    now: Any  # NOW[1]
    buffer: Any  # uint8[2**k]
