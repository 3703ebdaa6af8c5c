"""Kind 9 of docs/UNPACKING.md: the scans of a JPEG, from a sequential one of all coefficients."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.oracles.document.numbers import Numbers, require

Block = list[int]
"""64 coefficients, in zigzag order."""
Codes = dict[int, str]
"""The bits of each symbol."""
MOST = 67_108_864
ZEROS = 0xF0
NO_SEGMENTS = {0, 1, 0xC3, *range(0xC5, 0xCC), *range(0xCD, 0xDA), 0xFF}
"""Other frames, and markers that stand alone."""


def codes_of(counts: bytes, symbols: bytes) -> Codes:
    """The codes of a table: how many there are of each length, and their symbols."""
    codes: Codes = {}
    code = at = 0
    for length, count in enumerate(counts, 1):
        for symbol in symbols[at : at + count]:
            if code < 1 << length:
                codes[symbol] = f"{code:0{length}b}"
            code += 1
        at += count
        code <<= 1
    return codes


def _annex(counts: list[int], first: str) -> Codes:
    """A table of T.81, annex K.3, for the rest: the first symbols; others follow in their order."""
    symbols = bytes.fromhex(first)
    every = {0, ZEROS, *(run << 4 | size for run in range(16) for size in range(1, 11))}
    return codes_of(bytes(counts), symbols + bytes(sorted(every - set(symbols))))


ANNEX_MEANS = (
    codes_of(bytes([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]), bytes(range(12))),
    codes_of(bytes([0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]), bytes(range(12))),
)
ANNEX_REST = (
    _annex(
        [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
        "01 02 03 00 04 11 05 12 21 31 41 06 13 51 61 07 22 71 14 32 81 91 A1 08 23 42 B1 C1 15 52"
        "D1 F0 24 33 62 72 82",
    ),
    _annex(
        [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
        "00 01 02 03 11 04 05 21 31 06 12 41 51 07 61 71 13 22 32 81 08 14 42 91 A1 B1 C1 09 23 33"
        "52 F0 15 62 72 D1 0A 16 24 34 E1 25 F1",
    ),
)


@dataclass
class Component:
    """The blocks of a component by row and column, and how many the picture needs."""

    name: int
    across: int
    down: int
    blocks: list[list[Block]] = field(default_factory=list)
    columns: int = 0
    rows: int = 0


@dataclass
class Frame:
    """Its components, and the MCUs of all of them."""

    progressive: bool
    components: list[Component]
    columns: int
    rows: int


class Scan(NamedTuple):
    """What is told before a scan."""

    frame: Frame
    components: list[tuple[Component, Codes, Codes]]
    """With their codes of means and of the rest."""
    told: tuple[int, int, int, int]
    """The first coefficient and the last; the bit told before; the lowest bit told."""
    interval: int
    segments: bytes
    """All since the scan before."""


def scans_of(data: bytes) -> Iterator[Scan]:
    """The headers of scans in segments of markers."""
    frame: Frame | None = None
    codes: dict[int, Codes] = {}
    interval = start = 0
    segments = Numbers(data)
    while segments.left:
        mark, marker, *length = segments.take(4)
        size = int.from_bytes(length, "big")
        require(mark == 0xFF and size >= 2 and marker not in NO_SEGMENTS)
        body = Numbers(segments.take(size - 2))
        if marker == 0xC4:
            while body.left >= 17:
                which, *counts = body.take(17)
                fits = sum(counts) <= min(256, body.left)
                if not fits:
                    break
                codes[which & 0x13] = codes_of(bytes(counts), body.take(sum(counts)))
        elif marker in (0xC0, 0xC1, 0xC2):
            require(frame is None)
            frame = _frame(body, marker == 0xC2)
        elif marker == 0xDD and size >= 4:
            interval = int.from_bytes(body.take(2), "big")
        elif marker == 0xDA:
            require(frame is not None)
            assert frame is not None
            yield _scan(body, frame, codes, interval, data[start : segments.at])
            start = segments.at
    require(start == len(data))


def _scan(
    body: Numbers, frame: Frame, codes: dict[int, Codes], interval: int, segments: bytes
) -> Scan:
    (count,) = body.take(1)
    components, places = [], []
    for _ in range(count):
        name, tables = body.take(2)
        of_name = [n for n, component in enumerate(frame.components) if component.name == name]
        require(len(of_name) == 1)
        places += of_name
        means, rest = codes.get(tables >> 4 & 3, {}), codes.get(0x10 | tables & 3, {})
        components.append((frame.components[of_name[0]], means, rest))
    require(count > 0 and places == sorted(set(places)))
    first, last, bits = body.take(3)
    high, low = bits >> 4, bits & 15
    if frame.progressive:
        require(last == 0 if first == 0 else count == 1 and first <= last <= 63)
        require(low <= 13 and high in (0, low + 1))
    else:
        first, last, high, low = 0, 63, 0, 0
    return Scan(frame, components, (first, last, high, low), interval, segments)


def _frame(body: Numbers, progressive: bool) -> Frame:
    precision, *sides, count = body.take(6)
    height, width = sides[0] << 8 | sides[1], sides[2] << 8 | sides[3]
    require(precision == 8 and height > 0 and width > 0 and 1 <= count <= 4)
    components = []
    for _ in range(count):
        name, factors, _ = body.take(3)
        require(1 <= factors >> 4 <= 4 and 1 <= factors & 15 <= 4)
        components.append(Component(name, factors >> 4, factors & 15))
    if count == 1:
        components[0].across = components[0].down = 1
    across, down = max(c.across for c in components), max(c.down for c in components)
    columns, rows = _parts(width, 8 * across), _parts(height, 8 * down)
    units = sum(c.across * c.down for c in components)
    require(units <= 10 and 64 * columns * rows * units <= MOST)
    for c in components:
        c.columns = _parts(_parts(width * c.across, across), 8)
        c.rows = _parts(_parts(height * c.down, down), 8)
        c.blocks = [[[0] * 64 for _ in range(columns * c.across)] for _ in range(rows * c.down)]
    return Frame(progressive, components, columns, rows)


def _parts(size: int, part: int) -> int:
    return -(-size // part)


Unit = list[tuple[int, Block]]
"""Blocks, each with the number of its component in the scan."""


def _units(frame: Frame, components: list[Component]) -> list[Unit]:
    """What a scan of these components goes through."""
    if len(components) == 1:
        (c,) = components
        return [[(0, block)] for row in c.blocks[: c.rows] for block in row[: c.columns]]
    return [
        [
            (n, c.blocks[y * c.down + dy][x * c.across + dx])
            for n, c in enumerate(components)
            for dy in range(c.down)
            for dx in range(c.across)
        ]
        for y in range(frame.rows)
        for x in range(frame.columns)
    ]


class Bits:
    """The bits of a scan, one after the other."""

    def __init__(self, data: bytes) -> None:
        require(re.search(b"\xff[\xd0-\xd7]", data) is None)
        whole = data.replace(b"\xff\0", b"\xff")
        self.bits = "".join(f"{byte:08b}" for byte in whole)
        self.at = 0

    def take(self, count: int) -> str:
        require(self.at + count <= len(self.bits))
        self.at += count
        return self.bits[self.at - count : self.at]

    def symbol(self, symbols: dict[str, int]) -> int:
        code = ""
        while code not in symbols:
            require(len(code) < 16)
            code += self.take(1)
        return symbols[code]

    def value(self, size: int) -> int:
        bits = self.take(size)
        value = int(bits or "0", 2)
        return value - (1 << size) + 1 if bits.startswith("0") else value


def _read(frame: Frame, data: bytes) -> None:
    """Read all coefficients from a sequential scan with the codes of the annex."""
    bits = Bits(data)
    means = [0] * 4
    of_means, of_rest = (
        [{code: symbol for symbol, code in codes.items()} for codes in pair]
        for pair in (ANNEX_MEANS, ANNEX_REST)
    )
    for unit in _units(frame, frame.components):
        for n, block in unit:
            means[n] += bits.value(bits.symbol(of_means[n > 0]))
            require(abs(means[n]) <= 32767)
            block[0] = means[n]
            k = 1
            while k < 64:
                symbol = bits.symbol(of_rest[n > 0])
                if symbol == 0:
                    break
                k += symbol >> 4
                require(k < 64)
                block[k] = bits.value(symbol & 15)
                k += 1


class Run:
    """The bits between two restart markers: what waits, and what is told."""

    def __init__(self, scan: Scan, waiting: int) -> None:
        self.scan = scan
        self.most = 32767 if scan.frame.progressive else 1
        self.most_waiting = waiting
        self.bits = self.waiting = ""
        self.blocks = 0
        """Whose end waits, with bits of correction."""
        self.means = [0] * 4

    def symbol(self, codes: Codes, symbol: int, extra: str = "") -> None:
        require(symbol in codes)
        self.bits += codes[symbol] + extra

    def value(self, codes: Codes, zeros: int, value: int) -> None:
        size = abs(value).bit_length()
        number = value if value >= 0 else value + (1 << size) - 1
        self.symbol(codes, zeros << 4 | size, f"{number:0{size}b}" if size else "")

    def end(self) -> None:
        """Tell the run of blocks that end."""
        if self.blocks:
            size = self.blocks.bit_length() - 1
            (_, _, codes), *_ = self.scan.components
            self.symbol(codes, size << 4, f"{self.blocks:b}"[1:] + self.waiting)
        self.blocks, self.waiting = 0, ""

    def block(self, n: int, block: Block) -> None:
        """Tell a block of the component *n*."""
        first, last, high, low = self.scan.told
        _, of_means, of_rest = self.scan.components[n]
        if first == 0:
            mean = block[0] >> low
            if high:
                self.bits += str(mean & 1)
            else:
                self.value(of_means, 0, mean - self.means[n])
                self.means[n] = mean
        values = [_divided(value, low) for value in block[max(first, 1) : last + 1]]
        fresh = [abs(value) == 1 if high else value != 0 for value in values]
        zeros, own = 0, ""
        for k, value in enumerate(values):
            if value == 0:
                zeros += 1
                continue
            while zeros > 15 and True in fresh[k:]:
                self.end()
                self.symbol(of_rest, ZEROS, own)
                zeros, own = zeros - 16, ""
            if not fresh[k]:
                own += str(abs(value) & 1)
                continue
            self.end()
            if high:
                self.symbol(of_rest, zeros << 4 | 1, str(int(value > 0)))
            else:
                self.value(of_rest, zeros, value)
            self.bits += own
            zeros, own = 0, ""
        if zeros or own:
            self.blocks += 1
            self.waiting += own
            if self.blocks == self.most or len(self.waiting) > self.most_waiting:
                self.end()


def _divided(value: int, low: int) -> int:
    return value >> low if value >= 0 else -(-value >> low)


def _written(scan: Scan, pad: int, waiting: int, breaks: set[int]) -> bytes:
    units = _units(scan.frame, [component for component, _, _ in scan.components])
    step = scan.interval or len(units)
    data = b""
    for part, at in enumerate(range(0, len(units), step)):
        data += bytes([0xFF, 0xD0 | (part - 1) % 8]) if part else b""
        run = Run(scan, waiting)
        for number, unit in enumerate(units[at : at + step], at):
            for n, block in unit:
                run.block(n, block)
            if number in breaks:
                run.end()
        run.end()
        bits = run.bits + str(pad) * (-len(run.bits) % 8)
        whole = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
        data += whole.replace(b"\xff", b"\xff\0")
    return data


def jpeg(
    head: bytes,
    scan: bytes,
    between: bytes,
    pad: int,
    waiting: int,
    breaks: list[tuple[int, int]],
) -> bytes:
    """What comes behind the head: all scans, and what is between them."""
    scans = list(scans_of(head + between))
    require(0 < len(scans) <= 64)
    _read(scans[0].frame, scan)
    places: list[set[int]] = [set() for _ in scans]
    which = unit = 0
    for more, units in breaks:
        which, unit = which + more, units if more else unit + units
        if which < len(scans):
            places[which].add(unit)
        unit += 1
    data = b""
    blocks = 0
    for n, one in enumerate(scans):
        data += one.segments if n else b""
        data += _written(one, pad, waiting, places[n])
        blocks += sum(map(len, _units(one.frame, [own[0] for own in one.components])))
        require(blocks <= 256 * (1 + len(data)))
    return data
