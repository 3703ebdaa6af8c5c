"""Sub-network switching: every neuron is a candidate for the answer, and the best may change.

Each neuron is the top of a smaller network, and predicts the bit. Small ones learn faster, large
ones learn more, so which is best changes with time. The answer mixes all ways of following one
neuron for a while and then another: a sequence ``nu_1 .. nu_n`` of the M neurons has the weight

    w(nu_1 .. nu_n) = 1/M * product over t = 2 .. n of   (t - 1) / t         if nu_t = nu_(t-1)
                                                         1 / (t * (M - 1))   if not

The longer nothing has changed, the less a change is expected. With s changes the cost of a sequence
is ``-log w <= (s + 1) * (log M + log n)``, so the mixture loses at most that much against the best
sequence, which nobody could have known beforehand.

There are M^n sequences, but only the last neuron of each matters to what follows; ``u_k`` gathers
the share of those that end in neuron k. From the bit at time t = 1, 2, ... it follows that

    tau(1) = sum over k of u_k * p_k                                  the answer
    v_k    = u_k * p_k(bit) / tau(bit)                                Bayes' rule
    u_k   <- t / (t + 1) * v_k  +  (1 - v_k) / ((t + 1) * (M - 1))    stay, or arrive from elsewhere
           = (t * (M - 1) - 1) / ((t + 1) * (M - 1)) * v_k  +  1 / ((t + 1) * (M - 1))

The last line is the paper's update (section 5). As `v` is divided by the sum of the very shares it
was made of, rounding errors do not add up over time, and `u` needs no normalising of its own.

Shares are float64, added in the order of the neurons: the same bits on every machine. `predict`
writes scratch only, and it keeps what `update` needs, so the order of `update_switching` and
`update_network` does not matter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.gln.logistic import squash
from glnzip.gln.network import FIRST_NEURON, FIRST_OUTPUT, NEURONS, Network
from glnzip.jit import inline


class Switching(NamedTuple):
    """The mixture over a network's neurons. `shares` and `time` are learned.

    Attributes
    ----------
    shares : float64[neurons]
        The paper's u, before the next bit; they add up to one.
    time : int64[1]
        Number of bits learned.
    candidates : float64[neurons]
        Scratch: each neuron's probability that the present bit is a one.
    """

    shares: Any
    time: Any
    candidates: Any


def new_switching(network: Network) -> Switching:
    """Equal shares for all neurons of `network`, which must have at least two."""
    neurons = network.contexts.size
    if neurons < 2:
        raise ValueError("switching needs a network of at least two neurons")
    return Switching(
        shares=np.full(neurons, 1.0 / neurons),
        time=np.zeros(1, np.int64),
        candidates=np.zeros(neurons),
    )


@inline
def predict_switching(switching, network):
    """Probability (float32) that the next bit is a one; call it after `predict_network`."""
    total = 0.0
    for i in range(network.layers.shape[0]):
        first = network.layers[i, FIRST_NEURON]
        output = network.layers[i, FIRST_OUTPUT]
        for k in range(network.layers[i, NEURONS]):
            p = np.float64(squash(network.signals[output + k]))
            switching.candidates[first + k] = p
            total += switching.shares[first + k] * p
    return np.float32(total)


@inline
def update_switching(switching, bit):
    """Move the shares towards the neurons that expected the `bit` (0 or 1)."""
    neurons = switching.shares.size
    total = 0.0
    for k in range(neurons):
        p = switching.candidates[k]
        share = switching.shares[k] * (p if bit else 1.0 - p)
        switching.shares[k] = share
        total += share
    time = switching.time[0] + 1
    ways = (time + 1) * (neurons - 1)
    arriving = 1.0 / ways
    staying = (time * (neurons - 1) - 1) / ways / total
    for k in range(neurons):
        switching.shares[k] = arriving + staying * switching.shares[k]
    switching.time[0] = time
