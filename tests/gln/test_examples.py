"""Arrays of examples: the same as the two steps one by one, and no array that does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glnzip import jit
from glnzip.gln import (
    constant,
    decaying,
    inverse_time,
    learn,
    learn_switching,
    new_network,
    new_switching,
    predict,
    predict_mixture,
    predict_neurons,
)
from glnzip.gln import examples as module
from glnzip.gln.network import Network
from glnzip.jit.part import NO_COMPILER
from tests.gln import kernels

ROWS = [[4, 2, 3], [2, 4], [1]]
INPUTS, COUNT = 5, 300
NEURONS = sum(map(len, ROWS))


def network(rate: Any = None) -> Network:
    rates = [decaying(0.1, 0.02, 20) if rate is None else constant(rate)] * len(ROWS)
    return new_network(INPUTS, ROWS, rates, start=[None, 0.0, None])


@pytest.fixture
def examples() -> tuple[Any, Any, Any]:
    """Inputs, contexts and bits that have something to do with each other."""
    random = np.random.default_rng(5)
    inputs = random.normal(0, 2, (COUNT, INPUTS)).astype(np.float32)
    counts = [count for layer in ROWS for count in layer]
    contexts = random.integers(0, counts, (COUNT, NEURONS))
    bits = (inputs[:, 0] * np.where(contexts[:, 1], 1, -1) > 0).astype(np.uint8)
    return inputs, contexts, bits


def step_by_step(network: Network, examples: tuple[Any, Any, Any], learn: bool) -> Any:
    outputs = np.zeros((COUNT, NEURONS), np.float32)
    inputs, contexts, bits = examples
    kernels.run(network, inputs, contexts, bits, learn, outputs)
    return outputs


def test_learning_is_predict_then_update(examples):
    ours, theirs = network(), network()
    answers = learn(ours, *examples)
    assert np.array_equal(answers, step_by_step(theirs, examples, learn=True)[:, -1])
    assert np.array_equal(ours.weights, theirs.weights)
    assert np.array_equal(ours.steps, theirs.steps)


@pytest.mark.parametrize("piece", [1, 7, COUNT])
@pytest.mark.parametrize(("weights", "slices"), [(1, 6), (4 * 16, 5), (1 << 19, 3)])
def test_neuron_by_neuron_is_example_by_example(examples, monkeypatch, piece, weights, slices):
    """Few neurons at a time or whole layers, few examples at a time or all: the same numbers."""
    monkeypatch.setattr(module, "_PIECE", piece)
    monkeypatch.setattr(module, "_CACHED_WEIGHTS", weights)
    assert len(module._slices(network())) == slices
    ours, theirs = network(), network()
    outputs = step_by_step(theirs, examples, learn=True)
    assert np.array_equal(learn(ours, *examples), outputs[:, -1])
    assert np.array_equal(ours.weights, theirs.weights)
    assert np.array_equal(ours.steps, theirs.steps)
    frozen = step_by_step(theirs, examples, learn=False)
    assert np.array_equal(predict_neurons(ours, *examples[:2]), frozen)
    mixed, alone = network(), network()
    answers = learn_switching(new_switching(mixed), mixed, *examples)
    monkeypatch.undo()
    expected = learn_switching(new_switching(alone), alone, *examples)
    assert all(np.array_equal(a, b) for a, b in zip(answers, expected, strict=True))


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int64])
def test_prediction_is_frozen(examples, kind):
    now = network()
    learn(now, *examples)
    weights = now.weights.copy()
    inputs, contexts, bits = examples
    outputs = predict_neurons(now, inputs, contexts.astype(kind))
    assert np.array_equal(outputs, step_by_step(now, examples, learn=False))
    assert np.array_equal(predict(now, inputs, contexts.astype(kind)), outputs[:, -1])
    assert np.array_equal(now.weights, weights)
    assert ((outputs[:, -1] > 0) == bits).mean() > 0.9


def test_a_network_that_can_only_be_read_still_predicts(examples):
    """By compiled code: what does not compile would run as plain Python from then on."""
    now = network()
    learn(now, *examples)
    mixture = new_switching(now)
    learn_switching(mixture, now, *examples)
    shown = examples[:2]
    before = jit.why_slower(), [*NO_COMPILER]

    def answers(now: Network) -> list[Any]:
        return [
            predict(now, *shown),
            predict_neurons(now, *shown),
            predict_mixture(mixture, now, *shown),
        ]

    expected = answers(now)
    for array in now:
        array.flags.writeable = False
    for answer, same in zip(answers(now), expected, strict=True):
        assert np.array_equal(answer, same)
    assert (jit.why_slower(), NO_COMPILER) == before


def test_it_does_not_matter_how_examples_are_cut(examples):
    whole, parts = network(), network()
    answers = learn(whole, *examples)
    pieces = [learn(parts, *(a[s] for a in examples)) for s in (slice(0, 7), slice(7, None))]
    assert np.array_equal(np.concatenate(pieces), answers)


def test_a_rate_by_time_is_one_for_every_row(examples):
    """With the same rate at all times it is a constant schedule; with zero nothing is learned."""
    by_row, by_time = network(0.03), network(1.0)
    rates = np.full((COUNT, len(ROWS)), 0.03, np.float32)
    assert np.array_equal(learn(by_row, *examples), learn(by_time, *examples, rates=rates))
    still = network(1.0)
    assert np.array_equal(learn(still, *examples, rates=0 * rates), predict(still, *examples[:2]))


def test_the_paper_s_rate_falls_with_time(examples):
    """Against networks whose constant rate is set anew for every example."""
    schedule = inverse_time(2.0, 0.05, COUNT)
    assert schedule[0] == schedule[39] == np.float32(0.05) > schedule[40] > schedule[-1]
    ours, theirs = network(1.0), network(1.0)
    answers = learn(ours, *examples, rates=np.repeat(schedule[:, None], len(ROWS), axis=1))
    for t in range(COUNT):
        theirs.rates[:] = schedule[t]
        assert learn(theirs, *(a[t : t + 1] for a in examples)) == answers[t]


def test_each_layer_has_its_rate(examples):
    rates = np.zeros((COUNT, len(ROWS)), np.float32)
    rates[:, 1] = 0.1
    now = network(1.0)
    before = predict_neurons(now, *examples[:2])
    learn(now, *examples, rates=rates)
    changed = (predict_neurons(now, *examples[:2]) != before).any(axis=0)
    assert changed.tolist() == [False] * 3 + [True] * 3  # the last follows its inputs


def test_the_switching_mixture(examples):
    """The answer is the shares' mean of the neurons, and the shares move to the good ones."""
    alone, mixed = network(), network()
    outputs = step_by_step(alone, examples, learn=True)
    probabilities, shares = learn_switching(new_switching(mixed), mixed, *examples)
    assert np.array_equal(mixed.weights, alone.weights)
    assert np.allclose(shares.sum(axis=1), 1)
    means = (shares / (1 + np.exp(-outputs.astype(float)))).sum(axis=1)
    np.testing.assert_allclose(probabilities, means, atol=1e-6)
    assert np.array_equal(shares[0], np.full(NEURONS, 1 / NEURONS))
    assert shares[-1].max() > 0.5


