"""Runs of pixels: what followed where all pixels around were as they are here, and how often.

Drawings, screens and printed pages are made of few pictures of a few pixels, and most of each of
one alone. There a byte will be what it was the last times, and the rest of the model knows no more
than that, however long it thinks. Such a byte takes an *early exit*: maps tell of each of its bits
how likely it is to be as expected, and no expert, no context and no neuron is asked or learns. With
the first bit that is not, the rest of the model takes the byte up.

The exit is taken where runs of this length are wrong less than once in 1024 times. Elsewhere what
the run expects is an input of the network, and how long the run is opens a gate.

As in `glnzip.model.memory.run_map` a run is a byte and how often in a row it came; that it is one
of all pixels around, and how far it is to be trusted, is what is different here. A cascade of two
stages (Viola and Jones, 2001), as in `glnzip.model.mixing.first_stage`; the run mode of LOCO-I
(Weinberger, Seroussi, Sapiro, 1996) is a simpler form.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline
from glnzip.jit.records import new_records
from glnzip.model.hashing import hashed_pair
from glnzip.model.memory.state_map import COUNT_BITS, PROBABILITY_BITS, adapted, new_map, stretched
from glnzip.model.table.limits import RUN_MAP_LIMIT, RUN_TRUST

TABLE_BITS = 17
LENGTHS = 56  # classes of counts
RECENT = 8  # classes of how lately a run was wrong
STRENGTHS = LENGTHS * RECENT
_LONGEST = (1 << 31) - 1
_EXIT_ABOVE = (1 << PROBABILITY_BITS) - (1 << PROBABILITY_BITS - 10)
_CODER_SHIFT = COUNT_BITS + PROBABILITY_BITS - 16

RUN = np.dtype(
    [
        ("around", np.int64),  # hash of the pixels around, and of the bytes before in this pixel
        ("expected", np.int64),  # 256 + the byte that followed last; 0 if none is known
        ("count", np.int64),  # how often in a row it did
        ("strength", np.int64),  # class of that, and of `since`
        ("since", np.int64),  # how many runs were right since one was wrong
        ("exits", np.int64),  # 1 while the present byte takes the early exit
    ],
)


class PixelRuns(NamedTuple):
    """The runs of an image."""

    run: Any  # RUN[1]: that of the byte to come
    table: Any  # uint32[2**k, 2]: check << 8 | byte, and the count
    bytes_right: Any  # uint32[STRENGTHS]: state map, whether the byte is as expected
    bits_right: Any  # uint32[STRENGTHS * 8]: whether a bit is, if those before it were


def new_pixel_runs() -> PixelRuns:
    """No runs yet."""
    shortest = [_shortest(kind) for kind in range(LENGTHS)]
    wrong = 1 / (4 * np.repeat(shortest, RECENT) + 4)
    return PixelRuns(
        run=new_records(1, RUN),
        table=np.zeros((1 << TABLE_BITS, 2), np.uint32),
        bytes_right=new_map(1 - wrong, RUN_TRUST),
        bits_right=new_map(np.repeat(1 - wrong / 4, 8), RUN_TRUST),
    )


def _shortest(kind: int) -> int:
    """The lowest count of a class."""
    doubled = max(kind // 4 - 1, 0)
    return kind - 4 * doubled << doubled


@inline
def length_class(count):
    """0..55: exact up to 7, then four classes from a power of two to the next."""
    kind = np.int64(0)
    while count > 7:
        count >>= 1
        kind += 4
    return min(kind + count, LENGTHS - 1)


@inline
def recent_class(since):
    """0..7: counts up to 2, up to 11, up to 47, and so on: of each class four times as many."""
    kind = np.int64(0)
    while since > 2 and kind < RECENT - 1:
        since >>= 2
        kind += 1
    return kind


@inline
def byte_at(buffer, start, place):
    """A byte of the history; 0 before the image, which begins at `start`."""
    return np.int64(buffer[place & buffer.size - 1]) if place >= start else np.int64(0)


@inline
def look_around(runs, buffer, start, first, here, row, step):
    """See the pixels around the one that begins at `first`, and its bytes before `here`.

    Nine pixels: two to the west, five of the row above, two of the row above that.
    """
    around = np.int64(0)
    around = with_bytes(around, buffer, start, first - 2 * step, first)
    around = with_bytes(around, buffer, start, first - row - 2 * step, first - row + 3 * step)
    around = with_bytes(around, buffer, start, first - 2 * row, first - 2 * row + 2 * step)
    for place in range(first, here):
        around = hashed_pair(around, byte_at(buffer, start, place))
    runs.run[0].around = around


@inline
def with_bytes(around, buffer, start, place, end):
    """A hash of a hash and of bytes from `place` on, four at a time, and then of what is left."""
    while place + 4 <= end:
        four = byte_at(buffer, start, place) << 24 | byte_at(buffer, start, place + 1) << 16
        four |= byte_at(buffer, start, place + 2) << 8 | byte_at(buffer, start, place + 3)
        around = hashed_pair(around, four)
        place += 4
    rest = np.int64(0)
    while place < end:
        rest = rest << 8 | byte_at(buffer, start, place)
        place += 1
    return hashed_pair(around, rest)


@inline
def expect_byte(runs):
    """Find the run of the byte to come; it exits if that is trusted."""
    run = runs.run[0]
    place, check = _place_and_check(runs)
    run.expected = 0
    run.count = np.int64(runs.table[place, 1])
    run.exits = 0
    if run.count > 0 and np.int64(runs.table[place, 0]) >> 8 == check:
        run.expected = 256 | np.int64(runs.table[place, 0]) & 255
        run.strength = length_class(run.count) * RECENT + recent_class(run.since)
        right = np.int64(runs.bytes_right[run.strength]) >> COUNT_BITS
        run.exits = np.int64(right > _EXIT_ABOVE)


@inline
def _place_and_check(runs):
    around = runs.run[0].around
    return around & runs.table.shape[0] - 1, around >> TABLE_BITS


@inline
def expected_bit(run, now):
    """The next bit of the run's byte, or -1 if there is no run or the byte so far contradicts."""
    if run.expected >> 8 - now.bits_known != now.partial:
        return np.int64(-1)
    return run.expected >> 7 - now.bits_known & 1


