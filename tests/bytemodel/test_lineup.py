"""The table of the model: complete, in range, and turned into arrays as it says."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import pytest

from glnzip.bytemodel import features as f
from glnzip.bytemodel import lineup
from glnzip.bytemodel.build import new_model
from glnzip.bytemodel.final_adjust import KNOTS
from glnzip.levels import LEVELS, memory_bytes

TABLES: dict[str, Any] = {
    "contexts": lineup.CONTEXTS,
    "gates": lineup.GATES,
    "adjustments": lineup.ADJUSTMENTS,
    "matches": lineup.MATCHES,
}
LARGEST = {f.NONE: 0, f.KNOWN_ORDERS: 15, f.EXPECTED: 256, f.MATCH_STRENGTH: 15, f.LETTERS: 15}


def used_features(row: Any) -> tuple[int, ...]:
    return (row.feature,) if isinstance(row, lineup.Gate) else getattr(row, "features", ())


def what_it_means(row: Any) -> tuple[Any, ...]:
    return tuple(v for field, v in row._asdict().items() if field not in ("name", "level"))


@pytest.mark.parametrize("name", TABLES)
def test_rows_are_distinct_and_some_serve_every_level(name):
    rows = TABLES[name]
    names = {getattr(row, "name", row) for row in rows}
    meanings = {what_it_means(row) for row in rows}
    assert len(names) == len(meanings) == len(rows)
    assert all(row.level in LEVELS for row in rows), "a row of no level is never used"
    assert any(row.level == LEVELS[0] for row in rows)


def test_features_exist_and_each_is_used():
    rows = list(chain(*TABLES.values()))
    used = {feature for row in rows for feature in used_features(row)}
    assert used <= set(range(f.FEATURES))
    assert set(range(f.FEATURES)) - used <= {f.NONE, f.TEXT_FORM}, "features that cost time only"


@pytest.mark.parametrize("row", lineup.CONTEXTS, ids=lambda row: row.name)
def test_contexts_read_at_most_eight_bytes_and_three_features(row):
    masks = row.bytes.split()
    assert len(masks) <= 8
    assert all(len(mask) == 2 and 0 <= int(mask, 16) <= 255 for mask in masks)
    assert not masks or int(masks[-1], 16), "a mask that ends in 00 reads less than it says"
    assert len(row.features) <= 3


@pytest.mark.parametrize("row", lineup.GATES, ids=lambda row: row.name)
def test_gates(row):
    assert row.bits in lineup.BITS
    assert row.values >= 1


def test_masks_reach_the_kernels():
    model = new_model(LEVELS[-1])
    for row, numbers in zip(lineup.CONTEXTS, model.lineup.contexts, strict=True):
        masks = bytes(int(mask, 16) for mask in row.bytes.split()).ljust(8, b"\0")
        assert numbers[0] == int.from_bytes(masks[:4], "little")
        assert numbers[1] == int.from_bytes(masks[4:], "little")
        assert tuple(numbers[2:5]) == (*row.features, 0, 0, 0)[:3]
        order = len(row.bytes.split())
        assert numbers[5] == (not row.features and masks == (b"\xff" * order).ljust(8, b"\0"))


@pytest.mark.parametrize("level", LEVELS)
def test_arrays_fit_together(level):
    """What a kernel may index lies inside, whatever the data: Numba does not check."""
    numbers, learned, recent = new_model(level)
    contexts = len(numbers.contexts)
    counts = {name: sum(row.level <= level for row in rows) for name, rows in TABLES.items()}
    assert contexts == counts["contexts"]
    assert len(numbers.gates) == counts["gates"]
    assert len(numbers.adjustments) == counts["adjustments"]
    for array in (recent.hashes, recent.places, recent.buckets, recent.maps_used):
        assert len(array) == contexts
    assert len(learned.state_maps) == 256 * contexts
    assert len(recent.matches) == len(recent.match_tables) == counts["matches"]
    assert len(recent.features) == f.FEATURES

    for array in (recent.ring, recent.slots, recent.match_tables[0], learned.pixel_map):
        assert len(array) & (len(array) - 1) == 0, "indices are masked"
    assert len(recent.slots) >= 4096, "a bucket and its kin share a page"

    # Neurons that choose a row by a gate come first; the others have but one.
    gated = [g for g in lineup.GATES if g.level <= level]
    rows = [g.values * lineup.BITS[g.bits][0] for g in gated]
    assert learned.network.rows.tolist() == rows + [1] * (len(learned.network.rows) - len(rows))
    pixel_rows = [1 << gate.before + gate.above + gate.twice for gate in lineup.PIXEL_GATES]
    assert learned.pixel_network.rows[: len(pixel_rows)].tolist() == pixel_rows
    for network in (learned.network, learned.pixel_network):
        ends = network.first_weight + network.rows * neuron_widths(network)
        assert (ends[:-1] == network.first_weight[1:]).all()
        assert ends[-1] == network.weights.size

    starts, masks = numbers.adjustments.T[2:]
    knots = [*np.diff(starts), len(learned.curves) - starts[-1]]
    assert [KNOTS * (mask + 1) for mask in masks] == knots
    assert (masks & (masks + 1) == 0).all()
    assert (masks >= 255).all(), "the bits of the byte so far must be told apart"


def neuron_widths(network: Any) -> Any:
    """The length of each neuron's weight rows."""
    return np.concatenate([np.full(layer[1], layer[3]) for layer in network.layers])


@pytest.mark.parametrize("level", LEVELS)
def test_memory_is_as_stated(level):
    """`memory_bytes` is what error messages and `glnzip info` say."""
    size = sum(array.nbytes for array in arrays_in(new_model(level)))
    assert 0.7 * memory_bytes(level) <= size <= memory_bytes(level)


def arrays_in(part: Any) -> list[Any]:
    return [part] if isinstance(part, np.ndarray) else [a for each in part for a in arrays_in(each)]
