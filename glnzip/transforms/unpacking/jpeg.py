"""Where the scans of a JPEG lie: a model of its own sees one, and several are joined for it."""

from __future__ import annotations

from typing import NamedTuple

from glnzip.format.block_type import JPEG, MAX_JPEG_WIDTH, BlockType
from glnzip.format.container import MAX_ROW_BYTES
from glnzip.format.numbers import write_numbers
from glnzip.transforms.deflate.stream import UnfinishedError
from glnzip.transforms.jpeg.scans import Joined, join_scans
from glnzip.transforms.jpeg.segments import (
    BEHIND,
    FRAMES,
    START_OF_SCAN,
    TABLES,
    Frame,
    read_frame,
    read_scan,
    segment_at,
)
from glnzip.transforms.unpacking.parts import MOST_BYTES, SCANS, UNCHANGED
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_DEAR = 8  # a recipe may take the so many-th part of what it is for


class BegunScan(NamedTuple):
    """A scan of which a part was seen: the model that follows it goes on."""


class _Start(NamedTuple):
    """What there is before the first scan."""

    tables: int
    """Where they begin."""
    scan: int
    """Where the data of the scan begin."""
    alone: bool
    """Whether the picture has but this one."""


def picture_entry(window: Window, at: int) -> Entry | None:
    """The scan of the JPEG at a place, or all of them, if a model could follow them.

    Raises
    ------
    UnfinishedError
        If they go on after what is known.
    """

    def end_of(start: int) -> int:
        behind = BEHIND.search(window.buffer, start, window.end)
        if behind is None:
            raise UnfinishedError
        return behind.start()

    if window.is_worn:
        return None
    start = _start(window, at)
    if start is None:
        return None
    row_bytes = start.scan - start.tables
    if start.alone:
        return _scan_up_to_its_end(window, start.scan, BlockType(JPEG, row_bytes), whole=True)
    joined = join_scans(window.bytes_at, start.tables, end_of, MOST_BYTES)
    if joined is None:
        window.tried(end_of(start.scan) - at)
        return None
    numbers = _numbers(row_bytes, joined)
    if len(numbers) > (joined.end - start.scan) // _DEAR:
        return None
    scan = Piece(len(joined.scan), block_type=BlockType(JPEG, row_bytes))
    pieces = [scan, Piece(len(joined.between))]
    return Entry(start.scan, joined.end, SCANS, numbers, joined.scan + joined.between, pieces)


def first_of_scan(window: Window, at: int) -> Entry | None:
    """The scan of the JPEG at a place, as far as it is known, if the picture has but this one."""
    start = None if window.is_worn else _start(window, at)
    if start is None or not start.alone:
        return None
    return _scan_up_to_its_end(window, start.scan, BlockType(JPEG, start.scan - start.tables))


def rest_of_scan(window: Window) -> Entry | None:
    """What goes on with the first byte of a window, as far as it is known."""
    return _scan_up_to_its_end(window, 0, BlockType(JPEG))


def _scan_up_to_its_end(
    window: Window, at: int, block_type: BlockType, *, whole: bool = False
) -> Entry | None:
    """Its data from a place on; where it goes on behind the window, they are `cut`.

    `UnfinishedError` if they would be, and are wanted `whole`.
    """
    behind = BEHIND.search(window.buffer, at, window.end)
    if behind is None and whole:
        raise UnfinishedError
    end = window.end if behind is None else behind.start()
    cut = behind is None and not window.final
    if cut and window.buffer[end - 1] == 0xFF:
        end -= 1  # perhaps a marker begins with it
    data = window.bytes_at(at, max(0, end - at))
    if not data:
        return None
    return Entry(at, end, UNCHANGED, b"", data, [Piece(len(data), block_type=block_type)], cut)


def _start(window: Window, at: int) -> _Start | None:
    """What is before the first scan of a picture that a model can follow."""
    place = at + 2
    tables: int | None = None
    frame: Frame | None = None
    while (segment := segment_at(window.bytes_at, place)) is not None:
        window.tried(segment.end - place)
        if tables is None and segment.marker in TABLES:
            tables = place
        place = segment.end
        if segment.marker in FRAMES:
            frame = read_frame(segment.marker, segment.body)
            if frame is None or not _is_narrow(frame):
                return None
        elif segment.marker == START_OF_SCAN:
            scan = read_scan(frame, segment.body) if frame is not None else None
            if scan is None or frame is None or tables is None or place - tables > MAX_ROW_BYTES:
                return None
            whole = not frame.progressive and len(scan.components) == len(frame.components)
            return _Start(tables, place, whole)
    return None


def _is_narrow(frame: Frame) -> bool:
    """Whether a model has room for a row of blocks."""
    return frame.columns * sum(c.across for c in frame.components) <= MAX_JPEG_WIDTH


def _numbers(head: int, joined: Joined) -> bytes:
    """The recipe of scans that were joined."""
    habits = joined.habits
    numbers = [head, len(joined.scan), len(joined.between), habits.pad, habits.waiting]
    numbers.append(len(habits.breaks))
    scan, unit = 0, -1
    for scan_of, unit_of in habits.breaks:
        if scan_of != scan:
            unit = -1
        numbers += [scan_of - scan, unit_of - unit - 1]
        scan, unit = scan_of, unit_of
    return write_numbers(numbers)
