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


class _Wholes:
    """All that was found, in the order of their first frames; a frame that is no part is a whole.

    They are looked up by name: a stranger's stream can have a hundred thousand.
    """

    def __init__(self) -> None:
        self.found: list[_Whole] = []
        self._named: dict[str, list[_Whole]] = {}

    def add(self, part: _Part, name: str | None, *, repeats: bool) -> None:
        """Add a part to the whole that it belongs to, or to a new one.

        Wholes that begin with the same data have the same name: a part whose place is taken belongs
        to another one. One that is already there is a repetition, where streams do not meet.
        """
        known = [] if name is None else self._named.setdefault(name, [])
        for whole in reversed(known):
            if whole.add(part) or (repeats and whole.has(part)):
                return
        whole = _Whole(name)
        whole.add(part)
        known.append(whole)
        self.found.append(whole)


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
        Give up once the output, gaps included, would be longer than this. Go no further once as
        much was decoded for nothing.
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
    wholes = _Wholes()
    with _temporary_file() as kept:
        at = 0
        after_last = 0  # where another whole may begin
        found = _sound_frames(
            source, kept, new_decompressor, recovery.damages, max_output, progress
        )
        for start, frame in found:
            part = _Part(frame.offset or 0, frame.original_bytes, frame.last, frame.check, at)
            wholes.add(part, frame.whole, repeats=start != after_last)
            after_last = start + frame.compressed_bytes if frame.last else -1
            recovery.frames += 1
            at += part.length
            check_length(at, max_output)
        position = 0
        for whole in wholes.found:
            check_length(position + whole.end, max_output)
            _put_together(whole.parts, position, kept, sink, recovery)
            position += whole.end
            if not whole.is_whole:
                recovery.losses.append(Loss(position, None))
    return recovery


def _temporary_file() -> BinaryIO:
    return cast("BinaryIO", SpooledTemporaryFile(_SPOOLED_BYTES))


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


class _GivenUp(CorruptStreamError):
    """The search has done more in vain than damage could explain."""


class _Patience:
    """How much is done for what may be no sound frame.

    Of a damaged stream, every block is walked once, or twice. A stranger's may have a million
    beginnings of frames that share their blocks, each to be walked, and decoded, to the same end.
    """

    def __init__(self, blocks: int, data: int | None) -> None:
        self._blocks = blocks
        self._data = data

    def walk(self) -> None:
        """Another block is walked."""
        self._blocks -= 1
        if self._blocks < 0:
            raise _GivenUp("given up here: too many frames begin within others")

    def decoded_in_vain(self, count: int) -> None:
        """So many bytes of data were not sound."""
        if self._data is not None:
            self._data -= count
            if self._data < 0:
                raise _GivenUp("given up here: more data are damaged than the output may have")


def _sound_frames(
    source: BinaryIO,
    kept: BinaryIO,
    new_decompressor: Callable[[], Decompressor],
    damages: list[Damage],
    max_output: int | None,
    progress: Progress,
) -> Iterator[tuple[int, FrameInfo]]:
    """The sound frames of a file, in order, and where they are; their data are added to `kept`."""
    start = position = source.tell()
    end = source.seek(0, io.SEEK_END)
    patience = _Patience(end - start, max_output)
    damage: Damage | None = None
    while position < end:
        frame: FrameInfo | None = None
        try:
            source.seek(position)
            frame = walk_frame(source, at_block=patience.walk)
            source.seek(position)
            _decode(source, frame, kept, new_decompressor(), max_output, patience)
        except _GivenUp as error:
            if damage is not None:
                damages.append(damage._replace(end=position - start))
            damage = Damage(position - start, end - start, str(error))
            progress(end - position, 0)
            break
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


def _decode(
    source: BinaryIO,
    frame: FrameInfo,
    kept: BinaryIO,
    decompressor: Decompressor,
    max_output: int | None,
    patience: _Patience,
) -> None:
    """Decode a frame to the end of `kept`, which stays as it was unless the frame is sound."""
    end = kept.seek(0, io.SEEK_END)
    left, length, most = frame.compressed_bytes, 0, _PIECE_BYTES
    try:
        while not decompressor.eof and (left or not decompressor.needs_input):
            packed = source.read(min(left, _PIECE_BYTES)) if decompressor.needs_input else b""
            left -= len(packed)
            if max_output is not None:
                most = min(_PIECE_BYTES, max_output + 1 - length)
            length += kept.write(decompressor.decompress(packed, most))
            check_length(length, max_output)
    except _NOT_SOUND as error:
        kept.seek(end)
        kept.truncate()
        if isinstance(error, CorruptStreamError):  # its headers are right: all of it was decoded
            patience.decoded_in_vain(frame.original_bytes)
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
