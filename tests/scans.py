"""JPEGs of several scans, as ITU-T T.81 (annex G) has them written: bits are strings here."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterable

Scan = tuple[tuple[int, ...], int, int, int, int]
"""Components; the first coefficient and the last; the bit told before; the lowest bit told."""

PROGRESSIVE: tuple[Scan, ...] = (
    ((0, 1, 2), 0, 0, 0, 1),
    ((0,), 1, 5, 0, 2),
    ((2,), 1, 63, 0, 1),
    ((1,), 1, 63, 0, 1),
    ((0,), 6, 63, 0, 2),
    ((0,), 1, 63, 2, 1),
    ((0, 1, 2), 0, 0, 1, 0),
    ((2,), 1, 63, 1, 0),
    ((1,), 1, 63, 1, 0),
    ((0,), 1, 63, 1, 0),
)
"""The scans that the library of the Independent JPEG Group makes."""

IN_TURNS: tuple[Scan, ...] = tuple(((c,), 0, 63, 0, 0) for c in range(3))
"""All of a component, then all of the next: sequential, too."""

_SYMBOLS = [run << 4 | size for run in range(16) for size in range(13)]
_FACTORS = ((2, 2), (1, 1), (1, 1))


def segment(marker: int, body: bytes) -> bytes:
    return bytes([0xFF, marker]) + (len(body) + 2).to_bytes(2, "big") + body


class ManyScans:
    """A JPEG of colours, half as wide and high as the light, with coefficients by chance.

    Parameters
    ----------
    width, height
        In samples.
    scans
    breaks
        How often a run of ends of blocks is told before it must.
    interval
        Units between restart markers.
    pad
        What fills up bytes.
    """

    def __init__(
        self,
        width: int,
        height: int,
        scans: Iterable[Scan] = PROGRESSIVE,
        *,
        breaks: float = 0,
        interval: int = 0,
        pad: str = "1",
        seed: int = 1,
    ) -> None:
        self._chance = random.Random(seed)
        self._size = width, height
        self._columns, self._rows = -(-width // 16), -(-height // 16)
        self._breaks, self._interval, self._pad = breaks, interval, pad
        self.blocks = [self._component(c) for c in range(3)]
        """By component, row and column: the coefficients in zigzag order."""
        self._scans = list(scans)
        self.written()

    def written(self) -> ManyScans:
        """With `data` that tell the blocks as they are."""
        width, height = self._size
        interval = self._interval
        progressive = any((first, last) != (0, 63) for _, first, last, _, _ in self._scans)
        frame = struct.pack(">BHHB", 8, height, width, 3)
        frame += b"".join(bytes([c + 1, a << 4 | d, 0]) for c, (a, d) in enumerate(_FACTORS))
        codes = bytes([*[0] * 8, len(_SYMBOLS), *[0] * 7, *_SYMBOLS])
        self.data = b"\xff\xd8" + segment(0xDB, b"\0" + bytes(range(3, 67)))
        self.data += segment(0xC2 if progressive else 0xC0, frame)
        self.data += segment(0xC4, b"\0" + codes + b"\x10" + codes)
        if interval:
            self.data += segment(0xDD, interval.to_bytes(2, "big"))
        for scan in self._scans:
            components, first, last, high, low = scan
            head = bytes([len(components), *(n for c in components for n in (c + 1, 0))])
            self.data += segment(0xDA, head + bytes([first, last, high << 4 | low]))
            self.data += self._scan(scan, progressive)
        self.data += b"\xff\xd9"
        return self

    def _component(self, c: int) -> list[list[list[int]]]:
        across, down = _FACTORS[c]
        needed = self._needed(c)
        rows = []
        for y in range(self._rows * down):
            row = []
            for x in range(self._columns * across):
                block = [self._chance.randrange(-300, 300)] + [0] * 63
                if x < needed[0] and y < needed[1]:
                    for k in range(1, self._chance.choice((1, 3, 20, 64))):
                        if self._chance.random() < 0.3:
                            block[k] = self._chance.randrange(-9, 10)
                row.append(block)
            rows.append(row)
        return rows

    def _needed(self, c: int) -> tuple[int, int]:
        """Blocks that the picture needs of a component."""
        width, height = (-(-size // (1 if c == 0 else 2)) for size in self._size)
        return -(-width // 8), -(-height // 8)

    def _units(self, components: tuple[int, ...]) -> list[list[tuple[int, list[int]]]]:
        """What a scan goes through: blocks, with the number of their component."""
        if len(components) == 1:
            (c,) = components
            across, down = self._needed(c)
            return [[(c, self.blocks[c][y][x])] for y in range(down) for x in range(across)]
        return [
            [
                (c, self.blocks[c][y * _FACTORS[c][1] + dy][x * _FACTORS[c][0] + dx])
                for c in components
                for dy in range(_FACTORS[c][1])
                for dx in range(_FACTORS[c][0])
            ]
            for y in range(self._rows)
            for x in range(self._columns)
        ]

    def _scan(self, scan: Scan, progressive: bool) -> bytes:
        units = self._units(scan[0])
        step = self._interval or len(units)
        data = b""
        for part, at in enumerate(range(0, len(units), step)):
            data += bytes([0xFF, 0xD0 | (part - 1) & 7]) if part else b""
            bits = self._bits(units[at : at + step], scan, progressive)
            bits += self._pad * (-len(bits) % 8)
            whole = int("1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")[1:]
            data += whole.replace(b"\xff", b"\xff\0")
        return data

    def _bits(self, units: list[list[tuple[int, list[int]]]], scan: Scan, progressive: bool) -> str:
        _, first, last, high, low = scan
        bits = waiting = ""
        run = 0
        means = [0, 0, 0]

        def end_run() -> None:
            nonlocal bits, waiting, run
            if run:
                size = run.bit_length() - 1
                bits += _symbol(size << 4) + f"{run:b}"[1:] + waiting
            waiting, run = "", 0

        for unit in units:
            for c, block in unit:
                if first == 0:
                    mean = block[0] >> low
                    bits += f"{mean & 1}" if high else _number(mean - means[c], 0)
                    means[c] = mean
                if last == 0:
                    continue
                own = ""
                zeros = 0
                values = [_shifted(block[k], low) for k in range(max(first, 1), last + 1)]
                new = [abs(value) == 1 if high else value != 0 for value in values]
                for k, value in enumerate(values):
                    if value == 0:
                        zeros += 1
                        continue
                    while zeros > 15 and any(new[k:]):
                        end_run()
                        bits += _symbol(0xF0) + own
                        own = ""
                        zeros -= 16
                    if high and abs(value) > 1:
                        own += f"{abs(value) & 1}"
                        continue
                    end_run()
                    bits += _number(value, zeros) if not high else _symbol(zeros << 4 | 1)
                    bits += (f"{value > 0:d}" if high else "") + own
                    own, zeros = "", 0
                if zeros or own:
                    run += 1
                    waiting += own
                    if not progressive or self._chance.random() < self._breaks:
                        end_run()
        end_run()
        return bits


def _shifted(value: int, low: int) -> int:
    return value >> low if value >= 0 else -(-value >> low)


def _symbol(symbol: int) -> str:
    return f"{_SYMBOLS.index(symbol):09b}"


def _number(value: int, zeros: int) -> str:
    size = abs(value).bit_length()
    number = value if value >= 0 else value + (1 << size) - 1
    return _symbol(zeros << 4 | size) + (f"{number:0{size}b}" if size else "")
