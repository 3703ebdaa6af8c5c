"""Images pixel by pixel: nothing looks ahead, probabilities add up to one, runs go on."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from bench.paper import data, density
from bench.paper.data import BinaryMnist
from bench.paper.density import Images, Settings, as_images, learn_pixel, mean_losses
from tests.checks import need_test_data

pytestmark = pytest.mark.slow

SMALL = Settings(models=20, layers=(6, 4, 1), context_functions=8, reach=1)
SIDE = 6


def made_up_parts(seed: int = 0) -> BinaryMnist:
    """One of four shapes with a little noise in each image."""
    random = np.random.default_rng(seed)
    shapes = random.random((4, SIDE * SIDE)) < 0.4
    images = shapes[random.integers(4, size=1500)] ^ (random.random((1500, SIDE * SIDE)) < 0.02)
    return BinaryMnist(*np.split(images.astype(np.uint8), [1000, 1200]))


@pytest.fixture
def images() -> Images:
    return as_images(made_up_parts(), SIDE, SIDE)


def test_images_are_arranged_by_pixels(images: Images):
    parts = made_up_parts()
    assert np.array_equal(images.planes[:-1, :1000], parts.train.T)
    assert np.array_equal(images.planes[:-1, 1200:], parts.test.T)
    assert not images.planes[-1].any()
    assert images.ends == (1000, 1200, 1500)
    assert images.live == np.flatnonzero(parts.train.mean(axis=0) >= density.LIVE).tolist()


PRINTED = SMALL._replace(as_printed=True, layers=(6, 4), reach=0)


@pytest.mark.parametrize("settings", [SMALL, PRINTED])
@pytest.mark.parametrize("pixel", [0, 1, 13, SIDE * SIDE - 1])
def test_a_pixel_is_predicted_from_earlier_ones(images: Images, pixel: int, settings: Settings):
    """And from what came before: whatever follows, here or in later images, it is the same."""
    logits = learn_pixel(settings, images, pixel)
    changed = images.planes.copy()
    changed[pixel:-1, 1200] ^= 1
    changed[:-1, 1201:] ^= 1
    later = learn_pixel(settings, images._replace(planes=changed), pixel)
    assert np.array_equal(later[:1201], logits[:1201])
    assert not np.array_equal(later[1201:], logits[1201:])
    changed[:pixel, 1200] ^= 1
    earlier = learn_pixel(settings, images._replace(planes=changed), pixel)
    assert np.array_equal(earlier[:1200], logits[:1200])
    assert (earlier[1200] != logits[1200]) == (pixel > 0)


def test_without_neighbours_later_pixels_are_never_seen(images: Images):
    settings = SMALL._replace(reach=0)
    logits = learn_pixel(settings, images, 13)
    changed = images.planes.copy()
    changed[14:-1] ^= 1
    assert np.array_equal(learn_pixel(settings, images._replace(planes=changed), 13), logits)
    settings = SMALL._replace(reach=1)
    logits = learn_pixel(settings, images, 13)
    assert not np.array_equal(learn_pixel(settings, images._replace(planes=changed), 13), logits)


def test_probabilities_of_all_images_add_up_to_one():
    """After the same images, each of the 64 that there are may come last."""
    random = np.random.default_rng(3)
    seen = (random.random((40, 6)) < [[0.1, 0.9, 0.3, 0.5, 0.7, 0.5]]).astype(np.uint8)
    total = 0.0
    for last in product((0, 1), repeat=6):
        tiny = as_images([seen[:30], seen[30:], np.array([last], np.uint8)], 2, 3)
        losses = [mean_losses(tiny, i, learn_pixel(SMALL, tiny, i)).test for i in range(6)]
        total += np.exp(-sum(losses))
    assert total == pytest.approx(1, abs=1e-9)


def test_the_run_learns_shows_progress_and_goes_on_where_it_stopped(images: Images, tmp_path: Path):
    pixels = range(0, SIDE * SIDE, 3)

    def run(settings: Settings, shown: list[int]) -> Any:
        return density.run(settings, images, pixels, tmp_path, shown.append)

    shown: list[int] = []
    loss = run(SMALL, shown)
    assert sum(shown) == len(pixels)
    noise = -len(pixels) * (0.02 * np.log(0.02) + 0.98 * np.log(0.98))
    assert noise < loss.test < noise + np.log(4), "told which shape it is, and then the noise"
    assert loss.train > loss.valid > noise
    files = sorted(tmp_path.iterdir())
    assert len(files) == len(pixels)
    untouched = files[3].stat().st_mtime_ns
    files[7].unlink()
    again: list[int] = []
    assert run(SMALL, again) == loss
    assert again == [len(pixels) - 1, 1]
    assert files[3].stat().st_mtime_ns == untouched
    assert run(SMALL._replace(seed=1), again) != loss
    assert len(list(tmp_path.iterdir())) == 2 * len(pixels), "other settings, other files"


def test_logits_are_set_apart():
    logits = np.random.default_rng(1).normal(2, 3, (5, 7)).astype(np.float32)
    apart = density.set_apart(logits)
    assert apart.dtype == np.float32
    mean = logits.mean(axis=1)
    np.testing.assert_allclose(apart[:, :-1], logits - mean[:, None], atol=1e-5)
    np.testing.assert_allclose(apart[:, -1], mean * density.MEAN_SCALE, rtol=1e-5)


def test_missing_images_are_an_error_with_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("GLNZIP_DATA", str(tmp_path))
    outcome = CliRunner().invoke(density.main, ["--folder", str(tmp_path / "runs")])
    assert outcome.exit_code == 1
    assert "binarized_mnist.npz is missing: run `make fetch`" in outcome.output


def test_command(images: Images, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(density, "mnist_images", lambda: images)
    options = ["--models", "10", "--folder", str(tmp_path)]
    outcome = CliRunner().invoke(density.main, [*options, "--step", "9"])
    assert outcome.exit_code == 0, outcome.output
    assert "4 of 36 pixels of an image cost " in outcome.output
    outcome = CliRunner().invoke(density.main, [*options, "--as-printed"])
    assert "an image costs " in outcome.output


def test_small_networks_on_binary_mnist(tmp_path: Path):
    """Every 56th pixel by 10-1 neurons: 1.9005 nats in the test set when this was written."""
    need_test_data(data.missing_reason("binarized_mnist.npz"), "GLNZIP_DATA")
    settings = Settings(models=100, layers=(10, 1))
    images = density.mnist_images()
    loss = density.run(settings, images, range(20, 784, 56), tmp_path, lambda count: None)
    assert loss.test < 1.91
