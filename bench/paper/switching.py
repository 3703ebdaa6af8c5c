"""Which neurons are believed, and when (section 5.3): ``python -m bench.paper.switching``.

The paper's network, six layers of 3/2/2/2/2/1 neurons, learns the bell curve of
`bench.paper.capacity` from half-spaces that are drawn at random, and the switching mixture over all
its neurons is the answer. A neuron of the first layer has two probabilities to learn and is soon
done, but can do no better than a step. Higher neurons combine more steps, and need longer. So the
mixture follows low layers at first, and moves up; all the way it loses less than the last neuron
alone.

The paper leaves the rates open. Here all weights start at zero, so that no layer knows anything
before it has learned it, and rates fall with time, divided by the number of inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from bench.paper import PICTURES
from bench.paper.capacity import DEEP, GRID, bell, constants, examples, random_offsets, sides
from glnzip.gln import (
    Network,
    decaying,
    learn,
    learn_switching,
    new_network,
    new_switching,
    predict_mixture,
)

LAYERS = DEEP
FIRST_RATE = decaying(1.0, 1e-3, 300, 100_000)
LATER_RATE = decaying(0.3, 3e-3, 300, 100_000)
FITS_AT = (1000, 2000, 4000)
FULL = 20_000  # examples; the last fit


class Course(NamedTuple):
    """How learning went.

    Attributes
    ----------
    fits : dict of int to float32[points]
        The mixture's probability of a one on `GRID`, after so many examples.
    shares : float64[n, layers]
        What each layer's neurons weigh in the mixture before each example.
    mixture_loss, last_loss : float64[n]
        Natural logarithms: the loss of the mixture and of the last neuron on each example.
    """

    fits: dict[int, Any]
    shares: Any
    mixture_loss: Any
    last_loss: Any


def new_bell_network() -> Network:
    """The network, which knows nothing yet."""
    inputs = (1, *LAYERS[:-1])
    rates = [
        (LATER_RATE if layer else FIRST_RATE) / (count + 1) for layer, count in enumerate(inputs)
    ]
    return new_network(1, [[2] * count for count in LAYERS], rates, start=[0.0] * len(LAYERS))


def log_loss(probabilities: Any, bits: Any) -> Any:
    """What each bit costs."""
    return -np.log(np.where(bits, probabilities, 1.0 - probabilities))


def run(count: int, seed: int, fits_at: Sequence[int] = FITS_AT) -> Course:
    """Learn `count` examples online; look at the fit at some times and at the end."""
    random = np.random.default_rng(seed)
    offsets = random_offsets(LAYERS, random)
    z, bits = examples(count, random)
    contexts = sides(z, offsets)
    network = new_bell_network()
    mixture = new_switching(network)
    fits, parts = {}, []
    for start, stop in zip((0, *fits_at), (*fits_at, count), strict=True):
        now = slice(start, stop)
        shown = constants(stop - start), contexts[now], bits[now]
        parts.append(learn_switching(mixture, network, *shown))
        fits[stop] = predict_mixture(mixture, network, constants(len(GRID)), sides(GRID, offsets))
    probabilities, shares = map(np.concatenate, zip(*parts, strict=True))
    alone = learn(new_bell_network(), constants(count), contexts, bits).astype(float)
    layer_starts = np.cumsum((0, *LAYERS[:-1]))
    return Course(
        fits=fits,
        shares=np.add.reduceat(shares, layer_starts, axis=1),
        mixture_loss=log_loss(probabilities.astype(float), bits),
        last_loss=np.logaddexp(0.0, np.where(bits, -alone, alone)),
    )


def mean_error(course: Course, time: int) -> float:
    """Distance of one of the fits from the curve, on the grid."""
    return float(np.abs(course.fits[time] - bell(GRID)).mean())


def figure(courses: Sequence[Course], path: Path) -> None:
    """Draw the first one's fits above, and below them the mean of the layers' shares over time."""
    from matplotlib.figure import Figure

    course, shares = courses[0], np.mean([course.shares for course in courses], axis=0)
    canvas = Figure(figsize=(8, 5), layout="constrained")
    above, below = canvas.subfigures(2, 1, squeeze=False, height_ratios=[2, 3])[:, 0]
    panels = above.subplots(1, len(course.fits), sharey=True)
    for axes, (time, fit) in zip(panels, course.fits.items(), strict=True):
        axes.plot(GRID, bell(GRID), "k", linewidth=1)
        axes.plot(GRID, fit, "C3", linewidth=1.5)
        axes.set(ylim=(-0.05, 1.05), yticks=[0, 1], xticks=[-3, 0, 3], xlabel=f"z, t = {time:,}")
    panels[0].set_ylabel("probability of a one")
    times = np.unique(np.geomspace(1, len(shares), 500).astype(int))
    axes = below.subplots()
    names = [f"layer {i + 1}: {count} neurons" for i, count in enumerate(LAYERS)]
    names[-1] = "the topmost neuron"
    axes.stackplot(times, shares[times - 1].T, labels=names)
    for time in course.fits:
        axes.axvline(time, color="k", linestyle=":", linewidth=1)
    axes.set(xscale="log", xlim=(1, len(shares)), ylim=(0, 1))
    axes.set(xlabel="examples seen, t", ylabel="share of the mixture")
    axes.legend(loc="lower left", fontsize=8)
    canvas.savefig(path, dpi=80)


def report(courses: Sequence[Course]) -> None:
    """Print where the shares lay (mean of the seeds), the fits' errors, and the losses."""
    for time in (30, 100, *courses[0].fits):
        shares = np.mean([course.shares[time - 1] for course in courses], axis=0)
        click.echo(f"t = {time:6,}: shares of the layers " + " ".join(f"{x:.2f}" for x in shares))
    for time in courses[0].fits:
        errors = [mean_error(course, time) for course in courses]
        click.echo(
            f"t = {time:6,}: mean error {np.mean(errors):.4f}"
            f" ({min(errors):.4f} to {max(errors):.4f} over {len(courses)} seeds)"
        )
    mixture = np.mean([course.mixture_loss.mean() for course in courses])
    last = np.mean([course.last_loss.mean() for course in courses])
    click.echo(f"log loss per example: mixture {mixture:.4f}, last neuron alone {last:.4f}")


@click.command()
@click.option("--output", type=click.Path(path_type=Path), default=PICTURES, help="For pictures.")
@click.option("--quick", is_flag=True, help="One seed instead of five.")
def main(output: Path, quick: bool) -> None:
    """Follow the switching mixture while it learns a bell curve; draw its shares and fits."""
    courses = [run(FULL, seed) for seed in range(1 if quick else 5)]
    report(courses)
    output.mkdir(parents=True, exist_ok=True)
    figure(courses, output / "switching.png")


if __name__ == "__main__":
    main()
