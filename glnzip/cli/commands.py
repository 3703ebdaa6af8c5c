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
from typing import Any, TypeVar

import click

from glnzip import __version__
from glnzip.cli.dying import handle_signals
from glnzip.cli.files import STANDARD_STREAM, occupy_closed_streams
from glnzip.cli.priming import chosen_prior, priming_shown
from glnzip.cli.sizes import size
from glnzip.cli.transfer import Wanted
from glnzip.cli.work import FAILURE, Settings, convert_file, for_each, say, test_file
from glnzip.levels import DEFAULT_LEVEL, LEVELS, MAX_LEVEL, MIN_LEVEL
from glnzip.messages import DEFAULT_CHECK_BYTES, MAX_CHECK_BYTES

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}


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


def _together(*decorators: Decorator[Command]) -> Decorator[Command]:
    """Several option decorators as one, shown by --help in the order given."""

    def decorate(function: Command) -> Command:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


_files = click.argument("files", nargs=-1, type=click.Path(readable=False), metavar="[FILE]...")
_quiet = click.option("-q", "--quiet", is_flag=True, help="Show errors only.")
_verbose = click.option("-v", "--verbose", is_flag=True, help="A line a file: sizes, ratio, speed.")
_force = click.option(
    "-f",
    "--force",
    is_flag=True,
    help="Replace an existing output; allow a terminal for compressed data.",
)
_level = _together(
    click.option(
        "--level",
        type=click.IntRange(MIN_LEVEL, MAX_LEVEL),
        metavar="N",
        help=f"{MIN_LEVEL} (fast) to {MAX_LEVEL} (small), or -1 to -9.  [default: {DEFAULT_LEVEL}]",
    ),
    *(
        click.option(f"-{level}", "level", type=int, flag_value=level, hidden=True)
        for level in LEVELS
    ),
)
_prior = click.option(
    "--prior",
    metavar="FILE|none",
    envvar="GLNZIP_PRIOR",
    help="What the model has seen before the data: see glnzip train --help.  [default: shipped]",
)
_memory_limit = click.option(
    "--memory-limit",
    type=size,
    metavar="SIZE",
    help="Refuse what takes more memory than this.",
)
_threads = click.option(
    "-T",
    "--threads",
    type=click.IntRange(0),
    default=1,
    metavar="N",
    help="Work on N blocks at a time, each with a model in memory; 0 for one each CPU.",
)
_making = _together(
    click.option(
        "-B",
        "--block-size",
        type=size,
        metavar="SIZE",
        help="Begin a block that can be decoded alone after so many bytes of data.",
    ),
    click.option("--verify", is_flag=True, help="Decompress the new file and compare."),
)
_undoing = _together(
    click.option(
        "--keep-going",
        is_flag=True,
        help="Of damaged data, save all sound blocks, and tell what is lost.",
    ),
    click.option(
        "--max-output", type=size, metavar="SIZE", help="Fail if there are more data than this."
    ),
)
_output = _together(
    click.option("-c", "--stdout", "to_stdout", is_flag=True, help="Write to standard output."),
    click.option("-o", "--output", metavar="FILE", help="Write to FILE; only for one input."),
    click.option(
        "-k",
        "--keep/--rm",
        default=True,
        help="Keep the input (which is the default), or remove it after success.",
    ),
    _force,
)


@click.group(context_settings=HELP_OPTIONS)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def commands() -> None:
    """Compress files and streams to a very small size, and bring them back.

    Without a command, glnzip works as gzip and xz do:

    \b
      glnzip FILE...      compress each FILE to FILE.gln
      glnzip -d FILE...   decompress each FILE.gln
      glnzip -t FILE...   check each FILE.gln
      glnzip -l FILE...   show what is in each FILE.gln
      glnzip < IN > OUT   compress standard input
      tar -I glnzip -cf FOLDER.tar.gln FOLDER

    glnzip COMMAND --help shows the options of a command.

    Exit status: 0 all is well, 1 something failed, 2 the command line is wrong.
    """


@commands.command()
@_files
@_level
@_prior
@_output
@_making
@_threads
@_memory_limit
@_quiet
@_verbose
def compress(files: tuple[str, ...], **options: Any) -> None:
    """Compress each FILE to FILE.gln.

    Without a FILE, or for "-", standard input is compressed to standard output.
    """
    _convert(files, options, compressing=True)


@commands.command()
@_files
@_prior
@_output
@_undoing
@_threads
@_memory_limit
@_quiet
@_verbose
def decompress(files: tuple[str, ...], **options: Any) -> None:
    """Decompress each FILE.gln to FILE.

    Without a FILE, or for "-", standard input is decompressed to standard output.
    """
    _convert(files, options, compressing=False)


@commands.command()
@_files
@_prior
@_force
@_undoing
@_threads
@_memory_limit
@_quiet
@_verbose
def test(files: tuple[str, ...], **options: Any) -> None:
    """Check that each FILE is whole.

    Each FILE is decompressed and its checksum verified, but nothing is written.
    """
    _test(files, options)


@commands.command()
@_files
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option("--priors", is_flag=True, help="Show the prepared priors on this machine instead.")
def info(files: tuple[str, ...], as_json: bool, priors: bool) -> None:
    """Show what is in each FILE.

    The sizes, level, prior, check value and memory need of every frame are read from the headers;
    nothing is decompressed or checked.
    """
    if not priors:
        _show(files, as_json=as_json)
    if files:
        raise click.UsageError("--priors is not about files")
    from glnzip.cli.listing import list_priors

    sys.exit(list_priors(as_json=as_json))


