"""The final adjustment against the same in plain floating point."""

from __future__ import annotations

import random
from math import exp
from typing import Any

import numpy as np
import pytest

from glnzip.format.levels import MAX_LEVEL
from glnzip.model.build import FEATURES, new_model
from glnzip.model.contexts import features as f
from glnzip.model.mixing.apm import (
    APM_BUCKETS,
    new_apms,
    refine,
    select_apms,
    update_apms,
)
from glnzip.model.table.limits import APM_LIMIT

FIRST_COUNT = 6
KNOT_LOGITS = [24 * k / (APM_BUCKETS - 1) - 12 for k in range(APM_BUCKETS)]


@pytest.fixture(scope="module")
def model() -> Any:
    return new_model(MAX_LEVEL)


def adjusted_probability(block_model: Any, recent: Any, logit: Any) -> Any:
    select_apms(block_model, recent)
    return refine(block_model, logit)


def sigma(x: float) -> float:
    return 1 / (1 + exp(-x))


def test_new_apms_lie_on_the_logistic_curve(model):
    """At the buckets exactly; between them as near as a straight line comes."""
    for logit in KNOT_LOGITS:
        p = adjusted_probability(model.text, model.recent, np.float32(logit))
        assert p == pytest.approx(sigma(logit), abs=1e-5)
    for logit in np.linspace(-15, 15, 61, dtype=np.float32):
        p = adjusted_probability(model.text, model.recent, logit)
        assert p == pytest.approx(sigma(float(np.clip(logit, -12, 12))), abs=0.014)


def test_curves_follow_the_bits(model):
    """Each APM is a dictionary of buckets here; the nearer one of each pair moves."""
    chance = random.Random(1)
    block_model, recent = model.text, model.recent
    table, learned, scratch = block_model
    learned.apm_maps[:] = new_apms(learned.apm_maps.size // APM_BUCKETS)
    apms: dict[int, tuple[float, int]] = {}
    for _ in range(4000):
        logit = np.float32(chance.uniform(-14, 14))
        recent.now[0].partial = chance.randrange(1, 8)
        recent.features[f.LAST] = chance.randrange(3)
        recent.features[f.SECOND] = chance.randrange(2)
        p = adjusted_probability(block_model, recent, logit)
        bucket, fraction = divmod(
            (float(np.clip(logit, -11.99, 11.99)) + 12) * (APM_BUCKETS - 1) / 24, 1
        )
        nearer = int(fraction >= 0.5)
        places = [int(at) - nearer for at in scratch.apm_buckets]
        assert all((place - start) % APM_BUCKETS == bucket for place, start in zip(
            places, table.apms[:, 2], strict=True
        ))  # fmt: skip

        def bucket_at(place: int) -> tuple[float, int]:
            return apms.get(place, (sigma(KNOT_LOGITS[place % APM_BUCKETS]), FIRST_COUNT))

        adjusted = [
            (1 - fraction) * bucket_at(at)[0] + fraction * bucket_at(at + 1)[0] for at in places
        ]
        network_says = sigma(float(np.clip(logit, -12, 12)))
        assert p == pytest.approx((network_says + sum(adjusted)) / (len(places) + 1), abs=1e-4)
        bit = int(chance.random() < 0.3)
        update_apms(block_model, bit)
        for at in places:
            before, count = bucket_at(at + nearer)
            after = before + (bit - before) / (count + 1.5)
            apms[at + nearer] = after, min(count + 1, APM_LIMIT)
    for place, (value, _) in apms.items():
        assert learned.apm_maps[place] / 2**32 == pytest.approx(value, abs=1e-4)


def test_contexts_are_told_apart_and_stay_inside(model):
    block_model, recent = model.text, model.recent
    table, learned, scratch = block_model
    chance = random.Random(2)
    ends = [*table.apms[1:, 2].tolist(), len(learned.apm_maps)]
    first: dict[int, set[int]] = {}
    for n in range(2000):
        recent.now[0].partial = 1 + n % 255
        recent.features[:] = [chance.randrange(1 << 32) for _ in range(FEATURES)]
        recent.features[f.NONE] = 0
        logit = np.float32(chance.uniform(-30, 30))
        adjusted_probability(block_model, recent, logit)
        for place, start, end in zip(
            scratch.apm_buckets.tolist(), table.apms[:, 2], ends, strict=True
        ):
            assert start <= place < end
        place = int(scratch.apm_buckets[0]) // APM_BUCKETS
        first.setdefault(int(recent.now[0].partial), set()).add(place)
    assert all(len(places) == 1 for places in first.values()), "order 0: the byte so far alone"
    assert len(set.union(*first.values())) == 255
