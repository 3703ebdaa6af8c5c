"""The options that several commands share, each written once.

Some have further names, which users of xz, gzip and zstd have in their fingers; some are there for
the same reason and do nothing. --help leaves both out, the manual lists them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import click

from glnzip.cli.files import SUFFIX
from glnzip.cli.sizes import memory_limit as memory
from glnzip.cli.sizes import size
from glnzip.format.levels import DEFAULT_LEVEL, LEVELS, MAX_LEVEL, MIN_LEVEL

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


class NamedOption(click.Option):
    """An option that has further names, `also`, which --help does not show."""

    def __init__(self, names: Sequence[str], also: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__([*names, *also], **attributes)
        self.also = also

    @property
    def shown_names(self) -> list[str]:
        """The names without the further ones."""
        return [name for name in self.opts if name not in self.also]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The names that are shown, and the help."""
        return super(NamedOption, self._shown()).get_help_record(ctx)

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """The names that are shown."""
        return super(NamedOption, self._shown()).get_error_hint(ctx)

    def _shown(self) -> NamedOption:
        shown = copy(self)
        shown.opts = self.shown_names
        return shown


def option(*names: str, **attributes: Any) -> Decorator:
    """Like `click.option`, with `also` for further names of the option."""
    return click.option(*names, cls=NamedOption, **attributes)


def together(*decorators: Decorator) -> Decorator:
    """Several option decorators as one, shown by --help in the order given."""

    def decorate(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def _suffix(text: str) -> str:
    if not text or "/" in text or os.sep in text:
        raise click.BadParameter(f"{text!r} cannot end the name of a file")
    return text


def _ignored(*names: str, **attributes: Any) -> Decorator:
    return click.option(*names, expose_value=False, hidden=True, **attributes)


files = click.argument("files", nargs=-1, type=click.Path(readable=False), metavar="[FILE]...")
quiet = option("-q", "--quiet", is_flag=True, help="Show errors only.")
verbose = option("-v", "--verbose", is_flag=True, help="A line a file: sizes, ratio, speed.")
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
    metavar="FILE|none",
    envvar="GLNZIP_PRIOR",
    help="What the model has seen before the data: see glnzip train --help.  [default: shipped]",
)
memory_limit = option(
    "-M",
    "--memory-limit",
    also=("--memlimit", "--memlimit-compress", "--memlimit-decompress", "--memory"),
    type=memory,
    metavar="SIZE",
    help="Refuse what takes more memory than this, or than so many %.",
)
only_prepared = option(
    "--only-prepared",
    is_flag=True,
    help="Refuse what needs a prior that was not prepared here: that takes minutes.",
)
threads = option(
    "-T",
    "--threads",
    type=click.IntRange(0),
    default=1,
    metavar="N",
    help="Work on N blocks at a time, each with a model in memory; 0 for one each CPU.",
)
selecting = together(
    option("-r", "--recursive", is_flag=True, help="Work on the files in folders."),
    option(
        "-S",
        "--suffix",
        type=_suffix,
        default=SUFFIX,
        metavar="SUF",
        help=f"Compressed files end in SUF, not in {SUFFIX}.",
    ),
    option(
        "--files",
        "listed",
        also=("--filelist",),
        metavar="[LIST]",
        help="Work also on the files that LIST, or standard input, names in its lines.",
    ),
    option("--files0", "listed0", metavar="[LIST]", help="The same, each name ends in a NUL byte."),
)
reporting = together(
    quiet,
    verbose,
    option("--no-progress", is_flag=True, help="Do not draw how far the work is."),
)
making = together(
    option(
        "-B",
        "--block-size",
        type=size,
        metavar="SIZE",
        help="Begin a block that can be decoded alone after so many bytes of data.",
    ),
    option("--verify", is_flag=True, help="Decompress the new file and compare."),
)
undoing = together(
    option(
        "--keep-going",
        is_flag=True,
        help="Of damaged data, save all sound blocks, and tell what is lost.",
    ),
    option(
        "--max-output", type=size, metavar="SIZE", help="Fail if there are more data than this."
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
        help="Keep the input (which is the default), or remove it after success.",
    ),
    force,
    option(
        "--synchronous/--no-sync",
        "sync",
        default=True,
        help="Before --rm, wait until the output is on the disk (the default), or do not.",
    ),
)
as_json = option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
of_habit = together(
    _ignored("-e", "--extreme", is_flag=True),
    _ignored("-n", "--no-name", is_flag=True),
    _ignored("-N", "--name", is_flag=True),
    _ignored("-Q", "--no-warn", is_flag=True),
    _ignored("--sparse/--no-sparse", default=True),
    _ignored("--no-adjust", is_flag=True),
    _ignored("-F", "--format", type=click.Choice(["auto", SUFFIX[1:]])),
)
