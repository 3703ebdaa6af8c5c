"""The engine against the paper's equations, and what the paper promises of them."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import glnzip.jit
from glnzip.gln import constant, decaying, inverse_time, new_network, stretched
from glnzip.gln.network import SIGNALS
from tests.gln import kernels
from tests.oracles.gln_oracle import (
    OracleNetwork,
    geometric_mixture,
    gradient,
    log_loss,
    logit,
    sigma,
)


def run(network, inputs, contexts, bits, *, learn=True):
    """Every neuron's output (in the logit domain) at every time."""
    outputs = np.zeros((bits.size, network.contexts.size), np.float32)
    kernels.run(network, inputs, contexts, bits, learn, outputs)
    return outputs


def random_examples(rows, inputs, bits, seed, spread=2.0):
    """Random input logits, a random context for each neuron, random bits."""
    random = np.random.default_rng(seed)
    counts = [count for layer in rows for count in layer]
    return (
        random.normal(0, spread, (bits, inputs)).astype(np.float32),
        random.integers(0, counts, (bits, len(counts))),
        random.integers(0, 2, bits, dtype=np.uint8),
    )


def check_against_oracle(
    inputs, rows, examples, rates=(0.05,), start=0.0, output_bound=9.0, weight_bound=5.0
):
    """Run engine and oracle side by side; compare all outputs, all weights and all counters."""
    logits, contexts, bits = examples
    rates = np.array(rates, np.float32)
    layers = len(rows)
    network = new_network(
        inputs,
        rows,
        [rates] * layers,
        start=[start] * layers,
        output_bound=output_bound,
        weight_bound=weight_bound,
    )
    oracle = OracleNetwork(
        inputs,
        rows,
        [rates.astype(float)] * layers,
        [start] * layers,
        eps=sigma(-output_bound),
        b=weight_bound,
    )
    outputs = run(network, logits, contexts, bits)
    for t, bit in enumerate(bits):
        answers = oracle.predict(sigma(logits[t].astype(float)), contexts[t])
        np.testing.assert_allclose(sigma(outputs[t].astype(float)), answers, rtol=0, atol=5e-5)
        oracle.update(bit)
    row = neuron = end = 0
    for layer, layer_steps in zip(oracle.weights, oracle.steps, strict=True):
        for w, steps in zip(layer, layer_steps, strict=True):
            width = 4 if w.shape[1] <= 4 else -(-w.shape[1] // 16) * 16
            weight = network.first_weight[neuron]
            assert weight % 16 == 0, "rows of whole lane groups lie in cache lines of their own"
            assert not network.weights[end:weight].any() or neuron == 0, "something between tables"
            ours = network.weights[weight : weight + w.shape[0] * width].reshape(-1, width)
            trained = np.asarray(steps) > 0
            np.testing.assert_allclose(ours[trained, : w.shape[1]], w[trained], rtol=0, atol=2e-4)
            assert not ours[~trained].any(), "rows come to be when they are trained"
            assert not ours[:, w.shape[1] :].any(), "padding has learned something"
            most = len(rates)
            assert np.array_equal(network.steps[row : row + len(w)], np.minimum(steps, most))
            row += len(w)
            neuron += 1
            end = weight + ours.size
    assert row == network.steps.size
    assert neuron == network.first_weight.size
    assert end <= network.weights.size < end + 16


any_rows = st.lists(
    st.lists(st.integers(1, 4), min_size=1, max_size=20), min_size=1, max_size=4
)  # layers of neurons of contexts


@pytest.mark.slow
@settings(max_examples=60)
@given(
    inputs=st.integers(1, 40),
    rows=any_rows,
    start=st.sampled_from([None, 0.0, 0.3]),
    rates=st.sampled_from([[0.01], [0.2, 0.1, 0.05, 0.02], [0.0]]),
    output_bound=st.sampled_from([0.5, 4.0, 11.0]),
    weight_bound=st.sampled_from([0.05, 1.0, np.inf]),
    seed=st.integers(0, 1000),
)
@example(1, [[1]], None, [0.2, 0.1, 0.05, 0.02], 11.0, 200.0, 0)
@example(15, [[2] * 15, [2] * 16, [3] * 17, [1]], None, [0.01], 11.0, 200.0, 0)
def test_any_network(inputs, rows, start, rates, output_bound, weight_bound, seed):
    check_against_oracle(
        inputs,
        rows,
        random_examples(rows, inputs, 25, seed),
        rates,
        start,
        output_bound,
        weight_bound,
    )


SHAPE = [[3, 2, 5], [2, 2], [1]]


@pytest.mark.parametrize("value", [0.0, 1.0, -8.0])
@pytest.mark.parametrize("bit", [0, 1])
@pytest.mark.parametrize("start", [None, 0.0])
def test_constant_inputs(value, bit, start):
    _, contexts, bits = random_examples(SHAPE, 4, 150, seed=1)
    inputs = np.full((150, 4), value, np.float32)
    check_against_oracle(4, SHAPE, (inputs, contexts, np.full_like(bits, bit)), start=start)


def test_inputs_that_contradict_each_other():
    """Ties: opposite opinions of equal strength cancel until the weights have moved apart."""
    inputs, contexts, bits = random_examples(SHAPE, 4, 150, seed=2)
    inputs[:, 2:] = -inputs[:, :2]
    check_against_oracle(4, SHAPE, (inputs, contexts, bits), start=None)


def test_outputs_at_their_clip():
    """The error at the clip is that of the clipped probability, and is never zero."""
    inputs, contexts, bits = random_examples(SHAPE, 4, 150, seed=3, spread=8.0)
    check_against_oracle(4, SHAPE, (inputs, contexts, bits), start=1.0, output_bound=2.0)
    network = new_network(1, [[1]], [constant(0.1)], start=[1.0], output_bound=2.0)
    ten, nothing, zero = np.full((1, 1), 10, np.float32), np.zeros((1, 1), int), np.zeros(1, "u1")
    assert run(network, ten, nothing, zero)[0, 0] == 2.0
    weight = network.weights[network.first_weight[0]]
    assert weight == pytest.approx(1.0 - 0.1 * sigma(2.0) * 10.0, abs=1e-5)


def test_weights_at_their_bound():
    inputs, contexts, bits = random_examples(SHAPE, 4, 150, seed=4)
    network = new_network(4, SHAPE, [constant(5.0)] * 3, start=[0.0] * 3, weight_bound=0.25)
    run(network, inputs, contexts, bits)
    assert np.abs(network.weights).max() == 0.25
    check_against_oracle(4, SHAPE, (inputs, contexts, bits), rates=[1.0], weight_bound=0.25)


def test_a_learning_rate_schedule_runs_per_row():
    inputs, contexts, bits = random_examples(SHAPE, 4, 40, seed=5)
    contexts[:30, 0] = 2  # row 2 of the first neuron has run to the end when row 1 starts
    contexts[30:, 0] = 1
    rates = inverse_time(1.0, 0.5, 20)
    check_against_oracle(4, SHAPE, (inputs, contexts, bits), rates)
    network = new_network(4, SHAPE, [rates] * 3, start=[0.0] * 3)
    run(network, inputs, contexts, bits)
    assert network.steps[:3].tolist() == [0, 10, 20]


def test_the_start():
    examples = random_examples([[3], [2]], 5, 20, seed=6)
    zero = new_network(5, [[3], [2]], [constant(0.1)] * 2, start=[0.0, 0.0])
    assert not run(zero, *examples, learn=False).any()
    average = new_network(5, [[3], [2]], [constant(0.1)] * 2, start=[None, None])
    outputs = run(average, *examples, learn=False)
    assert np.allclose(outputs[:, 0], examples[0].mean(axis=1), atol=1e-6)
    assert np.array_equal(outputs[:, 1], outputs[:, 0])


def test_a_neuron_can_learn_from_its_bias_alone():
    examples = (
        np.zeros((2000, 1), np.float32),
        np.zeros((2000, 1), int),
        (np.arange(2000) % 4 != 0).astype("u1"),
    )
    network = new_network(1, [[1]], [decaying(0.3, 0.01, 50)], start=[0.0])
    outputs = run(network, *examples)
    assert sigma(outputs[-100:, 0]).mean() == pytest.approx(0.75, abs=0.02)


def test_only_the_chosen_rows_learn():
    network = new_network(4, SHAPE, [constant(0.1)] * 3, start=[0.3] * 3)
    before = network.weights.copy()
    inputs, _, bits = random_examples(SHAPE, 4, 1, seed=7)
    contexts = np.array([[2, 0, 4, 1, 0, 0]])
    run(network, inputs, contexts, bits)
    for neuron, context in enumerate(contexts[0]):
        width = network.layers[[0, 0, 0, 1, 1, 2][neuron], SIGNALS]
        row = slice(start := network.first_weight[neuron] + context * width, start + width)
        assert (network.weights[row] != before[row]).any()
        before[row] = network.weights[row]
    assert np.array_equal(network.weights, before)


def test_prediction_writes_no_learned_state():
    """A network is frozen by not calling `update_network`; nothing else is needed."""
    network = new_network(4, SHAPE, [decaying(0.1, 0.01, 9)] * 3, start=[None] * 3)
    examples = random_examples(SHAPE, 4, 60, seed=8)
    run(network, *examples)
    scratch = {"signals", "contexts", "chosen"}
    before = {k: v.tobytes() for k, v in network._asdict().items() if k not in scratch}
    outputs = run(network, *examples, learn=False)
    assert {k: v.tobytes() for k, v in network._asdict().items() if k not in scratch} == before
    assert np.array_equal(run(network, *examples, learn=False), outputs)


def test_prediction_depends_on_learned_state_inputs_and_contexts_alone():
    """What is scratch may be anything before the call."""
    examples = random_examples(SHAPE, 4, 60, seed=9)
    fresh, used = (new_network(4, SHAPE, [constant(0.1)] * 3, start=[None] * 3) for _ in range(2))
    for first, size in ((0, 4), (16, 3), (20, 2), (24, 1)):  # each layer's inputs; the answer
        used.signals[first : first + size] = 1e9
    used.contexts[:] = 0
    assert np.array_equal(run(fresh, *examples), run(used, *examples))
    assert fresh.weights.tobytes() == used.weights.tobytes()


@pytest.mark.parametrize(
    ("inputs", "rows", "rates", "start"),
    [
        (0, [[1]], [constant(0.1)], [0.0]),
        (1, [], [constant(0.1)], []),
        (1, [[]], [constant(0.1)], [0.0]),
        (1, [[0]], [constant(0.1)], [0.0]),
        (1, [[1]], [constant(0.1)] * 2, [0.0]),
        (1, [[1], [1]], [constant(0.1)], [0.0, 0.0]),
        (1, [[1]], [constant(0.1)], []),
    ],
)
def test_shapes_that_make_no_network(inputs, rows, rates, start):
    with pytest.raises(ValueError, match=r".+"):
        new_network(inputs, rows, rates, start=start)


def bits_of_a_run():
    """A hash of everything that a network computes and learns in a short life."""
    rows = [[7] * 20, [3] * 5, [2]]
    network = new_network(37, rows, [decaying(0.1, 0.01, 9)] * 3, start=[None, 0.0, 0.4])
    outputs = run(network, *random_examples(rows, 37, 60, seed=10))
    return hashlib.sha256(outputs.tobytes() + network.weights.tobytes()).hexdigest()


@pytest.mark.skipif(not glnzip.jit.jit_is_on(), reason="compares the JIT with plain Python")
def test_plain_python_gives_the_same_bits():
    program = "from tests.gln import test_network; print(test_network.bits_of_a_run())"
    plain = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == bits_of_a_run()


@pytest.mark.skipif(not glnzip.jit.jit_is_on(), reason="compares the JIT with plain Python")
@pytest.mark.parametrize("context", [-1, 3])
def test_plain_python_refuses_a_context_out_of_range(context):
    program = (
        "import numpy as np; from glnzip.gln import constant, new_network, predict_network;"
        "network = new_network(1, [[3], [9]], [constant(0.1)] * 2, start=[0, 0]);"
        f"network.contexts[0] = {context}; predict_network(network)"
    )
    plain = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert "AssertionError" in plain.stderr


def half_space_contexts(side_info, planes):
    """Which side of each hyperplane a point lies on: one bit a plane, ``planes[neuron][plane]``."""
    sides = np.einsum("nd,kpd->nkp", side_info, planes[..., :-1]) > planes[..., -1]
    return sides @ (1 << np.arange(planes.shape[1]))


def test_a_small_network_learns_a_conditional_probability_to_its_entropy():
    """Two noisy coins placed like a chessboard's fields, which no single linear model can tell."""
    random = np.random.default_rng(11)
    n, neurons, planes = 100_000, 32, 6
    points = random.uniform(-1, 1, (n, 2))
    chance = np.where(points[:, 0] * points[:, 1] > 0, 0.9, 0.1)
    bits = (random.random(n) < chance).astype(np.uint8)
    normals = random.normal(size=(neurons + 1, planes, 3))
    normals[..., 2] *= 0.2  # planes pass near the middle
    network = new_network(
        2,
        [[1 << planes] * neurons, [1 << planes]],
        [decaying(0.05, 0.0003, 500)] * 2,
        start=[0.0, None],
    )
    inputs = stretched((points + 1) / 2, 0.01)
    outputs = run(network, inputs, half_space_contexts(points, normals), bits)
    last = slice(-10_000, None)

    def loss_of(p):
        return -np.log2(np.where(bits[last, None] == 1, p, 1 - p)).mean(axis=0)

    losses = loss_of(sigma(outputs[last].astype(float)))
    assert losses[-1] < loss_of(chance[last, None]) + 0.05  # 0.47 bits; a coin would have 1
    assert losses[-1] < losses[:-1].min(), "the second layer is better than any of the first"


@given(st.integers(0, 1000), st.integers(1, 6), st.integers(0, 1))
def test_the_oracle_is_what_the_paper_defines(seed, size, bit):
    """Geometric mixing is a dot product of logits; Proposition 1 is the gradient of the loss."""
    random = np.random.default_rng(seed)
    w, p = random.normal(size=size), random.uniform(0.05, 0.95, size)
    assert geometric_mixture(w, p) == pytest.approx(sigma(w @ logit(p)), rel=1e-9)
    h = 1e-6
    for i, slope in enumerate(gradient(w, p, bit)):
        step = h * (np.arange(size) == i)
        rise = log_loss(w + step, p, bit) - log_loss(w - step, p, bit)
        assert rise / (2 * h) == pytest.approx(slope, abs=1e-6)
    other = random.normal(size=size)
    middle = log_loss((w + other) / 2, p, bit)
    assert middle <= (log_loss(w, p, bit) + log_loss(other, p, bit)) / 2 + 1e-12, "convexity"
