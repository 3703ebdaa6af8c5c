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
    write_end_tag,
    write_frame_header,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from glnzip.coding.block_codec import BlockCodec, OpenCodec


class FrameWriter:
    """A frame in the making. `take` returns what is ready, at first the frame header.

    Parameters
    ----------
    header
        What the frame says of itself.
    open_codec
        Called with the first block: opens the codec that the header names.
    progress
        Called with the number of bytes coded since the last call.
    """

    def __init__(
        self,
        header: FrameHeader,
        open_codec: OpenCodec,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self._level = header.level
        self._place = header.place
        self._open_codec = open_codec
        self._progress = progress
        self._codec: BlockCodec | None = None
        self._ready = bytearray()
        self._check = 0
        self._write(write_frame_header(header))

    def write_block(self, block: bytes) -> None:
        """Code data as a block (1 to ``BLOCK_BYTES``), or store them where coding would not pay."""
        from glnzip.planner.planner import choose_block_type

        block_type = choose_block_type(block, self._level)
        self._codec = self._codec or self._open_codec(len(block), block_type)
        payload = self._codec.encode(block, block_type, self._progress)
        stored = payload is None
        body = masked(block, self._place) if payload is None else payload
        self._write(write_block_header(BlockHeader(stored, block_type, len(block), len(body))))
        self._write(body)
        if not stored:
            self._check = crc32(block, self._check)

    def end(self, *, last: bool = True) -> None:
        """End the frame; `last` is False where another part follows."""
        self._write(write_end_tag(FrameEnd(last)))
        self._ready += self._check.to_bytes(CHECK_BYTES, "little")

    def take(self) -> bytes:
        """Return what of the frame is ready and was not taken before."""
        ready = bytes(self._ready)
        self._ready.clear()
        return ready

    def _write(self, part: bytes) -> None:
        self._ready += part
        self._check = crc32(part, self._check)
