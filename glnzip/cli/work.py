"""What each command does to its files, one after another, and the exit status that results.

A file that cannot be dealt with costs one line on standard error and the exit status 1; the other
files are dealt with all the same. Only what is expected to go wrong is caught: anything else is a
defect of glnzip, and its traceback is wanted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from glnzip.cli import wording
from glnzip.cli.files import (
    STANDARD_OUTPUT,
    STANDARD_STREAM,
    SUFFIX,
    RefusedError,
    Source,
    check_no_folder,
    check_removable,
    compressed_name,
    is_special,
    open_source,
    original_name,
    output_file,
    remove_input,
    standard_output,
)
from glnzip.cli.progress import Progress, may_draw
from glnzip.cli.transfer import (
    Discard,
    Wanted,
    compress_stream,
    copy_stream,
    decompress_stream,
    peeked,
    recover_stream,
)
from glnzip.errors import (
    CorruptStreamError,
    GlnzipError,
    MemoryLimitError,
    OutputLimitError,
    PriorMismatchError,
)
from glnzip.format.container import MAGIC
from glnzip.format.walk import frame_info
from glnzip.streams.recovery import Recovery
from glnzip.system.unfinished import undone_if_killed

SUCCESS = 0
FAILURE = 1

_HOW_TO_PACK_A_FOLDER = "as one file: tar -I glnzip -cf FOLDER.tar.gln FOLDER; each file in it: -r"
_HOW_TO_UNPACK_A_FOLDER = "each file in it: -r"


@dataclass(frozen=True)
class Settings:
    """What the options ask for."""

    wanted: Wanted
    to_stdout: bool = False
    output: str | None = None
    keep: bool = True
    sync: bool = True
    suffix: str = SUFFIX
    force: bool = False
    quiet: bool = False
    verbose: bool = False
    no_progress: bool = False
    verify: bool = False
    keep_going: bool = False
    why_no_prior: str = ""
    """Why the prior that was named is not there, where that may not matter."""

    @property
    def passes_on(self) -> bool:
        """Whether data that nobody has compressed are to come out as they are (-dcf)."""
        return self.force and self.to_stdout and not self.keep_going


class IncompleteError(Exception):
    """Of damaged data something was saved, and the rest is lost."""


def for_each(
    names: Iterable[str],
    do_one: Callable[[str], None],
    inside: Callable[[str], Iterable[str]] | None = None,
) -> int:
    """Do each named file, and return the exit status.

    With `inside`, which tells what of a folder is meant, folders are gone through.
    """
    status = SUCCESS
    waiting = [iter(names)]
    while waiting:
        name = next(waiting[-1], None)
        if name is None:
            waiting.pop()
            continue
        try:
            if inside is not None and name != STANDARD_STREAM and os.path.isdir(name):
                waiting.append(iter(inside(name)))
            else:
                do_one(name)
        except (RefusedError, IncompleteError, GlnzipError, OSError, MemoryError) as error:
            complain(name, error)
            status = FAILURE
    return status


def convert_file(name: str, settings: Settings, *, compressing: bool) -> None:
    """Compress or decompress one file, as the settings say."""
    check_no_folder(name, _HOW_TO_PACK_A_FOLDER if compressing else _HOW_TO_UNPACK_A_FOLDER)
    target = _target_name(name, settings, compressing=compressing)
    keeps_all = target is None or is_special(target)  # nothing is there afterwards but the input
    remove = not (settings.keep or keeps_all or name == STANDARD_STREAM)
    if remove and not settings.force:
        check_removable(name)
    with (
        open_source(
            name,
            any_kind=target is None or settings.output is not None,
            terminal=compressing or settings.force,
        ) as source,
        _sink(
            target, source, settings, compressing=compressing, durable=remove and settings.sync
        ) as sink,
    ):
        work = _Work(name, source, settings)
        progress = work.compress(sink) if compressing else work.decompress(sink)
    work.check_complete()
    if remove:
        remove_input(name, source)
    _report(name, progress, settings)


def test_file(name: str, settings: Settings) -> None:
    """Decompress one file to nowhere, and check it."""
    check_no_folder(name, _HOW_TO_UNPACK_A_FOLDER)
    with open_source(name, any_kind=True, terminal=settings.force) as source:
        work = _Work(name, source, settings)
        progress = work.decompress(None)
    work.check_complete()
    _report(name, progress, settings)


def say(message: str) -> None:
    """Write one line to standard error, in the name of the program."""
    print(f"glnzip: {message}", file=sys.stderr, flush=True)


def complain(name: str, error: BaseException) -> None:
    """Say in one line what is wrong with a file."""
    say(f"{_label(name)}: {wording.printable(reason(error))}")


def reason(error: BaseException) -> str:
    """What an error says, and which option is about it."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, MemoryError):
        return "not enough memory"
    if isinstance(error, MemoryLimitError):
        return f"{error} (see --memory-limit)"
    if isinstance(error, OutputLimitError):
        return f"{error} (see --max-output)"
    return str(error)


