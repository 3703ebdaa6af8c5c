"""Where in its line each instruction of Python stands, as code tells it since 3.11.

An entry is for as many units of code as its first byte tells, in one of sixteen forms: most have
the columns where it begins and ends, in one byte or two (CPython, Objects/locations.md). Columns
are told as they differ from what is expected: an instruction begins or ends where others did, or as
far behind its start as the name that it is about is long. What is true of an opcode shows soon.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, outlined
from glnzip.transforms.python_reader import (
    COUNT,
    LOCATION,
    MOST_UNITS,
    READER,
    argument_at,
    begin_reader,
    length_of,
    opcode_at,
    see_marshal,
)

LAST_SHORT, SAME_LINE, LAST_LINE, _NO_COLUMNS, _NONE = 9, 10, 12, 13, 15
"""Forms: up to the first, both columns are in one byte; up to the third, in one each, in the same
line or one of the next two; others have numbers of several bytes, or none."""
STARTS, ENDS = range(2)
"""Sides of an entry."""
_IN_LINE, _IN_NEW_LINE, _OF_ENDS = range(3)
"""What guesses are good at; ends are the same in each line."""
_GUESSES = 10
_CERTAIN, _RATE, _IN_EIGHTHS = 1 << 16, 3, 13
_INDENTATION = 4
_MOST_OPEN = 16
_MOST_RUN = 8
_MOST_SHIFT = 30
_MOST_COLUMN = 0xFFFF

ENTRY = np.dtype(
    [
        ("unit", np.int64),  # that it begins with
        ("place", np.int64),  # bytes of it so far
        ("form", np.int64),
        ("covers", np.int64),  # units
        ("complete", np.int64),  # of its numbers of several bytes
        ("number", np.int64),  # the one that is not, so far ...
        ("shift", np.int64),  # ... with so many bits; or the start
        ("number_before", np.int64),
        ("begins_line", np.int64),
        ("end", np.int64),  # column of the entry before
        ("line_start", np.int64),  # the leftmost column of its line
        ("opened", np.int64, _MOST_OPEN),  # where those began that this one may enclose ...
        ("open_count", np.int64),  # ... so many
        ("form_before", np.int64),
        ("opcode_before", np.int64),
        ("hits", np.int64, (3, 256, _GUESSES)),  # how often a guess was right, by opcode
        ("guesses", np.int64, (2, _GUESSES)),  # of its start and its end, ...
        ("best", np.int64, 2),  # ... which are to be trusted most ...
        ("expected", np.int64, 2),  # ... and the columns that they are
    ]
)

MODULE_READER = np.dtype([("marshal", READER), ("entry", ENTRY)])


@inline
def begin_modules(module):
    """Nothing is known; a module may begin."""
    begin_reader(module.marshal)
    for what in range(3):
        for opcode in range(256):
            for k in range(_GUESSES):
                module.entry.hits[what, opcode, k] = 0


@inline
def see_module_byte(module, byte):
    """A byte, as it is meant; return whether a number, a text or a part of code ended with it."""
    reader, entry = module.marshal, module.entry
    part = reader.part
    if part == LOCATION:
        _see_location(entry, reader, byte)
    ended = see_marshal(reader, byte)
    if part == COUNT and reader.part == LOCATION:
        _begin_locations(entry, reader)
    return ended


@inline
def byte_told(module, byte):
    """How the next byte is told."""
    entry = module.entry
    if not _is_column(module):
        return byte
    if entry.form > LAST_SHORT:
        return byte - entry.expected[side_of(entry)] & 255
    high = byte >> 4
    start = 8 * entry.form + high
    _guess_end(entry, module.marshal, start)
    told = high - entry.expected[STARTS] & 7 | high & 8
    return told << 4 | byte - (entry.expected[ENDS] - start) & 15


@inline
def byte_meant(module, told):
    """The opposite of `byte_told`."""
    entry = module.entry
    if not _is_column(module):
        return told
    if entry.form > LAST_SHORT:
        return told + entry.expected[side_of(entry)] & 255
    high = told >> 4
    high = high + entry.expected[STARTS] & 7 | high & 8
    start = 8 * entry.form + high
    _guess_end(entry, module.marshal, start)
    return high << 4 | told + (entry.expected[ENDS] - start) & 15


@inline
def _is_column(module):
    entry = module.entry
    return module.marshal.part == LOCATION and entry.place > 0 and entry.form <= LAST_LINE


@inline
def side_of(entry):
    """Which column the next byte is, if it has one alone."""
    return np.int64(ENDS if entry.place > 1 else STARTS)


@inline
def _begin_locations(entry, reader):
    """The first entry is for the first instruction of the innermost code."""
    entry.unit = reader.unit_starts[reader.depth - 1]
    entry.end = 0
    entry.line_start = 0
    entry.open_count = 0
    entry.form_before = 0
    entry.opcode_before = 0
    _begin_entry(entry, reader)


@inline
def _begin_entry(entry, reader):
    entry.place = 0
    entry.form = 0
    entry.complete = 0
    entry.number = 0
    entry.shift = 0
    entry.number_before = 0
    entry.begins_line = 0
    _guess_start(entry, reader)


@outlined
def _see_location(entry, reader, byte):
    place, form = entry.place, entry.form
    entry.place += 1
    if place == 0:
        entry.form = byte >> 3 & 15
        entry.covers = (byte & 7) + 1
        if SAME_LINE < entry.form and entry.form <= LAST_LINE:
            entry.begins_line = 1
            _guess_start(entry, reader)
        if entry.form == _NONE:
            _end_entry(entry, reader)
    elif form <= LAST_SHORT:
        start = 8 * form + (byte >> 4)
        _see_start(entry, reader, start)
        _see_end(entry, reader, start, start + (byte & 15))
    elif form > LAST_LINE:
        _see_long(entry, reader, byte)
    elif place == 1:
        entry.number = byte
        _see_start(entry, reader, byte)
    else:
        _see_end(entry, reader, entry.number, byte)


@inline
def _see_long(entry, reader, byte):
    """Numbers have six bits a byte, the lowest first, and another bit if more follow.

    They are how many lines further it begins, and ends behind that, and its columns, plus 1.
    """
    if entry.shift <= _MOST_SHIFT:
        entry.number |= (byte & 63) << entry.shift
    entry.shift += 6
    if byte & 64:
        return
    number, before = entry.number, entry.number_before
    entry.number_before = number
    entry.number = 0
    entry.shift = 0
    entry.complete += 1
    if entry.form == _NO_COLUMNS:
        _end_entry(entry, reader)
    elif entry.complete == 1 and number > 1:
        entry.begins_line = 1
        _guess_start(entry, reader)
    elif entry.complete == 3:
        _see_start(entry, reader, _column(number))
    elif entry.complete == 4:
        _see_end(entry, reader, _column(before), _column(number))


@inline
def _column(number):
    """One that is told as 1 more, or 0 if there is none."""
    return min(max(number - 1, 0), _MOST_COLUMN)


@inline
def _see_start(entry, reader, start):
    _learn(entry, reader, np.int64(STARTS), start)
    _guess_end(entry, reader, start)


@inline
def _see_end(entry, reader, start, end):
    """An entry is complete: what was opened behind its start is enclosed."""
    _learn(entry, reader, np.int64(ENDS), end)
    count = np.int64(0) if entry.begins_line else entry.open_count
    entry.line_start = start if entry.begins_line else min(entry.line_start, start)
    entry.end = end
    while count > 0 and entry.opened[count - 1] >= start:
        count -= 1
    if count == _MOST_OPEN:
        for k in range(1, count):
            entry.opened[k - 1] = entry.opened[k]
        count -= 1
    entry.opened[count] = start
    entry.open_count = count + 1
    _end_entry(entry, reader)


@inline
def _end_entry(entry, reader):
    entry.form_before = entry.form
    entry.opcode_before = opcode_at(reader, entry.unit)
    entry.unit = min(entry.unit + entry.covers, MOST_UNITS)
    _begin_entry(entry, reader)


@inline
def opened(entry, k):
    """Where the k-th began that is open, from the last on; or the first, if there are fewer."""
    count = entry.open_count
    return entry.opened[max(count - 1 - k, 0)] if count > 0 else np.int64(0)


@outlined
def _guess_end(entry, reader, start):
    """Behind a text, in quotes or not, or a name; where the one before ended, or behind that."""
    guesses = entry.guesses[ENDS]
    argument = argument_at(reader, entry.unit)
    text = length_of(reader, np.int64(0), argument)
    name = length_of(reader, np.int64(1), argument)
    name_of_half = length_of(reader, np.int64(1), argument >> 1)
    guesses[0] = start + text
    guesses[1] = start + text + 2
    guesses[2] = start + name
    guesses[3] = start + name_of_half
    guesses[4] = start + length_of(reader, np.int64(2), argument)
    for k in range(3):
        guesses[5 + k] = entry.end + k
    guesses[8] = entry.end + 1 + name
    guesses[9] = entry.end + 1 + name_of_half
    _choose(entry, reader, np.int64(ENDS))


@outlined
def _guess_start(entry, reader):
    """Where others began that it may enclose, or a little behind the last one, or by its line.

    The end is guessed as if that was so.
    """
    guesses = entry.guesses[STARTS]
    for k in range(3):
        guesses[k] = opened(entry, np.int64(k))
        guesses[4 + k] = entry.end + k
        guesses[7 + k] = max(entry.line_start + (k - 1) * _INDENTATION, 0)
    guesses[3] = opened(entry, argument_at(reader, entry.unit) + 1)
    _choose(entry, reader, np.int64(STARTS))
    _guess_end(entry, reader, entry.expected[STARTS])


@inline
def _sort_of_hits(entry, side):
    if side == ENDS:
        return np.int64(_OF_ENDS)
    return np.int64(_IN_NEW_LINE if entry.begins_line else _IN_LINE)


@inline
def _choose(entry, reader, side):
    hits = entry.hits[_sort_of_hits(entry, side), opcode_at(reader, entry.unit)]
    best = np.int64(0)
    for k in range(1, _GUESSES):
        if hits[k] > hits[best]:
            best = np.int64(k)
    entry.best[side] = best
    entry.expected[side] = entry.guesses[side, best]


@inline
def _learn(entry, reader, side, column):
    """Guesses of this opcode are trusted as they were right: 0 to `_CERTAIN`."""
    hits = entry.hits[_sort_of_hits(entry, side), opcode_at(reader, entry.unit)]
    for k in range(_GUESSES):
        right = np.int64(_CERTAIN) if entry.guesses[side, k] == column else np.int64(0)
        hits[k] += right - hits[k] >> _RATE


@inline
def surety(entry, reader, side):
    """How often the best guess was right, 0 to 7."""
    hits = entry.hits[_sort_of_hits(entry, side), opcode_at(reader, entry.unit)]
    return hits[entry.best[side]] >> _IN_EIGHTHS


@inline
def run_of(entry, reader):
    """Units up to the next instruction: caches, which come behind some, are zeros."""
    run = np.int64(1)
    unit = entry.unit + 1
    while run < _MOST_RUN and unit < reader.units and opcode_at(reader, unit) == 0:
        run += 1
        unit += 1
    return run
