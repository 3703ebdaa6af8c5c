"""The probability of binary images, pixel by pixel: ``python -m bench.paper.density``.

Section 6.3: a network for each of the 784 pixels of a binary image gives the probability that the
pixel is inked, given all pixels before it, row by row. By the chain rule the product is the
probability of the image. Each network has 35-60-35-70-1 neurons and 600 base models, which are
Zero-Redundancy estimators for patterns of earlier pixels; 200 context functions are spread over its
neurons at random. All 70,000 images are shown once, those for the test at the end, and each is
predicted before it is learned.

What was added to the paper, since strokes are much alike wherever they are:

- A network is shown sixteen pixels, a square of them, one after the other, each predicted before it
  is learned: with what lies two rows above each in the same place, and so on. Sixteen examples
  teach more than one. Every eighth neuron is told which pixel of the square it is.
- Images are divided into squares twice, the second time two rows and columns apart. So two networks
  predict each pixel, and the mean of their logits is the answer.
- One more network learns all pixels of all images (`shared_network`), and what it says is one more
  input for the others.

``--alone`` leaves all of this out: a network for each pixel.

Squares are learned one after the other, two at a time, and each leaves in a folder what it said, so
that an interrupted run goes on. What they are told comes before what they predict, in the image or
in earlier images: all is as if it was learned in a single pass, image by image.

What the paper leaves open, and what is done here:

- *Patterns and context functions*: see `earlier_pixels`. Patterns of more than sixteen pixels share
  counts by the remainder of their number. Windows alone serve better as context functions than the
  three kinds mixed.
- *Inputs*: the estimators' mean, and the distance of each from it; see `earlier_pixels.set_apart`.
- *Rates*: the first layer's is the paper's, min(25 / t, 0.005), but for a lower cap. Layers above
  see few logits, large and very much alike, and theirs are lower by the number of these.

``--as-printed`` has the paper's rate in all layers, three kinds of context functions, the logits as
they are, nothing that is shared, and no neuron above the seventy: the switching mixture over all
neurons is the answer (section 5).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import click
import numpy as np

import corpora
from bench.paper import binary_images, earlier_pixels, shared_network
from bench.paper.binary_images import Images, Loss, mean_losses, mnist_images
from bench.paper.earlier_pixels import (
    KINDS,
    MEAN_SCALE,
    ContextFunction,
    Earlier,
    model_positions,
    random_context,
    set_apart,
)
from bench.paper.shared_network import Shared, learn_everywhere
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
PIECE = 512  # examples at a time: as many inputs as stay in a processor's cache
GATES_PIECE = 16_384  # examples at a time of which contexts are found
TILE, TILINGS = 4, 2  # rows and columns of a square; how often images are divided into squares
SEAT_GATES = 8  # of so many neurons one is told which pixel of the square it is
SHARED_SCALE = np.float32(2)  # of what the shared network says
SHARED_PART = 0.5  # of the answer is the shared network's, before anything was learned
SHARED_WORTH = 3000  # pixels that take as long as the shared network
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
    tile, tilings : int
        Of `TILE` and `TILINGS`.
    shared : Shared or None
        The network of all pixels that the others are told of.
    """

    models: int = MODELS
    as_printed: bool = False
    seed: int = 0
    layers: tuple[int, ...] = LAYERS
    context_functions: int = CONTEXT_FUNCTIONS
    tile: int = TILE
    tilings: int = TILINGS
    shared: Shared | None = Shared()


def printed(settings: Settings) -> Settings:
    """The same, but for what the paper has in another way."""
    return alone(settings)._replace(as_printed=True, layers=LAYERS_AS_PRINTED)


def alone(settings: Settings) -> Settings:
    """The same, but with networks of a single pixel each, which are told nothing."""
    return settings._replace(tile=1, tilings=1, shared=None)


class Tile(NamedTuple):
    """A square of pixels, or what the image has of it.

    Attributes
    ----------
    tiling : int
        In which division of the image.
    middle : int
        The pixel that patterns and context functions are chosen for.
    pixels : tuple of int
        All of them, row by row.
    """

    tiling: int
    middle: int
    pixels: tuple[int, ...]


