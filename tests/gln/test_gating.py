"""Context functions against their definitions, and what does not fit them."""

from __future__ import annotations

import tracemalloc
from math import prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glnzip.gln import (
    compose,
    distance,
    half_space_contexts,
    half_spaces,
    max_pool,
    random_half_spaces,
    skip_gram,
)
from glnzip.gln import gating as module
from tests.oracles import gating_oracle as oracle

any_seed = st.integers(0, 1000)
floats = st.floats(width=32, allow_nan=False, allow_infinity=False)


def planes_of(side, normals, offsets):
    """The oracle's answer for all examples and planes."""
    return [
        [oracle.half_space(z, v, b) == 1 for v, b in zip(normals, offsets, strict=True)]
        for z in side
    ]


def random_bits(seed, n=40, d=12, ones=0.3):
    random = np.random.default_rng(seed)
    return (random.random((n, d)) < ones).astype(np.uint8)


any_bits = st.builds(random_bits, any_seed, ones=st.sampled_from([0.0, 0.1, 0.5, 1.0]))
any_positions = st.lists(st.integers(0, 11), min_size=1, max_size=12)


# Half-spaces


@given(any_seed, st.integers(0, 6), st.integers(0, 5), st.integers(0, 20))
def test_half_spaces(seed, n, m, d):
    random = np.random.default_rng(seed)
    side, normals = (random.normal(size=(k, d)).astype(np.float32) for k in (n, m))
    offsets = random.normal(size=m).astype(np.float32)
    sides = half_spaces(side, normals, offsets)
    assert sides.dtype == bool
    assert sides.shape == (n, m)
    assert sides.tolist() == planes_of(side, normals, offsets)


@given(any_seed)
def test_half_spaces_through_many_points(seed):
    """Small integers: a good part of the points lies on a plane, and so on its side."""
    random = np.random.default_rng(seed)
    side, normals = random.integers(-2, 3, (10, 3)), random.integers(-2, 3, (10, 3))
    offsets = random.integers(-2, 3, 10)
    sides = half_spaces(side, normals, offsets)
    assert np.array_equal(sides, side @ normals.T >= offsets)
    assert sides.tolist() == planes_of(side, normals, offsets)


@given(st.lists(st.tuples(floats, floats), min_size=1, max_size=8), floats)
@example([(1.0, 1.0), (2.0**-149, 1.0), (-1.0, 1.0)], 0.0)
@example([(1.0, 1.0), (-(2.0**-149), 1.0), (-1.0, 1.0)], 0.0)
@example([(2.0**127, 2.0**127), (2.0**-149, 2.0**-149), (-(2.0**127), 2.0**127)], 0.0)
@example([(2.0**127, 2.0**127), (-(2.0**-149), 2.0**-149), (-(2.0**127), 2.0**127)], 0.0)
@example([(0.0, 3.4e38)], 0.0)
@example([(0.0, -1.0)], -0.0)
@example([(0.1, 0.1)], 0.01)
def test_half_spaces_are_exact(products, offset):
    """However large, small, or opposite the numbers are."""
    side, normal = (np.array(column, np.float32)[None] for column in zip(*products, strict=True))
    offsets = np.array([offset], np.float32)
    assert half_spaces(side, normal, offsets).tolist() == planes_of(side, normal, offsets)


def test_half_spaces_of_points_a_rounding_error_apart():
    """Planes through the points, as nearly as a float32 offset can tell; neither side is rare."""
    random = np.random.default_rng(1)
    side, normals = (random.normal(size=(k, 100)).astype(np.float32) for k in (200, 2))
    side[:, -1] = 0
    nearest = side.astype(float) @ normals.T.astype(float)
    normals = np.repeat(normals, 200, axis=0)
    offsets = nearest.T.ravel().astype(np.float32)
    sides = half_spaces(side, normals, offsets)
    own = np.arange(400)
    through = sides[own % 200, own]
    expected = [oracle.half_space(side[i % 200], normals[i], offsets[i]) == 1 for i in own]
    assert through.tolist() == expected
    assert 100 < through.sum() < 300


@pytest.mark.parametrize("cells", [1, 7, 40, 1000])
def test_half_spaces_do_not_depend_on_slices(monkeypatch, cells):
    random = np.random.default_rng(2)
    side, normals = random.integers(-2, 3, (50, 4)), random.normal(size=(6, 4))
    whole = half_spaces(side, normals, np.zeros(6))
    monkeypatch.setattr(module, "_CELLS", cells)
    assert np.array_equal(half_spaces(side, normals, np.zeros(6)), whole)


