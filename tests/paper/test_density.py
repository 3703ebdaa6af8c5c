"""Images pixel by pixel: nothing looks ahead, probabilities add up to one, runs go on."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from bench.paper import binary_images, data, density
from bench.paper.binary_images import Images, as_images, mean_losses
from bench.paper.data import BinaryMnist
from bench.paper.density import Settings, Tile, alone, learn_tile, tiles
from bench.paper.shared_network import Shared
from tests.checks import need_test_data

pytestmark = pytest.mark.slow

SMALL = Settings(models=20, layers=(6, 4, 1), context_functions=8, shared=None)
SIDE = 6
SQUARE = Tile(0, 14, (7, 8, 13, 14))


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
    assert images.live == np.flatnonzero(parts.train.mean(axis=0) >= binary_images.LIVE).tolist()


PRINTED = alone(SMALL)._replace(as_printed=True, layers=(6, 4))


@pytest.mark.parametrize("settings", [SMALL, PRINTED])
@pytest.mark.parametrize(
    "tile", [Tile(0, 0, (0,)), Tile(1, 13, (13,)), SQUARE, Tile(1, 35, (28, 29, 34, 35))]
)
def test_a_pixel_is_predicted_from_earlier_ones(images: Images, tile: Tile, settings: Settings):
    """And from what came before: whatever follows, here or in later images, it is the same."""
    logits = learn_tile(settings, images, tile)
    assert logits.shape == (1500, len(tile.pixels))
    for seat, pixel in enumerate(tile.pixels):
        changed = images.planes.copy()
        changed[pixel:-1, 1200] ^= 1
        changed[:-1, 1201:] ^= 1
        later = learn_tile(settings, images._replace(planes=changed), tile)
        assert np.array_equal(later[:1200], logits[:1200])
        assert np.array_equal(later[1200, : seat + 1], logits[1200, : seat + 1])
        assert not np.array_equal(later[1201:], logits[1201:])
        changed[:pixel, 1200] ^= 1
        earlier = learn_tile(settings, images._replace(planes=changed), tile)
        assert np.array_equal(earlier[:1200], logits[:1200])
        assert (earlier[1200, seat] != logits[1200, seat]) == (pixel > 0)


def test_a_network_of_one_pixel_never_sees_later_ones(images: Images):
    tile = Tile(0, 14, (14,))
    logits = learn_tile(SMALL, images, tile)
    changed = images.planes.copy()
    changed[15:-1] ^= 1
    assert np.array_equal(learn_tile(SMALL, images._replace(planes=changed), tile), logits)


def test_squares_cover_the_image_once_in_each_division():
    found = tiles(SMALL, 28, 26)
    for tiling in range(2):
        pixels = [pixel for tile in found if tile.tiling == tiling for pixel in tile.pixels]
        assert sorted(pixels) == list(range(28 * 26))
    assert len({(tile.tiling, tile.middle) for tile in found}) == len(found)
    assert all(tile.middle in tile.pixels for tile in found)
    assert found[0].pixels == (0, 1, 2, 3, 26, 27, 28, 29, 52, 53, 54, 55, 78, 79, 80, 81)
    assert next(tile for tile in found if tile.tiling == 1).pixels == (0, 1, 26, 27)
    assert [tile.pixels for tile in tiles(alone(SMALL), 2, 2)] == [(0,), (1,), (2,), (3,)]


def test_probabilities_of_all_images_add_up_to_one():
    """After the same images, each of the 64 that there are may come last."""
    random = np.random.default_rng(3)
    seen = (random.random((40, 6)) < [[0.1, 0.9, 0.3, 0.5, 0.7, 0.5]]).astype(np.uint8)
    total = 0.0
    for last in product((0, 1), repeat=6):
        tiny = as_images([seen[:30], seen[30:], np.array([last], np.uint8)], 2, 3)
        losses = [
            mean_losses(tiny, pixel, learn_tile(SMALL, tiny, tile)[:, seat]).test
            for tile in tiles(SMALL._replace(tilings=1), 2, 3)
            for seat, pixel in enumerate(tile.pixels)
        ]
        total += np.exp(-sum(losses))
    assert total == pytest.approx(1, abs=1e-9)


def test_the_run_learns_shows_progress_and_goes_on_where_it_stopped(images: Images, tmp_path: Path):
    pixels = range(0, SIDE * SIDE, 3)

    def run(settings: Settings, shown: list[int]) -> Any:
        return density.run(settings, images, pixels, tmp_path, shown.append)

    shown: list[int] = []
    settings = alone(SMALL)
    loss = run(settings, shown)
    assert sum(shown) == density.run_length(settings, images, pixels) == len(pixels)
    noise = -len(pixels) * (0.02 * np.log(0.02) + 0.98 * np.log(0.98))
    assert noise < loss.test < noise + np.log(4), "told which shape it is, and then the noise"
    assert loss.train > loss.valid > noise
    files = sorted(tmp_path.iterdir())
    assert len(files) == len(pixels)
    untouched = files[3].stat().st_mtime_ns
    files[7].unlink()
    again: list[int] = []
    assert run(settings, again) == loss
    assert again == [1] * len(pixels)
    assert files[3].stat().st_mtime_ns == untouched
    assert files[7].is_file()
    assert run(settings._replace(seed=1), again) != loss
    assert len(list(tmp_path.iterdir())) == 2 * len(pixels), "other settings, other files"


def test_the_answer_is_the_mean_of_all_divisions(images: Images, tmp_path: Path):
    loss = density.run(SMALL, images, [13], tmp_path, lambda count: None)
    logits = [
        learn_tile(SMALL, images, tile)[:, tile.pixels.index(13)].astype(np.float64)
        for tile in tiles(SMALL, SIDE, SIDE)
        if 13 in tile.pixels
    ]
    assert len(logits) == 2
    assert loss == mean_losses(images, 13, sum(logits) / 2)


TOLD = SMALL._replace(shared=Shared(models=15, neurons=9))


def test_a_network_believes_what_it_is_told_and_is_worth_it(images: Images):
    """Half of the answer is the shared network's before anything was learned."""
    random = np.random.default_rng(5)
    told = np.where(images.planes[:-1].T ^ (random.random((1500, SIDE * SIDE)) < 0.01), 5.0, -5.0)

    def learned(settings: Settings, told: Any = None) -> Any:
        return learn_tile(settings, images, SQUARE, told)

    logits = learned(TOLD, told.astype(np.float16))
    assert logits[0, 0] == told[0, 7] / 2, "base models have no opinion yet"
    without = mean_losses(images, 13, learned(SMALL)[:, 2])
    assert mean_losses(images, 13, logits[:, 2]).test < without.test / 2
    blind = mean_losses(images, 13, learned(TOLD, np.zeros_like(told))[:, 2])
    assert blind.test == pytest.approx(without.test, rel=0.1)


def test_a_run_keeps_what_the_shared_network_said(images: Images, tmp_path: Path):
    pixels = range(SIDE * SIDE)
    shown: list[int] = []
    loss = density.run(TOLD, images, pixels, tmp_path, shown.append)
    length = density.run_length(TOLD, images, pixels)
    assert sum(shown) == length == 2 * SIDE * SIDE + density.SHARED_WORTH
    files = list(tmp_path.iterdir())
    shared = max(files, key=lambda file: file.stat().st_size)
    for file in {*files} - {shared}:
        file.unlink()
    again: list[int] = []
    assert density.run(TOLD, images, pixels, tmp_path, again.append) == loss
    assert again[0] == density.SHARED_WORTH, "at once"
    assert loss.test < density.run(SMALL, images, pixels, tmp_path, again.append).test


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
    settings = alone(Settings(models=100, layers=(10, 1)))
    images = binary_images.mnist_images()
    loss = density.run(settings, images, range(20, 784, 56), tmp_path, lambda count: None)
    assert loss.test < 1.91
