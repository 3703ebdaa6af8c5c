"""Relocations of a program for Windows: where they are is what its code and data have said before.

The table of base relocations (PE format, section ".reloc") lists the places of all addresses that
change when the program is loaded elsewhere: page by page, each with its address, the length of its
list, and 16 bits for each place. The bytes at these places were seen long before, and they look
like addresses of the program: they lie between its base and its end. So nearly all of the table can
be told, and the model does as if a long match expected it.

What is read of a program's header may be anything, and is only ever used to look at bytes of the
history; a wrong guess costs some bits.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.memory.match_model import LONGEST

_MOST_SECTIONS = 24
_SURROUNDINGS = 1 << 12

RELOCATIONS = np.dtype(
    [
        ("header", np.int64),  # position behind the last signature of PE; 0 for none
        ("header_end", np.int64),  # behind its table of sections; 0 for none
        ("wanted", np.int64),  # the address at which the program wants to be
        ("room", np.int64),  # bytes of it in memory
        ("address_bytes", np.int64),  # 4 or 8
        ("sections", np.int64),
        ("addresses", np.int64, _MOST_SECTIONS),  # of each section in memory, from the base on
        ("sizes", np.int64, _MOST_SECTIONS),  # its bytes in the file
        ("places", np.int64, _MOST_SECTIONS),  # their position
        ("begins", np.int64),  # position of the table; 0 for none
        ("ends", np.int64),
        ("page", np.int64),  # the page that is listed
        ("at", np.int64),  # from here on, counted from the base, addresses are looked for
        ("left", np.int64),  # bytes of the page's list that are still to come
        ("field", np.int64),  # which number comes: one of those below
        ("known", np.int64),  # bytes of it that were seen ...
        ("seen", np.int64),  # ... and what they add up to
        ("number", np.int64),  # what is expected of it
        ("guess", np.int64),  # where an address is expected
        ("expected", np.int64),  # the next byte
        ("length", np.int64),  # bytes that came as expected, and the last that did not, ...
        ("misses", np.int64),  # ... as of a match
        ("trust", np.int64, _SURROUNDINGS),  # in what looks like an address, by what is around it
    ]
)
_PAGE, _BYTES, _ENTRY = range(3)

_SIGNATURE = 0x50450000  # "PE" and two zeros, as `last4` has them
_FILE_HEADER = 20  # bytes behind the signature
_SECTION_BYTES = 40  # of the table of sections
_WIDE = 0x20B  # how the header of a program of 64 bits begins
_STUB_PLACE = 60  # where a program tells how far from its beginning the signature is
_LONGEST_STUB = 1024
_PAGE_BYTES = 4096
_FAR = 1 << 14  # bytes in which the next page is looked for
_NARROW_KIND, _WIDE_KIND = 3, 10  # of addresses, in a list
_MOST_TRUST = 4


@inline
def see_relocation(recent, byte):
    """See the last byte of the history; if it is in a table, the last match expects the next."""
    now, relocations = recent.now[0], recent.relocations[0]
    position = now.position
    if now.last4 == _SIGNATURE:
        relocations.header = position
        relocations.header_end = 0
    elif relocations.header > 0 and position == relocations.header + _FILE_HEADER:
        _expect_sections(relocations, recent.buffer)
    elif relocations.header_end > 0 and position == relocations.header_end:
        _read_header(relocations, recent.buffer)
    if relocations.begins > 0 and relocations.begins <= position:
        if position >= relocations.ends:
            relocations.begins = 0
        else:
            _follow(relocations, recent.buffer, position, byte)
            match = recent.matches[recent.matches.size - 1]
            match.pointer = 0
            match.length = relocations.length
            match.misses = relocations.misses
            match.expected = relocations.expected | 256


@inline
def _number(buffer, place, size):
    """The number of so many bytes in the history, lowest first."""
    value = np.int64(0)
    for k in range(size):
        value |= np.int64(buffer[(place + k) & (buffer.size - 1)]) << 8 * k
    return value


@inline
def _expect_sections(relocations, buffer):
    """The header's first part says where it ends."""
    header = relocations.header
    sections = _number(buffer, header + 2, 2)
    optional = _number(buffer, header + 16, 2)
    if 0 < sections and sections <= _MOST_SECTIONS:
        relocations.sections = sections
        relocations.header_end = header + _FILE_HEADER + optional + _SECTION_BYTES * sections


@inline
def _read_header(relocations, buffer):
    """Take from a header where in memory and in the file all is, and where the table will be."""
    optional = relocations.header + _FILE_HEADER
    if _number(buffer, optional, 2) == _WIDE:
        relocations.address_bytes = 8
        relocations.wanted = _number(buffer, optional + 24, 7)
        directory = optional + 152
    else:
        relocations.address_bytes = 4
        relocations.wanted = _number(buffer, optional + 28, 4)
        directory = optional + 136
    relocations.room = _number(buffer, optional + 56, 4)
    table, table_bytes = _number(buffer, directory, 4), _number(buffer, directory + 4, 4)
    start = _start_of_file(relocations.header - 4, buffer)
    row = relocations.header_end - _SECTION_BYTES * relocations.sections
    relocations.begins = 0
    for k in range(relocations.sections):
        relocations.addresses[k] = _number(buffer, row + 12, 4)
        relocations.sizes[k] = _number(buffer, row + 16, 4)
        relocations.places[k] = start + _number(buffer, row + 20, 4)
        into = table - relocations.addresses[k]
        if start >= 0 and 0 <= into and into < relocations.sizes[k]:
            relocations.begins = relocations.places[k] + into
            relocations.ends = relocations.begins + table_bytes
        row += _SECTION_BYTES
    relocations.page = 0
    relocations.at = 0
    relocations.left = 0
    relocations.length = 0
    relocations.misses = 0
    for k in range(_SURROUNDINGS):
        relocations.trust[k] = 0