@commands.command()
@_files
@click.option("-d", "--decompress", "decompressing", is_flag=True, help="Messages to lines.")
@click.option("--hex/--base64", "as_hex", help="How messages are written.  [default: Base64]")
@_level
@_prior
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
@_quiet
def messages(files: tuple[str, ...], **options: Any) -> None:
    """Compress each line alone, for links where each byte counts.

    Each line of each FILE, or of standard input, becomes a line of Base64 or hexadecimal digits on
    standard output. Both sides must use the same level, prior and check, since nothing in a message
    names them. Any message may be lost or come late.
    """
    from glnzip.cli.messaging import carry_messages

    if options["max_output"] is not None and not options["decompressing"]:
        raise click.UsageError("--max-output goes with -d")
    options["level"] = options["level"] or DEFAULT_LEVEL
    options["prior"] = chosen_prior(options["prior"])
    with priming_shown(quiet=options["quiet"]):
        status = carry_messages(files, **options)
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
@_level
@click.option(
    "--size",
    type=click.IntRange(1),
    metavar="BYTES",
    help="Most bytes of samples to put into the prior.  [default: 1048576]",
)
@click.option("-f", "--force", is_flag=True, help="Replace an existing output.")
@_quiet
def train(samples: tuple[str, ...], **options: Any) -> None:
    """Make a prior from samples of your data.

    Each file is a sample, or each line of it with --lines; folders are searched for files. A prior
    makes data of the same kind much smaller, above all short ones. Both sides need it:

    \b
      glnzip train messages/ -o messages.gln
      glnzip compress --prior messages.gln new-message
      glnzip decompress --prior messages.gln new-message.gln
    """
    from glnzip.cli.teaching import teach

    options["level"] = options["level"] or DEFAULT_LEVEL
    sys.exit(teach(samples, **options))


@commands.command()
@_level
@_prior
@click.option(
    "--clear", is_flag=True, help="Remove all that was ever prepared, and prepare nothing."
)
@_quiet
def warmup(level: int | None, prior: str | None, clear: bool, quiet: bool) -> None:
    """Compile the model and prepare the prior ahead of their first use.

    Both are kept in a folder of yours, so later runs start at once. A prior is prepared for one
    level at a time.
    """
    from glnzip.cli.warming import clear_up, warm_up

    if clear:
        sys.exit(clear_up(quiet=quiet))
    with priming_shown(quiet=quiet):
        status = warm_up(level or DEFAULT_LEVEL, chosen_prior(prior), quiet=quiet)
    sys.exit(status)


@click.command(context_settings=HELP_OPTIONS)
@_files
@click.option("-d", "--decompress", "decompressing", is_flag=True, help="Decompress.")
@click.option("-t", "--test", "testing", is_flag=True, help="Check compressed files.")
@click.option("-l", "--list", "showing", is_flag=True, help="Show what is in compressed files.")
@_level
@_prior
@_output
@_making
@_undoing
@_threads
@_memory_limit
@_quiet
@_verbose
def short_form(
    files: tuple[str, ...], decompressing: bool, testing: bool, showing: bool, **options: Any
) -> None:
    """Compress each FILE to FILE.gln, or do what -d, -t or -l asks for instead.

    glnzip --help shows the commands.
    """
    if decompressing + testing + showing > 1:
        raise click.UsageError("-d, -t and -l exclude each other")
    if showing:
        _show(files, as_json=False)
    elif testing:
        _test(files, options)
    else:
        _convert(files, options, compressing=not decompressing)


def _convert(files: tuple[str, ...], options: dict[str, Any], *, compressing: bool) -> None:
    settings = _settings(options)
    if settings.output is not None and settings.to_stdout:
        raise click.UsageError("-c and -o exclude each other")
    if settings.output is not None and len(files) > 1:
        raise click.UsageError("-o names the output of one input, not of several")
    one_way = settings.to_stdout or STANDARD_STREAM in (settings.output, *files) or not files
    if settings.verify and one_way:
        raise click.UsageError("--verify reads the new file: it needs one, not standard output")
    with priming_shown(quiet=settings.quiet):
        status = for_each(files, partial(convert_file, settings=settings, compressing=compressing))
    sys.exit(status)


def _test(files: tuple[str, ...], options: dict[str, Any]) -> None:
    settings = _settings(options)
    with priming_shown(quiet=settings.quiet):
        status = for_each(files, partial(test_file, settings=settings))
    sys.exit(status)


def _show(files: tuple[str, ...], *, as_json: bool) -> None:
    from glnzip.cli.listing import list_files

    sys.exit(list_files(files, as_json=as_json))


def _settings(options: dict[str, Any]) -> Settings:
    # Where no level was chosen click gives None, and False or 0 in older versions.
    options["level"] = options.get("level") or DEFAULT_LEVEL
    options["prior"] = chosen_prior(options["prior"])
    if "threads" in options:
        options["threads"] = options["threads"] or os.cpu_count() or 1
    wanted = {
        field.name: options.pop(field.name) for field in fields(Wanted) if field.name in options
    }
    return Settings(Wanted(**wanted), **options)
