"""From the table to arrays: a new model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glnzip.format.block_type import OF_BYTES, TEXT
from glnzip.gln.aligned import aligned_zeros
from glnzip.gln.learning_rate import decaying
from glnzip.jit.records import new_records
from glnzip.model.contexts import numbers as number_features
from glnzip.model.contexts import word_classes
from glnzip.model.contexts.a64 import A64
from glnzip.model.contexts.binary import BINARY
from glnzip.model.contexts.class_files import CLASS_FILES
from glnzip.model.contexts.code import INSTRUCTIONS
from glnzip.model.contexts.features import SEGMENT
from glnzip.model.contexts.fields import FIELDS
from glnzip.model.contexts.fonts import FONT
from glnzip.model.contexts.numbers import NUMBERS, SQUARES
from glnzip.model.contexts.python_code import PYTHON_CODE
from glnzip.model.contexts.relocations import RELOCATIONS
from glnzip.model.contexts.shown import SHOWN
from glnzip.model.contexts.syntax import SYNTAX
from glnzip.model.contexts.tokens import TOKENS
from glnzip.model.media.bitmap_build import new_bitmap_model
from glnzip.model.media.jpeg_build import new_jpeg_model
from glnzip.model.media.least_squares import new_least_squares
from glnzip.model.media.sample_build import new_audio_model, new_image_model
from glnzip.model.memory.bit_history import FIRST_GUESS
from glnzip.model.memory.context_memory import HISTORIES
from glnzip.model.memory.dmc import DMC, NODE_FIELDS, ONE
from glnzip.model.memory.match_model import STRENGTHS
from glnzip.model.memory.run_map import CLASSES
from glnzip.model.memory.slot_table import make_younger
from glnzip.model.memory.state_map import make_quick, new_map
from glnzip.model.mixing import inputs
from glnzip.model.mixing.apm import APM_BUCKETS, new_apms
from glnzip.model.mixing.gates import gate_numbers, gated_network
from glnzip.model.state import (
    CONTEXT,
    COUNTER,
    MATCH,
    NOW,
    RUN,
    ByteModel,
    ByteParts,
    Learned,
    Model,
    Recent,
    Scratch,
    Table,
)
from glnzip.model.table import byte_table
from glnzip.model.table.byte_table import FIRST_STAGE, ByteTable
from glnzip.model.table.byte_tables import BYTE_TABLES
from glnzip.model.table.limits import FIRST_ERROR, FIRST_TRUST
from glnzip.model.table.rows import Apm, Context, Dmc, Gate, Match, Size, of_level
from glnzip.model.table.sizes import SIZES

LOCAL_STEP = 256  # more than there are rows: from a row's number in a document to that in the next
DOCUMENTS = 1 << 16  # hashes of more would not fit int64
FEATURES = number_features.END  # the last module that numbers features


class _Rows(NamedTuple):
    """The rows of the tables that a block model of bytes uses at a level."""

    contexts: list[Context]
    runs: int
    counters: list[Context]
    matches: list[Match]
    dmcs: list[Dmc]
    gates: list[Gate]
    apms: list[Apm]
    first_stage_gates: list[Gate]


def new_model(level: int) -> Model:
    """Allocate a model that has seen nothing."""
    size = SIZES[level]
    of_bytes = {name: _new_byte_model(level, own) for name, own in BYTE_TABLES.items()}
    return Model(
        **of_bytes,
        bitmap=new_bitmap_model(size.bitmap_bits),
        image=new_image_model(size.sample_bits),
        audio=new_audio_model(size.sample_bits),
        jpeg=new_jpeg_model(),
        recent=_new_recent(level, size),
    )


def new_byte_parts(block_model: str, level: int, size: Size) -> ByteParts:
    """What sees blocks of bytes, or bitmaps, that one block model is for, in other sizes.

    A level tells the rows of a model of bytes; with that of bitmaps there is the one of text.
    """
    own = BYTE_TABLES["text" if block_model == "bitmap" else block_model]
    return ByteParts(
        _new_byte_model(level, own), new_bitmap_model(size.bitmap_bits), _new_recent(level, size)
    )


def leave_mix(model: Model) -> None:
    """If a mix of everything was read, be ready for data of one kind.

    Local contexts forget: they know records of other kinds. Bit histories grow younger, so that the
    data soon outweigh them. Direct counters begin afresh: those of the contexts that come often in
    a mix would be in the way, and new ones learn quickly.
    """
    now = model.recent.now[0]
    if now["mixed"]:
        now["mixed"] = 0
        now["document"] = (now["document"] + 1) % DOCUMENTS
        model.recent.features[SEGMENT] += 1
        make_younger(model.recent.slots)
        model.recent.counters.fill(0)


def begin_document(model: Model, block_model: str) -> Model:
    """What comes is unlike what came, and is seen by a block model; return what to go on with.

    Those of images and audio begin anew: what they learn is of one picture, one sound, and its rows
    do not go on in the next. If bytes come, local contexts forget, and all learn quickly for a
    while.
    """
    if block_model in ("image", "audio"):
        model.recent.now[0]["kind"] = TEXT
    if block_model == "image":
        return model._replace(image=_anew(model.image, new_image_model(0)))
    if block_model == "audio":
        return model._replace(audio=_anew(model.audio, new_audio_model(0)))
    if block_model in OF_BYTES:
        now = model.recent.now[0]
        now["document"] = (now["document"] + 1) % DOCUMENTS
        restart_learning(model)
    return model


def _anew(own: Any, fresh: Any) -> Any:
    """A fresh block model of samples that takes over the memory of one."""
    lines = own.samples.lines
    lines.fill(0)
    return fresh._replace(samples=fresh.samples._replace(lines=lines))


def restart_learning(model: Model) -> None:
    """Make weights and maps quick again after a prior, for a short while.

    By then they hardly move any more; but data differ from the prior, tables and code above all.
    DMC models that are not lasting start afresh.
    """
    model.recent.dmcs["used"][~model.recent.dmcs["lasting"]] = 0
    for name, own in BYTE_TABLES.items():
        learned = getattr(model, name).learned
        for entries in learned.maps:
            make_quick(entries, FIRST_TRUST)
        network = learned.network
        np.minimum(network.steps, 1, out=network.steps)
        network.rates[0] = decaying(*own.rate_after_prior)
        steps = learned.first_stage.steps
        np.minimum(steps, FIRST_STAGE.steps_after_prior, out=steps)


def _new_byte_model(level: int, own: ByteTable) -> ByteModel:
    contexts = of_level(own.contexts, level)
    rows = _Rows(
        contexts=contexts,
        runs=len(contexts) if level >= byte_table.RUNS_FROM_LEVEL else 0,
        counters=of_level(own.counters, level),
        matches=of_level(byte_table.MATCHES, level),
        dmcs=of_level(byte_table.DMCS, level),
        gates=of_level(own.gates, level),
        apms=of_level(own.apms, level),
        first_stage_gates=of_level(FIRST_STAGE.gates, level),
    )
    asked = _first_stage_inputs(rows)
    return ByteModel(
        _new_table(rows, own, asked, SIZES[level].exit_threshold),
        _new_learned(rows, own, len(asked)),
        _new_scratch(rows),
    )


def _new_table(rows: _Rows, own: ByteTable, asked: list[int], threshold: float) -> Table:
    in_first_stage = np.array([_is_asked(rows, row) for row in rows.contexts], bool)
    return Table(
        of_text=np.array([own.of_text], np.int64),
        contexts=_context_rows(rows.contexts),
        counters=_context_rows(rows.counters),
        gates=gate_numbers(rows.gates),
        first_stage_gates=gate_numbers(rows.first_stage_gates),
        first_stage_contexts=np.flatnonzero(in_first_stage),
        other_contexts=np.flatnonzero(~in_first_stage),
        first_stage_inputs=np.array(asked, np.int64),
        exit_threshold=np.array([threshold], np.float32) * np.float32(2**-32),
        apms=_apm_numbers(rows.apms),
        shares=np.array([1 / (len(rows.apms) + 1)], np.float32),
        memorised=np.flatnonzero([row.memorised for row in rows.contexts]),
    )


def _is_asked(rows: _Rows, row: Context) -> bool:
    """Whether the first stage asks a context or counter."""
    return bool(rows.first_stage_gates) and row.first_stage


def _first_stage_inputs(rows: _Rows) -> list[int]:
    """Which inputs of the network are inputs of the first stage, too, in their order there."""
    contexts = [i for i, row in enumerate(rows.contexts) if _is_asked(rows, row)]
    places = inputs.Places(len(rows.contexts), rows.runs, len(rows.matches), len(rows.dmcs))
    counters = [i for i, row in enumerate(rows.counters) if _is_asked(rows, row)]
    return [
        *contexts,
        *(places.zero_redundancy + i for i in contexts),
        *range(places.matches, places.counters),
        *(places.counters + i for i in counters),
    ]


def _new_learned(rows: _Rows, own: ByteTable, asked: int) -> Learned:
    ones = np.arange(max(STRENGTHS, CLASSES)) & 1  # the expected bit is the lowest of an index
    places = inputs.Places(len(rows.contexts), rows.runs, len(rows.matches), len(rows.dmcs))
    return Learned(
        state_maps=np.tile(new_map(FIRST_GUESS, FIRST_TRUST), len(rows.contexts)),
        run_maps=np.tile(new_map(np.where(ones[:CLASSES], 0.8, 0.2), 0), rows.runs),
        match_maps=np.tile(new_map(np.where(ones[:STRENGTHS], 0.9, 0.1), 0), len(rows.matches)),
        dmc_maps=np.tile(new_map(FIRST_GUESS, FIRST_TRUST), len(rows.dmcs)),
        apm_maps=new_apms(sum(1 << row.table_bits for row in rows.apms)),
        network=gated_network(
            places.counters + len(rows.counters) + (1 if rows.first_stage_gates else 0),
            rows.gates,
            own.layers,
        ),
        first_stage=gated_network(max(asked, 1), rows.first_stage_gates, FIRST_STAGE.layers),
    )


def _new_scratch(rows: _Rows) -> Scratch:
    return Scratch(
        contexts=new_records(len(rows.contexts), CONTEXT),
        histories=np.zeros(HISTORIES * len(rows.contexts), np.uint8),
        runs=new_records(rows.runs, RUN),
        counters=new_records(len(rows.counters), COUNTER),
        apm_buckets=np.zeros(len(rows.apms), np.int64),
    )


def _new_recent(level: int, size: Size) -> Recent:
    matches = of_level(byte_table.MATCHES, level)
    dmcs = of_level(byte_table.DMCS, level)

    def has(first_level: int) -> int:
        return 1 if level >= first_level else 0

    return Recent(
        now=new_now(),
        features=np.zeros(FEATURES, np.int64),
        buffer=np.zeros(1 << size.buffer_bits, np.uint8),
        slots=aligned_zeros(1 << size.slot_bits, np.uint8),
        runs=np.zeros(1 << size.run_bits, np.uint32),
        counters=aligned_zeros(1 << size.counter_bits, np.uint32),
        matches=_new_matches(matches, size.match_bits),
        match_tables=np.zeros((len(matches), 1 << size.match_bits), np.int32),
        dmcs=_new_dmcs(dmcs),
        nodes=_new_nodes(len(dmcs), size.node_bits),
        indirect_1=np.zeros(256, np.int64),
        indirect_2=np.zeros(has(byte_table.INDIRECT_2_FROM_LEVEL) << 16, np.int64),
        indirect_3=np.zeros(has(byte_table.INDIRECT_3_FROM_LEVEL) << 16, np.int64),
        binary=new_records(1, BINARY),
        instructions=new_records(1, INSTRUCTIONS),
        a64=new_records(1, A64),
        font=new_records(1, FONT),
        class_files=new_records(1, CLASS_FILES),
        python_code=new_records(1, PYTHON_CODE),
        numbers=new_records(1, NUMBERS),
        squares=new_least_squares(SQUARES, 1),
        relocations=new_records(1, RELOCATIONS),
        syntax=new_records(has(byte_table.SYNTAX_FROM_LEVEL), SYNTAX),
        shown=new_records(1, SHOWN),
        tokens=new_records(has(byte_table.TOKENS_FROM_LEVEL), TOKENS),
        fields=new_records(has(byte_table.TOKENS_FROM_LEVEL), FIELDS),
        word_classes=np.zeros(
            has(byte_table.TOKENS_FROM_LEVEL) << word_classes.TABLE_BITS, np.uint16
        ),
    )


def new_now() -> Any:
    """Where a stream stands before its first byte: NOW[1]."""
    now = new_records(1, NOW)
    now["partial"] = now["node"] = 1
    now["error"] = FIRST_ERROR
    return now


def _context_rows(rows: Sequence[Context]) -> Any:
    return np.array([_context_numbers(row) for row in rows], np.int64).reshape(-1, 7)


def _context_numbers(row: Context) -> tuple[int, ...]:
    masks = [int(mask, 16) for mask in row.bytes.split()]
    masks += [0] * (8 - len(masks))
    low, high = (sum(m << 8 * k for k, m in enumerate(part)) for part in (masks[:4], masks[4:]))
    features = (*row.features, 0, 0, 0)[:3]
    plain = not row.features and masks == sorted(masks, reverse=True) and set(masks) <= {0, 255}
    return (low, high, *features, int(plain), LOCAL_STEP if row.local else 0)


def _apm_numbers(apms: Sequence[Apm]) -> Any:
    numbers, start = [], 0
    for row in apms:
        first, second = (*row.features, 0)[:2]
        numbers.append((first, second, start, (1 << row.table_bits) - 1))
        start += APM_BUCKETS << row.table_bits
    return np.array(numbers, np.int64)


def _new_matches(matches: Sequence[Match], table_bits: int) -> Any:
    state = new_records(len(matches), MATCH)
    for m, row in enumerate(matches):
        state[m]["minimum"] = row.minimum
        state[m]["shift"] = -(-table_bits // row.minimum)
        state[m]["map_index"] = -1
    return state


def _new_dmcs(dmcs: Sequence[Dmc]) -> Any:
    state = new_records(len(dmcs), DMC)
    for m, row in enumerate(dmcs):
        state[m]["threshold"] = row.threshold * ONE
        state[m]["lasting"] = row.lasting
    return state


def _new_nodes(dmcs: int, node_bits: int) -> Any:
    nodes = aligned_zeros(dmcs * NODE_FIELDS << node_bits, np.int32)
    return nodes.reshape(dmcs, 1 << node_bits, NODE_FIELDS)
