"""Logit and logistic function as tables: the same float32 values on every machine.

``math.exp`` and ``np.log`` may differ in the last bit between C libraries and CPUs, so the tables
are computed from additions, multiplications and divisions alone, which IEEE 754 fixes exactly; a
test pins their checksums. In the vocabulary of the PAQ programs the logit ``ln(p / (1 - p))`` is
*stretch* and its inverse *squash*.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.jit import inline

STRETCH_BITS = 12  # stretch looks up the top bits of a probability
SQUASH_LIMIT = 12  # squash is exact to the table within +-12, and constant beyond
SQUASH_STEPS = 128  # table points per unit

_LN2 = 0.6931471805599453  # the float64 nearest to ln 2
_SERIES_TERMS = 30  # both series below are exact to float64 long before


def exact_exp(x: Any) -> Any:
    """e**x in float64 from exactly defined operations: Taylor series after halving the exponent.

    Parameters
    ----------
    x : float64[:]
        Between -700 and 700.
    """
    powers_of_two = np.rint(x / _LN2)
    rest = x - powers_of_two * _LN2
    total = np.ones_like(rest)
    for k in range(_SERIES_TERMS, 0, -1):
        total = 1.0 + total * rest / k
    return np.ldexp(total, powers_of_two.astype(np.int64))


def exact_log(x: Any) -> Any:
    """ln(x) in float64 from exactly defined operations: ``ln m = 2 artanh((m - 1) / (m + 1))``.

    Parameters
    ----------
    x : float64[:]
        Positive.
    """
    mantissa, exponent = np.frexp(x)
    z = (mantissa - 1.0) / (mantissa + 1.0)
    total = np.zeros_like(z)
    for k in range(2 * _SERIES_TERMS + 1, 0, -2):
        total = total * z * z + 1.0 / k
    return 2.0 * z * total + exponent * _LN2


def stretched(probabilities: Any, eps: float) -> Any:
    """Base predictions as inputs of a network: their logits, clipped as in the paper.

    Parameters
    ----------
    probabilities : array of float
        Between 0 and 1, both included.
    eps : float
        Above 0, below 1/2: probabilities are moved into ``[eps, 1 - eps]`` first.

    Returns
    -------
    float32 array of the same shape
    """
    p = np.clip(np.asarray(probabilities, np.float64), eps, 1.0 - eps)
    return (exact_log(p) - exact_log(1.0 - p)).astype(np.float32)


def stretch_table() -> Any:
    """float32[2**STRETCH_BITS]: the logit at the middle of each interval of probability."""
    size = 1 << STRETCH_BITS
    p = (np.arange(size) + 0.5) / size
    return exact_log(p / (1.0 - p)).astype(np.float32)


def squash_table() -> Any:
    """float32[2 * SQUASH_LIMIT * SQUASH_STEPS + 2]: the logistic function at even steps."""
    points = 2 * SQUASH_LIMIT * SQUASH_STEPS + 2
    x = np.arange(points) / SQUASH_STEPS - SQUASH_LIMIT
    return (1.0 / (1.0 + exact_exp(-x))).astype(np.float32)


STRETCH = stretch_table()
SQUASH = squash_table()

_LIMIT = np.float32(SQUASH_LIMIT)
_STEPS = np.float32(SQUASH_STEPS)


@inline
def clip(x, bound):
    """`x` moved into ``[-bound, bound]`` (float32)."""
    return max(min(x, bound), -bound)


@inline
def squash(x):
    """The logistic function by linear interpolation, float32 in and out; error below 1e-6."""
    scaled = (clip(x, _LIMIT) + _LIMIT) * _STEPS
    index = int(scaled)
    below = SQUASH[index]
    return below + (SQUASH[index + 1] - below) * (scaled - np.float32(index))
