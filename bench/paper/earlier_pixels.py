"""What a pixel's network may look at: earlier pixels of the same image, by their place.

Pixels are numbered row by row, and "earlier" means a smaller number. Every choice here ends in
`Earlier.at`, which knows no other pixels: a place that is later, or outside the image, is `blank`,
the number of one more pixel that is zero in every image. So nothing that is chosen can see the
pixel it is to predict, or a later one.

The paper says that base models are skip-grams, and that context functions are of three kinds and
spread at random, but not where they look. Here:

- Base models (`model_positions`): the nearest k pixels, by three measures of nearness and up to 40
  of them; all others are random, up to 12 pixels, near ones in the first half of them, and near and
  far ones in the second.
- Context functions (`random_contexts`): most of them are windows of which it is asked whether they
  have any ink, three to six for a neuron, near and far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from glnzip.gln import distance, max_pool, skip_gram

REACH = 12  # rows and columns within which near pixels are looked for

# Nearest pixels: how much a step up counts beside one to the side, and how many of them
PATTERNS = (
    *((1.0, k) for k in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 32, 40)),
    *((0.5, k) for k in (4, 6, 8, 10, 12, 16, 20, 28)),
    *((2.0, k) for k in (4, 6, 8, 10, 12, 16, 20, 28)),
)
MOST_AT_RANDOM = 12  # pixels of a random pattern
NEAR = (6, 10, 16, 24, 40, 60, 90)  # of how many nearest pixels they are
FAR_SHARE = 0.5  # of the random patterns, and of the windows, that look far

MEAN_SCALE = np.float32(5)  # of the mean of all logits, set apart

NEAR_GRAMS = (4, 8, 12, 24, 60)
DISTANCE_PIXELS = (8, 33)  # from, and below
DISTANCE_CENTRES = 24  # of how many nearest pixels one is the first in an order of distance


class Earlier(NamedTuple):
    """The pixels before one pixel of an image.

    Attributes
    ----------
    height, width : int
        Of the image.
    pixel : int
        The pixel that is to be predicted.
    """

    height: int
    width: int
    pixel: int

    @property
    def blank(self) -> int:
        """What stands for all pixels that may not be seen, and for those outside."""
        return self.height * self.width

    def at(self, down: int, right: int) -> int:
        """The pixel so many rows down and columns to the right: if it is earlier, else `blank`."""
        return self.at_place(self.pixel // self.width + down, self.pixel % self.width + right)

    def at_place(self, row: int, column: int) -> int:
        """The pixel in this row and column: if it is earlier, else `blank`."""
        inside = 0 <= row < self.height and 0 <= column < self.width
        position = row * self.width + column
        return position if inside and position < self.pixel else self.blank

    def seen_from(self, other: Earlier) -> list[int]:
        """For every pixel and the blank one, what is in its place as seen from another pixel.

        What lies three rows above this pixel is exchanged for what lies three rows above the other
        one, if that is earlier than the other and inside the image, and else for the blank one.
        """
        down = other.pixel // self.width - self.pixel // self.width
        right = other.pixel % self.width - self.pixel % self.width
        places = (divmod(pixel, self.width) for pixel in range(self.blank))
        return [*(other.at_place(row + down, column + right) for row, column in places), self.blank]

    def nearest(self, count: int, up: float = 1.0) -> list[int]:
        """The `count` nearest, the nearest first; a step up is ``sqrt(up)`` steps to the side."""
        return [self.at(*step) for step in steps_by_length(up)[:count]]

    def some_of_nearest(self, random: np.random.Generator, count: int, of: int) -> list[int]:
        """`count` of the `of` nearest pixels, in random order."""
        chosen = random.choice(of, count, replace=False)
        nearest = self.nearest(of)
        return [nearest[i] for i in chosen]

    def window(self, top: int, left: int, height: int, width: int) -> list[int]:
        """The earlier pixels in a rectangle, whose place is relative to the pixel."""
        places = (
            self.at(row, column)
            for row in range(top, top + height)
            for column in range(left, left + width)
        )
        return [place for place in places if place != self.blank]


@cache
def steps_by_length(up: float) -> list[tuple[int, int]]:
    """Steps (down, right) to earlier places, the shortest first."""
    steps = [(down, right) for down in range(-REACH, 1) for right in range(-REACH, REACH + 1)]
    earlier = [step for step in steps if step < (0, 0)]
    return sorted(earlier, key=lambda step: (up * step[0] ** 2 + step[1] ** 2, step))


def model_positions(
    random: np.random.Generator,
    earlier: Earlier,
    count: int,
    live: Sequence[int],
    *,
    near: Sequence[int] = NEAR,
    most: int = MOST_AT_RANDOM,
) -> list[list[int]]:
    """The pixels that each base model looks at.

    Parameters
    ----------
    random, earlier
    count : int
        How many models there are.
    live : sequence of int
        Pixels that are often inked, worth looking at from afar.
    near, most
        As `NEAR` and `MOST_AT_RANDOM`.
    """
    models = [earlier.nearest(k, up) for up, k in PATTERNS[:count]]
    far = [pixel for pixel in live if pixel < earlier.pixel]
    while len(models) < count:
        size = int(random.integers(2, most + 1))
        if far and random.random() < FAR_SHARE:
            count_far = int(random.integers(1, size + 1))
            count_near = size - count_far
            of = int(random.choice([count_near, count_near + 2, 2 * count_near + 2]))
            nearest = earlier.some_of_nearest(random, count_near, of)
            models.append(nearest + [int(pixel) for pixel in random.choice(far, count_far)])
        else:
            of = int(random.choice(near))
            models.append(earlier.some_of_nearest(random, min(size, of), of))
    return models


def set_apart(logits: Any) -> Any:
    """The distances of each row's numbers from their mean, and `MEAN_SCALE` times the mean.

    Base models are very much alike, and gradient descent is slow to find out where they differ. So
    a network is shown the logit that they have in the mean, and for each the distance from it: the
    same functions can be learned, by larger steps.
    """
    mean = logits.mean(axis=1, dtype=np.float64, keepdims=True).astype(np.float32)
    return np.hstack([logits - mean, MEAN_SCALE * mean])


class SkipGram(NamedTuple):
    """The values of some pixels."""

    pixels: list[int]

    @property
    def size(self) -> int:
        """How many values there are, from 0 on."""
        return 1 << len(self.pixels)

    def values(self, bits: Any) -> Any:
        """The value for each image, given as uint8[n, pixels + 1]: integers[n]."""
        return skip_gram(bits, self.pixels)


class Windows(NamedTuple):
    """Whether there is any ink in each of some windows; methods as `SkipGram` has them."""

    windows: list[list[int]]

    @property
    def size(self) -> int:
        return 1 << len(self.windows)

    def values(self, bits: Any) -> Any:
        return max_pool(bits, *self.windows)


class Distance(NamedTuple):
    """The number of the first inked pixel, in some order; methods as `SkipGram` has them."""

    pixels: list[int]

    @property
    def size(self) -> int:
        return len(self.pixels) + 1

    def values(self, bits: Any) -> Any:
        return distance(bits, self.pixels, len(self.pixels))


ContextFunction = SkipGram | Windows | Distance


def random_context(
    random: np.random.Generator, earlier: Earlier, kinds: Sequence[str]
) -> ContextFunction:
    """Choose a context function of one of the `kinds`, which are names of `KINDS`."""
    return KINDS[str(random.choice(kinds))](random, earlier)


def random_skip_gram(random: np.random.Generator, earlier: Earlier) -> SkipGram:
    """Three to seven of the nearest pixels."""
    of = int(random.choice(NEAR_GRAMS))
    size = min(int(random.integers(3, 8)), of)
    return SkipGram(earlier.some_of_nearest(random, size, of))


def random_windows(
    random: np.random.Generator, earlier: Earlier, fewest: int = 3, most: int = 6
) -> Windows:
    """So many windows, near and far."""
    count = int(random.integers(fewest, most + 1))
    return Windows([_random_window(random, earlier) or [earlier.blank] for _ in range(count)])


def _random_window(random: np.random.Generator, earlier: Earlier) -> list[int]:
    """A small window nearby or a larger one further away, if one in the image is soon found."""
    far = random.random() < FAR_SHARE
    up, left, right = (22, 20, 20) if far else (12, 12, 9)
    height, width = (int(side) for side in random.integers(*((2, 10) if far else (1, 6)), 2))
    window: list[int] = []
    for _ in range(100):
        top, first = int(random.integers(-up, 1)), int(random.integers(-left, right))
        window = earlier.window(top, first, height, width)
        if window:
            break
    return window


def random_distance(random: np.random.Generator, earlier: Earlier) -> Distance:
    """Local pixels by their distance from one of the nearest, or from none but the pixel itself.

    The paper draws orderings of some twenty local pixels that begin in different directions.
    """
    count = int(random.integers(*DISTANCE_PIXELS))
    down, right = steps_by_length(1.0)[int(random.integers(DISTANCE_CENTRES))]
    area = steps_by_length(1.0)[: 2 * count]
    order = sorted(area, key=lambda s: ((s[0] - down) ** 2 + (s[1] - right) ** 2, s))
    return Distance([earlier.at(*step) for step in order[:count]])


KINDS: dict[str, Callable[[np.random.Generator, Earlier], ContextFunction]] = {
    "skip-gram": random_skip_gram,
    "max-pool": random_windows,
    "distance": random_distance,
}
