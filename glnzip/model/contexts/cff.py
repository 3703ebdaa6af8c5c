"""Compact fonts (CFF), in OpenType fonts and in PDF: which part of which structure comes next.

A font begins with a header and four indexes, of names, top dictionaries, strings and subroutines;
the dictionaries tell where all else is (Adobe Technical Note 5176, "The Compact Font Format
Specification"). An index has a count, the size of its offsets, one more of them than it has items,
and the items. Those that are programs are read (`glnzip.model.contexts.charstrings`).
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts.cff_dictionaries import (
    DICTIONARY,
    NONE,
    begin_dictionary,
    see_dictionary,
)
from glnzip.model.contexts.charstrings import (
    PROGRAM,
    SECOND_BYTE,
    begin_charstring,
    see_token,
)

NAMES, TOPS, STRINGS, GLOBALS, GLYPHS, FONTS, LOCALS, PRIVATE, UNREAD = range(9)
"""What is read: indexes, a dictionary that is in none, and other data."""
HEADER, COUNT, SIZE, OFFSETS, TEXT, ENTRIES, PROGRAMS, OTHER = range(8)
"""Parts of these; `ENTRIES` are those of dictionaries."""
_HEADER_BYTES, _COUNT_BYTES, _MOST_SIZE = 4, 2, 4
_HEADER_SIZE_ENDS = 3
_MOST_ITEMS, _MOST_PLACES = 1 << 14, 64
NOWHERE = 1 << 40
_CHARSET, _ENCODING, _CHARSTRINGS, _PRIVATE, _SUBRS = 15, 16, 17, 18, 19  # operators
_FD_ARRAY, _FD_SELECT = SECOND_BYTE | 36, SECOND_BYTE | 37

CFF = np.dtype(
    [
        ("place", np.int64),  # bytes since it began
        ("end", np.int64),  # as far as it is known
        ("what", np.int64),
        ("part", np.int64),
        ("start", np.int64),  # where the items of the index began, or the dictionary ...
        ("next", np.int64),  # ... and where the part ends, or the item
        ("bytes_so_far", np.int64),  # of a count or an offset ...
        ("column", np.int64),  # ... and how many they are
        ("count", np.int64),
        ("offset_bytes", np.int64),
        ("member", np.int64),  # items before this one
        ("offset", np.int64),  # the last one
        ("ends", np.int64, _MOST_ITEMS),  # of items, from the first on
        ("known", np.int64),  # places where something begins
        ("places", np.int64, _MOST_PLACES),
        ("kinds", np.int64, _MOST_PLACES),
        ("sizes", np.int64, _MOST_PLACES),  # of dictionaries
        ("dictionary", DICTIONARY),
        ("program", PROGRAM),
    ]
)


@inline
def begin_cff(cff):
    """A font begins."""
    cff.place = 0
    cff.end = NOWHERE
    cff.what = UNREAD
    cff.part = HEADER
    cff.next = _HEADER_BYTES
    cff.column = 0
    cff.offset_bytes = 1
    cff.offset = 0
    cff.known = 0


@inline
def see_cff(cff, byte):
    """A byte of a font."""
    cff.place += 1
    part = cff.part
    if part == PROGRAMS:
        see_token(cff.program, byte)
    elif part == ENTRIES:
        operator = see_dictionary(cff.dictionary, byte)
        if operator != NONE:
            _see_entry(cff, operator, cff.dictionary.numbers)
    elif part in (COUNT, OFFSETS):
        cff.bytes_so_far = cff.bytes_so_far << 8 | byte
        cff.column += 1
        if part == OFFSETS and cff.column == cff.offset_bytes:
            _see_offset(cff)
    elif part == SIZE:
        cff.offset_bytes = min(max(byte, 1), _MOST_SIZE)
    elif part == HEADER and cff.place == _HEADER_SIZE_ENDS:
        cff.next = max(byte, _HEADER_BYTES)
    if cff.place == cff.next:
        _end_part(cff)


@inline
def _end_part(cff):
    part = cff.part
    if part == HEADER:
        _begin_index(cff, np.int64(NAMES))
    elif part == COUNT:
        cff.count = cff.bytes_so_far
        cff.part = SIZE
        cff.next = cff.place + 1
        if cff.count == 0:
            _end_structure(cff)
    elif part == SIZE:
        cff.part = OFFSETS
        cff.member = 0
        cff.offset = 1
        _begin_number(cff)
        cff.next = cff.place + cff.offset_bytes * (cff.count + 1)
    elif part == OFFSETS:
        _begin_items(cff)
    elif cff.what < PRIVATE:
        cff.member += 1
        _begin_item(cff)
    else:
        _end_structure(cff)


@inline
def _begin_index(cff, what):
    cff.what = what
    cff.part = COUNT
    cff.next = cff.place + _COUNT_BYTES
    _begin_number(cff)


@inline
def _begin_number(cff):
    cff.bytes_so_far = 0
    cff.column = 0


@inline
def _see_offset(cff):
    """An offset is complete: an item ends before it, or the first one begins."""
    if 0 < cff.member and cff.member <= _MOST_ITEMS:
        cff.ends[cff.member - 1] = cff.bytes_so_far - 1
    cff.member += 1
    cff.offset = cff.bytes_so_far
    _begin_number(cff)


@inline
def _begin_items(cff):
    end = cff.place + cff.offset - 1
    cff.end = end if cff.end == NOWHERE else max(cff.end, end)
    cff.part = PROGRAMS
    if cff.what == NAMES or cff.what == STRINGS:
        cff.part = TEXT
    elif cff.what == TOPS or cff.what == FONTS:
        cff.part = ENTRIES
    cff.start = cff.place
    cff.member = 0
    _begin_item(cff)


@inline
def _begin_item(cff):
    """Another item begins, of those that are not empty; or what follows the last."""
    known = min(cff.count, _MOST_ITEMS)
    while cff.member < known and cff.start + cff.ends[cff.member] <= cff.place:
        cff.member += 1
    if cff.member < known:
        cff.next = cff.start + cff.ends[cff.member]
    elif cff.start + cff.offset - 1 > cff.place:  # all others are taken for one
        cff.next = cff.start + cff.offset - 1
    else:
        _end_structure(cff)
        return
    if cff.part == PROGRAMS:
        begin_charstring(cff.program)
    elif cff.part == ENTRIES:
        begin_dictionary(cff.dictionary)


@inline
def _end_structure(cff):
    """The first four indexes follow each other; then comes what was told to begin here."""
    if cff.what < GLOBALS:
        _begin_index(cff, cff.what + 1)
        return
    cff.what = UNREAD
    cff.part = OTHER
    cff.next = NOWHERE
    for k in range(cff.known):
        place, kind = cff.places[k], cff.kinds[k]
        if place > cff.place:
            cff.next = min(cff.next, place)
        elif place == cff.place and kind != UNREAD:
            if kind == PRIVATE:
                _begin_private(cff, cff.sizes[k])
            else:
                _begin_index(cff, kind)
            return


@inline
def _begin_private(cff, size):
    cff.what = PRIVATE
    cff.part = ENTRIES
    cff.start = cff.place
    cff.next = cff.place + size
    begin_dictionary(cff.dictionary)


@inline
def _see_entry(cff, operator, numbers):
    """An entry of a dictionary: some tell where something begins."""
    if operator in (_CHARSET, _ENCODING, _FD_SELECT):
        _add_place(cff, numbers[0], np.int64(UNREAD), np.int64(1))
    elif operator == _CHARSTRINGS:
        _add_place(cff, numbers[0], np.int64(GLYPHS), np.int64(1))
    elif operator == _FD_ARRAY:
        _add_place(cff, numbers[0], np.int64(FONTS), np.int64(1))
    elif operator == _PRIVATE:
        _add_place(cff, numbers[0], np.int64(PRIVATE), numbers[1])
    elif operator == _SUBRS:
        _add_place(cff, cff.start + numbers[0], np.int64(LOCALS), np.int64(1))


@inline
def _add_place(cff, place, kind, size):
    if cff.known < _MOST_PLACES and place >= cff.place and size > 0:
        cff.places[cff.known] = place
        cff.kinds[cff.known] = kind
        cff.sizes[cff.known] = size
        cff.known += 1
        cff.end = max(cff.end, place + size)
