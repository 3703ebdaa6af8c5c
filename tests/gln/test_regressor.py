"""The regressor: what scikit-learn expects of an estimator, and what online learning promises."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.linear_model import LinearRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from glnzip.gln.estimator_parts import BATCH, FAR
from glnzip.gln.regressor import GLNRegressor
from glnzip.jit import jit_is_on
from tests.gln.expected_failures import of_online_learning

pytestmark = pytest.mark.skipif(not jit_is_on(), reason="takes many minutes without the JIT")

PARTS = (slice(0, 1), slice(1, 8), slice(8, BATCH + 90), slice(BATCH + 90, None))


@pytest.fixture
def examples():
    """Features on scales that differ; more than one batch."""
    x, y = make_friedman1(BATCH + 300, n_features=5, noise=1.0, random_state=1)
    return x * [1, 1000, 0.001, 1, 1] + [0, 1e6, 0, 0, 0], y * 50 - 1000


def noisy_sine(count, seed):
    """A sine whose noise grows from left to right: points, values, deviations."""
    random = np.random.default_rng(seed)
    x = random.uniform(-3, 3, (count, 1))
    deviations = 0.1 + 0.2 * (x[:, 0] > 0)
    return x, np.sin(2 * x[:, 0]) + random.normal(0, deviations), deviations


def state(model):
    """All that a model has learned."""
    return pickle.dumps((model.network_.weights, model.network_.steps))


@pytest.mark.slow
@parametrize_with_checks(
    [GLNRegressor(), GLNRegressor(layers=[], planes=1, random_state=0)],
    expected_failed_checks=of_online_learning,
)
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("examples_of", "part"),
    [
        (lambda: noisy_sine(2000, 0)[:2], 0.2),
        (lambda: make_friedman1(2000, noise=1.0, random_state=2), 0.75),
    ],
    ids=["sine", "Friedman"],
)
def test_it_learns_what_no_linear_model_can(examples_of, part):
    """The mean squared error on new examples, in parts of a linear model's."""
    x, y = examples_of()
    model = GLNRegressor(random_state=0).fit(x[:1500], y[:1500])
    linear = LinearRegression().fit(x[:1500], y[:1500])
    ours, theirs = (np.mean((m.predict(x[1500:]) - y[1500:]) ** 2) for m in (model, linear))
    assert ours < part * theirs


def test_deviations_are_those_of_the_noise():
    """Where there is more of it they are larger; two thirds of new values are within one."""
    x, y, deviations = noisy_sine(6000, 3)
    model = GLNRegressor(random_state=0, passes=2).fit(x[:5000], y[:5000])
    means, said = model.predict(x[5000:], return_std=True)
    truth, errors = deviations[5000:], y[5000:] - means
    for part in (truth < 0.2, truth > 0.2):
        assert said[part].mean() == pytest.approx(truth[part].mean(), rel=0.35)
        assert 0.6 < (np.abs(errors[part]) < said[part]).mean() < 0.8
        assert (np.abs(errors[part]) < 2 * said[part]).mean() > 0.92
    assert np.array_equal(model.predict(x[5000:]), means)


def test_more_passes_bring_the_means_nearer():
    x, y = load_diabetes(return_X_y=True)
    once, often = (
        GLNRegressor(passes=passes, random_state=0).fit(x, y).score(x, y) for passes in (1, 20)
    )
    assert 0.2 < once < often - 0.1


def test_it_does_not_matter_how_a_stream_is_cut(examples):
    x, y = examples
    whole = GLNRegressor(random_state=0).partial_fit(x, y)
    parts = GLNRegressor(random_state=0)
    for part in PARTS:
        parts.partial_fit(x[part], y[part])
    assert np.array_equal(parts.predict(x, True), whole.predict(x, True))
    assert state(parts) == state(whole)


def test_fit_is_a_random_order_and_then_partial_fit(examples):
    """All else is the same: a pass that goes on where `fit` stopped is a second pass."""
    x, y = (a[:50] for a in examples)
    twice = GLNRegressor(passes=2, random_state=np.random.RandomState(5)).fit(x, y)
    random = np.random.RandomState(5)
    once = GLNRegressor(passes=1, random_state=random).fit(x, y)
    order = random.permutation(50)
    once.partial_fit(x[order], y[order])
    assert np.array_equal(once.predict(x), twice.predict(x))


def test_a_weight_is_a_number_of_copies(examples):
    """To the bit, with the same random state: one behind the other, or in random order."""
    x, y = (a[:200] for a in examples)
    weights = np.arange(200) % 4
    copies = x.repeat(weights, axis=0), y.repeat(weights)
    fitted, same = (GLNRegressor(passes=2, random_state=0) for _ in range(2))
    assert state(fitted.fit(x, y, sample_weight=weights)) == state(same.fit(*copies))
    assert state(fitted.partial_fit(x, y, weights)) == state(same.partial_fit(*copies))
    assert np.array_equal(fitted.predict(x, True), same.predict(x, True))