@pytest.mark.parametrize(("n", "neurons", "dimension"), [(40_000, 100, 3), (60_000, 1, 500)])
def test_half_spaces_take_little_memory(n, neurons, dimension):
    """Neither n x planes nor n x dimension numbers of 8 bytes are held."""
    side = np.zeros((n, dimension), np.float32)
    normals, offsets = random_half_spaces(np.random.default_rng(3), neurons, 6, dimension)
    tracemalloc.start()
    contexts = half_space_contexts(side, normals, offsets)
    most = tracemalloc.get_traced_memory()[1] - contexts.nbytes
    tracemalloc.stop()
    assert most < 100_000_000 < n * max(neurons * 6, dimension) * 8
    assert np.array_equal(contexts[0], (offsets <= 0) @ (1 << np.arange(5, -1, -1)))
    assert (contexts == contexts[0]).all()


@pytest.mark.parametrize(
    ("planes", "kind"), [(1, "u1"), (6, "u1"), (8, "u1"), (9, "u2"), (16, "u2")]
)
def test_half_space_contexts(planes, kind):
    normals, offsets = random_half_spaces(np.random.default_rng(4), 5, planes, 3)
    side = np.random.default_rng(5).normal(size=(30, 3)).astype(np.float32)
    contexts = half_space_contexts(side, normals, offsets)
    assert contexts.dtype == kind
    expected = [
        [
            oracle.composed(
                [oracle.half_space(z, *plane) for plane in zip(v, b, strict=True)], [2] * planes
            )
            for v, b in zip(normals, offsets, strict=True)
        ]
        for z in side
    ]
    assert contexts.tolist() == expected


@pytest.mark.parametrize("planes", [0, 17])
def test_numbers_of_planes_that_make_no_context(planes):
    with pytest.raises(ValueError, match="planes"):
        half_space_contexts(np.ones((2, 3)), np.ones((4, planes, 3)), np.ones((4, planes)))


@pytest.mark.parametrize(
    ("side", "normals", "offsets"),
    [
        (np.ones(3), np.ones((4, 3)), np.ones(4)),
        (np.ones((2, 3)), np.ones((4, 2)), np.ones(4)),
        (np.ones((2, 3)), np.ones(3), np.ones(())),
        (np.ones((2, 3)), np.ones((4, 1, 3)), np.ones((4, 1))),
        (np.ones((2, 3)), np.ones((4, 3)), np.ones(5)),
        (np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 1))),
        (np.full((2, 3), np.nan), np.ones((4, 3)), np.ones(4)),
        (np.ones((2, 3)), np.full((4, 3), np.inf), np.ones(4)),
        (np.ones((2, 3)), np.ones((4, 3)), np.full(4, -np.inf)),
    ],
)
def test_planes_that_do_not_fit_are_refused(side, normals, offsets):
    with pytest.raises(ValueError, match=r"fit|finite"):
        half_spaces(side, normals, offsets)


def test_random_half_spaces():
    """Normal numbers of the given scales, from the generator alone."""
    draw = (200, 6, 50)
    normals, offsets = random_half_spaces(
        np.random.default_rng(6), *draw, scale=3, offset_scale=0.5
    )
    assert normals.shape == draw
    assert offsets.shape == draw[:2]
    assert normals.dtype == offsets.dtype == np.float32
    for sample, scale in ((normals, 3.0), (offsets, 0.5)):
        z = sample.astype(float).ravel() / scale
        assert abs(z.mean()) < 5 / np.sqrt(z.size)
        assert abs((z**2).mean() - 1) < 5 * np.sqrt(2 / z.size)
        assert abs((np.abs(z) < 1).mean() - 0.6827) < 2.5 / np.sqrt(z.size)
    again = random_half_spaces(np.random.default_rng(6), *draw, scale=3, offset_scale=0.5)
    assert np.array_equal(again[0], normals)
    assert np.array_equal(again[1], offsets)
    through_zero = random_half_spaces(np.random.default_rng(6), *draw, offset_scale=0)
    assert not through_zero[1].any()


# Bits


@given(any_bits, any_positions)
@example(random_bits(7), [3])
@example(random_bits(8), [5, 5])
def test_skip_gram(bits, positions):
    numbers = skip_gram(bits, positions)
    assert numbers.dtype == np.int64
    assert numbers.tolist() == [oracle.skip_gram(z, positions) for z in bits]


def test_the_longest_skip_gram():
    ones = np.ones((1, 1), bool)
    assert skip_gram(ones, [0] * 62).tolist() == [2**62 - 1]
    with pytest.raises(ValueError, match="room for 62"):
        skip_gram(ones, [0] * 63)
    with pytest.raises(ValueError, match="room for 62"):
        max_pool(ones, *[[0]] * 63)


@given(any_bits, st.lists(any_positions, min_size=1, max_size=4))
@example(random_bits(9), [[3]])
def test_max_pool(bits, windows):
    for window in windows:
        pool = max_pool(bits, window)
        assert pool.dtype == np.int64
        assert pool.tolist() == [oracle.max_pool(z, window) for z in bits]
    expected = [
        oracle.composed([oracle.max_pool(z, w) for w in windows], [2] * len(windows)) for z in bits
    ]
    assert max_pool(bits, *windows).tolist() == expected


