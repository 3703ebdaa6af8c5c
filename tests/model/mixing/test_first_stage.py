"""The first stage predicts each bit first; on an early exit only what it asks speaks and learns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from glnzip.format.block_type import BINARY, TEXT, BlockType
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL
from glnzip.gln.logistic import squash
from glnzip.gln.network import INPUTS, Network
from glnzip.model.build import new_model
from glnzip.model.roles import named_arrays
from glnzip.model.state import ByteParts
from glnzip.model.step import for_the_coder
from glnzip.model.table import binary, text
from glnzip.model.table.rows import Context
from tests.checks import by_level, sample
from tests.model.model_parts import for_bytes, of_level
from tests.steps import OF_BYTES

begin_block, predict_bit, update_bit = OF_BYTES

DATA = sample(600)[:120] + bytes(30) + sample(600)[:60]
FORMS = pytest.mark.parametrize("form", [TEXT, BINARY], ids=["text", "binary"])


def new(form: int, share: float, level: int = DEFAULT_LEVEL) -> ByteParts:
    """A model that exits early below such a share of its error."""
    model = for_bytes(new_model(level), form)
    model.byte_model.table.exit_threshold[0] = share * 2**-32
    return model


def logit_of(first_stage: Network) -> Any:
    """The first stage's logit."""
    _, _, first, length, _, _ = first_stage.layers[-1]
    return first_stage.signals[first + length]


def walk(model: ByteParts, form: int) -> Iterator[int]:
    """Code bytes, and yield the prediction of each bit before it is learned."""
    begin_block(model, BlockType(form))
    for byte in DATA:
        for known in range(8):
            yield predict_bit(model)
            update_bit(model, byte >> (7 - known) & 1)


@FORMS
@pytest.mark.parametrize("level", by_level([DEFAULT_LEVEL, MAX_LEVEL]))
def test_it_is_asked_what_the_large_network_is(form: int, level: int) -> None:
    model = new(form, 0, level)
    table, learned, scratch = model.byte_model
    contexts = len(scratch.contexts)
    rows = table.first_stage_contexts
    network, first_stage = learned.network, learned.first_stage
    inputs = network.signals[: network.layers[0, INPUTS]]
    asked = first_stage.signals[: first_stage.layers[0, INPUTS]]
    others = inputs[2 * contexts + len(scratch.runs) : -1]
    not_asked = len(scratch.counters) - sum(row.first_stage for row in counters_of(form, level))
    for _ in walk(model, form):
        logits, estimates = inputs[:contexts], inputs[contexts : 2 * contexts]
        expected = logits[rows], estimates[rows], others[: len(others) - not_asked]
        assert np.array_equal(asked, np.concatenate(expected))
        assert inputs[-1] == logit_of(first_stage), "what it says is an input itself"


def counters_of(form: int, level: int) -> list[Context]:
    """The direct counters of a level."""
    return of_level((text if form == TEXT else binary).COUNTERS, level)


@FORMS
def test_an_early_exit_says_what_the_first_stage_says(form: int) -> None:
    model = new(form, 1.0)
    first_stage, now = model.byte_model.learned.first_stage, model.recent.now[0]
    early_exit = 0
    error = int(now["error"])
    for i, p in enumerate(walk(model, form)):
        z = logit_of(first_stage)
        assert now["error"] == error
        assert now["early_exit"] == (squash(-abs(z)) < np.float32(error) * np.float32(2**-32))
        wrong = 65536 - p if DATA[i // 8] >> (7 - i % 8) & 1 else p
        error += ((wrong << 16) - error) >> 12
        if now["early_exit"]:
            assert p == for_the_coder(squash(z))
            early_exit += 1
    assert 0.1 < early_exit / (8 * len(DATA)) < 0.9


@FORMS
def test_what_learns_on_an_early_exit(form: int) -> None:
    never, always = (
        {f"learned.{name}" for name in names.split()}
        for names in (
            "run_maps apm_maps network.weights network.steps",
            "state_maps match_maps first_stage.weights first_stage.steps",
        )
    )
    changed = {}
    for share in (np.inf, 0):
        model = new(form, share)
        before = {name: array.copy() for name, array in named_arrays(model.byte_model)}
        for _ in walk(model, form):
            pass
        after = named_arrays(model.byte_model)
        changed[share] = {name for name, array in after if not np.array_equal(array, before[name])}
        if share:
            fresh = before["learned.state_maps"].reshape(-1, 256)
            maps = model.byte_model.learned.state_maps.reshape(-1, 256)
            learned = np.flatnonzero((maps != fresh).any(axis=1))
            assert np.array_equal(learned, model.byte_model.table.first_stage_contexts)
        histories = model.recent.slots.any(), model.recent.runs.any(), model.recent.counters.any()
        assert all(histories), "what all share sees every bit"
    assert always <= changed[np.inf]
    assert not never & changed[np.inf]
    assert never | always <= changed[0]


def test_small_levels_have_none() -> None:
    model = for_bytes(new_model(MIN_LEVEL), TEXT)
    for _ in walk(model, TEXT):
        assert model.recent.now[0]["early_exit"] == 0
    assert not model.byte_model.learned.first_stage.steps.any()
