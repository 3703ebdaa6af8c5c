"""What networks look at: always earlier pixels, and what is meant."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from bench.paper.earlier_pixels import (
    KINDS,
    MEAN_SCALE,
    PATTERNS,
    Distance,
    Earlier,
    model_positions,
    random_context,
    random_distance,
    set_apart,
    steps_by_length,
)

HEIGHT, WIDTH = 5, 4


@pytest.mark.parametrize("pixel", range(HEIGHT * WIDTH))
def test_nothing_but_earlier_pixels_can_be_named(pixel: int):
    earlier = Earlier(HEIGHT, WIDTH, pixel)
    row, column = divmod(pixel, WIDTH)
    for down, right in product(range(-7, 8), repeat=2):
        there = (row + down, column + right)
        inside = 0 <= there[0] < HEIGHT and 0 <= there[1] < WIDTH
        seen = inside and there < (row, column)
        assert earlier.at(down, right) == (there[0] * WIDTH + there[1] if seen else earlier.blank)


def test_nearest_pixels():
    earlier = Earlier(28, 28, 10 * 28 + 10)
    places = [(row, column) for row, column in (divmod(p, 28) for p in earlier.nearest(6))]
    assert set(places[:2]) == {(10, 9), (9, 10)}
    assert set(places[2:4]) == {(9, 9), (9, 11)}
    assert set(places[4:]) == {(10, 8), (8, 10)}
    assert earlier.nearest(3, up=0.2)[1:] == [8 * 28 + 10, 10 * 28 + 9]


@pytest.mark.parametrize("up", [0.5, 1.0, 2.0])
def test_no_step_that_is_needed_is_out_of_reach(up: float):
    """Of as many nearest pixels as anything asks for, none lies at the edge of what is sorted."""
    steps = steps_by_length(up)[: 90 if up == 1 else max(k for u, k in PATTERNS if u == up)]
    assert max(max(-down, abs(right)) for down, right in steps) < 12


@pytest.mark.parametrize("pixel", [0, 1, 30, 406, 783])
def test_models_look_at_earlier_pixels(pixel: int):
    earlier = Earlier(28, 28, pixel)
    live = list(range(150, 640))
    models = model_positions(np.random.default_rng(pixel), earlier, 300, live)
    assert len(models) == 300
    for number, positions in enumerate(models):
        assert 1 <= len(positions) <= (40 if number < len(PATTERNS) else 12)
        assert all(0 <= p < pixel or p == earlier.blank for p in positions)
    look_far = sum(any(p < pixel - 28 * 7 for p in positions) for positions in models)
    assert look_far > 60 or pixel <= 406


@pytest.mark.parametrize("kind", KINDS)
def test_contexts_depend_on_earlier_pixels_and_fit_their_size(kind: str):
    random = np.random.default_rng(0)
    for pixel in range(HEIGHT * WIDTH):
        planes = (random.random((HEIGHT * WIDTH + 1, 200)) < 0.4).astype(np.uint8)
        planes[-1] = 0
        others = planes.copy()
        others[pixel:-1] ^= 1
        earlier = Earlier(HEIGHT, WIDTH, pixel)
        tell_apart = 0
        for seed in range(5):
            function = random_context(np.random.default_rng(seed), earlier, [kind])
            values = function.values(planes.T)
            assert np.array_equal(values, function.values(others.T))
            assert values.min() >= 0
            assert values.max() < function.size <= 128
            tell_apart += len(np.unique(values)) > 1
        assert tell_apart >= 3 or pixel < 6


def test_a_distance_is_the_number_of_the_first_inked_pixel():
    function = Distance([3, 0, 2])
    bits = np.array([[0, 1, 0, 1], [1, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 0]], np.uint8)
    assert function.values(bits).tolist() == [0, 1, 2, 3]
    assert function.size == 4


def test_orders_of_distance_begin_near_and_are_of_local_pixels():
    earlier = Earlier(28, 28, 10 * 28 + 10)
    random = np.random.default_rng(0)
    orders = [random_distance(random, earlier).pixels for _ in range(50)]
    assert len({order[0] for order in orders}) > 10
    assert all(len(set(order)) == len(order) for order in orders)
    row, column = np.divmod(np.concatenate(orders), 28)
    assert max(10 - row.min(), abs(10 - column).max()) <= 8


@pytest.mark.parametrize("pixel", range(HEIGHT * WIDTH))
def test_seen_from_another_pixel(pixel: int):
    """What lies two up and one to the left here is what lies so there, or blank."""
    here = Earlier(HEIGHT, WIDTH, pixel)
    for other in (here._replace(pixel=p) for p in range(HEIGHT * WIDTH)):
        view = here.seen_from(other)
        assert view[here.blank] == here.blank
        for down, right in product(range(-HEIGHT, 1), range(-WIDTH, WIDTH + 1)):
            if here.at(down, right) != here.blank:
                assert view[here.at(down, right)] == other.at(down, right)
    assert here.seen_from(here)[:pixel] == list(range(pixel))


def test_logits_are_set_apart():
    logits = np.random.default_rng(1).normal(2, 3, (5, 7)).astype(np.float32)
    apart = set_apart(logits)
    assert apart.dtype == np.float32
    mean = logits.mean(axis=1)
    np.testing.assert_allclose(apart[:, :-1], logits - mean[:, None], atol=1e-5)
    np.testing.assert_allclose(apart[:, -1], mean * MEAN_SCALE, rtol=1e-5)
