"""The first stage: a small network that predicts each bit first, and often alone.

Half of all bits are as good as known, and all of them together take a hundredth of the coded bytes.
The first stage knows them by the matches, the DMC models, the direct counters and a few contexts.
Such a bit takes an *early exit*: the model says what the first stage says, and no other context, no
run, no APM and no neuron of the large network is asked or learns. Bit histories and all else that
`Recent` keeps see every bit.

The exit is taken if the chance that the first stage is wrong is below a *threshold*, a small share
of how wrong the model has been of late. What is lost is lost in proportion, be the data prose or
nearly all zeros. Where it is not taken, the first stage's logit is one more input of the network.

This is a cascade of two stages (Viola and Jones, 2001).
"""

from __future__ import annotations

import numpy as np

from glnzip.gln.logistic import squash
from glnzip.gln.network import INPUTS, predict_network, update_network
from glnzip.jit import inline
from glnzip.model.contexts import features as f
from glnzip.model.mixing.inputs import (
    choose_gates,
    first_of_matches,
    gather_contexts,
    gather_others,
)

FIRST_STAGE_FROM, FIRST_STAGE_TO = 2, 6
"""The rows of contexts that the first stage asks: from the first to before the end."""
FIRST_STAGE_CONTEXTS = FIRST_STAGE_TO - FIRST_STAGE_FROM
FIRST_STAGE_COUNTERS = 7
"""It asks so many direct counters, the first ones."""
_ERROR_SHIFT = 12  # errors are averaged over about so many bits, as a power of two
_UNIT_BITS = 16  # the coder's unit is 2**-16, and that of `now.error` 2**-32


@inline
def has_first_stage(block_model):
    """Whether this level has a first stage."""
    return block_model.table.first_stage_gates.shape[0] > 0


@inline
def predict_first_stage(block_model, recent):
    """The first stage's logit, and `now.early_exit`: whether that is enough."""
    now = recent.now[0]
    if not has_first_stage(block_model):
        now.early_exit = 0
        return np.float32(0)
    recent.features[f.ORDER_HITS] = 0
    gather_contexts(block_model, recent, FIRST_STAGE_FROM, FIRST_STAGE_TO)
    gather_others(block_model, recent)
    _share_inputs(block_model)
    table, learned, _ = block_model
    choose_gates(table.first_stage_gates, learned.first_stage, recent)
    z = predict_network(learned.first_stage)
    now.early_exit = 1 if squash(-abs(z)) < np.float32(now.error) * table.exit_threshold[0] else 0
    network = learned.network
    network.signals[network.layers[0, INPUTS] - 1] = z
    return z


@inline
def update_first_stage(block_model, recent, bit):
    """The first stage learns the bit, and `now.error` how wrong the model was."""
    now = recent.now[0]
    error = abs((bit << _UNIT_BITS) - now.probability) << _UNIT_BITS
    now.error += (error - now.error) >> _ERROR_SHIFT
    update_network(block_model.learned.first_stage, bit)


@inline
def _share_inputs(block_model):
    """Copy the first stage's inputs from the large network's."""
    _, learned, scratch = block_model
    inputs, own = learned.network.signals, learned.first_stage.signals
    one_sided = scratch.contexts.size + FIRST_STAGE_FROM
    for i in range(FIRST_STAGE_CONTEXTS):
        own[i] = inputs[FIRST_STAGE_FROM + i]
        own[FIRST_STAGE_CONTEXTS + i] = inputs[one_sided + i]
    others = first_of_matches(scratch) - 2 * FIRST_STAGE_CONTEXTS
    for i in range(2 * FIRST_STAGE_CONTEXTS, learned.first_stage.layers[0, INPUTS]):
        own[i] = inputs[others + i]
