"""Binary images in the order in which they are shown, and what their pixels cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bench.paper.data import binary_mnist

LIVE = 0.02  # share of the training images in which a pixel is inked if it is worth looking at


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


def mean_losses(images: Images, pixel: int, logits: Any) -> Loss:
    """What the pixel costs in the mean of each part's images, given its logits."""
    losses = np.logaddexp(0.0, np.where(images.planes[pixel], -1.0, 1.0) * logits)
    parts = np.split(losses, images.ends[:-1])
    return Loss(*(float(part.mean()) for part in parts))