def test_the_frozen_mixture(examples):
    """It says what learning would have said next, to the bit, and nothing learned has changed."""
    now = network()
    mixture = new_switching(now)
    learn_switching(mixture, now, *examples)
    state = [a.copy() for a in (now.weights, now.steps, mixture.shares, mixture.time)]
    probabilities = predict_mixture(mixture, now, *examples[:2])
    assert all(map(np.array_equal, (now.weights, now.steps, mixture.shares, mixture.time), state))
    outputs = predict_neurons(now, *examples[:2]).astype(float)
    means = (mixture.shares / (1 + np.exp(-outputs))).sum(axis=1)
    np.testing.assert_allclose(probabilities, means, atol=1e-6)
    first = [a[:1] for a in examples]
    assert learn_switching(mixture, now, *first)[0] == probabilities[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda x, c, b: (x[:, :-1], c, b),
        lambda x, c, b: (np.hstack([x, x]), c, b),
        lambda x, c, b: (x[0], c, b),
        lambda x, c, b: (x, c[:, :-1], b),
        lambda x, c, b: (x, c[:-1], b),
        lambda x, c, b: (x, c.astype(float), b),
        lambda x, c, b: (x, c, b[:-1]),
        lambda x, c, b: (x, np.where(c == 3, 4, c), b),
        lambda x, c, b: (x, c - 1, b),
    ],
)
def test_what_does_not_fit_is_refused(examples, change):
    with pytest.raises(ValueError, match=r"fit|examples|rows|rates"):
        learn(network(), *change(*examples))


@pytest.mark.parametrize(
    ("schedule", "shape"), [(0.1, (COUNT, 2)), (0.1, (COUNT - 1, 3)), (None, (COUNT, 3))]
)
def test_rates_that_do_not_fit_are_refused(examples, schedule, shape):
    with pytest.raises(ValueError, match="rates by time"):
        learn(network(schedule), *examples, rates=np.ones(shape, np.float32))


def test_no_examples_at_all():
    empty = np.zeros((0, INPUTS)), np.zeros((0, NEURONS), np.uint8)
    assert learn(network(), *empty, []).shape == (0,)
    assert predict_neurons(network(), *empty).shape == (0, NEURONS)
    assert predict_mixture(new_switching(network()), network(), *empty).shape == (0,)


def test_prediction_leaves_the_network_s_scratch_alone(examples):
    """So threads may predict at once, and a step that waits for its update is not disturbed."""
    now = network()
    mixture = new_switching(now)
    learn_switching(mixture, now, *examples)
    before = [array.copy() for array in (*now, *mixture)]
    for ask in (predict, predict_neurons):
        ask(now, *examples[:2])
    predict_mixture(mixture, now, *examples[:2])
    assert all(np.array_equal(a, b) for a, b in zip((*now, *mixture), before, strict=True))
