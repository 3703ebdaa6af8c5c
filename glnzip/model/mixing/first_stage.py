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
from glnzip.model.mixing.gates import choose_gates
from glnzip.model.mixing.inputs import gather_contexts, gather_others
from glnzip.model.table.limits import ERROR_SHIFT

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
    table, learned, _ = block_model
    recent.features[f.ORDER_HITS] = 0
    gather_contexts(block_model, recent, table.first_stage_contexts)
    gather_others(block_model, recent)
    network, first_stage = learned.network, learned.first_stage
    for i in range(table.first_stage_inputs.size):
        first_stage.signals[i] = network.signals[table.first_stage_inputs[i]]
    choose_gates(table.first_stage_gates, recent.features, now, first_stage)
    z = predict_network(first_stage)
    now.early_exit = 1 if squash(-abs(z)) < np.float32(now.error) * table.exit_threshold[0] else 0
    network.signals[network.layers[0, INPUTS] - 1] = z
    return z


@inline
def update_first_stage(block_model, recent, bit):
    """The first stage learns the bit, and `now.error` how wrong the model was."""
    now = recent.now[0]
    error = abs((bit << _UNIT_BITS) - now.probability) << _UNIT_BITS
    now.error += (error - now.error) >> ERROR_SHIFT
    update_network(block_model.learned.first_stage, bit)
