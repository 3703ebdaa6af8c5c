"""Streams of bzip2: as a whole, or some blocks at a time.

Each block of a stream stands for itself, so that a long one is taken in portions without more ado.
They are larger than those of deflate: what lies across their borders is not seen through.
"""

from __future__ import annotations

from typing import NamedTuple

from glnzip.format.numbers import write_number, write_numbers
from glnzip.transforms.bzip2.recipe import Described, OpenBlocks, describe, write_recipe
from glnzip.transforms.unpacking.parts import BLOCKS, MOST_BYTES, is_cheap
from glnzip.transforms.unpacking.portions import CONTINUES, GOES_ON
from glnzip.transforms.unpacking.window import Entry, Piece, Window

_HEADER = b"BZh"  # and a digit, the level
_PORTIONS = 4  # those of deflate that are taken at once


class BegunBlocks(NamedTuple):
    """A stream of which blocks were found, and others follow."""

    stream: OpenBlocks
    size: int
    """Bytes of the blocks so far ..."""
    content: int
    """... and what they have become."""


def whole_stream(window: Window, at: int) -> Entry | None:
    """The stream at a place, up to its end."""
    found = _first(window, at, None)
    return None if found is None else found[0]


def first_blocks(window: Window, at: int, most: int) -> tuple[Entry, BegunBlocks | None] | None:
    """The first blocks of the stream at a place, of some times so many bytes of data."""
    return _first(window, at, _PORTIONS * most)


def next_blocks(
    window: Window, begun: BegunBlocks, most: int
) -> tuple[Entry, BegunBlocks | None] | None:
    """What goes on with the first byte of a window, as `first_blocks`."""
    return None if window.is_worn else _blocks(window, 0, begun, _PORTIONS * most)


def _first(window: Window, at: int, wanted: int | None) -> tuple[Entry, BegunBlocks | None] | None:
    """Blocks from the header at a place on."""
    if window.is_worn:
        return None
    start = at + len(_HEADER) + 1
    header = window.bytes_at(at, start - at)
    if header[:-1] != _HEADER:
        return None
    return _blocks(window, start, BegunBlocks(OpenBlocks(header[-1] - 0x30), 0, 0), wanted)


def _blocks(
    window: Window, start: int, begun: BegunBlocks, wanted: int | None
) -> tuple[Entry, BegunBlocks | None] | None:
    """Blocks from a place on, all of them or some more than the data that are wanted."""
    found = describe(window.buffer[start : window.end], begun.stream, MOST_BYTES, wanted)
    if found is None:
        window.tried(window.end - start)
        return None
    flags = CONTINUES * (begun.size > 0) | GOES_ON * (found.open is not None)
    entry = _entry(found, start, flags, begun.stream)
    if entry is None:
        return None
    if found.open is None:
        return entry, None
    size, content = begun.size + found.size, begun.content + len(found.data)
    return entry, BegunBlocks(found.open, size, content)


def _entry(found: Described, start: int, flags: int, begun: OpenBlocks) -> Entry | None:
    recipe = write_recipe(found.recipe)
    if not is_cheap(recipe, found.size):
        return None
    numbers = write_numbers([flags] if flags & CONTINUES else [flags, begun.level])
    numbers += write_number(len(found.data)) + recipe
    pieces = [Piece(len(found.data), True)]
    end = start + found.size
    return Entry(start, end, BLOCKS, numbers, found.data, pieces, cut=found.open is not None)
