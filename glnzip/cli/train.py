"""`glnzip train`: read the samples, say what a prior is worth to others of their kind, write it."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing
from typing import BinaryIO

from glnzip.cli import wording
from glnzip.cli.files import RefusedError, Source, open_source, output_file
from glnzip.cli.prior_options import chosen_prior, preparation_shown
from glnzip.cli.progress import Progress, may_draw
from glnzip.cli.work import FAILURE, SUCCESS, complain, say
from glnzip.errors import GlnzipError
from glnzip.priors.prior import Prior
from glnzip.system.unfinished import undone_if_killed
from glnzip.training.train import (
    DEFAULT_PRIMER_BYTES,
    Gain,
    check_prior,
    choose,
    make_prior,
    measure_gain,
)

_MANY_LINES = 10


def train(
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
        for name in files_of(names, but=output):
            samples += samples_of(name, lines=lines)
        name = output
        samples = [sample for sample in samples if sample]
        if not samples:
            raise RefusedError("there is nothing to learn: no samples, or only empty ones")
        if not quiet and len(samples) == 1 and samples[0].count(b"\n") >= _MANY_LINES:
            say("one sample, of many lines: is each line one? (see --lines)")
        with preparation_shown(quiet=quiet), _target(output, force=force) as stream:
            prior = _train(samples, start, level, size, quiet=quiet)
            stream.write(prior.data)
    except (RefusedError, GlnzipError, OSError, MemoryError) as error:
        complain(name, error)
        return FAILURE
    if not quiet:
        data = wording.human_size(len(prior.data))
        say(f"{wording.printable(output)}: the prior {prior.id}, {data}, ready for level {level}")
    return SUCCESS


def files_of(names: Iterable[str], *, but: str) -> Iterator[str]:
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


def samples_of(name: str, *, lines: bool) -> list[bytes]:
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
        say(f"{len(samples):,} samples, {wording.human_size(total)}")
        say(_worth(measure_gain(samples, base, level, size)))
    chosen = choose(samples, size)
    seen = sum(map(len, chosen))
    if not quiet and seen < total:
        what = f"{len(chosen):,} of them, evenly spread" if len(samples) > 1 else "its beginning"
        say(f"the prior is made from {what}: {wording.human_size(seen)} (see --size)")
    progress = Progress("training", seen, compressing=True, visible=not quiet and may_draw())
    with undone_if_killed(progress.close), closing(progress):
        prior = make_prior(chosen, base, level, lambda count: progress.advance(count, 0))
    check_prior(prior, chosen, level)
    return prior


def _worth(gain: Gain | None) -> str:
    if gain is None:
        return "only one sample: none could be held out, so what the prior is worth is not known"
    saved = 100 * (gain.before - gain.after) / gain.before
    change = f"{saved:.1f} % less" if saved >= 0 else f"{-saved:.1f} % MORE"
    return (
        f"{gain.samples:,} samples held out, {gain.original:,} bytes, each compressed alone: "
        f"{gain.before:,} bytes without the new prior, {gain.after:,} with one made from the "
        f"others, {change}"
    )
