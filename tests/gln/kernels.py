"""Small entry points around the engine's functions, compiled in memory for each run of the tests.

They carry `inline`, not `kernel`: whether *the* kernels are in the cache on disk is something that
users are told, and tests should not change it.
"""

from __future__ import annotations

from glnzip.gln import logistic
from glnzip.gln.network import predict_network, update_network
from glnzip.gln.switching import predict_switching, update_switching
from glnzip.jit import inline, lanes


@inline
def dot(weights, row, inputs, first, length):
    """`lanes.dot`, which only compiled code can call."""
    return lanes.dot(weights, row, inputs, first, length)


@inline
def add_scaled(weights, row, inputs, first, length, scale, bound):
    """`lanes.add_scaled`, which only compiled code can call."""
    lanes.add_scaled(weights, row, inputs, first, length, scale, bound)


@inline
def dot_rows(weights, rows, first_row, count, inputs, first, length, output, bound):
    """`lanes.dot_rows`, which only compiled code can call."""
    lanes.dot_rows(weights, rows, first_row, count, inputs, first, length, output, bound)


@inline
def add_to_rows(weights, rows, first_row, count, inputs, first, length, scales, bound):
    """`lanes.add_to_rows`, which only compiled code can call."""
    lanes.add_to_rows(weights, rows, first_row, count, inputs, first, length, scales, bound)


@inline
def squash_all(x, p):
    """``p[i] = squash(x[i])``."""
    for i in range(x.size):
        p[i] = logistic.squash(x[i])


@inline
def run(network, inputs, contexts, bits, learn, outputs):
    """Show a network one example after the other.

    Parameters
    ----------
    network : Network
    inputs : float32[n, inputs]
    contexts : int64[n, neurons]
    bits : uint8[n]
    learn : bool
        False leaves out `update_network`.
    outputs : float32[n, neurons]
        Receives every neuron's output, in the logit domain.
    """
    for t in range(bits.size):
        for i in range(inputs.shape[1]):
            network.signals[i] = inputs[t, i]
        for k in range(contexts.shape[1]):
            network.contexts[k] = contexts[t, k]
        answer = predict_network(network)
        for layer in range(network.layers.shape[0]):
            neuron, neurons, signal, signals = network.layers[layer, :4]
            for k in range(neurons):
                outputs[t, neuron + k] = network.signals[signal + signals + k]
        assert answer == outputs[t, network.layers[-1, 0]]
        if learn:
            update_network(network, bits[t])


@inline
def run_switching(switching, network, outputs, bits, answers):
    """Let a mixture follow neurons whose outputs are given.

    Parameters
    ----------
    switching : Switching
    network : Network
        Of one layer, so that its outputs lie side by side.
    outputs : float32[n, neurons]
        Every neuron's output at every time, in the logit domain.
    bits : uint8[n]
    answers : float32[n]
        Receives the mixture's probability of a one.
    """
    first = network.layers[0, 2] + network.layers[0, 3]
    for t in range(bits.size):
        for k in range(outputs.shape[1]):
            network.signals[first + k] = outputs[t, k]
        answers[t] = predict_switching(switching, network)
        update_switching(switching, bits[t])


@inline
def predict_only(switching, network):
    """`predict_switching` for outputs that are already in the network's signals."""
    return predict_switching(switching, network)