@inline
def _start_of_file(signature, buffer):
    """Where a program begins whose signature is here; -1 if that cannot be found."""
    for distance in range(_STUB_PLACE + 4, _LONGEST_STUB + 1, 4):
        start = signature - distance
        if start >= 0 and _number(buffer, start + _STUB_PLACE, 4) == distance:
            return start
    return -1


@inline
def _follow(relocations, buffer, position, byte):
    """See a byte of the table, or the one before it, and expect the next."""
    if position == relocations.begins:
        _expect(relocations, buffer, position, _PAGE)
        return
    if byte == relocations.expected:
        relocations.length = min(relocations.length + 1, LONGEST)
        relocations.misses = (relocations.misses << 1) & 255
    else:
        relocations.length = 0
        relocations.misses = (relocations.misses << 1 | 1) & 255
    relocations.seen |= byte << 8 * relocations.known
    relocations.known += 1
    if relocations.known < (2 if relocations.field == _ENTRY else 4):
        relocations.expected = relocations.number >> 8 * relocations.known & 255
    elif relocations.field == _PAGE:
        relocations.page = relocations.seen
        relocations.at = relocations.seen
        _expect(relocations, buffer, position, _BYTES)
    else:
        if relocations.field == _BYTES:
            relocations.left = relocations.seen - 8
        else:
            relocations.left -= 2
            _learn_entry(relocations, buffer)
        _expect(relocations, buffer, position, _ENTRY if relocations.left > 0 else _PAGE)


@inline
def _learn_entry(relocations, buffer):
    """An entry of a list is known: go behind its address. A list may end with an entry of 0."""
    if relocations.seen >= _PAGE_BYTES:
        place = relocations.page + (relocations.seen & (_PAGE_BYTES - 1))
        if place != relocations.guess:
            _change_trust(relocations, buffer, relocations.guess, -1)
        _change_trust(relocations, buffer, place, 1)
        relocations.at = place + relocations.address_bytes


@inline
def _expect(relocations, buffer, position, field):
    """The number to come, and its first byte."""
    relocations.field = field
    relocations.known = 0
    relocations.seen = 0
    end = relocations.page + _PAGE_BYTES
    if field == _PAGE:
        place = _next_address(relocations, buffer, position, relocations.at + _FAR)
        relocations.number = place & ~(_PAGE_BYTES - 1)
    elif field == _BYTES:
        count = 0
        place = _next_address(relocations, buffer, position, end)
        while place < end:
            count += 1
            relocations.at = place + relocations.address_bytes
            place = _next_address(relocations, buffer, position, end)
        relocations.at = relocations.page
        relocations.number = 8 + 2 * (count + (count & 1))
    else:
        place = _next_address(relocations, buffer, position, end)
        kind = _WIDE_KIND if relocations.address_bytes == 8 else _NARROW_KIND
        relocations.guess = place
        relocations.number = kind << 12 | (place - relocations.page) if place < end else 0
    relocations.expected = relocations.number & 255


@inline
def _next_address(relocations, buffer, position, end):
    """The next place from ``at`` on, before `end`, whose bytes look like an address; or `end`."""
    at = relocations.at
    while at < end:
        section = _section_of(relocations, at)
        if section < 0:
            at = min(_next_section(relocations, at), end)
            continue
        behind = min(end, relocations.addresses[section] + relocations.sizes[section])
        place = relocations.places[section] + at - relocations.addresses[section]
        while at < behind:
            if _is_address(relocations, buffer, position, place):
                return at
            at += 1
            place += 1
    return end


@inline
def _section_of(relocations, at):
    """Which section is in memory there; -1 for none."""
    for k in range(relocations.sections):
        into = at - relocations.addresses[k]
        if 0 <= into and into < relocations.sizes[k]:
            return k
    return -1


@inline
def _next_section(relocations, at):
    """Where, behind `at`, the next section begins."""
    nearest = np.int64(1) << 33
    for k in range(relocations.sections):
        if at < relocations.addresses[k]:
            nearest = min(nearest, relocations.addresses[k])
    return nearest


@inline
def _is_address(relocations, buffer, position, place):
    """Whether the bytes at a place of the history look like an address of the program."""
    size = relocations.address_bytes
    if position - place >= buffer.size or place + size > position:
        return False
    value = _number(buffer, place, size) - relocations.wanted
    inside = 0 <= value and value < relocations.room
    return inside and relocations.trust[_surroundings(buffer, place)] >= 0


@inline
def _surroundings(buffer, place):
    """The byte before an address, and its third: of code that looks like one they are others."""
    before, third = _number(buffer, place - 1, 1), _number(buffer, place + 2, 1)
    return (before << 4 ^ third) & (_SURROUNDINGS - 1)


@inline
def _change_trust(relocations, buffer, at, change):
    section = _section_of(relocations, at)
    if section >= 0:
        place = relocations.places[section] + at - relocations.addresses[section]
        around = _surroundings(buffer, place)
        trust = relocations.trust[around] + change
        relocations.trust[around] = min(max(trust, -_MOST_TRUST), _MOST_TRUST)
