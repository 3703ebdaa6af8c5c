"""The table of the model: complete, in range, and turned into arrays as it says."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import pytest

from glnzip.format.levels import LEVELS, memory_bytes, model_bytes
from glnzip.gln.network import INPUTS, SIGNALS, Network
from glnzip.jit.lanes import LANES
from glnzip.model.build import FEATURES, new_model
from glnzip.model.contexts import binary as b
from glnzip.model.contexts import code as c
from glnzip.model.contexts import features as f
from glnzip.model.contexts import fields as i
from glnzip.model.contexts import numbers as n
from glnzip.model.contexts import syntax as s
from glnzip.model.contexts import tokens as t
from glnzip.model.contexts import word_classes as w
from glnzip.model.media import (
    audio_model,
    bitmap_model,
    image_model,
    sample_model,
)
from glnzip.model.media.bitmap_model import BitmapModel
from glnzip.model.media.sample_model import SampleModel
from glnzip.model.memory import pattern_slots
from glnzip.model.memory.context_memory import HISTORIES
from glnzip.model.memory.dmc import FIRST_NODES
from glnzip.model.memory.match_model import STRENGTHS
from glnzip.model.memory.run_map import CLASSES, WAYS
from glnzip.model.mixing import inputs
from glnzip.model.mixing.apm import APM_BUCKETS
from glnzip.model.roles import ROLES, is_one_of, named_arrays
from glnzip.model.state import ByteModel, Recent
from glnzip.model.table import bitmap, byte_table
from glnzip.model.table.audio import AUDIO
from glnzip.model.table.binary import BINARY
from glnzip.model.table.byte_table import FIRST_STAGE, ByteTable
from glnzip.model.table.code import CODE
from glnzip.model.table.image import IMAGE
from glnzip.model.table.numbers import NUMBERS
from glnzip.model.table.rows import BITS, Gate
from glnzip.model.table.sample_table import SampleTable
from glnzip.model.table.sizes import SIZES
from glnzip.model.table.text import TEXT
from tests.model.model_parts import networks_of, of_level

BYTE_TABLES: dict[str, ByteTable] = {
    "text": TEXT,
    "binary": BINARY,
    "code": CODE,
    "numbers": NUMBERS,
}
"""By block model: the table that it has to itself."""
TABLES: dict[str, Any] = {
    **{
        f"{name} {rows}": getattr(own, rows)
        for name, own in BYTE_TABLES.items()
        for rows in ("contexts", "counters", "gates", "apms")
    },
    "first stage gates": FIRST_STAGE.gates,
    "matches": byte_table.MATCHES,
    "dmcs": byte_table.DMCS,
}

WRAPPED = {"last byte, six bits of second"}
"""Gates whose rows are fewer than the values of their feature, to save memory."""

LARGEST = {
    f.NONE: 0,
    f.LETTERS: 15,
    f.EXPECTED: 256,
    f.MATCH_STRENGTH: 15,
    c.CODE_PLACE: 15,
    c.CODE_GATE: 4095,
    c.CODE_BEFORE_GATE: 4095,
    b.HEIGHTS: 65535,
    f.PAIR: 65535,
    w.CLASS_AND_LETTERS: 4095,
    b.PLACE_IN_4: 3,
    b.FOURS_AND_PLACE: 1023,
    t.SINCE: 63,
    n.NUMBER_PLACE: 127,
    **dict.fromkeys(range(n.NEARNESS_LAST, n.NUMBER_PLACE), 39 * 16 + 15),
} | dict.fromkeys(
    (
        f.LAST,
        f.SECOND,
        f.THIRD,
        f.COLUMN,
        f.ABOVE,
        f.ABOVE_TWICE,
        f.MATCH_AND_LETTERS,
        b.ZERO_SINCE,
        b.UP,
        b.SAME_UP,
        b.TEXT_LEFT,
        b.PLANE,
        b.FIELD,
        w.CLASS,
        b.FOURS_NOW,
        b.INDIRECT_TOPS,
        b.INDIRECT_FEW,
        b.INDIRECT_BYTE_1,
        b.INDIRECT_BYTE_2,
    ),
    255,
)
"""Of the features whose values are numbers, not hashes or strings of bits: the largest."""


def used_features(row: Any) -> tuple[int, ...]:
    return (row.feature,) if isinstance(row, Gate) else getattr(row, "features", ())


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
    dispensable = (*(f"{name} counters" for name in BYTE_TABLES), "dmcs", "first stage gates")
    assert all(rows[name] for name in TABLES if name not in dispensable)
    for name in (f"{name} gates" for name in BYTE_TABLES):
        layers = [gate.layer for gate in rows[name]]
        assert set(layers) == {0, 1}
        assert layers == sorted(layers), "neurons are numbered layer by layer"


def test_features_exist_and_each_is_used():
    rows = list(chain(*TABLES.values()))
    used = {feature for row in rows for feature in used_features(row)}
    assert used | {f.NONE} == set(range(FEATURES)), "a feature that no row uses costs time only"


@pytest.mark.parametrize("level", LEVELS)
def test_levels_follow_what_their_rows_ask_for(level):
    rows = chain(*(of_level(part, level) for part in TABLES.values()))
    used = {feature for row in rows for feature in used_features(row)}
    recent = new_model(level).recent
    for features, first_level, arrays in (
        (range(c.END, s.END), byte_table.SYNTAX_FROM_LEVEL, ("syntax",)),
        ([f.INDIRECT_2], byte_table.INDIRECT_2_FROM_LEVEL, ("indirect_2",)),
        ([f.INDIRECT_3], byte_table.INDIRECT_3_FROM_LEVEL, ("indirect_3",)),
        (range(w.CLASS, w.END), byte_table.TOKENS_FROM_LEVEL, ("word_classes",)),
        (range(w.END, i.END), byte_table.TOKENS_FROM_LEVEL, ("tokens", "fields")),
    ):
        asked = any(feature in used for feature in features)
        assert asked == (level >= first_level)
        assert all((getattr(recent, name).size > 0) == asked for name in arrays)


@pytest.mark.parametrize(
    "row",
    [row for own in BYTE_TABLES.values() for row in (*own.contexts, *own.counters)],
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
    [*TEXT.gates, *BINARY.gates, *FIRST_STAGE.gates, *IMAGE.gates, *AUDIO.gates],
    ids=lambda row: row.name,
)
def test_gates(row):
    assert row.bits in BITS
    assert row.values >= 1
    assert row.values & (row.values - 1) == 0, "kernels take a value by a mask"


@pytest.mark.parametrize(
    "row", [*TEXT.gates, *BINARY.gates, *FIRST_STAGE.gates], ids=lambda row: row.name
)
def test_gates_tell_values_apart(row):
    if row.name not in WRAPPED:
        assert row.values > LARGEST.get(row.feature, 0), "two values would share their weights"


@pytest.mark.parametrize("name", BYTE_TABLES)
def test_what_the_first_stage_asks_is_used_by_every_level_that_has_one(name):
    """What it asks must not depend on the level, or its weights would mean something else."""
    own = BYTE_TABLES[name]
    levels = range(FIRST_STAGE.gates[0].level, LEVELS[-1] + 1)
    assert set(levels) == {level for level in LEVELS if SIZES[level].exit_threshold}
    asked = [row for row in own.contexts if row.first_stage]
    assert asked
    assert all(row in of_level(own.contexts, level) for row in asked for level in levels)


def test_text_knows_no_feature_of_binary_data():
    """For a block of text the features of binary data stand still, and the other way round."""
    for own, not_seen in (
        (TEXT, range(f.END, c.END)),
        (BINARY, range(c.END, FEATURES)),
        (CODE, range(c.END, FEATURES)),
    ):
        rows = chain(own.contexts, own.counters, own.gates, own.apms)
        assert not any(feature in not_seen for row in rows for feature in used_features(row))


@pytest.mark.parametrize("name", BYTE_TABLES)
def test_masks_reach_the_kernels(name):
    own, arrays = BYTE_TABLES[name], getattr(new_model(LEVELS[-1]), name).table
    for rows, numbers_of_rows in (
        (own.contexts, arrays.contexts),
        (own.counters, arrays.counters),
    ):
        for row, numbers in zip(of_level(rows, LEVELS[-1]), numbers_of_rows, strict=True):
            masks = bytes(int(mask, 16) for mask in row.bytes.split()).ljust(8, b"\0")
            assert numbers[0] == int.from_bytes(masks[:4], "little")
            assert numbers[1] == int.from_bytes(masks[4:], "little")
            assert tuple(numbers[2:5]) == (*row.features, 0, 0, 0)[:3]
            order = len(row.bytes.split())
            assert numbers[5] == (not row.features and masks == (b"\xff" * order).ljust(8, b"\0"))


def test_every_array_has_one_role():
    for name, _ in named_arrays(new_model(LEVELS[0])):
        assert sum(is_one_of(name, patterns) for patterns in ROLES) == 1, name


# What a kernel may index lies inside, whatever the data: Numba does not check.


@pytest.mark.parametrize("level", LEVELS)
def test_arrays_fit_together(level):
    model = new_model(level)
    for name in BYTE_TABLES:
        check_byte_model(name, getattr(model, name), model.recent, level)
    check_bitmap_model(model.bitmap)
    for block_model, own, module in (
        (model.image.samples, IMAGE, image_model),
        (model.audio.samples, AUDIO, audio_model),
    ):
        check_sample_model(block_model, own, module)
    check_recent(model.recent)
    for network in networks_of(model):
        check_network(network)


def check_byte_model(name: str, block_model: ByteModel, recent: Recent, level: int) -> None:
    numbers, learned, scratch = block_model
    rows = {part: of_level(TABLES[part], level) for part in TABLES}
    rows |= {part: rows[f"{name} {part}"] for part in ("contexts", "counters", "gates", "apms")}
    runs = len(rows["contexts"]) if level >= byte_table.RUNS_FROM_LEVEL else 0
    for array, part in (
        (numbers.contexts, "contexts"),
        (scratch.contexts, "contexts"),
        (numbers.counters, "counters"),
        (scratch.counters, "counters"),
        (numbers.gates, "gates"),
        (numbers.apms, "apms"),
        (scratch.apm_buckets, "apms"),
        (recent.matches, "matches"),
        (recent.match_tables, "matches"),
        (recent.dmcs, "dmcs"),
        (recent.nodes, "dmcs"),
    ):
        assert len(array) == len(rows[part])
    assert len(scratch.runs) == runs
    assert len(scratch.histories) == HISTORIES * len(rows["contexts"])
    assert len(learned.state_maps) == 256 * len(rows["contexts"])
    assert len(learned.run_maps) == CLASSES * runs
    assert len(learned.match_maps) == STRENGTHS * len(rows["matches"])
    assert len(learned.dmc_maps) == 256 * len(rows["dmcs"])

    places = inputs.Places(len(rows["contexts"]), runs, len(rows["matches"]), len(rows["dmcs"]))
    first_stage = int(SIZES[level].exit_threshold > 0)
    width = places.counters + len(rows["counters"]) + first_stage
    assert learned.network.layers[0, INPUTS] == width
    asked = [*numbers.first_stage_contexts, *numbers.other_contexts]
    assert sorted(asked) == list(range(len(rows["contexts"]))), "each is gathered once"
    if first_stage:
        those = [i for i, row in enumerate(rows["contexts"]) if row.first_stage]
        assert numbers.first_stage_contexts.tolist() == those
        assert learned.first_stage.layers[0, INPUTS] == len(numbers.first_stage_inputs)
        assert (numbers.first_stage_inputs < width - 1).all(), "its own word is none of them"
        check_gates(learned.first_stage, numbers.first_stage_gates, rows["first stage gates"])
    else:
        assert not len(numbers.first_stage_contexts)
    assert (len(numbers.first_stage_gates) > 0) == (numbers.exit_threshold[0] > 0) == first_stage
    check_gates(learned.network, numbers.gates, rows["gates"])
    check_apms(numbers.apms, learned.apm_maps)


def check_gates(network: Network, numbers: Any, gates: Sequence[Gate]) -> None:
    """Neurons choose a row by a gate; where the last such are several, one more sees them all."""
    several = len([gate for gate in gates if gate.layer == gates[-1].layer]) > 1
    assert network.rows.tolist() == [*(gate.rows for gate in gates), *[1] * several]
    assert (numbers[:, 1] == [gate.values - 1 for gate in gates]).all()


def check_apms(apms: Any, apm_maps: Any) -> None:
    starts, masks = apms.T[2:]
    lengths = [*np.diff(starts), len(apm_maps) - starts[-1]]
    assert [APM_BUCKETS * (mask + 1) for mask in masks] == lengths
    assert (masks & (masks + 1) == 0).all()
    assert (masks >= 255).all(), "the bits of the byte so far must be told apart"


def check_bitmap_model(block_model: BitmapModel) -> None:
    contexts = len(bitmap.CONTEXTS)
    assert len(block_model.contexts) == len(block_model.used) == contexts
    assert len(block_model.state_maps) == contexts * pattern_slots.HISTORIES
    assert len(block_model.rows) == len(block_model.windows) == bitmap_model.ROWS
    assert is_power_of_two(len(block_model.slots)), "indices are masked"
    assert pattern_slots.INPUTS_PER_CONTEXT * contexts < neuron_widths(block_model.network)[0]
    assert block_model.network.rows.tolist() == [*(gate.rows for gate in bitmap.GATES), 1]
    layers = [gate.layer for gate in bitmap.GATES]
    assert layers == sorted(layers), "neurons are numbered layer by layer"


@pytest.mark.parametrize(
    ("own", "module"),
    [(IMAGE, image_model), (AUDIO, audio_model)],
    ids=["image", "audio"],
)
def test_rows_of_samples(own: SampleTable, module: Any) -> None:
    assert len(set(own.contexts)) == len(own.contexts)
    assert len(set(own.gates)) == len(own.gates)
    used = {gate.feature for gate in own.gates} | set(chain(*own.contexts))
    assert used | {0} == set(range(module.FEATURES)), "a feature that no row uses costs time only"
    assert all(len(row) <= sample_model.CONTEXT_FEATURES for row in own.contexts)


def check_sample_model(block_model: SampleModel, own: SampleTable, module: Any) -> None:
    assert len(block_model.experts) == module.EXPERTS
    assert len(block_model.shapes) == module.EXPERTS * sample_model.SHAPES
    assert len(block_model.features) == module.FEATURES
    for array in (block_model.contexts, block_model.hashes, block_model.line):
        assert len(array) == len(own.contexts)
    assert is_power_of_two(len(block_model.lines)), "indices are masked"
    width = sample_model.INPUTS_PER_EXPERT * module.EXPERTS
    width += sample_model.INPUTS_PER_CONTEXT * len(own.contexts)
    assert width < neuron_widths(block_model.network)[0], "there is a bias as well"
    check_gates(block_model.network, block_model.gates, own.gates)


def check_recent(recent: Recent) -> None:
    assert len(recent.features) == FEATURES
    for array in (
        recent.buffer,
        recent.slots,
        recent.runs,
        recent.counters,
        recent.match_tables[0],
    ):
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
    """`make docs` has been run: what error messages and `glnzip info` say is what arrays take."""
    size = sum(array.nbytes for _, array in named_arrays(new_model(level)))
    assert model_bytes(level) - (1 << 20) < size <= model_bytes(level)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the system does not tell")
@pytest.mark.parametrize("level", [1, 6])
def test_a_process_takes_what_is_stated(level: int) -> None:
    """With every page of a model touched, which takes long data otherwise."""
    program = f"""
import numpy as np
from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import BINARY, IMAGE, TEXT, BlockType
from glnzip.model.build import new_model
from glnzip.model.roles import named_arrays

codec = BlockCodec(new_model({level}))
for plan in (BlockType(TEXT), BlockType(BINARY), BlockType(IMAGE, 60, 3)):
    codec.learn(bytes(range(200)), plan)
for _, array in named_arrays(codec.model):
    content = array.view(np.ndarray).reshape(-1).view(np.uint8)
    content[::4096] = content[::4096].copy()
print(open("/proc/self/status").read())
"""
    for _ in range(2):  # the first process may have to compile, which takes more
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    (line,) = (line for line in done.stdout.decode().splitlines() if line.startswith("VmHWM"))
    assert 0.9 * memory_bytes(level) <= 1024 * int(line.split()[1]) <= 1.1 * memory_bytes(level)
