"""What the estimators for scikit-learn have in common: features scaled on the way, random planes,
examples in batches, each as often as its weight says.

It needs no scikit-learn itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral, Real
from operator import index
from typing import Any

import numpy as np

BATCH = 1024  # examples prepared at a time, for the sake of memory; the result is the same for any
_CELLS = 1 << 22  # numbers in them, at most: 32 MiB of float64
_MOST_WEIGHT = 1 << 53  # of all examples together: far from what is too large for int64
FAR = 4.0  # a scaled feature is cut off here: rare values of a nearly constant one are huge
MAX_PLANES = 16  # a neuron's table doubles with each
LOWEST = 16  # the rate falls to this part of its first value and stays there


def check_parameters(estimator: Any) -> None:
    """Raise ValueError if a parameter that all estimators have is out of its range."""
    for name in ("planes", "steady", "passes"):
        value = getattr(estimator, name)
        if not isinstance(value, Integral) or value < 1:
            raise ValueError(f"{name} must be a positive integer, not {value!r}")
    if estimator.planes > MAX_PLANES:
        raise ValueError(f"planes must be at most {MAX_PLANES}, not {estimator.planes!r}")
    for name in ("offsets", "rate", "later_rate", "weight_bound"):
        value = getattr(estimator, name)
        if not isinstance(value, Real) or not 0.0 <= float(value) < np.inf:
            raise ValueError(f"{name} must be a finite number, not negative, not {value!r}")
    try:
        sizes = [index(size) for size in estimator.layers]
    except TypeError:
        sizes = [0]
    if min(sizes, default=1) < 1:
        raise ValueError(
            f"layers must be a sequence of positive integers, not {estimator.layers!r}"
        )


def random_planes(random: Any, shape: tuple[int, int, int], offset: float) -> tuple[Any, Any]:
    """Planes of random direction, at normally distributed distances from the centre.

    `shape` is neurons, planes of each, features; the arrays are for `half_space_contexts`.
    """
    normals = random.standard_normal(shape)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    offsets = random.standard_normal(shape[:2]) * offset
    return normals.astype(np.float32), offsets.astype(np.float32)


def checked_weights(weights: Any, count: int, *, may_all_be_zero: bool) -> Any:
    """Weights of so many examples, float64[count]; None for one each.

    Raises ValueError if they are none.
    """
    if weights is None:
        return None
    weights = np.asarray(weights, np.float64)
    if weights.ndim == 0:
        weights = np.full(count, weights)
    if weights.shape != (count,):
        raise ValueError(f"sample_weight has the shape {weights.shape}, not ({count},)")
    if not (weights >= 0.0).all() or not weights.sum() < _MOST_WEIGHT:
        raise ValueError("sample_weight must be finite numbers, not negative, of a finite sum")
    if not may_all_be_zero and not weights.any():
        raise ValueError("sample_weight is zero for all examples")
    return weights


def repeated(weights: Any, count: int, random: Any) -> Any:
    """The numbers of so many examples, each as often as its weight says on the average: int64[:].

    A fraction of a weight is a chance; whole numbers throw no dice.
    """
    examples = np.arange(count)
    if weights is None:
        return examples
    times = np.floor(weights)
    fractions = weights - times
    left = fractions > 0.0
    times[left] += random.random_sample(np.count_nonzero(left)) < fractions[left]
    return np.repeat(examples, times.astype(np.int64))


def batches(order: Any, features: int) -> Iterator[Any]:
    """An array of examples, or of their numbers, cut into what is prepared at a time."""
    size = batch_size(features)
    for first in range(0, len(order), size):
        yield order[first : first + size]


def batch_size(features: int) -> int:
    """How many examples of so many features are prepared at a time."""
    return max(1, min(BATCH, _CELLS // features))


def dense(examples: Any) -> Any:
    """A batch of examples that may be sparse, as an array."""
    return examples.toarray() if hasattr(examples, "toarray") else examples


class Unscaled:
    """Features as they are; the methods are those of `RunningScale`."""

    def count(self, examples: Any) -> Any:
        return examples

    def apply(self, examples: Any) -> Any:
        return examples


class RunningScale:
    """Mean and deviation of each feature over the examples counted so far (Welford's method).

    Sums are of differences from the first example. That loses fewer digits, and a feature that was
    always the same is exactly zero; it is left undivided.
    """

    def __init__(self, features: int) -> None:
        self.seen = 0
        self.first = np.zeros(features)
        self.sums = np.zeros(features)
        self.squares = np.zeros(features)  # sums of squared differences from the mean

    def count(self, examples: Any) -> Any:
        """Count examples one after the other; each is scaled by what was seen up to itself."""
        if self.seen == 0:
            self.first = examples[0].copy()
        times = self.seen + np.arange(len(examples) + 1)[:, None]
        examples = examples - self.first
        # Row t is after t examples, so the result cannot depend on where a stream is cut.
        sums = np.cumsum(np.vstack([self.sums, examples]), axis=0)
        means = sums / np.maximum(times, 1)
        squares = (examples - means[:-1]) * (examples - means[1:])
        squares = np.cumsum(np.vstack([self.squares, squares]), axis=0)
        self.seen += len(examples)
        self.sums, self.squares = sums[-1], squares[-1]
        return scaled_features(examples - means[1:], squares[1:] / times[1:])

    def apply(self, examples: Any) -> Any:
        """Scale examples by what was seen, and count nothing."""
        means, variances = self.moments()
        return scaled_features(examples - self.first - means, variances)

    def moments(self) -> tuple[Any, Any]:
        """Mean difference from the first example, and variance, of each feature: zeros at first."""
        seen = max(self.seen, 1)
        return self.sums / seen, self.squares / seen


def scaled_features(differences: Any, variances: Any) -> Any:
    return np.clip(differences / np.sqrt(np.where(variances > 0, variances, 1.0)), -FAR, FAR)
