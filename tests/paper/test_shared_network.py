"""One network for all pixels: nothing looks ahead, places are what they are called."""

from __future__ import annotations

import numpy as np
import pytest

from bench.paper import shared_network
from bench.paper.binary_images import as_images
from bench.paper.shared_network import Shared, choose_places, learn_everywhere, place_bits

pytestmark = pytest.mark.slow

HEIGHT, WIDTH = 5, 6
SMALL = Shared(models=40, neurons=10)


def made_up(images: int = 90):
    """Bars of three pixels, and a little noise."""
    random = np.random.default_rng(2)
    pixels = random.random((images, HEIGHT, WIDTH)) < 0.03
    for image in pixels:
        row, column = random.integers(HEIGHT), random.integers(WIDTH - 2)
        image[row, column : column + 3] = True
    return np.split(pixels.reshape(images, -1).astype(np.uint8), [images // 2, images // 4 * 3])


def learned(parts):
    return learn_everywhere(SMALL, as_images(parts, HEIGHT, WIDTH), lambda count: None)


def test_a_pixel_is_predicted_from_earlier_ones():
    """Of its image, and of all images before: whatever follows, it is the same."""
    parts = made_up()
    logits = learned(parts)
    assert logits.shape == (90, HEIGHT * WIDTH)
    for image, pixel in ((30, 0), (30, 17), (66, 29)):
        changed = np.concatenate(parts)
        changed[image, pixel] ^= 1
        later = learned(np.split(changed, [45, 67]))
        same = (later == logits).ravel()
        place = image * HEIGHT * WIDTH + pixel
        assert same[: place + 1].all()
        assert not same[place + 1 :].all()


def test_it_learns_what_is_the_same_everywhere(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shared_network, "FIRST_RATE", 0.005)
    parts = made_up(1200)
    images = np.concatenate(parts)
    logits = learned(parts).astype(float)
    losses = np.logaddexp(0, np.where(images, -logits, logits)).sum(axis=1)
    share = images.mean(axis=0)
    simple = -(share * np.log(share) + (1 - share) * np.log(1 - share)).sum()
    assert losses[900:].mean() < 0.75 * simple


def test_progress_counts_images():
    shown: list[int] = []
    learn_everywhere(SMALL, as_images(made_up(), HEIGHT, WIDTH), shown.append)
    assert shown == [16] * 5 + [10]


def test_places_are_earlier_ones():
    places = choose_places(np.random.default_rng(0), SMALL, HEIGHT, WIDTH)
    here = 3 + 3  # bits of the row and of the column
    assert len(places.models) == 40
    assert len(places.windows) == 7, "three neurons of ten are told the pixel"
    assert max(place for model in places.models for place in model) < len(places.steps) + here
    with_place = [model for model in places.models if max(model) >= len(places.steps)]
    assert 10 <= len(with_place) <= 30
    for down, right in places.steps:
        assert (down, right) < (0, 0) or abs(down) > HEIGHT or abs(right) > WIDTH


def test_place_bits():
    bits = place_bits(HEIGHT, WIDTH)
    assert bits.shape == (6, 30)
    row, column = divmod(22, WIDTH)
    assert bits[:, 22].tolist() == [
        row & 1,
        row >> 1 & 1,
        row >> 2,
        *(column >> b & 1 for b in (0, 1, 2)),
    ]