def tiles(settings: Settings, height: int, width: int) -> list[Tile]:
    """All squares: as many divisions of the image as settings say, each shifted a little more."""
    found = []
    for tiling in range(settings.tilings):
        shift = tiling * settings.tile // settings.tilings
        for top, left in product(*(range(-shift, side, settings.tile) for side in (height, width))):
            rows = [row for row in range(top, top + settings.tile) if 0 <= row < height]
            columns = [
                column for column in range(left, left + settings.tile) if 0 <= column < width
            ]
            if rows and columns:
                middle = rows[len(rows) // 2] * width + columns[len(columns) // 2]
                pixels = tuple(row * width + column for row, column in product(rows, columns))
                found.append(Tile(tiling, middle, pixels))
    return found


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
        Where it is kept what the networks said.
    progress : callable
        Called with how much was done since the last call: `run_length` in all.
    """
    name = _run_name(settings, __file__)
    files = {
        tile: folder / f"{name}-{tile.tiling}-{tile.middle:03}.npy"
        for tile in _needed(settings, images, pixels)
    }
    shared = _shared_logits(settings, images, folder, progress)
    one_at_a_time = Lock()

    def work(tile: Tile) -> None:
        if not files[tile].is_file():
            _write(files[tile], learn_tile(settings, images, tile, shared))
        with one_at_a_time:
            progress(len(tile.pixels))

    with ThreadPoolExecutor(WORKERS) as pool:
        for _ in pool.map(work, files):
            pass
    said = {tile: np.load(file, mmap_mode="r") for tile, file in files.items()}
    losses = []
    for pixel in pixels:
        logits = [
            logits[:, tile.pixels.index(pixel)].astype(np.float64)
            for tile, logits in said.items()
            if pixel in tile.pixels
        ]
        losses.append(mean_losses(images, pixel, np.mean(logits, axis=0)))
    return Loss(*np.sum(losses, axis=0).tolist())


def _needed(settings: Settings, images: Images, pixels: Sequence[int]) -> list[Tile]:
    every = tiles(settings, images.height, images.width)
    return [tile for tile in every if not set(pixels).isdisjoint(tile.pixels)]


def run_length(settings: Settings, images: Images, pixels: Sequence[int]) -> int:
    """How far the progress of `run` counts."""
    learned = sum(len(tile.pixels) for tile in _needed(settings, images, pixels))
    return learned + (SHARED_WORTH if settings.shared else 0)


def _shared_logits(
    settings: Settings, images: Images, folder: Path, progress: Callable[[int], object]
) -> Any:
    """What `learn_everywhere` returns, or has returned to an earlier run; None without it."""
    if settings.shared is None:
        return None
    file = folder / f"{_run_name(settings.shared)}.npy"
    count = images.planes.shape[1]
    shown = 0

    def learned(more: int) -> None:
        nonlocal shown
        before, shown = shown * SHARED_WORTH // count, shown + more
        progress(shown * SHARED_WORTH // count - before)

    if file.is_file():
        learned(count)
    else:
        _write(file, learn_everywhere(settings.shared, images, learned))
    return np.load(file)


def _write(file: Path, array: Any) -> None:
    content = io.BytesIO()
    np.save(content, array)
    write_whole(file, content.getvalue())


def learn_tile(settings: Settings, images: Images, tile: Tile, shared: Any = None) -> Any:
    """Show a new network the pixels of a square, one after the other, of all images.

    Parameters
    ----------
    settings : Settings
    images : Images
    tile : Tile
    shared : floats[n, pixels of the image], optional
        Logits of every pixel, for a network that is told them.

    Returns
    -------
    float32[n, pixels of the square]
        The logit of each pixel in each image, predicted before it was learned.
    """
    random = np.random.default_rng([settings.seed + tile.tiling, tile.middle])
    middle = Earlier(images.height, images.width, tile.middle)
    views = np.array([middle.seen_from(middle._replace(pixel=pixel)) for pixel in tile.pixels])
    seats = len(views)
    models = new_skip_grams(model_positions(random, middle, settings.models, images.live))
    gates = spread_gates(settings, random, middle, seats)
    network = new_tile_network(settings, gates)
    count = images.planes.shape[1]
    rates = rates_by_time(settings, count).repeat(seats, axis=0)
    bits = images.planes[list(tile.pixels)].T.ravel()
    told = None if settings.shared is None else _as_inputs(shared[:, tile.pixels])
    answer = answering(network)
    logits = []
    step = max(1, GATES_PIECE // seats)
    for start in range(0, count, step):
        planes = images.planes[:, start : start + step]
        side = planes[views].transpose(1, 2, 0).reshape(len(planes), -1)  # image by image
        contexts = gates.contexts(side)
        first = start * seats
        for piece in range(0, side.shape[1], PIECE):
            here = slice(piece, piece + PIECE)
            there = slice(first + piece, first + min(piece + PIECE, side.shape[1]))
            inputs = learn_skip_grams(models, side[:, here].T, bits[there])
            if not settings.as_printed:
                inputs = set_apart(inputs)
            if told is not None:
                inputs = np.hstack([inputs, told[there]])
            logits.append(answer(inputs, contexts[here], bits[there], rates=rates[there]))
    return np.concatenate(logits).reshape(count, seats)


def _as_inputs(logits: Any) -> Any:
    """What the shared network says of some pixels, image by image: float32[examples, 1]."""
    return SHARED_SCALE * logits.astype(np.float32).reshape(-1, 1)


def answering(network: Network) -> Callable[..., Any]:
    """What shows the network examples, as `learn` does, and returns the logit of each answer."""
    if network.layers[-1, NEURONS] == 1:
        return partial(learn, network)
    mixture = new_switching(network)

    def answer(*shown: Any, rates: Any) -> Any:
        probabilities, _ = learn_switching(mixture, network, *shown, rates=rates)
        return stretched(probabilities, 1e-7)

    return answer


def new_tile_network(settings: Settings, gates: Gates) -> Network:
    """A network that begins as the mean of its base models, and of what it is told besides."""
    rows = [layer.tolist() for layer in np.split(gates.rows, np.cumsum(settings.layers)[:-1])]
    rates, starts = [constant(0.0)] * len(rows), [None] * len(rows)
    if settings.as_printed:
        return new_network(settings.models, rows, rates, start=starts)
    first = [0.0] * settings.models + [1.0 / MEAN_SCALE]
    if settings.shared is not None:
        first = [*first[:-1], (1.0 - SHARED_PART) / MEAN_SCALE, SHARED_PART / SHARED_SCALE]
    network = new_network(len(first), rows, rates, start=[0.0, *starts[1:]])
    network.starts[: len(first)] = first
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


def _run_name(settings: Settings | Shared, *more: str) -> str:
    """Another one for other settings, or another experiment: the text of the modules counts."""
    modules = (earlier_pixels.__file__, binary_images.__file__, shared_network.__file__, *more)
    content = b"".join(Path(module).read_bytes() for module in modules) + repr(settings).encode()
    return f"density-{sha256(content).hexdigest()[:12]}"


@click.command()
@click.option("--models", default=MODELS, show_default=True, help="Base models of each pixel.")
@click.option("--step", default=1, show_default=True, help="Learn every n-th pixel only.")
@click.option("--alone", "own", is_flag=True, help="Share nothing between pixels.")
@click.option("--as-printed", is_flag=True, help="All as the paper has it.")
@click.option("--seed", default=0, show_default=True, help="Chooses what networks look at.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=corpora.HERE / "data" / "paper-runs",
    show_default=True,
    help="Where finished pixels leave their losses; an interrupted run goes on from there.",
)
def main(models: int, step: int, own: bool, as_printed: bool, seed: int, folder: Path) -> None:
    """Learn binary MNIST in one online pass, and tell how probable the test images were."""
    try:
        images = mnist_images()
    except corpora.CorpusMissing as reason:
        raise click.ClickException(str(reason)) from None
    every = images.height * images.width
    pixels = range(step // 2, every, step)
    settings = Settings(models, seed=seed, shared=Shared(models, seed=seed))
    settings = printed(settings) if as_printed else alone(settings) if own else settings
    with click.progressbar(length=run_length(settings, images, pixels), label="learning") as bar:
        loss = run(settings, images, pixels, folder, bar.update)
    what = "an image costs" if step == 1 else f"{len(pixels)} of {every} pixels of an image cost"
    click.echo(
        f"{what} {loss.test:.2f} nats in the test set,"
        f" {loss.valid:.2f} to validate, {loss.train:.2f} to train"
    )


if __name__ == "__main__":
    main()
