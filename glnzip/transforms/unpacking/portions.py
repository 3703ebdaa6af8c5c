"""Streams that are longer than a stretch: what one stretch leaves to the next, on both sides.

Such a stream is told in portions (`glnzip.transforms.deflate.portion`), of which each stretch has
one at most at its end, and one at most at its beginning. Where they are in the data chunks of a
PNG, portions go through these, and have whole rows of pixels.
"""

from __future__ import annotations

from typing import NamedTuple

from glnzip.transforms.deflate.portion import NOTHING_BEFORE, Before
from glnzip.transforms.unpacking.chunks import NO_CHUNK, Chunk

CONTINUES, GOES_ON, IN_CHUNKS = 1, 2, 4
"""Flags of a portion: whether others come before it, and after it, and how it is stored."""


class OpenStream(NamedTuple):
    """A stream of which portions were told."""

    before: Before = NOTHING_BEFORE
    above: bytes = b""
    """The last row of pixels."""
    chunk: Chunk = NO_CHUNK
