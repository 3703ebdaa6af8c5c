"""From the table of a level to arrays: a new model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glnzip.bytemodel import byte_inputs, word_classes
from glnzip.bytemodel import lineup as table
from glnzip.bytemodel.adaptive_map import make_quick, new_map
from glnzip.bytemodel.binary_features import BINARY
from glnzip.bytemodel.bit_history import FIRST_GUESS
from glnzip.bytemodel.context_memory import HISTORIES
from glnzip.bytemodel.features import FEATURES, SEGMENT
from glnzip.bytemodel.final_adjust import KNOTS, new_curves
from glnzip.bytemodel.markov_machine import MACHINE, NODE_FIELDS, ONE
from glnzip.bytemodel.match_model import STRENGTHS
from glnzip.bytemodel.number_build import new_image_view, new_sound_view
from glnzip.bytemodel.pixel_build import new_pixel_view
from glnzip.bytemodel.records import new_records
from glnzip.bytemodel.run_map import CLASSES
from glnzip.bytemodel.scout import SCOUT_CONTEXTS, SCOUT_DIRECTS
from glnzip.bytemodel.state import (
    CONTEXT,
    DIRECT,
    MATCH,
    NOW,
    RUN,
    ByteView,
    Learned,
    Lineup,
    Model,
    Recent,
    Scratch,
)
from glnzip.bytemodel.syntax import SYNTAX
from glnzip.bytemodel.tokens import TOKENS
from glnzip.gln.aligned import aligned_zeros
from glnzip.gln.learning_rate import decaying
from glnzip.gln.network import Network, new_network

LOCAL_STEP = 256  # more than there are rows: from a row's number in a document to that in the next
DOCUMENTS = 1 << 16  # hashes of more would not fit int64
_FIRST_COUNT = 12  # first guesses, and what a prior taught, are trusted as so many bits seen
_FIRST_ERROR = 1 << 28  # a sixteenth: that of text, roughly
_SCOUT_STEPS = 40  # after a prior, a row of the scout's weights is as quick as after so many bits


class _Rows(NamedTuple):
    """The rows of the table that a view of bytes uses at a level."""

    contexts: list[table.Context]
    runs: int
    directs: list[table.Context]
    matches: list[table.Match]
    machines: list[table.Machine]
    gates: list[table.Gate]
    adjustments: list[table.Adjustment]
    first_weight: float
    scout_gates: list[table.Gate]
    doubt: float


def new_model(level: int) -> Model:
    """Allocate a model that has seen nothing."""
    size = table.SIZES[level]
    return Model(
        as_text=_new_byte_view(level, table.TEXT_TABLE),
        as_binary=_new_byte_view(level, table.BINARY_TABLE),
        as_pixels=new_pixel_view(size.pixel_bits),
        as_image=new_image_view(size.number_bits),
        as_sound=new_sound_view(size.number_bits),
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
    model.recent.machines["used"][~model.recent.machines["lasting"]] = 0
    for view, rates in (
        (model.as_text, decaying(0.015, 0.002, 150.0)),
        (model.as_binary, decaying(0.02, 0.002, 400.0)),
    ):
        learned = view.learned
        for entries in (
            learned.state_maps,
            learned.run_maps,
            learned.match_maps,
            learned.machine_maps,
            learned.curves,
        ):
            make_quick(entries, _FIRST_COUNT)
        network = learned.network
        np.minimum(network.steps, 1, out=network.steps)
        network.rates[0] = rates
        np.minimum(learned.scout.steps, _SCOUT_STEPS, out=learned.scout.steps)


def _new_byte_view(level: int, own: table.ByteTable) -> ByteView:
    used = _of_level(own.contexts, level)
    rows = _Rows(
        used,
        len(used) if level >= table.RUNS_FROM_LEVEL else 0,
        _of_level(own.directs, level),
        _of_level(table.MATCHES, level),
        _of_level(table.MACHINES, level),
        _of_level(own.gates, level),
        _of_level(own.adjustments, level),
        own.first_weight,
        _of_level(table.SCOUT_GATES, level),
        table.DOUBT.get(level, 0.0),
    )
    return ByteView(_new_lineup(rows), _new_learned(rows), _new_scratch(rows))


def _new_lineup(rows: _Rows) -> Lineup:
    return Lineup(
        contexts=_context_rows(rows.contexts),
        directs=_context_rows(rows.directs),
        gates=_gate_numbers(rows.gates),
        scout_gates=_gate_numbers(rows.scout_gates),
        doubt=np.array([rows.doubt], np.float32) * np.float32(2**-32),
        adjustments=_adjustment_numbers(rows.adjustments),
        shares=np.array([1 / (len(rows.adjustments) + 1)], np.float32),
    )


def _new_learned(rows: _Rows) -> Learned:
    ones = np.arange(max(STRENGTHS, CLASSES)) & 1  # the expected bit is the lowest of an index
    return Learned(
        state_maps=np.tile(new_map(FIRST_GUESS, _FIRST_COUNT), len(rows.contexts)),
        run_maps=np.tile(new_map(np.where(ones[:CLASSES], 0.8, 0.2), 0), rows.runs),
        match_maps=np.tile(new_map(np.where(ones[:STRENGTHS], 0.9, 0.1), 0), len(rows.matches)),
        machine_maps=np.tile(new_map(FIRST_GUESS, _FIRST_COUNT), len(rows.machines)),
        curves=new_curves(sum(1 << a.table_bits for a in rows.adjustments)),
        network=_new_byte_network(rows),
        scout=_new_scout(rows),
    )


def _new_scratch(rows: _Rows) -> Scratch:
    return Scratch(
        contexts=new_records(len(rows.contexts), CONTEXT),
        histories=np.zeros(HISTORIES * len(rows.contexts), np.uint8),
        runs=new_records(rows.runs, RUN),
        directs=new_records(len(rows.directs), DIRECT),
        knots=np.zeros(len(rows.adjustments), np.int64),
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
        byte_inputs.INPUTS_PER_CONTEXT * len(rows.contexts)
        + byte_inputs.INPUTS_PER_RUN * rows.runs
        + _other_inputs(rows, len(rows.directs))
        + (1 if rows.scout_gates else 0),
        rows=layers,
        rates=rates[: len(layers)],
        start=[rows.first_weight, None, None][: len(layers)],
        weight_bound=np.inf,
    )


def _new_scout(rows: _Rows) -> Network:
    return new_network(
        byte_inputs.INPUTS_PER_CONTEXT * SCOUT_CONTEXTS
        + _other_inputs(rows, min(len(rows.directs), SCOUT_DIRECTS)),
        rows=[[_gate_rows(g) for g in rows.scout_gates] or [1], [1]],
        rates=[decaying(0.02, 0.001, 400.0), decaying(0.002, 0.0003, 200.0)],
        start=[0.06, None],
        weight_bound=np.inf,
    )


def _other_inputs(rows: _Rows, directs: int) -> int:
    """How many inputs there are of matches, of machines, and of so many direct maps."""
    return (
        byte_inputs.INPUTS_PER_MATCH * len(rows.matches)
        + byte_inputs.INPUTS_PER_MACHINE * len(rows.machines)
        + byte_inputs.INPUTS_PER_DIRECT * directs
    )


def _new_recent(level: int) -> Recent:
    size = table.SIZES[level]
    matches = _of_level(table.MATCHES, level)
    machines = _of_level(table.MACHINES, level)
    recent = Recent(
        now=new_records(1, NOW),
        features=np.zeros(FEATURES, np.int64),
        ring=np.zeros(1 << size.ring_bits, np.uint8),
        slots=aligned_zeros(1 << size.slot_bits, np.uint8),
        runs=np.zeros(1 << size.run_bits, np.uint32),
        directs=aligned_zeros(1 << size.direct_bits, np.uint32),
        matches=_new_matches(matches, size.match_bits),
        match_tables=np.zeros((len(matches), 1 << size.match_bits), np.int32),
        machines=_new_machines(machines),
        nodes=_new_nodes(len(machines), size.node_bits),
        followers_last=np.zeros(256, np.int64),
        followers_pair=np.zeros(65536, np.int64),
        followers_three=np.zeros(65536, np.int64),
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


def _adjustment_numbers(adjustments: Sequence[table.Adjustment]) -> Any:
    numbers, start = [], 0
    for row in adjustments:
        first, second = (*row.features, 0)[:2]
        numbers.append((first, second, start, (1 << row.table_bits) - 1))
        start += KNOTS << row.table_bits
    return np.array(numbers, np.int64)


def _new_matches(matches: Sequence[table.Match], table_bits: int) -> Any:
    state = new_records(len(matches), MATCH)
    for m, row in enumerate(matches):
        state[m]["minimum"] = row.minimum
        state[m]["shift"] = -(-table_bits // row.minimum)
        state[m]["map_index"] = -1
    return state


def _new_machines(machines: Sequence[table.Machine]) -> Any:
    state = new_records(len(machines), MACHINE)
    for m, row in enumerate(machines):
        state[m]["threshold"] = row.threshold * ONE
        state[m]["lasting"] = row.lasting
    return state


def _new_nodes(machines: int, node_bits: int) -> Any:
    nodes = aligned_zeros(machines * NODE_FIELDS << node_bits, np.int32)
    return nodes.reshape(machines, 1 << node_bits, NODE_FIELDS)
