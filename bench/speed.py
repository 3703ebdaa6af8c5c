"""The speed yardstick: glnzip and ``zpaq -m5 -t1`` in turns on the same files, as ratios.

    python -m bench.speed --level 6 alice29.txt book1

KB/s of two machines, or of one machine an hour apart, cannot be compared; a ratio taken in turns
(glnzip, zpaq, glnzip, zpaq, ...) nearly can. What is timed: for glnzip one call of
`glnzip.compress` or `glnzip.decompress` with the kernels ready, the fresh model included; for zpaq
the whole process, from start to exit. The time zpaq takes for a file of one byte is printed too, so
that the share of its start-up can be seen. Each figure is the median of the rounds.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple

import click

import corpora
from bench import inputs, ours, peers, report
from bench.child import ChildFailed
from bench.results import kb_s
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL


class Pair(NamedTuple):
    """Seconds of both directions."""

    pack: float
    unpack: float


def median(rounds: Sequence[Pair]) -> Pair:
    """Return the median of each direction."""
    return Pair(*(statistics.median(direction) for direction in zip(*rounds, strict=True)))


def zpaq_seconds(file: str, original: bytes) -> Pair:
    """Return what zpaq takes, as a whole process."""
    result = peers.ZPAQ.round_trip("speed", file, original)
    return Pair(result.pack_seconds, result.unpack_seconds)


def in_turns(file: str, original: bytes, level: int, prior: str, rounds: int) -> tuple[Pair, Pair]:
    """Return the median seconds of glnzip and of zpaq, run alternately."""
    glnzip_rounds, zpaq_rounds = [], []
    for _ in range(rounds):
        _, pack, unpack = ours.timed_round_trip(original, level, prior)
        glnzip_rounds.append(Pair(pack, unpack))
        zpaq_rounds.append(zpaq_seconds(file, original))
    return median(glnzip_rounds), median(zpaq_rounds)


def row(file: str, size: int, glnzip_took: Pair, zpaq_took: Pair) -> list[str]:
    """Return one row of the table."""
    cells = [file]
    for glnzip_seconds, zpaq_seconds_ in zip(glnzip_took, zpaq_took, strict=True):
        cells.append(f"{kb_s(size, glnzip_seconds):,.1f}")
        cells.append(f"{kb_s(size, zpaq_seconds_):,.1f}")
        cells.append(f"{zpaq_seconds_ / glnzip_seconds:.3f}")
    return cells


@click.command()
@click.argument("names", nargs=-1, metavar="[FILE]...")
@click.option(
    "--level", type=click.IntRange(MIN_LEVEL, MAX_LEVEL), default=DEFAULT_LEVEL, show_default=True
)
@click.option("--prior", type=click.Choice(list(ours.PRIORS)), default="shipped", show_default=True)
@click.option("--rounds", type=click.IntRange(min=3), default=3, show_default=True)
def main(names: tuple[str, ...], level: int, prior: str, rounds: int) -> None:
    """Time glnzip and zpaq in turns on each FILE (default: alice29.txt and book1)."""
    if not peers.ZPAQ.is_here():
        raise click.ClickException("zpaq is not on the PATH")
    heads = ["file", "compress KB/s", "zpaq", "ratio", "decompress KB/s", "zpaq", "ratio"]
    rows = []
    try:
        warm_up = ours.warm_up(level, prior)
        for name in names or ("alice29.txt", "book1"):
            path = inputs.by_name(name)
            original = path.read_bytes()
            took = in_turns(path.name, original, level, prior, rounds)
            rows.append(row(path.name, len(original), *took))
        start_up = median([zpaq_seconds("one_byte", b"1") for _ in range(rounds)])
    except (corpora.CorpusMissing, ChildFailed, peers.NotRestored) as reason:
        raise click.ClickException(str(reason)) from reason
    click.echo(
        f"{ours.program(level, prior)} beside {peers.ZPAQ.name}, median of {rounds} rounds in turns"
    )
    click.echo("glnzip: one call, kernels ready; zpaq: whole process. ratio: above 1 is faster\n")
    click.echo(report.table(heads, rows))
    click.echo(f"zpaq on one byte: {start_up.pack:.3f} s to compress, {start_up.unpack:.3f} s back")
    click.echo(f"kernels made ready before, not counted: {warm_up.seconds:.1f} s")


if __name__ == "__main__":
    main()
