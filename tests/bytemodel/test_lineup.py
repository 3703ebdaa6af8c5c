"""The table of the model: complete, in range, and turned into arrays as it says."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pytest

from glnzip.bytemodel import (
    byte_inputs,
    image_view,
    lineup,
    number_lineup,
    numeric,
    pixel_lineup,
    pixel_view,
    sound_view,
)
from glnzip.bytemodel import features as f
from glnzip.bytemodel.build import new_model
from glnzip.bytemodel.context_memory import HISTORIES
from glnzip.bytemodel.final_adjust import KNOTS
from glnzip.bytemodel.markov_machine import FIRST_NODES
from glnzip.bytemodel.match_model import STRENGTHS
from glnzip.bytemodel.numeric import NumericView
from glnzip.bytemodel.pixel_build import gate_rows
from glnzip.bytemodel.pixel_view import PixelView
from glnzip.bytemodel.run_map import CLASSES, WAYS
from glnzip.bytemodel.scout import SCOUT_CONTEXTS, SCOUT_DIRECTS, SCOUT_END
from glnzip.bytemodel.state import ByteView, Recent
from glnzip.gln.lanes import LANES
from glnzip.gln.network import INPUTS, SIGNALS, Network
from glnzip.levels import LEVELS, memory_bytes, model_bytes
from tests.bytemodel.model_parts import arrays_of, networks_of, of_level

TABLES: dict[str, Any] = {
    "contexts": lineup.CONTEXTS,
    "binary contexts": lineup.BINARY_CONTEXTS,
    "directs": lineup.DIRECTS,
    "binary directs": lineup.BINARY_DIRECTS,
    "gates": lineup.GATES,
    "binary gates": lineup.BINARY_GATES,
    "scout gates": lineup.SCOUT_GATES,
    "adjustments": lineup.ADJUSTMENTS,
    "binary adjustments": lineup.BINARY_ADJUSTMENTS,
    "matches": lineup.MATCHES,
    "machines": lineup.MACHINES,
}
OWN = ("contexts", "directs", "gates", "adjustments")
VIEWS = {"as_text": OWN, "as_binary": tuple(f"binary {name}" for name in OWN)}
"""The views of bytes, and the tables that they do not share."""

WRAPPED = {"last byte, six bits of second"}
"""Gates whose rows are fewer than the values of their feature, to save memory."""

LARGEST = {
    f.NONE: 0,
    f.LETTERS: 15,
    f.EXPECTED: 256,
    f.MATCH_STRENGTH: 15,
    f.CODE_PLACE: 15,
    f.CODE_GATE: 4095,
    f.HEIGHTS: 65535,
    f.PAIR: 65535,
    f.CLASS_AND_LETTERS: 4095,
    f.PLACE_IN_4: 3,
    f.FOURS_AND_PLACE: 1023,
    f.SINCE: 63,
} | dict.fromkeys(
    (
        f.LAST,
        f.SECOND,
        f.THIRD,
        f.COLUMN,
        f.ABOVE,
        f.ABOVE_TWICE,
        f.MATCH_AND_LETTERS,
        f.ZERO_SINCE,
        f.UP,
        f.SAME_UP,
        f.TEXT_LEFT,
        f.PLANE,
        f.FIELD,
        f.CLASS,
        f.FOURS_NOW,
        f.FOLLOWED_TOPS,
        f.FOLLOWED_FEW,
        f.FOLLOWER,
        f.FOLLOWER_OF_PAIR,
    ),
    255,
)
"""Of the features whose values are numbers, not hashes or strings of bits: the largest."""


def used_features(row: Any) -> tuple[int, ...]:
    return (row.feature,) if isinstance(row, lineup.Gate) else getattr(row, "features", ())


def what_it_means(row: Any) -> tuple[Any, ...]:
    fields = row._asdict()
    return tuple(fields[name] for name in fields if name not in ("name", "level", "last"))


@pytest.mark.parametrize("name", TABLES)
def test_rows_are_distinct(name):
    rows = TABLES[name]
    names = {getattr(row, "name", row) for row in rows}
    meanings = {what_it_means(row) for row in rows}
    assert len(names) == len(meanings) == len(rows)
    assert all(row.level in LEVELS for row in rows), "a row of no level is never used"


@pytest.mark.parametrize("level", LEVELS)
def test_what_every_level_needs(level):
    rows = {name: of_level(table, level) for name, table in TABLES.items()}
    dispensable = ("directs", "binary directs", "machines", "scout gates")
    assert all(rows[name] for name in TABLES if name not in dispensable)
    for name in ("gates", "binary gates"):
        layers = [gate.layer for gate in rows[name]]
        assert set(layers) == {0, 1}
        assert layers == sorted(layers), "neurons are numbered layer by layer"


def test_features_exist_and_each_is_used():
    rows = list(chain(*TABLES.values()))
    used = {feature for row in rows for feature in used_features(row)}
    assert used | {f.NONE} == set(range(f.FEATURES)), "a feature that no row uses costs time only"


@pytest.mark.parametrize(
    "row",
    [*lineup.CONTEXTS, *lineup.BINARY_CONTEXTS, *lineup.DIRECTS, *lineup.BINARY_DIRECTS],
    ids=lambda row: row.name,
)
def test_contexts_read_at_most_eight_bytes_and_three_features(row):
    masks = row.bytes.split()
    assert len(masks) <= 8
    assert all(len(mask) == 2 and 0 <= int(mask, 16) <= 255 for mask in masks)
    assert not masks or int(masks[-1], 16), "a mask that ends in 00 reads less than it says"
    assert len(row.features) <= 3


@pytest.mark.parametrize(
    "row",
    [*lineup.GATES, *lineup.BINARY_GATES, *lineup.SCOUT_GATES],
    ids=lambda row: row.name,
)
def test_gates(row):
    assert row.bits in lineup.BITS
    assert row.values >= 1
    assert row.values & (row.values - 1) == 0, "kernels take a value by a mask"
    if row.name not in WRAPPED:
        assert row.values > LARGEST.get(row.feature, 0), "two values would share their weights"


def test_a_form_knows_no_feature_of_the_other():
    """For a block of text the features of binary data stand still, and the other way round."""
    for table, not_seen in (
        (lineup.TEXT_TABLE, range(f.PAIR_SINCE, f.IDENTIFIER)),
        (lineup.BINARY_TABLE, range(f.IDENTIFIER, f.FEATURES)),
    ):
        rows = chain(table.contexts, table.directs, table.gates, table.adjustments)
        assert not any(feature in not_seen for row in rows for feature in used_features(row))


@pytest.mark.parametrize("view", VIEWS)
def test_masks_reach_the_kernels(view):
    numbers_of = getattr(new_model(LEVELS[-1]), view).lineup
    for rows, numbers_of_rows in (
        (TABLES[VIEWS[view][0]], numbers_of.contexts),
        (TABLES[VIEWS[view][1]], numbers_of.directs),
    ):
        for row, numbers in zip(of_level(rows, LEVELS[-1]), numbers_of_rows, strict=True):
            masks = bytes(int(mask, 16) for mask in row.bytes.split()).ljust(8, b"\0")
            assert numbers[0] == int.from_bytes(masks[:4], "little")
            assert numbers[1] == int.from_bytes(masks[4:], "little")
            assert tuple(numbers[2:5]) == (*row.features, 0, 0, 0)[:3]
            order = len(row.bytes.split())
            assert numbers[5] == (not row.features and masks == (b"\xff" * order).ljust(8, b"\0"))


# What a kernel may index lies inside, whatever the data: Numba does not check.


@pytest.mark.parametrize("level", LEVELS)
def test_arrays_fit_together(level):
    model = new_model(level)
    for name in VIEWS:
        check_byte_view(name, getattr(model, name), model.recent, level)
    check_pixel_view(model.as_pixels)
    for numbers, table in ((model.as_image.numbers, IMAGE), (model.as_sound.numbers, SOUND)):
        check_numeric_view(numbers, table)
    check_recent(model.recent)
    for network in networks_of(model):
        check_network(network)


def check_byte_view(name: str, view: ByteView, recent: Recent, level: int) -> None:
    numbers, learned, scratch = view
    rows = {name: of_level(table, level) for name, table in TABLES.items()}
    rows |= {own: rows[table] for own, table in zip(OWN, VIEWS[name], strict=True)}
    runs = len(rows["contexts"]) if level >= lineup.RUNS_FROM_LEVEL else 0
    for array, name in (
        (numbers.contexts, "contexts"),
        (scratch.contexts, "contexts"),
        (numbers.directs, "directs"),
        (scratch.directs, "directs"),
        (numbers.gates, "gates"),
        (numbers.adjustments, "adjustments"),
        (scratch.knots, "adjustments"),
        (recent.matches, "matches"),
        (recent.match_tables, "matches"),
        (recent.machines, "machines"),
        (recent.nodes, "machines"),
    ):
        assert len(array) == len(rows[name])
    assert len(scratch.runs) == runs
    assert len(scratch.histories) == HISTORIES * len(rows["contexts"])
    assert len(learned.state_maps) == 256 * len(rows["contexts"])
    assert len(learned.run_maps) == CLASSES * runs
    assert len(learned.match_maps) == STRENGTHS * len(rows["matches"])
    assert len(learned.machine_maps) == 256 * len(rows["machines"])

    others = byte_inputs.INPUTS_PER_MATCH * len(
        rows["matches"]
    ) + byte_inputs.INPUTS_PER_MACHINE * len(rows["machines"])
    directs = len(rows["directs"])
    per_context = byte_inputs.INPUTS_PER_CONTEXT
    of_contexts = per_context * len(rows["contexts"]) + byte_inputs.INPUTS_PER_RUN * runs
    scouts = int(level in lineup.DOUBT)
    assert learned.network.layers[0, INPUTS] == of_contexts + others + directs + scouts
    if scouts:
        assert SCOUT_END <= len(rows["contexts"])
        asked = per_context * SCOUT_CONTEXTS + others + min(directs, SCOUT_DIRECTS)
        assert learned.scout.layers[0, INPUTS] == asked
        check_gates(learned.scout, numbers.scout_gates, rows["scout gates"])
    assert (len(numbers.scout_gates) > 0) == (numbers.doubt[0] > 0) == scouts
    check_gates(learned.network, numbers.gates, rows["gates"])
    check_curves(numbers.adjustments, learned.curves)


def check_gates(network: Network, numbers: Any, gates: list[lineup.Gate]) -> None:
    """Neurons choose a row by a gate; where the last such are several, one more sees them all."""
    gated = [gate.values * lineup.BITS[gate.bits][0] for gate in gates]
    several = len([gate for gate in gates if gate.layer == gates[-1].layer]) > 1
    assert network.rows.tolist() == [*gated, *[1] * several]
    assert (numbers[:, 1] == [gate.values - 1 for gate in gates]).all()


def check_curves(adjustments: Any, curves: Any) -> None:
    starts, masks = adjustments.T[2:]
    knots = [*np.diff(starts), len(curves) - starts[-1]]
    assert [KNOTS * (mask + 1) for mask in masks] == knots
    assert (masks & (masks + 1) == 0).all()
    assert (masks >= 255).all(), "the bits of the byte so far must be told apart"


def check_pixel_view(view: PixelView) -> None:
    contexts = len(pixel_lineup.CONTEXTS)
    assert len(view.contexts) == len(view.used) == contexts
    assert len(view.state_maps) == contexts * pixel_view.HISTORIES
    assert len(view.rows) == len(view.windows) == pixel_view.ROWS
    assert is_power_of_two(len(view.slots)), "indices are masked"
    assert pixel_view.INPUTS_PER_CONTEXT * contexts < neuron_widths(view.network)[0]
    assert view.network.rows.tolist() == [*map(gate_rows, pixel_lineup.GATES), 1]
    layers = [gate.layer for gate in pixel_lineup.GATES]
    assert layers == sorted(layers), "neurons are numbered layer by layer"


class NumberTable(NamedTuple):
    """The table of a numeric view."""

    experts: int
    features: int
    contexts: Sequence[tuple[int, ...]]
    gates: Sequence[number_lineup.Gate]


IMAGE = NumberTable(
    image_view.EXPERTS,
    image_view.FEATURES,
    number_lineup.IMAGE_CONTEXTS,
    number_lineup.IMAGE_GATES,
)
SOUND = NumberTable(
    sound_view.EXPERTS,
    sound_view.FEATURES,
    number_lineup.SOUND_CONTEXTS,
    number_lineup.SOUND_GATES,
)


@pytest.mark.parametrize("table", [IMAGE, SOUND], ids=["image", "sound"])
def test_rows_of_numbers(table):
    assert len(set(table.contexts)) == len(table.contexts)
    assert len(set(table.gates)) == len(table.gates)
    used = {gate.feature for gate in table.gates} | set(chain(*table.contexts))
    assert used | {0} == set(range(table.features)), "a feature that no row uses costs time only"
    assert all(len(row) <= numeric.CONTEXT_FEATURES for row in table.contexts)
    assert all(gate.values >= 1 and gate.bits in lineup.BITS for gate in table.gates)


def check_numeric_view(view: NumericView, table: NumberTable) -> None:
    assert len(view.experts) == table.experts
    assert len(view.shapes) == table.experts * numeric.SHAPES
    assert len(view.features) == table.features
    assert len(view.contexts) == len(view.hashes) == len(view.line) == len(table.contexts)
    assert is_power_of_two(len(view.lines)), "indices are masked"
    inputs = numeric.INPUTS_PER_EXPERT * table.experts
    inputs += numeric.INPUTS_PER_CONTEXT * len(table.contexts)
    assert inputs < neuron_widths(view.network)[0], "there is a bias as well"
    gates = [*table.gates, number_lineup.FINAL_GATE]
    gated = [gate.values * lineup.BITS[gate.bits][0] for gate in gates]
    assert view.network.rows.tolist() == gated
    assert (view.gates[:, 1] == [gate.values - 1 for gate in gates]).all()


def check_recent(recent: Recent) -> None:
    assert len(recent.features) == f.FEATURES
    for table in (recent.ring, recent.slots, recent.runs, recent.directs, recent.match_tables[0]):
        assert is_power_of_two(len(table)), "indices are masked"
    assert len(recent.slots) >= 4096, "a bucket and its kin share a page"
    assert len(recent.runs) >= WAYS
    assert recent.nodes.shape[1] > FIRST_NODES, "a machine has room to grow"


def check_network(network: Network) -> None:
    assert (network.layers[:, INPUTS] < network.layers[:, SIGNALS]).all(), "there is a bias as well"
    ends = network.first_weight + network.rows * neuron_widths(network)
    starts = np.append(network.first_weight[1:], network.weights.size)
    assert ((ends <= starts) & (starts < ends + LANES)).all()
    assert (starts % LANES == 0).all(), "rows begin with a cache line, if they are that long"


def neuron_widths(network: Network) -> Any:
    """The length of each neuron's weight rows."""
    return np.concatenate([np.full(layer[1], layer[3]) for layer in network.layers])


