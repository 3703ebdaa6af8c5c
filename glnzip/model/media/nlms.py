"""Linear prediction by normalised steps: long filters at a cost that grows with their length only.

A member of the bank predicts the next value of a series from its last `taps` values and moves its
weights along its error, divided by the energy of those values (normalised least mean squares).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, outlined
from glnzip.jit.lanes import add_scaled, dot

_ROOM = 1 << 12
_BOUND = np.float32(64)
_TINY = np.float32(1)


class Nlms(NamedTuple):
    """Filters of one length, one for each series."""

    history: Any  # float32[bank * _ROOM]: the values, newest last
    ends: Any  # int64[bank]: number of values held
    weights: Any  # float32[bank * taps]
    settings: Any  # float32[2]: taps, rate


def new_nlms(bank: int, taps: int, rate: float) -> Nlms:
    """Filters that have seen silence."""
    return Nlms(
        history=np.zeros(bank * _ROOM, np.float32),
        ends=np.full(bank, taps, np.int64),
        weights=np.zeros(bank * taps, np.float32),
        settings=np.array([taps, rate], np.float32),
    )


@inline
def filtered(nlms, k):
    """The prediction of the next value of series `k`: float32."""
    taps = np.int64(nlms.settings[0])
    first = k * _ROOM + nlms.ends[k] - taps
    return dot(nlms.weights, k * taps, nlms.history, first, taps)


@outlined
def learn_value(nlms, k, value, error):
    """Series `k` goes on with `value` (float32), which the prediction missed by `error`."""
    taps = np.int64(nlms.settings[0])
    first = k * _ROOM + nlms.ends[k] - taps
    energy = dot(nlms.history, first, nlms.history, first, taps)
    scale = nlms.settings[1] * error / (energy + _TINY)
    add_scaled(nlms.weights, k * taps, nlms.history, first, taps, scale, _BOUND)
    if nlms.ends[k] == _ROOM:
        base = k * _ROOM
        for i in range(taps):
            nlms.history[base + i] = nlms.history[base + _ROOM - taps + i]
        nlms.ends[k] = taps
    nlms.history[k * _ROOM + nlms.ends[k]] = value
    nlms.ends[k] += 1
