"""Where the scan of a JPEG lies: nothing is unpacked, but a model of its own sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from glnzip.format.block_type import MAX_JPEG_WIDTH
from glnzip.format.container import MAX_ROW_BYTES

if TYPE_CHECKING:
    from glnzip.transforms.unpacking.window import Window

_TABLES = (0xDB, 0xC4, 0xC0, 0xC1, 0xDD)  # quantisers, codes, the frame, the restart interval
_FRAMES = (0xC0, 0xC1)  # sequential, Huffman codes (ITU-T T.81, table B.1)
_SCAN = 0xDA
_ALONE = (0x01, *range(0xD0, 0xDA))  # markers without a length


class Scan(NamedTuple):
    """The data of a scan."""

    start: int
    end: int
    header: int
    """How many bytes before the start the tables begin."""


def find_scan(window: Window, at: int) -> Scan | None:
    """The first scan of the JPEG at a place, if a model could follow it.

    Raises
    ------
    UnfinishedError
        If it goes on after what is known.
    """
    place = at + 2
    tables: int | None = None
    components: bytes | None = None
    while True:
        mark, marker = window.bytes_at(place, 2)
        if mark != 0xFF or marker in _ALONE or marker == 0xFF:
            return None
        size = int.from_bytes(window.bytes_at(place + 2, 2), "big")
        if size < 2:
            return None
        if tables is None and marker in _TABLES:
            tables = place
        body = window.bytes_at(place + 4, size - 2)
        place += 2 + size
        if marker in _FRAMES:
            components = _components(body)
            if components is None:
                return None
        elif marker == _SCAN:
            break
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xCC):
            return None  # progressive, arithmetic codes, and others
    names = body[1 : 1 + 2 * body[0] : 2] if body else b""
    if tables is None or names != components or place - tables > MAX_ROW_BYTES:
        return None
    return Scan(place, _end(window, place), place - tables)


def _components(frame: bytes) -> bytes | None:
    """Their names, if the picture is not too wide."""
    if len(frame) < 6 or frame[0] != 8 or len(frame) < 6 + 3 * frame[5]:
        return None
    width, count = int.from_bytes(frame[3:5], "big"), frame[5]
    across = [frame[7 + 3 * c] >> 4 for c in range(count)]
    if not across or min(across) < 1 or not width or not any(frame[1:3]):
        return None
    columns = -(-width // (8 * max(across)))
    total = columns * sum(across) if count > 1 else -(-width // 8)
    return frame[6 : 6 + 3 * count : 3] if total <= MAX_JPEG_WIDTH else None


def _end(window: Window, start: int) -> int:
    """Where the next marker is that does not belong to the scan."""
    known = window.buffer[start : window.end]
    after = known[1:]
    marked = (known[:-1] == 0xFF) & (after != 0) & ((after < 0xD0) | (after > 0xD7))
    places = np.flatnonzero(marked)
    if not places.size:
        window.bytes_at(window.end, 1)
    return start + int(places[0])
