"""What can be saved of a damaged stream: every frame that is sound, at its place.

A frame is sound if its check matches, whatever surrounds it. The search begins at the start of the
file: a sound frame is saved, and the search goes on after it; behind anything else it goes on at
the next magic number. Frames that are parts of a whole know where their data belong, so they may
stand in any order, and what is missing between them is known to the byte. Of other frames only the
order is known: their data are joined.

Nothing is passed on that was not verified: all data wait in a temporary file until the search is
over and it is known where they belong.
"""

from __future__ import annotations

import io
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, NamedTuple, cast

from glnzip.container import MAGIC, FrameInfo, walk_frame
from glnzip.errors import (
    CorruptStreamError,
    MemoryLimitError,
    PriorMismatchError,
    TruncatedStreamError,
    UnsupportedStreamError,
)
from glnzip.priors.prior import Prior
from glnzip.streams.streaming import Decompressor, check_length

_NOT_SOUND = (
    CorruptStreamError,
    MemoryLimitError,
    TruncatedStreamError,
    UnsupportedStreamError,
    PriorMismatchError,
)
_PIECE_BYTES = 1 << 16
_SPOOLED_BYTES = 1 << 24  # kept in memory; what is more goes to a temporary file

Progress = Callable[[int, int], object]
"""Called with how many bytes of the file were dealt with, and how many of data saved, since."""


class Damage(NamedTuple):
    """A stretch of a compressed file that is no sound frame."""

    start: int
    end: int
    reason: str
    """What is wrong at its start."""


class Loss(NamedTuple):
    """A stretch of the data that was not found."""

    start: int
    end: int | None
    """None where nobody can know: after the last part that was found."""


@dataclass
class Recovery:
    """What became of a stream."""

    frames: int = 0
    """How many were sound."""
    original_bytes: int = 0
    """How many bytes of data were saved."""
    damages: list[Damage] = field(default_factory=list)
    """What of the file is no sound frame, in order."""
    losses: list[Loss] = field(default_factory=list)
    """What of the data is missing, as far as parts tell it, in order. What is lost before data that
    were saved is zeros in the output; so positions are those in the output."""

    @property
    def complete(self) -> bool:
        """Whether the stream was sound from its beginning to its end."""
        return not self.damages and not self.losses


class _Part(NamedTuple):
    """The data of a sound frame: where they belong in their whole, and where they are kept."""

    offset: int
    length: int
    last: bool
    check: int
    kept_at: int

    @property
    def end(self) -> int:
        """Where its data end in the whole."""
        return self.offset + self.length


class _Whole:
    """The parts that were found of a whole, in the order of their places."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.parts: list[_Part] = []

    @property
    def end(self) -> int:
        """Where the last part found ends."""
        return self.parts[-1].end

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing after the last part found."""
        return self.name is None or self.parts[-1].last

    def add(self, part: _Part) -> bool:
        """Take a part, unless its place is taken."""
        at = bisect_left(self.parts, part)
        if any(_overlap(part, known) for known in self.parts[max(0, at - 1) : at + 1]):
            return False
        self.parts.insert(at, part)
        return True

    def has(self, part: _Part) -> bool:
        """Whether the same part was found before."""
        at = bisect_left(self.parts, part._replace(kept_at=0))
        return at < len(self.parts) and self.parts[at][:-1] == part[:-1]


def _overlap(one: _Part, other: _Part) -> bool:
    return one.offset < other.end and other.offset < one.end


def recover(
    source: BinaryIO,
    sink: BinaryIO | None,
    *,
    prior: Prior | None = None,
    max_output: int | None = None,
    memory_limit: int | None = None,
    progress: Progress = lambda compressed, original: None,
) -> Recovery:
    """Save the data of all sound frames of a stream that may be damaged.

    Parameters
    ----------
    source
        A binary file that can seek, at the start of the stream.
    sink
        Where the data go, in the order of the stream, with zeros where data are missing before
        others: a hole, if the file can seek. None only finds out what could be saved.
    prior
        For frames that were compressed with a prior of your own.
    max_output
        Give up once the output, gaps included, would be longer than this.
    memory_limit
        Leave out frames whose model takes more bytes of memory.
    progress
        Called after every frame, and after what is none.

    Returns
    -------
    Recovery
        What was found, and what is missing.

    Raises
    ------
    OutputLimitError
        If the output would be longer than `max_output`.
    GlnzipError
        If there is not enough memory for a model.
    """
    recovery = Recovery()
    new_decompressor = partial(Decompressor, prior=prior, memory_limit=memory_limit)
    wholes: list[_Whole] = []
    with _temporary_file() as kept:
        at = 0
        after_last = 0  # where another whole may begin
        found = _sound_frames(source, kept, new_decompressor, recovery.damages, progress)
        for start, frame in found:
            part = _Part(frame.offset or 0, frame.original_bytes, frame.last, frame.check, at)
            _add(part, frame.whole, wholes, repeats=start != after_last)
            after_last = start + frame.compressed_bytes if frame.last else -1
            recovery.frames += 1
            at += part.length
            check_length(at, max_output)
        position = 0
        for whole in wholes:
            check_length(position + whole.end, max_output)
            _put_together(whole.parts, position, kept, sink, recovery)
            position += whole.end
            if not whole.is_whole:
                recovery.losses.append(Loss(position, None))
    return recovery


