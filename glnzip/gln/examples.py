"""Many examples at once: arrays in, arrays out, for users who write no kernels of their own.

Every function here shows a network one example after the other, in order, with the two steps of
`network`. `learn` predicts each example *before* it learns from it, so what it returns is the
result of online learning, the only one there is in a single pass; `predict` is a network that is
frozen. Predicting works on scratch of its own, so several threads may ask one network at once.

Rates as functions of time
--------------------------
A network's schedules count the steps of each row. The paper's experiments let the rate fall with
the number of examples seen instead: give the network `constant` schedules, and `learn` the rate of
every layer at every example; the last of them stays in the network.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.gln.network import (
    FIRST_NEURON,
    FIRST_SIGNAL,
    INPUTS,
    NEURONS,
    SIGNALS,
    Network,
    predict_network,
    update_network,
)
from glnzip.gln.switching import Switching, predict_switching, update_switching
from glnzip.jit import inline, kernel


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
    _learn(network, inputs, contexts, bits, rates, outputs)
    return outputs


def predict(network: Network, inputs: Any, contexts: Any) -> Any:
    """Predict each example and learn nothing: float32[n], in the logit domain.

    Parameters and errors are those of `learn`.
    """
    inputs, contexts = _checked(network, inputs, contexts, len(inputs))
    outputs = np.zeros(len(inputs), np.float32)
    _predict(_with_own_scratch(network), inputs, contexts, outputs)
    return outputs


def predict_neurons(network: Network, inputs: Any, contexts: Any) -> Any:
    """As `predict`, but what every neuron says: float32[n, neurons], in the logit domain."""
    inputs, contexts = _checked(network, inputs, contexts, len(inputs))
    outputs = np.zeros((len(inputs), network.contexts.size), np.float32)
    _predict_neurons(_with_own_scratch(network), inputs, contexts, outputs)
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
    _learn_switching(switching, network, inputs, contexts, bits, rates, probabilities, shares)
    return probabilities, shares


def predict_mixture(switching: Switching, network: Network, inputs: Any, contexts: Any) -> Any:
    """As `predict`, with the switching mixture as it now stands: float32[n], probabilities."""
    inputs, contexts = _checked(network, inputs, contexts, len(inputs))
    probabilities = np.zeros(len(inputs), np.float32)
    switching = switching._replace(candidates=switching.candidates.copy())
    _predict_mixture(switching, _with_own_scratch(network), inputs, contexts, probabilities)
    return probabilities


@kernel
def _learn(network, inputs, contexts, bits, rates, outputs):
    for t in range(bits.size):
        _show(network, inputs, contexts, t)
        outputs[t] = predict_network(network)
        _set_rates(network, rates, t)
        update_network(network, bits[t])


@kernel
def _predict(network, inputs, contexts, outputs):
    for t in range(inputs.shape[0]):
        _show(network, inputs, contexts, t)
        outputs[t] = predict_network(network)


@kernel
def _predict_neurons(network, inputs, contexts, outputs):
    for t in range(inputs.shape[0]):
        _show(network, inputs, contexts, t)
        predict_network(network)
        for i in range(network.layers.shape[0]):
            first = network.layers[i, FIRST_NEURON]
            output = network.layers[i, FIRST_SIGNAL] + network.layers[i, SIGNALS]
            for k in range(network.layers[i, NEURONS]):
                outputs[t, first + k] = network.signals[output + k]


@kernel
def _learn_switching(switching, network, inputs, contexts, bits, rates, probabilities, shares):
    for t in range(bits.size):
        _show(network, inputs, contexts, t)
        predict_network(network)
        for k in range(shares.shape[1]):
            shares[t, k] = switching.shares[k]
        probabilities[t] = predict_switching(switching, network)
        _set_rates(network, rates, t)
        update_network(network, bits[t])
        update_switching(switching, bits[t])


@kernel
def _predict_mixture(switching, network, inputs, contexts, probabilities):
    for t in range(inputs.shape[0]):
        _show(network, inputs, contexts, t)
        predict_network(network)
        probabilities[t] = predict_switching(switching, network)


@inline
def _show(network, inputs, contexts, t):
    for i in range(inputs.shape[1]):
        network.signals[i] = inputs[t, i]
    for k in range(contexts.shape[1]):
        network.contexts[k] = np.int64(contexts[t, k])


@inline
def _set_rates(network, rates, t):
    if rates.shape[0] > 0:
        for i in range(rates.shape[1]):
            network.rates[i, 0] = rates[t, i]


def _with_own_scratch(network: Network) -> Network:
    """The same network, what it has learned included, with other arrays to work on."""
    return network._replace(
        signals=network.signals.copy(),
        contexts=network.contexts.copy(),
        chosen=network.chosen.copy(),
    )


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
