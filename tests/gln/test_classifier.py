"""The classifier: what scikit-learn expects of an estimator, and what online learning promises."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, localcontext

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, make_blobs, make_moons
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from glnzip.gln import estimator_parts, half_space_contexts, learn
from glnzip.gln.classifier import GLNClassifier
from glnzip.gln.estimator_parts import BATCH, FAR, RunningScale, repeated
from tests.gln.expected_failures import of_online_learning

FEATURES = 3
PARTS = (slice(0, 1), slice(1, 8), slice(8, BATCH + 90), slice(BATCH + 90, None))


@pytest.fixture
def examples():
    """Three classes of four clusters each, on scales that differ; more than one batch."""
    x, y = make_blobs(BATCH + 300, FEATURES, centers=12, cluster_std=0.5, random_state=1)
    return x * [1, 1000, 0.001] + [0, 1e6, 0], y % 3


def two_spirals(count):
    """Two arms of one and a half turns, with some noise."""
    random = np.random.default_rng(2)
    arm = random.integers(0, 2, count)
    turn = np.sqrt(random.random(count)) * 3 * np.pi
    angle = turn + np.pi * arm
    points = turn[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return points + random.normal(0, 0.2, (count, 2)), arm


def state(model):
    """All that a model has learned."""
    return pickle.dumps([network._replace(signals=0, contexts=0) for network in model.networks_])


@parametrize_with_checks(
    [GLNClassifier(), GLNClassifier(layers=[], passes=20, random_state=0)],
    expected_failed_checks=of_online_learning,
)
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("examples_of", "least"),
    [
        (lambda: two_spirals(3000), 0.99),
        (lambda: make_moons(1000, noise=0.15, random_state=0), 0.97),
        (lambda: make_blobs(300, centers=3, cluster_std=0.8, random_state=3), 0.97),
    ],
    ids=["spirals", "moons", "blobs"],
)
def test_one_pass_is_enough(examples_of, least):
    x, y = examples_of()
    half = np.random.default_rng(4).permutation(len(x)) % 2 == 0
    model = GLNClassifier(random_state=0).fit(x[half], y[half])
    assert model.score(x[half], y[half]) >= least
    assert model.score(x[~half], y[~half]) >= least - 0.02


def test_few_examples_need_more_passes():
    x, y = load_iris(return_X_y=True)
    once, often = (
        cross_val_score(GLNClassifier(passes=passes, random_state=0), x, y, cv=5).mean()
        for passes in (1, 10)
    )
    assert once < often
    assert often > 0.92


def test_features_may_be_left_as_they_are():
    """Zeros stay zeros, and nothing is cut off: what the engine itself makes of the same arrays."""
    x, y = load_digits(return_X_y=True)
    x = x / 4
    assert x.max() == FAR
    x[0, 0] = 9 * FAR
    model = GLNClassifier([20], scale=False, rate=20.0, random_state=0)
    model.partial_fit(x[:1000], y[:1000], classes=range(10))
    network = model.networks_[3]
    again = network._replace(
        weights=np.zeros_like(network.weights), steps=np.zeros_like(network.steps)
    )
    again.starts[:] = network.starts
    contexts = half_space_contexts(x[:1000], *model._planes)
    learn(again, x[:1000], contexts, y[:1000] == 3)
    assert np.array_equal(again.weights, network.weights)
    assert model.score(x[1000:], y[1000:]) > 0.87


def test_labels_may_be_strings(examples):
    x, y = examples
    names = np.array(["pear", "apple", "fig"])[y]
    model = GLNClassifier(random_state=0).fit(x, names)
    assert model.classes_.tolist() == ["apple", "fig", "pear"]
    numbers = GLNClassifier(random_state=0).fit(x, np.searchsorted(model.classes_, names))
    assert np.array_equal(model.predict(x), model.classes_[numbers.predict(x)])


def test_two_classes_need_one_network():
    x, y = make_moons(200, random_state=0)
    model = GLNClassifier(random_state=0).fit(x, y)
    assert len(model.networks_) == 1
    chances = model.predict_proba(x)
    assert np.allclose(chances.sum(axis=1), 1)
    assert np.array_equal(model.predict(x), chances[:, 1] > 0.5)


def test_a_weight_is_a_number_of_copies(examples):
    """To the bit, with the same random state: one behind the other, or in random order."""
    x, y = (a[:200] for a in examples)
    weights = np.arange(200) % 4
    copies = x.repeat(weights, axis=0), y.repeat(weights)
    fitted, same = GLNClassifier(random_state=0), GLNClassifier(random_state=0)
    assert state(fitted.fit(x, y, sample_weight=weights)) == state(same.fit(*copies))
    for model, more in ((fitted, (x, y, None, weights)), (same, copies)):
        model.partial_fit(*more)
    assert state(fitted) == state(same)
    assert np.array_equal(fitted.predict_proba(x), same.predict_proba(x))


def test_weights_of_one_change_nothing(examples):
    x, y = examples
    plain, ones = (GLNClassifier(random_state=0).fit(x, y, sample_weight=w) for w in (None, 1.0))
    assert state(plain) == state(ones)


def test_fractions_of_weights_are_chances():
    """Right on the average, and of whole numbers nothing is left to chance."""
    weights = np.tile([0.25, 1.5, 2.0, 0.0], 10_000)
    shown = repeated(weights, len(weights), np.random.RandomState(3))
    times = np.bincount(shown, minlength=len(weights)).reshape(-1, 4)
    assert np.abs(times.mean(axis=0) - [0.25, 1.5, 2.0, 0.0]).max() < 0.02
    assert [set(column) for column in times.T] == [{0, 1}, {1, 2}, {2}, {0}]
    random = np.random.RandomState(3)
    parts = [repeated(weights[part], len(weights[part]), random) for part in PARTS]
    assert np.array_equal(np.concatenate(parts), shown - starts_of(parts))


def starts_of(parts):
    """For each example shown in parts, the number of the first of its part."""
    firsts = [part.start for part in PARTS]
    return np.repeat(firsts, [len(part) for part in parts])


def test_weights_say_what_matters():
    """Two classes in one place: the heavier one is believed."""
    random = np.random.default_rng(5)
    x, y = random.normal(0, 1, (2000, 2)), random.integers(0, 2, 2000)
    for heavy in (0, 1):
        weights = np.where(y == heavy, 0.9, 0.1)
        model = GLNClassifier(random_state=0).fit(x, y, sample_weight=weights)
        assert (model.predict(x) == heavy).mean() > 0.9


def test_examples_of_no_weight_are_as_if_they_were_not_there(examples):
    x, y = (a[:300] for a in examples)
    weights = (y != 2).astype(float)
    model = GLNClassifier(random_state=0).fit(x, y, sample_weight=weights)
    assert model.classes_.tolist() == [0, 1]
    assert state(model) == state(GLNClassifier(random_state=0).fit(x[y != 2], y[y != 2]))
    before = state(model)
    assert state(model.partial_fit(x, y % 2, sample_weight=0.0)) == before
    new = GLNClassifier(random_state=0).partial_fit(x, y, [0, 1, 2], sample_weight=0.0)
    assert np.allclose(new.predict_proba(x), 1 / 3)


@pytest.mark.parametrize("weights", [[-1.0] * 300, [np.nan] * 300, [1.0] * 299, np.inf, [[1.0]]])
def test_what_is_no_weight_is_refused(examples, weights):
    x, y = (a[:300] for a in examples)
    model = GLNClassifier(random_state=0)
    with pytest.raises(ValueError, match="sample_weight"):
        model.fit(x, y, sample_weight=weights)
    with pytest.raises(ValueError, match="sample_weight"):
        model.partial_fit(x, y, [0, 1, 2], sample_weight=weights)
    with pytest.raises(ValueError, match="zero for all"):
        model.fit(x, y, sample_weight=0)


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "csr_matrix", "coo_array"])
@pytest.mark.parametrize("scale", [True, False])
def test_sparse_examples_are_like_dense_ones(form, scale):
    x, y = load_digits(return_X_y=True)
    x, y = x[:300] / 4, y[:300]
    sparse = getattr(scipy.sparse, form)(x)
    dense, other = (GLNClassifier([8], scale=scale, random_state=0).fit(a, y) for a in (x, sparse))
    assert state(dense) == state(other)
    assert state(dense.partial_fit(x, y)) == state(other.partial_fit(sparse, y))
    assert np.array_equal(dense.predict_proba(x), other.predict_proba(sparse))


def test_few_examples_are_dense_at_a_time(monkeypatch):
    """As many as there is room for; the result is the same for any."""
    x, y = make_blobs(300, 40, random_state=0)
    sparse = scipy.sparse.csr_array(x)
    model = GLNClassifier([4], random_state=0).fit(sparse, y)
    sizes = []
    dense = estimator_parts.dense

    def noting(batch):
        sizes.append(batch.shape[0])
        return dense(batch)

    monkeypatch.setattr("glnzip.gln.classifier.dense", noting)
    monkeypatch.setattr(estimator_parts, "_CELLS", 1000)
    again = GLNClassifier([4], random_state=0).fit(sparse, y)
    assert np.array_equal(again.predict_proba(sparse), model.predict_proba(x))
    assert state(again) == state(model)
    assert max(sizes) == 1000 // 40


@pytest.mark.parametrize("classes", [2, 3])
def test_the_answers_agree(examples, classes):
    """Of two classes there is one number, of more there are as many as classes."""
    x, y = examples
    x, y = x[y < classes], y[y < classes]
    model = GLNClassifier(random_state=0).fit(x[:500], y[:500])
    decisions, chances = model.decision_function(x), model.predict_proba(x)
    assert decisions.shape == ((len(x),) if classes == 2 else (len(x), 3))
    best = (decisions > 0).astype(int) if classes == 2 else decisions.argmax(axis=1)
    assert np.array_equal(model.predict(x), model.classes_[best])
    assert np.array_equal(chances.argmax(axis=1), best)
    np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-15, atol=0)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(x)), chances, rtol=1e-12)
    ones = 1 / (1 + np.exp(-decisions))
    share = np.stack([1 - ones, ones], axis=1) if classes == 2 else ones / ones.sum(1)[:, None]
    np.testing.assert_allclose(chances, share, rtol=1e-9)


def exact_logs(logits):
    """Logarithms of the classes' shares, in hundreds of digits."""
    with localcontext() as context:
        context.prec = 400
        ones = [1 / (1 + (-Decimal(float(z))).exp()) for z in logits]
        if len(ones) == 1:
            ones = [1 - ones[0], ones[0]]
        return [float((one / sum(ones)).ln()) for one in ones]


