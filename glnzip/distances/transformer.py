"""`NCDTransformer`: compression distances behind the interface of scikit-learn (optional extra).

What is fitted are pieces of data, the *references*; what is transformed becomes its distances to
each of them. These serve as features, and, where the references are the examples themselves, as the
precomputed distances of neighbours and clusters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise ImportError(
        "glnzip.distances.transformer needs scikit-learn >= 1.6: pip install 'glnzip[sklearn]'"
    ) from error

from glnzip.distances.matrix import ncd_matrix
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.priors.prior import SHIPPED_PRIOR, Prior
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    from _typeshed import StrPath


class NCDTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """The normalised compression distances (`glnzip.ncd`) to the pieces of data that were fitted.

    Parameters
    ----------
    level : int
        1 (fast) to 9 (small).
    prior : Prior, path or None
        What the model has seen before the data, as for `glnzip.compress`.
    threads : int
        How many pieces are worked on at a time, each with two models in memory.
    symmetric : bool
        Whether a distance is the mean of both orders, those of the piece before the reference and
        behind it, and 0 for the same data: some methods ask for that, such as silhouettes. It takes
        twice as long, except for the references themselves.

    Attributes
    ----------
    references_ : list of bytes
        What was fitted; a str is encoded as UTF-8.

    Examples
    --------
    ::

        from sklearn.neighbors import KNeighborsClassifier
        from sklearn.pipeline import make_pipeline
        from glnzip.distances.transformer import NCDTransformer

        nearest = KNeighborsClassifier(1, metric="precomputed")
        model = make_pipeline(NCDTransformer(level=1), nearest)
        model.fit(["once upon a time there was", "int main(void) { return 0; }"], ["prose", "C"])
        print(model.predict(["for (i = 0; i < n; i++) { return i; }"]))     # ['C']
    """

    def __init__(
        self,
        *,
        level: int = DEFAULT_LEVEL,
        prior: Prior | StrPath | None = SHIPPED_PRIOR,
        threads: int = 1,
        symmetric: bool = False,
    ) -> None:
        self.level = level
        self.prior = prior
        self.threads = threads
        self.symmetric = symmetric

    def fit(self, X: Any, y: Any = None) -> NCDTransformer:
        """Remember these pieces of data.

        Parameters
        ----------
        X : sequence of str or bytes-like objects
        y : ignored
        """
        references = _as_bytes(X)
        if not references:
            raise ValueError("there must be one piece of data at least")
        self.references_ = references
        return self

    def transform(self, X: Any) -> Any:
        """The distances: float64[n, references].

        Parameters
        ----------
        X : sequence of str or bytes-like objects
        """
        check_is_fitted(self)
        pieces = _as_bytes(X)
        distances = self._distances(pieces, self.references_)
        if not self.symmetric:
            return distances
        known = pieces == self.references_
        backwards = distances if known else self._distances(self.references_, pieces)
        same = np.array([[piece == one for one in self.references_] for piece in pieces])
        return np.where(same, 0.0, (distances + backwards.T) / 2)

    def _distances(self, items: list[bytes], others: list[bytes]) -> Any:
        return ncd_matrix(items, others, level=self.level, prior=self.prior, threads=self.threads)

    @property
    def _n_features_out(self) -> int:
        """For the names of features: scikit-learn asks for it."""
        return len(self.references_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags


def _as_bytes(pieces: Iterable[Any]) -> list[bytes]:
    if isinstance(pieces, (str, bytes, bytearray, memoryview)):
        raise ValueError("a sequence of pieces of data is needed, not a single one")
    return [
        piece.encode() if isinstance(piece, str) else bytes(byte_view(piece)) for piece in pieces
    ]
