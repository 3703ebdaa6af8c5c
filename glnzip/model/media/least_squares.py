"""Linear prediction by least squares: the weights that would have served best of late.

A *member* of the bank holds the fading sums ``x x^T`` and ``x y`` of the inputs ``x`` it was given
and the targets ``y`` that followed, and from time to time solves the normal equations for its
weights by Cholesky's decomposition. Loops run along rows and no sum is reordered, so the float64
values are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, outlined

_TINY = 1e-9  # with a pivot below it the equations do not determine the weights, which then stay


class Fading(NamedTuple):
    """How a member learns.

    Attributes
    ----------
    inputs : int
        How many of the inputs it looks at, from the first.
    keep : float
        What is left of its sums when the next sample comes.
    ridge : float
        Added to the diagonal of ``x x^T``: keeps weights small where the data leave them open.
    interval : int
        Samples from one solution to the next.
    """

    inputs: int
    keep: float
    ridge: float
    interval: int


class LeastSquares(NamedTuple):
    """A bank of predictors that share their inputs."""

    inputs: Any  # float64[n]: the present inputs; written by the caller
    sizes: Any  # int64[members]
    rates: Any  # float64[members, 2]: keep, ridge
    intervals: Any  # int64[members]
    moments: Any  # float64[members, n, n]: fading sums of x x^T, the upper triangles
    targets: Any  # float64[members, n]: fading sums of x y
    weights: Any  # float64[members, n]
    seen: Any  # int64[members]: samples learned
    work: Any  # float64[n + 1, n]: scratch of the solver; the last row is the right side


def new_least_squares(rows: Sequence[Fading], copies: int) -> LeastSquares:
    """Members that have seen nothing: `copies` of each row, one after the other."""
    n = max(row.inputs for row in rows)
    members = [row for row in rows for _ in range(copies)]
    return LeastSquares(
        inputs=np.zeros(n),
        sizes=np.array([row.inputs for row in members], np.int64),
        rates=np.array([(row.keep, row.ridge) for row in members], np.float64),
        intervals=np.array([row.interval for row in members], np.int64),
        moments=np.zeros((len(members), n, n)),
        targets=np.zeros((len(members), n)),
        weights=np.zeros((len(members), n)),
        seen=np.zeros(len(members), np.int64),
        work=np.zeros((n + 1, n)),
    )


@inline
def predicted(squares, member):
    """A member's prediction for the present inputs: float64."""
    weights = squares.weights[member]
    total = 0.0
    for i in range(squares.sizes[member]):
        total += weights[i] * squares.inputs[i]
    return total


@outlined
def learn_target(squares, member, target):
    """A member sees what followed the present inputs."""
    n = squares.sizes[member]
    keep = squares.rates[member, 0]
    x = squares.inputs
    for i in range(n):
        row = squares.moments[member, i]
        factor = x[i]
        for j in range(i, n):
            row[j] = row[j] * keep + factor * x[j]
    sums = squares.targets[member]
    for j in range(n):
        sums[j] = sums[j] * keep + target * x[j]
    squares.seen[member] += 1
    if squares.seen[member] % squares.intervals[member] == 0:
        _solve(squares, member)


@inline
def _solve(squares, member):
    """Find the weights; leave them as they are where the equations do not determine them."""
    n = squares.sizes[member]
    work = squares.work
    right = work[work.shape[0] - 1]
    for i in range(n):
        row = work[i]
        sums = squares.moments[member, i]
        for j in range(i, n):
            row[j] = sums[j]
        row[i] += squares.rates[member, 1]
        right[i] = squares.targets[member, i]
    # The upper triangle becomes U with U^T U = x x^T, the right side z with U^T z = x y.
    for p in range(n):
        pivot_row = work[p]
        if pivot_row[p] < _TINY:
            return
        scale = 1.0 / np.sqrt(pivot_row[p])
        for j in range(p, n):
            pivot_row[j] *= scale
        right[p] *= scale
        for i in range(p + 1, n):
            row = work[i]
            factor = pivot_row[i]
            for j in range(i, n):
                row[j] -= factor * pivot_row[j]
            right[i] -= factor * right[p]
    weights = squares.weights[member]
    for p in range(n - 1, -1, -1):
        row = work[p]
        total = right[p]
        for j in range(p + 1, n):
            total -= row[j] * weights[j]
        weights[p] = total / row[p]
