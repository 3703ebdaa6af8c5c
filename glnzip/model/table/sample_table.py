"""What the tables of images and of audio have in common."""

from __future__ import annotations

from typing import NamedTuple

from glnzip.model.media.least_squares import Fading
from glnzip.model.table.rows import Gate, Layer


class SampleTable(NamedTuple):
    """The rows of images, or of audio. Every level uses all: such blocks are rare."""

    squares: tuple[Fading, ...]
    """Linear predictors, and how fast they forget."""
    contexts: tuple[tuple[int, ...], ...]
    """Up to four features each, hashed to lines of adaptive probabilities."""
    gates: tuple[Gate, ...]
    """The neurons, those of the first layer first."""
    layers: tuple[Layer, ...]
    """How each layer learns."""
    more: int = 0
    """Inputs that are theirs alone, the last ones."""


FINAL_GATE = Gate("none, final", 0, 1, "position", layer=1)
"""The last layer's neuron knows the place of the bit; feature 0 is always 0."""
