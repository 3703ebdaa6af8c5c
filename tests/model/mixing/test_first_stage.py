"""The scout is asked first; where it is sure, only what it asks has a say, and learns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from glnzip.format.block_type import BINARY, BYTES, TEXT, BlockType
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL
from glnzip.gln.logistic import squash
from glnzip.gln.network import INPUTS, Network
from glnzip.model.build import new_model
from glnzip.model.mixing.first_stage import FIRST_STAGE_COUNTERS, FIRST_STAGE_FROM, FIRST_STAGE_TO
from glnzip.model.state import ByteParts
from glnzip.model.step import for_the_coder
from tests.checks import sample
from tests.model.model_parts import arrays_of, for_bytes
from tests.steps import OF_BYTES

begin_block, predict_bit, update_bit = OF_BYTES

DATA = sample(600)[:120] + bytes(30) + sample(600)[:60]
FORMS = pytest.mark.parametrize("form", [TEXT, BINARY], ids=["text", "binary"])


def new(form: int, share: float, level: int = DEFAULT_LEVEL) -> ByteParts:
    """A model whose scout may doubt so much of the error."""
    model = for_bytes(new_model(level), form)
    model.byte_model.table.exit_threshold[0] = share * 2**-32
    return model


def word_of(first_stage: Network) -> Any:
    """The scout's logit."""
    _, _, first, length, _ = first_stage.layers[-1]
    return first_stage.signals[first + length]


def walk(model: ByteParts, form: int) -> Iterator[int]:
    """Code bytes, and yield the prediction of each bit before it is learned."""
    begin_block(model, BlockType(BYTES, 0, form=form))
    for byte in DATA:
        for known in range(8):
            yield predict_bit(model)
            update_bit(model, byte >> (7 - known) & 1)


@FORMS
@pytest.mark.parametrize("level", [DEFAULT_LEVEL, MAX_LEVEL])
def test_it_is_asked_what_the_large_network_is(form: int, level: int) -> None:
    model = new(form, 0, level)
    _, learned, scratch = model.byte_model
    contexts, directs = len(scratch.contexts), len(scratch.directs)
    network, first_stage = learned.network, learned.first_stage
    inputs = network.signals[: network.layers[0, INPUTS]]
    asked = first_stage.signals[: first_stage.layers[0, INPUTS]]
    others = inputs[2 * contexts + len(scratch.runs) : -1]
    for _ in walk(model, form):
        logits, one_sided = inputs[:contexts], inputs[contexts : 2 * contexts]
        expected = (
            logits[FIRST_STAGE_FROM:FIRST_STAGE_TO],
            one_sided[FIRST_STAGE_FROM:FIRST_STAGE_TO],
            others[: len(others) - max(directs - FIRST_STAGE_COUNTERS, 0)],
        )
        assert np.array_equal(asked, np.concatenate(expected))
        assert inputs[-1] == word_of(first_stage), "what it says is an input itself"


@FORMS
def test_where_it_is_sure_its_word_is_enough(form: int) -> None:
    model = new(form, 1.0)
    first_stage, now = model.byte_model.learned.first_stage, model.recent.now[0]
    early_exit = 0
    error = int(now["error"])
    for i, p in enumerate(walk(model, form)):
        z = word_of(first_stage)
        assert now["error"] == error
        assert now["sure"] == (squash(-abs(z)) < np.float32(error) * np.float32(2**-32))
        wrong = 65536 - p if DATA[i // 8] >> (7 - i % 8) & 1 else p
        error += ((wrong << 16) - error) >> 12
        if now["sure"]:
            assert p == for_the_coder(squash(z))
            early_exit += 1
    assert 0.1 < early_exit / (8 * len(DATA)) < 0.9


@FORMS
def test_what_learns_a_bit_of_which_it_is_sure(form: int) -> None:
    never, always = (
        {f"learned.{name}" for name in names.split()}
        for names in (
            "run_maps curves network.weights network.steps",
            "state_maps match_maps scout.weights scout.steps",
        )
    )
    changed = {}
    for share in (np.inf, 0):
        model = new(form, share)
        before = {name: array.copy() for name, array in arrays_of(model.byte_model)}
        for _ in walk(model, form):
            pass
        after = arrays_of(model.byte_model)
        changed[share] = {name for name, array in after if not np.array_equal(array, before[name])}
        if share:
            fresh = before["learned.state_maps"].reshape(-1, 256)
            maps = model.byte_model.learned.state_maps.reshape(-1, 256)
            learned = np.flatnonzero((maps != fresh).any(axis=1))
            assert set(learned.tolist()) == set(range(FIRST_STAGE_FROM, FIRST_STAGE_TO))
        histories = model.recent.slots.any(), model.recent.runs.any(), model.recent.directs.any()
        assert all(histories), "what all share sees every bit"
    assert always <= changed[np.inf]
    assert not never & changed[np.inf]
    assert never | always <= changed[0]


def test_small_levels_have_none() -> None:
    model = for_bytes(new_model(MIN_LEVEL), TEXT)
    for _ in walk(model, TEXT):
        assert model.recent.now[0]["sure"] == 0
    assert not model.byte_model.learned.first_stage.steps.any()
