"""The images of GIF (GIF89a, CompuServe, 1990): pixels behind LZW, cut into blocks of bytes.

The first image of a file is found by the header of the file. Others, as those of an animation, have
an extension before them that says how long they are shown; so each is found by itself, wherever
what is known of the file begins.
"""

from __future__ import annotations

from glnzip.format.numbers import write_numbers
from glnzip.transforms.exceptions import told, write_sizes
from glnzip.transforms.gif_form import MOST_IN_BLOCK, out_of_blocks, out_of_passes
from glnzip.transforms.lzw.recipe import BYTE_BITS, describe, write_recipe
from glnzip.transforms.unpacking.parts import GIF_IMAGE, MOST_BYTES, is_cheap
from glnzip.transforms.unpacking.pixels import pixels_seen_as
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_HEADER_BYTES = 13
_SCREEN_FLAGS = 10  # where in it
_EXTENSION, _IMAGE = 0x21, 0x2C  # what blocks begin with
_CONTROL_BYTES = 8  # of the extension that tells how an image is shown; the last one is 0
_DESCRIPTOR_BYTES = 10  # of an image
_TABLE = 0x80  # flags: a table of colours follows, its length in the lowest three bits ...
_INTERLACED = 0x40  # ... and rows are in four passes
_MOST_EXTENSIONS = 64
_LEAST = 64  # bytes of a stream; fewer do not pay


def first_image(window: Window, at: int) -> Entry | None:
    """The first image behind the header of a file."""
    if window.bytes_at(at, 6) not in (b"GIF87a", b"GIF89a"):
        return None
    flags = window.number_at(at + _SCREEN_FLAGS, 1)
    return _next_image(window, at + _HEADER_BYTES + _table_bytes(flags), first=True)


def shown_image(window: Window, at: int) -> Entry | None:
    """The image behind an extension that tells how it is shown."""
    if window.number_at(at + _CONTROL_BYTES - 1, 1):
        return None
    return _next_image(window, at, first=False)


def _table_bytes(flags: int) -> int:
    """Bytes of a table of colours."""
    return 3 << (flags & 7) + 1 if flags & _TABLE else 0


def _next_image(window: Window, at: int, *, first: bool) -> Entry | None:
    """The image at a place, or behind the extensions that begin there."""
    place = at
    for _ in range(_MOST_EXTENSIONS):
        sign = window.number_at(place, 1)
        if sign == _IMAGE:
            return _image(window, place, first=first)
        if sign != _EXTENSION or window.is_worn:
            return None
        place = _end_of_blocks(window, place + 2)
        window.tried(place - at)
    return None


def _end_of_blocks(window: Window, at: int) -> int:
    """Where blocks end: each begins with its length, and the last one has none."""
    place = at
    while size := window.number_at(place, 1):
        place += 1 + size
    return place + 1


def _image(window: Window, at: int, *, first: bool) -> Entry | None:
    """The image whose descriptor is at a place."""
    descriptor = window.bytes_at(at, _DESCRIPTOR_BYTES)
    width, height = (int.from_bytes(descriptor[k : k + 2], "little") for k in (5, 7))
    start = at + _DESCRIPTOR_BYTES + _table_bytes(descriptor[9])
    bits = window.number_at(start, 1)
    if bits not in BYTE_BITS or window.is_worn:
        return None
    end = _end_of_blocks(window, start + 1)
    window.tried(end - start)
    packed, sizes = out_of_blocks(window.bytes_at(start + 1, end - start - 1))
    found = describe(packed, bits, MOST_BYTES) if len(packed) >= _LEAST else None
    if found is None:
        return None
    pixels, recipe = found
    rows = 0 < width * height == len(pixels)
    passes = rows and descriptor[9] & _INTERLACED > 0
    if passes:
        pixels = out_of_passes(pixels, width)
    written = write_recipe(recipe)
    numbers = write_numbers([len(pixels), width if passes else 0, len(written)]) + written
    numbers += write_sizes(told(sizes, alone=MOST_IN_BLOCK))
    if not is_cheap(numbers, len(packed)):
        return None
    block_type = pixels_seen_as(width, 8, 1) if rows else None
    piece = Piece(len(pixels), first=first, block_type=block_type)
    return Entry(start, end, GIF_IMAGE, numbers, pixels, [piece])
