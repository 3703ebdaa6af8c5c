"""Gaussian Gated Linear Networks in NumPy, as they are told: means and variances, one by one.

Written from Budden et al., "Gaussian Gated Linear Networks" (2020), and from what the top of
`glnzip.gln.gaussian` says of bounds and steps. It shares no code with the engine: sums that the
engine takes once for a layer are taken anew for every neuron, from their definitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def product(w: Any, mu: Any, variance: Any) -> tuple[Any, Any]:
    """Mean and variance of the product of normal densities, each to the power of its weight."""
    precision = np.sum(w / variance)
    return np.sum(w * mu / variance) / precision, 1 / precision


def log_density(y: Any, mean: Any, variance: Any) -> Any:
    """The logarithm of a normal density at `y`."""
    return -0.5 * np.log(2 * np.pi * variance) - (y - mean) ** 2 / (2 * variance)


def loss(w: Any, mu: Any, variance: Any, y: Any) -> Any:
    """What a neuron of weights `w` loses on the target `y`."""
    return -log_density(y, *product(w, mu, variance))


def gradient_at(mean: Any, out: Any, mu: Any, variance: Any, y: Any) -> Any:
    """The gradient of `loss` where the neuron says N(mean, out)."""
    return ((y - mu) ** 2 - (mean - mu) ** 2 - out) / (2 * variance)


def hessian_at(mean: Any, out: Any, mu: Any, variance: Any) -> Any:
    """The matrix of second derivatives of `loss` there; it does not depend on the target."""
    pull = (mean - mu) / variance
    return out**2 / 2 * np.outer(1 / variance, 1 / variance) + out * np.outer(pull, pull)


class OracleGaussianNetwork:
    """Layers of neurons; ``weights[layer][neuron]`` is float64[contexts, inputs + biases].

    Parameters
    ----------
    inputs : int
        Number of base predictions.
    rows : for each layer, the number of contexts of each neuron
    rates : for each layer, the rate of a row's first, second, ... step; the last one stays
    start : for each layer, the initial weight, or None for 1 / (number of inputs)
    biases : means of the biases
    low, high : float
        Bounds of the outputs' variances.
    m, b : float
        Means are clipped to ``[-m, m]``, weights to ``[-b, b]``.
    """

    def __init__(
        self,
        inputs: int,
        rows: Sequence[Sequence[int]],
        rates: Sequence[Sequence[float]],
        start: Sequence[float | None],
        biases: Sequence[float],
        low: float,
        high: float,
        m: float,
        b: float,
    ) -> None:
        self.rates, self.biases = rates, biases
        self.low, self.high, self.m, self.b = low, high, m, b
        self.weights: list[list[Any]] = []
        self.steps: list[list[Any]] = []
        below = inputs
        for layer_rows, initial in zip(rows, start, strict=True):
            weight = 1 / below if initial is None else initial
            missing = 1 - weight * below
            row = [weight] * below + [missing / len(biases)] * len(biases)
            self.weights.append([np.tile(row, (count, 1)) for count in layer_rows])
            self.steps.append([np.zeros(count, int) for count in layer_rows])
            below = len(layer_rows)

    def in_bounds(self, w: Any, variance: Any) -> Any:
        """The row nearest to `w` whose precision is in bounds."""
        precision = np.sum(w / variance)
        nearest = np.clip(precision, 1 / self.high, 1 / self.low)
        normal = 1 / variance
        return w + (nearest - precision) * normal / np.sum(normal**2)

    def predict(self, mu: Any, variance: Any, contexts: Sequence[int]) -> tuple[Any, Any]:
        """Every neuron's mean and variance, layer after layer."""
        self.seen: list[Any] = []
        self.answers: list[Any] = []
        chosen = iter(contexts)
        self.contexts = [[next(chosen) for _ in layer] for layer in self.weights]
        for layer, layer_contexts in zip(self.weights, self.contexts, strict=True):
            mu = np.append(mu, self.biases)
            variance = np.append(variance, np.ones(len(self.biases)))
            self.seen.append((mu, variance))
            answers = []
            for table, c in zip(layer, layer_contexts, strict=True):
                mean, out = product(self.in_bounds(table[c], variance), mu, variance)
                answers.append((np.clip(mean, -self.m, self.m), out))
            self.answers.append(np.array(answers))
            mu, variance = self.answers[-1].T
        means, variances = np.concatenate(self.answers).T
        return means, variances

    def update(self, y: float) -> None:
        """A step of every neuron, from what it answered."""
        for i, layer in enumerate(self.weights):
            mu, variance = self.seen[i]
            for k, table in enumerate(layer):
                c = self.contexts[i][k]
                mean, out = self.answers[i][k]
                rate = self.rates[i][min(self.steps[i][k][c], len(self.rates[i]) - 1)]
                rate /= np.trace(hessian_at(mean, out, mu, variance))
                step = rate * gradient_at(mean, out, mu, variance, y)
                fall = out * np.sum(step / variance)  # the part of the precision that it takes away
                step *= 0.5 / max(fall, 0.5)
                w = self.in_bounds(table[c], variance) - step
                table[c] = np.clip(w, -self.b, self.b)
                self.steps[i][k][c] += 1