@pytest.mark.parametrize(
    "logits", [[11], [-11], [0], [700], [-11, 11, 11], [-11] * 3, [-700, 5, 0]]
)
def test_logarithms_are_exact_for_tiny_probabilities(monkeypatch, logits):
    model = GLNClassifier()
    monkeypatch.setattr(model, "_logits", lambda x: np.array([logits], float))
    (answer,) = model.predict_log_proba(None)
    np.testing.assert_allclose(answer, exact_logs(logits), rtol=1e-14, atol=1e-300)


def test_it_does_not_matter_how_a_stream_is_cut(examples):
    x, y = examples
    whole = GLNClassifier(random_state=0).partial_fit(x, y, classes=[0, 1, 2])
    parts = GLNClassifier(random_state=0)
    for part in PARTS:
        parts.partial_fit(x[part], y[part], classes=[0, 1, 2])
    assert np.array_equal(parts.predict_proba(x), whole.predict_proba(x))
    assert state(parts) == state(whole)


def test_fit_is_a_random_order_and_then_partial_fit(examples):
    """All else is the same: a pass that goes on where `fit` stopped is a second pass."""
    x, y = (a[:50] for a in examples)
    twice = GLNClassifier(passes=2, random_state=np.random.RandomState(5)).fit(x, y)
    random = np.random.RandomState(5)
    once = GLNClassifier(random_state=random).fit(x, y)
    order = random.permutation(50)
    once.partial_fit(x[order], y[order])
    assert np.array_equal(once.predict_proba(x), twice.predict_proba(x))


