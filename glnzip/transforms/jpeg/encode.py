"""From coefficients to the bits of a scan (ITU-T T.81, annexes F.1 and G.1).

What an encoder may choose is when it tells that a run of blocks has ended. It must do so before it
tells anything else; here it does so as well when the run is long, when many bits wait for it (as
the encoder of the Independent JPEG Group does), and at *breaks*, which have to be told.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, kernel
from glnzip.transforms.jpeg.codes import LENGTH_BITS
from glnzip.transforms.jpeg.decode import FIRST, HIGH, LAST, LOW, block_place
from glnzip.transforms.jpeg.layout import BLOCK, MEANS, OWNER, REST

MOST_RUN = 0x7FFF  # blocks that end together
MOST_WAITING = (MOST_RUN + 1) * BLOCK  # bits

# What `Pen.state` has: bytes written, and bits that are no byte yet; the run of ends, and bits that
# wait for it; the next break; breaks that were needed; one that may not have been; the code of the
# run; whether all went well
PLACE, BITS, COUNT, RUN, WAITING, NEXT, NEEDED, DOUBTFUL, TABLE, GOOD, STATE = range(11)

# What `Pen.habits` has: the most blocks of a run; the most bits that wait for it; the bit that
# fills up the last byte
RUN_LIMIT, WAITING_LIMIT, PAD, HABITS = range(4)


class Pen(NamedTuple):
    """A scan being written.

    Attributes
    ----------
    blocks, told
        As of `decode.Turn`.
    of_symbol : int64[TABLES, SYMBOLS]
        See `codes`.
    state : int64[STATE]
    habits : int64[HABITS]
    means : int64[4]
    waiting : uint8[:]
        Bits that come after the run.
    breaks : int64[:]
        Units that a run ends with, in their order.
    needed : int64[:]
        Receives those of them that made a difference.
    out : uint8[:]
    """

    blocks: Any
    told: Any
    of_symbol: Any
    state: Any
    habits: Any
    means: Any
    waiting: Any
    breaks: Any
    needed: Any
    out: Any


@kernel
def encode_scan(pen, coefficients, across, units, interval):
    """Write a scan.

    Parameters
    ----------
    pen : Pen
        Its state is zeros.
    coefficients : int16[:]
    across, units : int
        Units beside each other in the picture, and in all.
    interval : int
        Units between restart markers; 0 for none.

    Returns
    -------
    int
        Bytes of `pen.out`; -1 if there is no room, or no code for something.
    """
    state = pen.state
    state[GOOD] = 1
    for i in range(units):
        if interval > 0 and i > 0 and i % interval == 0:
            _end_interval(pen)
            _put(pen, np.int64(0xFF))
            _put(pen, np.int64(0xD0) | (i // interval - 1) & 7)
        for b in range(pen.blocks.shape[0]):
            _write_block(pen, pen.blocks[b], coefficients, i, across)
        if state[GOOD] == 0:
            return np.int64(-1)
    _end_interval(pen)
    return state[PLACE] if state[GOOD] > 0 else np.int64(-1)


@inline
def _write_block(pen, block, coefficients, unit, across):
    told = pen.told
    here = block_place(block, unit, across)
    if told[FIRST] == 0:
        _write_mean(pen, block, coefficients, here)
    if told[LAST] > 0:
        pen.state[TABLE] = block[REST]
        if told[HIGH] == 0:
            ends = _write_rest(pen, coefficients, here)
        else:
            ends = _refine_rest(pen, coefficients, here)
        if ends:
            _end(pen, unit)


@inline
def _end_interval(pen):
    _write_run(pen, pen.state[WAITING])
    if pen.state[COUNT] > 0:
        missing = 8 - pen.state[COUNT]
        _write(pen, ((np.int64(1) << missing) - 1) * pen.habits[PAD], missing)
    for k in range(pen.means.size):
        pen.means[k] = 0


@inline
def _put(pen, byte):
    """Append a byte."""
    state = pen.state
    if state[PLACE] < pen.out.size:
        pen.out[state[PLACE]] = np.uint8(byte)
        state[PLACE] += 1
    else:
        state[GOOD] = 0


@inline
def _write(pen, number, count):
    """The low `count` bits of a number, at most 16, the highest first."""
    state = pen.state
    state[BITS] = state[BITS] << count | (number & ((np.int64(1) << count) - 1))
    state[COUNT] += count
    while state[COUNT] >= 8:
        state[COUNT] -= 8
        byte = state[BITS] >> state[COUNT] & 255
        _put(pen, byte)
        if byte == 0xFF:
            _put(pen, np.int64(0))  # so that it is no marker (T.81, B.1.1.5)
    state[BITS] &= (np.int64(1) << state[COUNT]) - 1


@inline
def _write_symbol(pen, table, symbol):
    code = pen.of_symbol[table, symbol]
    if code == 0:
        pen.state[GOOD] = 0
    _write(pen, code >> LENGTH_BITS, code & ((1 << LENGTH_BITS) - 1))


@inline
def _bits_of(size):
    """How many bits a number has."""
    count = np.int64(0)
    while size > 0:
        size >>= 1
        count += 1
    return count


@inline
def _write_number(pen, value, size):
    """A number as so many bits (T.81, F.1.2.1)."""
    _write(pen, value if value >= 0 else value - 1, size)


@inline
def _write_mean(pen, block, coefficients, here):
    value = np.int64(coefficients[here]) >> pen.told[LOW]
    if pen.told[HIGH] > 0:
        _write(pen, value & 1, np.int64(1))
        return
    step = value - pen.means[block[OWNER]]
    pen.means[block[OWNER]] = value
    size = _bits_of(abs(step))
    _write_symbol(pen, block[MEANS], size)
    _write_number(pen, step, size)


@inline
def _write_run(pen, own):
    """Tell the run of ends, if there is one, and the first bits that wait, up to `own` of them."""
    state = pen.state
    if state[RUN] > 0:
        size = _bits_of(state[RUN]) - 1
        _write_symbol(pen, state[TABLE], size << 4)
        _write(pen, state[RUN], size)
        state[RUN] = 0
        left = state[WAITING] - own
        state[WAITING] = own
        _write_waiting(pen)
        for k in range(left):
            pen.waiting[k] = pen.waiting[own + k]
        state[WAITING] = left
    state[DOUBTFUL] = 0  # it would have been told here, too


@inline
def _write_waiting(pen):
    """The bits that wait."""
    for k in range(pen.state[WAITING]):
        _write(pen, np.int64(pen.waiting[k]), np.int64(1))
    pen.state[WAITING] = 0


@inline
def _end(pen, unit):
    """A block ends before its last coefficient."""
    state = pen.state
    if state[DOUBTFUL] > 0:  # the run before could have gone on
        pen.needed[state[NEEDED]] = state[DOUBTFUL] - 1
        state[NEEDED] += 1
        state[DOUBTFUL] = 0
    state[RUN] += 1
    while state[NEXT] < pen.breaks.size and pen.breaks[state[NEXT]] < unit:
        state[NEXT] += 1
    if state[RUN] >= pen.habits[RUN_LIMIT] or state[WAITING] > pen.habits[WAITING_LIMIT]:
        _write_run(pen, state[WAITING])
    elif state[NEXT] < pen.breaks.size and pen.breaks[state[NEXT]] == unit:
        _write_run(pen, state[WAITING])
        state[DOUBTFUL] = unit + 1


@inline
def _write_rest(pen, coefficients, here):
    """Coefficients that were not told before; returns whether some are zeros at the end."""
    told = pen.told
    zeros = np.int64(0)
    for k in range(max(told[FIRST], np.int64(1)), told[LAST] + 1):
        value = np.int64(coefficients[here + k])
        value = value >> told[LOW] if value >= 0 else -(-value >> told[LOW])
        if value == 0:
            zeros += 1
            continue
        _write_run(pen, np.int64(0))
        while zeros > 15:
            _write_symbol(pen, pen.state[TABLE], np.int64(0xF0))
            zeros -= 16
        size = _bits_of(abs(value))
        if size > 15:
            pen.state[GOOD] = 0
            return False
        _write_symbol(pen, pen.state[TABLE], zeros << 4 | size)
        _write_number(pen, value, size)
        zeros = np.int64(0)
    return zeros > 0


@inline
def _refine_rest(pen, coefficients, here):
    """One bit of each; returns whether something is left that a run has to tell."""
    told = pen.told
    state = pen.state
    low = told[LOW]
    behind = told[FIRST]  # the last that is told for the first time
    for k in range(told[FIRST], told[LAST] + 1):
        if abs(np.int64(coefficients[here + k])) >> low == 1:
            behind = k + 1
    zeros = np.int64(0)
    before = state[WAITING]  # bits of blocks before this one
    for k in range(told[FIRST], told[LAST] + 1):
        value = np.int64(coefficients[here + k])
        size = abs(value) >> low
        if size == 0:
            zeros += 1
            continue
        while zeros > 15 and k < behind:
            _write_run(pen, before)
            _write_symbol(pen, state[TABLE], np.int64(0xF0))
            zeros -= 16
            _write_waiting(pen)
            before = np.int64(0)
        if size > 1:
            pen.waiting[state[WAITING]] = np.uint8(size & 1)
            state[WAITING] += 1
            continue
        _write_run(pen, before)
        _write_symbol(pen, state[TABLE], zeros << 4 | 1)
        _write(pen, np.int64(value > 0), np.int64(1))
        _write_waiting(pen)
        before = np.int64(0)
        zeros = np.int64(0)
    return zeros > 0 or state[WAITING] > before
