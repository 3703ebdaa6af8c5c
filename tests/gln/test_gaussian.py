"""The network of normal distributions against its equations, and what they promise."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip.jit
from glnzip.gln import (
    constant,
    decaying,
    learn_gaussian,
    new_gaussian_network,
    predict_gaussian,
    predict_gaussian_neurons,
)
from glnzip.gln.network import SIGNALS
from tests.oracles.gaussian_oracle import (
    OracleGaussianNetwork,
    gradient_at,
    hessian_at,
    log_density,
    loss,
    product,
)

SHAPE = [[3, 2, 5], [2, 2], [1]]
INPUTS, NEURONS = 4, 6
BIASES = (-1.0, 1.0)


def network(rate=0.3):
    return new_gaussian_network(INPUTS, SHAPE, [constant(rate)] * 3, start=[0.0, None, None])


def random_examples(count, seed, rows=SHAPE, inputs=INPUTS, spread=1.0):
    """Random normal distributions, a random context for each neuron, random targets."""
    random = np.random.default_rng(seed)
    counts = [count for layer in rows for count in layer]
    means = random.normal(0, spread, (count, inputs))
    contexts = random.integers(0, counts, (count, len(counts)))
    targets = random.normal(0, 0.3, count) + means[:, 0] * np.where(contexts[:, 0] > 0, 0.5, -0.5)
    return means, contexts, targets, np.exp(random.normal(0, spread, (count, inputs)))


def learned(net):
    return net.weights.tobytes() + net.steps.tobytes()


@pytest.mark.parametrize(
    ("rows", "rates", "start", "bounds"),
    [
        (SHAPE, [0.3], [0.0, None, None], (1e-3, 10.0, 10.0, 100.0)),
        (SHAPE, [0.9, 0.5, 0.1], [None, None, 0.1], (1e-3, 10.0, 10.0, 100.0)),
        ([[1]], [0.5], [0.0], (0.01, 2.0, 1.0, 3.0)),
        ([[2] * 17, [3]], [0.5], [0.3, -0.2], (0.2, 0.4, 0.5, 0.7)),
        (SHAPE, [0.9], [-1.0, None, None], (0.5, 0.5, 2.0, 0.3)),
    ],
    ids=["usual", "schedule", "neuron", "bounds", "one variance"],
)
def test_the_equations(rows, rates, start, bounds):
    """Every neuron at every time, and all that was learned."""
    low, high, m, b = bounds
    rates = np.array(rates)
    net = new_gaussian_network(
        INPUTS,
        rows,
        [rates] * len(rows),
        start=start,
        biases=BIASES,
        variance_bounds=(low, high),
        mean_bound=m,
        weight_bound=b,
    )
    oracle = OracleGaussianNetwork(
        INPUTS, rows, [rates] * len(rows), start, BIASES, low, high, m, b
    )
    means, contexts, targets, variances = random_examples(60, 1, rows)
    for t, y in enumerate(targets):
        one = slice(t, t + 1)
        ours = predict_gaussian_neurons(net, means[one], contexts[one], variances=variances[one])
        expected = oracle.predict(means[t], variances[t], contexts[t])
        np.testing.assert_allclose(np.vstack(ours), np.vstack(expected), rtol=1e-7, atol=1e-9)
        last = learn_gaussian(
            net, means[one], contexts[one], targets[one], variances=variances[one]
        )
        assert [o[0] for o in last] == [o[0, -1] for o in ours]
        oracle.update(y)
    tables = np.concatenate([table.ravel() for layer in oracle.weights for table in layer])
    np.testing.assert_allclose(net.weights, tables, rtol=0, atol=1e-7)
    steps = np.concatenate([steps for layer in oracle.steps for steps in layer])
    assert np.array_equal(net.steps, np.minimum(steps, len(rates)))


@given(st.integers(0, 1000), st.integers(1, 6))
def test_the_oracle_is_what_the_paper_defines(seed, size):
    """Products of densities, gradient and curvature by differences, convexity along lines."""
    random = np.random.default_rng(seed)
    w, other = random.uniform(0.1, 1, (2, size))
    mu, variance = random.normal(0, 1, size), random.uniform(0.3, 3, size)
    y = random.normal(0, 2)
    mean, out = product(w, mu, variance)
    points = np.array([-1.0, 0.3, 2.0])
    products = (w[:, None] * log_density(points, mu[:, None], variance[:, None])).sum(axis=0)
    constants = products - log_density(points, mean, out)
    np.testing.assert_allclose(constants, constants[0], rtol=1e-9, atol=1e-9)
    h = 1e-6
    hessian = hessian_at(mean, out, mu, variance)
    for i, slope in enumerate(gradient_at(mean, out, mu, variance, y)):
        here, there = w + h * (np.arange(size) == i), w - h * (np.arange(size) == i)
        rise = loss(here, mu, variance, y) - loss(there, mu, variance, y)
        assert rise / (2 * h) == pytest.approx(slope, rel=1e-4, abs=1e-4)
        turn = [gradient_at(*product(v, mu, variance), mu, variance, y) for v in (here, there)]
        np.testing.assert_allclose((turn[0] - turn[1]) / (2 * h), hessian[i], rtol=1e-3, atol=1e-3)
    line = np.linspace(0, 1, 9)[:, None]
    losses = [loss(v, mu, variance, y) for v in w + line * (other - w)]
    assert (np.diff(losses, 2) >= -1e-9).all()


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_outputs_stay_in_their_bounds(scale):
    """Whatever the inputs and the targets, and the highest sensible rate."""
    net = new_gaussian_network(
        INPUTS,
        SHAPE,
        [constant(1.0)] * 3,
        start=[0.0, None, None],
        variance_bounds=(0.01, 4.0),
        mean_bound=3.0,
        weight_bound=5.0,
    )
    means, contexts, targets, variances = random_examples(500, 2, spread=2.0)
    learn_gaussian(net, means * scale, contexts, targets * scale, variances=variances * scale)
    answers, spreads = predict_gaussian_neurons(
        net, means * scale, contexts, variances=variances * scale
    )
    assert np.abs(answers).max() <= 3.0
    assert 0.01 * (1 - 1e-12) <= spreads.min() <= spreads.max() <= 4.0 * (1 + 1e-12)
    assert np.abs(net.weights).max() <= 5.0


def test_the_first_prediction():
    """Biases alone: N(0, 1). The average: the product of the inputs, each to the power 1/K."""
    means, contexts, _, variances = random_examples(20, 3)
    answers, spreads = predict_gaussian(network(), means, contexts)
    assert np.allclose(answers, 0)
    assert np.allclose(spreads, 1)
    average = new_gaussian_network(INPUTS, [[1]], [constant(0.1)], start=[None])
    answers, spreads = predict_gaussian(average, means, contexts[:, :1] * 0, variances=variances)
    expected = [product(np.full(4, 0.25), *one) for one in zip(means, variances, strict=True)]
    np.testing.assert_allclose(np.transpose([answers, spreads]), expected)


def test_only_the_chosen_rows_learn():
    net = network()
    before = net.weights.copy()
    means, _, targets, _ = random_examples(1, 4)
    contexts = [[2, 0, 4, 1, 0, 0]]
    learn_gaussian(net, means, contexts, targets)
    for neuron, context in enumerate(contexts[0]):
        width = net.layers[[0, 0, 0, 1, 1, 2][neuron], SIGNALS]
        row = slice(start := net.first_weight[neuron] + context * width, start + width)
        assert (net.weights[row] != before[row]).any()
        before[row] = net.weights[row]
        assert net.steps[net.first_row[neuron] + context] == 1
    assert np.array_equal(net.weights, before)
    assert net.steps.sum() == NEURONS


def test_a_neuron_is_nearly_as_good_as_the_best_fixed_weights():
    """Regret, over a stream whose best weights are a least-squares fit and its residue."""
    random = np.random.default_rng(5)
    count = 4000
    means = random.normal(0, 1, (count, 3))
    targets = means @ [0.7, -0.4, 0.0] + 0.2 + random.normal(0, 0.3, count)
    net = new_gaussian_network(3, [[1]], [decaying(0.5, 0.02, 100)], start=[0.0])
    answers = learn_gaussian(net, means, np.zeros((count, 1), int), targets)
    ours = -log_density(targets, *answers)
    columns = np.hstack([means, np.ones((count, 1))])
    fit = columns @ np.linalg.lstsq(columns, targets)[0]
    best = -log_density(targets, fit, np.mean((targets - fit) ** 2))
    regret = np.cumsum(ours - best)
    assert regret[99] < 0.6 * 100
    assert regret[-1] < 0.05 * count
    assert regret[-1] - regret[count // 2] < 0.015 * count / 2, "nats for each later example"


def test_each_context_has_a_spread_of_its_own():
    random = np.random.default_rng(6)
    contexts = random.integers(0, 2, (6000, 1))
    targets = random.normal([[-0.5, 0.7]], [[0.1, 0.5]], (6000, 2))
    targets = targets[np.arange(6000), contexts[:, 0]]
    net = new_gaussian_network(1, [[2]], [decaying(0.5, 0.03, 300)], start=[0.0])
    answers = learn_gaussian(net, np.zeros((6000, 1)), contexts, targets)
    late = np.arange(6000) > 4000
    means, spreads = ([a[late & (contexts[:, 0] == c)].mean() for c in (0, 1)] for a in answers)
    np.testing.assert_allclose(means, [-0.5, 0.7], atol=0.05)
    np.testing.assert_allclose(np.sqrt(spreads), [0.1, 0.5], rtol=0.2)


def test_a_precise_input_is_believed():
    net = new_gaussian_network(2, [[1]], [constant(0.1)], start=[None])
    answer, spread = predict_gaussian(net, [[0.0, 1.0]], [[0]], variances=[1.0, 0.01])
    assert answer == pytest.approx(100 / 101)
    assert spread == pytest.approx(2 / 101)


@pytest.mark.parametrize("rate", [0.03, 0.3, 0.9])
def test_surprises_do_no_harm(rate):
    """Sure of exact targets, then wrong; the loss of one example would be thousands of nats."""
    means, contexts, _, variances = random_examples(3000, 7)
    exact = np.tanh(means[:, 0])
    exact[::50] *= -1
    net = network(rate=rate)
    for _ in range(3):
        answers = learn_gaussian(net, means, contexts, exact, variances=variances)
    assert -log_density(exact, *answers).mean() < 5
    assert np.median(-log_density(exact, *answers)) < 0.5


def test_one_step_takes_away_half_of_the_precision_at_most():
    """A row of its own for each example, which is asked for again at once."""
    means, _, targets, variances = random_examples(300, 12)
    net = new_gaussian_network(INPUTS, [[300]], [constant(0.9)], start=[0.2])
    rows = np.arange(300)[:, None]
    before = learn_gaussian(net, means, rows, 5 * targets, variances=variances)
    after = predict_gaussian(net, means, rows, variances=variances)
    ratios = after[1] / before[1]
    assert ratios.max() == pytest.approx(2)
    assert (ratios > 1.99).sum() > 10
    here, there = (-log_density(5 * targets, *answers) for answers in (before, after))
    assert (there < here).all()


def test_prediction_is_what_learning_would_say_and_learns_nothing():
    net = network()
    means, contexts, targets, variances = random_examples(300, 8)
    learn_gaussian(net, means, contexts, targets, variances=variances)
    before = learned(net)
    with ThreadPoolExecutor(4) as pool:
        calls = [
            pool.submit(predict_gaussian, net, means, contexts, variances=variances)
            for _ in range(8)
        ]
    answers = calls[0].result()
    assert all(np.array_equal(call.result(), answers) for call in calls)
    assert learned(net) == before
    everything = predict_gaussian_neurons(net, means, contexts, variances=variances)
    assert np.array_equal([a[:, -1] for a in everything], answers)
    one = (means[:1], contexts[:1], targets[:1])
    said = learn_gaussian(net, *one, variances=variances[:1])
    assert [a[0] for a in said] == [a[0] for a in answers]
    assert learned(net) != before


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int64])
def test_it_does_not_matter_how_examples_are_cut(kind):
    whole, parts = network(), network()
    means, contexts, targets, _ = random_examples(200, 9)
    answers = learn_gaussian(whole, means, contexts, targets)
    pieces = [
        learn_gaussian(parts, means[s], contexts[s].astype(kind), targets[s])
        for s in (slice(0, 0), slice(0, 7), slice(7, None))
    ]
    assert np.array_equal(np.hstack(pieces), answers)
    assert learned(whole) == learned(parts)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x, c, y, v: (x[:, :-1], c, y, 1.0), "means of shape"),
        (lambda x, c, y, v: (x[0], c, y, 1.0), "means of shape"),
        (lambda x, c, y, v: (np.where(x > 2, np.nan, x), c, y, v), "a mean is not finite"),
        (lambda x, c, y, v: (x, c[:, :-1], y, v), "contexts of shape"),
        (lambda x, c, y, v: (x, c[:-1], y, v), "contexts of shape"),
        (lambda x, c, y, v: (x, c.astype(float), y, v), "contexts of shape"),
        (lambda x, c, y, v: (x, c - 1, y, v), "not one of its neuron's rows"),
        (lambda x, c, y, v: (x, c + 1, y, v), "not one of its neuron's rows"),
        (lambda x, c, y, v: (x, c, y[:-1], v), "targets of shape"),
        (lambda x, c, y, v: (x, c, y[:, None], v), "targets of shape"),
        (lambda x, c, y, v: (x, c, y * np.inf, v), "a target is not finite"),
        (lambda x, c, y, v: (x, c, y, v[:, :-1]), "broadcast"),
        (lambda x, c, y, v: (x, c, y, v * 0), "variances must be"),
        (lambda x, c, y, v: (x, c, y, v * np.nan), "variances must be"),
    ],
)
def test_arrays_that_do_not_fit(change, message):
    net = network()
    before = learned(net)
    means, contexts, targets, variances = change(*random_examples(100, 10))
    with pytest.raises(ValueError, match=message):
        learn_gaussian(net, means, contexts, targets, variances=variances)
    assert learned(net) == before


@pytest.mark.parametrize(
    ("rows", "change"),
    [
        ([], {}),
        ([[]], {}),
        ([[0]], {}),
        ([[1], [1]], {}),
        ([[1]], {"inputs": 0}),
        ([[1]], {"start": []}),
        ([[1]], {"biases": ()}),
        ([[1]], {"biases": (np.nan,)}),
        ([[1]], {"variance_bounds": (0.0, 1.0)}),
        ([[1]], {"variance_bounds": (2.0, 1.0)}),
        ([[1]], {"variance_bounds": (1.0, np.inf)}),
        ([[1]], {"mean_bound": 0.0}),
        ([[1]], {"weight_bound": -1.0}),
    ],
)
def test_what_makes_no_network(rows, change):
    arguments = {"inputs": 1, "rows": rows, "rates": [constant(0.1)], "start": [0.0], **change}
    with pytest.raises(ValueError, match=r".+"):
        new_gaussian_network(**arguments)


def bits_of_a_run():
    """A hash of everything that a network computes and learns in a short life."""
    rows = [[7] * 9, [3] * 5, [2]]
    net = new_gaussian_network(11, rows, [decaying(0.9, 0.1, 9)] * 3, start=[0.0, None, 0.1])
    means, contexts, targets, variances = random_examples(60, 11, rows, 11)
    answers = learn_gaussian(net, means, contexts, targets, variances=variances)
    return hashlib.sha256(np.array(answers).tobytes() + learned(net)).hexdigest()


@pytest.mark.skipif(not glnzip.jit.jit_is_on(), reason="compares the JIT with plain Python")
def test_plain_python_gives_the_same_bits():
    program = "from tests.gln import test_gaussian; print(test_gaussian.bits_of_a_run())"
    plain = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == bits_of_a_run()
