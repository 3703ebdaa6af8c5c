"""Final adjustment: adaptive curves that correct the network's probability in small contexts.

Each adjustment maps (context, logit) to a correction of the probability by interpolating between
`KNOTS` learned points, evenly spaced in the logit (the APM or SSE stage of the PAQ programs). The
network's probability is moved by the average of the corrections.
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel.features import hashed_pair
from glnzip.gln.logistic import SQUASH_LIMIT, clip, squash
from glnzip.jit import inline

KNOTS = 24
_SPAN = np.float32(11.99)  # logits beyond +-12 share the outermost interval
_LIMIT = np.float32(SQUASH_LIMIT)
_SCALE = np.float32((KNOTS - 1) / (2 * SQUASH_LIMIT))
_RATE = np.float32(0.02)
_ONE = np.float32(1)


@inline
def predict_adjusted(view, recent, stretched):
    """The adjusted probability (float32) for the network's output `stretched`."""
    lineup, learned, scratch = view
    now = recent.now[0]
    scaled = (clip(stretched, _SPAN) + _LIMIT) * _SCALE
    knot = int(scaled)
    fraction = scaled - np.float32(knot)
    now.knot_fraction = fraction
    p = squash(stretched)
    now.unadjusted = p
    total = np.float32(0)
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
        scratch.curve_places[i] = at
        below = learned.curves[at]
        total += below + (learned.curves[at + 1] - below) * fraction
    return p + total * lineup.shares[0]


@inline
def update_adjusted(view, recent, bit):
    """Move the two knots around each used point towards the error of the network's probability."""
    lineup, learned, scratch = view
    target = np.float32(bit) - recent.now[0].unadjusted
    fraction = recent.now[0].knot_fraction
    for i in range(lineup.adjustments.shape[0]):
        at = scratch.curve_places[i]
        below = learned.curves[at]
        above = learned.curves[at + 1]
        learned.curves[at] = below + (target - below) * (_RATE * (_ONE - fraction))
        learned.curves[at + 1] = above + (target - above) * (_RATE * fraction)
