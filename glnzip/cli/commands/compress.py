"""`glnzip compress`: FILE becomes FILE.gln."""

from __future__ import annotations

from functools import partial
from typing import Any, BinaryIO, NoReturn

from glnzip.cli import options as given
from glnzip.cli.command_line import command
from glnzip.cli.conversion import Conversion, convert_files
from glnzip.cli.inputs import check_no_folder, compressed_name
from glnzip.cli.options import Settings
from glnzip.cli.progress import progress_line
from glnzip.cli.report import label
from glnzip.cli.transfer import Discard, compress_stream, decompress_stream
from glnzip.errors import GlnzipError
from glnzip.system.errand import Errand, Steps

_HOW_TO_PACK_A_FOLDER = "as one file: tar -I glnzip -cf FOLDER.tar.gln FOLDER; each file in it: -r"


@command
@given.files
@given.level
@given.start
@given.output
@given.selecting
@given.making
@given.threads
@given.dask
@given.memory_limit
@given.reporting
@given.of_habit
def compress(files: tuple[str, ...], **options: Any) -> None:
    """Compress each FILE to FILE.gln.

    Without a FILE, or for "-", compress standard input to standard output.
    """
    compress_files(files, options)


def compress_files(files: tuple[str, ...], options: dict[str, Any]) -> NoReturn:
    """Compress the files of a command line, and end the program."""
    convert_files(files, options, _steps, compressing=True)


def _steps(name: str, settings: Settings) -> Steps:
    """The way of a file; another thread may carry its data."""
    check_no_folder(name, _HOW_TO_PACK_A_FOLDER)
    conversion = Conversion.of(
        name, settings, lambda: compressed_name(name, settings.suffix, force=settings.force)
    )
    with conversion.opened(compressing=True) as (source, sink):
        with progress_line(
            label(name), source.size, compressing=True, visible=settings.draws
        ) as progress:
            errand = Errand(partial(compress_stream, source.stream, sink, settings, progress))
            yield errand
            digest = errand.result()
        if settings.verify and _digest_of(name, sink, progress.original, settings) != digest:
            raise GlnzipError("the compressed data do not decompress to the original")
    conversion.finish(source, progress)


def _digest_of(name: str, compressed: BinaryIO, total: int, settings: Settings) -> bytes:
    """The SHA-256 of what is in a compressed file, by a model of its own."""
    from glnzip.priors.prepared import reading_whole  # brings the model with it

    compressed.seek(0)
    with (
        progress_line(
            f"verifying {label(name)}", total, compressing=False, visible=settings.draws
        ) as progress,
        reading_whole(),
    ):
        return decompress_stream(compressed, Discard(), settings, progress)