def _target_name(name: str, settings: Settings, *, compressing: bool) -> str | None:
    """The name of the file to make, or None for standard output."""
    if settings.output is not None:
        return settings.output if settings.output not in STANDARD_OUTPUT else None
    if settings.to_stdout or name == STANDARD_STREAM:
        return None
    if compressing:
        return compressed_name(name, settings.suffix, force=settings.force)
    return original_name(name, settings.suffix)


def _sink(
    target: str | None, source: Source, settings: Settings, *, compressing: bool, durable: bool
) -> AbstractContextManager[BinaryIO]:
    terminal = settings.force or not compressing
    if target is None:
        return standard_output(source, terminal=terminal)
    return output_file(target, source, replace=settings.force, durable=durable, terminal=terminal)


class _Work:
    """One file's way from its source to a sink, with a progress line where one is wanted."""

    def __init__(self, name: str, source: Source, settings: Settings) -> None:
        self._label = _label(name)
        self._source = source
        self._settings = settings
        self._recovery: Recovery | None = None

    def compress(self, sink: BinaryIO) -> Progress:
        """Compress, and look at the result if that is wanted."""
        stream, wanted = self._source.stream, self._settings.wanted
        with self._progress(self._label, self._source.size, compressing=True) as progress:
            digest = compress_stream(stream, sink, wanted, progress)
        if self._settings.verify:
            from glnzip.priors.prepared import reading_whole  # brings the model with it

            sink.seek(0)
            label = f"verifying {self._label}"
            with (
                self._progress(label, progress.original, compressing=False) as verifying,
                reading_whole(),
            ):
                found = decompress_stream(sink, Discard(), wanted, verifying)
            if found != digest:
                raise GlnzipError("the compressed data do not decompress to the original")
        return progress

    def decompress(self, sink: BinaryIO | None) -> Progress:
        """Decompress to a sink or to nowhere, or save what can be saved if that is wanted."""
        stream, wanted = self._source.stream, self._settings.wanted
        total = _original_size(self._source) if self._visible else None
        with self._progress(self._label, total, compressing=False) as progress:
            if sink is not None and self._settings.passes_on:
                start, stream = peeked(stream, len(MAGIC))
                if start != MAGIC:
                    copy_stream(stream, sink, progress)
                    return progress
            if self._settings.keep_going:
                self._recover(stream, sink, progress)
            else:
                try:
                    decompress_stream(stream, sink or Discard(), wanted, progress)
                except PriorMismatchError as error:
                    raise PriorMismatchError(self._with_prior(str(error))) from None
        return progress

    def _recover(self, stream: BinaryIO, sink: BinaryIO | None, progress: Progress) -> None:
        self._recovery = recover_stream(stream, sink, self._settings.wanted, progress)
        if not self._recovery.frames:
            reasons = [damage.reason for damage in self._recovery.damages]
            raise CorruptStreamError(self._with_prior(reasons[0] if reasons else "it is empty"))

    def _with_prior(self, reason: str) -> str:
        """The reason why a stream cannot be read, and why no prior was given if one was named."""
        return "; ".join(filter(None, (reason, self._settings.why_no_prior)))

    def check_complete(self) -> None:
        """Tell what could not be saved, if anything, and raise an error."""
        recovery = self._recovery
        if recovery is None or recovery.complete:
            return
        for start, end, reason in recovery.damages:
            say(f"{self._label}: bytes {start:,} to {end - 1:,} are damaged: {reason}")
        if self._settings.why_no_prior:
            say(f"{self._label}: {wording.printable(self._settings.why_no_prior)}")
        for loss in recovery.losses:
            where = f"from {loss.start:,} on"
            if loss.end is not None:
                where = f"{loss.start:,} to {loss.end - 1:,}, now zeros"
            say(f"{self._label}: lost: data bytes {where}")
        raise IncompleteError(
            f"saved {recovery.original_bytes:,} bytes of data, "
            f"in {recovery.frames:,} sound blocks; the rest is lost"
        )

    @property
    def _visible(self) -> bool:
        return not (self._settings.quiet or self._settings.no_progress) and may_draw()

    @contextmanager
    def _progress(self, label: str, total: int | None, *, compressing: bool) -> Iterator[Progress]:
        progress = Progress(label, total, compressing=compressing, visible=self._visible)
        with undone_if_killed(progress.close), closing(progress):
            yield progress


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
