"""Headers of pictures that are not packed: BMP, PBM, PGM and PPM. (For TIFF see `tiff`.)

The header of a BMP is also found alone, as icons and programs have it.
"""

from __future__ import annotations

import re

from glnzip.format.block_type import (
    BITMAP,
    IMAGE,
    MAX_IMAGE_CHANNELS,
    SAMPLE_FORMS,
    WIDE_IMAGE,
    BlockType,
)
from glnzip.format.container import MAX_ROW_BYTES
from glnzip.transforms.unpacking.samples import (
    WIDEST_GAP,
    Samples,
    of_palette,
    samples_entry,
    with_rows,
)
from glnzip.transforms.unpacking.window import Entry, Window

_DIB_BYTES = 40  # of the header of a bitmap, at least
_FILE_BYTES = 14  # before it, in a file of its own
_DIB_BITS = (1, 4, 8, 16, 24, 32)
_MOST_COLOURS = 256
_RGB, _MASKS = 0, 3  # pixels as they are; masks tell what their bits mean
_MASK_BYTES = 12

_SPACE = rb"(?:\s|#[^\n]*\n)+"
_PNM_HEADER = re.compile(
    rb"P(?:(?P<bits>4)|(?P<grey>5)|6)" + _SPACE + rb"(\d{1,6})" + _SPACE + rb"(\d{1,6})"
    rb"(?(bits)|" + _SPACE + rb"(\d{1,5}))\s"
)
_PNM_HEADER_BYTES = 256


def bitmap(window: Window, at: int) -> Entry | None:
    """The pixels behind a BITMAPINFOHEADER or what came after it."""
    head = window.bytes_at(at, _DIB_BYTES)
    size, width, height = (_little(head[k : k + 4], signed=True) for k in (0, 4, 8))
    planes, bits = _little(head[12:14]), _little(head[14:16])
    packed, told, colours = (_little(head[k : k + 4]) for k in (16, 20, 32))
    if planes != 1 or bits not in _DIB_BITS or width <= 0 or not height or colours > _MOST_COLOURS:
        return None
    if packed != _RGB and (packed != _MASKS or bits not in (16, 32)):
        return None
    table = at + size + (_MASK_BYTES if packed == _MASKS and size == _DIB_BYTES else 0)
    start = end = table + 4 * (colours or (1 << bits if bits <= 8 else 0))
    rows = abs(height)
    if at >= _FILE_BYTES and window.bytes_at(at - _FILE_BYTES, 2) == b"BM":
        start = max(start, at - _FILE_BYTES + window.number_at(at - 4, 4))
    elif height == 2 * width:  # an icon: a mask stands behind it
        rows = width
    row = (width * bits + 31) // 32 * 4
    if start - at > WIDEST_GAP or (told and not row * rows <= told <= 2 * row * rows):
        return None
    grey = bits == 8 and _is_grey(window.bytes_at(table, end - table))
    block_type = seen_as(row, 8, bits // 8) if bits >= 24 or grey else seen_as(row, bits, 0)
    pixels = Samples(start, row * rows, block_type)
    return samples_entry(window, at, [pixels], alone=rows == abs(height))  # icons come in sizes


def _is_grey(table: bytes) -> bool:
    """Whether the colours are shades of grey, from dark to light."""
    shades = table[::4]
    return shades == table[1::4] == table[2::4] and list(shades) == sorted(shades)


def seen_as(
    row: int, depth: int, channels: int, *, signed: bool = False, little: bool = False
) -> BlockType:
    """How a model should see rows of pixels, with bits for each channel; 0 channels: a palette.

    Two bytes may be a number with a sign, or have the low byte first.
    """
    if row <= MAX_ROW_BYTES:
        if depth == 1 and channels <= 1:
            return BlockType(BITMAP, row)
        if depth == 8 and channels == 0:
            return of_palette(row)
        if depth == 8 and 1 <= channels <= MAX_IMAGE_CHANNELS:
            return BlockType(IMAGE, row, channels)
        if depth == 16 and 1 <= channels <= MAX_IMAGE_CHANNELS:
            form = SAMPLE_FORMS.index((2, signed, little))
            return BlockType(WIDE_IMAGE, row, 2 * channels, form)
    return with_rows(row)


def pnm(window: Window, at: int) -> Entry | None:
    """The pixels of a PBM, PGM or PPM."""
    header = bytes(window.buffer[at : min(at + _PNM_HEADER_BYTES, window.end)])
    found = _PNM_HEADER.match(header)
    if found is None:
        return None
    width, height = int(found[3]), int(found[4])
    channels = 1 if found["bits"] or found["grey"] else 3
    depth = 1 if found["bits"] else 8 if int(found[5]) < 256 else 16
    row = (width * channels * depth + 7) // 8
    pixels = Samples(at + found.end(), row * height, seen_as(row, depth, channels))
    return samples_entry(window, at, [pixels])


def _little(field: bytes, *, signed: bool = False) -> int:
    return int.from_bytes(field, "little", signed=signed)
