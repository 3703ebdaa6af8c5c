"""Learning-rate schedules: how often a weight row has been trained in, a rate out.

A schedule is a table; the last entry holds for every later step. The step counters belong to the
learned state beside the weights they slow down, so a saved network goes on where it stopped.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def constant(rate: float) -> Any:
    """The same rate for ever: float32[1]."""
    return np.array([rate], np.float32)


def decaying(start: float, end: float, half_life: float, length: int = 4096) -> Any:
    """``end + (start - end) / (1 + t / half_life)``: float32[length], the last entry `end`.

    Parameters
    ----------
    start, end : float
        First and last rate.
    half_life : float
        Steps after which half of the distance is covered.
    length : int
        Steps after which the rate stays at `end`.
    """
    t = np.arange(length)
    rates = end + (start - end) / (1.0 + t / half_life)
    rates[-1] = end
    return rates.astype(np.float32)


def inverse_time(scale: float, cap: float, length: int) -> Any:
    """``min(scale / t, cap)`` for t = 1, 2, ..., the form of the paper's experiments."""
    return np.minimum(scale / np.arange(1, length + 1), cap).astype(np.float32)
