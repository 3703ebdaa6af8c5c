"""`glnzip analyze`: where the bits of files go, as a page for people or as JSON."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import click

from glnzip.cli import options as given
from glnzip.cli.command_line import command
from glnzip.cli.files import (
    STANDARD_OUTPUT,
    RefusedError,
    Source,
    open_source,
    output_file,
    standard_output,
)
from glnzip.cli.inputs import EXPECTED_ERRORS, check_no_folder, chosen_inputs, for_each
from glnzip.cli.options import chosen_level
from glnzip.cli.preparation import preparation_shown
from glnzip.cli.priors import AUTO, chosen_prior, with_base
from glnzip.cli.progress import may_draw, progress_line
from glnzip.cli.report import FAILURE, complain, label, say
from glnzip.cli.text import parsed_size, printable
from glnzip.priors.prior import Prior

_PAGE = "report.html"


@command
@given.files
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"Write to FILE.  [default: {_PAGE}; standard output for --json]",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a page.")
@given.level
@given.start
@given.unpack
@click.option(
    "--every-level", is_flag=True, help="Compress at all other levels, too, to compare the sizes."
)
@click.option(
    "--detail",
    type=parsed_size,
    metavar="SIZE",
    help="Show at most SIZE bytes of each file one by one.  [default: 2M]",
)
@given.selecting
@given.force
@given.quiet
@given.of_habit
def analyze(files: tuple[str, ...], **options: Any) -> None:
    """Show where the bits of each FILE go, on a page.

    FILE is compressed two or three times, and nothing is kept of that. The page tells what each
    byte costs, which kinds of data take how much, which contexts of the model have saved what, and
    what other compressors make of it. It is one file, which any browser shows.
    """
    sys.exit(_analyze_files(files, options))


def _analyze_files(files: tuple[str, ...], options: dict[str, Any]) -> int:
    """Analyse the files of a command line, write the report, and return the exit status."""
    names, inside = chosen_inputs(files, options, compressed=False)
    prior = with_base(chosen_prior(options["prior"]), options["base"])
    as_json, quiet = options["as_json"], options["quiet"]
    target = options["output"] or (STANDARD_OUTPUT[0] if as_json else _PAGE)
    sections: list[dict[str, Any]] = []

    def analyse_one(name: str) -> None:
        check_no_folder(name, "each file in it: -r")
        sections.append(_section(name, prior, options))

    try:
        with (
            preparation_shown(quiet=quiet),
            _opened(target, force=options["force"], terminal=as_json) as sink,
        ):
            status = for_each(names, analyse_one, inside)
            if not sections:
                raise _NothingError
            sink.write(_report(sections, as_json=as_json).encode())
    except _NothingError:
        return status
    except EXPECTED_ERRORS as error:
        complain("standard output" if target in STANDARD_OUTPUT else target, error)
        return FAILURE
    if target not in STANDARD_OUTPUT and not quiet:
        say(f"{printable(target)}: written")
    return status


class _NothingError(Exception):
    """No file could be analysed, and each has said why."""


def _section(name: str, prior: Prior | None, options: dict[str, Any]) -> dict[str, Any]:
    """Read a file, analyse what is in it, and keep what the report needs."""
    with open_source(name, any_kind=True, terminal=True) as source:
        data = source.stream.read()
    from glnzip.analysis.analyse import analyse, passes
    from glnzip.analysis.page import DEFAULT_DETAIL, plain, section

    every_level, detail = options["every_level"], options["detail"]
    with progress_line(
        label(name),
        len(data) * passes(prior, every_level=every_level),
        compressing=True,
        visible=not options["quiet"] and may_draw(),
    ) as progress:
        analysis = analyse(
            data,
            level=chosen_level(options["level"]),
            prior=prior,
            unpack=options["unpack"],
            or_none=options["prior"] == AUTO,
            every_level=every_level,
            progress=lambda count: progress.advance(count, 0),
        )
    if options["as_json"]:
        return plain(label(name), analysis)
    return section(label(name), analysis, detail=DEFAULT_DETAIL if detail is None else detail)


def _report(sections: list[dict[str, Any]], *, as_json: bool) -> str:
    if as_json:
        import json

        return json.dumps(sections, indent=1) + "\n"
    from glnzip.analysis.page import page

    return page(sections)


@contextmanager
def _opened(target: str, *, force: bool, terminal: bool) -> Iterator[BinaryIO]:
    """What the report is written to: a new file, or standard output."""
    nothing = Source(io.BytesIO(), None, named=False)
    if target not in STANDARD_OUTPUT:
        with output_file(target, nothing, replace=force, durable=False, terminal=True) as sink:
            yield sink
    elif sys.stdout.buffer.isatty() and not (terminal or force):
        raise RefusedError("the page is not written to a terminal")
    else:
        with standard_output(nothing, terminal=True) as sink:
            yield sink
