"""Headers of pictures that are not packed: BMP, TIFF, PBM, PGM and PPM.

The header of a BMP is also found alone, as icons and programs have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from glnzip.format.block_type import (
    BITMAP,
    IMAGE,
    MAX_IMAGE_CHANNELS,
    SAMPLE_FORMS,
    WIDE_IMAGE,
    BlockType,
)
from glnzip.format.container import MAX_ROW_BYTES
from glnzip.transforms.unpacking.samples import WIDEST_GAP, Samples, samples_entry, with_rows
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

_MOST_PAGES = 64
_MOST_FIELDS = 256
_MOST_STRIPS = 1 << 16
_NUMBER_BYTES = {3: 2, 4: 4}  # by the type of a field
_FIELDS = 256, 258, 259, 273, 277, 279, 284, 339
_WIDTH, _DEPTHS, _PACKED, _STRIPS, _CHANNELS, _SIZES, _PLANES, _NUMBERS = _FIELDS
_UNSIGNED, _SIGNED = 1, 2  # numbers


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
    start = table + 4 * (colours or (1 << bits if bits <= 8 else 0))
    rows = abs(height)
    if at >= _FILE_BYTES and window.bytes_at(at - _FILE_BYTES, 2) == b"BM":
        start = max(start, at - _FILE_BYTES + window.number_at(at - 4, 4))
    elif height == 2 * width:  # an icon: a mask stands behind it
        rows = width
    row = (width * bits + 31) // 32 * 4
    if start - at > WIDEST_GAP or (told and not row * rows <= told <= 2 * row * rows):
        return None
    whole = bits in (8, 24, 32)  # bytes a channel; others are packed closer
    block_type = seen_as(row, 8, bits // 8) if whole else seen_as(row, bits, 0)
    pixels = Samples(start, row * rows, block_type)
    return samples_entry(window, at, [pixels], alone=rows == abs(height))  # icons come in sizes


def seen_as(
    row: int, depth: int, channels: int, *, signed: bool = False, little: bool = False
) -> BlockType:
    """How a model should see rows of pixels, with bits for each channel; a palette is one as well.

    Two bytes may be a number with a sign, or have the low byte first. Without channels they are
    what no model of pictures is for.
    """
    if row <= MAX_ROW_BYTES:
        if depth == 1 and channels <= 1:
            return BlockType(BITMAP, row)
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


def tiff(window: Window, at: int) -> Entry | None:
    """The strips of a TIFF that is not packed; strips that touch are one."""
    strips = [] if window.is_worn else sorted(_all_strips(window, at))
    joined: list[Samples] = []
    for strip in strips:
        last = joined[-1] if joined else None
        if last and last.start + last.length == strip.start and last.block_type == strip.block_type:
            joined[-1] = last._replace(length=last.length + strip.length)
        else:
            joined.append(strip)
    return samples_entry(window, at, joined)


def _all_strips(window: Window, at: int) -> Iterator[Samples]:
    """Those of all pages (TIFF 6.0, section 2)."""
    order: Literal["little", "big"] = "little" if window.bytes_at(at, 1) == b"I" else "big"

    def number(place: int, count: int) -> int:
        return int.from_bytes(window.bytes_at(at + place, count), order)

    page = number(4, 4)
    for _ in range(_MOST_PAGES):
        fields = number(page, 2) if page else 0
        if not 0 < fields <= _MOST_FIELDS:
            return
        values: dict[int, list[int]] = {}
        for place in range(page + 2, page + 2 + 12 * fields, 12):
            field, size = number(place, 2), _NUMBER_BYTES.get(number(place + 2, 2), 0)
            count = number(place + 4, 4)
            if field in _FIELDS and size and count <= _MOST_STRIPS and not window.is_worn:
                first = place + 8 if size * count <= 4 else number(place + 8, 4)
                values[field] = [number(first + size * k, size) for k in range(count)]
                window.tried(16 * count)  # it takes as long as so many bytes elsewhere
        yield from _strips(values, at, little=order == "little")
        page = number(page + 2 + 12 * fields, 4)


def _strips(values: dict[int, list[int]], at: int, *, little: bool) -> Iterator[Samples]:
    """Those of a page, from its fields."""
    width, packed, channels, planes, numbers = (
        (values.get(field) or [default])[0]
        for field, default in (
            (_WIDTH, 0),
            (_PACKED, 1),
            (_CHANNELS, 1),
            (_PLANES, 1),
            (_NUMBERS, _UNSIGNED),
        )
    )
    depths = values.get(_DEPTHS) or [1]
    if packed != 1 or not width or len(set(depths)) > 1:
        return
    channels = channels if planes == 1 else 1
    row = (width * channels * depths[0] + 7) // 8
    block_type = with_rows(row)
    if numbers in (_UNSIGNED, _SIGNED):
        block_type = seen_as(row, depths[0], channels, signed=numbers == _SIGNED, little=little)
    for start, length in zip(values.get(_STRIPS, []), values.get(_SIZES, []), strict=False):
        yield Samples(at + start, length, block_type)


def _little(field: bytes, *, signed: bool = False) -> int:
    return int.from_bytes(field, "little", signed=signed)