def _temporary_file() -> BinaryIO:
    return cast("BinaryIO", SpooledTemporaryFile(_SPOOLED_BYTES))


def _add(part: _Part, name: str | None, wholes: list[_Whole], *, repeats: bool) -> None:
    """Add a part to the whole that it belongs to, or to a new one.

    Wholes that begin with the same data have the same name: a part whose place is taken belongs to
    another one. One that is already there is a repetition, where streams do not meet.
    """
    if name is not None:
        for whole in reversed(wholes):
            if whole.name == name and (whole.add(part) or (repeats and whole.has(part))):
                return
    wholes.append(_Whole(name))
    wholes[-1].add(part)


def _put_together(
    parts: list[_Part], start: int, kept: BinaryIO, sink: BinaryIO | None, recovery: Recovery
) -> None:
    """Write the parts of a whole, in order, whose data begin at `start`."""
    position = start
    for part in parts:
        gap = start + part.offset - position
        if gap:
            recovery.losses.append(Loss(position, position + gap))
        if sink is not None:
            _write_zeros(sink, gap)
            kept.seek(part.kept_at)
            _copy(kept, sink, part.length)
        recovery.original_bytes += part.length
        position += gap + part.length


def _sound_frames(
    source: BinaryIO,
    kept: BinaryIO,
    new_decompressor: Callable[[], Decompressor],
    damages: list[Damage],
    progress: Progress,
) -> Iterator[tuple[int, FrameInfo]]:
    """The sound frames of a file, in order, and where they are; their data are added to `kept`."""
    start = position = source.tell()
    end = source.seek(0, io.SEEK_END)
    damage: Damage | None = None
    while position < end:
        frame: FrameInfo | None = None
        try:
            source.seek(position)
            frame = walk_frame(source)
            source.seek(position)
            _decode(source, frame, kept, new_decompressor())
        except _NOT_SOUND as error:
            damage = damage or Damage(position - start, end - start, str(error))
            found, position = position, _next_frame(source, position, frame)
            progress(position - found, 0)
            continue
        if damage is not None:
            damages.append(damage._replace(end=position - start))
            damage = None
        progress(frame.compressed_bytes, frame.original_bytes)
        yield position - start, frame
        position += frame.compressed_bytes
    if damage is not None:
        damages.append(damage)


def _decode(source: BinaryIO, frame: FrameInfo, kept: BinaryIO, decompressor: Decompressor) -> None:
    """Decode a frame to the end of `kept`, which stays as it was unless the frame is sound."""
    end = kept.seek(0, io.SEEK_END)
    left = frame.compressed_bytes
    try:
        while left:
            packed = source.read(min(left, _PIECE_BYTES))
            left -= len(packed)
            kept.write(decompressor.decompress(packed, _PIECE_BYTES))
            while not decompressor.needs_input and not decompressor.eof:
                kept.write(decompressor.decompress(b"", _PIECE_BYTES))
    except _NOT_SOUND:
        kept.seek(end)
        kept.truncate()
        raise


def _next_frame(source: BinaryIO, position: int, frame: FrameInfo | None) -> int:
    """Where the search goes on behind something at `position` that is no sound frame.

    If it had the shape of a frame, and a frame follows it or nothing does, only its content was
    damaged; there is nothing to be looked for inside.
    """
    if frame is not None:
        source.seek(position + frame.compressed_bytes)
        if source.read(len(MAGIC)) in (b"", MAGIC):
            return position + frame.compressed_bytes
    source.seek(position + 1)
    window, at = b"", position + 1
    while piece := source.read(_PIECE_BYTES):
        window += piece
        found = window.find(MAGIC)
        if found >= 0:
            return at + found
        at += max(0, len(window) - len(MAGIC) + 1)
        window = window[-(len(MAGIC) - 1) :]
    return at + len(window)


def _copy(source: BinaryIO, sink: BinaryIO, count: int) -> None:
    while count:
        piece = source.read(min(count, _PIECE_BYTES))
        sink.write(piece)
        count -= len(piece)


def _write_zeros(sink: BinaryIO, count: int) -> None:
    if sink.seekable():
        sink.seek(count, io.SEEK_CUR)
        return
    zeros = bytes(min(count, _PIECE_BYTES))
    while count:
        piece = zeros[:count]
        sink.write(piece)
        count -= len(piece)
