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
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from glnzip.errors import (
    CorruptStreamError,
    MemoryLimitError,
    OutputLimitError,
    PriorMismatchError,
    TruncatedStreamError,
    UnsupportedStreamError,
)
from glnzip.format.container import MAGIC, MAX_OFFSET
from glnzip.format.walk import CHANGED, FrameInfo, walk_frame
from glnzip.priors.prior import Prior, as_prior
from glnzip.streams.decompressor import Decompressor, check_length

if TYPE_CHECKING:
    from _typeshed import StrPath

_NOT_SOUND = (
    CorruptStreamError,
    MemoryLimitError,
    TruncatedStreamError,
    UnsupportedStreamError,
    PriorMismatchError,
)
_PIECE_BYTES = 1 << 16
_SPOOLED_BYTES = 1 << 24  # kept in memory; what is more goes to a temporary file

_ZEROS_PER_BYTE = 1 << 12  # of the file: so many there may be where the output has no limit
_WHOLES_TRIED = 16  # of those of a name, the latest
_MOST_MOVED = 1 << 14  # a part goes before no more than so many stretches that were found earlier
_MOST_IN_VAIN = 16  # times the file

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
        """Whether the stream was sound from its beginning to its end; one without frames is not."""
        return self.frames > 0 and not self.damages and not self.losses


class _Stretch(NamedTuple):
    """Data of sound frames, one after the other: where they belong, and where they are kept."""

    offset: int
    length: int
    kept_at: int

    @property
    def end(self) -> int:
        """Where the data end in the whole."""
        return self.offset + self.length


class _Whole:
    """What was found of a whole, in the order of the places."""

    __slots__ = ("earlier", "last", "stretches")

    def __init__(self, first: _Stretch, last: bool, earlier: _Whole | None = None) -> None:
        self.stretches = [first]
        self.last = last
        """Whether nothing is missing after the last stretch."""
        self.earlier = earlier
        """The whole of the same name that was found before."""

    @property
    def end(self) -> int:
        """Where the last stretch ends."""
        return self.stretches[-1].end

    def add(self, part: _Stretch, last: bool) -> bool:
        """Take a part, unless its place is taken, or far before those that were found last."""
        known = self.stretches
        at = bisect_left(known, part)
        if len(known) - at > _MOST_MOVED:
            return False
        if any(_overlap(part, near) for near in known[max(0, at - 1) : at + 1]):
            return False
        if at == len(known):
            self.last = last
        if at and _continues(known[at - 1], part):
            offset, length, kept_at = known[at - 1]
            known[at - 1] = _Stretch(offset, length + part.length, kept_at)
        else:
            known.insert(at, part)
        return True

    def has(self, part: _Stretch, kept: BinaryIO) -> bool:
        """Whether the same data were found at the same place before."""
        at = bisect_right(self.stretches, part.offset, key=lambda known: known.offset)
        if not at or part.end > self.stretches[at - 1].end:
            return False
        known = self.stretches[at - 1]
        return _same(kept, known.kept_at + part.offset - known.offset, part.kept_at, part.length)


def _overlap(one: _Stretch, other: _Stretch) -> bool:
    return one.offset < other.end and other.offset < one.end


def _continues(one: _Stretch, other: _Stretch) -> bool:
    return one.end == other.offset and one.kept_at + one.length == other.kept_at


def _same(kept: BinaryIO, one: int, other: int, count: int) -> bool:
    """Whether as many bytes at two places are the same."""
    for start in range(0, count, _PIECE_BYTES):
        pieces = []
        for at in (one, other):
            kept.seek(at + start)
            pieces.append(kept.read(min(count - start, _PIECE_BYTES)))
        if pieces[0] != pieces[1]:
            return False
    return True


class _Wholes:
    """All that was found, in the order of the first frames; frames that are no parts are a whole.

    Wholes that begin with the same data have the same name: a part whose place is taken belongs to
    another one. Of a stranger's stream, which may have a hundred thousand wholes, with other names
    or with the same, only the latest of a name are tried. A part that belongs to an earlier one is
    not lost then: it becomes a whole of its own.
    """

    def __init__(self, kept: BinaryIO) -> None:
        self.found: list[_Whole] = []
        self._kept = kept
        self._joined: _Whole | None = None  # the latest of frames that are no parts
        self._latest: dict[str, _Whole] = {}

    @property
    def length(self) -> int:
        """How many bytes the output will have."""
        return sum(whole.end for whole in self.found)

    def add(self, frame: FrameInfo, kept_at: int, *, repeats: bool) -> None:
        """Add the data of a frame to the whole that they belong to, or to a new one."""
        if frame.whole is None or frame.offset is None:
            self._join(frame.original_bytes, kept_at)
            return
        part = _Stretch(frame.offset, frame.original_bytes, kept_at)
        whole = latest = self._latest.get(frame.whole)
        for _ in range(_WHOLES_TRIED):
            if whole is None:
                break
            if whole.add(part, frame.last) or (repeats and whole.has(part, self._kept)):
                return
            whole = whole.earlier
        self._latest[frame.whole] = self._begin(_Whole(part, frame.last, latest))

    def _join(self, length: int, kept_at: int) -> None:
        """Add data that belong after those before them, and to no whole."""
        if self._joined is not None and self._joined is self.found[-1]:
            self._joined.add(_Stretch(self._joined.end, length, kept_at), last=True)
        else:
            self._joined = self._begin(_Whole(_Stretch(0, length, kept_at), last=True))

    def _begin(self, whole: _Whole) -> _Whole:
        self.found.append(whole)
        return whole


