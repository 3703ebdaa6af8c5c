"""`glnzip test`: decompress each FILE to nowhere, and so check it."""

from __future__ import annotations

from typing import Any, NoReturn

from glnzip.cli import options as given
from glnzip.cli.command_line import command
from glnzip.cli.commands.decompress import HOW_TO_UNPACK_A_FOLDER, decompressing
from glnzip.cli.conversion import report_sizes, work_through
from glnzip.cli.files import open_source
from glnzip.cli.inputs import check_no_folder, chosen_inputs
from glnzip.cli.on_cluster import check_options
from glnzip.cli.options import Settings
from glnzip.cli.recovery import check_complete
from glnzip.system.errand import Steps


@command
@given.files
@given.start
@given.force
@given.selecting
@given.undoing
@given.threads
@given.dask
@given.memory_limit
@given.only_prepared
@given.reporting
@given.of_habit
def test(files: tuple[str, ...], **options: Any) -> None:
    """Check that each FILE is whole.

    Decompress each FILE and verify its checksum, but write nothing.
    """
    test_files(files, options)


def test_files(files: tuple[str, ...], options: dict[str, Any]) -> NoReturn:
    """Check the files of a command line, and end the program."""
    names, inside = chosen_inputs(files, options, compressed=True)
    check_options(options)
    settings = Settings.of(options, compressing=False)
    work_through(names, inside, _steps, settings)


def _steps(name: str, settings: Settings) -> Steps:
    """The way of a file; another thread may read its data."""
    check_no_folder(name, HOW_TO_UNPACK_A_FOLDER)
    with open_source(name, any_kind=True, terminal=settings.force) as source:
        progress, recovery = yield from decompressing(name, source, None, settings)
    if recovery is not None:
        check_complete(name, recovery, settings)
    report_sizes(name, progress, settings)
