"""`GLNRegressor`: a Gaussian Gated Linear Network behind the interface of scikit-learn.

The network is that of `gaussian`. Its base predictions are the features themselves: feature z_i,
scaled, is taken for a prediction N(z_i, 1) of the scaled target. The first layer's weights say what
it is worth. The gates are random half-spaces of the features, several for each neuron, and the
sides on which an example lies number the row. Every prediction is a normal distribution: `predict`
can return its standard deviation, too, which may be different at every point.

Reference: Budden et al., "Gaussian Gated Linear Networks", NeurIPS 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        "glnzip.gln.regressor needs scikit-learn >= 1.6: pip install 'glnzip[sklearn]'"
    ) from error

from glnzip.gln.estimator_parts import (
    FAR,
    LOWEST,
    RunningScale,
    batch_size,
    batches,
    check_parameters,
    checked_weights,
    dense,
    random_planes,
    repeated,
)
from glnzip.gln.gating import half_space_contexts
from glnzip.gln.gaussian import learn_gaussian, new_gaussian_network, predict_gaussian
from glnzip.gln.learning_rate import inverse_time


class GLNRegressor(RegressorMixin, BaseEstimator):
    """Regression that learns online: one Gaussian Gated Linear Network.

    An example is shown to the network once, in the order of `partial_fit`, or `passes` times in
    random orders that `fit` chooses. Features and target are centred and divided by their standard
    deviations first, those of all examples seen so far, this one included. So nothing needs to be
    known beforehand, and it makes no difference how a stream of examples is cut into calls of
    `partial_fit`. Prediction uses the statistics of all that was seen, and adds nothing to them.

    A target that is more than four standard deviations from the mean is learned as if it were four
    away, and no prediction is further from it.

    Weights of examples and sparse ones mean the same as for
    `glnzip.gln.classifier.GLNClassifier`: an example of weight w is as good as w copies of it.

    Parameters
    ----------
    layers : sequence of int
        Number of neurons of each layer. A last one, of a single neuron, is added.
    planes : int
        Half-spaces that choose a neuron's row together: it has ``2 ** planes`` rows.
    offsets : float
        Standard deviation of the planes' distances from the centre, in standard deviations of the
        data.
    rate : float
        Learning rate of the first layer, below 1. Steps are divided by the loss's curvature, so it
        need not be changed for wider data or larger networks.
    later_rate : float
        The same for each other layer.
    steady : int
        Steps of a row until its rates begin to fall as ``steady / step``. They end at a sixteenth,
        so learning never stops.
    variance_bounds : tuple of float
        Least and greatest variance of a prediction, in variances of the target.
    weight_bound : float
        Weights stay in ``[-weight_bound, weight_bound]``.
    passes : int
        How often `fit` shows all examples. One will do for tens of thousands. More passes bring the
        means nearer to the examples, and the standard deviations too: few examples that are noisy
        are better shown once or twice if the latter matter.
    random_state : int, RandomState or None
        Chooses the planes, the order of examples in `fit`, and what becomes of fractions of
        weights.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if all names of the features were strings.
    network_ : GaussianNetwork

    Examples
    --------
    ::

        from sklearn.datasets import make_friedman1
        from glnzip.gln.regressor import GLNRegressor

        points, values = make_friedman1(2000, noise=1.0, random_state=0)
        model = GLNRegressor(random_state=0)
        model.fit(points[:1500], values[:1500])              # ten passes
        print(model.score(points[1500:], values[1500:]))     # about 0.78; a linear model has 0.69
        means, deviations = model.predict(points[1500:], return_std=True)
        model.partial_fit(points[1500:], values[1500:])      # goes on learning
    """

    def __init__(
        self,
        layers: Sequence[int] = (32, 16),
        *,
        planes: int = 4,
        offsets: float = 1.0,
        rate: float = 0.5,
        later_rate: float = 0.1,
        steady: int = 200,
        variance_bounds: tuple[float, float] = (1e-3, 10.0),
        weight_bound: float = 100.0,
        passes: int = 10,
        random_state: Any = None,
    ) -> None:
        self.layers = layers
        self.planes = planes
        self.offsets = offsets
        self.rate = rate
        self.later_rate = later_rate
        self.steady = steady
        self.variance_bounds = variance_bounds
        self.weight_bound = weight_bound
        self.passes = passes
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> GLNRegressor:
        """Forget everything and learn these examples, in random order.

        Parameters
        ----------
        X : array of float or sparse matrix, [n, features]
        y : array of float, [n]
        sample_weight : array of float, [n], or float
            How often each example is shown in a pass; None for once.
        """
        X, y = self._validated(X, y, reset=True)
        weights = checked_weights(sample_weight, len(y), may_all_be_zero=False)
        random = self._begin()
        for _ in range(self.passes):
            order = repeated(weights, len(y), random)
            self._learn(X, y, order[random.permutation(len(order))])
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> GLNRegressor:
        """Learn more examples, in the order given.

        Parameters
        ----------
        X : array of float or sparse matrix, [n, features]
        y : array of float, [n]
        sample_weight : array of float, [n], or float
            How often each example is shown; None for once.
        """
        new = not hasattr(self, "network_")
        X, y = self._validated(X, y, reset=new)
        weights = checked_weights(sample_weight, len(y), may_all_be_zero=True)
        if new:
            self._begin()
        self._learn(X, y, repeated(weights, len(y), self._random))
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The mean of each prediction; with `return_std`, a pair of means and deviations.

        Parameters
        ----------
        X : array of float or sparse matrix, [n, features]
        return_std : bool
            Whether to return the standard deviations of the predictions, too.

        Returns
        -------
        float64[n], or a tuple of two of them
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False)
        means, variances = np.empty((2, X.shape[0]))
        size = batch_size(X.shape[1])
        for first in range(0, X.shape[0], size):
            batch = slice(first, first + size)
            inputs = self._scale.apply(dense(X[batch]))
            contexts = half_space_contexts(inputs, *self._planes)
            means[batch], variances[batch] = predict_gaussian(self.network_, inputs, contexts)
        centre, deviation = self._target()
        means = centre + deviation * means
        return (means, deviation * np.sqrt(variances)) if return_std else means

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _validated(self, X: Any, y: Any, reset: bool) -> tuple[Any, Any]:
        X, y = validate_data(
            self, X, y, dtype=np.float64, accept_sparse="csr", y_numeric=True, reset=reset
        )
        return X, y.astype(np.float64)

    def _begin(self) -> Any:
        """A new network that knows nothing; returns the random numbers' source."""
        self._check_parameters()
        random = self._random = check_random_state(self.random_state)
        inputs = self.n_features_in_
        sizes = [*self.layers, 1]
        rates = [self.rate, *[self.later_rate] * len(self.layers)]
        self.network_ = new_gaussian_network(
            inputs,
            [[1 << self.planes] * size for size in sizes],
            [inverse_time(rate * self.steady, rate, LOWEST * self.steady) for rate in rates],
            start=[0.0] + [None] * len(self.layers),
            variance_bounds=self.variance_bounds,
            mean_bound=FAR,
            weight_bound=self.weight_bound,
        )
        self._planes = random_planes(random, (sum(sizes), self.planes, inputs), self.offsets)
        self._scale = RunningScale(inputs)
        self._target_scale = RunningScale(1)
        return random

    def _learn(self, X: Any, y: Any, order: Any) -> None:
        for batch in batches(order, X.shape[1]):
            inputs = self._scale.count(dense(X[batch]))
            targets = self._target_scale.count(y[batch, None])[:, 0]
            contexts = half_space_contexts(inputs, *self._planes)
            learn_gaussian(self.network_, inputs, contexts, targets)

    def _target(self) -> tuple[float, float]:
        """Mean and deviation of all targets seen; 1 for the latter if they were all the same."""
        scale = self._target_scale
        (mean,), (variance,) = scale.moments()
        return float(scale.first[0] + mean), float(np.sqrt(variance)) if variance > 0 else 1.0

    def _check_parameters(self) -> None:
        check_parameters(self)
        try:
            low, high = map(float, self.variance_bounds)
        except (TypeError, ValueError):
            low = high = 0.0
        if not 0.0 < low <= high < np.inf:
            raise ValueError(
                "variance_bounds must be two positive numbers, the lesser first, "
                f"not {self.variance_bounds!r}"
            )
