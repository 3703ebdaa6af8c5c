"""The inputs of the networks of pixels, samples and JPEG: contexts have no names there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from glnzip.analysis.families import (
    AROUND,
    COEFFICIENTS,
    DISTRIBUTION,
    EXPERTS,
    GUESSES,
    HISTORY,
    IN_BLOCK,
    MATCH,
    MATCHES,
    NEIGHBOURS,
    ONE_VALUE,
    PATTERNS,
    PROBABILITY,
    RUN,
    SHAPE,
    Input,
)
from glnzip.model.media import image_model as i
from glnzip.model.media import jpeg_model as j
from glnzip.model.media import pixel_match
from glnzip.model.media.pixel_patterns import Window
from glnzip.model.table import audio, bitmap, image, jpeg

_IMAGE_EXPERTS = ("steady", "near", "lasting", "edge", "corrected", "blend")
_AUDIO_EXPERTS = ("steady", "near", "brief", "lasting", "staged", "far", "blend")
_OF_PATTERNS = (PROBABILITY, HISTORY, ONE_VALUE)
"""The order of `glnzip.model.memory.pattern_slots`."""


def bitmap_inputs() -> list[Input]:
    """Those of bitmaps."""
    names = [_drawn(row.pattern) for row in bitmap.CONTEXTS]
    return [Input(PATTERNS, name, memory) for memory in _OF_PATTERNS for name in names]


def _drawn(pattern: str) -> str:
    """What a drawing of pixels looks at."""
    rows = sum("x" in row for row in pattern.splitlines())
    return f"{pattern.count('x')} pixels of {rows} rows"


def image_inputs() -> list[Input]:
    """Those of images."""
    return [
        *_experts(_IMAGE_EXPERTS),
        *_of_samples(map(_of_image, image.CONTEXTS)),
        Input(NEIGHBOURS, "all pixels around", RUN),
        *(Input(MATCHES, "pixels of several rows", MATCH) for _ in range(pixel_match.INPUTS)),
        *(Input(PATTERNS, _spelled(window), RUN) for window in image.WINDOWS),
    ]


def _spelled(window: Window) -> str:
    """How many pixels of how many rows."""
    pixels = sum(east - west + 1 for _, west, east in window)
    return f"{pixels} pixels of {len(window)} rows"


def audio_inputs() -> list[Input]:
    """Those of audio."""
    return [*_experts(_AUDIO_EXPERTS), *_of_samples(NEIGHBOURS for _ in audio.CONTEXTS)]


def _experts(names: Sequence[str]) -> Iterator[Input]:
    return (Input(EXPERTS, name, memory) for name in names for memory in (DISTRIBUTION, SHAPE))


def _of_samples(families: Iterable[str]) -> Iterator[Input]:
    return (Input(family, family, PROBABILITY) for family in families for _ in range(2))


def _of_image(features: tuple[int, ...]) -> str:
    first = next((feature for feature in features if feature != i.CHANNEL), i.NONE)
    return GUESSES if i.PLANE <= first <= i.PLANE_COLOUR else NEIGHBOURS


def jpeg_inputs() -> list[Input]:
    """Those of JPEG."""
    families = [_of_jpeg(row) for row in jpeg.CONTEXTS]
    return [Input(family, family, memory) for memory in _OF_PATTERNS for family in families]


def _of_jpeg(features: tuple[int, ...]) -> str:
    if any(j.EDGE_LEFT <= feature <= j.SIZE_TAIL for feature in features):
        return COEFFICIENTS
    around = any(j.FELLOW_SYMBOL <= feature <= j.TAIL for feature in features)
    return AROUND if around else IN_BLOCK
