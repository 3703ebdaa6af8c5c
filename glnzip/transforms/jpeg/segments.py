"""The segments of a JPEG (ITU-T T.81, annex B): what stands before a scan and between scans."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

Read = Callable[[int, int], bytes]
"""So many bytes at a place; an error if there are fewer."""

CODES, QUANTISERS, INTERVAL, START_OF_SCAN = 0xC4, 0xDB, 0xDD, 0xDA
SEQUENTIAL = (0xC0, 0xC1)  # frames with Huffman codes (T.81, table B.1)
PROGRESSIVE = 0xC2
FRAMES = (*SEQUENTIAL, PROGRESSIVE)
TABLES = (QUANTISERS, CODES, INTERVAL, *FRAMES)  # what a scan is understood with
_ALONE = (0x01, *range(0xD0, 0xDA))  # markers without a length
_OTHER_FRAMES = frozenset(range(0xC0, 0xD0)) - {*FRAMES, CODES, 0xCC}
_MOST_FACTOR = 4

BETWEEN = re.compile(rb"\xff[\xd0-\xd7]")
"""A restart marker."""
BEHIND = re.compile(rb"\xff[\x01-\xcf\xd8-\xff]")
"""What the data of a scan end before."""


class Segment(NamedTuple):
    """A marker, and what belongs to it."""

    marker: int
    body: bytes
    end: int


def segment_at(read: Read, at: int) -> Segment | None:
    """The segment at a place; None if there is none that a scan may follow."""
    mark, marker = read(at, 2)
    if mark != 0xFF or marker in _ALONE or marker in _OTHER_FRAMES or marker in (0, 0xFF):
        return None
    size = int.from_bytes(read(at + 2, 2), "big")
    if size < 2:
        return None
    return Segment(marker, read(at + 4, size - 2), at + 2 + size)


class Component(NamedTuple):
    """A component of a picture."""

    name: int
    across: int
    """Blocks beside each other in an MCU, the unit that components take turns in."""
    down: int


class Frame(NamedTuple):
    """A picture (T.81, B.2.2)."""

    progressive: bool
    width: int
    height: int
    components: tuple[Component, ...]

    @property
    def columns(self) -> int:
        """MCUs beside each other."""
        return -(-self.width // (8 * max(c.across for c in self.components)))

    @property
    def rows(self) -> int:
        """Rows of MCUs."""
        return -(-self.height // (8 * max(c.down for c in self.components)))


def read_frame(marker: int, body: bytes) -> Frame | None:
    """A frame of samples of 8 bits; None if it is of another kind, or damaged."""
    if len(body) < 6 or body[0] != 8 or not 1 <= body[5] <= 4 or len(body) < 6 + 3 * body[5]:
        return None
    height, width = int.from_bytes(body[1:3], "big"), int.from_bytes(body[3:5], "big")
    own = [body[at : at + 2] for at in range(6, 6 + 3 * body[5], 3)]
    components = [Component(name, factors >> 4, factors & 15) for name, factors in own]
    if not (width and height):
        return None
    if not all(1 <= f <= _MOST_FACTOR for c in components for f in (c.across, c.down)):
        return None
    if len(components) == 1:  # then the factors mean nothing (T.81, A.2.2)
        components = [Component(components[0].name, 1, 1)]
    return Frame(marker == PROGRESSIVE, width, height, tuple(components))


class ScanHeader(NamedTuple):
    """What a scan tells (T.81, B.2.3)."""

    components: tuple[int, ...]
    """Numbers in the frame."""
    codes: tuple[tuple[int, int], ...]
    """For each, the number of the code of means and of that of the rest."""
    first: int
    """The coefficients, in zigzag order."""
    last: int
    high: int
    """The lowest bit that was told before; 0 if none was."""
    low: int
    """The lowest bit that is told."""


def read_scan(frame: Frame, body: bytes) -> ScanHeader | None:
    """The header of a scan; None if it does not fit the frame."""
    count = body[0] if body else 0
    if not 1 <= count <= len(frame.components) or len(body) < 4 + 2 * count:
        return None
    names = [component.name for component in frame.components]
    if len(set(names)) < len(names) or any(
        name not in names for name in body[1 : 1 + 2 * count : 2]
    ):
        return None
    chosen = [names.index(name) for name in body[1 : 1 + 2 * count : 2]]
    if chosen != sorted(set(chosen)):
        return None
    codes = tuple((which >> 4 & 3, which & 3) for which in body[2 : 2 + 2 * count : 2])
    first, last, bits = body[1 + 2 * count : 4 + 2 * count]
    if not frame.progressive:
        first, last, bits = 0, 63, 0
    if not first <= last <= 63 or bits & 15 > 13 or (bits >> 4 and bits >> 4 != (bits & 15) + 1):
        return None
    if frame.progressive and (last > 0 if first == 0 else count > 1):
        return None
    return ScanHeader(tuple(chosen), codes, first, last, bits >> 4, bits & 15)
