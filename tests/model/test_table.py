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

from glnzip.format.levels import LEVELS, memory_bytes, model_bytes
from glnzip.gln.network import INPUTS, SIGNALS, Network
from glnzip.jit.lanes import LANES
from glnzip.model import table
from glnzip.model.build import new_model
from glnzip.model.contexts import features as f
from glnzip.model.media import (
    audio_model,
    bitmap_model,
    bitmap_table,
    image_model,
    sample_model,
    sample_table,
)
from glnzip.model.media.bitmap_build import gate_rows
from glnzip.model.media.bitmap_model import BitmapModel
from glnzip.model.media.sample_model import SampleModel
from glnzip.model.memory.context_memory import HISTORIES
from glnzip.model.memory.dmc import FIRST_NODES
from glnzip.model.memory.match_model import STRENGTHS
from glnzip.model.memory.run_map import CLASSES, WAYS
from glnzip.model.mixing import inputs
from glnzip.model.mixing.apm import APM_BUCKETS
from glnzip.model.mixing.first_stage import (
    FIRST_STAGE_CONTEXTS,
    FIRST_STAGE_COUNTERS,
    FIRST_STAGE_TO,
)
from glnzip.model.state import ByteModel, Recent
from tests.model.model_parts import arrays_of, networks_of, of_level

TABLES: dict[str, Any] = {
    "contexts": table.CONTEXTS,
    "binary contexts": table.BINARY_CONTEXTS,
    "directs": table.DIRECTS,
    "binary directs": table.BINARY_DIRECTS,
    "gates": table.GATES,
    "binary gates": table.BINARY_GATES,
    "scout gates": table.FIRST_STAGE_GATES,
    "apms": table.APMS,
    "binary adjustments": table.BINARY_APMS,
    "matches": table.MATCHES,
    "dmcs": table.DMCS,
}
OWN = ("contexts", "directs", "gates", "apms")
VIEWS = {"text": OWN, "binary": tuple(f"binary {name}" for name in OWN)}
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
        f.INDIRECT_TOPS,
        f.INDIRECT_FEW,
        f.INDIRECT_BYTE_1,
        f.INDIRECT_BYTE_2,
    ),
    255,
)
"""Of the features whose values are numbers, not hashes or strings of bits: the largest."""


def used_features(row: Any) -> tuple[int, ...]:
    return (row.feature,) if isinstance(row, table.Gate) else getattr(row, "features", ())


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
    rows = {name: of_level(part, level) for name, part in TABLES.items()}
    dispensable = ("directs", "binary directs", "dmcs", "scout gates")
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
    [*table.CONTEXTS, *table.BINARY_CONTEXTS, *table.DIRECTS, *table.BINARY_DIRECTS],
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
    [*table.GATES, *table.BINARY_GATES, *table.FIRST_STAGE_GATES],
    ids=lambda row: row.name,
)
def test_gates(row):
    assert row.bits in table.BITS
    assert row.values >= 1
    assert row.values & (row.values - 1) == 0, "kernels take a value by a mask"
    if row.name not in WRAPPED:
        assert row.values > LARGEST.get(row.feature, 0), "two values would share their weights"


def test_a_form_knows_no_feature_of_the_other():
    """For a block of text the features of binary data stand still, and the other way round."""
    for own, not_seen in (
        (table.TEXT_TABLE, range(f.PAIR_SINCE, f.IDENTIFIER)),
        (table.BINARY_TABLE, range(f.IDENTIFIER, f.FEATURES)),
    ):
        rows = chain(own.contexts, own.directs, own.gates, own.apms)
        assert not any(feature in not_seen for row in rows for feature in used_features(row))


