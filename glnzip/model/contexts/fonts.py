"""Features of fonts: which table a byte is of, and what is known of its place in it.

A font begins with a directory of its tables (OpenType 1.9, "The OpenType font file"), so that of
each byte behind it the table is known. Outlines (`glnzip.model.contexts.outlines`) and programs
(`glnzip.model.contexts.hints`) are read; of the places of outlines (loca) and their widths (hmtx)
much is known from outlines; what other tables have is seen by words and records. The outlines of
other fonts are programs (`glnzip.model.contexts.charstrings`): in a table that is a compact font
(`glnzip.model.contexts.cff`), in one without tables, or among the text of a Type 1 font
(`glnzip.model.contexts.type1`). All is shown as the features of x86 code are
(`glnzip.model.contexts.code`), to the same contexts.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, outlined
from glnzip.model.contexts.cff import CFF, NOWHERE, begin_cff, see_cff
from glnzip.model.contexts.charstring_features import show_cff, show_private
from glnzip.model.contexts.hints import HINTS, begin_program, see_instruction, show_program
from glnzip.model.contexts.outline_features import first_half, show_number, show_outline
from glnzip.model.contexts.outlines import (
    MOST_OUTLINES,
    OUTLINE,
    add_left,
    begin_outlines,
    has_left,
    see_outline,
    signed_word,
)
from glnzip.model.contexts.type1 import TYPE1, begin_private, see_private
from glnzip.model.contexts.unread import show_unread
from glnzip.model.hashing import U32

_DIRECTORY, _OTHER, _OUTLINES, _PROGRAM, _PLACES, _WIDTHS, _COMPACT, _PRIVATE = range(8)
"""What the next byte is of."""
_GLYF, _CFF, _LOCA, _HMTX = 0x676C7966, 0x43464620, 0x6C6F6361, 0x686D7478  # tags of tables
_FPGM, _PREP, _HEAD, _HHEA = 0x6670676D, 0x70726570, 0x68656164, 0x68686561
_MOST_TABLES = 48
_SIGN_BYTES = 4
_TRUETYPE, _OF_APPLE, _OPENTYPE = 0x00010000, 0x74727565, 0x4F54544F  # signs of directories
_COMPACT_SIGN = 0x010004  # a compact font of version 1.0; the fourth byte is a size
_LAST_WORD = 0x66696C65  # "file", of "closefile"
_COUNT_ENDS, _HEADER_BYTES, _ENTRY_BYTES = 6, 12, 16  # of the directory
_TAG_ENDS, _START_ENDS = 4, 12  # in an entry of it
_FORM_ENDS, _WIDTHS_END = 52, 36  # in head, of loca; in hhea, how many entries of hmtx are whole
_PLACE_OF_PLACES, _PLACE_OF_WIDTHS, _PLACE_OF_HINTS = 3, 4, 5  # what gates see of these tables

FONT = np.dtype(
    [
        ("position", np.int64),  # behind its last byte
        ("place", np.int64),  # bytes since it began
        ("end", np.int64),  # of its last table
        ("count", np.int64),  # of tables, and what the directory tells of them
        ("tags", np.int64, _MOST_TABLES),
        ("starts", np.int64, _MOST_TABLES),
        ("stops", np.int64, _MOST_TABLES),
        ("what", np.int64),  # the next byte is of
        ("tag", np.int64),
        ("start", np.int64),  # where that began ...
        ("next", np.int64),  # ... and where something else does
        ("outline", OUTLINE),
        ("hints", HINTS),
        ("cff", CFF),
        ("type1", TYPE1),
        ("has_long_places", np.int64),  # entries of loca have four bytes, not two
        ("bytes_so_far", np.int64),  # of the present one ...
        ("place_before", np.int64),  # ... and the one before it
        ("used_starts", np.int64),  # outlines that begin where it says, or before
        ("widths", np.int64),  # entries of hmtx that are whole
    ]
)


@inline
def begin_font(recent):
    """A block begins: of a font, or of what comes next in one."""
    font = recent.font[0]
    position = recent.now[0].position
    font.place += position - font.position  # what lies between is seen otherwise
    if font.place >= font.end:
        font.place = 0
        font.end = NOWHERE
        font.count = 0
        font.what = _DIRECTORY
        font.tag = 0
        font.start = 0
        font.next = _HEADER_BYTES
        font.outline.count = 0
        font.outline.known_lefts = 0
        font.outline.told_before = 0
        font.has_long_places = 0
        font.widths = MOST_OUTLINES
    elif position > font.position:
        _enter_table(font)
    font.position = position
    _show(font, recent.features, np.int64(recent.now[0].last4))


@outlined
def see_font(recent, byte):
    """Bring the features of code up to date after `byte`."""
    font = recent.font[0]
    last4 = np.int64(recent.now[0].last4)
    font.place += 1
    font.position = recent.now[0].position
    inside = font.place - font.start
    if font.what == _DIRECTORY:
        _see_directory(font, last4)
    elif font.what == _COMPACT:
        see_cff(font.cff, byte)
        if font.count == 0:
            font.end = font.cff.end
    elif font.what == _PRIVATE:
        see_private(font.type1, byte, last4)
        if last4 == _LAST_WORD:
            font.end = font.place
    elif font.what == _OUTLINES:
        see_outline(font.outline, byte, last4)
    elif font.what == _PROGRAM:
        see_instruction(font.hints, byte)
    elif font.what == _PLACES:
        _see_place(font, inside, byte)
    elif font.what == _WIDTHS:
        _see_width(font.outline, inside, font.widths, last4)
    elif font.tag == _HEAD and inside == _FORM_ENDS:
        font.has_long_places = np.int64(byte != 0)
    elif font.tag == _HHEA and inside == _WIDTHS_END:
        font.widths = last4 & 0xFFFF
    if font.place == font.next:
        _enter_table(font)
    _show(font, recent.features, last4)


@inline
def _see_directory(font, last4):
    place = font.place - _HEADER_BYTES
    if font.place == _SIGN_BYTES:
        _see_sign(font, last4)
    elif font.place == _COUNT_ENDS:
        font.count = min(last4 & 0xFFFF, _MOST_TABLES)
        font.next = _HEADER_BYTES + _ENTRY_BYTES * font.count
        font.end = font.next
    elif place > 0:
        table = (place - 1) // _ENTRY_BYTES
        inside = place % _ENTRY_BYTES
        if inside == _TAG_ENDS:
            font.tags[table] = last4
        elif inside == _START_ENDS:
            font.starts[table] = last4
        elif inside == 0:
            font.stops[table] = font.starts[table] + last4
            font.end = max(font.end, font.stops[table])


@inline
def _see_sign(font, sign):
    """What begins so: tables, or a compact font without them, or the private part of Type 1."""
    if sign in (_TRUETYPE, _OF_APPLE, _OPENTYPE):
        return
    font.next = np.int64(NOWHERE)
    if sign >> 8 == _COMPACT_SIGN:
        font.what = _COMPACT
        begin_cff(font.cff)
        for k in range(_SIGN_BYTES):
            see_cff(font.cff, sign >> 24 - 8 * k & 255)
    else:
        font.what = _PRIVATE
        begin_private(font.type1)


@inline
def _enter_table(font):
    """What begins here, and where something else does."""
    place = font.place
    font.tag = 0
    font.start = place
    font.next = font.end if font.end > place else np.int64(NOWHERE)
    for k in range(font.count):
        if font.starts[k] == place and font.stops[k] > place:
            font.tag = font.tags[k]
            font.next = min(font.next, font.stops[k])
        elif font.starts[k] > place:
            font.next = min(font.next, font.starts[k])
    font.what = _OTHER
    if font.tag == _GLYF:
        font.what = _OUTLINES
        begin_outlines(font.outline)
    elif font.tag == _CFF:
        font.what = _COMPACT
        begin_cff(font.cff)
    elif font.tag == _FPGM or font.tag == _PREP:
        font.what = _PROGRAM
        begin_program(font.hints)
    elif font.tag == _LOCA:
        font.what = _PLACES
        font.bytes_so_far = 0
        font.place_before = 0
        font.used_starts = 0
    elif font.tag == _HMTX:
        font.what = _WIDTHS
        font.outline.used_lefts = 0
        font.outline.told_before = np.int64(font.outline.count == 0)


@inline
def _see_place(font, inside, byte):
    """A byte of loca: an outline begins where the one before ends; empty ones have no bytes."""
    font.bytes_so_far = font.bytes_so_far << 8 | byte
    if inside % (4 if font.has_long_places else 2) != 0:
        return
    entry = font.bytes_so_far if font.has_long_places else 2 * font.bytes_so_far
    font.place_before = entry
    font.bytes_so_far = 0
    known = min(font.outline.count, MOST_OUTLINES)
    while font.used_starts < known and font.outline.starts[font.used_starts] <= entry:
        font.used_starts += 1


@inline
def _see_width(outline, inside, widths, last4):
    """A byte of hmtx: a left side is that of the next outline, or of an empty one, and then 0."""
    if inside & 1 != 0 or (inside & 2 != 0 and inside <= 4 * widths):
        return
    left = signed_word(last4)
    if outline.told_before:
        add_left(outline, left)
        return
    used = outline.used_lefts
    if left == 0 and (used >= outline.known_lefts or outline.lefts[used] != 0):
        return
    outline.used_lefts = used + 1
    if used + 1 < outline.known_lefts and outline.lefts[used] != left:
        outline.used_lefts += np.int64(outline.lefts[used + 1] == left)


@outlined
def _show(font, features, last4):
    inside = font.place - font.start
    if font.what == _OUTLINES:
        show_outline(font.outline, features, last4)
    elif font.what == _PROGRAM:
        left = font.next - font.place & U32
        show_program(font.hints, features, last4, left, np.int64(0), _PLACE_OF_HINTS)
    elif font.what == _PLACES:
        _show_place(font, inside, features, last4)
    elif font.what == _WIDTHS:
        _show_width(font.outline, inside, font.widths, features, last4)
    elif font.what == _COMPACT:
        show_cff(font.cff, features, last4)
    elif font.what == _PRIVATE:
        show_private(font.type1, features, last4)
    else:
        is_table = np.int64(font.tag != 0)
        show_unread(features, last4, is_table, font.tag, inside & 1)


@inline
def _show_place(font, inside, features, last4):
    size = 4 if font.has_long_places else 2
    column = inside % size
    shift = 8 * (size - 1 - column)
    same = _byte_if_begun_so(font, font.place_before, shift)
    k = font.used_starts
    following = np.int64(0)
    if k < min(font.outline.count, MOST_OUTLINES):
        following = _byte_if_begun_so(font, font.outline.starts[k], shift)
    expected = same << 9 | following
    show_number(features, last4, _PLACE_OF_PLACES, inside, column, expected, same, following)


@inline
def _byte_if_begun_so(font, place, shift):
    """The next byte of an entry that tells this place, plus 1; 0 if its first bytes are others."""
    entry = place if font.has_long_places else place >> 1
    return 1 + (entry >> shift & 255) if entry >> shift + 8 == font.bytes_so_far else np.int64(0)


@inline
def _show_width(outline, inside, widths, features, last4):
    column = inside & 3 if inside < 4 * widths else 2 + (inside & 1)
    left = np.int64(0)
    if has_left(outline) and outline.told_before == 0:
        left = outline.lefts[outline.used_lefts] + 0x10000
    high = first_half(inside & 1, last4)
    show_number(features, last4, _PLACE_OF_WIDTHS, inside, column, high, left, last4 >> 16)
