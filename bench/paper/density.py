"""The probability of binary images, pixel by pixel: ``python -m bench.paper.density``.

Section 6.3: a network for each of the 784 pixels of a binary image gives the probability that the
pixel is inked, given all pixels before it, row by row. By the chain rule the product is the
probability of the image. Each network has 35-60-35-70-1 neurons and 600 base models, which are
Zero-Redundancy estimators for patterns of earlier pixels; 200 context functions are spread over its
neurons at random. All 70,000 images are shown once, those for the test at the end, and each is
predicted before it is learned.

The networks share nothing but the images, so they learn one after the other, two at a time, and
each leaves its losses in a folder, from which an interrupted run goes on.

What was added to the paper: once its own pixel is predicted, a network learns it, and then the
eight pixels around it in the same image, each as if it were its own: with what lies two rows above
that pixel in the place of what lies two rows above its own, and so on. Strokes are much alike
wherever they are, and nine examples teach more than one. Every eighth neuron is told which of the
nine pixels it is. ``--reach 0`` leaves this out.

What the paper leaves open, and what is done here:

- *Patterns and context functions*: see `earlier_pixels`. Patterns of more than sixteen pixels share
  counts by the remainder of their number. Windows alone serve better as context functions than the
  three kinds mixed.
- *Inputs*: the estimators are very much alike, and gradient descent is slow to find out where they
  differ. So a network is shown the logit that they have in the mean, and for each the distance
  from it: the same functions can be learned, by larger steps.
- *Rates*: the first layer's is the paper's, min(25 / t, 0.005), but for a lower cap. Layers above
  see few logits, large and very much alike, and theirs are lower by the number of these.

``--as-printed`` has the paper's rate in all layers, three kinds of context functions, the logits as
they are, no neighbours, and no neuron above the seventy: the switching mixture over all neurons is
the answer (section 5).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import click
import numpy as np

import corpora
from bench.paper import earlier_pixels
from bench.paper.data import binary_mnist
from bench.paper.earlier_pixels import (
    KINDS,
    ContextFunction,
    Earlier,
    model_positions,
    random_context,
)
from corpora.fetch import write_whole
from glnzip.gln import (
    Network,
    constant,
    inverse_time,
    learn,
    learn_skip_grams,
    learn_switching,
    new_network,
    new_skip_grams,
    new_switching,
    stretched,
)
from glnzip.gln.network import NEURONS

LAYERS = (35, 60, 35, 70, 1)
LAYERS_AS_PRINTED = LAYERS[:-1]
CONTEXT_FUNCTIONS = 200
MODELS = 600
STEADY = 12_500  # images until the rate begins to fall
FIRST_RATE = 0.002
LATER_RATE = 0.01  # divided by the number of inputs
RATE_AS_PRINTED = 25.0, 0.005  # min(25 / t, 0.005), for all layers
LIVE = 0.02  # share of the training images in which a pixel is inked if it is worth looking at
PIECE = 512  # examples at a time: as many inputs as stay in a processor's cache
GATES_PIECE = 16_384  # examples at a time of which contexts are found
MEAN_SCALE = np.float32(5)  # of the mean of all logits, set apart
SEAT_GATES = 8  # of so many neurons one is told which of the pixels around it is
WORKERS = 2


class Settings(NamedTuple):
    """What a run depends on, beside the images.

    Attributes
    ----------
    models : int
        Base models of each network.
    as_printed : bool
        Whether rates, kinds of context functions, inputs and layers are the paper's.
    seed : int
        Chooses patterns and context functions.
    layers : tuple of int
        Neurons of each layer. If the last one has a single neuron, that is the answer, else the
        switching mixture over all.
    context_functions : int
        How many of them are spread over these neurons.
    reach : int
        How many rows and columns away the pixels are that are learned, too.
    """

    models: int = MODELS
    as_printed: bool = False
    seed: int = 0
    layers: tuple[int, ...] = LAYERS
    context_functions: int = CONTEXT_FUNCTIONS
    reach: int = 1


def printed(settings: Settings) -> Settings:
    """The same, but for what the paper has in another way."""
    return settings._replace(as_printed=True, layers=LAYERS_AS_PRINTED, reach=0)


class Images(NamedTuple):
    """Binary images in the order in which they are shown, pixel by pixel.

    Attributes
    ----------
    height, width : int
    planes : uint8[pixels + 1, n]
        Every pixel of all images, and one more that is zero, `Earlier.blank`.
    live : list of int
        Pixels that are inked in a good part of the images to train.
    ends : tuple of int
        Where the images to train, to validate and to test end; the last is n.
    """

    height: int
    width: int
    planes: Any
    live: list[int]
    ends: tuple[int, int, int]


class Loss(NamedTuple):
    """Natural logarithms: the mean loss on an image of each part, of one pixel or summed."""

    train: float
    valid: float
    test: float


def as_images(parts: Sequence[Any], height: int, width: int) -> Images:
    """Arrange the images of the three parts, each uint8[n, height * width]."""
    ends = np.cumsum([len(part) for part in parts])
    planes = np.zeros((height * width + 1, ends[-1]), np.uint8)
    planes[:-1] = np.concatenate(parts).T
    live = np.flatnonzero(planes[:, : ends[0]].mean(axis=1) >= LIVE)
    return Images(height, width, planes, live.tolist(), tuple(ends.tolist()))


def mnist_images() -> Images:
    """The binary digits, or `corpora.CorpusMissing` with the reason."""
    return as_images(binary_mnist(), 28, 28)


def run(
    settings: Settings,
    images: Images,
    pixels: Sequence[int],
    folder: Path,
    progress: Callable[[int], object],
) -> Loss:
    """Learn some pixels of all images, or read what an earlier run found out.

    Parameters
    ----------
    settings : Settings
    images : Images
    pixels : sequence of int
        The whole image's for the loss of an image, else the sum of the losses on these pixels.
    folder : Path
        Where the losses of every pixel are kept.
    progress : callable
        Called with the number of pixels learned since the last call.
    """
    name = _run_name(settings)
    files = {pixel: folder / f"{name}-{pixel:03}.npy" for pixel in pixels}
    missing = [pixel for pixel, file in files.items() if not file.is_file()]
    progress(len(files) - len(missing))
    one_at_a_time = Lock()

    def work(pixel: int) -> None:
        content = io.BytesIO()
        np.save(content, mean_losses(images, pixel, learn_pixel(settings, images, pixel)))
        write_whole(files[pixel], content.getvalue())
        with one_at_a_time:
            progress(1)

    with ThreadPoolExecutor(WORKERS) as pool:
        for _ in pool.map(work, missing):
            pass
    return Loss(*np.sum([np.load(file) for file in files.values()], axis=0).tolist())


def learn_pixel(settings: Settings, images: Images, pixel: int) -> Any:
    """Show a new network one pixel of all images, and then those around it.

    Returns
    -------
    float32[n]
        The logit of the pixel in each image, predicted before it was learned.
    """
    random = np.random.default_rng([settings.seed, pixel])
    earlier = Earlier(images.height, images.width, pixel)
    seats = [earlier, *earlier.around(settings.reach)]
    views = np.array([earlier.seen_from(seat) for seat in seats])
    models = new_skip_grams(model_positions(random, earlier, settings.models, images.live))
    gates = spread_gates(settings, random, earlier, len(seats))
    network = new_pixel_network(settings, gates)
    count = images.planes.shape[1]
    rates = rates_by_time(settings, count).repeat(len(seats), axis=0)
    bits = images.planes[[seat.pixel for seat in seats]].T.ravel()
    answer = answering(network)
    logits = []
    step = max(1, GATES_PIECE // len(seats))
    for start in range(0, count, step):
        planes = images.planes[:, start : start + step]
        side = planes[views].transpose(1, 2, 0).reshape(len(planes), -1)  # image by image
        contexts = gates.contexts(side)
        first = start * len(seats)
        for piece in range(0, side.shape[1], PIECE):
            here = slice(piece, piece + PIECE)
            there = slice(first + piece, first + min(piece + PIECE, side.shape[1]))
            inputs = learn_skip_grams(models, side[:, here].T, bits[there])
            if not settings.as_printed:
                inputs = set_apart(inputs)
            logits.append(answer(inputs, contexts[here], bits[there], rates=rates[there]))
    return np.concatenate(logits)[:: len(seats)]


def answering(network: Network) -> Callable[..., Any]:
    """What shows the network examples, as `learn` does, and returns the logit of each answer."""
    if network.layers[-1, NEURONS] == 1:
        return partial(learn, network)
    mixture = new_switching(network)

    def answer(*shown: Any, rates: Any) -> Any:
        probabilities, _ = learn_switching(mixture, network, *shown, rates=rates)
        return stretched(probabilities, 1e-7)

    return answer


def set_apart(logits: Any) -> Any:
    """The distances of each row's numbers from their mean, and `MEAN_SCALE` times the mean."""
    mean = logits.mean(axis=1, dtype=np.float64, keepdims=True).astype(np.float32)
    return np.hstack([logits - mean, MEAN_SCALE * mean])


