"""`glnzip decompress`: FILE.gln becomes FILE again."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any, BinaryIO, NoReturn

from glnzip.cli import options as given
from glnzip.cli.command_line import command
from glnzip.cli.conversion import Conversion, convert_files
from glnzip.cli.files import Source
from glnzip.cli.inputs import check_no_folder, decompressed_name
from glnzip.cli.options import Settings
from glnzip.cli.progress import Progress, progress_line
from glnzip.cli.recovery import check_complete, recover_stream
from glnzip.cli.report import label
from glnzip.cli.transfer import Discard, copy_stream, decompress_stream, peeked
from glnzip.errors import GlnzipError, PriorMismatchError
from glnzip.format.container import MAGIC
from glnzip.format.walk import frame_info
from glnzip.streams.recovery import Recovery
from glnzip.system.errand import Errand, Steps

HOW_TO_UNPACK_A_FOLDER = "each file in it: -r"


@command
@given.files
@given.start
@given.output
@given.selecting
@given.undoing
@given.threads
@given.dask
@given.memory_limit
@given.only_prepared
@given.reporting
@given.of_habit
def decompress(files: tuple[str, ...], **options: Any) -> None:
    """Decompress each FILE.gln to FILE.

    Without a FILE, or for "-", decompress standard input to standard output.
    """
    decompress_files(files, options)


def decompress_files(files: tuple[str, ...], options: dict[str, Any]) -> NoReturn:
    """Decompress the files of a command line, and end the program."""
    convert_files(files, options, _steps, compressing=False)


def _steps(name: str, settings: Settings) -> Steps:
    """The way of a file; another thread may carry its data."""
    check_no_folder(name, HOW_TO_UNPACK_A_FOLDER)
    conversion = Conversion.of(name, settings, lambda: decompressed_name(name, settings.suffix))
    with conversion.opened(compressing=False) as (source, sink):
        progress, recovery = yield from decompressing(name, source, sink, settings)
    if recovery is not None:
        check_complete(name, recovery, settings)
    conversion.finish(source, progress)


def decompressing(
    name: str, source: Source, sink: BinaryIO | None, settings: Settings
) -> Generator[Errand[Any], None, tuple[Progress, Recovery | None]]:
    """Decompress to a sink or to nowhere; with --keep-going, what can be saved, and tell of it."""
    total = _original_size(source) if settings.draws else None
    with progress_line(label(name), total, compressing=False, visible=settings.draws) as progress:
        errand = Errand(partial(_decompress, source.stream, sink, settings, progress))
        yield errand
        return progress, errand.result()


def _decompress(
    stream: BinaryIO, sink: BinaryIO | None, settings: Settings, progress: Progress
) -> Recovery | None:
    if settings.keep_going:
        return recover_stream(stream, sink, settings, progress)
    if sink is not None and settings.force and settings.to_stdout:
        start, stream = peeked(stream, len(MAGIC))
        if start != MAGIC:  # nobody has compressed it: it comes out as it is
            copy_stream(stream, sink, progress)
            return None
    try:
        decompress_stream(stream, sink or Discard(), settings, progress)
    except PriorMismatchError as error:
        raise PriorMismatchError(settings.with_prior(str(error))) from None
    return None


def _original_size(source: Source) -> int | None:
    """What a compressed file will decompress to, by its headers; None if they cannot say."""
    if source.size is None:
        return None
    start = source.stream.tell()
    try:
        return sum(frame.original_bytes for frame in frame_info(source.stream))
    except GlnzipError:  # decompressing will find out why
        return None
    finally:
        source.stream.seek(start)
