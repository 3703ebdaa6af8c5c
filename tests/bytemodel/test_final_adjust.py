"""The final adjustment against the same in plain floating point."""

from __future__ import annotations

import random
from math import exp
from typing import Any

import numpy as np
import pytest

from glnzip.bytemodel import features as f
from glnzip.bytemodel.build import new_model
from glnzip.bytemodel.final_adjust import KNOTS, predict_adjusted, update_adjusted
from glnzip.levels import MAX_LEVEL

RATE = 0.02


@pytest.fixture(scope="module")
def model() -> Any:
    return new_model(MAX_LEVEL)


def sigma(x: float) -> float:
    return 1 / (1 + exp(-x))


def test_a_new_adjustment_changes_nothing(model):
    for logit in np.linspace(-15, 15, 61, dtype=np.float32):
        p = predict_adjusted(model.as_text, model.recent, logit)
        assert p == pytest.approx(sigma(float(np.clip(logit, -12, 12))), abs=1e-5)


def test_curves_follow_the_errors(model):
    """Each curve is a dictionary of knots here; its corrections are averaged with none at all."""
    chance = random.Random(1)
    view, recent = model.as_text, model.recent
    lineup, learned, scratch = view
    learned.curves[:] = 0
    curves: dict[int, float] = {}
    for _ in range(4000):
        logit = np.float32(chance.uniform(-14, 14))
        recent.now[0].partial = chance.randrange(1, 8)
        recent.features[f.LAST] = chance.randrange(3)
        recent.features[f.SECOND] = chance.randrange(2)
        p = predict_adjusted(view, recent, logit)
        knot, fraction = divmod((float(np.clip(logit, -11.99, 11.99)) + 12) * (KNOTS - 1) / 24, 1)
        network_says = sigma(float(np.clip(logit, -12, 12)))
        places = scratch.curve_places.tolist()
        assert all((place - start) % KNOTS == knot for place, start in zip(
            places, lineup.adjustments[:, 2], strict=True
        ))  # fmt: skip
        corrections = [
            (1 - fraction) * curves.get(at, 0) + fraction * curves.get(at + 1, 0) for at in places
        ]
        assert p == pytest.approx(network_says + sum(corrections) / (len(places) + 1), abs=1e-4)
        bit = int(chance.random() < 0.3)
        update_adjusted(view, recent, bit)
        for at in places:
            for place, share in ((at, 1 - fraction), (at + 1, fraction)):
                before = curves.get(place, 0.0)
                curves[place] = before + RATE * share * (bit - network_says - before)
    for place, value in curves.items():
        assert learned.curves[place] == pytest.approx(value, abs=1e-4)


def test_contexts_are_told_apart_and_stay_inside(model):
    view, recent = model.as_text, model.recent
    lineup, learned, scratch = view
    chance = random.Random(2)
    ends = [*lineup.adjustments[1:, 2].tolist(), len(learned.curves)]
    first: dict[int, set[int]] = {}
    for _ in range(2000):
        recent.now[0].partial = chance.randrange(1, 256)
        recent.features[:] = [chance.randrange(1 << 32) for _ in range(f.FEATURES)]
        recent.features[f.NONE] = 0
        logit = np.float32(chance.uniform(-30, 30))
        predict_adjusted(view, recent, logit)
        for place, start, end in zip(
            scratch.curve_places.tolist(), lineup.adjustments[:, 2], ends, strict=True
        ):
            assert start <= place < end - 1
        place = int(scratch.curve_places[0]) // KNOTS
        first.setdefault(int(recent.now[0].partial), set()).add(place)
    assert all(len(places) == 1 for places in first.values()), "order 0: the byte so far alone"
    assert len(set.union(*first.values())) == 255
