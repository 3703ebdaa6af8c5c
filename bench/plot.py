"""Size against speed, drawn from saved results: ``python -m bench.plot [RESULTS.json]``.

Programs run in that session are dots; recorded ones are rings. Speed is compression speed as a
multiple of ``zpaq -m5 -t1``, so a program with no known multiple is not drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import click

from bench import report
from bench.results import FOLDER, Session

PICTURE = FOLDER.parent.parent / "docs" / "size_against_speed.png"


class NothingToDraw(Exception):
    """No program of the session has a speed relative to zpaq."""


class Point(NamedTuple):
    """One program."""

    program: str
    times_zpaq: float
    packed_bytes: int
    run_here: bool

    def crowds(self, other: Point) -> bool:
        """Whether the labels of the two would run into each other."""
        nearly_as_fast = 1 / 6 < self.times_zpaq / other.times_zpaq < 6
        nearly_as_small = 0.97 < self.packed_bytes / other.packed_bytes < 1.03
        return nearly_as_fast and nearly_as_small


class LabelPlace(NamedTuple):
    """Where a label stands: its offset in points, and how it is aligned there."""

    offset: tuple[int, int]
    ha: Literal["left", "center", "right"]


RIGHT, BELOW, LEFT = (
    LabelPlace((7, 4), "left"),
    LabelPlace((0, -14), "center"),
    LabelPlace((-7, 4), "right"),
)


def points(session: Session, set_name: str) -> list[Point]:
    """Return every program whose speed is known as a multiple of zpaq's, slowest first."""
    totals = report.all_totals(session, set_name)
    found = []
    for total in totals:
        multiple = report.speed_ratio(total, totals)
        if multiple is not None:
            run_here = total.source == "this run"
            found.append(Point(total.program, multiple, total.packed_bytes, run_here))
    if not any(point.run_here for point in found):
        raise NothingToDraw("run the benchmark with zpaq among its peers first")
    return sorted(found, key=lambda point: point.times_zpaq)


def label_place(point: Point, all_points: Sequence[Point]) -> LabelPlace:
    """Return a place that keeps the label clear of its neighbours' (up to three in a crowd)."""
    crowd = [other for other in all_points if point.crowds(other)]
    places = {1: (RIGHT,), 2: (LEFT, RIGHT)}.get(len(crowd), (LEFT, BELOW, RIGHT))
    return places[crowd.index(point) % len(places)]


def draw(session: Session, set_name: str, picture: Path) -> None:
    """Draw one set's programs into `picture`."""
    import matplotlib

    matplotlib.use("Agg")  # a file is drawn; no display is needed
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 6), layout="constrained")
    drawn = points(session, set_name)
    for point in drawn:
        at = (point.times_zpaq, point.packed_bytes)
        colour = "tab:red" if point.program.startswith("glnzip") else "tab:blue"
        face = colour if point.run_here else "none"
        axes.scatter(*at, s=50, edgecolors=colour, facecolors=face)
        offset, alignment = label_place(point, drawn)
        axes.annotate(
            point.program, at, offset, textcoords="offset points", ha=alignment, fontsize=8
        )
    axes.set_xscale("log")
    axes.margins(x=0.3)
    axes.set_xlabel("compression speed as a multiple of zpaq -m5 -t1 (right is faster)")
    axes.set_ylabel(f"bytes, {set_name} (lower is smaller)")
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.grid(alpha=0.3)
    axes.set_title("dots: run together; rings: recorded", fontsize=9)
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture, dpi=120)
    pyplot.close(figure)


@click.command()
@click.argument(
    "results", type=click.Path(exists=True, path_type=Path), default=FOLDER / "latest.json"
)
@click.option("--set", "set_name", default="calgary14", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=PICTURE)
def main(results: Path, set_name: str, out: Path) -> None:
    """Draw size against speed from RESULTS (default: bench/results/latest.json)."""
    session = Session.load(results)
    if set_name not in session.set_names:
        raise click.ClickException(f"{results} has no results for {set_name}")
    try:
        draw(session, set_name, out)
    except NothingToDraw as reason:
        raise click.ClickException(str(reason)) from reason
    click.echo(f"drawn: {out}")


if __name__ == "__main__":
    main()
