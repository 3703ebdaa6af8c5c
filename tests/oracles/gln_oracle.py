"""The paper's equations in NumPy and float64, in the domain of probabilities, as they are printed.

Written from Veness et al., "Online Learning with Gated Linear Networks" (2017), sections 3 to 5.
It shares no code with the engine, and computes a network the way the paper tells it: probabilities
go up from layer to layer, logits are taken anew in every neuron.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np


def sigma(z: Any) -> Any:
    """The logistic function."""
    return 1 / (1 + np.exp(-z))


def logit(p: Any) -> Any:
    """Its inverse."""
    return np.log(p / (1 - p))


def geometric_mixture(w: Any, p: Any) -> Any:
    """The definition: weighted products of the probabilities of a one and of a zero."""
    one, zero = np.prod(p**w), np.prod((1 - p) ** w)
    return one / (one + zero)


def log_loss(w: Any, p: Any, bit: int) -> Any:
    """``-log`` of the probability that a neuron with weights `w` gives to `bit`."""
    z = w @ logit(p)
    return -np.log(sigma(z if bit else -z))  # 1 - sigma(z) = sigma(-z), without cancellation


def gradient(w: Any, p: Any, bit: int) -> Any:
    """Proposition 1: the gradient of `log_loss` with respect to `w`."""
    return (sigma(w @ logit(p)) - bit) * logit(p)


BETA = sigma(1.0)  # the bias probability: logit(beta) = 1


class OracleNetwork:
    """Layers of neurons; ``weights[layer][neuron]`` is float64[contexts, inputs + 1], bias last.

    Parameters
    ----------
    inputs : int
        Number of base predictions.
    rows : for each layer, the number of contexts of each neuron
    rates : for each layer, the rate of a row's first, second, ... step; the last one stays
    start : for each layer, the initial weight, or None for 1 / (number of inputs)
    eps : float
        Outputs are clipped to ``[eps, 1 - eps]``.
    b : float
        Weights are clipped to ``[-b, b]``.
    """

    def __init__(
        self,
        inputs: int,
        rows: Sequence[Sequence[int]],
        rates: Sequence[Sequence[float]],
        start: Sequence[float | None],
        eps: float,
        b: float,
    ) -> None:
        self.rates, self.eps, self.b = rates, eps, b
        self.weights: list[list[Any]] = []
        self.steps: list[list[Any]] = []
        below = inputs
        for layer_rows, initial in zip(rows, start, strict=True):
            weight = 1 / below if initial is None else initial
            vector = np.append(np.full(below, weight), 0.0)
            self.weights.append([np.tile(vector, (count, 1)) for count in layer_rows])
            self.steps.append([np.zeros(count, int) for count in layer_rows])
            below = len(layer_rows)

    def predict(self, p: Any, contexts: Sequence[int]) -> Any:
        """Every neuron's probability, layer after layer, given base predictions `p`."""
        self.seen: list[Any] = []  # the probabilities that each layer was given, bias included
        self.answers: list[Any] = []
        chosen = iter(contexts)
        self.contexts = [[next(chosen) for _ in layer] for layer in self.weights]
        for layer, layer_contexts in zip(self.weights, self.contexts, strict=True):
            p = np.append(p, BETA)
            self.seen.append(p)
            mixed = [sigma(w[c] @ logit(p)) for w, c in zip(layer, layer_contexts, strict=True)]
            p = np.clip(mixed, self.eps, 1 - self.eps)
            self.answers.append(p)
        return np.concatenate(self.answers)

    def update(self, bit: int) -> None:
        """Equation 9 for every neuron, with the (clipped) probability that it answered."""
        for i, layer in enumerate(self.weights):
            for k, w in enumerate(layer):
                c = self.contexts[i][k]
                rate = self.rates[i][min(self.steps[i][k][c], len(self.rates[i]) - 1)]
                step = rate * (self.answers[i][k] - bit) * logit(self.seen[i])
                w[c] = np.clip(w[c] - step, -self.b, self.b)
                self.steps[i][k][c] += 1


def switching_prior(sequence: Sequence[int], models: int) -> float:
    """Section 5: the weight of following these models, one after the other."""
    weight = 1 / models if sequence else 1.0
    for t in range(2, len(sequence) + 1):
        stays = sequence[t - 1] == sequence[t - 2]
        weight *= (t - 1) / t if stays else 1 / (t * (models - 1))
    return weight


def switching_mixture(given: Any) -> float:
    """Sum over all sequences of models of prior times probability: the mixture's of the data.

    Parameters
    ----------
    given : float64[n, models]
        The probability that each model gave to the symbol that came, at each time.
    """
    n, models = given.shape
    return sum(
        switching_prior(sequence, models) * prod(given[t, nu] for t, nu in enumerate(sequence))
        for sequence in product(range(models), repeat=n)
    )
