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

- A neuron's logit is clipped (`glnzip.gln.network`): along the path it grows, and then no more. So
  its terms share what is left of it: of a sum *d* that is clipped to *z* each counts ``z / d``. For
  the last neuron that is the same integral; for others it is the same rule, neuron by neuron (the
  rescale rule of Shrikumar, Greenside and Kundaje, 2017).
- The logit of the first stage is an input of the network. It is a sum of the same kind, over inputs
  that the network has too, and is taken apart into these. Where a bit exits early, the logit of the
  first stage is all there is; in an image, that of the run of pixels.
- APMs refine the probability afterwards, and it is rounded to 1/65536 for the coder. What that
  changes is not shared. It is what is left between the sum of all shares and the saving in the end.

``S / L`` comes from a table, so that the kernel needs no logarithm; to about a millionth of a bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.network import (
    FIRST_NEURON,
    FIRST_OUTPUT,
    FIRST_SIGNAL,
    INPUTS,
    NEURONS,
    SIGNALS,
    Network,
)
from glnzip.jit import inline
from glnzip.model.mixing.first_stage import has_first_stage

_STEPS = 64  # of the table of `S / L`, per unit of logit
_SPAN = 12  # logits are clipped at 11


class Gains(NamedTuple):
    """What was saved so far, and scratch arrays.

    Attributes
    ----------
    of_inputs : float64[inputs]
        Bits that each input of the network has saved, of all bits so far.
    of_biases : float64[1]
        The same of all biases.
    weights, first_weights : float64[...]
        How much each signal of the network counts in the logit, and of the first stage; laid out as
        `signals`.
    ratios : float64[...]
        ``S / L``, from ``L = -_SPAN`` on.
    """

    of_inputs: Any
    of_biases: Any
    weights: Any
    first_weights: Any
    ratios: Any


def new_gains(network: Network, first_stage: Network | None = None) -> Gains:
    """Nothing was saved yet by a network, and by the first stage before it, if there is one."""
    return Gains(
        of_inputs=np.zeros(network.layers[0, INPUTS]),
        of_biases=np.zeros(1),
        weights=np.zeros(network.signals.size),
        first_weights=np.zeros(0 if first_stage is None else first_stage.signals.size),
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
def share_of(gains, logit, bit):
    """What each unit of the logit has saved, or lost, once `bit` has come."""
    share = ratio_at(gains.ratios, logit if bit else -logit)
    return share if bit else -share


@inline
def attribute(network, gains, bit):
    """Share what the last prediction of `bit`, a network's, has saved; before it is learned."""
    end = network.layers[network.layers.shape[0] - 1, FIRST_OUTPUT]
    share = share_of(gains, np.float64(network.signals[end]), bit)
    trace_back(network, gains.weights, share, gains.of_biases)
    add_gains(network, gains)


@inline
def attribute_run(gains, logit, bit):
    """The same of a prediction that a run of pixels has made alone: it is the last input."""
    gains.of_inputs[gains.of_inputs.size - 1] += share_of(gains, logit, bit) * logit


@inline
def attribute_stages(block_model, recent, gains, bit):
    """The same of a block model of bytes, which may have a first stage."""
    table, learned, _ = block_model
    network, first_stage = learned.network, learned.first_stage
    if not has_first_stage(block_model):
        attribute(network, gains, bit)
        return
    weights, first_weights = gains.weights, gains.first_weights
    last = gains.of_inputs.size - 1  # the first stage's logit
    if recent.now[0].early_exit:
        weights[:last] = 0.0
        weights[last] = share_of(gains, np.float64(network.signals[last]), bit)
    else:
        end = network.layers[network.layers.shape[0] - 1, FIRST_OUTPUT]
        share = share_of(gains, np.float64(network.signals[end]), bit)
        trace_back(network, weights, share, gains.of_biases)
    trace_back(first_stage, first_weights, weights[last], gains.of_biases)
    weights[last] = 0.0
    for i in range(table.first_stage_inputs.size):
        weights[table.first_stage_inputs[i]] += first_weights[i]
    add_gains(network, gains)


@inline
def add_gains(network, gains):
    """Add to what each input has saved."""
    for i in range(gains.of_inputs.size):
        gains.of_inputs[i] += gains.weights[i] * network.signals[i]


@inline
def trace_back(network, weights, share, of_biases):
    """How much each input counts if the network's logit counts `share`; from its end to its start.

    Adds what biases count to `of_biases`. Call it after `predict_network`, before `update_network`.
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
                counts *= network.signals[output + k] / dot
            for j in range(length):
                weights[signal + j] += counts * network.weights[row + j]
        of_biases[0] += weights[signal + network.layers[i, INPUTS]]
