"""What can be expressed with half-spaces on a line (section 4): ``python -m bench.paper.capacity``.

The probability of a one is ``f(z) = exp(-z^2 / 2)`` for z between -3 and 3. A network is told z
only through its gates, each of which says whether z is at or above one offset; its base prediction
is a constant. So every neuron's output is constant on the pieces into which the offsets cut the
line. Two networks learn online, from z drawn uniformly and bits drawn with ``f(z)``:

deep   six layers of 3, 2, 2, 2, 2, 1 neurons, whose offsets are drawn uniformly;
wide   100 neurons with evenly spaced offsets, and one on top whose offset is 0.

The best that any function constant on the pieces can do, in log loss and in squared error, is the
mean of f on each: `Fit.pieces`. Its distance from f is told beside the network's own.

Rates and the number of examples are choices of ours; see `RATES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from bench.paper import PICTURES
from glnzip.gln import decaying, half_spaces, learn, new_network, predict_neurons

EDGE = 3.0
GRID = np.linspace(-EDGE, EDGE, 1201)
DEEP = (3, 2, 2, 2, 2, 1)
WIDE = (100, 1)
FULL, QUICK = 1_000_000, 100_000  # examples
WIDEST_IN_BOXES = 10  # neurons of wider layers share one

# The first layer sees a constant and has but to average. The layers above see inputs that are very
# like each other: their steps are small for long, and become smaller in time.
RATES = decaying(0.5, 1e-5, 20, 1_000_000), decaying(0.01, 1e-4, 10_000, 1_000_000)


class Fit(NamedTuple):
    """What a network has learned.

    Attributes
    ----------
    layers : tuple of int
        Number of neurons in each layer.
    offsets : float64[neurons]
        Where each neuron's half-space begins.
    outputs : float64[points, neurons]
        Every neuron's probability of a one on `GRID`.
    """

    layers: tuple[int, ...]
    offsets: Any
    outputs: Any

    @property
    def errors(self) -> Any:
        """Distance of the last neuron's output from f, on the grid."""
        return np.abs(self.outputs[:, -1] - bell(GRID))

    def mean_error(self) -> float:
        """Mean of `errors`."""
        return float(self.errors.mean())

    @property
    def pieces(self) -> Any:
        """Mean of f on each piece, on the grid: the best that these half-spaces allow."""
        piece = (GRID[:, None] >= self.offsets).sum(axis=1)
        return (np.bincount(piece, bell(GRID)) / np.maximum(np.bincount(piece), 1))[piece]

    @property
    def least_errors(self) -> Any:
        """Distance of `pieces` from f."""
        return np.abs(self.pieces - bell(GRID))


def bell(z: Any) -> Any:
    """The function to be learned: the probability of a one at z."""
    return np.exp(-0.5 * np.square(z))


def sides(z: Any, offsets: Any) -> Any:
    """The contexts of half-spaces on a line: bool[n, neurons]."""
    return half_spaces(np.asarray(z)[:, None], np.ones((len(offsets), 1)), offsets)


def constants(count: int) -> Any:
    """The only base prediction: float32[n, 1]."""
    return np.ones((count, 1), np.float32)


def examples(count: int, random: np.random.Generator) -> tuple[Any, Any]:
    """Points of the line and their bits."""
    z = random.uniform(-EDGE, EDGE, count)
    return z, (random.random(count) < bell(z)).astype(np.uint8)


def random_offsets(layers: Sequence[int], random: np.random.Generator) -> Any:
    """One offset for each neuron, drawn uniformly."""
    return random.uniform(-EDGE, EDGE, sum(layers))


def even_offsets(layers: Sequence[int]) -> Any:
    """Evenly spaced offsets in each layer; a single neuron's is 0."""
    return np.concatenate([np.linspace(-EDGE, EDGE, count + 2)[1:-1] for count in layers])


def run(layers: tuple[int, ...], offsets: Any, count: int, random: np.random.Generator) -> Fit:
    """Learn `count` examples online, then ask every neuron about the whole line."""
    rows = [[2] * neurons for neurons in layers]
    rates = [RATES[min(layer, 1)] for layer in range(len(layers))]
    network = new_network(1, rows, rates, start=[None] * len(layers))
    z, bits = examples(count, random)
    learn(network, constants(count), sides(z, offsets), bits)
    logits = predict_neurons(network, constants(len(GRID)), sides(GRID, offsets))
    return Fit(layers, offsets, 1.0 / (1.0 + np.exp(-logits.astype(float))))


def deep(count: int, seed: int) -> Fit:
    """The network of six layers."""
    random = np.random.default_rng(seed)
    return run(DEEP, random_offsets(DEEP, random), count, random)


def wide(count: int, seed: int) -> Fit:
    """The network of two layers."""
    return run(WIDE, even_offsets(WIDE), count, np.random.default_rng(seed))


def figure(fit: Fit, path: Path) -> None:
    """Draw every neuron's output over z, the last layer on top; a wide layer shares one box."""
    from matplotlib.figure import Figure

    canvas = Figure(figsize=(8, 1.4 * len(fit.layers) + 0.6), layout="constrained")
    rows = canvas.subfigures(len(fit.layers), 1, squeeze=False)[::-1, 0]
    ends = np.cumsum(fit.layers)
    for layer, (row, count, end) in enumerate(zip(rows, fit.layers, ends, strict=True)):
        boxes = count if count <= WIDEST_IN_BOXES else 1
        neurons = np.arange(end - count, end).reshape(boxes, -1)
        for axes, shown in zip(row.subplots(1, boxes, squeeze=False)[0], neurons, strict=True):
            axes.plot(GRID, bell(GRID), "k", linewidth=1)
            alone = len(shown) == 1
            axes.plot(GRID, fit.outputs[:, shown], f"C{layer}", linewidth=1.5 if alone else 0.3)
            if alone:
                axes.axvline(fit.offsets[shown[0]], color=f"C{layer}", linestyle=":", linewidth=1)
            axes.set(ylim=(-0.05, 1.05), yticks=[0, 1], xticks=[-3, 0, 3])
    canvas.supxlabel("z")
    canvas.supylabel("probability of a one")
    canvas.savefig(path, dpi=80)


def report(name: str, fits: Sequence[Fit]) -> None:
    """Print the errors of the middle one of some fits, and their spread."""
    middle = fits[len(fits) // 2]
    for what, measure in (("largest", np.max), ("mean", np.mean)):
        errors = [measure(fit.errors) for fit in fits]
        click.echo(
            f"{name}: {what} error {measure(middle.errors):.4f} ({min(errors):.4f} to"
            f" {max(errors):.4f}); the best on its pieces {measure(middle.least_errors):.4f}"
        )


@click.command()
@click.option("--output", type=click.Path(path_type=Path), default=PICTURES, help="For pictures.")
@click.option("--quick", is_flag=True, help="A tenth of the examples, one seed.")
def main(output: Path, quick: bool) -> None:
    """Learn a bell curve with half-spaces on a line; draw what every neuron says.

    Of several seeds the one of the middle mean error is drawn and told, with the spread over all.
    """
    count, seeds = (QUICK, 1) if quick else (FULL, 5)
    output.mkdir(parents=True, exist_ok=True)
    for name, fit in (("deep", deep), ("wide", wide)):
        fits = sorted((fit(count, seed) for seed in range(seeds)), key=Fit.mean_error)
        report(name, fits)
        figure(fits[len(fits) // 2], output / f"capacity_{name}.png")


if __name__ == "__main__":
    main()
