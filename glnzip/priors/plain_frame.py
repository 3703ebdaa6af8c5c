"""Plain frames: what a model is to see, stored, so that one of any level can be shown it at once.

Priors that many use are kept like that. Most of their blocks are *memorised*, which takes a
twelfth of the time of learning them (`glnzip.model.memorising`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from io import BytesIO
from zlib import crc32

from glnzip.errors import CorruptStreamError, TruncatedStreamError
from glnzip.format.block_type import BlockType
from glnzip.format.container import (
    CHECK_BYTES,
    Attention,
    BlockHeader,
    FrameEnd,
    FrameHeader,
    read_frame_header,
    read_plain_block_header,
    write_attention,
    write_block_header,
    write_end_tag,
    write_frame_header,
)
from glnzip.format.levels import PLAIN_GENERATION, PLAIN_LEVEL
from glnzip.frames.share import share
from glnzip.priors.reader import Bookmark
from glnzip.priors.watching import Report

PLAIN_HEADER = FrameHeader(PLAIN_GENERATION, PLAIN_LEVEL)
"""That of a prior that starts from nothing."""

_TIMES_AS_LONG = 12  # learning a byte takes, roughly, as memorising one
_MODEL_PLACE = 5  # in a frame header, of generation and level

Block = tuple[BlockType, bytes]


def is_plain(stream: bytes, start: int) -> bool:
    """Whether the frame that begins there is plain, if it is a frame."""
    return stream[start + _MODEL_PLACE : start + _MODEL_PLACE + 1] == b"\0"


class PlainFrame:
    """One plain frame of a prior; as `glnzip.priors.reader.PriorFrame`, whose parameters these are.

    Parameters
    ----------
    data
        The stream.
    start
        Where the frame begins in the stream.
    place
        Where to go on, from a bookmark; `start` for the whole frame.
    description
        To it, the blocks are added, and what says how they are seen.
    blamed
        Entered while the frame is read: turns errors into those of the prior.
    memorised
        Whether the blocks from `place` on are memorised.
    """

    level = PLAIN_LEVEL
    codec = None
    """There is no model."""

    def __init__(
        self,
        data: bytes,
        start: int,
        place: int,
        description: bytearray,
        blamed: Callable[[], AbstractContextManager[None]],
        *,
        memorised: bool = False,
    ) -> None:
        self.start = start
        self.memorised = memorised
        """Whether the block that came last is to be memorised."""
        self._data = data
        self._file = BytesIO(data)
        self._file.seek(place)
        self._description = description
        self._blamed = blamed
        self._body: int | None = None  # where the frame header ends, if it was read
        if place == start:
            with blamed():
                read_frame_header(self._take)
            self._body = self.position

    def reports(self, report: Report) -> tuple[Report, Report]:
        """What to tell of bytes that were memorised, and of bytes that were learned.

        One that is learned counts for more, as it takes longer; all together they count for the
        bytes of the frame. After a bookmark all count alike.
        """
        if self.position != self._body:
            return report, report
        sums = {True: 0, False: 0}
        with self._blamed():
            is_memorised = False
            for header in self._headers():
                if isinstance(header, Attention):
                    is_memorised = header.memorised
                else:
                    sums[is_memorised] += len(self._take(header.length))
        self._file.seek(self._body)
        memorised, learned = sums[True], sums[False]
        if not memorised or not learned:
            return report, report
        total = memorised + learned
        count = memorised * total // (memorised + _TIMES_AS_LONG * learned)
        return share(report, count, memorised), share(report, total - count, learned)

    @property
    def position(self) -> int:
        """How far the stream has been read."""
        return self._file.tell()

    @property
    def bookmark(self) -> Bookmark:
        """Where the reading stands, after a block."""
        return Bookmark(self.start, self.position, 0, bytes(self._description), self.memorised)

    def blocks(self, report: Report) -> Iterator[Block]:
        """Read block after block; the check of the frame is verified after the last."""
        headers = self._headers()
        while True:
            with self._blamed():
                header = next(headers, None)
                if header is None:
                    self._verify()
                    return
                if isinstance(header, Attention):
                    self.memorised = header.memorised
                    self._description += write_attention(header)
                    continue
                block = self._take(header.length)
            self._description += write_block_header(header) + block
            report(len(block))
            yield header.block_type, block

    def _headers(self) -> Iterator[BlockHeader | Attention]:
        """Read header after header; whoever takes one of a block reads the block."""
        while not isinstance(header := read_plain_block_header(self._take), FrameEnd):
            yield header

    def _verify(self) -> None:
        expected = crc32(memoryview(self._data)[self.start : self.position])
        if self._take(CHECK_BYTES) != expected.to_bytes(CHECK_BYTES, "little"):
            raise CorruptStreamError("the check at the end does not match")

    def _take(self, count: int) -> bytes:
        taken = self._file.read(count)
        if len(taken) < count:
            raise TruncatedStreamError("the stream ends before its end mark")
        return taken


def write_plain_frame(
    memorised: Iterable[Block], learned: Iterable[Block], prior_id: bytes | None = None
) -> bytes:
    """Return a plain frame of blocks that a model memorises and of others that it learns then.

    `prior_id` names the prior that they come after, if any.
    """
    frame = bytearray(write_frame_header(PLAIN_HEADER._replace(prior_id=prior_id)))
    for attention, blocks in ((Attention(True), memorised), (Attention(False), learned)):
        frame += write_attention(attention)
        for block_type, block in blocks:
            frame += write_block_header(BlockHeader(True, block_type, len(block), len(block)))
            frame += block
    frame += write_end_tag(FrameEnd(last=True))
    return bytes(frame + crc32(frame).to_bytes(CHECK_BYTES, "little"))
