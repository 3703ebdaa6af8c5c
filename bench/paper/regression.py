"""Tables of numbers, one of them to be predicted: ``python -m bench.paper.regression``.

The benchmark of Budden and others, "Gaussian Gated Linear Networks" (2020), on the sets and by the
rules of Hernandez-Lobato and Adams, "Probabilistic Backpropagation for Scalable Learning of
Bayesian Neural Networks" (2015). Each set is split at random, twenty times, into nine tenths to
learn from and one tenth for the test; features and target are scaled by the part to learn from. The
figures are the root of the mean squared error and the mean logarithm of the density, both in the
unit of the target, each with the standard error of its mean over the splits.

What else learns in the same run has one standard deviation for all predictions: the linear model
that of its residues, the forest that of what trees say of examples they have not seen, and the
network of fifty neurons (the size in that benchmark) that of its residues, which are too small.

Diabetes is a part of scikit-learn. Boston and auto-mpg are read from the package mlxtend where it
is installed. Any set, of these names or others, is read from ``NAME.csv`` where there is such a
file in the folder named by the environment variable ``GLNZIP_DATA``, else ``corpora/data/paper``:
numbers with commas between them, an example in each line, the target last; a first line of names
does no harm. Friedman is made up: ten uniform numbers, five of which matter, and normal noise of
variance 1. It is the same at every run.

The defaults of `GLNRegressor` were chosen by other splits of Boston, auto-mpg, diabetes and
Friedman, so what it does on these is a little flattered. All other sets were not looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import corpora
from bench.paper.data import folder
from glnzip.gln.regressor import GLNRegressor

SPLITS = 20
FIRST_SEED = 100  # those below served to choose defaults
UCI = ("boston", "concrete", "energy", "kin8nm", "naval", "power", "protein", "wine", "yacht")
OTHERS = ("auto-mpg", "diabetes", "friedman")
_PACKAGED = {
    "boston": ("boston_housing.csv", None),
    "auto-mpg": ("autompg.csv.gz", (0, 1, 2, 3, 4, 5, 6, 8)),  # all but the name of the car
}

Prediction = tuple[Any, Any]  # means and standard deviations of the test's targets


class Examples(NamedTuple):
    """A set: features float64[n, d], targets float64[n]."""

    features: Any
    targets: Any


class Score(NamedTuple):
    """Of each split: root mean squared error, mean log density, seconds to learn and predict."""

    errors: Any
    densities: Any
    seconds: Any


def load(name: str) -> Examples:
    """A set by its name, or `corpora.CorpusMissing` with the reason."""
    file = folder() / f"{name}.csv"
    columns = None
    if not file.is_file():
        if name == "diabetes":
            return Examples(*load_diabetes(return_X_y=True))
        if name == "friedman":
            return Examples(*make_friedman1(1500, noise=1.0, random_state=0))
        packaged = find_spec("mlxtend") if name in _PACKAGED else None
        if packaged is None or not packaged.submodule_search_locations:
            package = ", or install mlxtend" if name in _PACKAGED else ""
            raise corpora.CorpusMissing(f"{name}: set GLNZIP_DATA to where {name}.csv is{package}")
        named, columns = _PACKAGED[name]
        file = Path(packaged.submodule_search_locations[0]) / "data" / "data" / named
    rows = np.genfromtxt(file, delimiter=",", usecols=columns)
    if rows.ndim != 2:
        raise corpora.CorpusMissing(f"{file.name} is no table of numbers")
    rows = rows[np.isfinite(rows).all(axis=1)]  # without the names, and without what is not known
    if len(rows) < 2 or rows.shape[1] < 2:
        raise corpora.CorpusMissing(f"{file.name} has no examples with a feature and a target")
    return Examples(rows[:, :-1], rows[:, -1])


def gln(model: GLNRegressor, train: Examples, features: Any, seed: int) -> Prediction:
    """Every prediction has a deviation of its own."""
    model = GLNRegressor(**{**model.get_params(), "random_state": seed}).fit(*train)
    means, deviations = model.predict(features, return_std=True)
    return means, deviations


def linear(train: Examples, features: Any, seed: int) -> Prediction:
    """Least squares."""
    model = LinearRegression().fit(*train)
    left = train.targets - model.predict(train.features)
    freedom = max(1, len(left) - train.features.shape[1] - 1)
    return model.predict(features), np.sqrt(np.sum(left**2) / freedom)


def forest(train: Examples, features: Any, seed: int) -> Prediction:
    """A hundred trees."""
    model = RandomForestRegressor(100, oob_score=True, random_state=seed).fit(*train)
    return model.predict(features), np.std(train.targets - model.oob_prediction_)


def perceptron(train: Examples, features: Any, seed: int) -> Prediction:
    """One hidden layer of fifty neurons, a tenth kept aside to know when to stop."""
    network = MLPRegressor(
        hidden_layer_sizes=(50,), early_stopping=True, max_iter=1000, random_state=seed
    )
    model = TransformedTargetRegressor(
        make_pipeline(StandardScaler(), network), transformer=StandardScaler()
    ).fit(*train)
    left = train.targets - model.predict(train.features)
    return model.predict(features), np.std(left)


def run(
    examples: Examples, learner: Callable[[Examples, Any, int], Prediction], splits: int
) -> Score:
    """Let a learner learn and predict each split."""
    scores = []
    for seed in range(FIRST_SEED, FIRST_SEED + splits):
        order = np.random.default_rng(seed).permutation(len(examples.targets))
        train, test = np.split(order, [round(0.9 * len(order))])
        start = time.perf_counter()
        means, deviations = learner(
            Examples(*(a[train] for a in examples)), examples.features[test], seed
        )
        seconds = time.perf_counter() - start
        errors = examples.targets[test] - means
        densities = -0.5 * np.log(2 * np.pi * deviations**2) - 0.5 * (errors / deviations) ** 2
        scores.append((np.sqrt(np.mean(errors**2)), np.mean(densities), seconds))
    return Score(*np.transpose(scores))


def with_error(values: Any) -> str:
    """As ``2.97 +- 0.18``: a mean and its standard error."""
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{values.mean():.3f} +- {error:.3f}"


@click.command()
@click.argument("names", nargs=-1)
@click.option("--splits", default=SPLITS, show_default=True, help="Random splits of each set.")
@click.option("--passes", type=int, help="Of the GLN; else its default.")
@click.option("--alone", is_flag=True, help="Only the GLN.")
def main(names: Sequence[str], splits: int, passes: int | None, alone: bool) -> None:
    """Learn NAMES, or all sets that are there, and print errors and densities."""
    model = GLNRegressor() if passes is None else GLNRegressor(passes=passes)
    learners: dict[str, Callable[[Examples, Any, int], Prediction]] = {
        f"GLN, {model.passes} passes": lambda *arguments: gln(model, *arguments)
    }
    if not alone:
        learners |= {"linear": linear, "forest": forest, "50 neurons": perceptron}
    missing = []
    click.echo(
        f"{'set':10} {'n':>6} {'d':>3} {'learner':16} {'error':>17} {'log density':>17}    s"
    )
    for name in names or (*UCI, *OTHERS):
        try:
            examples = load(name)
        except corpora.CorpusMissing as reason:
            missing.append(str(reason))
            continue
        shape = f"{examples.features.shape[0]:6} {examples.features.shape[1]:3}"
        for learner, learn in learners.items():
            score = run(examples, learn, splits)
            figures = f"{with_error(score.errors):>17} {with_error(score.densities):>17}"
            click.echo(f"{name:10} {shape} {learner:16} {figures} {score.seconds.mean():4.1f}")
    for line in missing:
        click.echo(f"missing: {line}", err=True)
    if missing and names:
        raise click.ClickException("not all sets are there")


if __name__ == "__main__":
    main()
