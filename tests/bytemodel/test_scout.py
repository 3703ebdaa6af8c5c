"""The scout is asked first; where it is sure, only what it asks has a say, and learns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from glnzip.bytemodel.build import new_model
from glnzip.bytemodel.scout import SCOUT_DIRECTS, SCOUT_END, SCOUT_FIRST
from glnzip.bytemodel.state import ByteModel
from glnzip.bytemodel.step import begin_block, for_the_coder, predict_bit, update_bit
from glnzip.gln.logistic import squash
from glnzip.gln.network import INPUTS, Network
from glnzip.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL
from glnzip.plan import BINARY, BYTES, TEXT, BlockPlan
from tests.bytemodel.model_parts import arrays_of, for_bytes
from tests.checks import sample

DATA = sample(600)[:120] + bytes(30) + sample(600)[:60]
FORMS = pytest.mark.parametrize("form", [TEXT, BINARY], ids=["text", "binary"])


def new(form: int, share: float, level: int = DEFAULT_LEVEL) -> ByteModel:
    """A model whose scout may doubt so much of the error."""
    model = for_bytes(new_model(level), form)
    model.as_bytes.lineup.doubt[0] = share * 2**-32
    return model


def word_of(scout: Network) -> Any:
    """The scout's logit."""
    _, _, first, length, _ = scout.layers[-1]
    return scout.signals[first + length]


def walk(model: ByteModel, form: int) -> Iterator[int]:
    """Code bytes, and yield the prediction of each bit before it is learned."""
    begin_block(model, BlockPlan(BYTES, 0, form=form))
    for byte in DATA:
        for known in range(8):
            yield predict_bit(model)
            update_bit(model, byte >> (7 - known) & 1)


@FORMS
@pytest.mark.parametrize("level", [DEFAULT_LEVEL, MAX_LEVEL])
def test_it_is_asked_what_the_large_network_is(form: int, level: int) -> None:
    model = new(form, 0, level)
    _, learned, scratch = model.as_bytes
    contexts, directs = len(scratch.contexts), len(scratch.directs)
    network, scout = learned.network, learned.scout
    inputs = network.signals[: network.layers[0, INPUTS]]
    asked = scout.signals[: scout.layers[0, INPUTS]]
    others = inputs[2 * contexts + len(scratch.runs) : -1]
    for _ in walk(model, form):
        logits, one_sided = inputs[:contexts], inputs[contexts : 2 * contexts]
        expected = (
            logits[SCOUT_FIRST:SCOUT_END],
            one_sided[SCOUT_FIRST:SCOUT_END],
            others[: len(others) - max(directs - SCOUT_DIRECTS, 0)],
        )
        assert np.array_equal(asked, np.concatenate(expected))
        assert inputs[-1] == word_of(scout), "what it says is an input itself"


@FORMS
def test_where_it_is_sure_its_word_is_enough(form: int) -> None:
    model = new(form, 1.0)
    scout, now = model.as_bytes.learned.scout, model.recent.now[0]
    sure = 0
    error = int(now["error"])
    for i, p in enumerate(walk(model, form)):
        z = word_of(scout)
        assert now["error"] == error
        assert now["sure"] == (squash(-abs(z)) < np.float32(error) * np.float32(2**-32))
        wrong = 65536 - p if DATA[i // 8] >> (7 - i % 8) & 1 else p
        error += ((wrong << 16) - error) >> 12
        if now["sure"]:
            assert p == for_the_coder(squash(z))
            sure += 1
    assert 0.1 < sure / (8 * len(DATA)) < 0.9


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
        before = {name: array.copy() for name, array in arrays_of(model.as_bytes)}
        for _ in walk(model, form):
            pass
        after = arrays_of(model.as_bytes)
        changed[share] = {name for name, array in after if not np.array_equal(array, before[name])}
        if share:
            fresh = before["learned.state_maps"].reshape(-1, 256)
            maps = model.as_bytes.learned.state_maps.reshape(-1, 256)
            learned = np.flatnonzero((maps != fresh).any(axis=1))
            assert set(learned.tolist()) == set(range(SCOUT_FIRST, SCOUT_END))
        histories = model.recent.slots.any(), model.recent.runs.any(), model.recent.directs.any()
        assert all(histories), "what all share sees every bit"
    assert always <= changed[np.inf]
    assert not never & changed[np.inf]
    assert never | always <= changed[0]


def test_small_levels_have_none() -> None:
    model = for_bytes(new_model(MIN_LEVEL), TEXT)
    for _ in walk(model, TEXT):
        assert model.recent.now[0]["sure"] == 0
    assert not model.as_bytes.learned.scout.steps.any()
