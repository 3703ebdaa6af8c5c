"""The block models of bytes bit by bit: inputs, gates and runs are what the table says they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from glnzip.format.block_type import BINARY, CALLS, LEXICON, TEXT, BlockType
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL
from glnzip.gln import zero_redundancy_logits
from glnzip.gln.network import BIAS, INPUTS
from glnzip.model.build import leave_mix, new_model
from glnzip.model.contexts import features as f
from glnzip.model.memory.direct_counters import counter_input
from glnzip.model.memory.run_map import CLASSES
from glnzip.model.memory.state_map import stretched
from glnzip.model.mixing.inputs import INPUTS_PER_CONTEXT
from glnzip.model.state import ByteParts
from glnzip.model.table import binary as binary_table
from glnzip.model.table import code as code_table
from glnzip.model.table import text as text_table
from tests.checks import sample
from tests.model.model_parts import for_bytes, of_level, with_short_tables
from tests.steps import OF_BYTES

pytestmark = pytest.mark.slow

begin_block, predict_bit, update_bit = OF_BYTES

DATA = sample(500)[:150] + bytes(40) + sample(1000)[-250:]


TABLES: dict[int, tuple[Any, Any]] = {
    TEXT: (text_table.CONTEXTS, text_table.GATES),
    BINARY: (binary_table.CONTEXTS, binary_table.GATES),
    CALLS: (code_table.CONTEXTS, code_table.GATES),
}


@pytest.fixture(scope="module", params=TABLES, ids=["text", "binary", "code"])
def form(request: pytest.FixtureRequest) -> Any:
    """A form of bytes, which is seen by a view of its own."""
    return request.param


@pytest.fixture(scope="module")
def model(form: int) -> Any:
    """Call to get a new model, that never exits early, so that the large network is asked."""

    def new() -> ByteParts:
        model = for_bytes(new_model(DEFAULT_LEVEL), form)
        model.byte_model.table.exit_threshold[0] = 0
        return model

    return new


def walk(model: ByteParts, form: int, data: bytes) -> Iterator[tuple[int, int]]:
    """Code bytes, and yield the place and the bits known of each bit before it is learned."""
    begin_block(model, BlockType(form))
    for place, byte in enumerate(data):
        for known in range(8):
            predict_bit(model)
            yield place, known
            update_bit(model, byte >> (7 - known) & 1)


def inputs_of(model: ByteParts) -> Any:
    """The inputs of the network's first layer, without bias and padding."""
    network = model.byte_model.learned.network
    return network.signals[: network.layers[0, INPUTS]]


def test_every_input_is_written_for_every_bit(model, form):
    now = model()
    inputs = inputs_of(now)
    signals = now.byte_model.learned.network.signals
    assert signals[len(inputs)] == BIAS, "the bias stands behind the last input"
    begin_block(now, BlockType(form))
    for byte in DATA[:60]:
        for known in range(8):
            inputs[:] = np.nan
            predict_bit(now)
            assert np.isfinite(inputs).all()
            update_bit(now, byte >> (7 - known) & 1)


def test_a_gate_is_its_feature_and_its_part_of_the_byte(model, form):
    now = model()
    gates = of_level(TABLES[form][1], DEFAULT_LEVEL)
    contexts = now.byte_model.learned.network.contexts
    for place, known in walk(now, form, DATA):
        so_far = 1 << known | DATA[place] >> (8 - known)
        for gate, context in zip(gates, contexts, strict=False):
            value = int(now.recent.features[gate.feature]) % gate.values
            if gate.bits == "partial":
                value = value * 256 + so_far
            elif gate.bits == "position":
                value = value * 8 + known
            assert context == value, gate.name


def test_features_of_the_bit(model, form):
    """What the matches and the known orders say, which `features` leaves to the view."""
    now = model()
    features, matches = now.recent.features, now.recent.matches
    orders = now.byte_model.table.contexts[:, 5].sum()
    known_orders, agreed = set(), 0
    for _ in walk(now, form, DATA):
        speaking = [int(match.expected) for match in matches if match.map_index >= 0]
        assert features[f.EXPECTED] == (speaking[-1] - 255 if speaking else 0)
        assert (features[f.MATCH_STRENGTH] > 0) == bool(speaking)
        assert features[f.MATCH_STRENGTH] <= 15
        assert features[f.MATCH_AND_LETTERS] == (
            features[f.MATCH_STRENGTH] * 16 + features[f.LETTERS]
        )
        known_orders.add(int(features[f.ORDER_HITS]))
        agreed += bool(speaking)
    assert known_orders == set(range(orders + 1))
    assert 0 < agreed < 8 * len(DATA)