def test_the_order_of_a_sorted_set_does_no_harm(examples):
    x, y = examples
    order = np.argsort(y, kind="stable")
    model = GLNClassifier(random_state=0).fit(x[order], y[order])
    assert model.score(x, y) > 0.9


def test_features_are_scaled_by_what_was_seen(examples):
    """Each by the examples up to itself; those to be predicted by all, and they add nothing."""
    x, _ = examples
    scale = RunningScale(FEATURES)
    scaled = np.vstack([scale.count(x[part]) for part in PARTS])
    assert not scaled[0].any()
    for t in (1, 2, 50, len(x) - 1):
        seen = x[: t + 1]
        np.testing.assert_allclose(scaled[t], (x[t] - seen.mean(0)) / seen.std(0), atol=1e-6)
    for _ in range(2):
        np.testing.assert_allclose(scale.apply(x), (x - x.mean(0)) / x.std(0), atol=1e-6)


def test_a_feature_that_never_changes_is_zero():
    scale = RunningScale(2)
    assert not scale.count(np.full((1000, 2), 0.1)).any()
    assert scale.apply(np.array([[0.1, 1e9]])).tolist() == [[0, FAR]]
    assert scale.count(np.array([[0.1, -1e9]])).tolist() == [[0, -FAR]]


def test_the_unit_of_a_feature_means_nothing(examples):
    x, y = examples
    model = GLNClassifier(random_state=0).fit(x, y)
    other = GLNClassifier(random_state=0).fit(x * 8 - 4, y)
    np.testing.assert_allclose(other.predict_proba(x * 8 - 4), model.predict_proba(x), atol=1e-3)


