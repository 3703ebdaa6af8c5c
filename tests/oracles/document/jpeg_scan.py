"""Section "JPEG" of docs/MODEL.md: the tables before a scan, and the scan itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.oracles.document.tables import bound

LOST, CODE, EXTRA, STUFFED, FILL, MARKER = range(6)
Block = list[int]
"""Coefficients, in zigzag order."""
NONE: Block = [0] * 64


def _zigzag() -> list[tuple[int, int]]:
    """Horizontal and vertical frequency by number (ITU-T T.81, figure 5)."""
    places = [(u, v) for u in range(8) for v in range(8)]
    return sorted(places, key=lambda p: (sum(p), p[0] if sum(p) % 2 == 0 else p[1]))


ZIGZAG = _zigzag()
NUMBER = {place: k for k, place in enumerate(ZIGZAG)}


@dataclass
class Component:
    name: int = 0
    across: int = 1
    down: int = 1
    quantiser: int = 0
    means: int = 0
    rest: int = 0


@dataclass
class Picture:
    components: list[Component]
    columns: int
    rows: int
    several_scans: bool = False


Codes = dict[str, int]


@dataclass
class Tables:
    """What the segments before the scan say."""

    quantisers: dict[int, list[int]] = field(default_factory=dict)
    codes: dict[tuple[int, int], Codes] = field(default_factory=dict)
    picture: Picture | None = None
    interval: int = 0

    def read(self, data: bytes) -> bool:
        """Read the segments; tell whether a scan begins."""
        self.codes, self.picture, self.interval = {}, None, 0
        while len(data) >= 4 and data[0] == 0xFF:
            length = data[2] << 8 | data[3]
            if length < 2 or length + 2 > len(data):
                return False
            marker, body, data = data[1], data[4 : length + 2], data[length + 2 :]
            if marker == 0xDB:
                self._quantisers(body)
            elif marker == 0xC4:
                self._codes(body)
            elif marker in (0xC0, 0xC1, 0xC2):
                self.picture = _picture(body)
                if self.picture is not None:
                    self.picture.several_scans = marker == 0xC2
            elif marker == 0xDD and len(body) >= 2:
                self.interval = body[0] << 8 | body[1]
            elif marker == 0xDA:
                return not data and self._scan(body)
        return False

    def _quantisers(self, body: bytes) -> None:
        while body and body[0] >> 4 <= 1:
            width = 1 + (body[0] >> 4)
            numbers = body[1 : 1 + 64 * width]
            if len(numbers) < 64 * width:
                return
            self.quantisers[body[0] % 4] = [
                int.from_bytes(numbers[at : at + width], "big")
                for at in range(0, 64 * width, width)
            ]
            body = body[1 + 64 * width :]

    def _codes(self, body: bytes) -> None:
        while len(body) >= 17:
            which = body[0] >> 4 & 1, body[0] % 4
            counts, symbols = body[1:17], body[17 : 17 + sum(body[1:17])]
            self.codes[which] = {}
            if sum(counts) > 256 or len(symbols) < sum(counts):
                return
            self.codes[which] = _codes(counts, symbols)
            body = body[17 + len(symbols) :]

    def _scan(self, body: bytes) -> bool:
        picture = self.picture
        if picture is None or not picture.rows or not picture.columns or not body:
            return False
        components = picture.components
        if not 1 <= body[0] <= len(components) or len(body) < 4 + 2 * body[0]:
            return False
        if picture.several_scans or body[0] < len(components):
            self.codes, self.interval = dict(_USUAL), 0
            for c, component in enumerate(components):
                component.means = component.rest = min(c, 1)
        else:
            for component, at in zip(components, range(1, 8, 2), strict=False):
                if body[at] != component.name:
                    return False
                component.means, component.rest = body[at + 1] >> 4 & 3, body[at + 1] & 3
        return sum(component.across * component.down for component in components) <= 10


def _codes(counts: bytes, symbols: bytes) -> Codes:
    codes = {}
    least, at = 0, 0
    for length, count in enumerate(counts, 1):
        for code in range(least, least + count):
            if code < 1 << length:
                codes[f"{code:0{length}b}"] = symbols[at]
            at += 1
        least = least + count << 1
    return codes


def _usual() -> dict[tuple[int, int], Codes]:
    """T.81, annex K.3: how many codes there are of each length, and their symbols."""
    means = bytes(range(12))
    return {
        (0, 0): _codes(bytes.fromhex("00010501010101010100000000000000"), means),
        (0, 1): _codes(bytes.fromhex("00030101010101010101010000000000"), means),
        (1, 0): _codes(bytes.fromhex("0002010303020403050504040000017d"), _LIGHT),
        (1, 1): _codes(bytes.fromhex("00020102040403040705040400010277"), _COLOUR),
    }


_LIGHT = bytes.fromhex(
    "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a"
    "25262728292a3435363738393a434445464748494a535455565758595a636465666768696a73747576777879"
    "7a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9"
    "cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa"
)
_COLOUR = bytes.fromhex(
    "000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f117"
    "18191a262728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778"
    "797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7"
    "c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa"
)
_USUAL = _usual()


def _picture(body: bytes) -> Picture | None:
    if len(body) < 6 or body[0] != 8 or not 1 <= body[5] <= 4 or len(body) < 6 + 3 * body[5]:
        return None
    height, width = body[1] << 8 | body[2], body[3] << 8 | body[4]
    components = [
        Component(body[at], body[at + 1] >> 4, body[at + 1] & 15, body[at + 2] % 4)
        for at in range(6, 6 + 3 * body[5], 3)
    ]
    if not all(1 <= c.across <= 4 and 1 <= c.down <= 4 for c in components):
        return None
    if len(components) == 1:
        components[0].across = components[0].down = 1
    columns = -(-width // (8 * max(c.across for c in components)))
    rows = -(-height // (8 * max(c.down for c in components)))
    if sum(columns * c.across for c in components) > 4096:
        return None
    return Picture(components, columns, rows)


class Scan:
    """Section "The scan"."""

    def __init__(self, tell: Callable[[int, int], None]) -> None:
        self.tell = tell  # called with the coefficients that a symbol has told, first and last
        self.tables = Tables()
        self.picture = Picture([], 0, 0)
        self.mode = self.before = LOST
        self.marks = 0  # bytes of a marker so far
        self.byte = ""
        self.bits = ""  # of the symbol
        self.symbol = self.size = 0
        self.kept: dict[tuple[int, int, int], Block] = {}

    def begin(self, tables: bytes) -> None:
        """Read the tables; the scan begins, or is lost."""
        self.byte = ""
        if not self.tables.read(tables):
            self.mode = LOST
            return
        assert self.tables.picture is not None
        self.picture = self.tables.picture
        self.kept = {}
        self.layout = [
            (c, x, y)
            for c, component in enumerate(self.picture.components)
            for y in range(component.down)
            for x in range(component.across)
        ]
        self.mcu = 0
        self._begin_interval()

    def _begin_interval(self) -> None:
        self.means = [0] * 4
        self.block_of_mcu = 0
        self._begin_block()

    def _begin_block(self) -> None:
        self.column, row = self.mcu % self.picture.columns, self.mcu // self.picture.columns
        self.component, x, y = self.layout[self.block_of_mcu]
        own = self.own
        self.across, self.down = self.column * own.across + x, row * own.down + y
        self.block = self.kept[self.component, self.across, self.down % 8] = [0] * 64
        self.k = 0
        self.before_mean = self.means[self.component]
        self.symbol_before = 0
        self._begin_symbol()

    def _begin_symbol(self) -> None:
        self.mode, self.bits = CODE, ""

    @property
    def own(self) -> Component:
        return self.picture.components[self.component]

    def neighbour(self, x: int, y: int, component: int | None = None) -> Block | None:
        """A block of a component; None outside of the picture."""
        c = self.component if component is None else component
        width = self.picture.columns * self.picture.components[c].across
        if not (0 <= x < width and y >= 0):
            return None
        return self.kept.get((c, x, y % 8), NONE)

    def bit(self, y: int) -> bool:
        """See a bit; tell whether a symbol or a mode has begun."""
        self.byte += str(y)
        begun = False
        if self.mode == CODE:
            begun = self._bit_of_code(y)
        elif self.mode == EXTRA:
            self.bits += str(y)
            self.size -= 1
            if self.size == 0:
                begun = True
                self._end_symbol()
        if len(self.byte) == 8:
            byte, self.byte = int(self.byte, 2), ""
            begun = self._end_byte(byte) or begun
        return begun

    def _bit_of_code(self, y: int) -> bool:
        self.bits += str(y)
        own = self.own
        which = (0, own.means) if self.k == 0 else (1, own.rest)
        symbol = self.tables.codes.get(which, {}).get(self.bits)
        if symbol is None:
            if len(self.bits) == 16:
                self.mode = LOST
                return True
            return False
        self.symbol, self.size = symbol, symbol & 15
        self.mode = EXTRA
        if self.size:
            return False
        self._end_symbol()
        return True

    def _end_symbol(self) -> None:
        size = self.symbol & 15
        extra = self.bits[len(self.bits) - size :]
        value = int(extra or "0", 2)
        if extra.startswith("0"):
            value -= (1 << size) - 1
        self.symbol_before = self.symbol
        first, run = self.k, 0
        ends = False
        if first == 0:
            value = bound(self.before_mean + value, -32767, 32767)
            self.means[self.component] = value
        else:
            run = self.symbol >> 4
            ends = size == 0 and run < 15
        if first + run > 63 and not ends:
            self.mode = LOST
            return
        last = 63 if ends else first + run
        if not ends:
            self.block[last] = value
        self.tell(first, last)
        self.k = last + 1
        if self.k == 64:
            self._end_block()
        else:
            self._begin_symbol()

    def _end_block(self) -> None:
        self.block_of_mcu += 1
        if self.block_of_mcu == len(self.layout):
            self.block_of_mcu = 0
            self.mcu += 1
            interval = self.tables.interval
            if self._is_over() or (interval and self.mcu % interval == 0):
                self.mode = FILL
                return
        self._begin_block()

    def _is_over(self) -> bool:
        return self.mcu == self.picture.columns * self.picture.rows

    def _end_byte(self, byte: int) -> bool:
        before, always = self.mode, self.mode in (STUFFED, MARKER)
        if self.mode in (CODE, EXTRA, FILL) and byte == 0xFF:
            self.before, self.mode = self.mode, STUFFED
        elif self.mode == STUFFED:
            self.mode = self.before if byte == 0 else LOST
            if self.mode == FILL:
                self._end_fill()
        elif self.mode == FILL:
            self._end_fill()
        elif self.mode == MARKER:
            self.marks += 1
            if self.marks == 1 and byte != 0xFF:
                self.mode = LOST
            elif self.marks == 2:
                self._begin_interval()
        return always or self.mode != before

    def _end_fill(self) -> None:
        self.mode, self.marks = LOST if self._is_over() else MARKER, 0