@inline
def chance_of_one(runs, now):
    """Of a byte that exits: the probability that the next bit is a one, in 1/65536: 1..65535."""
    run = runs.run[0]
    entry = np.int64(runs.bits_right[8 * run.strength + now.bits_known])
    right = min(max(entry >> _CODER_SHIFT, 1), 65535)
    return right if expected_bit(run, now) else 65536 - right


@inline
def opinion(runs, now):
    """The run's logit of the next bit, 0 if it expects none; and what its gate tells apart."""
    run = runs.run[0]
    bit = expected_bit(run, now)
    if bit < 0:
        return np.float32(0), np.int64(2 * LENGTHS)
    z = stretched(runs.bits_right[8 * run.strength + now.bits_known])
    return z if bit else -z, 2 * (run.strength // RECENT) + bit


@inline
def learn_bit(runs, now, bit):
    """Let the run's map see a bit; whether it was another one than the run had expected."""
    run = runs.run[0]
    expected = expected_bit(run, now)
    if expected < 0:
        return False
    at = 8 * run.strength + now.bits_known
    runs.bits_right[at] = adapted(runs.bits_right[at], np.int64(expected == bit), RUN_MAP_LIMIT)
    return expected != bit


@inline
def learn_byte(runs, byte):
    """Let the run see the complete byte, which is known to the next one of the pixel."""
    run = runs.run[0]
    count = np.int64(1)
    if run.expected > 0:
        right = np.int64(run.expected & 255 == byte)
        runs.bytes_right[run.strength] = adapted(
            runs.bytes_right[run.strength], right, RUN_MAP_LIMIT
        )
        run.since = min(run.since + 1, _LONGEST) if right else np.int64(0)
        if right:
            count = min(run.count + 1, _LONGEST)
    place, check = _place_and_check(runs)
    runs.table[place, 0] = check << 8 | byte
    runs.table[place, 1] = count
    run.around = hashed_pair(run.around, byte)
