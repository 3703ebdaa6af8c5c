"""From the bits of a scan to coefficients (ITU-T T.81, annexes F.2 and G.2)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, kernel
from glnzip.transforms.jpeg.codes import LENGTH_BITS, LONGEST
from glnzip.transforms.jpeg.layout import (
    ACROSS,
    BASE,
    BLOCK,
    DOWN,
    MEANS,
    OWNER,
    REST,
    STEP_ACROSS,
    STEP_DOWN,
    WIDTH,
)

SPARE = 8  # zero bytes behind the bits

# What `Turn.told` has: coefficients, bits, whether the picture is told in several scans
FIRST, LAST, HIGH, LOW, PROGRESSIVE, TOLD = range(6)

# What `Turn.state` has: the next bit; blocks that the run of ends goes on for; the number of ends
PLACE, RUN, ENDS, STATE = range(4)


class Turn(NamedTuple):
    """A scan being read.

    Attributes
    ----------
    blocks : int64[:, BLOCK_COLUMNS]
        See `layout`.
    found : int32[TABLES, 1 << LONGEST]
        See `codes`.
    told : int64[TOLD]
    state : int64[STATE]
    means : int64[4]
        By component: the last one.
    ends : int64[:]
        The units that runs of ends of blocks have ended with.
    """

    blocks: Any
    found: Any
    told: Any
    state: Any
    means: Any
    ends: Any


@kernel
def decode_scan(turn, bits, bounds, coefficients, across, units, interval):
    """Read a scan.

    Parameters
    ----------
    turn : Turn
        Its state is zeros.
    bits : uint8[:]
        Without restart markers and stuffed bytes; `SPARE` zeros behind them.
    bounds : int64[intervals + 1]
        Where what lies between restart markers begins and ends.
    coefficients : int16[:]
        Receives what is told.
    across, units : int
        Units beside each other in the picture, and in all.
    interval : int
        Units between restart markers; `units` if there are none.

    Returns
    -------
    int
        1, or 0 if they are no such scan.
    """
    state = turn.state
    for part in range(bounds.size - 1):
        state[PLACE] = bounds[part] * 8
        state[RUN] = 0
        for k in range(turn.means.size):
            turn.means[k] = 0
        for i in range(part * interval, min((part + 1) * interval, units)):
            for b in range(turn.blocks.shape[0]):
                good = _read_block(turn, bits, turn.blocks[b], coefficients, i, across)
                if not good or state[PLACE] > bounds[part + 1] * 8:
                    return np.int64(0)
        if state[RUN] > 0:
            return np.int64(0)
    return np.int64(1)


@inline
def _read_block(turn, bits, block, coefficients, unit, across):
    told = turn.told
    here = block_place(block, unit, across)
    if told[FIRST] == 0 and not _read_mean(turn, bits, block, coefficients, here):
        return False
    if told[LAST] == 0:
        return True
    if told[HIGH] == 0:
        return _read_rest(turn, bits, block, coefficients, here, unit)
    return _refine_rest(turn, bits, block, coefficients, here, unit)


@inline
def block_place(block, unit, across):
    """Where the coefficients of a block of a unit begin."""
    row = unit // across
    column = unit - row * across
    y = row * block[STEP_DOWN] + block[DOWN]
    x = column * block[STEP_ACROSS] + block[ACROSS]
    return block[BASE] + (y * block[WIDTH] + x) * BLOCK


@inline
def _read_bits(turn, bits, count):
    """The next `count` bits, at most 16; zeros behind the end."""
    at = turn.state[PLACE]
    turn.state[PLACE] = at + count
    return _peek(bits, at) >> (LONGEST - count)


@inline
def _peek(bits, at):
    """The 16 bits from a place on."""
    byte = min(at >> 3, bits.size - SPARE)
    word = np.int64(bits[byte]) << 16 | np.int64(bits[byte + 1]) << 8 | np.int64(bits[byte + 2])
    return word >> (8 - (at & 7)) & 0xFFFF


@inline
def _read_symbol(turn, bits, table):
    """The next symbol; -1 if there is no such code."""
    found = np.int64(turn.found[table, _peek(bits, turn.state[PLACE])])
    turn.state[PLACE] += found & ((1 << LENGTH_BITS) - 1)
    return found >> LENGTH_BITS if found > 0 else np.int64(-1)


@inline
def _read_number(turn, bits, size):
    """A number of so many bits, negative if the first is 0 (T.81, F.2.2.1)."""
    value = _read_bits(turn, bits, size)
    if size > 0 and value < 1 << (size - 1):
        value -= (1 << size) - 1
    return value


@inline
def _fits(value):
    return -32767 <= value <= 32767


@inline
def _read_mean(turn, bits, block, coefficients, here):
    low = turn.told[LOW]
    if turn.told[HIGH] > 0:
        coefficients[here] = np.int16(
            np.int64(coefficients[here]) | _read_bits(turn, bits, np.int64(1)) << low
        )
        return True
    size = _read_symbol(turn, bits, block[MEANS])
    if size < 0 or size > 15:
        return False
    mean = turn.means[block[OWNER]] + _read_number(turn, bits, size)
    turn.means[block[OWNER]] = mean
    if not _fits(mean << low):
        return False
    coefficients[here] = np.int16(mean << low)
    return True


@inline
def _end(turn, unit):
    """The block ends; so do others, if a run goes on."""
    turn.state[RUN] -= 1
    if turn.state[RUN] == 0:
        turn.ends[turn.state[ENDS]] = unit
        turn.state[ENDS] += 1


@inline
def _begin_run(turn, bits, size):
    """So many bits say how long a run of ends is (T.81, G.1.2.2)."""
    turn.state[RUN] = (np.int64(1) << size) + _read_bits(turn, bits, size)


@inline
def _read_rest(turn, bits, block, coefficients, here, unit):
    told = turn.told
    k = max(told[FIRST], np.int64(1))
    while turn.state[RUN] == 0 and k <= told[LAST]:
        symbol = _read_symbol(turn, bits, block[REST])
        zeros, size = symbol >> 4, symbol & 15
        if symbol < 0:
            return False
        if size == 0 and zeros < 15:
            if zeros > 0 and told[PROGRESSIVE] == 0:
                return False
            _begin_run(turn, bits, zeros)
            break
        k += zeros
        if k > told[LAST]:
            return False
        if size > 0:
            value = _read_number(turn, bits, size) * (np.int64(1) << told[LOW])
            if not _fits(value):
                return False
            coefficients[here + k] = np.int16(value)
        k += 1
    if turn.state[RUN] > 0:
        _end(turn, unit)
    return True


@inline
def _refine(turn, bits, coefficients, place):
    """One more bit of a coefficient that is not zero."""
    if _read_bits(turn, bits, np.int64(1)) > 0:
        step = np.int64(1) << turn.told[LOW]
        value = np.int64(coefficients[place])
        value += step if value > 0 else -step
        if not _fits(value):
            return False
        coefficients[place] = np.int16(value)
    return True


@inline
def _refine_rest(turn, bits, block, coefficients, here, unit):
    """T.81, G.1.2.3: those that are not zero get a bit each, as the others are passed."""
    told = turn.told
    k = told[FIRST]
    while turn.state[RUN] == 0 and k <= told[LAST]:
        symbol = _read_symbol(turn, bits, block[REST])
        zeros, size = symbol >> 4, symbol & 15
        if symbol < 0 or size > 1:
            return False
        if size == 0 and zeros < 15:
            _begin_run(turn, bits, zeros)
            break
        value = np.int64(0)
        if size > 0:
            step = np.int64(1) << told[LOW]
            value = step if _read_bits(turn, bits, np.int64(1)) > 0 else -step
        while k <= told[LAST]:
            if coefficients[here + k] != 0:
                if not _refine(turn, bits, coefficients, here + k):
                    return False
            elif zeros == 0:
                break
            else:
                zeros -= 1
            k += 1
        if k > told[LAST]:
            return False
        coefficients[here + k] = np.int16(value)
        k += 1
    if turn.state[RUN] > 0:
        while k <= told[LAST]:
            if coefficients[here + k] != 0 and not _refine(turn, bits, coefficients, here + k):
                return False
            k += 1
        _end(turn, unit)
    return True
