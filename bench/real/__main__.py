"""``python -m bench.real``: fetch a set, or print the table of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

import corpora
from bench import machine, ours
from bench.child import ChildFailed
from bench.peers import NotRestored
from bench.real import ALL, ASIDE, DEVELOPMENT, KEPT_ASIDE, RealFile, read_manifest
from bench.real import fetch as fetching
from bench.real import table as tables
from bench.real.archive import tar_of
from bench.results import Session
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL


def originals(files: list[RealFile], folder: Path, tar: bool) -> Iterator[tuple[str, str, bytes]]:
    """Yield the kind, the name and the content of each file, and of their tar file if wanted."""
    for file in files:
        yield file.kind, file.name, fetching.read(file, folder)
    if tar:
        contents = {file.name: fetching.read(file, folder) for file in files}
        yield tables.TAR, ALL, tar_of(contents)


of_set = click.option(
    "--set",
    "set_name",
    type=click.Choice(list(KEPT_ASIDE)),
    default="packed",
    show_default=True,
    help="Which set.",
)


@click.group()
def main() -> None:
    """Files as people have them: sets to develop and measure with."""


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@of_set
def fetch(folder: Path, set_name: str) -> None:
    """Download, verify and extract the set to FOLDER, which is for this set alone."""
    manifest = read_manifest(set_name)
    try:
        fetching.fetch(manifest, folder)
    except corpora.CorpusMissing as reason:
        raise click.ClickException(str(reason)) from reason
    for half in (DEVELOPMENT, ASIDE):
        files = manifest.half(half)
        size = sum(file.size for file in files)
        click.echo(f"{folder / half}: {len(files)} files, {size:,} bytes, verified")


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@of_set
@click.option("--aside", is_flag=True, help="The files that are kept aside, instead of the others.")
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(
        sorted({file.kind for name in KEPT_ASIDE for file in read_manifest(name).files})
    ),
    multiple=True,
    help="Only files of this kind; may be given again.",
)
@click.option("--tar", is_flag=True, help="Measure a tar file of all these files, too.")
@click.option(
    "--level",
    type=click.IntRange(MIN_LEVEL, MAX_LEVEL),
    default=DEFAULT_LEVEL,
    show_default=True,
    help="Level of glnzip.",
)
@click.option(
    "--prior",
    type=click.Choice(list(ours.PRIORS)),
    default="shipped",
    show_default=True,
    help="Prior of glnzip.",
)
@click.option(
    "--peers",
    "listed",
    default=",".join(peer.program for peer in tables.PEERS),
    show_default=True,
    help="Other programs to run, where they are here, or none.",
)
@click.option("--json", "saved", type=click.Path(path_type=Path), help="Save all figures here.")
def table(
    folder: Path,
    set_name: str,
    aside: bool,
    kinds: tuple[str, ...],
    tar: bool,
    level: int,
    prior: str,
    listed: str,
    saved: Path | None,
) -> None:
    """Print the bytes of each file in FOLDER by glnzip and its peers, and sums."""
    try:
        rivals, absent = tables.chosen_peers(listed)
    except ValueError as reason:
        raise click.BadParameter(str(reason), param_hint="--peers") from reason
    for program in absent:
        click.echo(f"{program} is left out: it is not on the PATH", err=True)
    files = read_manifest(set_name).half(ASIDE if aside else DEVELOPMENT)
    files = [file for file in files if not kinds or file.kind in kinds]
    session = Session(" ".join(["python -m bench.real", *sys.argv[1:]]), machine.describe())
    try:
        session.warm_ups = [ours.warm_up(level, prior)]
        programs = [ours.program(level, prior), *(peer.name for peer in rivals)]
        click.echo(tables.heads(programs), nl=False)
        for kind, name, original in originals(files, folder, tar):
            results = list(tables.measure(kind, name, original, level, prior, rivals))
            session.files += results
            click.echo(tables.row(results), nl=False)
            if saved:
                session.save(saved)  # after each file: what was found outlives an interruption
    except (corpora.CorpusMissing, ChildFailed, NotRestored) as reason:
        raise click.ClickException(str(reason)) from reason
    click.echo("\n" + tables.sums(session), nl=False)


if __name__ == "__main__":
    main()
