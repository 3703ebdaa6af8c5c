"""What each command does to its files, one after another, and the exit status that results.

A file that cannot be dealt with costs one line on standard error and the exit status 1; the other
files are dealt with all the same. Only what is expected to go wrong is caught: anything else is a
defect of glnzip, and its traceback is wanted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from functools import cache
from typing import BinaryIO

from glnzip.cli import wording
from glnzip.cli.dying import undone_if_killed
from glnzip.cli.files import (
    STANDARD_STREAM,
    RefusedError,
    Source,
    check_removable,
    compressed_name,
    new_file,
    open_source,
    original_name,
    remove_input,
    standard_output,
)
from glnzip.cli.progress import Progress, may_draw
from glnzip.cli.transfer import Discard, Sink, compress_stream, decompress_stream
from glnzip.container import frame_info
from glnzip.errors import GlnzipError
from glnzip.levels import DEFAULT_LEVEL
from glnzip.prior import SHIPPED_PRIOR, Prior

SUCCESS = 0
FAILURE = 1


@dataclass(frozen=True)
class Settings:
    """What the options ask for."""

    level: int = DEFAULT_LEVEL
    prior: Prior | None = SHIPPED_PRIOR
    to_stdout: bool = False
    output: str | None = None
    keep: bool = True
    force: bool = False
    quiet: bool = False
    verbose: bool = False


def for_each(names: Iterable[str], do_one: Callable[[str], None]) -> int:
    """Do each named file (standard input if there is none), and return the exit status."""
    status = SUCCESS
    for name in names or [STANDARD_STREAM]:
        try:
            do_one(name)
        except (RefusedError, GlnzipError, OSError, MemoryError) as error:
            complain(name, error)
            status = FAILURE
    return status


def convert_file(name: str, settings: Settings, *, compressing: bool) -> None:
    """Compress or decompress one file, as the settings say."""
    target = _target_name(name, settings, compressing=compressing)
    remove = not settings.keep and target is not None and name != STANDARD_STREAM
    if remove and not settings.force:
        check_removable(name)
    any_kind = target is None or settings.output is not None
    with (
        open_source(name, any_kind=any_kind, terminal=compressing or settings.force) as source,
        _sink(target, source, settings, compressing=compressing, durable=remove) as sink,
    ):
        progress = _carry(name, source, sink, settings, compressing=compressing)
    if remove:
        remove_input(name, source)
    _report(name, progress, settings)


def test_file(name: str, settings: Settings) -> None:
    """Decompress one file to nowhere, and check it."""
    with open_source(name, any_kind=True, terminal=settings.force) as source:
        progress = _carry(name, source, Discard(), settings, compressing=False)
    _report(name, progress, settings)


@cache  # once for all files
def announce_slowness() -> None:
    """Say why this run takes long, if it does: it is the first here, or nothing is compiled."""
    from glnzip import jit  # its imports are too slow for --help

    if reason := jit.why_plain():
        say(f"very slow, as little as {jit.PLAIN_BYTES_PER_SECOND} bytes a second: {reason}")
    elif not jit.kernels_are_cached():
        say("compiling the model for this machine, once (about 30 s)")


def say(message: str) -> None:
    """Write one line to standard error, in the name of the program."""
    print(f"glnzip: {message}", file=sys.stderr, flush=True)


def complain(name: str, error: BaseException) -> None:
    """Say in one line what is wrong with a file."""
    if isinstance(error, OSError):
        message = error.strerror or str(error)
    elif isinstance(error, MemoryError):
        message = "not enough memory"
    else:
        message = str(error)
    say(f"{_label(name)}: {wording.printable(message)}")


def _target_name(name: str, settings: Settings, *, compressing: bool) -> str | None:
    """The name of the file to make, or None for standard output."""
    if settings.output is not None:
        return settings.output if settings.output != STANDARD_STREAM else None
    if settings.to_stdout or name == STANDARD_STREAM:
        return None
    return compressed_name(name, force=settings.force) if compressing else original_name(name)


def _sink(
    target: str | None, source: Source, settings: Settings, *, compressing: bool, durable: bool
) -> AbstractContextManager[BinaryIO]:
    if target is None:
        return standard_output(source, terminal=settings.force or not compressing)
    return new_file(target, source, replace=settings.force, durable=durable)


def _carry(
    name: str, source: Source, sink: Sink, settings: Settings, *, compressing: bool
) -> Progress:
    """Carry all bytes from source to sink, with a progress line where one is wanted."""
    if not settings.quiet:
        announce_slowness()
    visible = not settings.quiet and may_draw()
    total = None
    if visible:  # the only use of it
        total = source.size if compressing else _original_size(source)
    progress = Progress(_label(name), total, compressing=compressing, visible=visible)
    with undone_if_killed(progress.close), closing(progress):
        if compressing:
            compress_stream(source.stream, sink, settings.level, settings.prior, progress)
        else:
            decompress_stream(source.stream, sink, settings.prior, progress)
    return progress


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


def _report(name: str, progress: Progress, settings: Settings) -> None:
    if not settings.verbose or settings.quiet:
        return
    original, compressed = progress.original, progress.compressed
    sizes = f"{progress.bytes_read:,} -> {progress.bytes_written:,} bytes"
    ratio, speed = wording.ratio(compressed, original), wording.speed(original, progress.seconds)
    print(f"{_label(name)}: {sizes}, {ratio}, {speed}", file=sys.stderr)


def _label(name: str) -> str:
    return "standard input" if name == STANDARD_STREAM else wording.printable(name)
