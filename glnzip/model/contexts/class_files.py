"""Features of class files: which field a byte is of, and what fields like it had before.

The reader (`glnzip.transforms.class_reader`) says what comes next. All is shown as the features of
x86 code are (`glnzip.model.contexts.code`), to the same contexts: a constant by what refers to it,
a text by what it is for and how much of it is left, an instruction by those before it, a line by
the instructions where one may begin, any other number by the last ones.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, outlined
from glnzip.model.contexts import code as c
from glnzip.model.contexts.counted_text import show_counted_text
from glnzip.model.contexts.unread import show_unread
from glnzip.model.hashing import U32, hashed_pair
from glnzip.transforms import class_reader as r
from glnzip.transforms.class_reader import CLASS_READER, begin_reader, see_class_byte

_IN_GATES = np.array(
    [
        *(0, 6, 6, 1, 2, 3, 15, 4, 5, 15, 6, 6, 6, 6, 6, 6),
        *(7, 7, 8, 7, 8, 7, 15, 6, 6, 8, 9, 9, 10, 11, 11, 11),
        *(11, 11, 11, 8, 15, 8, 12, 13, 8, 14, 14, 14, 14, 14),
    ],
    np.uint8,
)
"""What gates see of each field, below 16."""
_NEAR = 64  # bytes, in which lines are looked for
_ENDS = np.zeros(256, np.uint8)
_ENDS[[*range(0x36, 0x59), 0x84, *range(0x99, 0xBB), 0xBF, 0xC2, 0xC3, 0xC6, 0xC7, 0xC8]] = 1
"""Opcodes that a statement may end with."""

CLASS_FILES = np.dtype(
    [
        ("reader", CLASS_READER),
        *c.OPCODES.descr,
        ("words", np.int64, 4),  # the last four instructions with their operands, newest first
        ("operands", np.int64, 256),  # the last one, by opcode
        ("last", np.int64, r.PARTS),  # the last number of each field ...
        ("last_but_one", np.int64, r.PARTS),  # ... and the one before it
        ("numbers", np.int64, 3),  # the last three numbers, newest first
        ("new", np.int64),  # whether the last references were to new constants, a bit each
        ("tags", np.int64),  # the last four, newest lowest
        ("texts", np.int64, 2),  # hashes of the last two texts, newest first
    ]
)


@inline
def begin_class_files(recent):
    """A block begins."""
    files = recent.class_files[0]
    begin_reader(files.reader)
    _show(files, recent.features, np.int64(recent.now[0].last4))


@outlined
def see_class_file(recent, byte):
    """Bring the features of code up to date after `byte`."""
    files = recent.class_files[0]
    reader = files.reader
    part, manner, expected = reader.part, reader.manner, reader.expected
    if see_class_byte(reader, byte):
        if manner == r.NEW:
            files.new = (files.new << 1 | (reader.last == expected)) & 0xFFFF
        _see_field(files, part)
    _show(files, recent.features, np.int64(recent.now[0].last4))


@inline
def _see_field(files, part):
    reader = files.reader
    number = reader.last
    if part == r.TEXT:
        c.push(files.texts, reader.text)
        return
    if part == r.TAG:
        files.tags = (files.tags << 8 | number) & U32
    elif part == r.OPCODE:
        c.add_opcode(files, number)
        c.push(files.words, number)
    elif part == r.CONSTANT_USED or part == r.OPERAND or part == r.WIDE_OPCODE:
        files.words[0] = (files.words[0] << 16 | number) & U32
        files.operands[reader.opcode] = number
    files.last_but_one[part] = files.last[part]
    files.last[part] = number
    c.push(files.numbers, number)


@outlined
def _show(files, features, last4):
    reader = files.reader
    part = reader.part
    so_far = (reader.width - reader.left) << 16 | reader.value & 0xFFFF
    if part == r.OPCODE:
        _show_opcode(files, features)
    elif r.WIDE_OPCODE <= part and part <= r.SWITCH_JUMPS:
        _show_operand(files, features, so_far)
    elif part == r.TEXT:
        _show_text(files, features, last4)
    elif part == r.TAG or part == r.LENGTH:
        _show_constant(files, features, so_far)
    elif part == r.LINE_PLACE or part == r.LINE:
        _show_line(files, features, so_far)
    elif part == r.OUTSIDE or part == r.OTHER or part == r.CONSTANT or part == r.HANDLERS:
        size = reader.width - reader.left
        tag = hashed_pair(part << 8 | reader.depth, reader.name)
        show_unread(features, last4, np.int64(0), tag, size & 1)
    else:
        _show_number(files, features, so_far)
    place = np.int64(_IN_GATES[part])
    features[c.CODE_PLACE] = place
    features[c.CODE_GATE] = place << 8 | features[c.CODE_GATE] & 255
    features[c.CODE_BEFORE_GATE] = place << 8 | features[c.CODE_BEFORE_GATE] & 255


@inline
def _show_opcode(files, features):
    reader = files.reader
    place = reader.place - reader.code_begins
    left = reader.code_length - place
    features[c.CODE] = r.OPCODE
    features[c.CODE_BEFORE] = files.words[0]
    c.describe_before(files, files.words, features)
    features[c.REGISTERS] = hashed_pair(files.words[0], files.opcodes >> 8 & 255)
    features[c.OPERAND] = hashed_pair(min(left, 64), files.opcodes & 255)
    method = hashed_pair(files.last[r.DESCRIPTOR], files.last[r.MEMBER_NAME])
    features[c.OPERAND_LIKE] = hashed_pair(min(place, 16), method)
    features[c.TARGET] = hashed_pair(files.numbers[0], files.numbers[1])
    features[c.CODE_GATE] = files.opcodes & 255
    features[c.CODE_BEFORE_GATE] = files.opcodes >> 8 & 255


@inline
def _show_operand(files, features, so_far):
    reader = files.reader
    opcode = reader.opcode
    new = reader.next[r.IN_CODE]
    next_tag = np.int64(reader.tags[new]) if new < r.MOST_CONSTANTS else np.int64(0)
    left = reader.code_length - (reader.place - reader.code_begins) & U32
    last = files.operands[opcode]
    c.describe_before(files, files.words, features)
    features[c.CODE] = hashed_pair(reader.part << 8 | opcode, so_far)
    features[c.CODE_BEFORE] = files.words[1]
    features[c.CODE_BEFORE_2] = last
    features[c.REGISTERS] = next_tag << 4 | files.new & 15
    features[c.OPERAND] = next_tag
    features[c.OPERAND_LIKE] = hashed_pair(last, files.words[1])
    features[c.TARGET] = hashed_pair(left, opcode)
    features[c.CODE_GATE] = opcode
    features[c.CODE_BEFORE_GATE] = next_tag << 2 | files.new & 3


@inline
def _show_text(files, features, last4):
    reader = files.reader
    text = hashed_pair(reader.text, reader.width - reader.left)
    show_counted_text(
        features,
        last4,
        np.int64(r.TEXT),
        _role(reader),
        text,
        reader.width,
        reader.left,
        files.texts[0],
    )


@inline
def _role(reader):
    """What the present constant is for."""
    if reader.index >= r.MOST_CONSTANTS:
        return np.int64(0)
    return np.int64(reader.roles[reader.index])


@inline
def _show_constant(files, features, so_far):
    """A tag, or the length of a text."""
    reader = files.reader
    role = _role(reader)
    features[c.CODE] = hashed_pair(reader.part, so_far)
    features[c.CODE_BEFORE] = role
    features[c.CODE_BEFORE_2] = files.texts[0]
    features[c.CODE_BEFORE_4] = hashed_pair(files.texts[0], files.texts[1])
    features[c.OPCODES_3] = hashed_pair(role, files.tags & 0xFFFF)
    features[c.OPCODES_4] = files.tags
    features[c.OPCODES_6] = hashed_pair(files.texts[0], files.tags & 0xFFFF)
    features[c.OPCODES_8] = hashed_pair(files.tags, role)
    features[c.REGISTERS] = files.last[r.LENGTH]
    features[c.OPERAND] = hashed_pair(files.new & 15, files.tags & 255)
    features[c.OPERAND_LIKE] = hashed_pair(role, files.last[r.LENGTH])
    features[c.TARGET] = reader.index
    features[c.CODE_GATE] = role
    features[c.CODE_BEFORE_GATE] = files.tags & 255


@inline
def _show_line(files, features, so_far):
    """Where a line begins, less where the last one did; or its number, less that."""
    reader = files.reader
    place = reader.line_place
    first = _statement_after(reader, place)
    second = _statement_after(reader, first)
    here = _opcode_at(reader, place)
    there = _opcode_at(reader, first)
    ended = _ended_at(reader, first)
    steps = first - place << 8 | second - place
    step = files.last[r.LINE] - files.last_but_one[r.LINE] & U32
    features[c.CODE] = hashed_pair(reader.part, so_far)
    if reader.part == r.LINE_PLACE:
        features[c.CODE_BEFORE] = hashed_pair(first - place, ended)
        features[c.CODE_BEFORE_2] = steps
        features[c.CODE_BEFORE_4] = hashed_pair(steps, ended << 8 | there)
        features[c.OPCODES_3] = hashed_pair(first - place, ended << 8 | there)
    else:
        features[c.CODE_BEFORE] = here
        features[c.CODE_BEFORE_2] = hashed_pair(here, _ended_at(reader, place))
        features[c.CODE_BEFORE_4] = hashed_pair(here, files.numbers[1])
        features[c.OPCODES_3] = hashed_pair(here, step)
    features[c.OPCODES_4] = hashed_pair(here, there)
    features[c.OPCODES_6] = hashed_pair(reader.items, steps)
    features[c.OPCODES_8] = reader.items
    features[c.REGISTERS] = reader.code_length - place & U32
    features[c.OPERAND] = hashed_pair(files.numbers[0], files.numbers[1])
    features[c.OPERAND_LIKE] = files.numbers[0]
    features[c.TARGET] = step
    features[c.CODE_GATE] = first - place if reader.part == r.LINE_PLACE else here
    features[c.CODE_BEFORE_GATE] = ended


@outlined
def _statement_after(reader, place):
    """The next place in code where an instruction begins behind one that may end a statement."""
    end = min(place + _NEAR, r.MOST_PLACES - 1)
    place += 1
    while place < end and (reader.instructions[place] == 0 or _ENDS[reader.ended[place]] == 0):
        place += 1
    return place


@inline
def _opcode_at(reader, place):
    return np.int64(reader.instructions[place]) if place < r.MOST_PLACES else np.int64(0)


@inline
def _ended_at(reader, place):
    return np.int64(reader.ended[place]) if place < r.MOST_PLACES else np.int64(0)


@inline
def _show_number(files, features, so_far):
    reader = files.reader
    part = reader.part
    last, before = files.last[part], files.numbers[0]
    of_constant = part == r.FIRST or part == r.SECOND
    kind = part << 8 | (reader.tag if of_constant else reader.depth)
    features[c.CODE] = hashed_pair(kind, so_far)
    features[c.CODE_BEFORE] = last
    features[c.CODE_BEFORE_2] = before
    features[c.CODE_BEFORE_4] = hashed_pair(before, files.numbers[1])
    features[c.OPCODES_3] = hashed_pair(last, before)
    features[c.OPCODES_4] = hashed_pair(hashed_pair(before, files.numbers[1]), files.numbers[2])
    features[c.OPCODES_6] = hashed_pair(last, files.last_but_one[part])
    features[c.OPCODES_8] = files.new & 255
    features[c.REGISTERS] = hashed_pair(files.new & 7, last)
    features[c.OPERAND] = hashed_pair(reader.name, reader.attributes[reader.depth])
    features[c.OPERAND_LIKE] = hashed_pair(reader.name, reader.code_length)
    features[c.TARGET] = files.tags if of_constant else reader.items
    features[c.CODE_GATE] = part << 2 | reader.left & 3
    features[c.CODE_BEFORE_GATE] = files.new & 15