def recover(
    source: BinaryIO,
    sink: BinaryIO | None,
    *,
    prior: Prior | StrPath | None = None,
    max_output: int | None = None,
    memory_limit: int | None = None,
    only_prepared: bool = False,
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
        Nothing is written before all was found.
    prior
        For frames that were compressed with a prior of your own: that prior, or the path of its
        file.
    max_output
        Give up once the output, gaps included, would be longer than this. Go no further once as
        much was decoded for nothing. Without it the zeros that are written may be no more than
        4096 for each byte of the file.
    memory_limit
        Leave out frames whose model takes more bytes of memory; None for what the machine has.
    only_prepared
        Stop at a frame whose prior has to be prepared first; see `Decompressor`.
    progress
        Called after every frame, and after what is none.

    Returns
    -------
    Recovery
        What was found, and what is missing.

    Raises
    ------
    OutputLimitError
        If the output would be longer than `max_output`, or than the sink can be; without
        `max_output`, if it would have too many zeros.
    BadPriorError
        If the prior that was given is damaged.
    NotPreparedError
        If the prior of a frame was not prepared, and only such may be used.
    GlnzipError
        If there is not enough memory for a model.
    """
    recovery = Recovery()
    size = _bytes_ahead(source)
    with _temporary_file() as kept:
        wholes = _Wholes(kept)
        decode = partial(
            _decode,
            source,
            kept=kept,
            new_decompressor=partial(
                Decompressor,
                prior=as_prior(prior),
                memory_limit=memory_limit,
                only_prepared=only_prepared,
            ),
            max_output=max_output,
        )
        at = 0
        after_last = 0  # where another whole may begin
        patience = _Patience(size, max_output)
        for start, frame in _sound_frames(
            source, size, decode, patience, recovery.damages, progress
        ):
            wholes.add(frame, at, repeats=start != after_last)
            after_last = start + frame.compressed_bytes if frame.last else -1
            recovery.frames += 1
            at += frame.original_bytes
            check_length(at, max_output)
        _lay_out(wholes.found, recovery)
        check_length(wholes.length, max_output)
        if sink is not None:
            _check_zeros(wholes.length, recovery.original_bytes, size, max_output)
            for whole in wholes.found:
                _write(whole, kept, sink)
    return recovery


def _bytes_ahead(source: BinaryIO) -> int:
    here = source.tell()
    end = source.seek(0, io.SEEK_END)
    source.seek(here)
    return end - here


def _temporary_file() -> BinaryIO:
    return cast("BinaryIO", SpooledTemporaryFile(_SPOOLED_BYTES))


def _lay_out(wholes: list[_Whole], recovery: Recovery) -> None:
    """Find out what is missing of an output that has these wholes one after the other."""
    start = 0
    for whole in wholes:
        position = 0
        for stretch in whole.stretches:
            if stretch.offset > position:
                recovery.losses.append(Loss(start + position, start + stretch.offset))
            recovery.original_bytes += stretch.length
            position = stretch.end
        start += whole.end
        if not whole.last:
            recovery.losses.append(Loss(start, None))


def _check_zeros(length: int, saved: int, file_bytes: int, max_output: int | None) -> None:
    """Raise OutputLimitError if most of the output is out of proportion to the file.

    A few bytes can say that they belong after any number of others.
    """
    if length >= MAX_OFFSET:
        raise OutputLimitError(f"the output would be {length:,} bytes; no file can be so long")
    if max_output is None and length - saved > _ZEROS_PER_BYTE * file_bytes:
        raise OutputLimitError(
            f"the output would be {length:,} bytes, all but {saved:,} of them zeros for what is "
            "missing; a max_output can allow that"
        )


def _write(whole: _Whole, kept: BinaryIO, sink: BinaryIO) -> None:
    position = 0
    for stretch in whole.stretches:
        if stretch.offset > position:
            _write_zeros(sink, stretch.offset - position)
        kept.seek(stretch.kept_at)
        _copy(kept, sink, stretch.length)
        position = stretch.end


_TOO_MANY = "given up here: too many frames begin within others"


class _GivenUp(CorruptStreamError):
    """The search has done more in vain than damage could explain."""


class _Patience:
    """How much is done for what may be no sound frame.

    Of a damaged stream, every block is walked once, or twice. A stranger's may have a million
    beginnings of frames that share their blocks, each to be walked, and decoded, to the same end.
    """

    def __init__(self, file_bytes: int, data: int | None) -> None:
        self._blocks = file_bytes
        self._packed = _MOST_IN_VAIN * file_bytes
        self._data = data

    def walk(self) -> None:
        """Another block is walked."""
        self._blocks -= 1
        if self._blocks < 0:
            raise _GivenUp(_TOO_MANY)

    def decoded_in_vain(self, frame: FrameInfo) -> None:
        """A frame was not sound."""
        self._packed -= frame.compressed_bytes
        if self._packed < 0:
            raise _GivenUp(_TOO_MANY)
        if self._data is not None:
            self._data -= frame.original_bytes
            if self._data < 0:
                raise _GivenUp("given up here: more data are damaged than the output may have")


def _sound_frames(
    source: BinaryIO,
    size: int,
    decode: Callable[[FrameInfo], None],
    patience: _Patience,
    damages: list[Damage],
    progress: Progress,
) -> Iterator[tuple[int, FrameInfo]]:
    """The sound frames of a file, in order, and where they are."""
    start = position = source.tell()
    end = start + size
    if not size:
        damages.append(Damage(0, 0, "the stream ends before its end mark"))
    damage: Damage | None = None
    while position < end:
        frame: FrameInfo | None = None
        try:
            source.seek(position)
            frame = walk_frame(source, skip=partial(_skip, source, end, patience))
            source.seek(position)
            try:
                decode(frame)
            except CorruptStreamError:  # its headers are right: all of it was decoded
                patience.decoded_in_vain(frame)
                raise
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


def _skip(source: BinaryIO, end: int, patience: _Patience, count: int) -> None:
    """Go past the body of a block, or to the end of the file."""
    patience.walk()
    source.seek(min(source.tell() + count, end))


def _decode(
    source: BinaryIO,
    frame: FrameInfo,
    *,
    kept: BinaryIO,
    new_decompressor: Callable[[], Decompressor],
    max_output: int | None,
) -> None:
    """Decode a frame to the end of `kept`, which stays as it was unless the frame is sound."""
    decompressor = new_decompressor()
    end = kept.seek(0, io.SEEK_END)
    left, length, most = frame.compressed_bytes, 0, _PIECE_BYTES
    try:
        while not decompressor.eof:
            packed = b""
            if decompressor.needs_input and not (packed := source.read(min(left, _PIECE_BYTES))):
                raise TruncatedStreamError(CHANGED)
            left -= len(packed)
            if max_output is not None:
                most = min(_PIECE_BYTES, max_output + 1 - length)
            length += kept.write(decompressor.decompress(packed, most))
            check_length(length, max_output)
        decoded = (decompressor.place, decompressor.last, length)
        if decoded != (frame.place, frame.last, frame.original_bytes):
            raise CorruptStreamError(CHANGED)
    except _NOT_SOUND:
        kept.seek(end)
        kept.truncate()
        raise


def _next_frame(source: BinaryIO, position: int, frame: FrameInfo | None) -> int:
    """Where the search goes on behind something at `position` that is no sound frame.

    If it had the shape of a frame that is no part, and a frame follows it or nothing does, only its
    content was damaged; there is nothing to be looked for inside. Parts have no frames in their
    data, but a damaged header may take the next part for a block of its own.
    """
    if frame is not None and frame.place is None:
        source.seek(position + frame.compressed_bytes)
        if source.read(len(MAGIC)) in (b"", MAGIC):
            return position + frame.compressed_bytes
    source.seek(position + 1)
    window, at = b"", position + 1
    most = 64  # a file may be full of magic numbers: little is read where the next one is near
    while piece := source.read(most):
        most = min(2 * most, _PIECE_BYTES)
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
    if not sink.seekable():
        zeros = bytes(min(count, _PIECE_BYTES))
        for start in range(0, count, _PIECE_BYTES):
            sink.write(zeros[: count - start])
        return
    try:
        sink.seek(count - 1, io.SEEK_CUR)
        sink.write(b"\0")  # so that the file has this length even if nothing follows
    except (MemoryError, OSError, OverflowError) as error:
        raise OutputLimitError(
            f"the output has no room for {count:,} zeros in the place of missing data"
        ) from error
