"""What each input of the network has saved, bit by bit.

Without a model a bit costs one bit. With it, it costs ``c(L) = log2(1 + exp(-L))``, where *L* is
the network's logit, its sign turned so that it speaks for the bit that came. So the network has
saved ``S = 1 - c(L)``, or lost, where that is negative. Which of its inputs has?

Once the gates have chosen their rows of weights, a Gated Linear Network is linear (the paper,
section 3): *L* is a sum of products, each of an input, of the weights on a way from it to the last
neuron. So ``L = l_1 + ... + l_n``, a term for each input, and one for the biases. The saving is
shared along the straight path from no prediction at all to the one that was made:

    a_i = integral over t from 0 to 1 of l_i * S'(t L) = l_i * S / L

(the integrated gradients of Sundararajan, Taly and Yan, 2017; the shares of Aumann and Shapley,
1974). They add up to *S*. Where *L* is 0, ``S / L`` is its limit, ``1 / (2 ln 2)``.

- A neuron's logit is clipped (`glnzip.gln.network`). What that takes away, or adds, is a term of
  its own: the sum of the others is the logit before.
- The logit of the first stage is an input of the network. It is a sum of the same kind, over inputs
  that the network has too, and is taken apart into these. Where a bit exits early, the logit of the
  first stage is all there is.
- APMs refine the probability afterwards, and it is rounded to 1/65536 for the coder. What this
  changes is not shared: the rest between the sum here and what the bit costs in the end.

``S / L`` comes from a table, so that the kernel needs no logarithm; to about a millionth of a bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.cache.build import Sources
from glnzip.coding.bit_loop import MEASURE, code_byte
from glnzip.gln.network import FIRST_NEURON, FIRST_OUTPUT, FIRST_SIGNAL, INPUTS, NEURONS, SIGNALS
from glnzip.jit import inline, kernel
from glnzip.model import step
from glnzip.model.mixing.first_stage import has_first_stage
from glnzip.model.state import ByteModel

_STEPS = 64  # of the table of `S / L`, per unit of logit
_SPAN = 12  # logits are clipped at 11


class Gains(NamedTuple):
    """What was saved so far, and scratch arrays.

    Attributes
    ----------
    of_inputs : float64[inputs]
        Bits that each input of the large network has saved, of all bits so far.
    of_others : float64[2]
        The same of the biases, and of clipping.
    weights, first_weights : float64[...]
        How much each signal of the two networks counts in the logit; laid out as `signals`.
    ratios : float64[...]
        ``S / L``, from ``L = -_SPAN`` on.
    """

    of_inputs: Any
    of_others: Any
    weights: Any
    first_weights: Any
    ratios: Any


BIASES, CLIPPING = range(2)
"""Elements of `Gains.of_others`."""


def new_gains(block_model: ByteModel) -> Gains:
    """Nothing was saved yet by a block model of bytes."""
    network, first_stage = block_model.learned.network, block_model.learned.first_stage
    return Gains(
        of_inputs=np.zeros(network.layers[0, INPUTS]),
        of_others=np.zeros(2),
        weights=np.zeros(network.signals.size),
        first_weights=np.zeros(first_stage.signals.size),
        ratios=_ratios(),
    )


def _ratios() -> Any:
    logits = np.arange(-_SPAN * _STEPS, _SPAN * _STEPS + 2) / _STEPS
    logits[_SPAN * _STEPS] = 1e-6  # near enough to the limit
    return (1.0 - np.log2(1.0 + np.exp(-logits))) / logits


@inline
def ratio_at(ratios, logit):
    """``S / L``, interpolated."""
    scaled = (logit + _SPAN) * _STEPS
    at = int(scaled)
    return ratios[at] + (ratios[at + 1] - ratios[at]) * (scaled - at)


@inline
def attribute(block_model, recent, gains, bit):
    """Share what the last prediction of `bit` has saved; before it is learned."""
    table, learned, _ = block_model
    network, first_stage = learned.network, learned.first_stage
    inputs = gains.of_inputs.size
    weights, first_weights = gains.weights, gains.first_weights
    by_both = has_first_stage(block_model)
    alone = recent.now[0].early_exit != 0
    end = network.layers[network.layers.shape[0] - 1, FIRST_OUTPUT]
    logit = np.float64(network.signals[inputs - 1 if alone else end])
    share = ratio_at(gains.ratios, logit if bit else -logit)
    if not bit:
        share = -share
    if alone:
        weights[:inputs] = 0.0
        weights[inputs - 1] = share
    else:
        trace_back(network, weights, share, gains.of_others)
    if by_both:
        trace_back(first_stage, first_weights, weights[inputs - 1], gains.of_others)
        weights[inputs - 1] = 0.0
        for i in range(table.first_stage_inputs.size):
            weights[table.first_stage_inputs[i]] += first_weights[i]
    for i in range(inputs):
        gains.of_inputs[i] += weights[i] * network.signals[i]


@inline
def trace_back(network, weights, share, of_others):
    """How much each input counts, if the network's logit counts `share`; from its end to its start.

    Adds what biases and clipping count to `of_others`. Call it after `predict_network`, before
    `update_network`.
    """
    last = network.layers.shape[0] - 1
    weights[:] = 0.0
    weights[network.layers[last, FIRST_OUTPUT]] = share
    for i in range(last, -1, -1):
        first = network.layers[i, FIRST_NEURON]
        signal = network.layers[i, FIRST_SIGNAL]
        length = network.layers[i, SIGNALS]
        output = network.layers[i, FIRST_OUTPUT]
        for k in range(network.layers[i, NEURONS]):
            counts = weights[output + k]
            row = network.chosen[first + k]
            if abs(network.signals[output + k]) >= network.bounds[0]:
                dot = 0.0
                for j in range(length):
                    dot += network.weights[row + j] * network.signals[signal + j]
                of_others[CLIPPING] += counts * (network.signals[output + k] - dot)
            for j in range(length):
                weights[signal + j] += counts * network.weights[row + j]
        of_others[BIASES] += weights[signal + network.layers[i, INPUTS]]


@inline
def predict_bit(explained):
    """`step.predict_bit` of a model beside which there are gains."""
    model, _ = explained
    return step.predict_bit(model)


@inline
def update_bit(explained, bit):
    """`step.update_bit`, after the saving was shared."""
    model, gains = explained
    attribute(model.byte_model, model.recent, gains, bit)
    step.update_bit(model, bit)


@kernel
def explain_slice(block_type, model, gains, coder, chances, data, start, end):
    """`bit_loop.run_bytes` with `MEASURE`, beside which it adds to the gains."""
    if start == 0:
        step.begin_block(model, block_type)
    explained = (model, gains)
    for i in range(start, end):
        code_byte(MEASURE, predict_bit, update_bit, explained, coder[0], chances, data, i)


# The folder of kernels is named by the sources of the model alone, and this is none of them.
explain_slice.__name__ += f"-{Sources('analysis/attribution.py').name()}"
