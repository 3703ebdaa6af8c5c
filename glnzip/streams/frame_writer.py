"""The coding of one frame from top to bottom, in the order of the format: see `frame_decoder`."""

from __future__ import annotations

from hashlib import sha256
from operator import index
from typing import TYPE_CHECKING
from zlib import crc32

from glnzip.format.container import (
    CHECK_BYTES,
    WHOLE_BYTES,
    BlockHeader,
    FrameEnd,
    FrameHeader,
    Place,
    masked,
    write_block_header,
    write_end_tag,
    write_frame_header,
)
from glnzip.format.levels import MODEL_GENERATION
from glnzip.priors.watching import heard_by
from glnzip.streams.frame_decoder import allocate_codec

if TYPE_CHECKING:
    from collections.abc import Callable

    from glnzip.coding.block_codec import BlockCodec
    from glnzip.priors.prior import Prior


class FrameWriter:
    """A frame in the making. `take` returns what is ready, at first the frame header.

    Parameters
    ----------
    level
        1 to 9.
    prior
        What the model has seen before the data.
    place
        Where the data belong, if the frame is a part.
    progress
        Called with the number of bytes coded since the last call.
    """

    def __init__(
        self,
        level: int,
        prior: Prior | None,
        place: Place | None,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self._level = level
        self._prior = prior
        self._place = place
        self._progress = progress
        self._codec: BlockCodec | None = None
        self._ready = bytearray()
        self._check = 0
        prior_id = None if prior is None else bytes.fromhex(prior.id)
        self._write(write_frame_header(FrameHeader(MODEL_GENERATION, level, prior_id, place)))

    def write_block(self, block: bytes) -> None:
        """Code data as a block (1 to ``BLOCK_BYTES``), or store them where coding would not pay."""
        from glnzip.coding.block_codec import choose_block_type

        block_type = choose_block_type(block, self._level)
        with heard_by(self._progress):
            self._codec = self._codec or allocate_codec(
                self._level, self._prior, len(block), block_type
            )
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


def whole_name(level: int, prior: Prior | None, block_size: int, first_block: bytes) -> bytes:
    """The name of a whole: the same for the same data, another one for most others."""
    description = f"{level} {prior and prior.id} {block_size} ".encode()
    return sha256(description + first_block).digest()[:WHOLE_BYTES]


def check_block_size(block_size: int) -> int:
    """Return `block_size` as an int, if it is a number of bytes that a part can have."""
    if index(block_size) < 1:
        raise ValueError(f"block_size must be at least 1, not {block_size}")
    return index(block_size)
