"""What a coefficient of a JPEG will be, and how large, told from those that are known.

Of each coefficient, two linear predictors (`least_squares`) learn what tells it: the edges of the
blocks to the left and above, which this block goes on from (its coefficients so far already tell a
part of them); the same coefficient of the blocks around, and of another component; and those of
this block with the next lower frequencies. One predicts the coefficient, the other its size.

That the edges of neighbours tell coefficients is known from PackJPG (M. Stirner and G. Seelmann,
2006), paq8 (M. Mahoney and J. Ondrus, 2006) and Lepton (D. Horn and others, 2017).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, outlined
from glnzip.model.media.jpeg_scan import BLOCK, QUANTISER
from glnzip.model.media.least_squares import (
    Fading,
    LeastSquares,
    learn_target,
    new_least_squares,
    predicted,
)
from glnzip.transforms.jpeg.codes import ZIGZAG

CLASSES = 3  # of components: the first, the second, the others
_SIGNED_INPUTS = 12
_SIZE_INPUTS = 15
_NEAR = 3  # coefficients before, and behind, whose size counts
_FADING = 0.9995, 4.0, 8  # `least_squares.Fading`
_PART = 8.0  # guesses are told in such parts
_LARGEST = 30_000.0

# Columns of `Guesses.block`
HERE, LEFT, ABOVE, CORNER, RIGHT, FELLOW, CLASS, TABLE, BLOCK_COLUMNS = range(9)

NUMBERS = np.argsort(ZIGZAG)
"""The number in zigzag order of a place in the block."""


class Guesses(NamedTuple):
    """What is known of the present block, and what was learned of coefficients.

    Attributes
    ----------
    block : int64[BLOCK_COLUMNS]
        Where the block's coefficients are, and those of its neighbours; the class of its component,
        and the number of its quantisers.
    across, down : int64[8]
        What of the edges to the left and above is not told by the block's coefficients so far, by
        vertical and by horizontal frequency.
    signed, sizes : LeastSquares
        A member for each class and coefficient.
    """

    block: Any
    across: Any
    down: Any
    signed: LeastSquares
    sizes: LeastSquares


def new_guesses() -> Guesses:
    """Nothing has been learned."""
    return Guesses(
        block=np.zeros(BLOCK_COLUMNS, np.int64),
        across=np.zeros(8, np.int64),
        down=np.zeros(8, np.int64),
        signed=new_least_squares([Fading(_SIGNED_INPUTS, *_FADING)], CLASSES * BLOCK),
        sizes=new_least_squares([Fading(_SIZE_INPUTS, *_FADING)], CLASSES * BLOCK),
    )


@inline
def weight(frequency):
    """How a coefficient counts at the edge of its block: the first as the root of one half."""
    return np.int64(181 if frequency == 0 else 256)


@inline
def coefficient(scan, block, k):
    """A coefficient of a block: int64."""
    return np.int64(scan.coefficients[block + k])


@inline
def base(scan, k):
    """What a coefficient is told as the difference from: a mean, from that of the block before."""
    return scan.now[0].before if k == 0 else np.int64(0)


@outlined
def begin_block(guesses, scan):
    """What the edges of the neighbours are, by their frequencies along the edge."""
    state = scan.now[0]
    block = guesses.block
    block[HERE] = state.here
    block[LEFT] = state.left
    block[ABOVE] = state.above
    block[CORNER] = state.corner
    block[RIGHT] = state.right
    block[FELLOW] = state.fellow
    block[CLASS] = min(state.component, np.int64(CLASSES - 1))
    block[TABLE] = scan.components[state.component, QUANTISER]
    for i in range(8):
        guesses.across[i] = 0
        guesses.down[i] = 0
    for k in range(BLOCK):
        u, v = ZIGZAG[k] & 7, ZIGZAG[k] >> 3
        step = scan.quantisers[block[TABLE], k]
        left = coefficient(scan, block[LEFT], k) * step * weight(u)
        above = coefficient(scan, block[ABOVE], k) * step * weight(v)
        guesses.across[v] += -left if u & 1 else left
        guesses.down[u] += -above if v & 1 else above


@inline
def see_coefficient(guesses, scan, k):
    """Take away what a coefficient tells of the edges."""
    u, v = ZIGZAG[k] & 7, ZIGZAG[k] >> 3
    step = scan.quantisers[guesses.block[TABLE], k]
    value = coefficient(scan, guesses.block[HERE], k) * step
    guesses.across[v] -= value * weight(u)
    guesses.down[u] -= value * weight(v)


@inline
def _edge_guesses(guesses, scan, k):
    """What the edges to the left and above say of a coefficient; one alone speaks for both."""
    u, v = ZIGZAG[k] & 7, ZIGZAG[k] >> 3
    step = max(scan.quantisers[guesses.block[TABLE], k], np.int64(1))
    by_left = float(guesses.across[v]) / float(weight(u) * step)
    by_above = float(guesses.down[u]) / float(weight(v) * step)
    if guesses.block[LEFT] == 0:
        by_left = by_above
    if guesses.block[ABOVE] == 0:
        by_above = by_left
    return by_left, by_above


@outlined
def _ask(guesses, scan, k):
    """Set the inputs of both predictors for a coefficient of the block; returns their member.

    All is told as the difference from its `base`.
    """
    block = guesses.block
    u, v = ZIGZAG[k] & 7, ZIGZAG[k] >> 3
    x = guesses.signed.inputs
    less = base(scan, k)
    by_left, by_above = _edge_guesses(guesses, scan, k)
    x[0] = by_left - float(less)
    x[1] = by_above - float(less)
    for i in range(5):
        x[2 + i] = float(coefficient(scan, block[LEFT + i], k) - less)
    x[7] = lower(guesses, scan, u - 1, v)
    x[8] = lower(guesses, scan, u, v - 1)
    x[9] = lower(guesses, scan, u - 2, v)
    x[10] = lower(guesses, scan, u, v - 2)
    x[11] = lower(guesses, scan, u - 1, v - 1)
    y = guesses.sizes.inputs
    for i in range(_SIGNED_INPUTS):
        y[i] = abs(x[i])
    before = np.int64(0)
    for i in range(max(k - _NEAR, np.int64(1)), k):
        before += abs(coefficient(scan, block[HERE], i))
    behind = np.int64(0)
    for i in range(k + 1, min(k + 1 + _NEAR, BLOCK)):
        behind += abs(coefficient(scan, block[LEFT], i)) + abs(coefficient(scan, block[ABOVE], i))
    y[12] = float(before)
    y[13] = float(behind)
    y[14] = 1.0
    return block[CLASS] * BLOCK + k


@inline
def lower(guesses, scan, u, v):
    """A coefficient of the block with these frequencies, float64; 0 for the mean, and outside."""
    if u < 0 or v < 0 or u + v == 0:
        return 0.0
    return float(coefficient(scan, guesses.block[HERE], NUMBERS[v << 3 | u]))


@inline
def _parts(guess):
    """A guess as a whole number of parts."""
    return np.int64(np.floor(min(max(guess, -_LARGEST), _LARGEST) * _PART + 0.5))


@inline
def guess(guesses, scan, k):
    """What the edges say of a coefficient; what both predictors say: all in parts, int64."""
    member = _ask(guesses, scan, k)
    x = guesses.signed.inputs
    signed = predicted(guesses.signed, member)
    size = predicted(guesses.sizes, member)
    return _parts(x[0]), _parts(x[1]), _parts(signed), _parts(max(size, 0.0))


@outlined
def learn(guesses, scan, first, behind):
    """Both predictors see the coefficients from `first` on and before `behind`, of the block."""
    for k in range(first, behind):
        value = coefficient(scan, guesses.block[HERE], k) - base(scan, k)
        member = _ask(guesses, scan, k)
        learn_target(guesses.signed, member, float(value))
        learn_target(guesses.sizes, member, float(abs(value)))
