"""Section "The network" of the document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.oracles.document.tables import clip, f32, squash

OUTPUT = f32(11)


def dot(w: Any, x: Any) -> Any:
    """Of one row of weights, or of each row of several with the same inputs."""
    products = (w * x).reshape(*w.shape[:-1], -1, 16)
    lanes = np.zeros_like(products[..., 0, :])
    for i in range(products.shape[-2]):
        lanes = lanes + products[..., i, :]
    for half in (8, 4, 2, 1):
        lanes = lanes[..., :half] + lanes[..., half:]
    return lanes[..., 0]


class Network:
    """A first weight of None is 1/K."""

    def __init__(
        self,
        inputs: int,
        neurons: Sequence[int],
        rates: Sequence[Any],
        first_weights: Sequence[float | None],
    ) -> None:
        self.neurons = neurons
        self.rates = list(rates)
        self.starts = []
        self.rows: list[list[dict[int, list[Any]]]] = [
            [{} for _ in range(count)] for count in neurons
        ]
        for weight, count in zip(first_weights, [inputs, *neurons], strict=False):
            start = np.zeros((count + 1 + 15) // 16 * 16, f32)
            start[:count] = f32(1 / count if weight is None else weight)
            self.starts.append(start)
        self.used: list[tuple[Any, Any, list[int], list[Any]]] = []

    def predict(self, inputs: Sequence[Any], contexts: Sequence[int]) -> Any:
        self.used = []
        first = 0
        for i, count in enumerate(self.neurons):
            x = np.zeros(len(self.starts[i]), f32)
            x[: len(inputs)] = inputs
            x[len(inputs)] = 1
            chosen = list(contexts[first : first + count])
            first += count
            rows = np.stack([self._row(i, k, context)[0] for k, context in enumerate(chosen)])
            inputs = [clip(z, OUTPUT) for z in dot(rows, x)]
            self.used.append((x, rows, chosen, list(inputs)))
        assert len(contexts) == first
        return inputs[0]

    def learn(self, y: int) -> None:
        for i, (x, rows, chosen, outputs) in enumerate(self.used):
            steps = [self._row(i, k, context)[1] for k, context in enumerate(chosen)]
            rates = [self.rates[i][min(c, 4095)] for c in steps]
            errors = [f32(y) - squash(z) for z in outputs]
            scales = np.array(rates, f32) * np.array(errors, f32)
            learned = rows + scales[:, None] * x
            for k, (context, c) in enumerate(zip(chosen, steps, strict=True)):
                self.rows[i][k][context] = [learned[k], min(c + 1, 4096)]

    def _row(self, i: int, k: int, context: int) -> list[Any]:
        return self.rows[i][k].get(context) or [self.starts[i], 0]
