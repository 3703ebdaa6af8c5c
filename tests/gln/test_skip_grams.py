"""Skip-gram models against their definition: exact estimates from counts kept in the open."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from glnzip.gln import (
    learn_skip_grams,
    new_skip_grams,
    predict_skip_grams,
    zero_redundancy_logits,
)
from glnzip.gln.estimators import zero_redundancy
from glnzip.gln.skip_grams import estimate_tables


def exact(n0: int, n1: int) -> float:
    """The logit of the estimate, from fractions."""
    p = zero_redundancy(n0, n1)
    return float(np.log(float(p)) - np.log(float(1 - p)))


def test_logits_are_those_of_the_exact_estimator():
    n0, n1 = np.mgrid[:12, :301:20]
    found = zero_redundancy_logits(n0, n1)
    assert found.dtype == np.float32
    assert found.shape == n0.shape
    for place in np.ndindex(n0.shape):
        wanted = exact(int(n0[place]), int(n1[place]))
        assert found[place] == pytest.approx(wanted, rel=1e-5, abs=1e-6)
    assert zero_redundancy_logits(0, 0) == 0
    assert zero_redundancy_logits(3, 40) == -zero_redundancy_logits(40, 3)


def test_tables_for_many_counts_are_finite_and_rise():
    for table in estimate_tables():
        assert np.isfinite(table).all()
        assert (np.diff(table) >= 0).all()
        assert table[-1] > table[1000]
    many = zero_redundancy_logits([10**9, 0], [0, 10**9])
    assert many.tolist() == zero_redundancy_logits([2**20 - 1, 0], [0, 2**20 - 1]).tolist()


@pytest.mark.parametrize("counts", [(-1, 0), (0, [-1, 3]), (0.5, 1)])
def test_wrong_counts_are_refused(counts):
    with pytest.raises(ValueError, match="counts are integers, and not negative"):
        zero_redundancy_logits(*counts)


MODELS = [[2], [0, 5], [3, 1, 2], [0, 1, 2, 3, 4, 5], [4, 4]]


def examples(count: int = 300):
    random = np.random.default_rng(0)
    side = (random.random((count, 6)) < 0.4).astype(np.uint8)
    return side, (random.random(count) < 0.2 + 0.6 * side[:, 2]).astype(np.uint8)


def test_every_model_counts_what_followed_its_pattern():
    """The largest models share counts where numbers leave the same remainder."""
    side, bits = examples()
    models = new_skip_grams(MODELS, largest_table=13)
    pieces = [slice(start, start + 70) for start in range(0, 300, 70)]
    found = np.concatenate([learn_skip_grams(models, side[p], bits[p]) for p in pieces])
    counts: Counter[tuple[int, int, int]] = Counter()

    def estimate(t: int, model: int) -> tuple[int, float]:
        number = int("".join(str(side[t, p]) for p in MODELS[model]), 2) % 13
        return number, exact(counts[model, number, 0], counts[model, number, 1])

    for t, bit in enumerate(bits.tolist()):
        for model in range(len(MODELS)):
            number, wanted = estimate(t, model)
            assert found[t, model] == pytest.approx(wanted, rel=1e-5, abs=1e-5)
            counts[model, number, bit] += 1
    before = models.counts.copy()
    frozen = predict_skip_grams(models, side.astype(bool))
    assert np.array_equal(models.counts, before)
    for t in range(len(bits)):
        wanted_of_all = [estimate(t, model)[1] for model in range(len(MODELS))]
        np.testing.assert_allclose(frozen[t], wanted_of_all, rtol=1e-5, atol=1e-5)


def test_counts_stop_before_they_overflow():
    models = new_skip_grams([[0]])
    models.counts[:] = 2**20 - 2
    side, bits = np.ones((3, 1), np.uint8), np.ones(3, np.uint8)
    learn_skip_grams(models, side, bits)
    assert models.counts.tolist() == [[2**20 - 2] * 2, [2**20 - 2, 2**20 - 1]]


@pytest.mark.parametrize("positions", [[], [[]], [[0], []], [[-1]], [[0] * 63]])
def test_wrong_models_are_refused(positions):
    with pytest.raises(ValueError, match="position"):
        new_skip_grams(positions)


def test_a_model_has_a_table():
    assert len(new_skip_grams([[0, 1, 2]], largest_table=1).counts) == 1
    with pytest.raises(ValueError, match="at least one pair of counts"):
        new_skip_grams([[0]], largest_table=0)


def test_wrong_examples_are_refused():
    side, bits = examples(10)
    models = new_skip_grams(MODELS)
    wrong = [
        (side[:, :5], bits, "looks at position 5, of 5"),
        (side[:9], bits, "not that of 10 examples"),
        (side.astype(float), bits, "not that of 10 examples"),
        (side[0], bits, "not that of 10 examples"),
        (side * 2, bits, "zeros and ones"),
        (side, bits * 2, "zeros and ones"),
    ]
    for wrong_side, wrong_bits, reason in wrong:
        with pytest.raises(ValueError, match=reason):
            learn_skip_grams(models, wrong_side, wrong_bits)
    assert not models.counts.any()


def test_the_example_of_the_readme():
    """It says itself what must come out."""
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    (example,) = [part for part in readme.split("```python\n") if "from glnzip import gln" in part]
    exec(example.split("```")[0], {})