@pytest.mark.parametrize("name", VIEWS)
def test_masks_reach_the_kernels(name):
    numbers_of = getattr(new_model(LEVELS[-1]), name).table
    for rows, numbers_of_rows in (
        (TABLES[VIEWS[name][0]], numbers_of.contexts),
        (TABLES[VIEWS[name][1]], numbers_of.directs),
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
        check_byte_model(name, getattr(model, name), model.recent, level)
    check_bitmap_model(model.bitmap)
    for block_model, own in ((model.image.numbers, IMAGE), (model.audio.numbers, AUDIO)):
        check_sample_model(block_model, own)
    check_recent(model.recent)
    for network in networks_of(model):
        check_network(network)


def check_byte_model(name: str, block_model: ByteModel, recent: Recent, level: int) -> None:
    numbers, learned, scratch = block_model
    rows = {name: of_level(part, level) for name, part in TABLES.items()}
    rows |= {own: rows[part] for own, part in zip(OWN, VIEWS[name], strict=True)}
    runs = len(rows["contexts"]) if level >= table.RUNS_FROM_LEVEL else 0
    for array, name in (
        (numbers.contexts, "contexts"),
        (scratch.contexts, "contexts"),
        (numbers.directs, "directs"),
        (scratch.directs, "directs"),
        (numbers.gates, "gates"),
        (numbers.apms, "apms"),
        (scratch.apm_buckets, "apms"),
        (recent.matches, "matches"),
        (recent.match_tables, "matches"),
        (recent.dmcs, "dmcs"),
        (recent.nodes, "dmcs"),
    ):
        assert len(array) == len(rows[name])
    assert len(scratch.runs) == runs
    assert len(scratch.histories) == HISTORIES * len(rows["contexts"])
    assert len(learned.state_maps) == 256 * len(rows["contexts"])
    assert len(learned.run_maps) == CLASSES * runs
    assert len(learned.match_maps) == STRENGTHS * len(rows["matches"])
    assert len(learned.dmc_maps) == 256 * len(rows["dmcs"])

    others = inputs.INPUTS_PER_MATCH * len(rows["matches"]) + inputs.INPUTS_PER_DMC * len(
        rows["dmcs"]
    )
    directs = len(rows["directs"])
    per_context = inputs.INPUTS_PER_CONTEXT
    of_contexts = per_context * len(rows["contexts"]) + inputs.INPUTS_PER_RUN * runs
    scouts = int(level in table.EXIT_THRESHOLDS)
    assert learned.network.layers[0, INPUTS] == of_contexts + others + directs + scouts
    if scouts:
        assert FIRST_STAGE_TO <= len(rows["contexts"])
        asked = per_context * FIRST_STAGE_CONTEXTS + others + min(directs, FIRST_STAGE_COUNTERS)
        assert learned.first_stage.layers[0, INPUTS] == asked
        check_gates(learned.first_stage, numbers.first_stage_gates, rows["scout gates"])
    assert (len(numbers.first_stage_gates) > 0) == (numbers.exit_threshold[0] > 0) == scouts
    check_gates(learned.network, numbers.gates, rows["gates"])
    check_apms(numbers.apms, learned.apm_maps)


def check_gates(network: Network, numbers: Any, gates: list[table.Gate]) -> None:
    """Neurons choose a row by a gate; where the last such are several, one more sees them all."""
    gated = [gate.values * table.BITS[gate.bits][0] for gate in gates]
    several = len([gate for gate in gates if gate.layer == gates[-1].layer]) > 1
    assert network.rows.tolist() == [*gated, *[1] * several]
    assert (numbers[:, 1] == [gate.values - 1 for gate in gates]).all()


def check_apms(apms: Any, apm_maps: Any) -> None:
    starts, masks = apms.T[2:]
    lengths = [*np.diff(starts), len(apm_maps) - starts[-1]]
    assert [APM_BUCKETS * (mask + 1) for mask in masks] == lengths
    assert (masks & (masks + 1) == 0).all()
    assert (masks >= 255).all(), "the bits of the byte so far must be told apart"


def check_bitmap_model(block_model: BitmapModel) -> None:
    contexts = len(bitmap_table.CONTEXTS)
    assert len(block_model.contexts) == len(block_model.used) == contexts
    assert len(block_model.state_maps) == contexts * bitmap_model.HISTORIES
    assert len(block_model.rows) == len(block_model.windows) == bitmap_model.ROWS
    assert is_power_of_two(len(block_model.slots)), "indices are masked"
    assert bitmap_model.INPUTS_PER_CONTEXT * contexts < neuron_widths(block_model.network)[0]
    assert block_model.network.rows.tolist() == [*map(gate_rows, bitmap_table.GATES), 1]
    layers = [gate.layer for gate in bitmap_table.GATES]
    assert layers == sorted(layers), "neurons are numbered layer by layer"


class SampleTable(NamedTuple):
    """The table of a numeric view."""

    experts: int
    features: int
    contexts: Sequence[tuple[int, ...]]
    gates: Sequence[sample_table.Gate]


IMAGE = SampleTable(
    image_model.EXPERTS,
    image_model.FEATURES,
    sample_table.IMAGE_CONTEXTS,
    sample_table.IMAGE_GATES,
)
AUDIO = SampleTable(
    audio_model.EXPERTS,
    audio_model.FEATURES,
    sample_table.AUDIO_CONTEXTS,
    sample_table.AUDIO_GATES,
)


@pytest.mark.parametrize("own", [IMAGE, AUDIO], ids=["image", "audio"])
def test_rows_of_samples(own):
    assert len(set(own.contexts)) == len(own.contexts)
    assert len(set(own.gates)) == len(own.gates)
    used = {gate.feature for gate in own.gates} | set(chain(*own.contexts))
    assert used | {0} == set(range(own.features)), "a feature that no row uses costs time only"
    assert all(len(row) <= sample_model.CONTEXT_FEATURES for row in own.contexts)
    assert all(gate.values >= 1 and gate.bits in table.BITS for gate in own.gates)


def check_sample_model(block_model: SampleModel, own: SampleTable) -> None:
    assert len(block_model.experts) == own.experts
    assert len(block_model.shapes) == own.experts * sample_model.SHAPES
    assert len(block_model.features) == own.features
    assert (
        len(block_model.contexts)
        == len(block_model.hashes)
        == len(block_model.line)
        == len(own.contexts)
    )
    assert is_power_of_two(len(block_model.lines)), "indices are masked"
    inputs = sample_model.INPUTS_PER_EXPERT * own.experts
    inputs += sample_model.INPUTS_PER_CONTEXT * len(own.contexts)
    assert inputs < neuron_widths(block_model.network)[0], "there is a bias as well"
    gates = [*own.gates, sample_table.FINAL_GATE]
    gated = [gate.values * table.BITS[gate.bits][0] for gate in gates]
    assert block_model.network.rows.tolist() == gated
    assert (block_model.gates[:, 1] == [gate.values - 1 for gate in gates]).all()


def check_recent(recent: Recent) -> None:
    assert len(recent.features) == f.FEATURES
    for array in (recent.buffer, recent.slots, recent.runs, recent.directs, recent.match_tables[0]):
        assert is_power_of_two(len(array)), "indices are masked"
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
from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import BINARY, BYTES, IMAGE, BlockType
from glnzip.model.build import new_model
from tests.model.model_parts import arrays_of

codec = BlockCodec(new_model({level}))
for plan in (BlockType(BYTES, 0), BlockType(BYTES, 0, form=BINARY), BlockType(IMAGE, 60, 3)):
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
