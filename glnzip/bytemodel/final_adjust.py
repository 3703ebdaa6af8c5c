"""Final adjustment: adaptive curves that correct the network's probability in small contexts.

Each adjustment maps (context, logit) to a probability by interpolating between `KNOTS` entries of
`adaptive_map`, evenly spaced in the logit; they start on the logistic curve, and the nearer of the
two learns (the APM or SSE stage of the PAQ programs). The result is the average of the network's
probability and of all the adjusted ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.bytemodel.adaptive_map import COUNT_BITS, PROBABILITY_BITS, adapted, new_map
from glnzip.bytemodel.features import hashed_pair
from glnzip.bytemodel.memory import prefetch
from glnzip.gln.aligned import aligned_copy
from glnzip.gln.logistic import SQUASH_LIMIT, clip, exact_exp, squash
from glnzip.jit import inline

KNOTS = 24
MAP_LIMIT = 255
_FIRST_COUNT = 6  # the logistic curve is trusted as so many bits seen
_SPAN = np.float32(11.99)  # logits beyond +-12 share the outermost interval
_LIMIT = np.float32(SQUASH_LIMIT)
_SCALE = np.float32((KNOTS - 1) / (2 * SQUASH_LIMIT))
_UNIT = np.float32(1 / (1 << PROBABILITY_BITS))
_HALF = np.float32(0.5)


def new_curves(contexts: int) -> Any:
    """Curves that nearly leave the probability as it is: uint32[contexts * KNOTS]."""
    logits = np.arange(KNOTS) * (2 * SQUASH_LIMIT / (KNOTS - 1)) - SQUASH_LIMIT
    return aligned_copy(np.tile(new_map(1 / (1 + exact_exp(-logits)), _FIRST_COUNT), contexts))


@inline
def choose_curves(view, recent):
    """Find the present bit's curve for each adjustment, and fetch it while the network runs."""
    lineup, learned, scratch = view
    partial = recent.now[0].partial
    for i in range(lineup.adjustments.shape[0]):
        first, second, start, mask = lineup.adjustments[i]
        a = recent.features[first]
        b = recent.features[second]
        context = partial
        if second != 0:
            context = hashed_pair(hashed_pair(a, b), context)
        elif first != 0:
            context = context | a << 8
        curve = start + (context & mask) * KNOTS
        scratch.knots[i] = curve
        prefetch(learned.curves, curve)
        prefetch(learned.curves, curve + KNOTS - 1)


@inline
def predict_adjusted(view, stretched):
    """The adjusted probability (float32) for the network's output, after `choose_curves`."""
    lineup, learned, scratch = view
    scaled = (clip(stretched, _SPAN) + _LIMIT) * _SCALE
    knot = int(scaled)
    fraction = scaled - np.float32(knot)
    nearer = 0 if fraction < _HALF else 1
    total = squash(stretched)
    for i in range(scratch.knots.size):
        at = scratch.knots[i] + knot
        scratch.knots[i] = at + nearer
        below = _probability(learned.curves[at])
        total += below + (_probability(learned.curves[at + 1]) - below) * fraction
    return total * lineup.shares[0]


@inline
def _probability(entry):
    return np.float32(np.int64(entry) >> COUNT_BITS) * _UNIT


@inline
def update_adjusted(view, bit):
    """Let the nearer knot of each used interval see the bit."""
    _, learned, scratch = view
    for i in range(scratch.knots.size):
        at = scratch.knots[i]
        learned.curves[at] = adapted(learned.curves[at], bit, MAP_LIMIT)
