"""What the user may type: the commands, their options, and the short form without a command.

`glnzip compress FILE` and its sisters are one way in. The other is that of gzip and xz, where an
option chooses what to do (`glnzip FILE`, `glnzip -d FILE`) so that tar and old habits work. Both
end in the same few lines.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from glnzip import __version__
from glnzip.cli import options as given
from glnzip.cli.files import (
    STANDARD_OUTPUT,
    STANDARD_STREAM,
    RefusedError,
    files_in,
    is_special,
    names_in,
    occupy_closed_streams,
)
from glnzip.cli.prior_options import chosen_prior, preparation_shown, prior_at_hand
from glnzip.cli.signals import handle_signals
from glnzip.cli.sizes import size
from glnzip.cli.transfer import Wanted
from glnzip.cli.words import default_words, getopt_words
from glnzip.cli.work import (
    FAILURE,
    Settings,
    complain,
    convert_file,
    for_each,
    say,
    test_file,
)
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.messages import DEFAULT_CHECK_BYTES, MAX_CHECK_BYTES

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
PRIOR_VARIABLE = "GLNZIP_PRIOR"


def main() -> None:
    """Run the command line and exit."""
    occupy_closed_streams()
    handle_signals()
    arguments = sys.argv[1:]
    try:
        try:
            command_for(arguments).main(arguments, prog_name="glnzip")
        finally:
            sys.stdout.close()  # here, where a full disk can still be reported
    except OSError as error:
        say(f"standard output: {error.strerror}")
        sys.exit(FAILURE)


def command_for(arguments: list[str]) -> click.Command:
    """The command tree if the first argument belongs to it; otherwise the short form."""
    of_the_tree = {*commands.commands, "-h", "--help", "-V", "--version"}
    return commands if arguments and arguments[0] in of_the_tree else short_form


class Command(click.Command):
    """A command that reads its words as xz and gzip do, those in GLNZIP_OPT first."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words."""
        try:
            words = [*default_words(self, short_form), *getopt_words(args, self)]
        except click.UsageError as error:
            error.ctx = ctx
            raise
        return super().parse_args(ctx, words)


class Tree(click.Group):
    """The commands; their help begins with the options of the short form."""

    command_class = Command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Both lists."""
        click.Command.format_options(short_form, ctx, formatter)
        self.format_commands(ctx, formatter)


class ShortForm(Command):
    """The short form; its help is that of all."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One help for `glnzip --help` and `glnzip -d --help`."""
        commands.format_help(ctx, formatter)


