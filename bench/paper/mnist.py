"""Handwritten digits in one online pass: ``python -m bench.paper.mnist``.

Section 6.2: one network for each digit (*one against all*), 1500-1500-1. Every neuron composes six
half-spaces of the image, drawn from N(0, 0.1**2) and without offset, so it has 64 rows; weights lie
in [-200, 200]. All 60,000 training images are shown once, then the 10,000 test images: first to
the frozen networks, then once more with learning on, each predicted before it is learned.

The ten networks share their gates. They are independent of each other otherwise and too large to
be in memory together (0.9 GB each), so they are trained one after the other, two at a time, and
each leaves its answers in a folder, from which an interrupted run goes on.

What the paper leaves open, and what is done here:

- *De-skewing*: see `digit_images`. Smoothing and a fixed length are ours: `--plain-images` leaves
  them out.
- *Base predictions*: the components of the image less the mean image, taken as logits.
- *Rates*: the paper's rate, min(8000 / t, 0.3), suits the first layer, where an image has a squared
  length of some 50 in the paper's units. Layers above see one logit from every neuron below, all of
  them large and alike; their rates are lower by the number of these inputs. `--printed-rates` has
  the paper's in all layers, and the paper's units.

What networks that had learned 50,000 training images said of the last 10,000 (`--validate`) is what
these choices rest on: `docs/paper.md` has them.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import click
import numpy as np

import corpora
from bench.paper import digit_images
from bench.paper.data import mnist
from corpora.fetch import write_whole
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
STEADY = 26_667  # images until the rate begins to fall: 8000 / 0.3
FIRST_RATE = 0.1
LATER_RATE = 0.1  # divided by the number of inputs
LAST_RATE = 0.04  # likewise
RATE_AS_PRINTED = 8000.0, 0.3  # min(8000 / t, 0.3), for all layers
INK, PRINTED_INK = 3.0, 1.0  # of a black pixel, where images are plain
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
    printed_rates : bool
        Whether the rate is the paper's in all layers.
    validate : bool
        Whether the last 10,000 training images are the test, and no others are shown.
    seed : int
        Chooses the half-spaces.
    """

    layers: tuple[int, ...] = (1500, 1500)
    deskew: bool = True
    plain: bool = False
    printed_rates: bool = False
    validate: bool = False
    seed: int = 0


class Accuracy(NamedTuple):
    """Shares of the 10,000 images of the test that were told rightly."""

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
        Called with the number of images learned since the last call, 700,000 in all, or 600,000.
    """
    digits = mnist()
    images, labels = digits.train_images, digits.train_labels
    if not settings.validate:
        images = np.concatenate([images, digits.test_images])
        labels = np.concatenate([labels, digits.test_labels])
    tests = len(digits.test_labels)
    answers = _answers(settings, images, labels, tests, folder, progress)
    online, frozen = (np.argmax(answer, axis=0) for answer in answers)
    right = labels[-tests:]
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
    name = _run_name(settings)
    files = [folder / f"{name}-{digit}.npy" for digit in range(DIGITS)]
    missing = [digit for digit, file in enumerate(files) if not file.is_file()]
    progress((DIGITS - len(missing)) * len(images))
    if missing:
        task = new_task(settings, images, labels, tests)
        one_at_a_time = Lock()

        def learned(count: int) -> None:
            with one_at_a_time:
                progress(count)

        def work(digit: int) -> None:
            content = io.BytesIO()
            np.save(content, learn_digit(task, digit, learned))
            write_whole(files[digit], content.getvalue())

        with ThreadPoolExecutor(WORKERS) as pool:
            for _ in pool.map(work, missing):
                pass
    return np.stack([np.load(file) for file in files], axis=1)


def new_task(settings: Settings, images: Any, labels: Any, tests: int) -> Task:
    """Prepare the images, choose and evaluate the gates, and set the rates."""
    inputs = digit_images.prepared(
        images, settings.deskew, settings.plain, training=len(images) - tests
    )
    if settings.plain:
        inputs *= PRINTED_INK if settings.printed_rates else INK
    neurons = sum(settings.layers) + 1
    random = np.random.default_rng(settings.seed)
    planes = random_half_spaces(
        random, neurons, PLANES, inputs.shape[1], scale=PLANE_SPREAD, offset_scale=0.0
    )
    return Task(
        inputs=inputs,
        contexts=half_space_contexts(inputs, *planes),
        rates=rates_by_time(settings, len(images)),
        labels=labels,
        tests=tests,
        layers=settings.layers,
    )


def rates_by_time(settings: Settings, count: int) -> Any:
    """The rate of every layer at every image: float32[n, layers]."""
    if settings.printed_rates:
        fall = inverse_time(*RATE_AS_PRINTED, count)
        return np.repeat(fall[:, None], len(settings.layers) + 1, axis=1)
    caps = [FIRST_RATE]
    caps += [LATER_RATE / below for below in settings.layers[:-1]]
    caps += [LAST_RATE / settings.layers[-1]]
    return inverse_time(STEADY, 1.0, count)[:, None] * np.array(caps, np.float32)


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


def _pieces(first: int, end: int) -> Iterator[slice]:
    for start in range(first, end, PIECE):
        yield slice(start, min(start + PIECE, end))


def _run_name(settings: Settings) -> str:
    """Another one for other settings, or another experiment: the text of the modules counts."""
    modules = (Path(__file__), Path(digit_images.__file__))
    content = b"".join(module.read_bytes() for module in modules) + repr(settings).encode()
    return f"mnist-{sha256(content).hexdigest()[:12]}"


@click.command()
@click.option("--width", default=1500, show_default=True, help="Neurons of each of the two layers.")
@click.option("--skewed", is_flag=True, help="Do not de-skew the images.")
@click.option("--plain-images", is_flag=True, help="No smoothing, no common length.")
@click.option("--printed-rates", is_flag=True, help="The paper's rate in all layers.")
@click.option("--validate", is_flag=True, help="Test on the last 10,000 images of the training.")
@click.option("--seed", default=0, show_default=True, help="Chooses the half-spaces.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=corpora.HERE / "data" / "paper-runs",
    show_default=True,
    help="Where finished networks leave their answers; an interrupted run goes on from there.",
)
def main(
    width: int,
    skewed: bool,
    plain_images: bool,
    printed_rates: bool,
    validate: bool,
    seed: int,
    folder: Path,
) -> None:
    """Learn MNIST in one online pass, and tell how many test images were right.

    --plain-images and --printed-rates together are the experiment as the paper prints it.
    """
    settings = Settings((width, width), not skewed, plain_images, printed_rates, validate, seed)
    length = DIGITS * (60_000 if validate else 70_000)
    with click.progressbar(length=length, label="learning") as bar:
        try:
            accuracy = run(settings, folder, bar.update)
        except corpora.CorpusMissing as reason:
            raise click.ClickException(str(reason)) from None
    which = "last training images" if validate else "test images"
    click.echo(f"online {accuracy.online:.2%}, frozen {accuracy.frozen:.2%} of the {which}")


if __name__ == "__main__":
    main()
