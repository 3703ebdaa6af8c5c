"""Three spiral arms in the plane, told apart in one pass: ``python -m bench.paper.spiral``.

Section 6.1: one network for each class (*one against all*), of 50, 25 and 1 neurons. Every neuron
has one half-space of the plane, ``x . normal >= offset``, normals drawn with a standard deviation
of 6 and offsets of 3; weights lie in [-200, 200]; the rate is 0.01 throughout. The base predictions
are the logistic function of the two coordinates, so that these are the logits. The switching
mixture over all neurons is each network's answer, and the highest of the three names the class.

The paper leaves open what the spiral is. Here each arm makes one full turn while its radius grows
from 0.1 to 1. Points are drawn uniformly along it, with normal noise of 0.02; where arms are
nearest, at the centre, they are 0.17 apart.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from bench.paper import PICTURES
from glnzip.gln import (
    Network,
    Switching,
    constant,
    half_spaces,
    learn_switching,
    new_network,
    new_switching,
    predict_mixture,
    predict_neurons,
)

CLASSES = 3
LAYERS = (50, 25, 1)
RATE = 0.01
WEIGHT_BOUND = 200.0
NORMAL_SPREAD, OFFSET_SPREAD = 6.0, 3.0  # the paper's variances are 36 and 9
NOISE = 0.02
FULL, QUICK = 30_000, 10_000


class Classifier(NamedTuple):
    """One network and one mixture for each class; all have the same half-spaces.

    Attributes
    ----------
    normals : float64[neurons, 2]
    offsets : float64[neurons]
    networks : list of Network
    mixtures : list of Switching
    """

    normals: Any
    offsets: Any
    networks: list[Network]
    mixtures: list[Switching]

    def contexts(self, points: Any) -> Any:
        """On which side of each half-space's border the points are: bool[n, neurons]."""
        return half_spaces(points, self.normals, self.offsets)

    def learn(self, points: Any, classes: Any) -> Any:
        """One pass: the class predicted for each point before it was learned."""
        contexts = self.contexts(points)
        answers = [
            learn_switching(mixture, network, points, contexts, classes == k)[0]
            for k, (mixture, network) in enumerate(zip(self.mixtures, self.networks, strict=True))
        ]
        return np.argmax(answers, axis=0)

    def classify(self, points: Any, neuron: int | None = None) -> Any:
        """The class of each point, as one neuron of every network says, or the mixtures."""
        contexts = self.contexts(points)
        answers = [
            predict_mixture(mixture, network, points, contexts)
            if neuron is None
            else predict_neurons(network, points, contexts)[:, neuron]
            for mixture, network in zip(self.mixtures, self.networks, strict=True)
        ]
        return np.argmax(answers, axis=0)


class Result(NamedTuple):
    """What one pass has learned.

    Attributes
    ----------
    points : float64[n, 2]
    classes : int64[n]
    classifier : Classifier
    right : float
        Share of the points that the mixture tells rightly after the pass.
    right_before : float
        The same of the pass itself: every point before it was learned.
    """

    points: Any
    classes: Any
    classifier: Classifier
    right: float
    right_before: float


def spiral(count: int, random: np.random.Generator) -> tuple[Any, Any]:
    """Points of the three arms and the arm of each, in random order."""
    arm = random.integers(0, CLASSES, count)
    along = random.random(count)
    radius = 0.1 + 0.9 * along
    angle = 2 * np.pi * (along + arm / CLASSES)
    points = radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return points + random.normal(0, NOISE, points.shape), arm


def new_classifier(random: np.random.Generator) -> Classifier:
    """Draw the half-spaces; the networks know nothing yet."""
    networks = [
        new_network(
            2,
            [[2] * count for count in LAYERS],
            [constant(RATE)] * len(LAYERS),
            start=[None] * len(LAYERS),
            weight_bound=WEIGHT_BOUND,
        )
        for _ in range(CLASSES)
    ]
    neurons = sum(LAYERS)
    return Classifier(
        normals=random.normal(0, NORMAL_SPREAD, (neurons, 2)),
        offsets=random.normal(0, OFFSET_SPREAD, neurons),
        networks=networks,
        mixtures=[new_switching(network) for network in networks],
    )


def run(count: int, seed: int) -> Result:
    """Draw `count` points and a classifier, and show it every point once."""
    random = np.random.default_rng(seed)
    points, classes = spiral(count, random)
    classifier = new_classifier(random)
    right_before = float((classifier.learn(points, classes) == classes).mean())
    right = float((classifier.classify(points) == classes).mean())
    return Result(points, classes, classifier, right, right_before)


def figure(result: Result, path: Path) -> None:
    """Draw the regions of a neuron of each layer and of the mixture, under some of the points."""
    from matplotlib.figure import Figure

    side = np.linspace(-1.2, 1.2, 241)
    plane = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    some = slice(0, 600)
    canvas = Figure(figsize=(11, 3), layout="constrained")
    bottom, middle, top = np.cumsum(LAYERS) - 1
    shown = {
        "a neuron of the first layer": bottom,
        "a neuron of the second layer": middle,
        "the last neuron": top,
        "the switching mixture": None,
    }
    panels = canvas.subplots(1, len(shown), sharey=True)
    for axes, (name, neuron) in zip(panels, shown.items(), strict=True):
        regions = result.classifier.classify(plane, neuron).reshape(len(side), len(side))
        axes.pcolormesh(side, side, regions, cmap="viridis", alpha=0.4, vmin=0, vmax=CLASSES - 1)
        axes.scatter(*result.points[some].T, c=result.classes[some], s=3, cmap="viridis")
        axes.set(aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1], xlabel=name)
    canvas.savefig(path, dpi=80)


@click.command()
@click.option("--output", type=click.Path(path_type=Path), default=PICTURES, help="For pictures.")
@click.option("--quick", is_flag=True, help=f"{QUICK:,} points instead of {FULL:,}.")
def main(output: Path, quick: bool) -> None:
    """Learn three spiral arms in one pass; draw what neurons and mixture make of the plane."""
    count = QUICK if quick else FULL
    results = [run(count, seed) for seed in range(5)]
    for seed, result in enumerate(results):
        click.echo(
            f"seed {seed}: of {count:,} points {result.right:.2%} right after one pass,"
            f" {result.right_before:.2%} before each was learned"
        )
    output.mkdir(parents=True, exist_ok=True)
    figure(results[0], output / "spiral.png")


if __name__ == "__main__":
    main()
