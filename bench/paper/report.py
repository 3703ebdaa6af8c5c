"""All experiments, and ``docs/paper.md``: ``python -m bench.paper.report``.

Runs every experiment and writes what it found to ``docs/paper/results.json``, as soon as it is
found, and from there into the table of ``docs/paper.md``, between its two markers; all other text
there is written by hand. What an unfinished report has found so far lies in a folder of its own, so
that the same command goes on where it was interrupted; the folder is removed when all is done.

``--only NAME`` runs one experiment, ``--render`` none.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

import corpora
from bench.paper import PICTURES, capacity, density, mnist, spiral, switching
from bench.paper.binary_images import mnist_images
from corpora.fetch import write_whole

RESULTS = PICTURES / "results.json"
PAGE = PICTURES.parent / "paper.md"
HEADS = ["experiment", "paper", "here", "command", "seconds"]
MARKERS = "<!-- results -->\n", "<!-- /results -->\n"
WORK = corpora.HERE / "data" / "paper-runs" / "report"
SEEDS = range(5)

Figures = dict[str, Any]
Progress = Callable[[int], object]


def percent(share: float) -> str:
    """As ``98.51 %``."""
    return f"{share:.2%}".replace("%", " %")


def thousandths(number: float) -> str:
    """As ``0.012``."""
    return f"{number:.3f}"


def nats(number: float) -> str:
    """As ``84.76``."""
    return f"{number:.2f}"


class Row(NamedTuple):
    """A line of the table: what was measured, the paper's figure, and ours by name."""

    what: str
    paper: str
    figures: tuple[str, ...]
    form: Callable[[float], str] = percent  # several figures follow each other after slashes

    def ours(self, figures: Figures) -> str:
        """The figures as text; of several seeds' the least and the greatest."""
        return " / ".join(self._shown(figures[name]) for name in self.figures)

    def _shown(self, figure: Any) -> str:
        if not isinstance(figure, list):
            return self.form(figure)
        least, greatest = (self.form(end) for end in (min(figure), max(figure)))
        return least if least == greatest else f"{least} to {greatest}"


class Experiment(NamedTuple):
    """Something to run.

    Attributes
    ----------
    command : str
        What gives these figures on its own.
    length : int
        How far its progress counts.
    measure : callable
        Runs it, given a folder for what is unfinished and a function to show progress; returns
        figures by name, lists for several seeds.
    rows : sequence of Row
    """

    command: str
    length: int
    measure: Callable[[Path, Progress], Figures]
    rows: Sequence[Row]


class Result(NamedTuple):
    """What was found, by which command, in how many seconds, and when."""

    figures: Figures
    command: str
    seconds: float
    date: str


def digits(*settings: mnist.Settings) -> Callable[[Path, Progress], Figures]:
    """Accuracies on MNIST: of one run, or lists for several."""

    def measure(folder: Path, progress: Progress) -> Figures:
        runs = [mnist.run(one, folder, progress)._asdict() for one in settings]
        return runs[0] if len(runs) == 1 else {k: [run[k] for run in runs] for k in runs[0]}

    return measure


def pixels(settings: density.Settings) -> Callable[[Path, Progress], Figures]:
    """Nats for an image of binary MNIST."""

    def measure(folder: Path, progress: Progress) -> Figures:
        return density.run(settings, mnist_images(), range(784), folder, progress)._asdict()

    return measure


def spirals(folder: Path, progress: Progress) -> Figures:
    """Shares of points told rightly."""
    results = [spiral.run(spiral.FULL, seed) for seed in SEEDS]
    spiral.figure(results[0], PICTURES / "spiral.png")
    return {name: [getattr(r, name) for r in results] for name in ("right", "right_before")}


