"""Gates: which row of weights each neuron uses, from features and the bits of the byte so far.

Every block model but that of bitmaps has gates of this kind, and they have one rule: of a feature's
value, the low bits count (a gate tells a power of two of values apart), and what the row says of
the byte so far is added below them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from glnzip.gln.learning_rate import decaying
from glnzip.gln.network import Network, new_network
from glnzip.jit import inline
from glnzip.model.table.rows import BITS, Gate, Layer

_POSITION, _PARTIAL = (list(BITS).index(bits) for bits in ("position", "partial"))


class Neuron(Protocol):
    """What a network is made of: a gate, whatever selects its row."""

    @property
    def layer(self) -> int:
        """The neuron's layer."""

    @property
    def rows(self) -> int:
        """How many rows of weights it has."""


def gate_numbers(gates: Sequence[Gate]) -> Any:
    """Gates for kernels, int64[gates, 3]: feature, mask of its values, kind of bits."""
    numbers = [(gate.feature, gate.values - 1, list(BITS).index(gate.bits)) for gate in gates]
    return np.array(numbers, np.int64).reshape(-1, 3)


def gated_network(inputs: int, gates: Sequence[Neuron], layers: Sequence[Layer]) -> Network:
    """A network of neurons with these gates, those of layer 0 first.

    Where the last layer with gates has several neurons, one more without a gate speaks for them.
    """
    rows = [[gate.rows for gate in gates if gate.layer == layer] for layer in (0, 1)]
    rows = [layer for layer in rows if layer] or [[1]]
    if len(rows[-1]) > 1 or not gates:
        rows.append([1])
    return new_network(
        inputs,
        rows=rows,
        rates=[decaying(*layer.rate) for layer in layers[: len(rows)]],
        start=[layer.start for layer in layers[: len(rows)]],
        weight_bound=np.inf,
    )


@inline
def choose_gates(gates, features, now, network):
    """Each gated neuron's context: its feature's value and its part of the byte so far."""
    for k in range(gates.shape[0]):
        value = features[gates[k, 0]] & gates[k, 1]
        kind = gates[k, 2]
        if kind == _PARTIAL:
            value = value << 8 | now.partial
        elif kind == _POSITION:
            value = value << 3 | now.bits_known
        network.contexts[k] = value
