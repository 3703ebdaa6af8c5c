"""Many examples at once: arrays in, arrays out, for users who write no kernels of their own.

Every function here shows a network one example after the other, in order, with the two steps of
`network`. `learn` predicts each example *before* it learns from it, so what it returns is the
result of online learning, the only one there is in a single pass; `predict` is a network that is
frozen. Predicting works on scratch of its own, so several threads may ask one network at once.

Neuron by neuron
----------------
A neuron needs to know what the layer below says of an example, and nothing of the neurons beside it
or above. So a piece of examples is shown to a few neurons of the first layer, whose weights stay in
the processor's cache for as long, then to the next few, and so on up to the last layer. Each neuron
sees the same examples in the same order as if all were shown one after the other to the whole
network, and computes the same numbers.

Rates as functions of time
--------------------------
A network's schedules count the steps of each row. The paper's experiments let the rate fall with
the number of examples seen instead: give the network `constant` schedules, and `learn` the rate of
every layer at every example; the last of them stays in the network.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.gln.aligned import aligned_zeros
from glnzip.gln.network import (
    BIAS,
    FIRST_NEURON,
    FIRST_OUTPUT,
    FIRST_SIGNAL,
    INPUTS,
    NEURONS,
    Network,
    predict_network,
    update_network,
)
from glnzip.gln.switching import Switching, predict_switching, update_switching
from glnzip.jit import inline, kernel
from glnzip.jit.lanes import whole_groups

_PIECE = 1024  # examples shown to a few neurons before they are shown to the next
_CACHED_WEIGHTS = 1 << 19  # of these neurons together: half a megabyte
_LAYER = FIRST_OUTPUT + 1  # column of `_slices`: which layer a slice is a part of


def learn(network: Network, inputs: Any, contexts: Any, bits: Any, *, rates: Any = None) -> Any:
    """Predict and then learn each example.

    Parameters
    ----------
    network : Network
        Changed in place.
    inputs : float32[n, inputs]
        Logits of the base predictions.
    contexts : integers[n, neurons]
        The row of each neuron, see `glnzip.gln.gating`.
    bits : integers[n]
        What was to be predicted, 0 or 1.
    rates : float32[n, layers], optional
        Rates by time; see the top of this module.

    Returns
    -------
    float32[n]
        The network's prediction of each bit before it was learned, in the logit domain.

    Raises
    ------
    ValueError
        If the arrays do not fit the network or each other.
    """
    bits = np.asarray(bits, np.int64)
    rates = _checked_rates(network, len(bits), rates)
    inputs, contexts = _checked(network, inputs, contexts, len(bits))
    outputs = np.zeros(len(bits), np.float32)
    room = _room_for(network, len(bits))
    _learn(network, _slices(network), inputs, contexts, bits, rates, room, outputs)
    return outputs


def predict(network: Network, inputs: Any, contexts: Any) -> Any:
    """Predict each example and learn nothing: float32[n], in the logit domain.

    Parameters and errors are those of `learn`.
    """
    inputs, contexts = _checked(network, inputs, contexts, len(inputs))
    outputs = np.zeros(len(inputs), np.float32)
    _predict(*_frozen(network, inputs, contexts), outputs)
    return outputs


def predict_neurons(network: Network, inputs: Any, contexts: Any) -> Any:
    """As `predict`, but what every neuron says: float32[n, neurons], in the logit domain."""
    inputs, contexts = _checked(network, inputs, contexts, len(inputs))
    outputs = np.zeros((len(inputs), network.contexts.size), np.float32)
    _predict_neurons(*_frozen(network, inputs, contexts), outputs)
    return outputs


def learn_switching(
    switching: Switching,
    network: Network,
    inputs: Any,
    contexts: Any,
    bits: Any,
    *,
    rates: Any = None,
) -> tuple[Any, Any]:
    """As `learn`, with the switching mixture over all neurons as the answer.

    Returns
    -------
    probabilities : float32[n]
        The mixture's probability of a one before each bit.
    shares : float64[n, neurons]
        The weight of each neuron in the mixture at that time.
    """
    bits = np.asarray(bits, np.int64)
    rates = _checked_rates(network, len(bits), rates)
    inputs, contexts = _checked(network, inputs, contexts, len(bits))
    probabilities = np.zeros(len(bits), np.float32)
    shares = np.zeros((len(bits), network.contexts.size))
    room = _room_for(network, len(bits))
    shown = network, _slices(network), inputs, contexts, bits, rates, room
    _learn_switching(switching, *shown, probabilities, shares)
    return probabilities, shares


def predict_mixture(switching: Switching, network: Network, inputs: Any, contexts: Any) -> Any:
    """As `predict`, with the switching mixture as it now stands: float32[n], probabilities."""
    inputs, contexts = _checked(network, inputs, contexts, len(inputs))
    probabilities = np.zeros(len(inputs), np.float32)
    switching = switching._replace(candidates=switching.candidates.copy())
    _predict_mixture(switching, *_frozen(network, inputs, contexts), probabilities)
    return probabilities


@kernel
def _learn(network, slices, inputs, contexts, bits, rates, signals, outputs):
    answer = network.layers[network.layers.shape[0] - 1, FIRST_OUTPUT]
    for first in range(0, outputs.size, signals.shape[0]):
        count = _learn_piece(network, slices, inputs, contexts, bits, rates, first, signals)
        for t in range(count):
            outputs[first + t] = signals[t, answer]


@kernel
def _predict(network, slices, inputs, contexts, signals, outputs):
    answer = network.layers[network.layers.shape[0] - 1, FIRST_OUTPUT]
    for first in range(0, outputs.size, signals.shape[0]):
        count = _predict_piece(network, slices, inputs, contexts, first, signals)
        for t in range(count):
            outputs[first + t] = signals[t, answer]


@kernel
def _predict_neurons(network, slices, inputs, contexts, signals, outputs):
    for first in range(0, outputs.shape[0], signals.shape[0]):
        count = _predict_piece(network, slices, inputs, contexts, first, signals)
        for t in range(count):
            for i in range(network.layers.shape[0]):
                neuron = network.layers[i, FIRST_NEURON]
                output = network.layers[i, FIRST_OUTPUT]
                for k in range(network.layers[i, NEURONS]):
                    outputs[first + t, neuron + k] = signals[t, output + k]


@kernel
def _learn_switching(
    switching, network, slices, inputs, contexts, bits, rates, signals, probabilities, shares
):
    for first in range(0, probabilities.size, signals.shape[0]):
        count = _learn_piece(network, slices, inputs, contexts, bits, rates, first, signals)
        for t in range(count):
            for k in range(shares.shape[1]):
                shares[first + t, k] = switching.shares[k]
            shown = _part(network, network.layers, network.rates, signals[t])
            probabilities[first + t] = predict_switching(switching, shown)
            update_switching(switching, bits[first + t])


@kernel
def _predict_mixture(switching, network, slices, inputs, contexts, signals, probabilities):
    for first in range(0, probabilities.size, signals.shape[0]):
        count = _predict_piece(network, slices, inputs, contexts, first, signals)
        for t in range(count):
            shown = _part(network, network.layers, network.rates, signals[t])
            probabilities[first + t] = predict_switching(switching, shown)


@inline
def _learn_piece(network, slices, inputs, contexts, bits, rates, first, signals):
    """Show the examples from `first` on to all neurons, as many as `signals` has rows.

    Receives in each row of `signals` what all neurons say of an example before they learn it.
    Returns the number of examples.
    """
    count = _show_inputs(inputs, first, signals)
    for number in range(slices.shape[0]):
        for t in range(count):
            part = _shown(network, slices, number, contexts, first + t, signals[t])
            predict_network(part)
            if rates.shape[0] > 0:
                part.rates[0, 0] = rates[first + t, slices[number, _LAYER]]
            update_network(part, bits[first + t])
    return count


@inline
def _predict_piece(network, slices, inputs, contexts, first, signals):
    """As `_learn_piece`, without learning: what was learned may be arrays that are read only."""
    count = _show_inputs(inputs, first, signals)
    for number in range(slices.shape[0]):
        for t in range(count):
            predict_network(_shown(network, slices, number, contexts, first + t, signals[t]))
    return count


@inline
def _show_inputs(inputs, first, signals):
    """Put the examples from `first` on in place, as many as there is room for."""
    count = min(signals.shape[0], inputs.shape[0] - first)
    for t in range(count):
        for i in range(inputs.shape[1]):
            signals[t, i] = inputs[first + t, i]
    return count


@inline
def _shown(network, slices, number, contexts, example, signals):
    """A slice of the network that is shown an example."""
    neuron = slices[number, FIRST_NEURON]
    for k in range(neuron, neuron + slices[number, NEURONS]):
        network.contexts[k] = np.int64(contexts[example, k])
    layer = slices[number, _LAYER]
    rates = network.rates[layer : layer + 1]
    return _part(network, slices[number : number + 1], rates, signals)


@inline
def _part(network, layers, rates, signals):
    """The network with other layers, which may be parts of its own, and their rates and signals."""
    return Network(
        network.weights,
        network.steps,
        network.contexts,
        network.chosen,
        network.scales,
        network.rows,
        network.first_row,
        network.first_weight,
        signals,
        layers,
        rates,
        network.bounds,
    )


def _slices(network: Network) -> Any:
    """Neighbours of a layer, few enough for their weights to stay in a processor's cache.

    Returns
    -------
    int64[slices, 7]
        Each like a layer in `Network.layers`, with the number of the layer it is a part of.
    """
    slices = []
    ends = np.append(network.first_weight[1:], network.weights.size)
    for number, layer in enumerate(network.layers):
        first, neurons = layer[FIRST_NEURON], layer[NEURONS]
        end = first
        while end < first + neurons:
            begin = end
            room = network.first_weight[begin] + _CACHED_WEIGHTS
            fitting = np.searchsorted(ends[begin : first + neurons], room, side="right")
            end = begin + max(1, int(fitting))
            part = layer.copy()
            part[[FIRST_NEURON, NEURONS]] = begin, end - begin
            part[FIRST_OUTPUT] += begin - first
            slices.append([*part, number])
    return np.array(slices)


def _room_for(network: Network, count: int) -> Any:
    """Signals of several examples, biases in place: float32[examples, signals]."""
    rows, length = max(1, min(count, _PIECE)), network.signals.size
    room = aligned_zeros(rows * whole_groups(length), np.float32).reshape(rows, -1)
    room[:, network.layers[:, FIRST_SIGNAL] + network.layers[:, INPUTS]] = BIAS
    return room


def _frozen(network: Network, inputs: Any, contexts: Any) -> tuple[Network, Any, Any, Any, Any]:
    """What kernels want in order to learn nothing, with scratch for this call alone."""
    own = network._replace(contexts=network.contexts.copy(), chosen=network.chosen.copy())
    return own, _slices(network), inputs, contexts, _room_for(network, len(inputs))


def _checked(network: Network, inputs: Any, contexts: Any, count: int) -> tuple[Any, Any]:
    """Inputs and contexts as the kernels want them."""
    inputs = np.ascontiguousarray(inputs, np.float32)
    if inputs.ndim != 2 or inputs.shape[1] != network.layers[0, INPUTS]:
        raise ValueError(f"inputs of shape {inputs.shape} do not fit the network")
    contexts = checked_contexts(network, contexts, len(inputs))
    if len(inputs) != count:
        raise ValueError(f"{len(inputs)} examples, but {count} bits")
    return inputs, contexts


def checked_contexts(network: Any, contexts: Any, count: int) -> Any:
    """Contexts as the kernels of any network want them; those out of range are never used."""
    contexts = np.ascontiguousarray(contexts)
    if contexts.dtype == bool:
        contexts = contexts.view(np.uint8)  # spares the kernels a second compilation
    if contexts.shape != (count, network.contexts.size) or contexts.dtype.kind not in "iub":
        raise ValueError(f"contexts of shape {contexts.shape} do not fit inputs and network")
    if count and ((contexts.min(0) < 0) | (contexts.max(0) >= network.rows)).any():
        raise ValueError("a context is not one of its neuron's rows")
    return contexts


def _checked_rates(network: Network, count: int, rates: Any) -> Any:
    """The rates of every layer at every example; none at all for the network's own."""
    layers = len(network.layers)
    if rates is None:
        return np.zeros((0, layers), np.float32)
    rates = np.ascontiguousarray(rates, np.float32)
    if rates.shape != (count, layers) or network.rates.shape[1] != 1:
        raise ValueError("rates by time need one for each example and layer, constant schedules")
    return rates
