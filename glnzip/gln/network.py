"""A Gated Linear Network: shape, state, and the two steps ``predict`` and ``update``.

Layer ``i`` has ``K_i`` neurons; each sees the outputs of the layer below (the base predictions for
layer 0) and a bias. Neuron ``k`` owns a table of weight rows; its *context* picks one:

    z_k = clip( w[context_k] . z_below )          prediction, in the logit domain
    w[context_k] += rate * (bit - squash(z_k)) * z_below      learning (Proposition 1, eq. 9)

followed by a projection of the row to ``[-weight_bound, weight_bound]``, if that is finite. A row
that was never trained is not in memory yet: its layer's start row speaks for it. Only the chosen
row is touched, every neuron learns from its own prediction of the same bit, and no error is
propagated back. The logit of a neuron's output is its clipped dot product, so values stay in the
logit domain from one layer to the next and only the learning step needs a probability.

The engine knows nothing about where inputs and contexts come from. The order of calls is

1. write the stretched base predictions to the first elements of ``network.signals`` and a context
   for each neuron to ``network.contexts``;
2. ``predict_network`` (writes no learned state);
3. optionally ``update_network`` with the bit that followed.

Reference: Veness, Lattimore, Bhoopchand, Grabska-Barwinska, Mattern, Toth: "Online Learning with
Gated Linear Networks", 2017, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.aligned import aligned_zeros
from glnzip.gln.logistic import squash
from glnzip.jit import indices_are_checked, inline
from glnzip.jit.lanes import LANES, add_to_rows, dot_rows, padded, whole_groups
from glnzip.jit.memory_access import prefetch

CHECKS = indices_are_checked()  # of the contexts, too: the loops over the rows look at no bounds
BIAS = 1.0  # every layer sees logit(beta) = 1 beside its inputs (paper, section 4)

# Columns of Network.layers
FIRST_NEURON, NEURONS, FIRST_SIGNAL, SIGNALS, INPUTS, FIRST_OUTPUT = range(6)


class Network(NamedTuple):
    """A network's arrays. `weights` and `steps` are learned; the rest is fixed or scratch.

    Attributes
    ----------
    weights : float32[...]
        First the start row of every layer, what untrained rows are taken for, at the layer's first
        signal. Then all weight rows, neuron by neuron, each padded to whole lane groups as the
        start rows are; zeros until trained.
    steps : int32[rows]
        How often each row has been trained, up to the length of `rates`, which it indexes.
    contexts : int64[neurons]
        The row that each neuron uses for the present bit; written by the caller.
    chosen : int64[neurons]
        Where the row that speaks begins in `weights`: a scratch array.
    scales : float32[neurons]
        Rate times error of each neuron: a scratch array.
    rows : int64[neurons]
        Rows of each neuron's table: contexts must lie in ``[0, rows)``.
    first_row : int64[neurons]
        Number of the neuron's first row in `steps`.
    first_weight : int64[neurons]
        Where the neuron's first row begins in `weights`.
    signals : float32[...]
        The padded input vector of every layer, then the outputs of the last.
    layers : int64[layers, 6]
        First neuron, number of neurons, first signal, number of (padded) signals, number of
        inputs without bias and padding, and first output, of each layer. Outputs are signals of the
        layer above.
    rates : float32[layers, schedule]
        Learning rate of each layer by step count.
    bounds : float32[2]
        Clip of the neurons' outputs (logit domain) and of the weights.
    """

    weights: Any
    steps: Any
    contexts: Any
    chosen: Any
    scales: Any
    rows: Any
    first_row: Any
    first_weight: Any
    signals: Any
    layers: Any
    rates: Any
    bounds: Any

    @property
    def starts(self) -> Any:
        """The start rows, laid out as `signals`: a part of `weights`, for plain Python."""
        return self.weights[: self.first_weight[0]]


def new_network(
    inputs: int,
    rows: Sequence[Sequence[int]],
    rates: Sequence[Any],
    *,
    start: Sequence[float | None],
    output_bound: float = 11.0,
    weight_bound: float = 200.0,
) -> Network:
    """Allocate a network.

    Parameters
    ----------
    inputs : int
        Number of base predictions; the bias comes on top.
    rows : sequence of sequences of int
        For each layer, the number of contexts of each of its neurons.
    rates : sequence of float32[:]
        For each layer, its learning-rate schedule (see `glnzip.gln.learning_rate`).
    start : sequence of float or None
        For each layer, the initial weight of its inputs; None means 1/K for K inputs (geometric
        average), 0.0 the zero start. Bias weights start at zero.
    output_bound : float
        Neuron outputs are clipped to this logit: ``ln((1 - eps) / eps)`` for the paper's eps.
    weight_bound : float
        The paper's b: weights are projected to ``[-b, b]``; infinite for no projection.
    """
    if inputs < 1 or not rows or not all(layer and min(layer) >= 1 for layer in rows):
        raise ValueError("a network needs inputs, layers, neurons in each, and rows in each neuron")
    layers = np.zeros((len(rows), 6), np.int64)
    schedule = np.zeros((len(rows), max(map(len, rates))), np.float32)
    first_row, first_weight, start_rows = [], [], []
    row_count = weight_count = signal_count = neuron_count = 0
    below = inputs
    for i, (layer_rows, rate, initial) in enumerate(zip(rows, rates, start, strict=True)):
        width = padded(below + 1)
        output = signal_count + width
        layers[i] = neuron_count, len(layer_rows), signal_count, width, below, output
        schedule[i, : len(rate)] = rate
        schedule[i, len(rate) :] = rate[-1]
        row = np.zeros(width, np.float32)
        row[:below] = 1.0 / below if initial is None else initial
        for count in layer_rows:
            first_row.append(row_count)
            first_weight.append(weight_count)
            row_count += count
            weight_count += whole_groups(count * width)
        start_rows.append(row)
        signal_count += width
        neuron_count += len(layer_rows)
        below = len(layer_rows)
    first_weights = whole_groups(signal_count)
    weights = aligned_zeros(first_weights + weight_count, np.float32)
    weights[:signal_count] = np.concatenate(start_rows)
    signals = aligned_zeros(signal_count + padded(below), np.float32)
    signals[layers[:, FIRST_SIGNAL] + layers[:, INPUTS]] = BIAS
    return Network(
        weights=weights,
        steps=np.zeros(row_count, np.int32),
        contexts=np.zeros(neuron_count, np.int64),
        chosen=np.zeros(neuron_count, np.int64),
        scales=np.zeros(neuron_count, np.float32),
        rows=np.array([count for layer in rows for count in layer], np.int64),
        first_row=np.array(first_row, np.int64),
        first_weight=first_weights + np.array(first_weight, np.int64),
        signals=signals,
        layers=layers,
        rates=schedule,
        bounds=np.array([output_bound, weight_bound], np.float32),
    )


@inline
def expect_rows(network, layer):
    """Fetch from memory the rows that a layer's neurons use in their present contexts.

    Of use before `predict_network` where something else is to be done meanwhile, and the rows are
    too many for a cache.
    """
    first = network.layers[layer, FIRST_NEURON]
    length = network.layers[layer, SIGNALS]
    for k in range(first, first + network.layers[layer, NEURONS]):
        context = network.contexts[k]
        prefetch(network.steps, network.first_row[k] + context)
        row = network.first_weight[k] + context * length
        for j in range(0, length, LANES):
            prefetch(network.weights, row + j)


@inline
def predict_network(network):
    """Run all layers; returns the last layer's first neuron's output in the logit domain.

    Reads ``network.signals`` (layer 0's inputs) and ``network.contexts``; writes the rest of
    `signals`.
    """
    for i in range(network.layers.shape[0]):
        first = network.layers[i, FIRST_NEURON]
        neurons = network.layers[i, NEURONS]
        signal = network.layers[i, FIRST_SIGNAL]
        length = network.layers[i, SIGNALS]
        for k in range(first, first + neurons):
            context = network.contexts[k]
            if CHECKS:
                assert 0 <= context < network.rows[k]
            row = network.first_weight[k] + context * length
            trained = network.steps[network.first_row[k] + context] > 0
            network.chosen[k] = row if trained else signal
        dot_rows(
            network.weights,
            network.chosen,
            first,
            neurons,
            network.signals,
            signal,
            length,
            network.layers[i, FIRST_OUTPUT],
            network.bounds[0],
        )
    return network.signals[network.layers[network.layers.shape[0] - 1, FIRST_OUTPUT]]


@inline
def update_network(network, bit):
    """Move every neuron's chosen row along its own gradient, given the `bit` (0 or 1)."""
    target = np.float32(bit)
    last_step = network.rates.shape[1] - 1
    for i in range(network.layers.shape[0]):
        first = network.layers[i, FIRST_NEURON]
        neurons = network.layers[i, NEURONS]
        signal = network.layers[i, FIRST_SIGNAL]
        length = network.layers[i, SIGNALS]
        output = network.layers[i, FIRST_OUTPUT] - first
        for k in range(first, first + neurons):
            context = network.contexts[k]
            step = network.steps[network.first_row[k] + context]
            if step == 0:
                _begin_row(network, k, signal, length)
            error = target - squash(network.signals[output + k])
            network.scales[k] = network.rates[i, min(step, last_step)] * error
            network.steps[network.first_row[k] + context] = min(step, last_step) + 1
        add_to_rows(
            network.weights,
            network.chosen,
            first,
            neurons,
            network.signals,
            signal,
            length,
            network.scales,
            network.bounds[1],
        )


@inline
def _begin_row(network, k, signal, length):
    """Let neuron `k` choose its row for the present context, as a copy of the start row."""
    row = network.first_weight[k] + network.contexts[k] * length
    network.chosen[k] = row
    for j in range(length):
        network.weights[row + j] = network.weights[signal + j]
