"""`--keep-going`: save what is sound of damaged data, and tell what is lost."""

from __future__ import annotations

import shutil
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

from glnzip.cli.options import Settings
from glnzip.cli.progress import Progress
from glnzip.cli.report import label, say
from glnzip.cli.text import counted, printable
from glnzip.errors import CorruptStreamError
from glnzip.streams.recovery import Recovery, recover

_SPOOLED_BYTES = 1 << 26  # of a pipe, kept in memory; what is more goes to a temporary file


def recover_stream(
    source: BinaryIO, sink: BinaryIO | None, settings: Settings, progress: Progress
) -> Recovery:
    """Decompress what is sound of `source` into `sink`, if there is one.

    Raises
    ------
    CorruptStreamError
        If nothing is.
    """
    with SpooledTemporaryFile(_SPOOLED_BYTES) as copy:
        if not source.seekable():
            shutil.copyfileobj(source, copy)
            copy.seek(0)
            source = cast(BinaryIO, copy)
        recovery = recover(
            source,
            sink,
            prior=settings.prior,
            max_output=settings.max_output,
            memory_limit=settings.memory_limit,
            only_prepared=settings.only_prepared,
            progress=progress.advance,
        )
    if not recovery.frames:
        raise CorruptStreamError(settings.with_prior(recovery.damages[0].reason))
    return recovery


def check_complete(name: str, recovery: Recovery, settings: Settings) -> None:
    """Tell what of a file could not be saved, if anything, and raise CorruptStreamError then."""
    if recovery.complete:
        return
    for start, end, reason in recovery.damages:
        say(f"{label(name)}: bytes {start:,} to {end - 1:,} are damaged: {reason}")
    if settings.why_no_prior:
        say(f"{label(name)}: {printable(settings.why_no_prior)}")
    for loss in recovery.losses:
        if loss.end is None:
            say(f"{label(name)}: data bytes from {loss.start:,} on are lost")
        else:
            say(f"{label(name)}: data bytes {loss.start:,} to {loss.end - 1:,} are lost, now zeros")
    raise CorruptStreamError(
        f"saved {recovery.original_bytes:,} bytes of data "
        f"in {counted(recovery.frames, 'sound block')}; the rest is lost"
    )
