"""Patterns of pixels: what followed where a window of pixels was as it is here, and how often.

Letters, tiles, dots and hatching come again, and each is known by another window: some pixels to
the west, a column, a piece of several rows. The runs (`glnzip.model.memory.run_map`) of all windows
share a table; each gives an input of the network. They are looked for where a byte does not exit
(`pixel_runs`), and learn such bytes alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, outlined
from glnzip.jit.records import new_records
from glnzip.model.hashing import hashed_pair
from glnzip.model.media.pixel_runs import byte_at, with_bytes
from glnzip.model.memory import run_map
from glnzip.model.memory.state_map import new_map

TABLE_BITS = 20
Window = Sequence[tuple[int, int, int]]
"""Rows above, and from which pixel up to which, those to the west below 0."""

PATTERN = np.dtype(
    [
        ("hash", np.int64),  # of the window, and of the bytes before in this pixel
        ("place", np.int64),  # where its run is, or will be
        ("run", np.int64),  # that; 0 if there is none
        ("map_index", np.int64),  # entry that spoke for the present bit; -1 for none
    ],
)


class PixelPatterns(NamedTuple):
    """The patterns of an image."""

    windows: Any  # int64[windows, most spans, 3]: a span of no pixels where there are fewer
    patterns: Any  # PATTERN[windows]: those of the byte to come
    hashed: Any  # int64[1]: the byte of the stream that the hashes are of
    table: Any  # uint32[2**k]: see `run_map`
    run_maps: Any  # uint32[windows * run_map.CLASSES]


def new_pixel_patterns(windows: Sequence[Window]) -> PixelPatterns:
    """No pattern was seen yet."""
    spans = np.zeros((len(windows), max(map(len, windows)), 3), np.int64)
    spans[:, :, 2] = -1
    for i, window in enumerate(windows):
        spans[i, : len(window)] = window
    ones = np.arange(run_map.CLASSES) & 1 == 1
    return PixelPatterns(
        windows=spans,
        patterns=new_records(len(windows), PATTERN),
        hashed=np.zeros(1, np.int64),
        table=np.zeros(1 << TABLE_BITS, np.uint32),
        run_maps=np.tile(new_map(np.where(ones, 0.8, 0.2), 0), len(windows)),
    )


@inline
def begin_block(patterns):
    """What is known of the byte to come was told of another block."""
    patterns.hashed[0] = np.int64(-1)


@outlined
def look_around(patterns, buffer, start, here, in_pixel, row, step):
    """See the windows of the pixel that has the byte `here`, and its bytes before that one."""
    if in_pixel > 0 and patterns.hashed[0] == here:
        return  # `learn_byte` has seen them
    patterns.hashed[0] = here
    first = here - in_pixel
    for i in range(patterns.windows.shape[0]):
        around = np.int64(i + 1)
        for s in range(patterns.windows.shape[1]):
            here_above = first - patterns.windows[i, s, 0] * row
            west, east = patterns.windows[i, s, 1], patterns.windows[i, s, 2] + 1
            if west < east:
                around = with_bytes(
                    around, buffer, start, here_above + west * step, here_above + east * step
                )
        for place in range(first, here):
            around = hashed_pair(around, byte_at(buffer, start, place))
        patterns.patterns[i].hash = around


@outlined
def expect_byte(patterns):
    """Find the runs of the byte to come."""
    for i in range(patterns.patterns.size):
        run_map.prefetch_runs(patterns.table, patterns.patterns[i].hash)
    for i in range(patterns.patterns.size):
        pattern = patterns.patterns[i]
        pattern.place = run_map.find_run(patterns.table, pattern.hash)
        pattern.run = run_map.seen_run(patterns.table, pattern.place, pattern.hash)


@outlined
def learn_byte(patterns, here, byte):
    """The runs see the byte that stands `here`, which is known to the next one of the pixel."""
    patterns.hashed[0] = here + 1
    for i in range(patterns.patterns.size):
        pattern = patterns.patterns[i]
        run_map.extend_run(patterns.table, pattern.place, pattern.hash, pattern.run, byte)
        pattern.hash = hashed_pair(pattern.hash, byte)