def test_contexts_speak_once_they_have_been_seen(model, form):
    """A logit for each context, and its estimate's where one value alone was seen; 0 for none."""
    now = model()
    _, learned, scratch = now.byte_model
    contexts = len(scratch.contexts)
    learned_logits, estimates = inputs_of(now)[: 2 * contexts].reshape(2, contexts)
    seen: list[dict[tuple[int, int], list[int]]] = [{} for _ in scratch.contexts]
    ones = zero_redundancy_logits(0, np.arange(49)).tolist()
    for place, known in walk(now, form, DATA[:150]):
        so_far, bit = 1 << known | DATA[place] >> (8 - known), DATA[place] >> (7 - known) & 1
        for i, context in enumerate(scratch.contexts):
            counts = seen[i].setdefault((int(context.hash), so_far), [0, 0])
            if any(counts):
                assert learned_logits[i] == stretched(learned.state_maps[context.map_index])
                assert context.map_index // 256 == i
            else:
                assert learned_logits[i] == 0
            n0, n1 = (min(count, 48) for count in counts)
            estimate = 0.0 if n0 and n1 else ones[n1] - ones[n0]
            assert abs(estimates[i] - estimate) < 1e-5
            counts[bit] += 1


def test_runs_are_those_of_their_contexts(model, form):
    """A context's run is the byte that followed it last, as often as it did without a change.

    Contexts of the same hash in the same byte share a run, which the later one writes.
    """
    now = model()
    _, learned, scratch = now.byte_model
    inputs = inputs_of(now)[INPUTS_PER_CONTEXT * len(scratch.contexts) :]
    assert len(scratch.runs) == len(scratch.contexts)
    runs: dict[int, tuple[int, int, bool]] = {}  # by hash: byte, count, whether others came before
    agreed = 0
    for place, known in walk(now, form, DATA):
        keys = scratch.contexts["hash"].tolist()
        if known == 0:
            found = [runs.get(key, (0, 0, False)) for key in keys]
        for i, (run, (byte, count, branched)) in enumerate(zip(scratch.runs, found, strict=True)):
            assert run.run == branched << 19 | count << 8 | byte
            speaks = count > 0 and byte >> (8 - known) == DATA[place] >> (8 - known)
            assert (run.map_index >= 0) == speaks
            if speaks:
                assert run.map_index // CLASSES == i
                assert run.map_index % 2 == byte >> (7 - known) & 1
                assert inputs[i] == stretched(learned.run_maps[run.map_index])
                agreed += 1
            else:
                assert inputs[i] == 0
            if known == 7:
                same = count == 0 or byte == DATA[place]
                count = min(count + 1, 255) if same else 1
                runs[keys[i]] = DATA[place], count, branched or not same
    assert agreed > 1000


def test_each_direct_context_has_its_own_probability(model, form):
    """The same entry for the same context and bits of the byte, another one for others.

    None gives up its line in 60 bytes, and few do in all of the data.
    """
    now = model()
    block_model = now.byte_model
    counters = block_model.scratch.counters
    assert len(counters) > 0
    inputs = inputs_of(now)[-len(counters) - 1 : -1]  # the last is the first stage's
    entries: dict[tuple[int, int, int], int] = {}
    for bits, (place, known) in enumerate(walk(now, form, DATA)):
        if bits == 8 * 60:
            assert len(set(entries.values())) == len(entries)
        for i, counter in enumerate(counters):
            key = i, int(counter.hash), 1 << known | DATA[place] >> (8 - known)
            assert entries.setdefault(key, int(counter.entry)) == counter.entry
            assert inputs[i] == counter_input(now.recent.counters, counter.entry)
    assert len(set(entries.values())) > 0.99 * len(entries), "lines have owners"


@pytest.mark.parametrize("form", [TEXT, LEXICON, BINARY, CALLS])
def test_after_a_mix_local_contexts_are_others(form: int) -> None:
    """Local rows are, in binary data alone, and those with the segment; all other hashes stay."""
    hashes = []
    for mixes in range(2):
        whole = with_short_tables(new_model(MAX_LEVEL))
        whole.recent.now["mixed"] = mixes
        leave_mix(whole)
        model = for_bytes(whole, form)
        for _ in walk(model, form, DATA[:100]):
            pass
        scratch = model.byte_model.scratch
        hashes.append((scratch.contexts["hash"].tolist(), scratch.counters["hash"].tolist()))
    (before, directs_before), (after, directs_after) = hashes
    own, _ = TABLES[TEXT if form == LEXICON else form]
    for row, *pair in zip(of_level(own, MAX_LEVEL), before, after, strict=True):
        forgets = f.SEGMENT in row.features or (row.local and form == BINARY)
        assert (len(set(pair)) == 2) == forgets, row.name
    assert directs_before == directs_after
