"""`GLNClassifier`: Gated Linear Networks behind the interface of scikit-learn (optional extra).

The networks are those of the paper's experiments (sections 6.1 and 6.2). There is one for each
class, which predicts whether an example belongs to it. All of them see the same inputs and share
the same gates: random half-spaces of the inputs, several for each neuron, and the sides on which an
example lies number the row. Learning is online, and one pass is usually enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        "glnzip.gln.classifier needs scikit-learn >= 1.6: pip install 'glnzip[sklearn]'"
    ) from error

from glnzip.gln.estimator_parts import (
    LOWEST,
    RunningScale,
    Unscaled,
    batch_size,
    batches,
    check_parameters,
    checked_weights,
    dense,
    random_planes,
    repeated,
)
from glnzip.gln.examples import learn, predict
from glnzip.gln.gating import half_space_contexts
from glnzip.gln.learning_rate import inverse_time
from glnzip.gln.network import new_network


class GLNClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that learns online: one Gated Linear Network for each class.

    An example is shown to the networks once, in the order of `partial_fit`, or in a random order
    that `fit` chooses. Unless `scale` is false, each feature is centred and divided by its standard
    deviation first, both taken over all examples seen so far, this one included. So nothing needs
    to be known beforehand, and it makes no difference how a stream of examples is cut into calls of
    `partial_fit`. Prediction uses the statistics of all that was seen, and adds nothing to them.

    Two classes need one network only. With more, the networks' answers are divided by their sum.

    An example of weight w is as good as w copies of it: it is shown w times, and once more with the
    chance that is left of a fraction. (One step of w times the size would go too far where w is
    large [1]_; a chance is right on the average [2]_.) In `fit` the copies come apart in the random
    order. Weights are not scaled: if their sum is one, as in boosting, one example is shown.

    Sparse examples are made dense a few at a time; the networks see zeros like other numbers, and
    have weights for all features.

    Parameters
    ----------
    layers : sequence of int
        Number of neurons of each layer. A last one, of a single neuron, is added.
    scale : bool
        Whether features are centred and divided by their standard deviations. Where they all have
        one unit and zero means something, as the ink of an image has and does, the networks learn
        more from them as they are; they should then be of the order of one. `rate` may have to be
        higher, since many of them may be zero.
    planes : int
        Half-spaces that choose a neuron's row together: it has ``2 ** planes`` rows.
    offsets : float
        Standard deviation of the planes' distances from the centre, in standard deviations of the
        data; without `scale`, from zero, in their own unit.
    rate : float
        Learning rate of the first layer, for all its inputs together: it is divided by their
        number, the bias included, and so need not be changed for wider data.
    later_rate : float
        The same for each other layer. It is much lower, since their inputs are logits, which are
        several times as large as scaled features.
    steady : int
        Steps of a row until its rates begin to fall as ``steady / step`` (the paper's
        ``min(scale / t, cap)`` by row). They end at a sixteenth, so learning never stops.
    weight_bound : float
        The paper's b: weights stay in ``[-b, b]``.
    passes : int
        How often `fit` shows all examples. One will do for thousands, ten are better for a hundred.
    random_state : int, RandomState or None
        Chooses the planes, the order of examples in `fit`, and what becomes of fractions of
        weights.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if all names of the features were strings.
    networks_ : list of Network
        One for each class; for two classes one alone, which predicts the second.

    References
    ----------
    .. [1] Karampatziakis and Langford, "Online importance weight aware updates", UAI 2011.
    .. [2] Zadrozny, Langford and Abe, "Cost-sensitive learning by cost-proportionate example
       weighting", ICDM 2003.

    Examples
    --------
    ::

        from sklearn.datasets import load_digits
        from sklearn.model_selection import train_test_split
        from glnzip.gln.classifier import GLNClassifier

        images, digits = load_digits(return_X_y=True)
        images, new_images, digits, new_digits = train_test_split(images, digits, random_state=0)
        model = GLNClassifier(random_state=0)
        model.fit(images, digits)                        # one pass
        print(model.score(new_images, new_digits))       # about 0.97
        model.partial_fit(new_images, new_digits)        # goes on learning
    """

    def __init__(
        self,
        layers: Sequence[int] = (32, 16),
        *,
        scale: bool = True,
        planes: int = 4,
        offsets: float = 0.5,
        rate: float = 5.0,
        later_rate: float = 0.1,
        steady: int = 200,
        weight_bound: float = 200.0,
        passes: int = 1,
        random_state: Any = None,
    ) -> None:
        self.layers = layers
        self.scale = scale
        self.planes = planes
        self.offsets = offsets
        self.rate = rate
        self.later_rate = later_rate
        self.steady = steady
        self.weight_bound = weight_bound
        self.passes = passes
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> GLNClassifier:
        """Forget everything and learn these examples, in random order.

        Parameters
        ----------
        X : array of float or sparse matrix, [n, features]
        y : array of labels, [n]
        sample_weight : array of float, [n], or float
            How often each example is shown in a pass; None for once.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, accept_sparse="csr")
        check_classification_targets(y)
        weights = checked_weights(sample_weight, len(y), may_all_be_zero=False)
        random = self._begin(np.unique(y if weights is None else y[weights > 0.0]))
        for _ in range(self.passes):
            order = repeated(weights, len(y), random)
            self._learn(X, y, order[random.permutation(len(order))])
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> GLNClassifier:
        """Learn more examples, in the order given.

        Parameters
        ----------
        X : array of float or sparse matrix, [n, features]
        y : array of labels, [n]
        classes : array of labels
            All that will ever be seen: needed at the first call, unless `fit` came before.
        sample_weight : array of float, [n], or float
            How often each example is shown; None for once.
        """
        new = not hasattr(self, "classes_")
        if new and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit")
        known = self.classes_ if classes is None else np.unique(classes)
        if not new and not np.array_equal(known, self.classes_):
            raise ValueError(f"classes={known} are not those of before, {self.classes_}")
        X, y = validate_data(self, X, y, dtype=np.float64, accept_sparse="csr", reset=new)
        check_classification_targets(y)
        unknown = np.setdiff1d(y, known)
        if unknown.size:
            raise ValueError(f"y has labels that are not among the classes: {unknown}")
        weights = checked_weights(sample_weight, len(y), may_all_be_zero=True)
        if new:
            self._begin(known)
        self._learn(X, y, repeated(weights, len(y), self._random))
        return self

    def decision_function(self, X: Any) -> Any:
        """What the networks say, as logits: above 0 where a class is more likely than not.

        Parameters
        ----------
        X : array of float or sparse matrix, [n, features]

        Returns
        -------
        float64[n] or float64[n, classes]
            For two classes one number, of the second; otherwise one for each class, of which the
            greatest is that of the label that `predict` returns.
        """
        logits = self._logits(X)
        return logits[:, 0] if logits.shape[1] == 1 else logits

    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of the probabilities, exact and finite also for tiny ones.

        Parameters
        ----------
        X : array of float or sparse matrix, [n, features]

        Returns
        -------
        float64[n, classes]
            In the order of `classes_`.
        """
        logits = self._logits(X)
        if logits.shape[1] == 1:
            return -np.logaddexp(0.0, np.hstack([logits, -logits]))
        ones = -np.logaddexp(0.0, -logits)
        return ones - np.logaddexp.reduce(ones, axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the classes, in the order of `classes_`: float64[n, classes].

        Parameters
        ----------
        X : array of float or sparse matrix, [n, features]
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> Any:
        """The most probable label of each example.

        Parameters
        ----------
        X : array of float or sparse matrix, [n, features]
        """
        logits = self._logits(X)
        if logits.shape[1] == 1:
            return self.classes_[(logits[:, 0] > 0.0).astype(int)]
        return self.classes_[logits.argmax(axis=1)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _logits(self, X: Any) -> Any:
        """What each network says of each example: float64[n, networks]."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False)
        logits = np.empty((X.shape[0], len(self.networks_)))
        size = batch_size(X.shape[1])
        for first in range(0, X.shape[0], size):
            batch = slice(first, first + size)
            inputs = self._scale.apply(dense(X[batch]))
            contexts = half_space_contexts(inputs, *self._planes)
            for k, network in enumerate(self.networks_):
                logits[batch, k] = predict(network, inputs, contexts)
        return logits

    def _begin(self, classes: Any) -> Any:
        """New networks that know nothing; returns the random numbers' source."""
        self._check_parameters()
        if len(classes) < 2:
            raise ValueError(f"there must be at least two classes, not {len(classes)} class")
        random = self._random = check_random_state(self.random_state)
        inputs = self.n_features_in_
        sizes = [*self.layers, 1]
        below = [inputs, *self.layers]
        rates = [self.rate, *[self.later_rate] * len(self.layers)]
        caps = [rate / (count + 1) for rate, count in zip(rates, below, strict=True)]
        length = LOWEST * self.steady
        self.classes_ = classes
        self.networks_ = [
            new_network(
                inputs,
                [[1 << self.planes] * size for size in sizes],
                [inverse_time(cap * self.steady, cap, length) for cap in caps],
                start=[0.0] + [None] * len(self.layers),
                weight_bound=self.weight_bound,
            )
            for _ in range(len(classes) if len(classes) > 2 else 1)
        ]
        self._planes = random_planes(random, (sum(sizes), self.planes, inputs), self.offsets)
        self._scale = RunningScale(inputs) if self.scale else Unscaled()
        return random

    def _learn(self, X: Any, y: Any, order: Any) -> None:
        for batch in batches(order, X.shape[1]):
            inputs = self._scale.count(dense(X[batch]))
            contexts = half_space_contexts(inputs, *self._planes)
            labels = self.classes_[-len(self.networks_) :]
            for network, label in zip(self.networks_, labels, strict=True):
                learn(network, inputs, contexts, y[batch] == label)

    def _check_parameters(self) -> None:
        if not isinstance(self.scale, (bool, np.bool_)):
            raise ValueError(f"scale must be True or False, not {self.scale!r}")
        check_parameters(self)
