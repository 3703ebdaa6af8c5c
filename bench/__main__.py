"""``python -m bench``: measure glnzip and its peers on sets of files, and save what was found."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import click

import corpora
from bench import inputs, machine, ours, peers, report
from bench.child import ChildFailed
from bench.peers import NotRestored, Peer
from bench.results import FOLDER, FileResult, Session
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL

DEFAULT_SETS = ("calgary14", "canterbury")


def chosen_peers(listed: str) -> list[Peer]:
    """Return the peers named by ``all``, ``none`` or a list such as ``xz,zpaq``."""
    if listed == "none":
        return []
    if listed == "all":
        return [peer for peer in peers.PEERS if peer.is_here()]
    by_program = {peer.program: peer for peer in peers.PEERS}
    for program in listed.split(","):
        if program not in by_program:
            raise click.BadParameter(f"{program!r} is none of {', '.join(by_program)}")
        if not by_program[program].is_here():
            raise click.BadParameter(f"{program} is not on the PATH")
    return [by_program[program] for program in listed.split(",")]


def chosen_files(set_names: tuple[str, ...], files: tuple[str, ...]) -> dict[str, list[Path]]:
    """Return the files to measure, by set; single files form a set called ``files``."""
    if not set_names and not files:
        set_names = DEFAULT_SETS
    chosen = {name: corpora.find(name) for name in set_names}
    if files:
        chosen["files"] = [inputs.by_name(name) for name in files]
    return chosen


def glnzip_results(
    level: int, prior: str, set_name: str, paths: list[Path]
) -> Iterator[FileResult]:
    """Yield glnzip's result on each file, with the peak memory found on the largest."""
    largest = max(paths, key=lambda path: path.stat().st_size)
    for path in paths:
        original = path.read_bytes()
        result = ours.round_trip(level, set_name, path.name, original, prior)
        if path == largest:
            result = replace(result, peak_bytes=max(ours.peak_bytes(level, original, prior)))
        yield result


def peer_results(peer: Peer, set_name: str, paths: list[Path]) -> Iterator[FileResult]:
    """Yield another program's result on each file."""
    for path in paths:
        yield peer.round_trip(set_name, path.name, path.read_bytes())


def all_results(
    levels: tuple[int, ...],
    priors: tuple[str, ...],
    rivals: list[Peer],
    chosen: dict[str, list[Path]],
) -> Iterator[FileResult]:
    """Yield every result of a session."""
    for set_name, paths in chosen.items():
        for level, prior in product(levels, priors):
            yield from glnzip_results(level, prior, set_name, paths)
        for peer in rivals:
            yield from peer_results(peer, set_name, paths)


@click.command()
@click.option(
    "--level",
    "levels",
    type=click.IntRange(MIN_LEVEL, MAX_LEVEL),
    multiple=True,
    default=(DEFAULT_LEVEL,),
    show_default=True,
    help="Level of glnzip; may be given again.",
)
@click.option(
    "--prior",
    "priors",
    type=click.Choice(list(ours.PRIORS)),
    multiple=True,
    default=("shipped", "none"),
    show_default=True,
    help="Prior of glnzip; may be given again.",
)
@click.option(
    "--set",
    "set_names",
    type=click.Choice(corpora.set_names()),
    multiple=True,
    help="A set of files; may be given again.  [default: calgary14 and canterbury]",
)
@click.option("--files", multiple=True, help="A file, by path or corpus name; may be given again.")
@click.option(
    "--peers",
    "listed",
    default="all",
    show_default=True,
    help="Other programs to run: all that are here, none, or a list such as xz,zpaq.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=FOLDER / "latest",
    help="Where to save, without .json and .md.  [default: bench/results/latest]",
)
def main(
    levels: tuple[int, ...],
    priors: tuple[str, ...],
    set_names: tuple[str, ...],
    files: tuple[str, ...],
    listed: str,
    out: Path,
) -> None:
    """Compress, decompress and verify with glnzip and its peers; print and save the results."""
    rivals = chosen_peers(listed)
    session = Session(" ".join(["python -m bench", *sys.argv[1:]]), machine.describe())
    try:
        chosen = chosen_files(set_names, files)
        session.warm_ups = [ours.warm_up(*each) for each in product(levels, priors)]
        for result in all_results(levels, priors, rivals, chosen):
            session.files.append(result)
            # A line a file, so that a long run shows where it is.
            click.echo(f"{result.program:24}{result.file:16}{result.packed_bytes:>12,}", err=True)
    except (corpora.CorpusMissing, ChildFailed, NotRestored) as reason:
        raise click.ClickException(str(reason)) from reason
    text = report.markdown(session)
    session.save(out.with_suffix(".json"))
    out.with_suffix(".md").write_text(text, encoding="utf-8")
    click.echo(text)


if __name__ == "__main__":
    main()
