"""One network for all pixels of all images: what strokes are like, wherever they are.

A pixel's own network is shown it once in an image. This one is shown all pixels of an image, row by
row, each predicted before it is learned: fifty-five million examples instead of seventy thousand.
It looks at places relative to the pixel, and half of its base models and every fourth of its
neurons are told where that is. What it says of a pixel is one more input for the pixel's own
network (`bench.paper.density`).

The kinds of base models and context functions are the paper's; the network is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bench.paper.binary_images import Images
from bench.paper.earlier_pixels import (
    MEAN_SCALE,
    Earlier,
    Windows,
    model_positions,
    random_windows,
    set_apart,
)
from glnzip.gln import (
    SkipGrams,
    constant,
    inverse_time,
    learn,
    learn_skip_grams,
    new_network,
    new_skip_grams,
)

FIRST_RATE = 0.0005
LATER_RATE = 0.0025  # divided by the number of inputs
STEADY = 12_500  # images until the rate begins to fall
LARGEST_TABLE = 2_097_143  # pairs of counts of a model; a prime
NEAR = (6, 10, 16, 24, 40, 60, 90, 140)  # of how many nearest pixels models look at some
MOST_AT_RANDOM = 30
FEWEST_WINDOWS, MOST_WINDOWS = 5, 8  # of a context function
PLACE_GATES = 4  # of so many neurons one is told which pixel it is
PIECE_IMAGES = 16  # shown at a time


class Shared(NamedTuple):
    """What the network is made of.

    Attributes
    ----------
    models : int
        Base models.
    neurons : int
        Of the first layer; there is one above.
    seed : int
        Chooses patterns and context functions.
    """

    models: int = 600
    neurons: int = 70
    seed: int = 0


class Places(NamedTuple):
    """What the network looks at.

    Attributes
    ----------
    steps : list of pairs
        Rows down and columns to the right of the pixel: places by their number.
    models : list of lists of int
        The places that each base model looks at, and bits of the pixel's own place: their numbers
        follow those of the places.
    windows : list of Windows
        The context function of each neuron that is not told where it is, of places by number.
    """

    steps: list[tuple[int, int]]
    models: list[list[int]]
    windows: list[Windows]


def learn_everywhere(shared: Shared, images: Images, progress: Callable[[int], object]) -> Any:
    """Show a new network all pixels of all images.

    Parameters
    ----------
    shared : Shared
    images : Images
    progress : callable
        Called with the number of images learned since the last call.

    Returns
    -------
    float16[n, pixels]
        The logit of each pixel in each image, predicted before it was learned.
    """
    pixels, count = len(images.planes) - 1, images.planes.shape[1]
    random = np.random.default_rng(shared.seed)
    places = choose_places(random, shared, images.height, images.width)
    here = place_bits(images.height, images.width)
    every = (Earlier(images.height, images.width, pixel) for pixel in range(pixels))
    at = np.array([[earlier.at(*step) for step in places.steps] for earlier in every])
    models = new_skip_grams(places.models, largest_table=LARGEST_TABLE)
    told = np.arange(0, shared.neurons, PLACE_GATES)
    others = np.setdiff1d(np.arange(shared.neurons), told)
    rows = np.full(shared.neurons, pixels)
    rows[others] = [function.size for function in places.windows]
    network = new_network(
        shared.models + 1, [rows.tolist(), [1]], [constant(0.0)] * 2, start=[0.0, None]
    )
    network.starts[shared.models] = 1.0 / MEAN_SCALE
    caps = np.array([FIRST_RATE, LATER_RATE / shared.neurons], np.float32)
    rates = inverse_time(STEADY, 1.0, count)[:, None] * caps
    logits = np.zeros((count, pixels), np.float16)
    for start in range(0, count, PIECE_IMAGES):
        piece = slice(start, start + PIECE_IMAGES)
        rows_of_pixels = np.ascontiguousarray(images.planes[:, piece].T)  # image by image
        shown = len(rows_of_pixels)
        side = rows_of_pixels[:, at.T].transpose(1, 0, 2).reshape(at.shape[1], -1)
        contexts = np.zeros((side.shape[1], shared.neurons + 1), np.uint16)
        contexts[:, told] = np.tile(np.arange(pixels), shown)[:, None]
        for neuron, function in zip(others, places.windows, strict=True):
            contexts[:, neuron] = function.values(side.T)
        logits[piece] = _learn_piece(
            models,
            network,
            np.concatenate([side, np.tile(here, shown)]),
            contexts,
            rows_of_pixels[:, :-1].ravel(),
            np.repeat(rates[piece], pixels, axis=0),
        ).reshape(shown, pixels)
        progress(shown)
    return logits


def _learn_piece(
    models: SkipGrams, network: Any, side: Any, contexts: Any, bits: Any, rates: Any
) -> Any:
    """Logits of some images' pixels; few at a time, as many inputs as stay in a cache."""
    logits = []
    for first in range(0, len(bits), 1024):
        part = slice(first, first + 1024)
        inputs = set_apart(learn_skip_grams(models, side[:, part].T, bits[part]))
        logits.append(learn(network, inputs, contexts[part], bits[part], rates=rates[part]))
    return np.concatenate(logits)


def choose_places(random: np.random.Generator, shared: Shared, height: int, width: int) -> Places:
    """Patterns and windows around a pixel that has room for them on all sides."""
    middle = Earlier(2 * height + 1, 2 * width + 1, height * (2 * width + 1) + width)
    patterns = model_positions(random, middle, shared.models, [], near=NEAR, most=MOST_AT_RANDOM)
    count = shared.neurons - len(range(0, shared.neurons, PLACE_GATES))
    windows = [
        random_windows(random, middle, FEWEST_WINDOWS, MOST_WINDOWS).windows for _ in range(count)
    ]
    looked_at = [*patterns, *(window for each in windows for window in each)]
    used = sorted({place for group in looked_at for place in group})
    number = {place: i for i, place in enumerate(used)}
    steps = [divmod(place, middle.width) for place in used]
    return Places(
        steps=[(row - height, column - width) for row, column in steps],
        models=[
            [number[place] for place in pattern]
            + [len(used) + bit for bit in _some_place_bits(random, height, width)]
            for pattern in patterns
        ],
        windows=[Windows([[number[place] for place in w] for w in each]) for each in windows],
    )


def place_bits(height: int, width: int) -> Any:
    """The row of every pixel in binary, the lowest bit first, and then its column.

    Returns
    -------
    uint8[bits, pixels]
    """
    row, column = np.mgrid[:height, :width].reshape(2, -1)
    bits = [
        number >> bit & 1
        for number, count in ((row, height), (column, width))
        for bit in range((count - 1).bit_length())
    ]
    return np.array(bits, np.uint8).reshape(-1, height * width)


def _some_place_bits(random: np.random.Generator, height: int, width: int) -> list[int]:
    """For every second model none; else the bits of `place_bits` but for the lowest, of each."""
    if random.random() < 0.5:
        return []
    lowest = int(random.integers(3))
    of_row, of_column = ((count - 1).bit_length() for count in (height, width))
    rows, columns = range(lowest, of_row), range(of_row + lowest, of_row + of_column)
    return [*rows, *columns]