def new_pixel_network(settings: Settings, gates: Gates) -> Network:
    """A network that begins as the mean of its base models."""
    rows = [layer.tolist() for layer in np.split(gates.rows, np.cumsum(settings.layers)[:-1])]
    rates, starts = [constant(0.0)] * len(rows), [None] * len(rows)
    if settings.as_printed:
        return new_network(settings.models, rows, rates, start=starts)
    network = new_network(settings.models + 1, rows, rates, start=[0.0, *starts[1:]])
    network.starts[settings.models] = 1.0 / MEAN_SCALE
    return network


class Gates(NamedTuple):
    """The context functions of a network's neurons.

    Attributes
    ----------
    functions : list of pairs
        Of a context function and the neurons that use it.
    by_seat : int64[...]
        Neurons that are told which pixel it is, of those that the network learns.
    seats : int
        How many these are.
    rows : int64[neurons]
        How many values each neuron's context has.
    """

    functions: list[tuple[ContextFunction, Any]]
    by_seat: Any
    seats: int
    rows: Any

    def contexts(self, side: Any) -> Any:
        """uint8[examples, neurons], for uint8[pixels + 1, examples], seat by seat of each image."""
        contexts = np.zeros((side.shape[1], len(self.rows)), np.uint8)
        seats = np.arange(side.shape[1]) % self.seats
        contexts[:, self.by_seat] = seats[:, None]
        for function, users in self.functions:
            contexts[:, users] = function.values(side.T)[:, None]
        return contexts


