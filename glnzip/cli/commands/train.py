"""`glnzip train`: read the samples, say what a prior is worth to others of their kind, write it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, BinaryIO

import click

from glnzip.cli import options as given
from glnzip.cli.command_line import command
from glnzip.cli.files import RefusedError, Source, open_source, output_file
from glnzip.cli.inputs import EXPECTED_ERRORS
from glnzip.cli.options import chosen_level
from glnzip.cli.preparation import preparation_shown
from glnzip.cli.priors import chosen_prior
from glnzip.cli.progress import may_draw, progress_line
from glnzip.cli.report import FAILURE, SUCCESS, complain, say
from glnzip.cli.text import counted, human_size, parsed_size, printable
from glnzip.priors.prior import Prior
from glnzip.training.train import (
    DEFAULT_PRIMER_BYTES,
    Gain,
    check_prior,
    choose,
    make_prior,
    measure_gain,
)

_MANY_LINES = 10


@command
@click.argument(
    "samples", nargs=-1, required=True, type=click.Path(readable=False), metavar="SAMPLE..."
)
@click.option("-o", "--output", required=True, metavar="FILE", help="Write the prior to FILE.")
@click.option("--lines", is_flag=True, help="Each line of a file is a sample, not each file.")
@click.option(
    "--base",
    metavar="FILE|none",
    help="The prior that the new one starts from.  [default: shipped]",
)
@given.level
@click.option(
    "--size",
    type=parsed_size,
    metavar="SIZE",
    help="Put at most SIZE bytes of samples into the prior.  [default: 1M]",
)
@click.option("-f", "--force", is_flag=True, help="Replace an existing output.")
@given.quiet
def train(samples: tuple[str, ...], level: int | None, **options: Any) -> None:
    """Make a prior from samples of your data.

    Each file is a sample, or each line of it with --lines; folders are searched for files. A prior
    makes data of the same kind much smaller, above all short ones. Both sides need it:

    \b
      glnzip train messages/ -o messages.gln
      glnzip compress --prior messages.gln new-message
      glnzip decompress --prior messages.gln new-message.gln
    """
    sys.exit(_make_prior_file(samples, level=chosen_level(level), **options))


def _make_prior_file(
    names: Iterable[str],
    *,
    output: str,
    lines: bool,
    base: str | None,
    level: int,
    size: int | None,
    force: bool,
    quiet: bool,
) -> int:
    """Make a prior, and return the exit status."""
    start = chosen_prior(base)
    size = size or DEFAULT_PRIMER_BYTES
    name = ""
    try:
        samples: list[bytes] = []
        for name in _files_of(names, but=output):
            samples += _samples_of(name, lines=lines)
        name = output
        samples = [sample for sample in samples if sample]
        if not samples:
            raise RefusedError("there is nothing to learn from: no samples, or only empty ones")
        if not quiet and len(samples) == 1 and samples[0].count(b"\n") >= _MANY_LINES:
            say("one sample of many lines; if each line is a sample, see --lines")
        with preparation_shown(quiet=quiet), _target(output, force=force) as stream:
            prior = _train(samples, start, level, size, quiet=quiet)
            stream.write(prior.data)
    except EXPECTED_ERRORS as error:
        complain(name, error)
        return FAILURE
    if not quiet:
        data = human_size(len(prior.data))
        say(f"{printable(output)}: the prior {prior.id}, {data}, ready for level {level}")
    return SUCCESS


def _files_of(names: Iterable[str], *, but: str) -> Iterator[str]:
    """The files named, and those in folders named, the latter in the order of their names.

    The file `but` is left out: it is a prior made earlier from this very folder.
    """
    for name in names:
        if not os.path.isdir(name):
            yield name
            continue
        for folder, folders, files in os.walk(name):
            folders.sort()
            for path in (os.path.join(folder, file) for file in sorted(files)):
                if os.path.isfile(path) and os.path.realpath(path) != os.path.realpath(but):
                    yield path


def _samples_of(name: str, *, lines: bool) -> list[bytes]:
    """The samples in a file: all of it, or its lines without their ends."""
    with open_source(name, any_kind=True, terminal=False) as source:
        content = source.stream.read()
    if not lines:
        return [content]
    return [line.removesuffix(b"\r") for line in content.split(b"\n")]


def _target(output: str, *, force: bool) -> AbstractContextManager[BinaryIO]:
    nothing = Source(io.BytesIO(), None, named=False)
    return output_file(output, nothing, replace=force, durable=False, terminal=force)


def _train(
    samples: list[bytes], base: Prior | None, level: int, size: int, *, quiet: bool
) -> Prior:
    """Measure what a prior is worth, then make the one to keep from all samples."""
    total = sum(map(len, samples))
    if not quiet:
        say(f"{counted(len(samples), 'sample')}, {human_size(total)}")
        say(_worth(measure_gain(samples, base, level, size)))
    chosen = choose(samples, size)
    seen = sum(map(len, chosen))
    if not quiet and seen < total:
        what = f"{len(chosen):,} of them, evenly spread" if len(samples) > 1 else "its beginning"
        say(f"the prior is made from {what}: {human_size(seen)} (see --size)")
    visible = not quiet and may_draw()
    with progress_line("training", seen, compressing=True, visible=visible) as progress:
        prior = make_prior(chosen, base, level, lambda count: progress.advance(count, 0))
    check_prior(prior, chosen, level)
    return prior


def _worth(gain: Gain | None) -> str:
    if gain is None:
        return "only one sample: none could be held out to measure what the prior is worth"
    saved = 100 * (gain.before - gain.after) / gain.before
    change = f"{saved:.1f} % less" if saved >= 0 else f"{-saved:.1f} % MORE"
    return (
        f"{counted(gain.samples, 'sample')} held out, {gain.original:,} bytes, "
        f"each compressed alone: {gain.before:,} bytes without the new prior, "
        f"{gain.after:,} bytes with a prior made from the others, {change}"
    )
