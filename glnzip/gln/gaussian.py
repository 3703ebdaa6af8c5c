"""A Gaussian Gated Linear Network: gates as in `network`, but every neuron predicts a number.

A prediction is a normal distribution, its mean the number itself and its variance how sure the
neuron is. The method is that of Budden, Marblestone, Sezener, Lattimore, Wayne and Veness,
"Gaussian Gated Linear Networks" (NeurIPS 2020, arXiv 2006.05964), called *the paper* below.

Mixing
------
A neuron is given K normal distributions of means ``mu_i`` and variances ``s_i^2`` and multiplies
their densities, each to the power of its weight. The product is normal again. In precisions
``tau_i = 1 / s_i^2`` it has

    precision  lam = sum w_i tau_i
    mean       mu  = sum w_i tau_i mu_i / lam

Both sums are linear in the weights. A *bias* is one more input that is the same for ever. Here
every layer has several, at fixed means of both signs: two of them give a neuron any mean and any
precision of its own, and leave the other weights free to say how the mean changes with the inputs.

Learning
--------
The loss of a neuron is what it would cost to code the target y by its density:

    loss = log(2 pi) / 2 - log(lam) / 2 + lam (y - mu)^2 / 2

It is convex in the weights. With ``eta = lam mu`` it is ``lam y^2 / 2 - eta y + eta^2 / (2 lam) -
log(lam) / 2`` and a constant, where ``eta^2 / lam`` and ``-log(lam)`` are convex, and lam and eta
are linear in w. Its gradient is

    d loss / d w_i = tau_i ((y - mu_i)^2 - (mu - mu_i)^2 - 1 / lam) / 2
                   = tau_i ((y - mu) (y + mu - 2 mu_i) - 1 / lam) / 2

As in any Gated Linear Network each neuron takes a step of online gradient descent in the row of
weights that its context names, and nothing is propagated back.

What keeps a neuron in bounds
-----------------------------
A variance must be positive, and a loss that is bounded needs variances in ``[low, high]``. Weights
may be negative, since a prediction may have to fall while an input rises, so this takes a
projection. There are three bounds, and none of them spoils what gradient descent promises, which
is to be nearly as good as the best fixed weights that keep to them:

- *Precision.* Before it predicts, a neuron moves its row straight to the nearest one with
  ``1 / high <= lam <= 1 / low``: by ``w + shift tau``, where ``shift = (bound - lam) / sum
  tau_i^2``. The set depends on the inputs, but weights that are in it at all times are never moved
  away from by going to the nearest point of a convex set. The row keeps the shift when it learns.
- *Weights* are cut off at ``[-b, b]`` after each step, another projection on a convex set.
- *Mean.* ``mu`` is cut off at ``[-m, m]``, and so is the one in the gradient. This is no
  projection, but if the target is in ``[-m, m]`` it only makes the promise easier to keep: the
  gradient is that of weights which give this mean, and eta itself, which is further out than
  theirs, is moved back towards them.

What is done differently here
-----------------------------
**Steps are divided by the curvature.** The loss is very steep where lam is small or mu far from the
inputs' means, and later layers have inputs a hundred times as precise as the first. Fixed rates
that suit one of these are too high for another, and then a neuron's loss can burst. The trace of
the matrix of second derivatives,

    sum tau_i^2 (1 / (2 lam^2) + (mu - mu_i)^2 / lam)

costs next to nothing: sums over the inputs, which all neurons of a layer have in common. A rate is
divided by it, and then means the same in all layers. The curvature is that of the place, not of the
way: a neuron that is very sure and very wrong would overshoot. So a step is cut short where, for
the inputs at hand, it would take away more than half of the precision. What is proved of gradient
descent is proved for rates that are set beforehand; how near these steps come to the best fixed
weights is measured by the tests.

**A step counter for each row**, as in `network`.

**The same bits on every machine**: float64 in a fixed order, no function of the C library. Networks
for numbers are small, so the loops are plain.

Reference for online gradient descent and its projections: Zinkevich, "Online convex programming and
generalized infinitesimal gradient ascent" (ICML 2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.aligned import aligned_zeros
from glnzip.gln.examples import checked_contexts
from glnzip.gln.network import CHECKS, FIRST_NEURON, FIRST_SIGNAL, INPUTS, NEURONS, SIGNALS
from glnzip.jit import inline, kernel

MOST_FALL = 0.5  # part of its precision that a neuron loses by one step at most

# Elements of GaussianNetwork.bounds
LEAST_PRECISION, MOST_PRECISION, MOST_MEAN, MOST_WEIGHT = range(4)


class GaussianNetwork(NamedTuple):
    """A network's arrays. `weights` and `steps` are learned; the rest is fixed or scratch.

    Attributes
    ----------
    weights : float64[...]
        All weight rows, neuron by neuron: a weight for each input of the layer, then one for each
        bias.
    steps : int32[rows]
        How often each row has been trained, up to the length of `rates`, which it indexes.
    contexts : int64[neurons]
        The row that each neuron uses for the present example: a scratch array.
    means, precisions : float64[...]
        The inputs of every layer, biases last, then the outputs of the last layer. Scratch, but for
        the biases.
    shifts : float64[neurons]
        How far each neuron's row was moved to a precision in bounds: a scratch array.
    rows : int64[neurons]
        Rows of each neuron's table: contexts must lie in ``[0, rows)``.
    first_row : int64[neurons]
        Number of the neuron's first row in `steps`.
    first_weight : int64[neurons]
        Where the neuron's first row begins in `weights`.
    layers : int64[layers, 5]
        First neuron, number of neurons, first signal, number of signals with biases, and number of
        inputs without, of each layer: the columns are those of `glnzip.gln.network`.
    rates : float64[layers, schedule]
        Learning rate of each layer by step count.
    bounds : float64[4]
        Least and greatest precision, greatest distance of a mean from zero, the same of a weight.
    """

    weights: Any
    steps: Any
    contexts: Any
    means: Any
    precisions: Any
    shifts: Any
    rows: Any
    first_row: Any
    first_weight: Any
    layers: Any
    rates: Any
    bounds: Any


def new_gaussian_network(
    inputs: int,
    rows: Sequence[Sequence[int]],
    rates: Sequence[Any],
    *,
    start: Sequence[float | None],
    biases: Sequence[float] = (-1.0, 1.0),
    variance_bounds: tuple[float, float] = (1e-3, 10.0),
    mean_bound: float = 10.0,
    weight_bound: float = 100.0,
) -> GaussianNetwork:
    """Allocate a network. Its defaults are for targets of a mean and a variance near 0 and 1.

    Parameters
    ----------
    inputs : int
        Number of base predictions; the biases come on top.
    rows : sequence of sequences of int
        For each layer, the number of contexts of each of its neurons.
    rates : sequence of float[:]
        For each layer, its learning-rate schedule (see `glnzip.gln.learning_rate`), to be divided
        by the curvature: sensibly below 1, and far below for layers whose inputs are much alike.
    start : sequence of float or None
        For each layer, the initial weight of its inputs; None means 1/K for K inputs. The biases
        share what is missing to a sum of one. So after 0.0 a neuron begins as the mean of the
        biases, with a variance of one.
    biases : sequence of float
        Means of the biases of every layer, one at least; their variances are one.
    variance_bounds : tuple of float
        The outputs' least and greatest variance.
    mean_bound : float
        Means of outputs are clipped to ``[-mean_bound, mean_bound]``. Targets should lie within.
    weight_bound : float
        The b of above: weights are projected to ``[-b, b]``.

    Raises
    ------
    ValueError
        If there is no such network.
    """
    if inputs < 1 or not rows or not all(layer and min(layer) >= 1 for layer in rows):
        raise ValueError("a network needs inputs, layers, neurons in each, and rows in each neuron")
    if not len(biases) or not np.isfinite(biases).all():
        raise ValueError(f"biases must be finite numbers, one at least, not {biases!r}")
    low, high = variance_bounds
    if not 0.0 < low <= high < np.inf:
        raise ValueError(f"variance_bounds must be positive, the least first, not {low}, {high}")
    if not (mean_bound > 0.0 and weight_bound > 0.0):
        raise ValueError("mean_bound and weight_bound must be positive")
    layers = np.zeros((len(rows), 5), np.int64)
    schedule = np.zeros((len(rows), max(map(len, rates))))
    tables, first_row, first_weight = [], [], []
    row_count = weight_count = signal_count = neuron_count = 0
    below = inputs
    for i, (layer_rows, rate, initial) in enumerate(zip(rows, rates, start, strict=True)):
        width = below + len(biases)
        layers[i] = neuron_count, len(layer_rows), signal_count, width, below
        schedule[i, : len(rate)] = rate
        schedule[i, len(rate) :] = rate[-1]
        row = np.full(width, 1.0 / below if initial is None else initial)
        row[below:] = (1.0 - row[:below].sum()) / len(biases)
        for count in layer_rows:
            first_row.append(row_count)
            first_weight.append(weight_count)
            row_count += count
            weight_count += count * width
        tables.append(np.tile(row, sum(layer_rows)))
        signal_count += width
        neuron_count += len(layer_rows)
        below = len(layer_rows)
    weights = aligned_zeros(weight_count, np.float64)
    weights[:] = np.concatenate(tables)
    means, precisions = np.zeros((2, signal_count + below))
    for first, count in layers[:, [FIRST_SIGNAL, INPUTS]]:
        means[first + count : first + count + len(biases)] = biases
        precisions[first + count : first + count + len(biases)] = 1.0
    return GaussianNetwork(
        weights=weights,
        steps=np.zeros(row_count, np.int32),
        contexts=np.zeros(neuron_count, np.int64),
        means=means,
        precisions=precisions,
        shifts=np.zeros(neuron_count),
        rows=np.array([count for layer in rows for count in layer], np.int64),
        first_row=np.array(first_row, np.int64),
        first_weight=np.array(first_weight, np.int64),
        layers=layers,
        rates=schedule,
        bounds=np.array([1.0 / high, 1.0 / low, mean_bound, weight_bound], np.float64),
    )


def learn_gaussian(
    network: GaussianNetwork, means: Any, contexts: Any, targets: Any, *, variances: Any = 1.0
) -> tuple[Any, Any]:
    """Predict and then learn each example, in order.

    Parameters
    ----------
    network : GaussianNetwork
        Changed in place.
    means : float64[n, inputs]
        Means of the base predictions.
    contexts : integers[n, neurons]
        The row of each neuron, see `glnzip.gln.gating`.
    targets : float64[n]
        What was to be predicted.
    variances : float64[n, inputs]
        Variances of the base predictions, or anything that NumPy can broadcast to them.

    Returns
    -------
    means, variances : float64[n]
        The network's prediction of each target before it was learned.

    Raises
    ------
    ValueError
        If the arrays do not fit the network or each other, or hold numbers that are not finite.
    """
    targets = np.ascontiguousarray(targets, np.float64)
    means, precisions, contexts = _checked(network, means, variances, contexts)
    if targets.shape != (len(means),):
        raise ValueError(f"{len(means)} examples, but targets of shape {targets.shape}")
    if not np.isfinite(targets).all():
        raise ValueError("a target is not finite")
    outputs = np.zeros((2, len(means), 1))
    _learn_gaussian(network, means, precisions, contexts, targets, *outputs)
    return outputs[0, :, 0], 1.0 / outputs[1, :, 0]


def predict_gaussian(
    network: GaussianNetwork, means: Any, contexts: Any, *, variances: Any = 1.0
) -> tuple[Any, Any]:
    """Predict each example and learn nothing: means and variances, float64[n] each.

    Parameters and errors are those of `learn_gaussian`.
    """
    outputs = _predictions(network, means, contexts, variances, 1)
    return outputs[0][:, 0], outputs[1][:, 0]


def predict_gaussian_neurons(
    network: GaussianNetwork, means: Any, contexts: Any, *, variances: Any = 1.0
) -> tuple[Any, Any]:
    """As `predict_gaussian`, but what every neuron says: float64[n, neurons] each."""
    return _predictions(network, means, contexts, variances, network.contexts.size)


def _predictions(
    network: GaussianNetwork, means: Any, contexts: Any, variances: Any, neurons: int
) -> tuple[Any, Any]:
    """Means and variances of the last neurons, on scratch of its own."""
    means, precisions, contexts = _checked(network, means, variances, contexts)
    outputs = np.zeros((2, len(means), neurons))
    network = network._replace(
        contexts=network.contexts.copy(),
        means=network.means.copy(),
        precisions=network.precisions.copy(),
        shifts=network.shifts.copy(),
    )
    _predict_gaussian(network, means, precisions, contexts, *outputs)
    return outputs[0], 1.0 / outputs[1]


@kernel
def _learn_gaussian(network, means, precisions, contexts, targets, output_means, output_precisions):
    for t in range(targets.size):
        _show(network, means, precisions, contexts, t)
        _predict(network)
        _tell(network, output_means, output_precisions, t)
        _update(network, targets[t])


@kernel
def _predict_gaussian(network, means, precisions, contexts, output_means, output_precisions):
    for t in range(means.shape[0]):
        _show(network, means, precisions, contexts, t)
        _predict(network)
        _tell(network, output_means, output_precisions, t)


@inline
def _show(network, means, precisions, contexts, t):
    for j in range(means.shape[1]):
        network.means[j] = means[t, j]
        network.precisions[j] = precisions[t, j]
    for k in range(contexts.shape[1]):
        network.contexts[k] = np.int64(contexts[t, k])


@inline
def _tell(network, output_means, output_precisions, t):
    """Write what the last neurons have said, as many as the outputs have columns."""
    skipped = network.contexts.size - output_means.shape[1]
    for i in range(network.layers.shape[0]):
        first = network.layers[i, FIRST_NEURON]
        output = network.layers[i, FIRST_SIGNAL] + network.layers[i, SIGNALS]
        for k in range(network.layers[i, NEURONS]):
            if first + k >= skipped:
                output_means[t, first + k - skipped] = network.means[output + k]
                output_precisions[t, first + k - skipped] = network.precisions[output + k]


@inline
def _predict(network):
    """Run all layers; writes `shifts`, and `means` and `precisions` of all layers but the first."""
    for i in range(network.layers.shape[0]):
        first = network.layers[i, FIRST_NEURON]
        signal = network.layers[i, FIRST_SIGNAL]
        length = network.layers[i, SIGNALS]
        squares, moments, _ = _sums(network, signal, length)
        for k in range(first, first + network.layers[i, NEURONS]):
            if CHECKS:
                assert 0 <= network.contexts[k] < network.rows[k]
            row = network.first_weight[k] + network.contexts[k] * length
            precision = 0.0
            eta = 0.0
            for j in range(length):
                part = network.weights[row + j] * network.precisions[signal + j]
                precision += part
                eta += part * network.means[signal + j]
            bound = min(
                max(precision, network.bounds[LEAST_PRECISION]), network.bounds[MOST_PRECISION]
            )
            shift = (bound - precision) / squares  # exactly zero within the bounds
            mean = (eta + shift * moments) / bound
            output = signal + length + k - first
            network.shifts[k] = shift
            network.precisions[output] = bound
            network.means[output] = min(
                max(mean, -network.bounds[MOST_MEAN]), network.bounds[MOST_MEAN]
            )


@inline
def _update(network, target):
    """Move every neuron's row along its own gradient."""
    last_step = network.rates.shape[1] - 1
    weight_bound = network.bounds[MOST_WEIGHT]
    for i in range(network.layers.shape[0]):
        first = network.layers[i, FIRST_NEURON]
        signal = network.layers[i, FIRST_SIGNAL]
        length = network.layers[i, SIGNALS]
        squares, moments, spread = _sums(network, signal, length)
        for k in range(first, first + network.layers[i, NEURONS]):
            row = network.first_weight[k] + network.contexts[k] * length
            counter = network.first_row[k] + network.contexts[k]
            step = min(network.steps[counter], last_step)
            network.steps[counter] = step + 1
            output = signal + length + k - first
            mean = network.means[output]
            variance = 1.0 / network.precisions[output]
            # Of tau_i^2 (mu - mu_i)^2 the sum, which rounding must not make negative.
            distances = max(mean * mean * squares - 2.0 * mean * moments + spread, 0.0)
            curvature = 0.5 * squares * variance * variance + distances * variance
            error = target - mean
            total = target + mean
            half_rate = 0.5 * network.rates[i, step] / curvature
            # The precision would fall by this, were the rate two.
            fall = squares * (error * total - variance) - 2.0 * error * moments
            if fall * half_rate * variance > MOST_FALL:
                half_rate = MOST_FALL / (fall * variance)
            for j in range(length):
                slope = error * (total - 2.0 * network.means[signal + j]) - variance
                weight = network.weights[row + j] + network.precisions[signal + j] * (
                    network.shifts[k] - half_rate * slope
                )
                network.weights[row + j] = min(max(weight, -weight_bound), weight_bound)


@inline
def _sums(network, signal, length):
    """Of a layer's inputs: the sums of tau^2, of tau^2 mu and of tau^2 mu^2."""
    squares = 0.0
    moments = 0.0
    spread = 0.0
    for j in range(signal, signal + length):
        square = network.precisions[j] * network.precisions[j]
        moment = square * network.means[j]
        squares += square
        moments += moment
        spread += moment * network.means[j]
    return squares, moments, spread


def _checked(
    network: GaussianNetwork, means: Any, variances: Any, contexts: Any
) -> tuple[Any, Any, Any]:
    """Means, precisions and contexts as the kernels want them."""
    means = np.ascontiguousarray(means, np.float64)
    if means.ndim != 2 or means.shape[1] != network.layers[0, INPUTS]:
        raise ValueError(f"means of shape {means.shape} do not fit the network")
    if not np.isfinite(means).all():
        raise ValueError("a mean is not finite")
    variances = np.asarray(variances, np.float64)
    if not ((variances > 0.0) & (variances < np.inf)).all():
        raise ValueError("variances must be positive and finite")
    precisions = np.empty(means.shape)
    precisions[...] = 1.0 / variances  # ValueError if they do not fit
    return means, precisions, checked_contexts(network, contexts, len(means))