def test_examples_of_no_weight(examples):
    """Of them alone nothing can be fitted; a stream may have them, from its beginning."""
    x, y = (a[:50] for a in examples)
    model = GLNRegressor(random_state=0)
    with pytest.raises(ValueError, match="zero for all"):
        model.fit(x, y, sample_weight=np.zeros(50))
    with pytest.raises(ValueError, match="not negative"):
        model.fit(x, y, sample_weight=np.full(50, -1.0))
    model.partial_fit(x, y, sample_weight=0.0)
    assert np.isfinite(model.predict(x, return_std=True)).all()
    new = GLNRegressor(random_state=0)
    assert state(model.partial_fit(x, y)) == state(new.partial_fit(x, y))


def test_sparse_examples_are_like_dense_ones(examples):
    x, y = (a[:200] for a in examples)
    x = np.where(x < np.median(x, axis=0), 0.0, x)
    sparse = scipy.sparse.csc_array(x)
    dense, other = (GLNRegressor(passes=2, random_state=0).fit(a, y) for a in (x, sparse))
    assert state(dense.partial_fit(x, y)) == state(other.partial_fit(sparse, y))
    assert np.array_equal(dense.predict(x, True), other.predict(sparse, True))


def test_units_mean_nothing(examples):
    """Neither those of features nor that of the target, which the answers are in."""
    x, y = examples
    model = GLNRegressor(random_state=0, passes=1).fit(x, y)
    other = GLNRegressor(random_state=0, passes=1).fit(x * 8 - 4, y * 1024 + 512)
    means, said = model.predict(x, return_std=True)
    other_means, other_said = other.predict(x * 8 - 4, return_std=True)
    np.testing.assert_allclose((other_means - 512) / 1024, means, rtol=0, atol=1e-2 * y.std())
    np.testing.assert_allclose(other_said / 1024, said, rtol=1e-2)


def test_the_first_answer_and_its_bounds(examples):
    """One example says nothing of spread; later, answers stay near the targets' mean."""
    x, y = examples
    model = GLNRegressor(random_state=0, variance_bounds=(0.04, 0.25)).partial_fit(x[:1], y[:1])
    assert model.predict(x[:1]) == pytest.approx(y[0], abs=1)
    model.partial_fit(x[1:], y[1:])
    means, said = model.predict(x * 1e6, return_std=True)
    assert np.abs(means - y.mean()).max() <= FAR * y.std() * 1.001
    assert 0.199 * y.std() < said.min() <= said.max() < 0.501 * y.std()


def test_a_target_that_never_changes(examples):
    x, _ = examples
    means, said = GLNRegressor(random_state=0).fit(x, np.full(len(x), 7.0)).predict(x, True)
    np.testing.assert_allclose(means, 7, atol=0.1)
    assert said.max() < 0.2


def test_a_random_state_decides_everything(examples):
    x, y = examples
    first, again, other = (GLNRegressor(random_state=n, passes=1).fit(x, y) for n in (7, 7, 8))
    assert np.array_equal(first.predict(x), again.predict(x))
    assert np.array_equal(first.predict(x), first.fit(x, y).predict(x))
    assert not np.array_equal(first.predict(x), other.predict(x))


def test_prediction_learns_nothing_and_threads_may_predict_at_once(examples):
    x, y = examples
    model = GLNRegressor(random_state=0).fit(x, y)
    before = pickle.dumps(model)
    means = model.predict(x)
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(answer, means) for answer in pool.map(model.predict, [x] * 8))
    assert pickle.dumps(model) == before
    assert np.array_equal(model.predict(x[7:8]), means[7:8])


def test_a_saved_model_goes_on_learning(examples):
    x, y = examples
    model = GLNRegressor(random_state=0).fit(x, y)
    copy = pickle.loads(pickle.dumps(model))
    for each in (model, copy):
        each.partial_fit(x[:100], -y[:100])
    assert np.array_equal(copy.predict(x), model.predict(x))
    assert not hasattr(clone(model), "network_")


def test_what_does_not_fit_is_refused(examples):
    x, y = examples
    model = GLNRegressor(random_state=0).fit(x, y)
    before = state(model)
    for method in (model.predict, lambda x: model.partial_fit(x, y)):
        with pytest.raises(ValueError, match=r"2 features.*expecting 5"):
            method(x[:, :2])
    with pytest.raises(ValueError, match="inconsistent"):
        model.partial_fit(x, y[:-1])
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(x, np.where(y > y.mean(), np.nan, y))
    assert state(model) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("layers", 3),
        ("layers", "32"),
        ("layers", (4, 0)),
        ("layers", (4.0,)),
        ("planes", 0),
        ("planes", 17),
        ("planes", 2.0),
        ("offsets", -1.0),
        ("offsets", float("nan")),
        ("rate", "fast"),
        ("rate", float("inf")),
        ("later_rate", -0.1),
        ("steady", 0),
        ("variance_bounds", 1.0),
        ("variance_bounds", (0.0, 1.0)),
        ("variance_bounds", (2.0, 1.0)),
        ("variance_bounds", (1.0, 2.0, 3.0)),
        ("weight_bound", None),
        ("weight_bound", 0.0),
        ("passes", 0),
    ],
)
def test_parameters_out_of_range_are_refused(examples, name, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        GLNRegressor(**{name: value}).fit(*examples)


def test_without_scikit_learn_the_error_names_the_extra():
    program = "import sys; sys.modules['sklearn'] = None; import glnzip.gln.regressor"
    error = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stderr
    assert "regressor needs scikit-learn" in error
    assert "pip install 'glnzip[sklearn]'" in error