@click.group(cls=Tree, context_settings=HELP_OPTIONS, subcommand_metavar="[FILE]... | COMMAND ...")
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
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
    manual, man glnzip, also lists what is accepted for habit only.

    Exit status: 0 all is well, 1 something failed, 2 the command line is wrong.
    """


@commands.command()
@given.files
@given.level
@given.prior
@given.output
@given.selecting
@given.making
@given.threads
@given.memory_limit
@given.reporting
@given.of_habit
def compress(files: tuple[str, ...], **options: Any) -> None:
    """Compress each FILE to FILE.gln.

    Without a FILE, or for "-", standard input is compressed to standard output.
    """
    _convert(files, options, compressing=True)


@commands.command()
@given.files
@given.prior
@given.output
@given.selecting
@given.undoing
@given.threads
@given.memory_limit
@given.only_prepared
@given.reporting
@given.of_habit
def decompress(files: tuple[str, ...], **options: Any) -> None:
    """Decompress each FILE.gln to FILE.

    Without a FILE, or for "-", standard input is decompressed to standard output.
    """
    _convert(files, options, compressing=False)


@commands.command()
@given.files
@given.prior
@given.force
@given.selecting
@given.undoing
@given.threads
@given.memory_limit
@given.only_prepared
@given.reporting
@given.of_habit
def test(files: tuple[str, ...], **options: Any) -> None:
    """Check that each FILE is whole.

    Each FILE is decompressed and its checksum verified, but nothing is written.
    """
    _test(files, options)


@commands.command()
@given.files
@given.as_json
@click.option("-v", "--verbose", is_flag=True, help="A row for each frame.")
@given.selecting
@click.option("--priors", is_flag=True, help="Show the prepared priors on this machine instead.")
@given.of_habit
def info(files: tuple[str, ...], priors: bool, **options: Any) -> None:
    """Show what is in each FILE.

    The sizes, level, prior and memory need are read from the headers; nothing is decompressed or
    checked.
    """
    if not priors:
        _show(files, options)
    if files or options["listed"] or options["listed0"]:
        raise click.UsageError("--priors is not about files")
    from glnzip.cli.listing import list_priors

    sys.exit(list_priors(as_json=options["as_json"]))


@commands.command()
@given.files
@click.option("-d", "--decompress", "decompressing", is_flag=True, help="Messages to lines.")
@click.option("--hex/--base64", "as_hex", help="How messages are written.  [default: Base64]")
@given.level
@given.prior
@click.option(
    "--check",
    "check_bytes",
    type=click.IntRange(0, MAX_CHECK_BYTES),
    default=DEFAULT_CHECK_BYTES,
    metavar="N",
    show_default=True,
    help=f"Bytes of checksum in each message, 0 to {MAX_CHECK_BYTES}.",
)
@click.option(
    "--max-output", type=size, metavar="SIZE", help="With -d, leave out a line longer than this."
)
@given.memory_limit
@given.only_prepared
@given.quiet
def messages(files: tuple[str, ...], **options: Any) -> None:
    """Compress each line alone, for links where each byte counts.

    Each line of each FILE, or of standard input, becomes a line of Base64 or hexadecimal digits on
    standard output. Both sides must use the same level, prior and check, since nothing in a message
    names them. Any message may be lost or come late.
    """
    from glnzip.cli.messages import carry_messages

    if options["max_output"] is not None and not options["decompressing"]:
        raise click.UsageError("--max-output goes with -d")
    options["level"] = options["level"] or DEFAULT_LEVEL
    options["prior"] = chosen_prior(options["prior"])
    with preparation_shown(quiet=options["quiet"]):
        status = carry_messages(files or (STANDARD_STREAM,), **options)
    sys.exit(status)


@commands.command()
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
    type=size,
    metavar="SIZE",
    help="Most bytes of samples to put into the prior.  [default: 1M]",
)
@click.option("-f", "--force", is_flag=True, help="Replace an existing output.")
@given.quiet
def train(samples: tuple[str, ...], **options: Any) -> None:
    """Make a prior from samples of your data.

    Each file is a sample, or each line of it with --lines; folders are searched for files. A prior
    makes data of the same kind much smaller, above all short ones. Both sides need it:

    \b
      glnzip train messages/ -o messages.gln
      glnzip compress --prior messages.gln new-message
      glnzip decompress --prior messages.gln new-message.gln
    """
    from glnzip.cli.train import train

    options["level"] = options["level"] or DEFAULT_LEVEL
    sys.exit(train(samples, **options))


@commands.command()
@given.level
@given.prior
@click.option(
    "--clear", is_flag=True, help="Remove all that was ever prepared, and prepare nothing."
)
@given.quiet
def warmup(level: int | None, prior: str | None, clear: bool, quiet: bool) -> None:
    """Compile the model and prepare the prior ahead of their first use.

    Both are kept in a folder of yours, so later runs start at once. A prior is prepared for one
    level at a time.
    """
    from glnzip.cli.warmup import clear_up, warm_up

    if clear:
        sys.exit(clear_up(quiet=quiet))
    with preparation_shown(quiet=quiet):
        status = warm_up(level or DEFAULT_LEVEL, chosen_prior(prior), quiet=quiet)
    sys.exit(status)


@commands.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what a shell needs to complete command lines.

    \b
      eval "$(glnzip completion bash)"      in ~/.bashrc
      eval "$(glnzip completion zsh)"       in ~/.zshrc, after compinit
      glnzip completion fish | source       in ~/.config/fish/config.fish
    """
    from glnzip.cli.completion import script

    click.echo(script(shell, commands, short_form), nl=False)


