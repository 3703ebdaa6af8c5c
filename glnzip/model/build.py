"""From the table of a level to arrays: a new model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.aligned import aligned_zeros
from glnzip.gln.learning_rate import decaying
from glnzip.gln.network import Network, new_network
from glnzip.jit.records import new_records
from glnzip.model import table
from glnzip.model.contexts import word_classes
from glnzip.model.contexts.binary import BINARY
from glnzip.model.contexts.features import FEATURES, SEGMENT
from glnzip.model.contexts.syntax import SYNTAX
from glnzip.model.contexts.tokens import TOKENS
from glnzip.model.media.bitmap_build import new_bitmap_model
from glnzip.model.media.sample_build import new_audio_model, new_image_model
from glnzip.model.memory.bit_history import FIRST_GUESS
from glnzip.model.memory.context_memory import HISTORIES
from glnzip.model.memory.dmc import DMC, NODE_FIELDS, ONE
from glnzip.model.memory.match_model import STRENGTHS
from glnzip.model.memory.run_map import CLASSES
from glnzip.model.memory.state_map import make_quick, new_map
from glnzip.model.mixing import inputs
from glnzip.model.mixing.apm import APM_BUCKETS, new_apms
from glnzip.model.mixing.first_stage import FIRST_STAGE_CONTEXTS, FIRST_STAGE_COUNTERS
from glnzip.model.state import (
    CONTEXT,
    DIRECT,
    MATCH,
    NOW,
    RUN,
    ByteModel,
    Learned,
    Model,
    Recent,
    Scratch,
    Table,
)

LOCAL_STEP = 256  # more than there are rows: from a row's number in a document to that in the next
DOCUMENTS = 1 << 16  # hashes of more would not fit int64
_FIRST_COUNT = 12  # first guesses, and what a prior taught, are trusted as so many bits seen
_FIRST_ERROR = 1 << 28  # a sixteenth: that of text, roughly
_FIRST_STAGE_STEPS = (
    40  # after a prior, a row of the first stage's weights is as quick as after so many bits
)


class _Rows(NamedTuple):
    """The rows of the table that a block model of bytes uses at a level."""

    contexts: list[table.Context]
    runs: int
    directs: list[table.Context]
    matches: list[table.Match]
    dmcs: list[table.Dmc]
    gates: list[table.Gate]
    apms: list[table.Apm]
    first_weight: float
    first_stage_gates: list[table.Gate]
    exit_threshold: float


def new_model(level: int) -> Model:
    """Allocate a model that has seen nothing."""
    size = table.SIZES[level]
    return Model(
        text=_new_byte_model(level, table.TEXT_TABLE),
        binary=_new_byte_model(level, table.BINARY_TABLE),
        bitmap=new_bitmap_model(size.bitmap_bits),
        image=new_image_model(size.sample_bits),
        audio=new_audio_model(size.sample_bits),
        recent=_new_recent(level),
    )


def leave_mix(model: Model) -> None:
    """If a mix of everything was read, local contexts forget: they know records of other kinds."""
    now = model.recent.now[0]
    if now["mixed"]:
        now["mixed"] = 0
        now["document"] = (now["document"] + 1) % DOCUMENTS
        model.recent.features[SEGMENT] += 1


def restart_learning(model: Model) -> None:
    """Make weights and maps quick again after a prior, for a short while.

    By then they hardly move any more; but data differ from the prior, tables and code above all.
    Machines that are not lasting start afresh.
    """
    model.recent.dmcs["used"][~model.recent.dmcs["lasting"]] = 0
    for block_model, rates in (
        (model.text, decaying(0.015, 0.002, 150.0)),
        (model.binary, decaying(0.02, 0.002, 400.0)),
    ):
        learned = block_model.learned
        for entries in (
            learned.state_maps,
            learned.run_maps,
            learned.match_maps,
            learned.dmc_maps,
            learned.apm_maps,
        ):
            make_quick(entries, _FIRST_COUNT)
        network = learned.network
        np.minimum(network.steps, 1, out=network.steps)
        network.rates[0] = rates
        np.minimum(learned.first_stage.steps, _FIRST_STAGE_STEPS, out=learned.first_stage.steps)


def _new_byte_model(level: int, own: table.ByteTable) -> ByteModel:
    used = _of_level(own.contexts, level)
    rows = _Rows(
        used,
        len(used) if level >= table.RUNS_FROM_LEVEL else 0,
        _of_level(own.directs, level),
        _of_level(table.MATCHES, level),
        _of_level(table.DMCS, level),
        _of_level(own.gates, level),
        _of_level(own.apms, level),
        own.first_weight,
        _of_level(table.FIRST_STAGE_GATES, level),
        table.EXIT_THRESHOLDS.get(level, 0.0),
    )
    return ByteModel(_new_lineup(rows), _new_learned(rows), _new_scratch(rows))


def _new_lineup(rows: _Rows) -> Table:
    return Table(
        contexts=_context_rows(rows.contexts),
        directs=_context_rows(rows.directs),
        gates=_gate_numbers(rows.gates),
        first_stage_gates=_gate_numbers(rows.first_stage_gates),
        exit_threshold=np.array([rows.exit_threshold], np.float32) * np.float32(2**-32),
        apms=_apm_numbers(rows.apms),
        shares=np.array([1 / (len(rows.apms) + 1)], np.float32),
    )


def _new_learned(rows: _Rows) -> Learned:
    ones = np.arange(max(STRENGTHS, CLASSES)) & 1  # the expected bit is the lowest of an index
    return Learned(
        state_maps=np.tile(new_map(FIRST_GUESS, _FIRST_COUNT), len(rows.contexts)),
        run_maps=np.tile(new_map(np.where(ones[:CLASSES], 0.8, 0.2), 0), rows.runs),
        match_maps=np.tile(new_map(np.where(ones[:STRENGTHS], 0.9, 0.1), 0), len(rows.matches)),
        dmc_maps=np.tile(new_map(FIRST_GUESS, _FIRST_COUNT), len(rows.dmcs)),
        apm_maps=new_apms(sum(1 << a.table_bits for a in rows.apms)),
        network=_new_byte_network(rows),
        first_stage=_new_first_stage(rows),
    )


def _new_scratch(rows: _Rows) -> Scratch:
    return Scratch(
        contexts=new_records(len(rows.contexts), CONTEXT),
        histories=np.zeros(HISTORIES * len(rows.contexts), np.uint8),
        runs=new_records(rows.runs, RUN),
        directs=new_records(len(rows.directs), DIRECT),
        apm_buckets=np.zeros(len(rows.apms), np.int64),
    )


def _new_byte_network(rows: _Rows) -> Network:
    layers = [[_gate_rows(g) for g in rows.gates if g.layer == layer] for layer in (0, 1)]
    if len(layers[-1]) > 1:  # one neuron speaks for all of them
        layers.append([1])
    rates = [
        decaying(0.015, 0.002, 1600.0),
        decaying(0.005, 0.001, 600.0),
        decaying(0.002, 0.0003, 200.0),
    ]
    return new_network(
        inputs.INPUTS_PER_CONTEXT * len(rows.contexts)
        + inputs.INPUTS_PER_RUN * rows.runs
        + _other_inputs(rows, len(rows.directs))
        + (1 if rows.first_stage_gates else 0),
        rows=layers,
        rates=rates[: len(layers)],
        start=[rows.first_weight, None, None][: len(layers)],
        weight_bound=np.inf,
    )


def _new_first_stage(rows: _Rows) -> Network:
    return new_network(
        inputs.INPUTS_PER_CONTEXT * FIRST_STAGE_CONTEXTS
        + _other_inputs(rows, min(len(rows.directs), FIRST_STAGE_COUNTERS)),
        rows=[[_gate_rows(g) for g in rows.first_stage_gates] or [1], [1]],
        rates=[decaying(0.02, 0.001, 400.0), decaying(0.002, 0.0003, 200.0)],
        start=[0.06, None],
        weight_bound=np.inf,
    )


def _other_inputs(rows: _Rows, directs: int) -> int:
    """How many inputs there are of matches, of DMC models, and of so many direct counters."""
    return (
        inputs.INPUTS_PER_MATCH * len(rows.matches)
        + inputs.INPUTS_PER_DMC * len(rows.dmcs)
        + inputs.INPUTS_PER_DIRECT * directs
    )


def _new_recent(level: int) -> Recent:
    size = table.SIZES[level]
    matches = _of_level(table.MATCHES, level)
    dmcs = _of_level(table.DMCS, level)
    recent = Recent(
        now=new_records(1, NOW),
        features=np.zeros(FEATURES, np.int64),
        buffer=np.zeros(1 << size.buffer_bits, np.uint8),
        slots=aligned_zeros(1 << size.slot_bits, np.uint8),
        runs=np.zeros(1 << size.run_bits, np.uint32),
        directs=aligned_zeros(1 << size.direct_bits, np.uint32),
        matches=_new_matches(matches, size.match_bits),
        match_tables=np.zeros((len(matches), 1 << size.match_bits), np.int32),
        dmcs=_new_dmcs(dmcs),
        nodes=_new_nodes(len(dmcs), size.node_bits),
        indirect_1=np.zeros(256, np.int64),
        indirect_2=np.zeros(65536, np.int64),
        indirect_3=np.zeros(65536, np.int64),
        binary=new_records(1, BINARY),
        syntax=new_records(1, SYNTAX),
        tokens=new_records(1 if level >= table.TOKENS_FROM_LEVEL else 0, TOKENS),
        word_classes=np.zeros(1 << word_classes.TABLE_BITS, np.uint16),
    )
    now = recent.now[0]
    now["partial"] = now["node"] = 1
    now["error"] = _FIRST_ERROR
    return recent


def _of_level(rows: Sequence[Any], level: int) -> list[Any]:
    return [row for row in rows if row.level <= level <= row.last]


def _context_rows(rows: Sequence[table.Context]) -> Any:
    return np.array([_context_numbers(row) for row in rows], np.int64).reshape(-1, 7)


def _context_numbers(row: table.Context) -> tuple[int, ...]:
    masks = [int(mask, 16) for mask in row.bytes.split()]
    masks += [0] * (8 - len(masks))
    low, high = (sum(m << 8 * k for k, m in enumerate(part)) for part in (masks[:4], masks[4:]))
    features = (*row.features, 0, 0, 0)[:3]
    plain = not row.features and masks == sorted(masks, reverse=True) and set(masks) <= {0, 255}
    return (low, high, *features, int(plain), LOCAL_STEP if row.local else 0)


def _gate_numbers(gates: Sequence[table.Gate]) -> Any:
    numbers = [(g.feature, g.values - 1, table.BITS[g.bits][1]) for g in gates]
    return np.array(numbers, np.int64).reshape(-1, 3)


def _gate_rows(gate: table.Gate) -> int:
    return gate.values * table.BITS[gate.bits][0]


def _apm_numbers(apms: Sequence[table.Apm]) -> Any:
    numbers, start = [], 0
    for row in apms:
        first, second = (*row.features, 0)[:2]
        numbers.append((first, second, start, (1 << row.table_bits) - 1))
        start += APM_BUCKETS << row.table_bits
    return np.array(numbers, np.int64)


def _new_matches(matches: Sequence[table.Match], table_bits: int) -> Any:
    state = new_records(len(matches), MATCH)
    for m, row in enumerate(matches):
        state[m]["minimum"] = row.minimum
        state[m]["shift"] = -(-table_bits // row.minimum)
        state[m]["map_index"] = -1
    return state


def _new_dmcs(dmcs: Sequence[table.Dmc]) -> Any:
    state = new_records(len(dmcs), DMC)
    for m, row in enumerate(dmcs):
        state[m]["threshold"] = row.threshold * ONE
        state[m]["lasting"] = row.lasting
    return state


def _new_nodes(dmcs: int, node_bits: int) -> Any:
    nodes = aligned_zeros(dmcs * NODE_FIELDS << node_bits, np.int32)
    return nodes.reshape(dmcs, 1 << node_bits, NODE_FIELDS)
