"""The options that several commands share, each written once, and what they come to.

Some have further names, which users of xz, gzip and zstd have in their fingers; some are there for
the same reason and do nothing. --help leaves both out, the manual lists them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from glnzip.cli.command_line import ignored, option, together
from glnzip.cli.priors import AUTO, chosen_prior, prior_if_usable, with_base
from glnzip.cli.progress import may_draw
from glnzip.cli.text import parsed_memory_limit, parsed_size
from glnzip.format.levels import DEFAULT_LEVEL, LEVELS, MAX_LEVEL, MIN_LEVEL
from glnzip.priors.naming import PRIOR_VARIABLE
from glnzip.priors.prior import SHIPPED_PRIOR, Prior
from glnzip.system.names import SUFFIX

if TYPE_CHECKING:
    from glnzip.dask import Cluster
    from glnzip.streams.workers import Workers


@dataclass(frozen=True)
class Settings:
    """What the options ask of a command that compresses or decompresses files."""

    level: int = DEFAULT_LEVEL
    prior: Prior | None = SHIPPED_PRIOR
    or_none: bool = False
    block_size: int | None = None
    threads: int = 1
    dask: str | None = None
    max_output: int | None = None
    memory_limit: int | None = None
    only_prepared: bool = False
    unpack: bool = True
    to_stdout: bool = False
    output: str | None = None
    keep: bool = True
    sync: bool = True
    suffix: str = SUFFIX
    force: bool = False
    quiet: bool = False
    verbose: bool = False
    no_progress: bool = False
    verify: bool = False
    keep_going: bool = False
    why_no_prior: str = ""
    """Why the prior that was named is not there, where that may not matter."""
    cluster: Cluster | None = None
    """That of `dask`, as long as it is connected."""

    @classmethod
    def of(cls, options: dict[str, Any], *, compressing: bool) -> Settings:
        """The settings for the options that click has read; ends the program without the prior."""
        source = click.get_current_context().get_parameter_source("prior")
        by = PRIOR_VARIABLE if source is ParameterSource.ENVIRONMENT else ""
        if by and not compressing:
            prior, why_no_prior = prior_if_usable(options["prior"], by)
        else:
            prior, why_no_prior = chosen_prior(options["prior"], by), ""
        found = {
            **options,
            "level": chosen_level(options.get("level")),
            "prior": with_base(prior, options["base"]),
            "or_none": options["prior"] == AUTO,
            "why_no_prior": why_no_prior,
            "threads": options["threads"] or os.cpu_count() or 1,
        }
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in found.items() if name in known})

    @contextmanager
    def workers(self, name: str) -> Iterator[Workers | None]:
        """Those of the cluster, for a file of this name; None where there is no cluster."""
        if self.cluster is None:
            yield None
            return
        from glnzip.dask.machines import Machines

        with Machines(self.cluster, name) as workers:
            yield workers

    @property
    def draws(self) -> bool:
        """Whether a progress line is drawn."""
        return not (self.quiet or self.no_progress) and may_draw()

    def with_prior(self, reason: str) -> str:
        """The reason why data cannot be read, and why no prior was given if one was named."""
        return "; ".join(filter(None, (reason, self.why_no_prior)))


def chosen_level(level: int | None) -> int:
    """The level of the options: where none was chosen click gives None, once False or 0."""
    return level or DEFAULT_LEVEL


def _suffix(text: str) -> str:
    if not text or "/" in text or os.sep in text:
        raise click.BadParameter(f"{text!r} cannot be the suffix of a file name")
    return text


files = click.argument("files", nargs=-1, type=click.Path(readable=False), metavar="[FILE]...")
quiet = option("-q", "--quiet", is_flag=True, help="Show errors only.")
verbose = option(
    "-v", "--verbose", is_flag=True, help="Report sizes, ratio and speed of each file."
)
force = option(
    "-f",
    "--force",
    is_flag=True,
    help="Replace an existing output; allow a terminal for compressed data.",
)

_FLAGS_OF_LEVELS = {MIN_LEVEL: ("-0", "--fast"), MAX_LEVEL: ("--best",)}
level = together(
    option(
        "--level",
        type=click.IntRange(MIN_LEVEL, MAX_LEVEL),
        metavar="N",
        help=f"{MIN_LEVEL} (fast) to {MAX_LEVEL} (small), or -1 to -9.  [default: {DEFAULT_LEVEL}]",
    ),
    *(
        click.option(
            f"-{number}",
            *_FLAGS_OF_LEVELS.get(number, ()),
            "level",
            type=int,
            flag_value=number,
            hidden=True,
        )
        for number in LEVELS
    ),
)
prior = option(
    "--prior",
    metavar="FILE|none|auto",
    envvar=PRIOR_VARIABLE,
    help="The prior to start from: see glnzip train --help.  [default: shipped]",
)
start = together(
    prior,
    option(
        "--base",
        also=("--patch-from",),
        metavar="FILE",
        help="An older version, in which the model looks first; decompressing takes it again.",
    ),
)
memory_limit = option(
    "-M",
    "--memory-limit",
    also=("--memlimit", "--memlimit-compress", "--memlimit-decompress", "--memory"),
    type=parsed_memory_limit,
    metavar="SIZE",
    help="Do not use more memory than SIZE, or than so many % of the machine's.",
)
only_prepared = option(
    "--only-prepared",
    is_flag=True,
    help="Refuse data whose prior is not prepared yet, as preparing takes a while.",
)
threads = option(
    "-T",
    "--threads",
    type=click.IntRange(0),
    default=1,
    metavar="N",
    help="Work on N blocks at once, each with its own model in memory; 0: one per CPU.",
)
dask = option(
    "--dask",
    metavar="ADDRESS",
    help="Work on many blocks at once, on the Dask cluster whose scheduler is at ADDRESS.",
)
selecting = together(
    option(
        "-r", "--recursive", is_flag=True, help="Go through folders and work on the files in them."
    ),
    option(
        "-S",
        "--suffix",
        type=_suffix,
        default=SUFFIX,
        metavar="SUF",
        help=f"Use SUF instead of {SUFFIX} as the suffix of compressed files.",
    ),
    option(
        "--files",
        "listed",
        also=("--filelist",),
        metavar="[LIST]",
        help="Also work on the files named in LIST, or on standard input, one per line.",
    ),
    option(
        "--files0", "listed0", metavar="[LIST]", help="The same, with a NUL byte after each name."
    ),
)
reporting = together(
    quiet,
    verbose,
    option("--no-progress", is_flag=True, help="Show no progress line."),
)
unpack = option(
    "--unpack/--no-unpack",
    default=True,
    help="Unpack what is packed in the data, as in PDF and PNG (the default), or do not.",
)
making = together(
    option(
        "-B",
        "--block-size",
        type=parsed_size,
        metavar="SIZE",
        help="Start a new block, which can be decoded alone, every SIZE bytes of data.",
    ),
    unpack,
    option("--verify", is_flag=True, help="Decompress the new file and compare it with the input."),
)
undoing = together(
    option(
        "--keep-going",
        is_flag=True,
        help="Save all sound blocks of damaged data, and say what is lost.",
    ),
    option(
        "--max-output",
        type=parsed_size,
        metavar="SIZE",
        help="Fail if the output would be larger than SIZE.",
    ),
)
output = together(
    option(
        "-c",
        "--stdout",
        "to_stdout",
        also=("--to-stdout",),
        is_flag=True,
        help="Write to standard output.",
    ),
    option("-o", "--output", metavar="FILE", help="Write to FILE; only for one input."),
    option(
        "-k",
        "--keep/--rm",
        default=True,
        help="Keep the input (the default), or remove it after success.",
    ),
    force,
    option(
        "--synchronous/--no-sync",
        "sync",
        default=True,
        help="With --rm, wait until the output is on the disk (the default), or do not.",
    ),
)
as_json = option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
of_habit = together(
    ignored("-e", "--extreme", is_flag=True),
    ignored("-n", "--no-name", is_flag=True),
    ignored("-N", "--name", is_flag=True),
    ignored("-Q", "--no-warn", is_flag=True),
    ignored("--sparse/--no-sparse", default=True),
    ignored("--no-adjust", is_flag=True),
    ignored("-F", "--format", type=click.Choice(["auto", SUFFIX[1:]])),
)