@click.command(cls=ShortForm, context_settings=HELP_OPTIONS)
@given.files
@click.option("-z", "--compress", "mode", flag_value="compress", help="Compress (the default).")
@given.option(
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
@given.prior
@given.output
@given.selecting
@given.making
@given.undoing
@given.threads
@given.memory_limit
@given.only_prepared
@given.reporting
@given.of_habit
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def short_form(files: tuple[str, ...], mode: str | None, as_json: bool, **options: Any) -> None:
    """Compress each FILE to FILE.gln, or do what the last of -z, -d, -t and -l asks for."""
    if as_json and mode != "list":
        raise click.UsageError("--json goes with -l")
    if mode == "list":
        _show(files, {**options, "as_json": as_json})
    elif mode == "test":
        _test(files, options)
    else:
        _convert(files, options, compressing=mode != "decompress")


def _convert(files: tuple[str, ...], options: dict[str, Any], *, compressing: bool) -> None:
    if options["output"] is not None and options["to_stdout"]:
        raise click.UsageError("-c and -o exclude each other")
    one = not (options["recursive"] or options["listed"] or options["listed0"] or len(files) > 1)
    if options["output"] is not None and not one:
        raise click.UsageError("-o names the output of one input, not of several")
    names, inside = _inputs(files, options, compressed=not compressing)
    settings = _settings(options, compressing=compressing)
    if settings.verify and not _makes_files(names, settings):
        raise click.UsageError("--verify reads the new file: it needs one, not standard output")
    with preparation_shown(quiet=settings.quiet, drawn=not settings.no_progress):
        convert = partial(convert_file, settings=settings, compressing=compressing)
        status = for_each(names, convert, inside)
    sys.exit(status)


def _test(files: tuple[str, ...], options: dict[str, Any]) -> None:
    names, inside = _inputs(files, options, compressed=True)
    settings = _settings(options, compressing=False)
    with preparation_shown(quiet=settings.quiet, drawn=not settings.no_progress):
        status = for_each(names, partial(test_file, settings=settings), inside)
    sys.exit(status)


def _show(files: tuple[str, ...], options: dict[str, Any]) -> None:
    from glnzip.cli.listing import list_files

    names, inside = _inputs(files, options, compressed=True)
    sys.exit(list_files(names, inside, as_json=options["as_json"], verbose=options["verbose"]))


def _inputs(
    files: tuple[str, ...], options: dict[str, Any], *, compressed: bool
) -> tuple[list[str], Callable[[str], list[str]] | None]:
    """The names of the inputs, and what of a folder is meant if folders are gone through."""
    listing, listing0 = options.pop("listed"), options.pop("listed0")
    recursive, suffix = options.pop("recursive"), options["suffix"]
    names = list(files)
    if listing is not None or listing0 is not None:
        if listing is not None and listing0 is not None:
            raise click.UsageError("--files and --files0 exclude each other")
        names += _listed(*((listing, "\n") if listing0 is None else (listing0, "\0")), files)
    elif not names:
        names = [STANDARD_STREAM]
    inside = partial(files_in, suffix=suffix, compressed=compressed) if recursive else None
    return names, inside


def _listed(listing: str, end: str, files: tuple[str, ...]) -> list[str]:
    if listing == STANDARD_STREAM and STANDARD_STREAM in files:
        raise click.UsageError("standard input cannot be both an input and the list of inputs")
    try:
        return names_in(listing, end)
    except (RefusedError, OSError) as error:
        complain(listing, error)
        sys.exit(FAILURE)


def _makes_files(names: list[str], settings: Settings) -> bool:
    """Whether every output is a file."""
    if settings.output is not None:
        return settings.output not in STANDARD_OUTPUT and not is_special(settings.output)
    return not settings.to_stdout and STANDARD_STREAM not in names


def _settings(options: dict[str, Any], *, compressing: bool) -> Settings:
    # Where no level was chosen click gives None, and False or 0 in older versions.
    options["level"] = options.get("level") or DEFAULT_LEVEL
    source = click.get_current_context().get_parameter_source("prior")
    by = PRIOR_VARIABLE if source is ParameterSource.ENVIRONMENT else ""
    if by and not compressing:
        options["prior"], options["why_no_prior"] = prior_at_hand(options["prior"], by)
    else:
        options["prior"] = chosen_prior(options["prior"], by)
    options["threads"] = options["threads"] or os.cpu_count() or 1
    wanted = {
        field.name: options.pop(field.name) for field in fields(Wanted) if field.name in options
    }
    return Settings(Wanted(**wanted), **options)
