"""One file becomes another: what `glnzip compress` and `glnzip decompress` have in common."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

import click

from glnzip.cli import text
from glnzip.cli.files import (
    STANDARD_OUTPUT,
    STANDARD_STREAM,
    Source,
    check_removable,
    is_special,
    open_source,
    output_file,
    remove_input,
    standard_output,
)
from glnzip.cli.inputs import Inside, chosen_inputs, for_each
from glnzip.cli.on_cluster import StepsOfOne, check_options, connected, for_several
from glnzip.cli.options import Settings
from glnzip.cli.preparation import preparation_shown
from glnzip.cli.progress import Progress
from glnzip.cli.report import label


def convert_files(
    files: tuple[str, ...], options: dict[str, Any], steps_of_one: StepsOfOne, *, compressing: bool
) -> NoReturn:
    """Convert the files of a command line, and end the program: see `work_through`."""
    if options["output"] is not None and options["to_stdout"]:
        raise click.UsageError("-c and -o cannot be used together")
    one = not (options["recursive"] or options["listed"] or options["listed0"] or len(files) > 1)
    if options["output"] is not None and not one:
        raise click.UsageError("-o can be used with one input only")
    names, inside = chosen_inputs(files, options, compressed=not compressing)
    check_options(options)
    settings = Settings.of(options, compressing=compressing)
    if settings.verify and not _makes_files(names, settings):
        raise click.UsageError("--verify needs a file to read, not standard output")
    work_through(names, inside, steps_of_one, settings)


def work_through(
    names: list[str], inside: Inside | None, steps_of_one: StepsOfOne, settings: Settings
) -> NoReturn:
    """Do each file as the settings say, and end the program.

    A cluster is given several files at a time, if not all go to standard output.
    """

    def do_one(name: str) -> None:
        for errand in steps_of_one(name, settings):
            errand()

    with (
        preparation_shown(
            quiet=settings.quiet, verbose=settings.verbose, drawn=not settings.no_progress
        ),
        connected(settings) as settings,
    ):
        if settings.cluster is None or settings.to_stdout:
            status = for_each(names, do_one, inside)
        else:
            status = for_several(names, steps_of_one, inside, settings)
    sys.exit(status)


def _makes_files(names: list[str], settings: Settings) -> bool:
    """Whether every output is a file."""
    if settings.output is not None:
        return settings.output not in STANDARD_OUTPUT and not is_special(settings.output)
    return not settings.to_stdout and STANDARD_STREAM not in names


@dataclass(frozen=True)
class Conversion:
    """The way of one file: the name of the input, and of the file to make, if any."""

    name: str
    target: str | None
    """None for standard output."""
    removes_input: bool
    """Only if a file has its data afterwards."""
    settings: Settings

    @classmethod
    def of(cls, name: str, settings: Settings, new_name: Callable[[], str]) -> Conversion:
        """The conversion of one input; unless the options name an output, its name is `new_name`.

        That raises RefusedError where there is none.
        """
        if settings.output is not None:
            target = settings.output if settings.output not in STANDARD_OUTPUT else None
        else:
            target = None if settings.to_stdout or name == STANDARD_STREAM else new_name()
        keeps_all = target is None or is_special(target) or name == STANDARD_STREAM
        return cls(name, target, not (settings.keep or keeps_all), settings)

    @contextmanager
    def opened(self, *, compressing: bool) -> Iterator[tuple[Source, BinaryIO]]:
        """The input, and what to write to; a new file is complete if the block ends well."""
        settings = self.settings
        if self.removes_input and not settings.force:
            check_removable(self.name)
        any_kind = self.target is None or settings.output is not None
        terminal = compressing or settings.force
        with (
            open_source(self.name, any_kind=any_kind, terminal=terminal) as source,
            self._sink(source, terminal=settings.force or not compressing) as sink,
        ):
            yield source, sink

    def _sink(self, source: Source, *, terminal: bool) -> AbstractContextManager[BinaryIO]:
        if self.target is None:
            return standard_output(source, terminal=terminal)
        return output_file(
            self.target,
            source,
            replace=self.settings.force,
            durable=self.removes_input and self.settings.sync,
            terminal=terminal,
        )

    def finish(self, source: Source, progress: Progress) -> None:
        """Remove the input, if that is wanted, and report the sizes."""
        if self.removes_input:
            remove_input(self.name, source)
        report_sizes(self.name, progress, self.settings)


def report_sizes(name: str, progress: Progress, settings: Settings) -> None:
    """Write the line that --verbose asks for."""
    if not settings.verbose or settings.quiet:
        return
    original, compressed = progress.original, progress.compressed
    sizes = f"{progress.bytes_read:,} -> {progress.bytes_written:,} bytes"
    ratio, speed = text.ratio(compressed, original), text.speed(original, progress.seconds)
    print(f"{label(name)}: {sizes}, {ratio}, {speed}", file=sys.stderr)
