"""Files of TIFF whose strips are packed (TIFF 6.0, Aldus, 1992)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.gif import lzw

LZW, ZLIB, OLD_ZLIB = 5, 8, 32946


class Page(NamedTuple):
    """Pixels, and how they are to be packed."""

    pixels: bytes
    width: int
    channels: int = 3
    depth: int = 8
    packed: int = LZW
    differences: bool = True
    rows: int = 7
    """Of a strip."""
    between: bytes = b""
    """What stands behind each strip."""
    tiled: bool = False
    """Whether the strips are tiles, of half the width of the picture."""


def lzw_of_tiff(data: bytes) -> bytes:
    """A stream of LZW with 3,837 codes between two clear codes, as libtiff has them."""
    return lzw(data, 8, most_codes=3837, tiff=True)


def tiff_file(
    pages: Sequence[Page],
    order: str = "<",
    gap: bytes = b"",
    by_zlib: Callable[[bytes], bytes] = zlib.compress,
) -> bytes:
    """A TIFF whose directories stand behind all strips; those of two pages may have a gap between.

    Each page has two strips at least.
    """
    data = bytearray(b"II*\0" if order == "<" else b"MM\0*") + bytes(4)
    strips: list[tuple[list[int], list[int]]] = []
    for page in pages:
        data += gap if strips else b""
        strips.append(_write_strips(data, page, order, by_zlib))
    place = 4
    for page, (places, sizes) in zip(pages, strips, strict=True):
        data += bytes(len(data) % 2)
        lists = b"".join(struct.pack(f"{order}{len(some)}L", *some) for some in (places, sizes))
        lists += struct.pack(f"{order}{page.channels}H", *[page.depth] * page.channels)
        struct.pack_into(f"{order}L", data, place, len(data) + len(lists))
        data += lists + _directory(page, order, len(data), len(places)) + bytes(4)
        place = len(data) - 4
    return bytes(data)


def _write_strips(
    data: bytearray, page: Page, order: str, by_zlib: Callable[[bytes], bytes]
) -> tuple[list[int], list[int]]:
    """Append the strips of a page: their places and sizes."""
    row = page.width * page.channels * page.depth // 8
    pixels = differences(page, order) if page.differences else page.pixels
    places, sizes = [], []
    for at in range(0, len(pixels), page.rows * row):
        rows = pixels[at : at + page.rows * row]
        strip = lzw_of_tiff(rows) if page.packed == LZW else by_zlib(rows)
        places.append(len(data))
        sizes.append(len(strip))
        data += strip + page.between
    return places, sizes


def differences(page: Page, order: str) -> bytes:
    """Each sample less that of the pixel before (section 14)."""
    width = page.depth // 8
    form = f"{order}{page.width * page.channels}{'BH'[width - 1]}"
    made = b""
    for at in range(0, len(page.pixels), struct.calcsize(form)):
        values = struct.unpack_from(form, page.pixels, at)
        before = (0,) * page.channels + values
        changed = [(v - b) % (1 << page.depth) for v, b in zip(values, before, strict=False)]
        made += struct.pack(form, *changed)
    return made


def _directory(page: Page, order: str, place: int, strips: int) -> bytes:
    """A directory, but for the place of the next one; its lists begin at a place."""
    row = page.width * page.channels * page.depth // 8
    fields = [
        (256, 4, 1, page.width * (2 if page.tiled else 1)),
        (257, 4, 1, len(page.pixels) // row),
        (258, 3, page.channels, place + 8 * strips if page.channels > 2 else page.depth),
        (259, 3, 1, page.packed),
        (324 if page.tiled else 273, 4, strips, place),
        (277, 3, 1, page.channels),
        (278, 4, 1, page.rows),
        (325 if page.tiled else 279, 4, strips, place + 4 * strips),
        (317, 3, 1, 2 if page.differences else 1),
    ]
    fields += [(322, 4, 1, page.width), (323, 4, 1, page.rows)] if page.tiled else []
    written = struct.pack(f"{order}H", len(fields))
    for tag, kind, count, value in sorted(fields):
        short = kind == 3 and count <= 2
        values = (value, value) if short else (value,)
        written += struct.pack(f"{order}HHL{'HH' if short else 'L'}", tag, kind, count, *values)
    return written
