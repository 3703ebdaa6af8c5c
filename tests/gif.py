"""Files of GIF, written by the book (GIF89a, CompuServe, 1990), and as some writers do it."""

from __future__ import annotations

import random
from collections.abc import Sequence


def lzw(
    data: bytes,
    bits: int,
    *,
    most_codes: int = 1 << 30,
    short: int = 0,
    clear_first: bool = True,
    clear_last: int = 0,
    end: bool = True,
    tiff: bool = False,
) -> bytes:
    """A stream of LZW.

    Parameters
    ----------
    data
    bits
        Of a byte.
    most_codes
        After so many the dictionary is cleared.
    short
        Each so many-th token is a byte shorter than it could be; 0 for none.
    clear_first, clear_last, end
        Codes before and behind those of the data.
    tiff
        Whether codes are written from the highest bit on, and get longer one code earlier.
    """
    clear = 1 << bits
    written, room = 0, 0

    def put(code: int, width: int) -> None:
        nonlocal written, room
        written = written << width | code if tiff else written | code << room
        room += width

    codes = {bytes([byte]): byte for byte in range(clear)}
    width, since, at, tokens = bits + 1, 0, 0, 0
    if clear_first:
        put(clear, width)
    while at < len(data):
        if since == most_codes:
            put(clear, width)
            codes = {bytes([byte]): byte for byte in range(clear)}
            width, since = bits + 1, 0
        size = 1
        while at + size < len(data) and data[at : at + size + 1] in codes:
            size += 1
        tokens += 1
        if short and tokens % short == 0 and size > 1:
            size -= 1
        put(codes[data[at : at + size]], width)
        since += 1
        if at + size < len(data) and clear + 1 + since < 4096:
            codes.setdefault(data[at : at + size + 1], clear + 1 + since)
        if clear + 1 + since + tiff == 1 << width and width < 12:
            width += 1
        at += size
    for _ in range(clear_last):
        put(clear, width)
        width = bits + 1
    if end:
        put(clear + 1, width)
    size = (room + 7) // 8
    return (
        (written << -room % 8).to_bytes(size, "big") if tiff else written.to_bytes(size, "little")
    )


def in_blocks(packed: bytes, size: int = 255) -> bytes:
    """Bytes in blocks, and the end of them."""
    parts = [packed[i : i + size] for i in range(0, len(packed), size)]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"


def interlaced(pixels: bytes, width: int) -> bytes:
    """Rows in four passes (appendix E)."""
    rows = [pixels[i : i + width] for i in range(0, len(pixels), width)]
    order = sorted(range(len(rows)), key=lambda y: (pass_of(y), y))
    return b"".join(rows[y] for y in order)


def pass_of(row: int) -> int:
    """The pass that a row comes in."""
    return 0 if row % 8 == 0 else 1 if row % 8 == 4 else 2 if row % 4 == 2 else 3


def image(
    pixels: bytes, width: int, bits: int = 8, *, packed: bytes | None = None, passes: bool = False
) -> bytes:
    """An image in a GIF, with a table of colours of its own."""
    sizes = width.to_bytes(2, "little") + (len(pixels) // width).to_bytes(2, "little")
    head = b"\x2c\0\0\0\0" + sizes + bytes([0x81 | passes << 6]) + bytes(range(12))
    if packed is None:
        packed = lzw(interlaced(pixels, width) if passes else pixels, bits)
    return head + bytes([bits]) + in_blocks(packed)


SHOWN = b"\x21\xf9\4\4\x0a\0\0\0"
"""An extension that tells how long an image is shown."""


def gif_file(images: Sequence[bytes]) -> bytes:
    """A GIF; all images but the first have an extension before them."""
    head = b"GIF89a\x20\0\x20\0\xf1\0\0" + bytes(range(12)) + b"\x21\xff\x0bNETSCAPE2.0\3\1\0\0\0"
    return head + SHOWN.join(images) + b"\x3b"


def drawn(width: int, rows: int, colours: int = 200, seed: int = 1) -> bytes:
    """Pixels of a drawing: boxes upon each other."""
    chance = random.Random(seed)
    pixels = bytearray(width * rows)
    for _ in range(12):
        left, top = chance.randrange(width), chance.randrange(rows)
        colour = chance.randrange(colours)
        for y in range(top, min(rows, top + 1 + chance.randrange(rows))):
            stop = min(width, left + 1 + chance.randrange(3) + width // 3)
            pixels[y * width + left : y * width + stop] = bytes([colour]) * (stop - left)
    return bytes(pixels)
