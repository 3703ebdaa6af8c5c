"""A frozen network whose contexts are known: one linear function of its input logits.

Nothing is learned any more, and the contexts have chosen a row of every neuron: the chosen rows of
layer ``i`` are a matrix ``W_i``, and as long as no output is clipped the network says

    answer = W_L ... W_2 W_1 x             x = (input logits, bias)

so that the product of the matrices can be worked out once, and answers for any inputs that come
with these contexts. Every matrix has one row more than its layer has neurons, ``(0, ..., 0, 1)``,
which carries the bias to the layer above.

The product is the same in whatever order the matrices are multiplied, but the work is not. Layers
of different widths are worth the classic dynamic programme, `cheapest_order`. (From one answer it
always begins at the top, where it multiplies a vector by one matrix after the other.)

Unlike the rest of the engine this is float64, added in the order of the library for matrices: a
tool to look into a network, not to decode with.

Reference: Veness et al., "Online Learning with Gated Linear Networks", 2017, which remarks that a
static network is a product of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from glnzip.gln.network import BIAS, FIRST_NEURON, FIRST_SIGNAL, INPUTS, NEURONS, SIGNALS, Network

Order: TypeAlias = "int | tuple[Order, Order]"  # ((0, 1), 2): matrix 0 by matrix 1, that by 2


def gated_matrices(network: Network, contexts: Any) -> list[Any]:
    """The rows that `contexts` choose, as one matrix for each layer, the lowest layer first.

    Parameters
    ----------
    network : Network
        Read only. A row never trained is its layer's start row.
    contexts : integers[neurons]
        The row of each neuron.

    Returns
    -------
    list of float64[neurons of the layer + 1, neurons of the layer below + 1]
        The last column multiplies the bias, the last row keeps it.

    Raises
    ------
    ValueError
        If a context is not one of its neuron's rows, or there is not one for each neuron.
    """
    contexts = np.asarray(contexts)
    if contexts.shape != network.contexts.shape or contexts.dtype.kind not in "iub":
        raise ValueError(f"contexts of shape {contexts.shape} do not fit the network")
    contexts = contexts.astype(np.int64)
    if ((contexts < 0) | (contexts >= network.rows)).any():
        raise ValueError("a context is not one of its neuron's rows")
    trained = network.steps[network.first_row + contexts] > 0
    matrices = []
    for layer in network.layers:
        neurons = slice(layer[FIRST_NEURON], layer[FIRST_NEURON] + layer[NEURONS])
        used = np.arange(layer[INPUTS] + 1)  # inputs and bias, without the padding
        rows = network.first_weight[neurons] + contexts[neurons] * layer[SIGNALS]
        chosen = network.weights[rows[:, None] + used]
        start = network.starts[layer[FIRST_SIGNAL] + used]
        matrix = np.zeros((layer[NEURONS] + 1, used.size))
        matrix[:-1] = np.where(trained[neurons, None], chosen, start)
        matrix[-1, -1] = 1.0
        matrices.append(matrix)
    return matrices


def cheapest_order(sizes: Sequence[int]) -> tuple[Order, int]:
    """The order of multiplying a chain of matrices that takes the fewest multiplications.

    With ``cost(i, i) = 0`` the cheapest way to multiply matrices i to j is

        cost(i, j) = min over k of  cost(i, k) + cost(k + 1, j) + sizes[i] sizes[k+1] sizes[j+1]

    which is worked out from short pieces of the chain to long ones, in O(matrices**3) steps.

    Parameters
    ----------
    sizes : sequence of int
        One more than there are matrices: matrix i has ``sizes[i]`` rows and ``sizes[i + 1]``
        columns.

    Returns
    -------
    order : int or pair of orders
        The number of a matrix, or what is multiplied: ``(left, right)``.
    cost : int
        The number of multiplications.
    """
    sizes = [int(size) for size in sizes]  # Python's, which cannot overflow
    matrices = len(sizes) - 1
    if matrices < 1 or min(sizes) < 1:
        raise ValueError("a chain has at least one matrix, and no matrix is empty")
    best: dict[tuple[int, int], tuple[int, Order]] = {(i, i): (0, i) for i in range(matrices)}
    for length in range(1, matrices):
        for i in range(matrices - length):
            j = i + length
            cost, k = min(
                (best[i, k][0] + best[k + 1, j][0] + sizes[i] * sizes[k + 1] * sizes[j + 1], k)
                for k in range(i, j)
            )
            best[i, j] = cost, (best[i, k][1], best[k + 1, j][1])
    cost, order = best[0, matrices - 1]
    return order, cost


def collapse(network: Network, contexts: Any) -> tuple[Any, float]:
    """The linear function that a frozen network is: ``answer = weights . logits + bias``.

    It knows nothing of the clip of the neurons' outputs. `glnzip.gln.examples.predict` clips every
    one of them to ``network.bounds[0]``, the answer too; so the two agree, but for the rounding of
    float32, where none of the outputs reaches that bound, and need not elsewhere.

    Parameters
    ----------
    network : Network
        Read only.
    contexts : integers[neurons]
        The row of each neuron.

    Returns
    -------
    weights : float64[inputs]
        What each input logit counts for in the answer.
    bias : float
        The answer to inputs of one half each.
    """
    chain = gated_matrices(network, contexts)[::-1]
    chain[0] = chain[0][:1]  # the last layer's first neuron is the answer
    order, _ = cheapest_order([*(len(matrix) for matrix in chain), chain[-1].shape[1]])
    ((*weights, bias),) = _product(chain, order)
    return np.array(weights), float(bias) * BIAS


def _product(matrices: Sequence[Any], order: Order) -> Any:
    """The matrices multiplied in this order."""
    if isinstance(order, int):
        return matrices[order]
    left, right = order
    return _product(matrices, left) @ _product(matrices, right)
