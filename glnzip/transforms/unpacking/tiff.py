"""Pictures of TIFF (TIFF 6.0, Aldus, 1992): strips of rows, as they are or packed by LZW or zlib.

Strips that touch, or nearly so, are one picture; tiles are strips that are less wide. Those that
are packed may be too long for a stretch, or be those of several pages: then they are taken one part
after the other, since the directories that tell of them mostly stand behind them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from glnzip.format.block_type import BlockType
from glnzip.format.numbers import write_number, write_numbers
from glnzip.transforms.deflate.bits import padded
from glnzip.transforms.deflate.stream import TooLongError, UnfinishedError
from glnzip.transforms.differences import (
    OF_BYTES,
    OF_TWO_HIGHEST_FIRST,
    OF_TWO_LOWEST_FIRST,
    are_whole,
    sums,
)
from glnzip.transforms.exceptions import told, write_sizes
from glnzip.transforms.lzw.dictionary import OF_TIFF
from glnzip.transforms.lzw.recipe import describe, write_recipe
from glnzip.transforms.unpacking.parts import (
    MOST_BETWEEN,
    MOST_BYTES,
    STRIPS,
    WITH_ADLER,
    check_after,
    is_cheap,
)
from glnzip.transforms.unpacking.pictures import seen_as
from glnzip.transforms.unpacking.samples import Samples, samples_entry, with_rows
from glnzip.transforms.unpacking.undone import undone, window_bits_of
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_MOST_PAGES = 64
_MOST_FIELDS = 256
_MOST_STRIPS = 1 << 16
_NUMBER_BYTES = {3: 2, 4: 4}  # by the type of a field
_FIELDS = 256, 258, 259, 266, 273, 277, 279, 284, 317, 322, 324, 325, 339
_WIDTH, _DEPTHS, _PACKED, _ORDER, _STRIPS, _CHANNELS, _SIZES, _PLANES, _PREDICTOR = _FIELDS[:9]
_TILE_WIDTH, _TILES, _TILE_SIZES, _NUMBERS = _FIELDS[9:]
_OF_TILES = {_TILE_WIDTH: _WIDTH, _TILES: _STRIPS, _TILE_SIZES: _SIZES}
_UNSIGNED, _SIGNED = 1, 2  # numbers
_PLAIN, _LZW = 1, 5  # packed ...
_ZLIB = (8, 32_946)  # ... also, since its Technical Note 2 of 2002
_DIFFERENCES = 2  # a predictor
_MOST_PARTS = 256  # of a file
_PART = 1 << 22  # bytes of pixels that are taken at once, and more
_LEAST_STRIP = 8  # bytes; fewer are no stream
_LEAST_TRIED = 1 << 12  # to see that a strip is none takes as long as so many bytes elsewhere


class Layout(NamedTuple):
    """How the pixels of a page lie in its strips."""

    packed: int
    """Nothing has packed them, LZW or zlib."""
    row: int
    """Bytes of a row."""
    block_type: BlockType
    """How a model should see them."""
    step: int = 0
    """Samples of a pixel, if they are differences; 0 if they are not."""
    samples: int = OF_BYTES
    """As in `glnzip.transforms.differences`."""


class Strip(NamedTuple):
    """Some rows."""

    start: int
    length: int
    layout: Layout


class BegunStrips(NamedTuple):
    """Strips that are packed, of which others before were found; places count from their end."""

    strips: list[Strip]
    parts: int
    """How many were taken."""


def tiff(window: Window, at: int) -> Entry | None:
    """The strips of the TIFF at a place; those that are not packed, up to the first gap.

    Raises
    ------
    UnfinishedError
        If they go on after what is known.
    TooLongError
        If they are packed, and it takes several parts.
    """
    plain, packed = ([], []) if window.is_worn else _all_strips(window, at)
    if packed and not plain:
        found = _part(window, BegunStrips(packed, 0), MOST_BYTES)
        if found is not None and found[1] is not None:
            raise TooLongError
        return None if found is None else found[0]
    joined: list[Samples] = []
    for strip in sorted(plain):
        last = joined[-1] if joined else None
        block_type = strip.layout.block_type
        if last and (last.start + last.length, last.block_type) == (strip.start, block_type):
            joined[-1] = last._replace(length=last.length + strip.length)
        else:
            joined.append(Samples(strip.start, strip.length, block_type))
    return samples_entry(window, at, joined)


def first_strips(window: Window, at: int) -> tuple[Entry, BegunStrips | None] | None:
    """The first packed strips of the TIFF at a place."""
    packed = [] if window.is_worn else _all_strips(window, at)[1]
    return _part(window, BegunStrips(packed, 0), _PART)


def next_strips(window: Window, begun: BegunStrips) -> tuple[Entry, BegunStrips | None] | None:
    """Those that are next."""
    return None if window.is_worn else _part(window, begun, _PART)


class _Rows(NamedTuple):
    """A strip that was taken apart."""

    pixels: bytes
    recipe: bytes


def _rows(window: Window, strip: Strip) -> _Rows | None:
    """The rows of a strip, if it is a stream that has whole ones."""
    packed = window.bytes_at(strip.start, strip.length)
    in_vain = window.in_vain
    unpacked = _by_lzw if strip.layout.packed == _LZW else _by_zlib
    rows = unpacked(window, packed) if len(packed) >= _LEAST_STRIP else None
    if rows is None or not rows.pixels or len(rows.pixels) % strip.layout.row:
        window.tried(max(len(packed), _LEAST_TRIED))
        return None
    window.in_vain = in_vain  # what was tried for it was not
    return rows


def _by_lzw(_: Window, packed: bytes) -> _Rows | None:
    found = describe(packed, 8, MOST_BYTES, OF_TIFF)
    if found is None:
        return None
    recipe = write_recipe(found[1])
    return _Rows(found[0], write_number(len(recipe)) + recipe)


def _by_zlib(window: Window, packed: bytes) -> _Rows | None:
    header = int.from_bytes(packed[:2], "big")
    buffer = padded(np.frombuffer(packed, np.uint8)[2:])
    try:
        stream = undone(window, buffer, window_bits_of(packed[0]), alone=False)
    except (UnfinishedError, TooLongError):
        return None
    if stream is None or packed[2 + stream.size :] != check_after(WITH_ADLER, stream.data):
        return None
    return _Rows(stream.data, write_number(header) + stream.recipe)


def _part(window: Window, begun: BegunStrips, room: int) -> tuple[Entry, BegunStrips | None] | None:
    """The first packed strips that nearly touch and are alike, and those that are left then."""
    found: list[_Rows] = []
    recipes = bytearray()
    first = last = None
    taken = size = end = 0
    for strip in begun.strips:
        gap = strip.start - end if last else 0
        if last and (strip.layout != last.layout or not 0 <= gap <= MOST_BETWEEN):
            break
        rows = None if window.is_worn else _rows(window, strip)
        if found and (rows is None or size + len(rows.pixels) > room):
            break
        taken += 1
        if rows is not None:
            found.append(rows)
            size += len(rows.pixels)
            recipes += write_number(gap) + window.bytes_at(strip.start - gap, gap) + rows.recipe
            first, last = first or strip, strip
            end = strip.start + strip.length
    if first is None or not is_cheap(recipes, end - first.start):
        return None
    packed, row, block_type, step, samples = first.layout
    numbers = write_numbers([packed == _LZW, size, row, step, samples])
    numbers += write_sizes(told([len(rows.pixels) for rows in found], alone=size)) + bytes(recipes)
    pixels = b"".join(rows.pixels for rows in found)
    content = sums(pixels, row, step, samples) if step else pixels
    rest = begun.strips[taken:] if begun.parts < _MOST_PARTS else []
    rest = [strip._replace(start=strip.start - end) for strip in rest if strip.start >= end]
    pieces = [Piece(size, first=first.start > 0, block_type=block_type)]  # or it goes on
    entry = Entry(first.start, end, STRIPS, numbers, content, pieces, cut=bool(rest))
    return entry, BegunStrips(rest, begun.parts + 1) if rest else None


def _all_strips(window: Window, at: int) -> tuple[list[Strip], list[Strip]]:
    """Those of all pages (TIFF 6.0, section 2), by whether they are packed."""
    order: Literal["little", "big"] = "little" if window.bytes_at(at, 1) == b"I" else "big"
    plain: list[Strip] = []
    packed: list[Strip] = []

    def number(place: int, count: int) -> int:
        return int.from_bytes(window.bytes_at(at + place, count), order)

    page = number(4, 4)
    for _ in range(_MOST_PAGES):
        fields = number(page, 2) if page else 0
        if not 0 < fields <= _MOST_FIELDS:
            break
        values: dict[int, list[int]] = {}
        for place in range(page + 2, page + 2 + 12 * fields, 12):
            field, size = number(place, 2), _NUMBER_BYTES.get(number(place + 2, 2), 0)
            count = number(place + 4, 4)
            if field in _FIELDS and size and count <= _MOST_STRIPS and not window.is_worn:
                first = place + 8 if size * count <= 4 else number(place + 8, 4)
                values[field] = [number(first + size * k, size) for k in range(count)]
                window.tried(16 * count)  # it takes as long as so many bytes elsewhere
        for of_tile, field in _OF_TILES.items():
            values[field] = values.get(of_tile) or values.get(field) or []
        (packed if _is_packed(values) else plain).extend(_strips(values, at, order))
        page = number(page + 2 + 12 * fields, 4)
    return plain, sorted(packed)


def _is_packed(values: dict[int, list[int]]) -> bool:
    return _first(values, _PACKED, _PLAIN) != _PLAIN


def _first(values: dict[int, list[int]], field: int, default: int) -> int:
    return (values.get(field) or [default])[0]


def _strips(
    values: dict[int, list[int]], at: int, order: Literal["little", "big"]
) -> Iterator[Strip]:
    """Those of a page, from its fields."""
    layout = _layout(values, order)
    if layout is not None:
        for start, length in zip(values.get(_STRIPS, []), values.get(_SIZES, []), strict=False):
            yield Strip(at + start, length, layout)


def _layout(values: dict[int, list[int]], order: Literal["little", "big"]) -> Layout | None:
    """How the pixels of a page lie; None if it is not known."""
    width, numbers = _first(values, _WIDTH, 0), _first(values, _NUMBERS, _UNSIGNED)
    depths = values.get(_DEPTHS) or [1]
    packed = _first(values, _PACKED, _PLAIN)
    if packed not in (_PLAIN, _LZW, *_ZLIB) or not width or len(set(depths)) > 1:
        return None
    channels = _first(values, _CHANNELS, 1) if _first(values, _PLANES, 1) == 1 else 1
    row = (width * channels * depths[0] + 7) // 8
    block_type = with_rows(row)
    if numbers in (_UNSIGNED, _SIGNED):
        little = order == "little"
        block_type = seen_as(row, depths[0], channels, signed=numbers == _SIGNED, little=little)
    if packed == _PLAIN:
        return Layout(packed, row, block_type)
    predictor = _first(values, _PREDICTOR, 1)
    if not row or predictor > _DIFFERENCES or _first(values, _ORDER, 1) != 1:
        return None
    if predictor < _DIFFERENCES:
        return Layout(packed, row, block_type)
    samples = {
        8: OF_BYTES,
        16: OF_TWO_LOWEST_FIRST if order == "little" else OF_TWO_HIGHEST_FIRST,
    }.get(depths[0])
    if samples is None or not are_whole(row, row, channels, samples):
        return None
    return Layout(packed, row, block_type, channels, samples)
