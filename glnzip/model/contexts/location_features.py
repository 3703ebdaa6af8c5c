"""What is shown of where instructions of Python stand, as features of x86 code are.

The form of an entry is told by the instruction and where it may begin; a column that differs from
what was expected (`glnzip.transforms.python_locations`) by what else was possible.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import code as c
from glnzip.model.hashing import U32, hashed_pair
from glnzip.transforms import python_locations as l
from glnzip.transforms.python_reader import argument_at, length_of, opcode_at

_PLACE_OF_FORMS, _PLACE_OF_COLUMNS, _PLACE_OF_LONG = 10, 11, 13  # what gates see; each of two


@inline
def show_location(entry, reader, features, last4):
    """Show the features of code for the next byte of an entry."""
    opcode = opcode_at(reader, entry.unit)
    following = opcode_at(reader, entry.unit + l.run_of(entry, reader))
    if entry.place == 0:
        _show_form(entry, reader, features, opcode, following)
    elif entry.form > l.LAST_LINE:
        _show_long(entry, features, opcode, following)
    else:
        _show_column(entry, reader, features, opcode, following, last4)
    features[c.CODE_GATE] = features[c.CODE_PLACE] << 8 | opcode


@inline
def _show_form(entry, reader, features, opcode, following):
    argument = argument_at(reader, entry.unit)
    first, second = l.opened(entry, np.int64(0)), l.opened(entry, np.int64(1))
    high = entry.expected[l.STARTS] >> 3
    sure = l.surety(entry, reader, np.int64(l.STARTS))
    end = entry.end
    before = opcode << 8 | entry.opcode_before
    features[c.CODE_PLACE] = _PLACE_OF_FORMS
    features[c.CODE] = l.run_of(entry, reader)
    features[c.CODE_BEFORE] = hashed_pair(high << 8 | opcode, sure)
    features[c.CODE_BEFORE_2] = hashed_pair(opcode, second)
    features[c.CODE_BEFORE_4] = hashed_pair(opcode, hashed_pair(first, second))
    features[c.OPCODES_3] = hashed_pair(before, high << 8 | following)
    features[c.OPCODES_4] = hashed_pair(opcode, hashed_pair(first, end))
    features[c.OPCODES_6] = hashed_pair(before, entry.form_before << 8 | following)
    features[c.OPCODES_8] = hashed_pair(opcode, l.opened(entry, argument + 1))
    features[c.REGISTERS] = hashed_pair(opcode, end)
    features[c.OPERAND] = hashed_pair(hashed_pair(opcode, end), _name(reader, argument))
    features[c.OPERAND_LIKE] = hashed_pair(opcode << 8 | following, high)
    features[c.TARGET] = opcode << 8 | argument
    features[c.CODE_BEFORE_GATE] = _PLACE_OF_FORMS << 8 | entry.form_before << 4 | min(high, 15)


@inline
def _show_column(entry, reader, features, opcode, following, last4):
    """Both columns, or one of them."""
    argument = argument_at(reader, entry.unit)
    form = entry.form
    side = l.side_of(entry)
    expected = entry.expected[l.STARTS]
    in_one = np.int64(form <= l.LAST_SHORT)
    manner = in_one << 2 | entry.begins_line << 1 | side
    sure = l.surety(entry, reader, side) << 3 | l.surety(entry, reader, np.int64(l.ENDS))
    gap = expected - entry.end & U32
    first, second = l.opened(entry, np.int64(0)), l.opened(entry, np.int64(1))
    before = entry.opcode_before
    text, local = length_of(reader, np.int64(0), argument), length_of(reader, np.int64(2), argument)
    place = _PLACE_OF_COLUMNS + side
    features[c.CODE_PLACE] = place
    features[c.CODE] = place << 16 | manner << 8 | opcode
    features[c.CODE_BEFORE] = hashed_pair(sure, entry.best[0] << 4 | entry.best[1])
    features[c.CODE_BEFORE_2] = hashed_pair(gap, form)
    features[c.CODE_BEFORE_4] = hashed_pair(gap, before)
    features[c.OPCODES_3] = hashed_pair(before, side * (1 + (last4 & 255)))
    features[c.OPCODES_4] = hashed_pair(gap, _name(reader, argument))
    features[c.OPCODES_6] = following << 8 | before
    features[c.OPCODES_8] = hashed_pair(first - expected & U32, second - expected & U32)
    features[c.REGISTERS] = local << 8 | text
    features[c.OPERAND] = _name(reader, argument) << 8 | _name(reader, argument >> 1)
    features[c.OPERAND_LIKE] = hashed_pair(expected, form)
    features[c.TARGET] = argument << 8 | before
    features[c.CODE_BEFORE_GATE] = place << 8 | entry.form_before << 4 | form


@inline
def _name(reader, argument):
    """How long the name is that an argument may mean."""
    return length_of(reader, np.int64(1), argument)


@inline
def _show_long(entry, features, opcode, following):
    """Lines, then columns, of which each is 1 more than it is."""
    complete = entry.complete
    of_columns = np.int64(complete >= 2)
    near = of_columns * (entry.expected[complete & 1] + 1)
    before = entry.number_before & U32
    so_far = entry.shift << 24 | entry.number & 0xFFFFFF
    place = _PLACE_OF_LONG + of_columns
    features[c.CODE_PLACE] = place
    features[c.CODE] = hashed_pair(place << 8 | complete << 4 | entry.form, so_far & U32)
    features[c.CODE_BEFORE] = near
    features[c.CODE_BEFORE_2] = opcode
    features[c.CODE_BEFORE_4] = hashed_pair(near, opcode)
    features[c.OPCODES_3] = opcode << 8 | entry.opcode_before
    features[c.OPCODES_4] = entry.form_before
    features[c.OPCODES_6] = following << 8 | opcode
    features[c.OPCODES_8] = l.opened(entry, np.int64(0))
    features[c.REGISTERS] = entry.line_start
    features[c.OPERAND] = entry.end
    features[c.OPERAND_LIKE] = hashed_pair(before, opcode)
    features[c.TARGET] = hashed_pair(before, entry.line_start)
    features[c.CODE_BEFORE_GATE] = place << 8 | min(near, 255)