def bells(folder: Path, progress: Progress) -> Figures:
    """Errors of the two networks that learn a curve; the middle one of five is drawn."""
    figures = {}
    for name, fit in (("deep", capacity.deep), ("wide", capacity.wide)):
        fits = sorted((fit(capacity.FULL, seed) for seed in SEEDS), key=capacity.Fit.mean_error)
        capacity.figure(fits[len(fits) // 2], PICTURES / f"capacity_{name}.png")
        figures[f"{name}_mean"] = [fit.mean_error() for fit in fits]
        figures[f"{name}_largest"] = [float(fit.errors.max()) for fit in fits]
    return figures


def courses(folder: Path, progress: Progress) -> Figures:
    """Errors of the fits of a switching mixture, in the mean of the seeds; losses likewise."""
    runs = [switching.run(switching.FULL, seed) for seed in SEEDS]
    switching.figure(runs, PICTURES / "switching.png")
    figures = {
        f"error_{time}": float(np.mean([switching.mean_error(run, time) for run in runs]))
        for time in runs[0].fits
    }
    for name in ("mixture_loss", "last_loss"):
        figures[name] = float(np.mean([getattr(run, name).mean() for run in runs]))
    return figures


_DIGITS = ("online", "frozen")
_PARTS = ("valid", "test")
_WIDE = mnist.Settings()
_SMALL = [mnist.Settings((16, 16), seed=seed) for seed in SEEDS]
_OWN_PIXEL = density.alone(density.Settings())
_FITS = tuple(f"error_{time}" for time in (*switching.FITS_AT, switching.FULL))

EXPERIMENTS = {
    "capacity": Experiment(
        "python -m bench.paper.capacity",
        0,
        bells,
        [
            Row(
                "a bell curve by 3/2/2/2/2/1 neurons: mean / largest error, five seeds",
                "a figure",
                ("deep_mean", "deep_largest"),
                thousandths,
            ),
            Row(
                "the same by 100/1 neurons",
                "a figure",
                ("wide_mean", "wide_largest"),
                thousandths,
            ),
        ],
    ),
    "switching": Experiment(
        "python -m bench.paper.switching",
        0,
        courses,
        [
            Row(
                "fits of that curve while switching, mean error at t = "
                + " / ".join(f"{time:,}" for time in (*switching.FITS_AT, switching.FULL)),
                "a figure",
                _FITS,
                thousandths,
            )
        ],
    ),
    "spiral": Experiment(
        "python -m bench.paper.spiral",
        0,
        spirals,
        [
            Row(
                "spiral, switching mixture, points right after one pass, five seeds",
                "nearly perfect",
                ("right",),
            )
        ],
    ),
    "mnist-small": Experiment(
        "python -m bench.paper.mnist --width 16 --seed 0 (to 4)",
        len(SEEDS) * 700_000,
        digits(*_SMALL),
        [Row("16-16-1 instead of 1500-1500-1, online / frozen, five seeds", "", _DIGITS)],
    ),
    "density-as-printed": Experiment(
        "python -m bench.paper.density --as-printed",
        784,
        pixels(density.printed(density.Settings())),
        [Row("binary MNIST as printed: nats, validation / test", "79.0", _PARTS, nats)],
    ),
    "density-alone": Experiment(
        "python -m bench.paper.density --alone",
        784,
        pixels(_OWN_PIXEL),
        [Row("the same, inputs and rates of ours", "79.0", _PARTS, nats)],
    ),
    "density": Experiment(
        "python -m bench.paper.density",
        2 * 784 + density.SHARED_WORTH,
        pixels(density.Settings()),
        [Row("the same, networks share what pixels have in common", "79.0", _PARTS, nats)],
    ),
    "mnist": Experiment(
        "python -m bench.paper.mnist",
        700_000,
        digits(_WIDE),
        [
            Row("MNIST, one online pass, learning goes on while testing", "98.3 %", ("online",)),
            Row("the same, frozen for the test", "98.1 %", ("frozen",)),
        ],
    ),
    "mnist-skewed": Experiment(
        "python -m bench.paper.mnist --skewed",
        700_000,
        digits(_WIDE._replace(deskew=False)),
        [Row("without de-skewing, online / frozen", "96.9 %", _DIGITS)],
    ),
    "mnist-plain": Experiment(
        "python -m bench.paper.mnist --plain-images",
        700_000,
        digits(_WIDE._replace(plain=True)),
        [Row("images prepared as the paper says and no more, online / frozen", "", _DIGITS)],
    ),
    "mnist-as-printed": Experiment(
        "python -m bench.paper.mnist --plain-images --printed-rates",
        700_000,
        digits(_WIDE._replace(plain=True, printed_rates=True)),
        [Row("rates, too, as the paper prints them, online / frozen", "", _DIGITS)],
    ),
}


def load(file: Path) -> dict[str, Result]:
    """Results by the names of their experiments; none if there is no such file."""
    if not file.is_file():
        return {}
    return {name: Result(**row) for name, row in json.loads(file.read_text("utf-8")).items()}


def save(file: Path, results: dict[str, Result]) -> None:
    """Write results for `load`."""
    rows = {name: results[name]._asdict() for name in EXPERIMENTS if name in results}
    write_whole(file, (json.dumps(rows, indent=2) + "\n").encode())


def rendered(page: str, results: dict[str, Result]) -> str:
    """The page with the table of these results between its markers."""
    lines = []
    for name, experiment in EXPERIMENTS.items():
        if name in results:
            result = results[name]
            for number, row in enumerate(experiment.rows):
                how = "" if number else f"`{result.command}`"
                seconds = "" if number else f"{result.seconds:,.0f}"
                lines.append([row.what, row.paper, row.ours(result.figures), how, seconds])
    table = "".join(f"| {' | '.join(line)} |\n" for line in [HEADS, ["---"] * len(HEADS), *lines])
    before, rest = page.split(MARKERS[0])
    after = rest.split(MARKERS[1])[1]
    return before + MARKERS[0] + table + MARKERS[1] + after


def render() -> None:
    """Bring the page up to date."""
    page = PAGE.read_text("utf-8")
    write_whole(PAGE, rendered(page, load(RESULTS)).encode())


def measured(name: str, work: Path) -> Result:
    """Run an experiment; the time of interrupted runs counts too."""
    experiment = EXPERIMENTS[name]
    clock = work / "seconds"
    before = float(clock.read_text()) if clock.is_file() else 0.0
    start = time.perf_counter()
    try:
        with click.progressbar(length=experiment.length, label=name) as bar:
            figures = experiment.measure(work, bar.update)
    finally:
        seconds = before + time.perf_counter() - start
        write_whole(clock, str(seconds).encode())
    return Result(figures, experiment.command, round(seconds, 1), date.today().isoformat())


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(EXPERIMENTS)), help="Run these.")
@click.option("--render", "only_render", is_flag=True, help="Run nothing.")
def main(only: Sequence[str], only_render: bool) -> None:
    """Run the paper's experiments and write docs/paper.md."""
    if only_render:
        render()
        return
    done = {} if only else load(WORK / "results.json")
    for name in only or EXPERIMENTS:
        if name not in done:
            try:
                done[name] = measured(name, WORK / name)
            except corpora.CorpusMissing as reason:
                raise click.ClickException(str(reason)) from None
            save(RESULTS, load(RESULTS) | done)
            render()
            if not only:
                save(WORK / "results.json", done)
            shutil.rmtree(WORK / name)
    if not only:
        shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