@given(any_bits, any_positions, st.integers(1, 14))
@example(random_bits(10), [3], 1)
def test_distance(bits, positions, limit):
    steps = distance(bits, positions, limit)
    assert steps.dtype == np.int64
    assert steps.tolist() == [oracle.distance(z, positions, limit) for z in bits]


def test_distance_by_hand():
    bits = np.array([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]], np.uint8)
    assert distance(bits, [0, 1, 2], 3).tolist() == [0, 1, 2, 3]
    assert distance(bits, [0, 1, 2], 9).tolist() == [0, 1, 2, 9]
    assert distance(bits, [0, 1, 2], 2).tolist() == [0, 1, 2, 2]
    assert distance(bits, [2, 1], 2).tolist() == [0, 0, 0, 2]
    with pytest.raises(ValueError, match="limit"):
        distance(bits, [0, 1, 2], 0)


bit_functions = pytest.mark.parametrize(
    "function", [skip_gram, max_pool, lambda bits, positions: distance(bits, positions, 2)]
)


@bit_functions
@pytest.mark.parametrize("positions", [[], [-1], [4], [0.5], [[0, 1]], [True], 0])
def test_positions_that_are_none_are_refused(function, positions):
    with pytest.raises(ValueError, match="position"):
        function(random_bits(11, d=4), positions)


@bit_functions
@pytest.mark.parametrize("bits", [[0, 1], [[0, 2]], [[0, -1]], [[0, 0.5]], [[0, np.nan]]])
def test_bits_that_are_none_are_refused(function, bits):
    with pytest.raises(ValueError, match="bits"):
        function(np.array(bits), [0, 1])


@bit_functions
def test_no_examples_at_all(function):
    assert function(random_bits(12, n=0), [0, 1]).shape == (0,)


def test_no_windows_at_all():
    with pytest.raises(ValueError, match="window"):
        max_pool(random_bits(13))


# Composition


@given(
    any_seed,
    st.lists(st.integers(1, 70), min_size=1, max_size=6),
    st.sampled_from([(0,), (9,), (5, 1), (5, 3), (0, 3), (4, 0)]),
    st.sampled_from([np.uint8, np.int16, np.int64, np.uint64]),
)
@example(1, [1], (1,), np.uint8)
@example(1, [1, 1, 1], (2, 2), np.int64)
def test_compose(seed, sizes, shape, kind):
    values = np.random.default_rng(seed).integers(0, sizes, (*shape, len(sizes))).astype(kind)
    composed = compose(values, sizes)
    assert composed.dtype == np.int64
    assert composed.shape == shape
    flat = values.reshape(prod(shape), len(sizes))
    assert composed.ravel().tolist() == [oracle.composed(v, sizes) for v in flat.tolist()]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_compose_gives_every_combination_its_own_number(sizes):
    every = np.indices(sizes).reshape(len(sizes), -1).T
    assert compose(every, sizes).tolist() == list(range(prod(sizes)))


def test_the_largest_composition():
    assert compose([[2**31 - 1] * 2], [2**31] * 2).tolist() == [2**62 - 1]
    assert compose([[255, 255]], [256, 2**54]).tolist() == [255 * 2**54 + 255]
    assert compose(np.array([[255, 255]], np.uint8), [256, 2**54]).tolist() == [255 * 2**54 + 255]


@pytest.mark.parametrize(
    ("values", "sizes"),
    [
        ([[0, 3]], [2, 3]),
        ([[0, 1], [2, 0]], [2, 3]),
        ([[-1, 0]], [2, 3]),
        ([[[0, 0], [0, 3]]], [2, 3]),
        ([[0, 1]], [2]),
        ([[0, 1]], [2, 3, 4]),
        ([[0.0, 1.0]], [2, 3]),
        ([0, 1], [2, 3]),
        ([[]], []),
        (np.zeros((1, 0), int), []),
        ([[0, 0]], [2, 0]),
        ([[0, 0]], [2**31, 2**31 + 1]),
    ],
)
def test_compositions_that_are_refused(values, sizes):
    with pytest.raises(ValueError, match=r"values|sizes|integers"):
        compose(values, sizes)


def test_contexts_for_a_network_can_be_of_every_kind():
    """Columns side by side, each within the rows that its function promises."""
    bits = random_bits(14, n=500)
    columns = {
        8: skip_gram(bits, [1, 5, 2]),
        2: max_pool(bits, [3, 4]),
        6: distance(bits, range(5), 5),
        4: max_pool(bits, [0, 1], [6]),
    }
    columns[48] = compose(np.stack([columns[8], columns[6]], axis=1), [8, 6])
    contexts = np.stack(list(columns.values()), axis=1)
    assert (contexts.min(axis=0) == 0).all()
    assert (contexts.max(axis=0) == np.array(list(columns)) - 1)[:4].all()
    assert contexts[:, 4].max() < 48
