"""The transformer: the distances of `ncd_matrix`, and what scikit-learn expects of an estimator."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.exceptions import NotFittedError
from sklearn.metrics import silhouette_score
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks as checks

import glnzip
from glnzip.distances.transformer import NCDTransformer
from glnzip.jit import jit_is_on

pytestmark = pytest.mark.skipif(not jit_is_on(), reason="takes many minutes without the JIT")

PROSE = [
    "The old road went down to the river, and the road went on behind it.",
    "Behind the river there was an old mill, and the old mill was still.",
    "There was nothing on the road but the river and the old still water.",
]
CODE = [
    "for (int i = 0; i < count; i++) { total += values[i]; }",
    "for (int j = 0; j < total; j++) { values[j] = count; }",
    "int total = 0; for (int i = 0; i < 9; i++) { total += i; }",
]
TEXTS = PROSE + CODE
LABELS = ["prose"] * 3 + ["code"] * 3
CHECKS = (
    checks.check_estimator_cloneable,
    checks.check_estimator_repr,
    checks.check_estimator_tags_renamed,
    checks.check_get_params_invariance,
    checks.check_no_attributes_set_in_init,
    checks.check_set_params,
    checks.check_valid_tag_types,
)


def transformer(**options: object) -> NCDTransformer:
    return NCDTransformer(level=1, prior=None, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_scikit_learn_s_own_checks(check) -> None:
    """Those that give an estimator no numbers; `check_estimator` itself has none for such data."""
    check("NCDTransformer", NCDTransformer())


def test_it_gives_the_distances() -> None:
    model = transformer().fit(TEXTS[:2])
    distances = model.transform(TEXTS[2:])
    data = [text.encode() for text in TEXTS]
    assert np.array_equal(distances, glnzip.ncd_matrix(data[2:], data[:2], level=1, prior=None))
    for same in (data[2:], map(bytearray, data[2:]), np.array(TEXTS[2:]), tuple(TEXTS[2:])):
        assert np.array_equal(model.transform(same), distances)


def test_the_order_can_be_evened_out() -> None:
    there, evened = (
        transformer(symmetric=symmetric, threads=2).fit_transform(TEXTS)
        for symmetric in (False, True)
    )
    assert not np.array_equal(there, there.T)
    assert np.array_equal(evened, evened.T)
    off = ~np.eye(len(TEXTS), dtype=bool)
    assert np.array_equal(evened[off], ((there + there.T) / 2)[off])
    assert not np.diag(evened).any()
    model = transformer(symmetric=True).fit(TEXTS)
    assert np.array_equal(model.transform(TEXTS[:2]), evened[:2])
    assert silhouette_score(evened, LABELS, metric="precomputed") > 0.1


def test_neighbours() -> None:
    nearest = KNeighborsClassifier(1, metric="precomputed")
    model = make_pipeline(transformer(), nearest).fit(TEXTS[1:5], LABELS[1:5])
    assert model.predict([TEXTS[0], TEXTS[5]]).tolist() == ["prose", "code"]
    again = pickle.loads(pickle.dumps(model))
    assert again.predict([TEXTS[5]]).tolist() == ["code"]


def test_parameters_can_be_searched() -> None:
    model = make_pipeline(transformer(), KNeighborsClassifier(1, metric="precomputed"))
    grid = {"ncdtransformer__symmetric": [False, True]}
    search = GridSearchCV(model, grid, cv=3, error_score="raise").fit(TEXTS, LABELS)
    assert search.best_score_ > 0.5


@pytest.mark.parametrize(
    "clusters",
    [
        AgglomerativeClustering(2, metric="precomputed", linkage="average"),
        DBSCAN(eps=0.8, min_samples=2, metric="precomputed"),
    ],
    ids=["agglomerative", "DBSCAN"],
)
def test_clusters(clusters) -> None:
    found = make_pipeline(transformer(symmetric=True), clusters).fit_predict(TEXTS)
    assert found[:3].tolist() == [found[0]] * 3
    assert found[3:].tolist() == [found[3]] * 3
    assert found[0] != found[3]


def test_names_of_features() -> None:
    names = transformer().fit(TEXTS[:2]).get_feature_names_out()
    assert names.tolist() == ["ncdtransformer0", "ncdtransformer1"]


def test_copies() -> None:
    """A prior is copied with the estimator, and means the same."""
    prior = glnzip.Prior(glnzip.compress(PROSE[0].encode(), level=1, prior=None))
    model = NCDTransformer(level=1, prior=prior).fit(TEXTS[:2])
    assert not hasattr(clone(model), "references_")
    copy = pickle.loads(pickle.dumps(model))
    assert copy.get_params() == model.get_params()
    assert np.array_equal(copy.transform(TEXTS[2:3]), model.transform(TEXTS[2:3]))


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(NotFittedError):
        transformer().transform(TEXTS)
    with pytest.raises(ValueError, match="single one"):
        transformer().fit("text")
    with pytest.raises(ValueError, match="at least"):
        transformer().fit([])
    with pytest.raises(TypeError):
        transformer().fit([1, 2])
    with pytest.raises(ValueError, match="level"):
        NCDTransformer(level=0).fit(TEXTS).transform(TEXTS)


def test_without_scikit_learn_the_error_names_the_extra() -> None:
    program = "import sys; sys.modules['sklearn'] = None; import glnzip.distances.transformer"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'glnzip[sklearn]'" in run.stderr