def test_a_random_state_decides_everything(examples):
    x, y = examples
    first, again, other = (GLNClassifier(random_state=n).fit(x, y) for n in (7, 7, 8))
    assert np.array_equal(first.predict_proba(x), again.predict_proba(x))
    assert np.array_equal(first.predict_proba(x), first.fit(x, y).predict_proba(x))
    assert not np.array_equal(first.predict_proba(x), other.predict_proba(x))


def test_prediction_learns_nothing(examples):
    x, y = examples
    model = GLNClassifier(random_state=0).fit(x, y)
    before = pickle.dumps(model)
    chances = model.predict_proba(x)
    model.predict(x[::-1] * 5)
    assert pickle.dumps(model) == before
    assert np.array_equal(model.predict_proba(x[7:8]), chances[7:8])


def test_threads_may_predict_at_once(examples):
    x, y = examples
    model = GLNClassifier(random_state=0).fit(x, y)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(model.predict_proba, [x] * 8))
    assert all(np.array_equal(answer, answers[0]) for answer in answers)


def test_a_saved_model_goes_on_learning(examples):
    x, y = examples
    model = GLNClassifier(random_state=0).fit(x, y)
    copy = pickle.loads(pickle.dumps(model))
    for each in (model, copy):
        each.partial_fit(x[:100], 2 - y[:100])
    assert np.array_equal(copy.predict_proba(x), model.predict_proba(x))
    assert not hasattr(clone(model), "classes_")


def test_what_does_not_fit_is_refused(examples):
    x, y = examples
    with pytest.raises(ValueError, match="first call"):
        GLNClassifier().partial_fit(x, y)
    with pytest.raises(ValueError, match=r"labels .* \[2\]"):
        GLNClassifier().partial_fit(x, y, classes=[0, 1])
    with pytest.raises(ValueError, match="two classes"):
        GLNClassifier().fit(x, np.zeros(len(x)))
    model = GLNClassifier(random_state=0).fit(x, y)
    before = state(model)
    with pytest.raises(ValueError, match=r"labels .* \[5\]"):
        model.partial_fit(x, np.where(y == 1, 5, y))
    with pytest.raises(ValueError, match="those of before"):
        model.partial_fit(x, y, classes=[0, 1, 2, 3])
    for method in (model.predict, lambda x: model.partial_fit(x, y)):
        with pytest.raises(ValueError, match=r"2 features.*expecting 3"):
            method(x[:, :2])
    assert state(model) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scale", "no"),
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
        ("weight_bound", None),
        ("passes", 0),
    ],
)
def test_parameters_out_of_range_are_refused(examples, name, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        GLNClassifier(**{name: value}).fit(*examples)


def run_python(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def test_the_engine_does_not_need_scikit_learn():
    program = "import sys, glnzip.gln; assert 'sklearn' not in sys.modules"
    assert run_python(program).returncode == 0


def test_without_scikit_learn_the_error_names_the_extra():
    program = "import sys; sys.modules['sklearn'] = None; import glnzip.gln.classifier"
    assert "pip install 'glnzip[sklearn]'" in run_python(program).stderr
