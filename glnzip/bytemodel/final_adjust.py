"""Final adjustment: adaptive curves that correct the network's probability in small contexts.

Each adjustment maps (context, logit) to a probability by interpolating between `KNOTS` learned
points, evenly spaced in the logit (the APM or SSE stage of the PAQ programs). The results are
averaged with the network's own probability.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.bytemodel.features import hashed_pair
from glnzip.gln.logistic import SQUASH, SQUASH_LIMIT, SQUASH_STEPS, clip
from glnzip.jit import inline

KNOTS = 33
_SPAN = np.float32(11.99)  # logits beyond +-12 share the outermost interval
_LIMIT = np.float32(SQUASH_LIMIT)
_SCALE = np.float32((KNOTS - 1) / (2 * SQUASH_LIMIT))
_RATE = np.float32(0.02)
_ONE = np.float32(1)


def new_curves(contexts: int) -> Any:
    """Curves that change nothing yet: float32[contexts * KNOTS]."""
    spacing = 2 * SQUASH_LIMIT * SQUASH_STEPS // (KNOTS - 1)
    return np.tile(SQUASH[: (KNOTS - 1) * spacing + 1 : spacing], contexts)


@inline
def predict_adjusted(lineup, learned, recent, stretched, p):
    """The adjusted probability (float32) for the network's output in both domains."""
    now = recent.now[0]
    scaled = (clip(stretched, _SPAN) + _LIMIT) * _SCALE
    knot = int(scaled)
    fraction = scaled - np.float32(knot)
    now.knot_fraction = fraction
    total = p
    for i in range(lineup.adjustments.shape[0]):
        first, second, start, mask = lineup.adjustments[i]
        a = recent.features[first]
        b = recent.features[second]
        context = now.partial
        if second != 0:
            context = hashed_pair(hashed_pair(a, b), context)
        elif first != 0:
            context = context | a << 8
        at = start + (context & mask) * KNOTS + knot
        recent.curve_places[i] = at
        below = learned.curves[at]
        total += below + (learned.curves[at + 1] - below) * fraction
    return total * lineup.shares[0]


@inline
def update_adjusted(lineup, learned, recent, bit):
    """Move the two knots around each used point towards the bit."""
    target = np.float32(bit)
    fraction = recent.now[0].knot_fraction
    for i in range(lineup.adjustments.shape[0]):
        at = recent.curve_places[i]
        below = learned.curves[at]
        above = learned.curves[at + 1]
        learned.curves[at] = below + (target - below) * (_RATE * (_ONE - fraction))
        learned.curves[at + 1] = above + (target - above) * (_RATE * fraction)
