"""The switching recursion against the sum over all sequences that it stands for."""

from __future__ import annotations

from itertools import pairwise, product
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.gln import constant, new_network, new_switching
from tests.gln import kernels
from tests.oracles.gln_oracle import sigma, switching_mixture, switching_prior


def new_mixture(neurons):
    """A new mixture over one layer of this many neurons, and their network."""
    network = new_network(1, [[1] * neurons], [constant(0.1)], start=[None])
    return new_switching(network), network


def follow(mixture, outputs, bits):
    """The mixture's probability of a one at every time."""
    switching, network = mixture
    answers = np.zeros(bits.size, np.float32)
    kernels.run_switching(switching, network, outputs.astype(np.float32), bits, answers)
    return answers


def random_candidates(neurons, bits, seed, spread=3.0):
    random = np.random.default_rng(seed)
    outputs = random.normal(0, spread, (bits, neurons)).astype(np.float32)
    return outputs, random.integers(0, 2, bits, dtype=np.uint8)


@given(
    st.sampled_from([(2, 9), (3, 6), (4, 5), (5, 4), (16, 2)]),
    st.integers(0, 1000),
    st.sampled_from([0.0, 1.0, 9.0]),
)
def test_recursion_is_the_sum_over_all_sequences(size, seed, spread):
    neurons, n = size
    outputs, bits = random_candidates(neurons, n, seed, spread)
    answers = follow(new_mixture(neurons), outputs, bits)
    p = np.zeros_like(outputs)
    kernels.squash_all(outputs.ravel(), p.ravel())
    p = p.astype(float)  # what the candidates say, to the last bit
    told = np.where(bits[:, None] == 1, p, 1 - p)
    for t in range(n):
        with_one = np.vstack([told[:t], p[t]])
        expected = switching_mixture(with_one) / switching_mixture(told[:t])
        assert answers[t] == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(("neurons", "n"), [(2, 1), (2, 8), (3, 6), (4, 5)])
def test_prior(neurons, n):
    """It adds up to one, and no sequence costs more than the paper's bound."""
    total = 0.0
    for sequence in product(range(neurons), repeat=n):
        weight = switching_prior(sequence, neurons)
        switches = sum(a != b for a, b in pairwise(sequence))
        assert -log(weight) <= (switches + 1) * (log(neurons) + log(n)) + 1e-12
        total += weight
    assert total == pytest.approx(1)


def test_loss_is_within_the_bound_of_the_best_sequence():
    """One neuron is right for a while, then another, then the first again."""
    n, neurons = 3000, 5
    outputs, bits = random_candidates(neurons, n, seed=1)
    right = np.array([2, 4, 2])[np.arange(n) * 3 // n]
    outputs[np.arange(n), right] = np.where(bits, 4.0, -4.0)
    answers = follow(new_mixture(neurons), outputs, bits).astype(float)
    best = -np.log(sigma(4.0)) * n
    loss = -np.log(np.where(bits, answers, 1 - answers)).sum()
    assert best < loss <= best + 3 * (log(neurons) + log(n)) + 0.01


def test_shares_stay_a_distribution():
    switching, _ = mixture = new_mixture(37)
    outputs, bits = random_candidates(37, 20_000, seed=2, spread=30.0)  # most are at the clip
    answers = follow(mixture, outputs, bits)
    assert switching.shares.min() > 0
    assert abs(switching.shares.sum() - 1) < 1e-12
    assert switching.time[0] == 20_000
    assert answers.min() > 0
    assert answers.max() < 1


def test_prediction_writes_scratch_only():
    switching, network = mixture = new_mixture(3)
    follow(mixture, *random_candidates(3, 50, seed=3))
    before = switching.shares.tobytes(), switching.time.tobytes()
    network.signals[-4:-1] = 5, -5, 1
    kernels.predict_only(switching, network)
    assert (switching.shares.tobytes(), switching.time.tobytes()) == before


def test_all_layers_are_candidates():
    network = new_network(1, [[1] * 20, [1] * 3, [1]], [constant(0.1)] * 3, start=[None] * 3)
    switching = new_switching(network)
    outputs, _ = random_candidates(24, 1, seed=4)
    for neuron, neurons, signal, signals in network.layers[:, :4]:
        at = signal + signals
        network.signals[at : at + neurons] = outputs[0, neuron : neuron + neurons]
    p = sigma(outputs[0].astype(float))
    assert kernels.predict_only(switching, network) == pytest.approx(p.mean(), abs=1e-6)
    assert np.allclose(switching.candidates, p, atol=1e-6)


def test_one_neuron_leaves_nothing_to_switch_to():
    with pytest.raises(ValueError, match="two neurons"):
        new_mixture(1)
