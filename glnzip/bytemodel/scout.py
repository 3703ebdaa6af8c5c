"""The scout: a small network that sees each bit first.

Half of all bits are as good as known, and all of them together take a hundredth of the coded bytes.
The scout knows them by the matches, the machines, the direct probabilities and a few contexts.
Where it is sure, the model says what the scout says: no other context, no run, no curve and no
neuron of the large network is asked, and none learns from that bit. Bit histories and all else that
`Recent` keeps see every bit.

It is sure if the chance that it is wrong is a small share of how wrong the model has been of late:
what is lost by not asking further is lost in proportion, be the data prose or nearly all zeros.
Where it is not sure, its logit is one more input of the large network.

This is a cascade of two stages (Viola and Jones, 2001).
"""

from __future__ import annotations

import numpy as np

from glnzip.bytemodel import features as f
from glnzip.bytemodel.byte_inputs import (
    choose_gates,
    first_of_matches,
    gather_contexts,
    gather_others,
)
from glnzip.gln.logistic import squash
from glnzip.gln.network import INPUTS, predict_network, update_network
from glnzip.jit import inline

SCOUT_FIRST, SCOUT_END = 2, 6
"""The rows of contexts that the scout asks: from the first to before the end."""
SCOUT_CONTEXTS = SCOUT_END - SCOUT_FIRST
SCOUT_DIRECTS = 7
"""It asks so many direct maps, the first ones."""
_ERROR_SHIFT = 12  # errors are averaged over about so many bits, as a power of two
_UNIT_BITS = 16  # the coder's unit is 2**-16, and that of `now.error` 2**-32


@inline
def has_scout(view):
    """Whether this level has a scout."""
    return view.lineup.scout_gates.shape[0] > 0


@inline
def ask_scout(view, recent):
    """The scout's logit, and `now.sure`: whether that is enough."""
    now = recent.now[0]
    if not has_scout(view):
        now.sure = 0
        return np.float32(0)
    recent.features[f.KNOWN_ORDERS] = 0
    gather_contexts(view, recent, SCOUT_FIRST, SCOUT_END)
    gather_others(view, recent)
    _share_inputs(view)
    lineup, learned, _ = view
    choose_gates(lineup.scout_gates, learned.scout, recent)
    z = predict_network(learned.scout)
    now.sure = 1 if squash(-abs(z)) < np.float32(now.error) * lineup.doubt[0] else 0
    network = learned.network
    network.signals[network.layers[0, INPUTS] - 1] = z
    return z


@inline
def teach_scout(view, recent, bit):
    """The scout learns the bit, and `now.error` how wrong the model was."""
    now = recent.now[0]
    error = abs((bit << _UNIT_BITS) - now.probability) << _UNIT_BITS
    now.error += (error - now.error) >> _ERROR_SHIFT
    update_network(view.learned.scout, bit)


@inline
def _share_inputs(view):
    """Copy the scout's inputs from the large network's."""
    _, learned, scratch = view
    inputs, own = learned.network.signals, learned.scout.signals
    one_sided = scratch.contexts.size + SCOUT_FIRST
    for i in range(SCOUT_CONTEXTS):
        own[i] = inputs[SCOUT_FIRST + i]
        own[SCOUT_CONTEXTS + i] = inputs[one_sided + i]
    others = first_of_matches(scratch) - 2 * SCOUT_CONTEXTS
    for i in range(2 * SCOUT_CONTEXTS, learned.scout.layers[0, INPUTS]):
        own[i] = inputs[others + i]