def spread_gates(
    settings: Settings, random: np.random.Generator, earlier: Earlier, seats: int
) -> Gates:
    """Context functions for all neurons but a last one that is alone, which has one row."""
    kinds = list(KINDS) if settings.as_printed else ["max-pool"]
    neurons = sum(settings.layers)
    rows = np.ones(neurons, np.int64)
    spread = random.integers(settings.context_functions, size=neurons)
    if settings.layers[-1] == 1:
        spread[-1] = -1
    by_seat = np.arange(0, neurons - 1 if seats > 1 else 0, SEAT_GATES)
    spread[by_seat] = -1
    rows[by_seat] = seats
    functions = []
    for number in range(settings.context_functions):
        users = np.flatnonzero(spread == number)
        if users.size:
            function = random_context(random, earlier, kinds)
            functions.append((function, users))
            rows[users] = function.size
    return Gates(functions, by_seat, seats, rows)


def rates_by_time(settings: Settings, count: int) -> Any:
    """The rate of every layer at every image: float32[n, layers]."""
    if settings.as_printed:
        return np.repeat(inverse_time(*RATE_AS_PRINTED, count)[:, None], len(settings.layers), 1)
    caps = [FIRST_RATE] + [LATER_RATE / below for below in settings.layers[:-1]]
    fall = inverse_time(STEADY, 1.0, count)
    return fall[:, None] * np.array(caps, np.float32)


def mean_losses(images: Images, pixel: int, logits: Any) -> Loss:
    """What the pixel costs in the mean of each part's images, given its logits."""
    losses = np.logaddexp(0.0, np.where(images.planes[pixel], -1.0, 1.0) * logits)
    parts = np.split(losses, images.ends[:-1])
    return Loss(*(float(part.mean()) for part in parts))


def _run_name(settings: Settings) -> str:
    """Another one for other settings, or another experiment: the text of the modules counts."""
    modules = (__file__, earlier_pixels.__file__)
    content = b"".join(Path(module).read_bytes() for module in modules) + repr(settings).encode()
    return f"density-{sha256(content).hexdigest()[:12]}"


@click.command()
@click.option("--models", default=MODELS, show_default=True, help="Base models of each pixel.")
@click.option("--step", default=1, show_default=True, help="Learn every n-th pixel only.")
@click.option("--reach", default=1, show_default=True, help="Learn pixels so far around, too.")
@click.option("--as-printed", is_flag=True, help="All as the paper has it.")
@click.option("--seed", default=0, show_default=True, help="Chooses what networks look at.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=corpora.HERE / "data" / "paper-runs",
    show_default=True,
    help="Where finished pixels leave their losses; an interrupted run goes on from there.",
)
def main(models: int, step: int, reach: int, as_printed: bool, seed: int, folder: Path) -> None:
    """Learn binary MNIST in one online pass, and tell how probable the test images were."""
    try:
        images = mnist_images()
    except corpora.CorpusMissing as reason:
        raise click.ClickException(str(reason)) from None
    every = images.height * images.width
    pixels = range(step // 2, every, step)
    with click.progressbar(length=len(pixels), label="learning") as bar:
        settings = Settings(models, seed=seed, reach=reach)
        if as_printed:
            settings = printed(settings)
        loss = run(settings, images, pixels, folder, bar.update)
    what = "an image costs" if step == 1 else f"{len(pixels)} of {every} pixels of an image cost"
    click.echo(
        f"{what} {loss.test:.2f} nats in the test set,"
        f" {loss.valid:.2f} to validate, {loss.train:.2f} to train"
    )


if __name__ == "__main__":
    main()
