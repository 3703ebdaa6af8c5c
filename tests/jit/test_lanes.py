"""The vector loops do what their plain twins do, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.jit import lanes
from glnzip.jit.lanes import FEW_LANES, LANES, padded
from tests.gln import kernels

SIZE = 40 * LANES
any_place = st.integers(0, SIZE // 2)
any_length = st.integers(0, SIZE // 2 // LANES).map(lambda groups: groups * LANES)
any_seed = st.integers(0, 1000)


def vectors(seed):
    """A weight table and an input vector of very different magnitudes, zeros among them."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(2, SIZE)) * 10.0 ** random.integers(-6, 4, (2, SIZE))
    values[random.random((2, SIZE)) < 0.2] = 0.0
    return values.astype(np.float32)


@given(any_seed, any_place, any_place, any_length)
def test_dot_is_its_twin(seed, row, first, length):
    weights, inputs = vectors(seed)
    result = np.float32(kernels.dot(weights, row, inputs, first, length))
    assert result.tobytes() == lanes._dot_twin(weights, row, inputs, first, length).tobytes()


@given(any_seed, any_place, any_place, any_length, st.floats(-2, 2, width=32))
def test_add_scaled_is_its_twin(seed, row, first, length, scale):
    weights, inputs = vectors(seed)
    expected = weights.copy()
    bound = np.float32(300)
    kernels.add_scaled(weights, row, inputs, first, length, np.float32(scale), bound)
    lanes._add_scaled_twin(expected, row, inputs, first, length, np.float32(scale), bound)
    assert weights.tobytes() == expected.tobytes()


@given(any_seed, any_length, st.booleans(), st.integers(0, 3), st.integers(0, 9), st.integers(0, 3))
def test_rows_side_by_side_are_their_twins(seed, length, few, first_row, count, gap):
    weights, inputs = vectors(seed)
    length = FEW_LANES if few else min(length, SIZE // 4 - LANES)
    weights = np.tile(weights, 12)
    random = np.random.default_rng(seed)
    rows = random.permutation(12)[:count] * SIZE + random.integers(0, SIZE // 2, count)
    rows = np.concatenate((np.zeros(first_row, np.int64), rows))
    scales = random.normal(size=rows.size).astype(np.float32)
    for bound in (np.float32(300), np.float32(np.inf)):
        result = inputs.copy()
        output = 5 + length + gap
        kernels.dot_rows(weights, rows, first_row, count, result, 5, length, output, bound)
        lanes._dot_rows_twin(weights, rows, first_row, count, inputs, 5, length, output, bound)
        assert result.tobytes() == inputs.tobytes()
        expected = weights.copy()
        shown = rows, first_row, count, inputs, 5, length, scales, bound
        kernels.add_to_rows(weights, *shown)
        lanes._add_to_rows_twin(expected, *shown)
        assert weights.tobytes() == expected.tobytes()


def test_the_order_of_additions_is_the_documented_one():
    weights, inputs = vectors(7)
    length = 5 * LANES
    columns = [np.float32(0)] * LANES
    for i in range(length):
        columns[i % LANES] = np.float32(columns[i % LANES] + weights[i] * inputs[i])
    while len(columns) > 1:
        half = len(columns) // 2
        columns = [columns[j] + columns[j + half] for j in range(half)]
    assert kernels.dot(weights, 0, inputs, 0, length) == columns[0]


def test_dot_is_close_to_the_exact_sum():
    weights, inputs = vectors(8)
    products = weights.astype(np.float64) * inputs
    error = kernels.dot(weights, 0, inputs, 0, SIZE) - products.sum()
    assert abs(error) <= 1e-6 * np.abs(products).sum()


def test_add_scaled_changes_its_row_alone():
    weights, inputs = vectors(9)
    before = weights.copy()
    one = np.float32(1)
    kernels.add_scaled(weights, 37, inputs, 5, 3 * LANES, one, np.float32(1e9))
    row = slice(37, 37 + 3 * LANES)
    assert np.array_equal(weights[row], before[row] + inputs[5 : 5 + 3 * LANES])
    weights[row] = before[row]
    assert weights.tobytes() == before.tobytes()


def test_add_scaled_projects_to_the_hypercube():
    weights = np.linspace(-4, 4, LANES, dtype=np.float32)
    inputs = np.zeros(LANES, np.float32)
    kernels.add_scaled(weights, 0, inputs, 0, LANES, np.float32(1), np.float32(2))
    assert np.array_equal(weights, np.clip(np.linspace(-4, 4, LANES, dtype=np.float32), -2, 2))


@pytest.mark.parametrize(
    ("length", "expected"), [(1, 4), (4, 4), (5, 16), (16, 16), (17, 32), (33, 48)]
)
def test_padded(length, expected):
    assert padded(length) == expected


@given(any_seed, any_place, any_place)
def test_a_layer_of_few_inputs_is_one_padded_with_zeros(seed, row, first):
    weights, inputs = vectors(seed)
    weights[row + FEW_LANES : row + LANES] = 0
    bound = np.float32(np.inf)
    products = []
    for length in (FEW_LANES, LANES):
        shown = inputs.copy()
        output = first + length
        kernels.dot_rows(weights, np.array([row]), 0, 1, shown, first, length, output, bound)
        products.append(shown[output])
    assert products[0] == products[1]
