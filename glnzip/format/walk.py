"""What the headers of a stream tell, from frame to frame; nothing is decoded for it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from glnzip.errors import TruncatedStreamError
from glnzip.format.block_type import BlockType
from glnzip.format.container import (
    CHECK_BYTES,
    FORMAT_VERSION,
    Attention,
    BlockHeader,
    Document,
    FrameEnd,
    FrameHeader,
    Place,
    StretchHeader,
    Succession,
    Take,
    Unfinished,
    read_block_header,
    read_frame_header,
    read_plain_block_header,
)
from glnzip.format.levels import LEVELS, MODEL_GENERATION, memory_bytes
from glnzip.system.byte_view import byte_view

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

CHANGED = "the file was changed while it was read"
"""What is said where a frame is no longer what its headers were before."""


@dataclass(frozen=True)
class FrameInfo:
    """What the headers of one frame say; nothing was decoded, so the check is not verified."""

    version: int
    generation: int
    level: int
    prior_id: str | None
    """In hexadecimal; None where the frame names no prior."""
    coded_blocks: int
    stored_blocks: int
    original_bytes: int
    unpacked_bytes: int
    """What the model sees of them: more where the data were packed, and are unpacked for it."""
    compressed_bytes: int
    """The whole frame, header and check included."""
    check: int
    """The CRC-32 at the end of the frame."""
    memory_bytes: int | None
    """About what decoding needs; None where this build does not have the model."""
    whole: str | None = None
    """The name of the whole that the frame is a part of, in hexadecimal; None if of none."""
    offset: int | None = None
    """Bytes of data in the parts before it."""
    last: bool = True
    """Whether no other part follows."""

    @property
    def place(self) -> Place | None:
        """Where the data belong, if the frame is a part."""
        if self.whole is None or self.offset is None:
            return None
        return Place(bytes.fromhex(self.whole), self.offset)

    @property
    def blocks(self) -> int:
        """The number of blocks, coded and stored."""
        return self.coded_blocks + self.stored_blocks


class Segment(NamedTuple):
    """A block of a frame, or a stretch of data that were unpacked, whose blocks follow."""

    offset: int
    """Bytes of data in the frame before it; of a block of a stretch, in the stretch."""
    block_type: BlockType | None
    """What a block is to the model; None of a stretch."""
    length: int
    """Bytes of data."""
    becomes: int
    """Bytes that a block takes in the frame, without its header, or that are in the stretch."""
    nested: bool = False
    """Whether it is a block of a stretch."""


def frame_info(
    source: ReadableBuffer | BinaryIO, tell: Callable[[Segment], object] = lambda _: None
) -> Iterator[FrameInfo]:
    """Walk the headers of a stream without decoding it, in a moment and in little memory.

    Parameters
    ----------
    source
        The compressed bytes, or a binary file (a pipe will do) at the start of a frame.
    tell
        Called with every segment of a frame, before the frame is yielded.

    Yields
    ------
    FrameInfo
        One for each frame, in order.

    Raises
    ------
    GlnzipError
        If the stream is damaged, ends early or has a version this build cannot read. A generation,
        level or prior that this build lacks is no error here: the walk needs no model.
    """
    file = cast("BinaryIO", source if hasattr(source, "read") else io.BytesIO(byte_view(source)))
    succession = Succession()
    first = file.read(1)
    while True:
        frame = walk_frame(file, first, tell=tell)
        succession.begin(frame.place)
        yield frame
        succession.end(frame.place, frame.last, frame.original_bytes)
        first = file.read(1)
        if not first and succession.complete:
            return


class FrameStart(NamedTuple):
    """Where a frame begins."""

    data: int
    """Bytes of data in the frames before it."""
    file: int
    """Bytes of these frames."""
    place: Place | None


def frame_starts(file: BinaryIO) -> list[FrameStart]:
    """Where the frames of a stream begin, by its headers; errors are those of `frame_info`.

    Frames without data that have others after them are left out: there may be a great many.
    """
    starts: list[FrameStart] = []
    data = at = 0
    for frame in frame_info(file):
        if starts and starts[-1].data == data:
            starts.pop()
        starts.append(FrameStart(data, at, frame.place))
        data += frame.original_bytes
        at += frame.compressed_bytes
    return starts


def _read_header(
    frame: FrameHeader, take: Take
) -> BlockHeader | StretchHeader | Document | Attention | FrameEnd:
    if frame.is_plain:
        return read_plain_block_header(take)
    return read_block_header(take, frame.place)


def walk_frame(
    file: BinaryIO,
    first: bytes = b"",
    skip: Callable[[int], object] | None = None,
    tell: Callable[[Segment], object] = lambda _: None,
) -> FrameInfo:
    """Read one frame's headers.

    `first` was read from the file before; `skip` goes past the so many bytes of a body, and may
    raise. Without it they are read. `tell` is called with every segment.
    """
    pushed_back = first
    compressed_bytes = 0

    def take(count: int) -> bytes:
        nonlocal pushed_back, compressed_bytes
        data, pushed_back = pushed_back, b""
        while len(data) < count:  # a pipe may return less than it is asked for
            more = file.read(count - len(data))
            if not more:
                raise TruncatedStreamError("the stream ends before its end mark")
            data += more
        compressed_bytes += count
        return data

    frame = read_frame_header(take)
    coded_blocks = stored_blocks = original_bytes = unpacked_bytes = 0
    whole = 0  # bytes in the present stretch
    stretch = Unfinished()
    while not isinstance(block := _read_header(frame, take), FrameEnd):
        if isinstance(block, Document | Attention):
            continue
        if isinstance(block, StretchHeader):
            stretch.begin(block)
            whole = block.unpacked
            tell(Segment(original_bytes, None, block.length, whole))
            original_bytes += block.length
            continue
        nested = stretch.bytes > 0
        stretch.add(block)
        offset = whole - stretch.bytes - block.length if nested else original_bytes
        tell(Segment(offset, block.block_type, block.length, block.body_length, nested))
        original_bytes += 0 if nested else block.length
        if skip is None:
            take(block.body_length)
        else:
            skip(block.body_length)
            compressed_bytes += block.body_length
        coded_blocks += not block.stored
        stored_blocks += block.stored
        unpacked_bytes += block.length
    stretch.check_end()
    check = int.from_bytes(take(CHECK_BYTES), "little")
    known = frame.generation == MODEL_GENERATION and frame.level in LEVELS
    return FrameInfo(
        version=FORMAT_VERSION,
        generation=frame.generation,
        level=frame.level,
        prior_id=None if frame.prior_id is None else frame.prior_id.hex(),
        coded_blocks=coded_blocks,
        stored_blocks=stored_blocks,
        original_bytes=original_bytes,
        unpacked_bytes=unpacked_bytes,
        compressed_bytes=compressed_bytes,
        check=check,
        memory_bytes=memory_bytes(frame.level) if known else None,
        whole=None if frame.place is None else frame.place.whole.hex(),
        offset=None if frame.place is None else frame.place.offset,
        last=block.last,
    )
