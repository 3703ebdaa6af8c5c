"""The final adjustment against the same in plain floating point."""

from __future__ import annotations

import random
from math import exp
from typing import Any

import numpy as np
import pytest

from glnzip.bytemodel import features as f
from glnzip.bytemodel.build import new_model
from glnzip.bytemodel.final_adjust import (
    KNOTS,
    MAP_LIMIT,
    choose_curves,
    new_curves,
    predict_adjusted,
    update_adjusted,
)
from glnzip.levels import MAX_LEVEL

FIRST_COUNT = 6
KNOT_LOGITS = [24 * k / (KNOTS - 1) - 12 for k in range(KNOTS)]


@pytest.fixture(scope="module")
def model() -> Any:
    return new_model(MAX_LEVEL)


def adjusted_probability(view: Any, recent: Any, logit: Any) -> Any:
    choose_curves(view, recent)
    return predict_adjusted(view, logit)


def sigma(x: float) -> float:
    return 1 / (1 + exp(-x))


def test_new_curves_lie_on_the_logistic_curve(model):
    """At the knots exactly; between them as near as a straight line comes."""
    for logit in KNOT_LOGITS:
        p = adjusted_probability(model.as_text, model.recent, np.float32(logit))
        assert p == pytest.approx(sigma(logit), abs=1e-5)
    for logit in np.linspace(-15, 15, 61, dtype=np.float32):
        p = adjusted_probability(model.as_text, model.recent, logit)
        assert p == pytest.approx(sigma(float(np.clip(logit, -12, 12))), abs=0.014)


def test_curves_follow_the_bits(model):
    """Each curve is a dictionary of knots here; the nearer one of each pair moves."""
    chance = random.Random(1)
    view, recent = model.as_text, model.recent
    lineup, learned, scratch = view
    learned.curves[:] = new_curves(learned.curves.size // KNOTS)
    curves: dict[int, tuple[float, int]] = {}
    for _ in range(4000):
        logit = np.float32(chance.uniform(-14, 14))
        recent.now[0].partial = chance.randrange(1, 8)
        recent.features[f.LAST] = chance.randrange(3)
        recent.features[f.SECOND] = chance.randrange(2)
        p = adjusted_probability(view, recent, logit)
        knot, fraction = divmod((float(np.clip(logit, -11.99, 11.99)) + 12) * (KNOTS - 1) / 24, 1)
        nearer = int(fraction >= 0.5)
        places = [int(at) - nearer for at in scratch.knots]
        assert all((place - start) % KNOTS == knot for place, start in zip(
            places, lineup.adjustments[:, 2], strict=True
        ))  # fmt: skip

        def knot_at(place: int) -> tuple[float, int]:
            return curves.get(place, (sigma(KNOT_LOGITS[place % KNOTS]), FIRST_COUNT))

        adjusted = [
            (1 - fraction) * knot_at(at)[0] + fraction * knot_at(at + 1)[0] for at in places
        ]
        network_says = sigma(float(np.clip(logit, -12, 12)))
        assert p == pytest.approx((network_says + sum(adjusted)) / (len(places) + 1), abs=1e-4)
        bit = int(chance.random() < 0.3)
        update_adjusted(view, bit)
        for at in places:
            before, count = knot_at(at + nearer)
            after = before + (bit - before) / (count + 1.5)
            curves[at + nearer] = after, min(count + 1, MAP_LIMIT)
    for place, (value, _) in curves.items():
        assert learned.curves[place] / 2**32 == pytest.approx(value, abs=1e-4)


def test_contexts_are_told_apart_and_stay_inside(model):
    view, recent = model.as_text, model.recent
    lineup, learned, scratch = view
    chance = random.Random(2)
    ends = [*lineup.adjustments[1:, 2].tolist(), len(learned.curves)]
    first: dict[int, set[int]] = {}
    for n in range(2000):
        recent.now[0].partial = 1 + n % 255
        recent.features[:] = [chance.randrange(1 << 32) for _ in range(f.FEATURES)]
        recent.features[f.NONE] = 0
        logit = np.float32(chance.uniform(-30, 30))
        adjusted_probability(view, recent, logit)
        for place, start, end in zip(
            scratch.knots.tolist(), lineup.adjustments[:, 2], ends, strict=True
        ):
            assert start <= place < end
        place = int(scratch.knots[0]) // KNOTS
        first.setdefault(int(recent.now[0].partial), set()).add(place)
    assert all(len(places) == 1 for places in first.values()), "order 0: the byte so far alone"
    assert len(set.union(*first.values())) == 255
