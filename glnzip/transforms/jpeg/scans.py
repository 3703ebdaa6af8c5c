"""The scans of a picture as one, and that one as the scans again.

In a JPEG of several scans (ITU-T T.81, annex G, or a component in each) what is known of a block
lies far apart. Here all of it is told in one sequential scan, with the codes of annex K, from which
the others can be made again: what an encoder may choose is little, and is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.transforms.jpeg.codes import STANDARD, Codes
from glnzip.transforms.jpeg.decode import (
    ENDS,
    FIRST,
    HIGH,
    LAST,
    LOW,
    PROGRESSIVE,
    SPARE,
    TOLD,
    Turn,
    decode_scan,
)
from glnzip.transforms.jpeg.decode import STATE as TURN_STATE
from glnzip.transforms.jpeg.encode import (
    HABITS,
    MOST_RUN,
    MOST_WAITING,
    NEEDED,
    PAD,
    RUN_LIMIT,
    STATE,
    WAITING_LIMIT,
    Pen,
    encode_scan,
)
from glnzip.transforms.jpeg.layout import BLOCK, MOST_COEFFICIENTS, Layout, Order
from glnzip.transforms.jpeg.segments import (
    BETWEEN,
    CODES,
    FRAMES,
    INTERVAL,
    START_OF_SCAN,
    Frame,
    Read,
    ScanHeader,
    read_frame,
    read_scan,
    segment_at,
)

MOST_SCANS = 64
WAITING_USUAL = 937
"""Bits that wait for a run at most, with the encoder of the Independent JPEG Group."""

_SCARCE = 256  # blocks of all scans for each byte of them, at most: more would take too long
_COMPONENTS = 4
_MISFIT = "scans do not fit their recipe"


class Habits(NamedTuple):
    """What the encoder of the scans was free to choose."""

    waiting: int
    """Bits that wait for a run at most."""
    pad: int
    """The bit that fills up bytes."""
    breaks: list[tuple[int, int]]
    """Runs that ended early: number of the scan, number of the unit."""


class Told(NamedTuple):
    """A scan, with what was told before it."""

    frame: Frame
    layout: Layout
    order: Order
    header: ScanHeader
    codes: Codes
    interval: int
    start: int
    """Where its data begin."""
    end: int

    @property
    def blocks(self) -> int:
        """How many it goes through."""
        return self.order.across * self.order.down * len(self.order.blocks)


def told_scans(read: Read, at: int, end_of: Callable[[int], int]) -> Iterator[Told]:
    """The scans that the segments from a place on tell of, one after the other.

    Parameters
    ----------
    read
    at
    end_of
        The place behind the data of a scan that begin at a place.

    Yields
    ------
    Told
        They end before the first that does not fit the picture.
    """
    frame: Frame | None = None
    layout: Layout | None = None
    codes = Codes()
    interval = 0
    while (segment := segment_at(read, at)) is not None:
        marker, body, at = segment
        if marker in FRAMES:
            frame = read_frame(marker, body) if frame is None else None
            if frame is None:
                return
            layout = Layout(frame)
        elif marker == CODES:
            codes.see(body)
        elif marker == INTERVAL and len(body) >= 2:
            interval = int.from_bytes(body[:2], "big")
        elif marker == START_OF_SCAN:
            header = read_scan(frame, body) if frame is not None else None
            if frame is None or layout is None or header is None:
                return
            order = layout.order(header)
            if order is None or layout.size > MOST_COEFFICIENTS:
                return
            end = end_of(at)
            yield Told(frame, layout, order, header, codes, interval, at, end)
            at = end


def _whole(told: Told) -> Told | None:
    """The one scan that tells all of a picture; None if there is no such scan."""
    count = len(told.frame.components)
    tables = tuple((min(number, 1), min(number, 1)) for number in range(count))
    header = ScanHeader(tuple(range(count)), tables, 0, BLOCK - 1, 0, 0)
    order = told.layout.order(header)
    if order is None:
        return None
    frame = told.frame._replace(progressive=False)
    codes = Codes(STANDARD)
    return told._replace(frame=frame, order=order, header=header, codes=codes, interval=0)


def _read(told: Told, data: bytes, coefficients: Any) -> Any:
    """Add what a scan tells to the coefficients.

    Returns
    -------
    int64[:]
        The units that runs of ends of blocks have ended with; None if the data are no such scan.
    """
    order = told.order
    units = order.across * order.down
    parts = [part.replace(b"\xff\0", b"\xff") for part in BETWEEN.split(data)]
    interval = told.interval or units
    if len(parts) != -(-units // interval):
        return None
    bounds = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    bits: Any = np.frombuffer(bytearray(b"".join(parts) + bytes(SPARE)), np.uint8)
    turn = Turn(
        blocks=order.blocks,
        found=told.codes.found,
        told=_told(told),
        state=np.zeros(TURN_STATE, np.int64),
        means=np.zeros(_COMPONENTS, np.int64),
        ends=np.zeros(units * len(order.blocks), np.int64),
    )
    if not decode_scan(turn, bits, bounds, coefficients, order.across, units, interval):
        return None
    return turn.ends[: turn.state[ENDS]].copy()  # there is room for one in each block


class Written(NamedTuple):
    """A scan, and which of the breaks have made a difference."""

    data: bytes
    needed: list[int]


def _write(told: Told, coefficients: Any, habits: Habits, breaks: Any, most: int) -> Written | None:
    """The data of a scan, at most so many bytes; None if there are more, or no code for some."""
    order = told.order
    units = order.across * order.down
    run = MOST_RUN if told.frame.progressive else 1
    numbers = np.zeros(HABITS, np.int64)
    numbers[RUN_LIMIT], numbers[WAITING_LIMIT], numbers[PAD] = run, habits.waiting, habits.pad
    pen = Pen(
        blocks=order.blocks,
        told=_told(told),
        of_symbol=told.codes.of_symbol,
        state=np.zeros(STATE, np.int64),
        habits=numbers,
        means=np.zeros(_COMPONENTS, np.int64),
        waiting=np.empty(MOST_WAITING + BLOCK, np.uint8),
        breaks=breaks,
        needed=np.zeros(len(breaks) + 1, np.int64),
        out=np.empty(most, np.uint8),
    )
    size = encode_scan(pen, coefficients, order.across, units, told.interval)
    if size < 0:
        return None
    return Written(pen.out[:size].tobytes(), pen.needed[: pen.state[NEEDED]].tolist())


def _told(told: Told) -> Any:
    """What the kernels are told."""
    numbers = np.zeros(TOLD, np.int64)
    numbers[FIRST], numbers[LAST] = told.header.first, told.header.last
    numbers[HIGH], numbers[LOW] = told.header.high, told.header.low
    numbers[PROGRESSIVE] = told.frame.progressive
    return numbers


class Joined(NamedTuple):
    """Several scans as one."""

    end: int
    """Where they end."""
    scan: bytes
    """The data of the one."""
    between: bytes
    """The segments between them."""
    habits: Habits


def join_scans(read: Read, at: int, end_of: Callable[[int], int], most: int) -> Joined | None:
    """The scans that come with the segments from a place on as one, of at most so many bytes.

    Parameters
    ----------
    read, at, end_of
        As of `told_scans`.
    most

    Returns
    -------
    Joined or None
        None if they cannot be made again from the one.
    """
    coefficients: Any = None
    data: list[bytes] = []
    ends: list[Any] = []
    between = bytearray()
    work = start = end = 0
    whole: Told | None = None
    for told in told_scans(read, at, end_of):
        if not data:
            whole = _whole(told)
            coefficients = np.zeros(told.layout.size, np.int16)
            start = end = told.start
        between += read(end, told.start - end)
        end = told.end
        work += told.blocks
        if whole is None or len(data) == MOST_SCANS or work > _SCARCE * (1 + end - start):
            return None
        data.append(read(told.start, end - told.start))
        ends.append(_read(told, data[-1], coefficients))
        if ends[-1] is None:
            return None
    no_breaks = np.zeros(0, np.int64)
    one = _write(whole, coefficients, Habits(0, 1, []), no_breaks, most) if whole else None
    if one is None:
        return None
    for waiting in (WAITING_USUAL, MOST_WAITING):
        for pad in (1, 0):
            habits = Habits(waiting, pad, [])
            scans = told_scans(read, at, end_of)
            if _finds_breaks(scans, data, coefficients, ends, habits):
                return Joined(end, one.data, bytes(between), habits)
    return None


def _finds_breaks(
    scans: Iterator[Told], data: list[bytes], coefficients: Any, ends: list[Any], habits: Habits
) -> bool:
    """Whether the data of scans come about with some habits; their breaks are added to these."""
    for number, told in enumerate(scans):
        own = data[number]
        written = _write(told, coefficients, habits, ends[number], len(own))
        if written is None or written.data != own:
            return False
        habits.breaks.extend((number, unit) for unit in written.needed)
    return True


def separate_scans(head: bytes, scan: bytes, between: bytes, habits: Habits, most: int) -> bytes:
    """The scans again that were joined, with the segments between them.

    Parameters
    ----------
    head : bytes
        The segments before the first one.
    scan, between, habits
        As of `Joined`.
    most : int
        Bytes that may come out.

    Raises
    ------
    CorruptStreamError
        If they do not fit each other.
    """
    segments = head + between + b"\xff\xd9"

    def read(at: int, count: int) -> bytes:
        if at + count > len(segments):
            raise CorruptStreamError(_MISFIT)
        return segments[at : at + count]

    data = bytearray()
    coefficients: Any = None
    end = work = 0
    for number, told in enumerate(told_scans(read, 0, lambda start: start)):
        if number == 0:
            end = told.start
            coefficients = np.zeros(told.layout.size, np.int16)
            whole = _whole(told)
            if whole is None or _read(whole, scan, coefficients) is None:
                break
        breaks = [unit for of, unit in habits.breaks if of == number]
        data += segments[end : told.start]
        end = told.start
        written = _write(
            told, coefficients, habits, np.array(breaks, np.int64), max(0, most - len(data))
        )
        if written is None or number == MOST_SCANS:
            break
        data += written.data
        work += told.blocks
        if work > _SCARCE * (1 + len(data)):
            break
        if end == len(head) + len(between):
            return bytes(data)
    raise CorruptStreamError(_MISFIT)
