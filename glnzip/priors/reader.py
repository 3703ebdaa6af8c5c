"""Reading a prior file, block by block, with bookmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from glnzip.errors import TruncatedStreamError
from glnzip.format.block_type import BlockType
from glnzip.format.container import BlockHeader, read_frame_header, write_block_header
from glnzip.frames.decoder import FrameState, decode_blocks, decode_frame
from glnzip.priors.watching import Report

if TYPE_CHECKING:
    from glnzip.coding.block_codec import BlockCodec

_SLICE_BYTES = 1 << 14  # decoded between two reports


class Bookmark(NamedTuple):
    """Where the reading of a prior was left off, between two blocks."""

    frame: int
    """Where the frame begins in the stream."""
    block: int
    """Where the block to come begins."""
    check: int
    """The CRC-32 of the frame so far."""
    description: bytes
    """What the hash is taken of, so far."""
    memorised: bool = False
    """Whether the blocks to come are memorised."""


class PriorFrame:
    """One frame of a prior.

    Parameters
    ----------
    data
        The stream.
    start
        Where the frame begins in the stream.
    frame
        Its state, from the start or from a bookmark on.
    description
        To it, the blocks are added as they would be if they were stored.
    blamed
        Entered while the frame is decoded: turns errors into those of the prior.
    """

    memorised = False
    """Its blocks are learned."""

    def __init__(
        self,
        data: bytes,
        start: int,
        frame: FrameState,
        description: bytearray,
        blamed: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self.start = start
        self._end = len(data)
        self._blamed = blamed
        self._frame = frame
        self._description = description
        self._steps = decode_frame(frame)
        if self.position > start:
            header = read_frame_header(BytesIO(data[start:]).read)
            self._steps = decode_blocks(frame, header)
        with blamed():
            next(self._steps, b"")  # reads the frame header, and stops short of the first data

    def reports(self, report: Report) -> tuple[Report, Report]:
        """What to tell of bytes that were memorised, and of bytes that were learned: the same."""
        return report, report

    @property
    def position(self) -> int:
        """How far the stream has been read."""
        return self._end - len(self._frame.unread)

    @property
    def bookmark(self) -> Bookmark:
        """Where the reading stands, after a block."""
        return Bookmark(self.start, self.position, self._frame.check, bytes(self._description))

    @property
    def level(self) -> int:
        """The level that the frame was compressed with."""
        assert self._frame.level is not None, "the header has been read"
        return self._frame.level

    @property
    def codec(self) -> BlockCodec | None:
        """What has decoded the blocks so far: its model has seen them. None before the first."""
        return self._frame.codec

    def blocks(self, report: Report) -> Iterator[tuple[BlockType, bytes]]:
        """Decode block after block; the check of the frame is verified after the last."""
        block = bytearray()
        while not self._frame.ended:
            self._frame.room = _SLICE_BYTES
            with self._blamed():
                piece = next(self._steps, b"")
                if not piece and not self._frame.ended:
                    raise TruncatedStreamError("the stream ends before its end mark")
            report(len(piece))
            block += piece
            header = self._frame.block
            if header is not None and len(block) == header.length:
                stored = BlockHeader(True, header.block_type, len(block), len(block))
                self._description += write_block_header(stored) + block
                yield header.block_type, bytes(block)
                block.clear()
