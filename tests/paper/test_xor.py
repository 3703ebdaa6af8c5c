"""Which functions a network can learn depends on its gates alone (section 4).

The bit is the exclusive or of two others. Where every gate sees only one of them, either value
leaves the bit undecided: each neuron of the first layer ends at one half, which is logit 0, and so
do all that stand on them. Gates that see both, as a number in mixed radix, leave nothing open.
"""

from __future__ import annotations

import numpy as np
import pytest

from glnzip.gln import decaying, learn, new_network, predict_neurons

LAYERS = (4, 4, 1)
NEURONS = sum(LAYERS)
CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


def one_coordinate(points):
    """Half-spaces along the axes, in turns."""
    return points[:, np.arange(NEURONS) % 2]


def both_coordinates(points):
    """One context for each corner, for all neurons."""
    return np.repeat(2 * points[:, :1] + points[:, 1:], NEURONS, axis=1)


def exclusive_or(points):
    return points[:, 0] ^ points[:, 1]


def learned(gates, rows, count, seed, rate):
    """Every neuron's probability of a one at the four corners."""
    points = np.random.default_rng(seed).integers(0, 2, (count, 2))
    network = new_network(
        1, [[rows] * neurons for neurons in LAYERS], [rate] * len(LAYERS), start=[None] * 3
    )
    learn(network, np.ones((count, 1)), gates(points), exclusive_or(points))
    logits = predict_neurons(network, np.ones((4, 1)), gates(CORNERS))
    return 1 / (1 + np.exp(-logits.astype(float)))


@pytest.mark.parametrize("seed", range(3))
def test_gates_on_one_coordinate_each_learn_nothing(seed):
    rate = decaying(0.1, 1e-5, 100, 100_000)
    outputs = learned(one_coordinate, 2, 100_000, seed, rate)
    assert np.abs(outputs - 0.5).max() < 0.02


@pytest.mark.parametrize("seed", range(3))
def test_gates_on_both_coordinates_learn_it_at_once(seed):
    rate = decaying(0.1, 1e-5, 1000, 100_000)
    outputs = learned(both_coordinates, 4, 1000, seed, rate)
    assert np.abs(outputs - exclusive_or(CORNERS)[:, None]).max() < 0.04
