"""Digits in one pass: how images are prepared, that runs can be interrupted, and the yardstick."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from bench.paper import data, digit_images, mnist
from bench.paper.data import Mnist
from bench.paper.digit_images import LENGTH
from bench.paper.mnist import Settings
from tests.checks import need_test_data

pytestmark = pytest.mark.slow

TRAIN, TEST = 3000, 1000
SMALL = Settings(layers=(6, 4))


def made_up_digits(seed: int = 0) -> Mnist:
    """Ten random shapes with noise: as many images as are enough for a small network."""
    random = np.random.default_rng(seed)
    shapes = random.random((10, 28, 28)) < 0.1
    labels = random.integers(0, 10, TRAIN + TEST).astype(np.uint8)
    noise = random.random((TRAIN + TEST, 28, 28)) < 0.03
    images = ((shapes[labels] ^ noise) * 255).astype(np.uint8)
    return Mnist(images[:TRAIN], labels[:TRAIN], images[TRAIN:], labels[TRAIN:])


@pytest.fixture
def digits(monkeypatch: pytest.MonkeyPatch) -> Mnist:
    made_up = made_up_digits()
    monkeypatch.setattr(mnist, "mnist", lambda: made_up)
    return made_up


def shapes_of_one_stroke() -> Any:
    """A thick upright stroke, the same leaning either way, and moved: float64[n, 28, 28]."""
    r, c = np.mgrid[:28, :28]
    return np.stack(
        [
            ((abs(c - 13 - shift - lean * (r - 13)) <= 2) & (abs(r - 13 + shift) <= 7)).astype(
                float
            )
            for lean in (0.0, 0.4, -0.4)
            for shift in (0, 3)
        ]
    )


def test_upright_images_have_no_lean_and_lie_at_the_centre():
    r, c = np.mgrid[:28, :28] - 13.5
    for ink in digit_images.upright(shapes_of_one_stroke()):
        assert (ink * r).sum() == pytest.approx(0, abs=1e-6)
        assert (ink * c).sum() == pytest.approx(0, abs=1e-6)
        assert abs((ink * r * c).sum()) < 0.02 * (ink * r * r).sum()


def test_upright_images_keep_their_ink_and_look_alike():
    shapes = shapes_of_one_stroke()
    set_upright = digit_images.upright(shapes)
    np.testing.assert_allclose(set_upright.sum((1, 2)), shapes.sum((1, 2)), rtol=1e-9)
    differences = abs(set_upright[1:] - set_upright[0]).sum((1, 2)) / shapes[0].sum()
    assert differences.max() < 0.2  # interpolation blurs what it moves
    before = abs(shapes[1:] - shapes[0]).sum((1, 2)) / shapes[0].sum()
    assert before.min() > 0.4


def test_an_empty_image_stays_empty():
    assert not digit_images.upright(np.zeros((2, 28, 28))).any()
    assert np.isfinite(digit_images.prepared(np.zeros((3, 28, 28), np.uint8), True, False, 2)).all()


def test_smoothing_is_one_two_one_both_ways():
    point = np.zeros((1, 5, 5))
    point[0, 2, 2] = 16
    expected = np.zeros((5, 5))
    expected[1:4, 1:4] = np.outer([1, 2, 1], [1, 2, 1])
    assert np.array_equal(digit_images.smoothed(point)[0], expected)


def test_prepared_images_have_one_length_and_no_mean(digits):
    pixels = digit_images.prepared(digits.train_images, True, False, TRAIN)
    assert pixels.dtype == np.float32
    assert abs(pixels.mean(axis=0)).max() < 1e-5
    mean = digit_images.prepared(np.vstack([digits.train_images[:1]] * 2), True, False, 1)[0]
    assert not mean.any(), "the mean image is taken off"
    raw = digit_images._prepared(digits.train_images[:20], True, False)
    np.testing.assert_allclose(np.linalg.norm(raw, axis=1), LENGTH, rtol=1e-5)


def test_plain_images_are_neither_smoothed_nor_scaled(digits):
    raw = digit_images._prepared(digits.train_images[:20], False, True)
    assert np.array_equal(raw, (digits.train_images[:20] / 255.0).reshape(20, -1).astype("f4"))


def test_rates_and_units_as_printed(digits):
    images, labels = digits.train_images[:50], digits.train_labels[:50]
    ours, printed = (
        mnist.new_task(Settings((6, 4), True, True, printed_rates), images, labels, 10)
        for printed_rates in (False, True)
    )
    assert np.array_equal(ours.inputs, printed.inputs * np.float32(3))
    rates = mnist.rates_by_time(Settings((6, 4), printed_rates=True), 40_000)
    assert rates.shape == (40_000, 3)
    assert np.array_equal(rates[:, 0], rates[:, 2])
    assert rates[[0, 26_665], 0].tolist() == [np.float32(0.3)] * 2
    assert rates[39_999, 0] == np.float32(0.2)


def test_validation_shows_no_test_images(digits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    accuracy = mnist.run(SMALL._replace(validate=True), tmp_path, lambda count: None)
    blank = digits._replace(test_images=np.zeros_like(digits.test_images))
    monkeypatch.setattr(mnist, "mnist", lambda: blank)
    again = mnist.run(SMALL._replace(validate=True), tmp_path / "again", lambda count: None)
    assert again == accuracy
    assert min(accuracy) > 0.95


def test_the_run_learns_shows_progress_and_goes_on_where_it_stopped(digits, tmp_path: Path):
    shown: list[int] = []
    accuracy = mnist.run(SMALL, tmp_path, shown.append)
    assert sum(shown) == 10 * (TRAIN + TEST)
    assert min(accuracy) > 0.97
    files = sorted(tmp_path.iterdir())
    assert len(files) == 10
    untouched = files[3].stat().st_mtime_ns
    files[7].unlink()
    again: list[int] = []
    assert mnist.run(SMALL, tmp_path, again.append) == accuracy
    assert again[0] == 9 * (TRAIN + TEST)
    assert sum(again) == 10 * (TRAIN + TEST)
    assert files[3].stat().st_mtime_ns == untouched
    mnist.run(SMALL._replace(seed=1), tmp_path, shown.append)
    assert len(list(tmp_path.iterdir())) == 20, "other settings, other files"


def test_half_a_file_is_never_taken_for_a_whole_one(digits, tmp_path: Path, monkeypatch):
    """An interruption while answers are written leaves nothing under their name."""

    def interrupted(file: Path, content: bytes) -> None:
        with file.open("wb") as half:
            half.write(content[: len(content) // 2])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        mnist.run(SMALL, tmp_path, lambda count: None)
    assert not list(tmp_path.glob("*.npy"))


def test_missing_images_are_an_error_with_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("GLNZIP_DATA", str(tmp_path))
    outcome = CliRunner().invoke(mnist.main, ["--folder", str(tmp_path / "runs")])
    assert outcome.exit_code == 1
    assert "mnist.npz is missing: run `make fetch`" in outcome.output


def test_a_small_network_tells_mnist(tmp_path: Path):
    """16-16-1 for each digit, one pass: 98.26 % online and 98.02 % frozen when this was written."""
    need_test_data(data.missing_reason("mnist.npz"), "GLNZIP_DATA")
    outcome = CliRunner().invoke(mnist.main, ["--width", "16", "--folder", str(tmp_path)])
    assert outcome.exit_code == 0, outcome.output
    words = outcome.output.split()
    online, frozen = (
        float(words[words.index(name) + 1].rstrip("%,")) for name in ("online", "frozen")
    )
    assert online >= 98.1
    assert frozen >= 97.8
