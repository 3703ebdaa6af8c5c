"""Following the scan of a JPEG bit by bit: which symbol, which coefficient, which block.

The data of a scan are Huffman codes (ITU-T T.81): for each block of 8 x 8 samples the difference of
its mean to that of the block before, then its other coefficients in zigzag order, each as a run of
zeros and a size, and as many bits as the size says. `begin_scan` reads the tables before the scan,
and `see_bit` goes on by one bit. Whatever the bits are, it stays within its arrays; where they are
no scan, or no more, `mode` says so.

Of a picture in several scans (a progressive one, or a scan for each component) one was made that
tells all (`glnzip.transforms.jpeg.scans`): with the standard codes, without restart markers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.format.block_type import MAX_JPEG_WIDTH
from glnzip.jit import inline, outlined
from glnzip.transforms.jpeg.codes import STANDARD

BLOCK = 64  # coefficients
MOST_COMPONENTS = 4
MOST_BLOCKS = 10  # in an MCU, the unit that the components take turns in (T.81, A.2)
ROWS_KEPT = 8  # of blocks; an MCU has 4 rows at most, and looks at those above it
MOST_HEADER = 65_535  # bytes before the scan
LONGEST_CODE = 16
END_OF_BLOCK = 0
_LARGEST = 32_767  # of coefficients

# Modes: what the present bits are
LOST, CODE, EXTRA, STUFFED, FILL, MARKER = range(6)
"""Something else; a Huffman code; the bits after it; the zero byte after FF; what fills up the last
byte before a marker; the marker."""

STANDARD_CODES = np.frombuffer(STANDARD, np.uint8)

SCAN = np.dtype(
    [
        ("mode", np.int64),
        ("after", np.int64),  # the mode after a stuffed byte
        ("code", np.int64),  # the bits of the present symbol
        ("bits", np.int64),  # how many these are
        ("extra", np.int64),  # how many are to come after the code
        ("symbol", np.int64),
        ("coefficient", np.int64),  # the next one's number in zigzag order
        ("block", np.int64),  # number in the MCU
        ("column", np.int64),  # of the MCU
        ("row", np.int64),
        ("columns", np.int64),
        ("rows", np.int64),
        ("blocks", np.int64),  # of an MCU
        ("interval", np.int64),  # MCUs between restart markers; 0 for none
        ("until_restart", np.int64),
        ("byte", np.int64),  # the bits of the present byte so far
        ("byte_bits", np.int64),
        ("marker_bytes", np.int64),  # of the marker, so far
        ("here", np.int64),  # where the present block's coefficients are
        ("left", np.int64),
        ("above", np.int64),
        ("corner", np.int64),
        ("right", np.int64),  # above and to the right
        ("fellow", np.int64),  # the same place of the component before
        ("component", np.int64),
        ("components", np.int64),
        ("several", np.int64),  # whether the picture had several scans
        ("before", np.int64),  # the mean that the present one is told as the difference to
        ("finished", np.int64),  # symbols so far, of the block
        ("symbols", np.int64),  # symbols so far, of all blocks
        ("until", np.int64),  # the coefficient behind those that the last symbol told
    ],
    align=True,
)

# Columns of `components`
HORIZONTAL, VERTICAL, WIDTH, BASE, MEAN, QUANTISER, DC, AC, NAME, COMPONENT_COLUMNS = range(10)
# Columns of `blocks`
OWNER, ACROSS, DOWN, BLOCK_COLUMNS = range(4)
# Columns of `codes`: the smallest code of a length, behind the largest, where its symbols begin
LEAST, BEHIND, FIRST, CODE_COLUMNS = range(4)


class Scan(NamedTuple):
    """A scan, as far as it has been seen.

    Attributes
    ----------
    now : SCAN[1]
    codes : int64[8, LONGEST_CODE + 1, CODE_COLUMNS]
        Huffman codes by class (0 for means, 1 for the rest) * 4 + number, and by length.
    symbols : int64[8, 256]
    quantisers : int64[4, BLOCK]
        In zigzag order.
    components : int64[MOST_COMPONENTS, COMPONENT_COLUMNS]
    blocks : int64[MOST_BLOCKS, BLOCK_COLUMNS]
        The blocks of an MCU: whose they are, and where in the MCU.
    coefficients : int16[...]
        In zigzag order: a block of zeros, then rows of blocks of each component.
    header : uint8[MOST_HEADER]
        Scratch.
    """

    now: Any
    codes: Any
    symbols: Any
    quantisers: Any
    components: Any
    blocks: Any
    coefficients: Any
    header: Any


@outlined
def begin_scan(scan, buffer, position, size):
    """Read the tables that the last `size` bytes before `position` of the stream hold."""
    now = scan.now[0]
    now.mode = LOST
    now.interval = 0
    now.columns = 0
    for table in range(8):
        _forget(scan, table)
    size = min(size, MOST_HEADER)
    for i in range(size):
        scan.header[i] = buffer[(position - size + i) & (buffer.size - 1)]
    at = np.int64(0)
    while at + 4 <= size and scan.header[at] == 0xFF:
        marker = np.int64(scan.header[at + 1])
        end = at + 2 + _two(scan.header, at + 2)
        if end > size or end < at + 4:
            return
        if marker == 0xDB:
            _read_quantisers(scan, at + 4, end)
        elif marker == 0xC4:
            _read_codes(scan, at + 4, end)
        elif marker == 0xC0 or marker == 0xC1 or marker == 0xC2:
            _read_frame(scan, at + 4, end)
            now.several = marker == 0xC2
        elif marker == 0xDD and end >= at + 6:
            now.interval = _two(scan.header, at + 4)
        elif marker == 0xDA:
            if end == size and _read_scan(scan, at + 4, end):
                _begin(scan)
            return
        at = end


@inline
def _forget(scan, table):
    for length in range(LONGEST_CODE + 1):
        for column in range(CODE_COLUMNS):
            scan.codes[table, length, column] = 0


@inline
def _two(header, at):
    return np.int64(header[at]) << 8 | np.int64(header[at + 1])


@inline
def _read_quantisers(scan, at, end):
    while at < end:
        wide = np.int64(scan.header[at]) >> 4
        table = np.int64(scan.header[at]) & 3
        at += 1
        if wide > 1 or at + (BLOCK << wide) > end:
            return
        for k in range(BLOCK):
            if wide:
                scan.quantisers[table, k] = _two(scan.header, at + 2 * k)
            else:
                scan.quantisers[table, k] = np.int64(scan.header[at + k])
        at += BLOCK << wide


@inline
def _read_codes(scan, at, end):
    while at + 17 <= end:
        which = np.int64(scan.header[at])
        table = (which >> 4 & 1) * 4 + (which & 3)
        code = np.int64(0)
        first = np.int64(0)
        for length in range(1, LONGEST_CODE + 1):
            count = np.int64(scan.header[at + length])
            scan.codes[table, length, LEAST] = code
            scan.codes[table, length, BEHIND] = code + count
            scan.codes[table, length, FIRST] = first
            code = (code + count) << 1
            first += count
        at += 17
        if first > 256 or at + first > end:
            _forget(scan, table)
            return
        for k in range(first):
            scan.symbols[table, k] = np.int64(scan.header[at + k])
        at += first


@inline
def _read_frame(scan, at, end):
    """The size of the picture, and its components (T.81, B.2.2)."""
    now = scan.now[0]
    now.columns = 0
    if at + 6 > end or scan.header[at] != 8:
        return
    height, width = _two(scan.header, at + 1), _two(scan.header, at + 3)
    count = np.int64(scan.header[at + 5])
    if count < 1 or count > MOST_COMPONENTS or at + 6 + 3 * count > end:
        return
    widest = np.int64(1)
    highest = np.int64(1)
    for c in range(count):
        place = at + 6 + 3 * c
        factors = np.int64(scan.header[place + 1])
        own = scan.components[c]
        own[NAME] = np.int64(scan.header[place])
        own[HORIZONTAL], own[VERTICAL] = factors >> 4, factors & 15
        own[QUANTISER] = np.int64(scan.header[place + 2]) & 3
        if own[HORIZONTAL] < 1 or own[HORIZONTAL] > 4 or own[VERTICAL] < 1 or own[VERTICAL] > 4:
            return
        widest = max(widest, own[HORIZONTAL])
        highest = max(highest, own[VERTICAL])
    if count == 1:  # then the factors mean nothing: a block is an MCU (T.81, A.2.2)
        scan.components[0, HORIZONTAL] = 1
        scan.components[0, VERTICAL] = 1
        widest = np.int64(1)
        highest = np.int64(1)
    columns = (width + 8 * widest - 1) // (8 * widest)
    base = np.int64(BLOCK)
    total = np.int64(0)
    for c in range(count):
        own = scan.components[c]
        own[WIDTH] = columns * own[HORIZONTAL]
        own[BASE] = base
        base += ROWS_KEPT * BLOCK * own[WIDTH]
        total += own[WIDTH]
    if total > MAX_JPEG_WIDTH:
        return
    now.columns = columns
    now.rows = (height + 8 * highest - 1) // (8 * highest)
    now.components = count


@inline
def _read_scan(scan, at, end):
    """Which tables the components use (T.81, B.2.3); those of one of several scans are standard."""
    now = scan.now[0]
    count = np.int64(scan.header[at])
    if now.columns == 0 or now.rows == 0 or at + 4 + 2 * count > end:
        return False
    if count < now.components:
        now.several = 1
    blocks = np.int64(0)
    for c in range(now.components):
        own = scan.components[c]
        if now.several:
            own[DC] = min(c, 1)
            own[AC] = 4 + min(c, 1)
        else:
            place = at + 1 + 2 * c
            if c >= count or own[NAME] != np.int64(scan.header[place]):
                return False
            tables = np.int64(scan.header[place + 1])
            own[DC], own[AC] = tables >> 4 & 3, 4 + (tables & 3)
        for down in range(own[VERTICAL]):
            for across in range(own[HORIZONTAL]):
                if blocks == MOST_BLOCKS:
                    return False
                scan.blocks[blocks, OWNER] = c
                scan.blocks[blocks, ACROSS] = across
                scan.blocks[blocks, DOWN] = down
                blocks += 1
    if now.several:
        now.interval = 0
        for k in range(STANDARD_CODES.size):
            scan.header[k] = STANDARD_CODES[k]
        _read_codes(scan, np.int64(0), np.int64(STANDARD_CODES.size))
    now.blocks = blocks
    return True


@inline
def _begin(scan):
    now = scan.now[0]
    now.row = 0
    now.column = 0
    now.until_restart = now.interval
    now.byte = 0
    now.byte_bits = 0
    last = scan.components[now.components - 1]
    for k in range(last[BASE] + ROWS_KEPT * BLOCK * last[WIDTH]):
        scan.coefficients[k] = 0
    _restart(scan)


@inline
def _restart(scan):
    for c in range(MOST_COMPONENTS):
        scan.components[c, MEAN] = 0
    scan.now[0].block = 0
    _begin_block(scan)


@inline
def _place(own, across, down):
    """Where the coefficients of a block of a component are."""
    return own[BASE] + ((down & (ROWS_KEPT - 1)) * own[WIDTH] + across) * BLOCK


@inline
def _begin_block(scan):
    """Find the block and its neighbours; those outside the picture are zeros."""
    now = scan.now[0]
    layout = scan.blocks[now.block]
    now.component = layout[OWNER]
    own = scan.components[now.component]
    across = now.column * own[HORIZONTAL] + layout[ACROSS]
    down = now.row * own[VERTICAL] + layout[DOWN]
    now.here = _place(own, across, down)
    now.left = _place(own, across - 1, down) if across > 0 else np.int64(0)
    now.above = _place(own, across, down - 1) if down > 0 else np.int64(0)
    now.corner = np.int64(0)
    if across > 0 and down > 0:
        now.corner = _place(own, across - 1, down - 1)
    now.right = np.int64(0)
    if down > 0 and across + 1 < own[WIDTH]:
        now.right = _place(own, across + 1, down - 1)
    now.fellow = np.int64(0)
    if now.component > 0:
        other = scan.components[now.component - 1]
        now.fellow = _place(
            other,
            across * other[HORIZONTAL] // own[HORIZONTAL],
            down * other[VERTICAL] // own[VERTICAL],
        )
    now.before = own[MEAN]
    for k in range(BLOCK):
        scan.coefficients[now.here + k] = 0
    now.coefficient = 0
    now.finished = 0
    _begin_symbol(now)


@inline
def _begin_symbol(now):
    now.mode = CODE
    now.code = 0
    now.bits = 0
    now.extra = 0


@inline
def see_bit(scan, bit):
    """Go on by one bit; returns whether a symbol has begun with it, or something else."""
    now = scan.now[0]
    now.byte = now.byte << 1 | bit
    now.byte_bits += 1
    anew = False
    if now.mode == CODE or now.mode == EXTRA:
        anew = _see_scan_bit(scan, bit)
    if now.byte_bits == 8:
        anew = _see_byte(scan, now.byte) or anew
        now.byte = 0
        now.byte_bits = 0
    return anew


@inline
def _see_scan_bit(scan, bit):
    now = scan.now[0]
    now.code = now.code << 1 | bit
    now.bits += 1
    if now.mode == CODE:
        own = scan.components[now.component]
        table = own[DC] if now.coefficient == 0 else own[AC]
        row = scan.codes[table, now.bits]
        if now.code < row[BEHIND] and now.code >= row[LEAST]:
            now.symbol = scan.symbols[table, row[FIRST] + now.code - row[LEAST]]
            now.extra = now.symbol & 15
            now.mode = EXTRA
        elif now.bits == LONGEST_CODE:
            now.mode = LOST
            return True
        else:
            return False
    else:
        now.extra -= 1
    if now.extra > 0:
        return False
    _end_symbol(scan)
    return True


@outlined
def _end_symbol(scan):
    """A symbol and its bits are complete."""
    now = scan.now[0]
    size = now.symbol & 15
    value = now.code & ((1 << size) - 1)
    if size > 0 and value < 1 << (size - 1):
        value -= (1 << size) - 1
    now.finished += 1
    now.symbols += 1
    ended = False
    if now.coefficient == 0:
        mean = min(max(now.before + value, -_LARGEST), _LARGEST)
        scan.components[now.component, MEAN] = mean
        scan.coefficients[now.here] = mean
        now.coefficient = 1
    elif size == 0 and now.symbol != 0xF0:
        ended = True
    else:
        place = now.coefficient + (now.symbol >> 4)
        if place >= BLOCK:
            now.mode = LOST
            return
        scan.coefficients[now.here + place] = value
        now.coefficient = place + 1
    now.until = BLOCK if ended else now.coefficient
    if now.until == BLOCK:
        _end_block(scan)
    else:
        _begin_symbol(now)


@inline
def _end_block(scan):
    now = scan.now[0]
    now.block += 1
    if now.block < now.blocks:
        _begin_block(scan)
        return
    now.block = 0
    now.column += 1
    if now.column == now.columns:
        now.column = 0
        now.row += 1
    now.until_restart -= 1
    if now.row == now.rows:
        now.mode = FILL
        now.until_restart = -1
    elif now.until_restart == 0:
        now.until_restart = now.interval
        now.mode = FILL
    else:
        _begin_block(scan)


@inline
def _see_byte(scan, byte):
    """A byte is complete; returns whether something else has begun with it."""
    now = scan.now[0]
    if now.mode == STUFFED:
        now.mode = now.after if byte == 0 else np.int64(LOST)
        return True
    if now.mode == MARKER:
        now.marker_bytes += 1
        if now.marker_bytes == 1 and byte != 0xFF:
            now.mode = LOST
        elif now.marker_bytes == 2:
            _restart(scan)
        return True
    following = now.mode
    if now.mode == FILL:
        following = np.int64(MARKER if now.row < now.rows else LOST)
        now.marker_bytes = 0
    if byte == 0xFF and now.mode != LOST:
        now.after = following
        following = np.int64(STUFFED)
    changed = following != now.mode
    now.mode = following
    return changed
