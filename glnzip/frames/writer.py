"""The coding of one frame from top to bottom, in the order of the format: see `decoder`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from glnzip.format.container import (
    CHECK_BYTES,
    BlockHeader,
    FrameEnd,
    FrameHeader,
    masked,
    write_block_header,
    write_document_mark,
    write_end_tag,
    write_frame_header,
    write_stretch_header,
)
from glnzip.frames.pending import PendingData

if TYPE_CHECKING:
    from collections.abc import Callable

    from glnzip.coding.block_codec import BlockCodec, OpenCodec
    from glnzip.format.block_type import BlockType
    from glnzip.frames.share import Report
    from glnzip.planner.stretches import Stretch


class FrameWriter:
    """A frame in the making. `take` returns what is ready, at first the frame header.

    Parameters
    ----------
    header
        What the frame says of itself.
    open_codec
        Called with the first block: opens the codec that the header names.
    progress
        Called with the number of bytes of data coded since the last call.
    unpacks, is_known
        As of `PendingData`, which holds what is not coded yet.
    """

    def __init__(
        self,
        header: FrameHeader,
        open_codec: OpenCodec,
        progress: Report | None = None,
        *,
        unpacks: bool = True,
        is_known: Callable[[bytes], bool] | None = None,
    ) -> None:
        self._pending = PendingData(header.level, progress, unpacks=unpacks, is_known=is_known)
        self._place = header.place
        self._open_codec = open_codec
        self._codec: BlockCodec | None = None
        self._ready = bytearray()
        self._check = 0
        self._write(write_frame_header(header))

    def write(self, data: bytes, *, final: bool) -> None:
        """Take some more data, and code those that are ready to be (`PendingData.stretches`).

        The `final` piece is the last before `end_block` or `end`.
        """
        for original, stretch, report in self._pending.stretches(data, final=final):
            self._write_stretch(original, stretch, report)

    def end_block(self) -> None:
        """Code all data that were given so far."""
        if self._pending:
            self.write(b"", final=True)

    def end(self, *, last: bool = True) -> None:
        """End the frame; `last` is False where another part follows."""
        self.end_block()
        self._write(write_end_tag(FrameEnd(last)))
        self._ready += self._check.to_bytes(CHECK_BYTES, "little")

    def take(self) -> bytes:
        """Return what of the frame is ready and was not taken before."""
        ready = bytes(self._ready)
        self._ready.clear()
        return ready

    def _write_stretch(self, data: bytes, stretch: Stretch, progress: Report | None) -> None:
        """Code some data as the blocks that they become."""
        if stretch.header is not None:
            self._write(write_stretch_header(stretch.header))
        for block in stretch.blocks:
            if block.anew and self._codec is not None:
                self._write(write_document_mark())
                self._codec.begin_document()
            self._write_block(block.data, block.block_type, progress)
        if stretch.header is not None:
            self._check = crc32(data, self._check)

    def _write_block(self, block: bytes, block_type: BlockType, progress: Report | None) -> None:
        """Code data as a block (1 to ``BLOCK_BYTES``), or store them where coding would not pay."""
        self._codec = self._codec or self._open_codec(len(block), block_type)
        payload = self._codec.encode(block, block_type, progress)
        stored = payload is None
        body = masked(block, self._place) if payload is None else payload
        self._write(write_block_header(BlockHeader(stored, block_type, len(block), len(body))))
        self._write(body)
        if not stored:
            self._check = crc32(block, self._check)

    def _write(self, part: bytes) -> None:
        self._ready += part
        self._check = crc32(part, self._check)