def is_power_of_two(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0


@pytest.mark.parametrize("level", LEVELS)
def test_memory_is_as_stated(level):
    """`model_bytes` is a part of what error messages and `glnzip info` say."""
    size = sum(array.nbytes for _, array in arrays_of(new_model(level)))
    assert 0.9 * model_bytes(level) <= size <= model_bytes(level)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the system does not tell")
@pytest.mark.parametrize("level", [1, 6])
def test_a_process_takes_what_is_stated(level: int) -> None:
    """With every page of a model touched, which takes long data otherwise."""
    program = f"""
import numpy as np
from glnzip.block_codec import BlockCodec
from glnzip.plan import BINARY, BYTES, IMAGE, BlockPlan
from tests.bytemodel.model_parts import arrays_of

codec = BlockCodec({level})
for plan in (BlockPlan(BYTES, 0), BlockPlan(BYTES, 0, form=BINARY), BlockPlan(IMAGE, 60, 3)):
    codec.learn(bytes(range(200)), plan)
for _, array in arrays_of(codec.model):
    content = array.view(np.ndarray).reshape(-1).view(np.uint8)
    content[::4096] = content[::4096].copy()
print(open("/proc/self/status").read())
"""
    for _ in range(2):  # the first process may have to compile, which takes more
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    (line,) = (line for line in done.stdout.decode().splitlines() if line.startswith("VmHWM"))
    assert 0.9 * memory_bytes(level) <= 1024 * int(line.split()[1]) <= 1.1 * memory_bytes(level)
