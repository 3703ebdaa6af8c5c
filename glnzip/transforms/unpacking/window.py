"""Data that carriers are looked for in, and what has been found in them."""

from __future__ import annotations

from typing import Any, NamedTuple

from glnzip.format.block_type import BlockType
from glnzip.transforms.deflate.bits import SPARE
from glnzip.transforms.deflate.stream import UnfinishedError
from glnzip.transforms.unpacking.parts import MOST_BYTES, Member


class Piece(NamedTuple):
    """Bytes of content that belong together."""

    length: int
    fresh: bool = False
    """Whether they were packed, so that other carriers may be among them."""
    first: bool = False
    """Whether a file begins with it, in an archive of files, or the samples of a file."""
    block_type: BlockType | None = None
    """How a model should see them, if that is known."""


class Entry(NamedTuple):
    """A stretch of data and what takes its place."""

    start: int
    end: int
    kind: int
    numbers: bytes
    content: bytes
    pieces: list[Piece]
    cut: bool = False
    """Whether it goes on in the next window."""
    shared: bytes = b""
    """Of a page: the numbers of its fonts, told once while they remain the same ..."""
    told_at: tuple[range, ...] = ()
    """... and where among the data their letters are told."""


class Window:
    """Some data, and what was seen of the carriers among them.

    Parameters
    ----------
    buffer : uint8[:]
        The data, and `SPARE` bytes more.
    final : bool
        Whether nothing will follow.
    """

    def __init__(self, buffer: Any, *, final: bool) -> None:
        self.buffer = buffer
        self.end = buffer.size - SPARE
        self.final = final
        self.members: list[Member] = []
        """Those of zip archives, in the order of the data."""
        self.numbers: dict[bytes, int] = {}
        """By its fields: the number of the first such member."""
        self.cuts: list[int] = []
        """Where the data are of another kind, perhaps, than before; in no order."""
        self.files: set[int] = set()
        """Where files begin, in an archive of files."""
        self.picture: bytes | None = None
        """The fields of the last header of a PNG, whose data have not come yet."""
        self.picture_start = 0
        """Where that PNG begins."""
        self.pdf_fonts: Any = None
        """What `pdf_fonts` knows, once a font was looked for."""
        self.searched = range(self.end)
        """What of the data carriers are looked for in just now."""
        self.in_vain = 0
        """Bytes that were looked at for carriers that were none, by those that look at many."""

    def tried(self, size: int) -> None:
        """So many bytes more were looked at, until now in vain."""
        self.in_vain += size

    @property
    def is_worn(self) -> bool:
        """Whether so many bytes were looked at in vain that it is enough."""
        return self.in_vain > self.end

    def bytes_at(self, at: int, count: int) -> bytes:
        """So many bytes; `UnfinishedError` if there are fewer."""
        if at + count > self.end:
            raise UnfinishedError
        return bytes(self.buffer[at : at + count])

    def waits(self, start: int) -> bool:
        """Whether what begins at a place and is not complete may be so another time."""
        return not self.final and (start > 0 or self.end < MOST_BYTES)

    def add_member(self, place: int, fields: bytes) -> None:
        """A member of a zip archive begins at a place."""
        self.numbers.setdefault(fields, len(self.members))
        self.members.append(Member(place, fields))

    def number_at(self, at: int, count: int) -> int:
        """A number, lowest byte first."""
        return int.from_bytes(self.bytes_at(at, count), "little")
