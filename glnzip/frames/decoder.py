"""The decoding of one frame from top to bottom, in the order of the format.

`decode_frame` is a generator, so that the code can read like the format although the frame comes in
pieces: wherever the input ends too early, or there is no room for more data, it yields `b""` and
goes on from that line when it is resumed.

Which priors there are and what a model may take, whoever wants the data knows: what opens a codec
is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

from glnzip.errors import CorruptStreamError, UnsupportedStreamError
from glnzip.format.container import (
    CHECK_BYTES,
    BlockHeader,
    Document,
    FrameEnd,
    FrameHeader,
    Place,
    StretchHeader,
    Take,
    Unfinished,
    check_supported,
    masked,
    read_block_header,
    read_frame_header,
)
from glnzip.frames.share import Report, share

if TYPE_CHECKING:
    from glnzip.coding.block_codec import BlockCodec, OpenCodec
    from glnzip.transforms.unpacking.repack import Repacker

OpenFrame = Callable[[FrameHeader], "OpenCodec"]
"""Returns what opens the codec of a frame; raises where it is known by now that none can be had."""
Header = TypeVar("Header")


@dataclass
class FrameState:
    """Where the decoding of a frame stands.

    It is apart from the `Decompressor` that owns the running `decode_frame`, so that the two do not
    refer to each other: such a circle would keep a dropped model in memory for a while.
    """

    open_frame: OpenFrame
    """Called with the frame header, once it is known."""
    progress: Report | None = None
    """Called now and then with the number of bytes of data decoded since the last call."""
    packs: bool = True
    """Whether there may be data that were unpacked, and marks of documents: not in a prior."""
    unread: bytearray = field(default_factory=bytearray)
    """Bytes of the frame that were given and not yet used."""
    room: int = 0
    """Bytes of data that may still be handed out in this call."""
    undecoded: int = 0
    """Bytes of data still to come from the block at hand."""
    check: int = 0
    """The CRC-32 so far."""
    level: int | None = None
    place: Place | None = None
    """Where the data belong, if the frame is a part."""
    last: bool = True
    """Whether no other part follows; known at the end."""
    block: BlockHeader | None = None
    """The header of the block at hand."""
    codec: BlockCodec | None = None
    """What has decoded the blocks so far; None before the first."""
    repacker: Repacker | None = None
    """What has packed the stretches so far; None before the first."""
    ended: bool = False


def decode_frame(frame: FrameState) -> Iterator[bytes]:
    """Decode a frame from top to bottom.

    Yields pieces of data, and `b""` where it can go on only with more input or with more room.
    """
    header = yield from _parse(frame, read_frame_header)
    yield from decode_blocks(frame, header)


def decode_blocks(frame: FrameState, header: FrameHeader) -> Iterator[bytes]:
    """Decode the blocks that are left of a frame, and what comes after the last."""
    check_supported(header)
    open_codec = frame.open_frame(header)
    frame.level, frame.place = header.level, header.place
    read_block = partial(read_block_header, place=header.place)
    while not isinstance(block := (yield from _parse(frame, read_block)), FrameEnd):
        if isinstance(block, StretchHeader):
            data = yield from _decode_stretch(frame, open_codec, block)
            frame.check = crc32(data, frame.check)
            yield from _hand_out(frame, data)
        elif isinstance(block, Document):
            _begin_document(frame)
        else:
            yield from _decode_block(frame, open_codec, block, frame.progress)
    expected = frame.check.to_bytes(CHECK_BYTES, "little")
    if (yield from _take(frame, CHECK_BYTES)) != expected:
        raise CorruptStreamError("the check at the end does not match what was decoded")
    frame.last = block.last
    frame.ended = True


def _decode_stretch(
    frame: FrameState, open_codec: OpenCodec, header: StretchHeader
) -> Generator[bytes, None, bytes]:
    """Decode the blocks of a stretch, and pack again what was unpacked."""
    if not frame.packs:
        raise UnsupportedStreamError("it has data that were unpacked, which no prior can have")
    read_block = partial(read_block_header, place=frame.place)
    progress = share(frame.progress, header.length, header.unpacked)
    unpacked = bytearray()
    left = Unfinished()
    left.begin(header)
    while left.bytes:
        block = yield from _parse(frame, read_block)
        if isinstance(block, Document):
            _begin_document(frame)
            continue
        if not isinstance(block, BlockHeader):
            raise CorruptStreamError("a block is missing")
        left.add(block)
        for piece in _decode_block(frame, open_codec, block, progress, limited=False):
            unpacked += piece
            if not piece:  # its body has not come yet
                yield b""
    from glnzip.transforms.unpacking.repack import Repacker  # with libraries, which take their time

    frame.repacker = frame.repacker or Repacker()
    recipe, content = unpacked[: header.recipe_length], unpacked[header.recipe_length :]
    data = frame.repacker.repack(bytes(recipe), bytes(content))
    if len(data) != header.length:
        raise CorruptStreamError("the data of a stretch have another length")
    return data


def _begin_document(frame: FrameState) -> None:
    """The next block begins a document."""
    if not frame.packs:
        raise UnsupportedStreamError("it has marks of documents, which no prior can have")
    if frame.codec is not None:
        frame.codec.begin_document()


def _decode_block(
    frame: FrameState,
    open_codec: OpenCodec,
    block: BlockHeader,
    progress: Report | None,
    *,
    limited: bool = True,
) -> Iterator[bytes]:
    """Turn the body of a block back into data, no more than there is room for if `limited`."""
    body = yield from _take(frame, block.body_length)
    codec = frame.codec = frame.codec or open_codec(block.length, block.block_type)
    frame.block = block
    if block.stored:
        body = masked(body, frame.place)
        codec.learn(body, block.block_type, progress)
        yield from _hand_out(frame, body, limited=limited)
        return
    codec.begin_decode(body, block.length, block.block_type)
    frame.undecoded = block.length
    while frame.undecoded:
        if limited and not frame.room:
            yield b""
            continue
        most = min(frame.room, frame.undecoded) if limited else frame.undecoded
        piece = codec.decode(most)
        if progress is not None:
            progress(len(piece))
        frame.check = crc32(piece, frame.check)
        frame.room -= len(piece) if limited else 0
        frame.undecoded -= len(piece)
        yield piece


def _hand_out(frame: FrameState, data: bytes, *, limited: bool = True) -> Iterator[bytes]:
    """All of the data, no more at a time than there is room for if `limited`."""
    frame.undecoded = len(data)
    while frame.undecoded:
        if limited and not frame.room:
            yield b""
            continue
        start = len(data) - frame.undecoded
        piece = data[start : start + frame.room] if limited else data
        frame.room -= len(piece) if limited else 0
        frame.undecoded -= len(piece)
        yield piece


def _parse(frame: FrameState, read: Callable[[Take], Header]) -> Generator[bytes, None, Header]:
    """Read a header from the unread bytes, starting again whenever they end before it does."""
    while True:
        lookahead = _Lookahead(frame.unread)
        try:
            header = read(lookahead.take)
        except _NeedMoreInput:
            yield b""
        else:
            yield from _take(frame, lookahead.position)
            return header


def _take(frame: FrameState, count: int) -> Generator[bytes, None, bytes]:
    """Use up the next `count` bytes of the frame, waiting until that many are there."""
    while len(frame.unread) < count:
        yield b""
    taken = bytes(frame.unread[:count])
    del frame.unread[:count]
    frame.check = crc32(taken, frame.check)
    return taken


class _Lookahead:
    """Takes bytes from the front of a buffer without removing them."""

    def __init__(self, buffer: bytearray) -> None:
        self._buffer = buffer
        self.position = 0

    def take(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        start, self.position = self.position, self.position + count
        if self.position > len(self._buffer):
            raise _NeedMoreInput
        return bytes(self._buffer[start : self.position])


class _NeedMoreInput(Exception):
    """The bytes given so far end in the middle of a header."""
