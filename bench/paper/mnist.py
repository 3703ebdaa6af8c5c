"""Handwritten digits in one online pass: ``python -m bench.paper.mnist``.

Section 6.2: one network for each digit (*one against all*), 1500-1500-1. Every neuron composes six
half-spaces of the image, drawn from N(0, 0.1**2) and without offset, so it has 64 rows; weights lie
in [-200, 200]. All 60,000 training images are shown once, then the 10,000 test images: first to
the frozen networks, then once more with learning on, each predicted before it is learned.

The ten networks share their gates. They are independent of each other otherwise and too large to
be in memory together (0.9 GB each), so they are trained one after the other, two at a time, and
each leaves its answers in a folder, from which an interrupted run goes on.

What the paper leaves open, and what is done here:

- *De-skewing*: the image is sheared and moved so that its strokes stand upright at the centre
  (second moments of the ink), by bilinear interpolation; then smoothed by [1 2 1] / 4 both ways,
  and brought to a fixed length, so that bold and thin strokes look alike. Smoothing and length are
  ours: `--as-printed` leaves them out.
- *Base predictions*: the components of the image less the mean image, taken as logits.
- *Rates*: the paper's rate, min(8000 / t, 0.3), suits the first layer, where an image has a squared
  length of some 50 in the paper's units. Layers above see one logit from every neuron below, all of
  them large and alike; their rates are lower by the number of these inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

import corpora
from bench.paper.data import mnist
from glnzip.gln import (
    constant,
    half_space_contexts,
    inverse_time,
    learn,
    new_network,
    predict,
    random_half_spaces,
)

DIGITS = 10
PLANES = 6
PLANE_SPREAD = 0.1
WEIGHT_BOUND = 200.0
LENGTH = 30.0  # of a prepared image
STEADY = 26_667  # images until the rate begins to fall: 8000 / 0.3
FIRST_RATE = 0.1
LATER_RATE = 0.1  # divided by the number of inputs
LAST_RATE = 0.04  # likewise
PIECE = 1000  # images between two signs of progress
WORKERS = 2


class Settings(NamedTuple):
    """What a run depends on, beside the images.

    Attributes
    ----------
    layers : tuple of int
        Neurons of each layer below the last one, which has one.
    deskew, plain : bool
        Whether images are set upright; whether smoothing and length are left out.
    seed : int
        Chooses the half-spaces.
    """

    layers: tuple[int, ...] = (1500, 1500)
    deskew: bool = True
    plain: bool = False
    seed: int = 0


class Accuracy(NamedTuple):
    """Shares of the 10,000 test images that were told rightly."""

    online: float
    frozen: float


class Task(NamedTuple):
    """What the networks of all digits have in common: the examples, in order, and the rates."""

    inputs: Any  # float32[n, pixels]
    contexts: Any  # uint8[n, neurons]
    rates: Any  # float32[n, layers]
    labels: Any  # uint8[n]
    tests: int  # how many of them, at the end, are test images
    layers: tuple[int, ...]


def run(settings: Settings, folder: Path, progress: Callable[[int], object]) -> Accuracy:
    """Train and test the ten networks, or read what an earlier run found out.

    Parameters
    ----------
    settings : Settings
    folder : Path
        Where the answers of every digit's networks are kept.
    progress : callable
        Called with the number of images learned since the last call, 700,000 in all.
    """
    digits = mnist()
    images = np.concatenate([digits.train_images, digits.test_images])
    labels = np.concatenate([digits.train_labels, digits.test_labels])
    answers = _answers(settings, images, labels, len(digits.test_labels), folder, progress)
    online, frozen = (np.argmax(answer, axis=0) for answer in answers)
    right = digits.test_labels
    return Accuracy(float((online == right).mean()), float((frozen == right).mean()))


def _answers(
    settings: Settings,
    images: Any,
    labels: Any,
    tests: int,
    folder: Path,
    progress: Callable[[int], object],
) -> Any:
    """Logits of the test images, online and frozen: float32[2, digits, tests]."""
    files = [folder / _file_name(settings, digit) for digit in range(DIGITS)]
    missing = [digit for digit, file in enumerate(files) if not file.is_file()]
    progress((DIGITS - len(missing)) * len(images))
    if missing:
        task = new_task(settings, images, labels, tests)
        folder.mkdir(parents=True, exist_ok=True)

        def work(digit: int) -> None:
            answer = learn_digit(task, digit, progress)
            part = files[digit].with_suffix(".part")
            with part.open("wb") as file:
                np.save(file, answer)
            part.replace(files[digit])  # whole or not at all

        with ThreadPoolExecutor(WORKERS) as pool:
            for _ in pool.map(work, missing):
                pass
    return np.stack([np.load(file) for file in files], axis=1)


def new_task(settings: Settings, images: Any, labels: Any, tests: int) -> Task:
    """Prepare the images, choose and evaluate the gates, and set the rates."""
    inputs = prepared(images, settings.deskew, settings.plain, training=len(images) - tests)
    neurons = sum(settings.layers) + 1
    random = np.random.default_rng(settings.seed)
    planes = random_half_spaces(
        random, neurons, PLANES, inputs.shape[1], scale=PLANE_SPREAD, offset_scale=0.0
    )
    caps = [FIRST_RATE]
    caps += [LATER_RATE / below for below in settings.layers[:-1]]
    caps += [LAST_RATE / settings.layers[-1]]
    fall = inverse_time(STEADY, 1.0, len(images))
    return Task(
        inputs=inputs,
        contexts=half_space_contexts(inputs, *planes),
        rates=fall[:, None] * np.array(caps, np.float32),
        labels=labels,
        tests=tests,
        layers=settings.layers,
    )


def learn_digit(task: Task, digit: int, progress: Callable[[int], object]) -> Any:
    """Train and test the network of one digit: float32[2, tests], logits online and frozen."""
    network = new_network(
        task.inputs.shape[1],
        [[1 << PLANES] * count for count in (*task.layers, 1)],
        [constant(0.0)] * (len(task.layers) + 1),
        start=[None] * (len(task.layers) + 1),
        weight_bound=WEIGHT_BOUND,
    )
    bits = (task.labels == digit).astype(np.int64)

    def learned(pieces: Iterator[slice]) -> list[Any]:
        answers = []
        for piece in pieces:
            answers.append(
                learn(
                    network,
                    task.inputs[piece],
                    task.contexts[piece],
                    bits[piece],
                    rates=task.rates[piece],
                )
            )
            progress(len(answers[-1]))
        return answers

    first_test = len(bits) - task.tests
    learned(_pieces(0, first_test))
    frozen = predict(network, task.inputs[first_test:], task.contexts[first_test:])
    online = np.concatenate(learned(_pieces(first_test, len(bits))))
    return np.stack([online, frozen])


def prepared(images: Any, deskew: bool, plain: bool, training: int) -> Any:
    """Images as the networks see them: float32[n, pixels].

    Parameters
    ----------
    images : uint8[n, 28, 28]
    deskew, plain : bool
        See `Settings`.
    training : int
        How many of the first images the mean image is taken of.
    """
    flat = [
        _prepared(part, deskew, plain) for part in np.array_split(images, 1 + len(images) // PIECE)
    ]
    pixels = np.concatenate(flat)
    return pixels - pixels[:training].mean(axis=0, dtype=np.float64).astype(np.float32)


def _prepared(images: Any, deskew: bool, plain: bool) -> Any:
    ink = images / 255.0
    if deskew:
        ink = upright(ink)
    if not plain:
        ink = smoothed(ink)
        length = np.sqrt(np.square(ink).sum(axis=(1, 2), keepdims=True))
        ink = ink / np.maximum(length, 1e-9) * (LENGTH / 3)
    return (3 * ink).reshape(len(ink), -1).astype(np.float32)


def smoothed(ink: Any) -> Any:
    """Every pixel mixed with its neighbours, [1 2 1] / 4 in both directions."""
    for axis in (1, 2):
        padding = [(1, 1) if a == axis else (0, 0) for a in range(3)]
        wide = np.moveaxis(np.pad(ink, padding), axis, 0)
        ink = np.moveaxis(0.25 * wide[:-2] + 0.5 * wide[1:-1] + 0.25 * wide[2:], 0, axis)
    return ink


def upright(ink: Any) -> Any:
    """De-skewed images: sheared along the rows and moved to the centre, bilinearly.

    With the ink's centre (r, c) and moments of second order, ``a = cov(row, column) / var(row)``
    is how far its columns lean; the pixel at (r', c') of the result comes from

        row ``r' - 13.5 + r``, column ``c' - 13.5 + c + a * (r' - 13.5)``

    Parameters
    ----------
    ink : float64[n, rows, columns]
    """
    count, rows, columns = ink.shape
    r, c = np.mgrid[:rows, :columns].astype(np.float64)
    total = np.maximum(ink.sum(axis=(1, 2)), 1e-9)
    row, column = ((ink * at).sum(axis=(1, 2)) / total for at in (r, c))
    down, right = r - row[:, None, None], c - column[:, None, None]
    variance = np.maximum((ink * down * down).sum(axis=(1, 2)), 1e-9)
    lean = (ink * down * right).sum(axis=(1, 2)) / variance
    from_centre = r - (rows - 1) / 2
    source_row = from_centre + row[:, None, None]
    source_column = (
        c - (columns - 1) / 2 + column[:, None, None] + lean[:, None, None] * from_centre
    )
    top, left = np.floor(source_row).astype(int), np.floor(source_column).astype(int)
    part_down, part_right = source_row - top, source_column - left
    border = np.pad(ink, ((0, 0), (1, 1), (1, 1)))  # what lies outside is blank

    def pixel(at_row: Any, at_column: Any) -> Any:
        at_row, at_column = np.clip(at_row, -1, rows) + 1, np.clip(at_column, -1, columns) + 1
        return border[np.arange(count)[:, None, None], at_row, at_column]

    upper = pixel(top, left) * (1 - part_right) + pixel(top, left + 1) * part_right
    lower = pixel(top + 1, left) * (1 - part_right) + pixel(top + 1, left + 1) * part_right
    return upper * (1 - part_down) + lower * part_down


def _pieces(first: int, end: int) -> Iterator[slice]:
    for start in range(first, end, PIECE):
        yield slice(start, min(start + PIECE, end))


def _file_name(settings: Settings, digit: int) -> str:
    """Another one for other settings, or another experiment: this file's own text counts."""
    content = Path(__file__).read_bytes() + repr(settings).encode()
    return f"mnist-{sha256(content).hexdigest()[:12]}-{digit}.npy"


@click.command()
@click.option("--width", default=1500, show_default=True, help="Neurons of each of the two layers.")
@click.option("--skewed", is_flag=True, help="Do not de-skew the images.")
@click.option("--as-printed", is_flag=True, help="No smoothing, no common length.")
@click.option("--seed", default=0, show_default=True, help="Chooses the half-spaces.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=corpora.HERE / "data" / "paper-runs",
    show_default=True,
    help="Where finished networks leave their answers; an interrupted run goes on from there.",
)
def main(width: int, skewed: bool, as_printed: bool, seed: int, folder: Path) -> None:
    """Learn MNIST in one online pass, and tell how many test images were right."""
    settings = Settings((width, width), not skewed, as_printed, seed)
    with click.progressbar(length=DIGITS * 70_000, label="learning") as bar:
        accuracy = run(settings, folder, bar.update)
    click.echo(f"online {accuracy.online:.2%}, frozen {accuracy.frozen:.2%} of the test images")


if __name__ == "__main__":
    main()
