"""The match of pixels: the last place with a window of pixels as it is here, and what comes there.

Unlike the match models of bytes (`glnzip.model.memory.match_model`), whose way to go on and whose
classes it has, it looks for what is alike in several rows: letters, tiles, the picture before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, outlined
from glnzip.jit.records import new_records
from glnzip.model.media.pixel_runs import byte_at
from glnzip.model.memory import match_model
from glnzip.model.memory.match_model import STRENGTHS
from glnzip.model.memory.state_map import new_map, opinion

INPUTS = 2
PLACE_BITS = 18
WEST = 6  # pixels that have to be alike
_VERIFIED = 32  # bytes compared, if not more are needed
_LONG = 16  # bytes of a match from which on no other is looked for

MATCH = np.dtype(
    [
        ("pointer", np.int64),  # position of the byte expected next; 0 for none
        ("length", np.int64),
        ("misses", np.int64),  # bit mask of recent wrong guesses, newest in bit 0
        ("expected", np.int64),  # 256 + the byte expected next; 0 for none
        ("map_index", np.int64),  # entry used for the present bit; -1 for none
    ],
)


class PixelMatch(NamedTuple):
    """The match of an image."""

    match: Any  # MATCH[1]
    places: Any  # int64[2**k]: by the hash of the pixels around, where they were so last
    match_maps: Any  # uint32[STRENGTHS]


def new_pixel_match() -> PixelMatch:
    """No match yet."""
    ones = np.arange(STRENGTHS) & 1 == 1
    return PixelMatch(
        match=new_records(1, MATCH),
        places=np.zeros(1 << PLACE_BITS, np.int64),
        match_maps=new_map(np.where(ones, 0.9, 0.1), 0),
    )


@inline
def begin(pixels):
    """Another image begins."""
    match = pixels.match[0]
    match.pointer = np.int64(0)
    match.length = np.int64(0)
    match.expected = np.int64(0)


@outlined
def look_up(pixels, buffer, start, first, around, step):
    """Look for a match of the pixel that begins at `first`, `around` being a hash of a window."""
    match = pixels.match[0]
    place = around & pixels.places.size - 1
    candidate = pixels.places[place]
    pixels.places[place] = first
    if match.length >= _LONG or not start < candidate < first:
        return
    if first - candidate >= buffer.size:
        return
    length = np.int64(0)
    most = max(WEST * step, _VERIFIED)
    while length < most and byte_at(buffer, start, candidate - 1 - length) == byte_at(
        buffer, start, first - 1 - length
    ):
        length += 1
    if length >= max(WEST * step, match.length + 1):
        match.pointer = candidate
        match.length = length
        match.misses = np.int64(0)
        match_model.expect_next(match, buffer)


@inline
def gather(pixels, now, inputs, at):
    """Write the two inputs from `at` on; what a gate tells apart: 0, or 1 and the map's entry."""
    match = pixels.match[0]
    bit = match_model.expected_bit(match, now.partial, now.bits_known)
    if bit < 0:
        match.map_index = -1
        inputs[at] = np.float32(0)
        inputs[at + 1] = np.float32(0)
        return np.int64(0)
    match.map_index = match_model.map_index(match, 0, bit)
    inputs[at], inputs[at + 1] = opinion(pixels.match_maps[match.map_index])
    return 1 + match.map_index


@inline
def learn_bit(pixels, bit):
    """The map that spoke sees the bit."""
    index = pixels.match[0].map_index
    if index >= 0:
        match_model.learn_bit(pixels.match_maps, index, bit)


@inline
def see_byte(pixels, buffer, byte):
    """Move the match past a byte."""
    match = pixels.match[0]
    match_model.follow(match, buffer, byte)
    match_model.expect_next(match, buffer)
