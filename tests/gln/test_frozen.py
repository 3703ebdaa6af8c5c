"""A frozen network is the product of its matrices, in whatever order they are multiplied."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glnzip.gln import (
    cheapest_order,
    collapse,
    constant,
    gated_matrices,
    learn,
    new_network,
    predict,
    predict_neurons,
)
from glnzip.gln.network import SIGNALS
from tests.oracles.matrix_chain_oracle import bracketings, multiplications

NO_CLIP = 1e6
SHAPE = [[4, 2, 3], [2, 4], [2]]
INPUTS = 5


def random_examples(inputs, rows, n, seed):
    random = np.random.default_rng(seed)
    counts = [count for layer in rows for count in layer]
    return (
        random.normal(0, 2, (n, inputs)).astype(np.float32),
        random.integers(0, counts, (n, len(counts))),
        random.integers(0, 2, n),
    )


def trained(inputs, rows, *, n=30, start=None, output_bound=NO_CLIP, seed=0):
    """A network that has learned a little: some of its rows have never been used."""
    layers = len(rows)
    starts = [start] * layers
    rates = [constant(0.02)] * layers
    network = new_network(inputs, rows, rates, start=starts, output_bound=output_bound)
    learn(network, *random_examples(inputs, rows, n, seed))
    return network


def check_collapse(network, logits, contexts):
    """Against `predict`, as nearly as float32 can be."""
    answers = predict(network, logits, contexts)
    for x, chosen, answer in zip(logits, contexts, answers, strict=True):
        weights, bias = collapse(network, chosen)
        assert weights.dtype == np.float64
        assert weights.shape == x.shape
        sizes = [np.abs(matrix) for matrix in gated_matrices(network, chosen)]
        largest = reduce(lambda below, matrix: matrix @ below, sizes, np.append(np.abs(x), 1))[0]
        assert abs(weights @ x + bias - answer) <= 1e-6 * len(network.layers) * largest


@settings(max_examples=60)
@given(
    inputs=st.integers(1, 40),
    rows=st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=20), min_size=1, max_size=4),
    start=st.sampled_from([None, 0.0, 0.1]),
    n=st.sampled_from([0, 1, 30]),
    seed=st.integers(0, 1000),
)
def test_collapse_is_what_the_network_predicts(inputs, rows, start, n, seed):
    network = trained(inputs, rows, n=n, start=start, seed=seed)
    logits, contexts, _ = random_examples(inputs, rows, 10, seed + 1)
    assert np.abs(predict_neurons(network, logits, contexts)).max() < NO_CLIP
    check_collapse(network, logits, contexts)


def test_one_product_answers_for_all_inputs_with_its_contexts():
    network = trained(INPUTS, SHAPE)
    logits, contexts, _ = random_examples(INPUTS, SHAPE, 200, seed=2)
    contexts[:] = contexts[0]
    weights, bias = collapse(network, contexts[0])
    np.testing.assert_allclose(
        logits @ weights + bias, predict(network, logits, contexts), atol=1e-5
    )
    nothing = np.zeros((1, INPUTS), np.float32)
    assert predict(network, nothing, contexts[:1])[0] == pytest.approx(bias, abs=1e-6)


def test_clipping_is_not_part_of_it():
    """The two differ where some output is clipped, and only there."""
    network = trained(INPUTS, SHAPE, start=0.4, output_bound=1.5)
    logits, contexts, _ = random_examples(INPUTS, SHAPE, 200, seed=3)
    outputs = predict_neurons(network, logits, contexts)
    linear = [
        w @ x + b for x, c in zip(logits, contexts, strict=True) for w, b in [collapse(network, c)]
    ]
    clipped = (np.abs(outputs) == 1.5).any(axis=1)
    differs = np.abs(outputs[:, -1] - linear) > 1e-5
    assert 0 < differs.sum() <= clipped.sum() < 200
    assert not differs[~clipped].any()


def test_gated_matrices():
    """The chosen rows as `predict_network` finds them, the bias below and beside them."""
    network = trained(INPUTS, SHAPE, n=2, start=0.3)
    _, contexts, _ = random_examples(INPUTS, SHAPE, 40, seed=4)
    below = [INPUTS, 3, 2]
    starts = 0
    for chosen in contexts:
        matrices = gated_matrices(network, chosen)
        neuron = 0
        for layer, matrix in enumerate(matrices):
            k, width = len(SHAPE[layer]), below[layer] + 1
            assert matrix.shape == (k + 1, width)
            assert matrix[-1].tolist() == [0.0] * (width - 1) + [1.0]
            for row in matrix[:-1]:
                at = network.first_row[neuron] + chosen[neuron]
                if network.steps[at]:
                    apart = network.layers[layer, SIGNALS]
                    first = network.first_weight[neuron] + apart * chosen[neuron]
                    assert row.tolist() == network.weights[first:][:width].tolist()
                else:
                    assert row.tolist() == [np.float32(0.3)] * (width - 1) + [0.0]
                    starts += 1
                neuron += 1
    assert 0 < starts < contexts.size


def test_a_network_never_trained_is_the_average_of_its_inputs():
    weights, bias = collapse(trained(INPUTS, SHAPE, n=0), np.zeros(6, np.uint8))
    np.testing.assert_allclose(weights, 1 / INPUTS, rtol=1e-6)
    assert bias == 0


def test_nothing_is_written():
    """Neither what was learned nor scratch: the network predicts the same before and after."""
    network = trained(INPUTS, SHAPE)
    logits, contexts, _ = random_examples(INPUTS, SHAPE, 50, seed=5)
    answers = predict(network, logits, contexts)
    before = {name: array.tobytes() for name, array in network._asdict().items()}
    chosen = contexts[7].copy()
    collapse(network, chosen)
    for matrix in gated_matrices(network, chosen):
        matrix[:] = 9  # a copy
    assert {name: array.tobytes() for name, array in network._asdict().items()} == before
    assert np.array_equal(chosen, contexts[7])
    assert np.array_equal(predict(network, logits, contexts), answers)


@pytest.mark.parametrize(
    "contexts",
    [
        np.zeros(5, int),
        np.zeros(7, int),
        np.zeros((1, 6), int),
        np.zeros(6),
        [4, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 2],
        [0, -1, 0, 0, 0, 0],
    ],
)
@pytest.mark.parametrize("function", [gated_matrices, collapse])
def test_contexts_that_do_not_fit_are_refused(function, contexts):
    with pytest.raises(ValueError, match=r"fit|rows"):
        function(trained(INPUTS, SHAPE), contexts)


# The order of multiplication


def from_the_left(matrices: int) -> Any:
    order: Any = 0
    for matrix in range(1, matrices):
        order = order, matrix
    return order


def from_the_right(matrices: int) -> Any:
    order: Any = matrices - 1
    for matrix in range(matrices - 2, -1, -1):
        order = matrix, order
    return order


@given(st.lists(st.integers(1, 30), min_size=2, max_size=7))
def test_cheapest_of_all_bracketings(sizes):
    order, cost = cheapest_order(sizes)
    every = list(bracketings(0, len(sizes) - 2))
    assert order in every
    assert multiplications(order, sizes) == (sizes[0], sizes[-1], cost)
    assert cost == min(multiplications(each, sizes)[2] for each in every)


@given(st.lists(st.integers(1, 1000), min_size=3, max_size=20))
def test_never_dearer_than_from_one_end_to_the_other(sizes):
    order, cost = cheapest_order(sizes)
    assert multiplications(order, sizes)[2] == cost
    matrices = len(sizes) - 1
    for each in (from_the_left(matrices), from_the_right(matrices)):
        assert cost <= multiplications(each, sizes)[2]


@given(st.lists(st.integers(2, 50), min_size=2, max_size=12))
def test_one_answer_is_worked_out_from_the_top(sizes):
    """A vector goes through the layers: the sum of their sizes, and no order is as cheap."""
    order, cost = cheapest_order([1, *sizes])
    assert cost == sum(a * b for a, b in pairwise(sizes))
    assert order == from_the_left(len(sizes))


def test_a_well_known_chain():
    """Cormen, Leiserson, Rivest and Stein, "Introduction to Algorithms", section 15.2."""
    order, cost = cheapest_order([30, 35, 15, 5, 10, 20, 25])
    assert order == ((0, (1, 2)), ((3, 4), 5))
    assert cost == 15125


def test_short_chains_and_large_numbers():
    assert cheapest_order([7, 9]) == (0, 0)
    assert cheapest_order([7, 9, 2]) == ((0, 1), 126)
    size = np.int64(1 << 40)
    assert cheapest_order([size, size, size]) == ((0, 1), 1 << 120)


@pytest.mark.parametrize("sizes", [[], [3], [3, 0], [0, 3, 4], [3, -1, 4]])
def test_no_chain_at_all(sizes):
    with pytest.raises(ValueError, match="chain"):
        cheapest_order(sizes)
