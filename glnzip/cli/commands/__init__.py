"""The commands, a file each, and the short form without a command.

`glnzip compress FILE` and its sisters are one way in. The other is that of gzip and xz, where an
option chooses what to do (`glnzip FILE`, `glnzip -d FILE`) so that tar and old habits work. Both
end in the same functions.

Each file has a command, its options, and what it does. All are imported to read any command line,
so they import what takes long where they use it.
"""

from __future__ import annotations

from typing import Any

import click

from glnzip import __version__
from glnzip.cli import options as given
from glnzip.cli.command_line import Command, option
from glnzip.cli.commands import (
    analyze,
    cache,
    completion,
    compress,
    decompress,
    info,
    messages,
    test,
    train,
    warmup,
)

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
version = click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")


def command_for(arguments: list[str]) -> click.Command:
    """The command tree if the first argument belongs to it; otherwise the short form."""
    of_the_tree = {*commands.commands, "-h", "--help", "-V", "--version"}
    return commands if arguments and arguments[0] in of_the_tree else short_form


class ShortForm(Command):
    """The short form; its help is that of all."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One help for `glnzip --help` and `glnzip -d --help`."""
        commands.format_help(ctx, formatter)


@click.command(cls=ShortForm, context_settings=HELP_OPTIONS)
@given.files
@click.option("-z", "--compress", "mode", flag_value="compress", help="Compress (the default).")
@option(
    "-d",
    "--decompress",
    "mode",
    also=("--uncompress",),
    flag_value="decompress",
    help="Decompress.",
)
@click.option("-t", "--test", "mode", flag_value="test", help="Check compressed files.")
@click.option("-l", "--list", "mode", flag_value="list", help="Show what is in compressed files.")
@given.as_json
@given.level
@given.start
@given.output
@given.selecting
@given.making
@given.undoing
@given.threads
@given.dask
@given.memory_limit
@given.only_prepared
@given.reporting
@given.of_habit
@version
def short_form(files: tuple[str, ...], mode: str | None, **options: Any) -> None:
    """Compress each FILE to FILE.gln, or do what the last of -z, -d, -t and -l asks for."""
    if options["as_json"] and mode != "list":
        raise click.UsageError("--json needs -l")
    if mode == "list":
        info.show_files(files, options)
    if mode == "test":
        test.test_files(files, options)
    if mode == "decompress":
        decompress.decompress_files(files, options)
    compress.compress_files(files, options)


class Tree(click.Group):
    """The commands; their help begins with the options of the short form."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Both lists."""
        click.Command.format_options(short_form, ctx, formatter)
        self.format_commands(ctx, formatter)


@click.group(
    cls=Tree,
    commands=[
        compress.compress,
        decompress.decompress,
        test.test,
        info.info,
        analyze.analyze,
        messages.messages,
        train.train,
        warmup.warmup,
        cache.cache,
        completion.completion,
    ],
    context_settings={**HELP_OPTIONS, "obj": short_form},
    subcommand_metavar="[FILE]... | COMMAND ...",
)
@version
def commands() -> None:
    """Compress files and streams to a very small size, and bring them back.

    Without a command, glnzip works as gzip, xz and zstd do:

    \b
      glnzip FILE...      compress each FILE to FILE.gln
      glnzip -d FILE...   decompress each FILE.gln
      glnzip -t FILE...   check each FILE.gln
      glnzip -l FILE...   show what is in each FILE.gln
      glnzip < IN > OUT   compress standard input
      tar -I glnzip -cf FOLDER.tar.gln FOLDER

    The commands do the same by name, and more; glnzip COMMAND --help shows the options of one. The
    manual, man glnzip, also lists options that are accepted for compatibility only.

    Exit status: 0 success, 1 something failed, 2 the command line is wrong.
    """
