"""Base models against their definition: exact estimates from counts that are kept in the open."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from bench.paper import pixel_patterns
from bench.paper.pixel_patterns import estimates, new_patterns, zero_redundancy_logits
from glnzip.gln.estimators import zero_redundancy


def logit(p):
    return float(np.log(float(p)) - np.log1p(-float(p)))


def test_tables_are_the_exact_estimator():
    halves, certain = zero_redundancy_logits(300)
    assert certain[0] == 0
    for n in (*range(1, 20), 100, 299):
        assert certain[n] == pytest.approx(-logit(zero_redundancy(n, 0)), rel=1e-6)
        assert certain[n] == pytest.approx(logit(zero_redundancy(0, n)), rel=1e-6)
    for n0 in range(1, 12):
        for n1 in (*range(1, 12), 299):
            exact = logit(zero_redundancy(n0, n1))
            assert halves[n1] - halves[n0] == pytest.approx(exact, rel=1e-5, abs=1e-6)


def test_tables_for_many_counts_are_finite_and_rise():
    for table in zero_redundancy_logits(80_000):
        assert np.isfinite(table).all()
        assert (np.diff(table) > 0).all()


def test_every_model_counts_what_followed_its_pattern(monkeypatch):
    """The largest models share counts where numbers leave the same remainder."""
    monkeypatch.setattr(pixel_patterns, "LARGEST_TABLE", 13)
    random = np.random.default_rng(0)
    planes = (random.random((6, 300)) < 0.4).astype(np.uint8)
    bits = (random.random(300) < 0.2 + 0.6 * planes[2]).astype(np.uint8)
    models = [[2], [0, 5], [3, 1, 2], [0, 1, 2, 3, 4, 5], [4, 4]]
    patterns = new_patterns(models)
    pieces = [slice(start, start + 70) for start in range(0, 300, 70)]
    found = np.concatenate([estimates(patterns, planes, piece, bits[piece]) for piece in pieces])
    counts: Counter[tuple[int, int, int]] = Counter()
    for t, bit in enumerate(bits.tolist()):
        for model, pixels in enumerate(models):
            number = int("".join(str(planes[pixel, t]) for pixel in pixels), 2) % 13
            n0, n1 = counts[model, number, 0], counts[model, number, 1]
            exact = logit(zero_redundancy(n0, n1))
            assert found[t, model] == pytest.approx(exact, rel=1e-5, abs=1e-5)
            counts[model, number, bit] += 1


def test_logits_are_set_apart():
    logits = np.random.default_rng(1).normal(2, 3, (5, 7)).astype(np.float32)
    apart = pixel_patterns.set_apart(logits)
    mean = logits.mean(axis=1)
    np.testing.assert_allclose(apart[:, :-1], logits - mean[:, None], atol=1e-5)
    np.testing.assert_allclose(apart[:, -1], mean * pixel_patterns.MEAN_SCALE, rtol=1e-5)
