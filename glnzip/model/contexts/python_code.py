"""Features of compiled modules of Python: what a byte is of, and what was before in its place.

The reader (`glnzip.transforms.python_reader`) says what comes next. All is shown as the features of
x86 code are (`glnzip.model.contexts.code`), to the same contexts: an opcode by those before it and
the caches behind the last one, which are zeros; an argument by its opcode's last and largest one; a
type by those of the objects before; a text by what it is for and how much of it is left; numbers
and references by the last ones of their sort; and where an instruction stands
(`glnzip.model.contexts.location_features`).
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, outlined
from glnzip.model.contexts import code as c
from glnzip.model.contexts.counted_text import show_counted_text
from glnzip.model.contexts.location_features import show_location
from glnzip.model.contexts.unread import show_unread
from glnzip.model.hashing import U32, hashed_pair
from glnzip.transforms import python_reader as r
from glnzip.transforms.python_locations import (
    MODULE_READER,
    begin_modules,
    byte_meant,
    see_module_byte,
)

_PLACE_OF_OPCODES, _PLACE_OF_ARGUMENTS, _PLACE_OF_CACHES, _PLACE_OF_TYPES = 1, 2, 3, 4
_PLACE_OF_TEXTS, _PLACE_OF_NUMBERS = 5, 6  # what gates see; the last is the first of four
_MOST_CACHES = 15
_SORTS = 128

PYTHON_CODE = np.dtype(
    [
        ("module", MODULE_READER),
        *c.OPCODES.descr,  # without caches
        ("words", np.int64, 4),  # the last four instructions with their arguments, newest first
        ("caches", np.int64),  # behind the last one
        ("last_arguments", np.int64, 256),  # by opcode
        ("next_arguments", np.int64, 256),  # the largest one of the present code, plus 1
        ("types", np.int64),  # the last four, newest lowest
        ("last", np.int64, _SORTS),  # the last number of each sort ...
        ("last_but_one", np.int64, _SORTS),  # ... and the one before it
        ("numbers", np.int64, 3),  # the last three, newest first
        ("texts", np.int64, 2),  # hashes of the last two, newest first
    ]
)


@inline
def begin_python_code(recent):
    """A block begins."""
    python = recent.python_code[0]
    begin_modules(python.module)
    _show(python, recent.features, np.int64(recent.now[0].last4))


@outlined
def see_python_code(recent, byte):
    """Bring the features of code up to date after `byte`."""
    python = recent.python_code[0]
    reader = python.module.marshal
    part, role = reader.part, r.role_of(reader)
    byte = byte_meant(python.module, byte)
    if see_module_byte(python.module, byte):
        _see_field(python, part, role, byte)
    if part == r.COUNT and reader.part == r.OPCODE:
        _begin_instructions(python)
    _show(python, recent.features, np.int64(recent.now[0].last4))


@inline
def _begin_instructions(python):
    c.forget_opcodes(python)
    python.caches = 0
    for opcode in range(256):
        python.next_arguments[opcode] = 0


@inline
def _see_field(python, part, role, byte):
    reader = python.module.marshal
    if part == r.OPCODE:
        if byte == 0:
            python.caches = min(python.caches + 1, _MOST_CACHES)
        else:
            python.caches = 0
            c.add_opcode(python, byte)
            c.push(python.words, byte)
    elif part == r.ARGUMENT:
        if python.caches == 0:
            _see_argument(python, byte)
    elif part == r.TYPE:
        python.types = (python.types << 8 | byte) & U32
    elif part == r.TEXT:
        c.push(python.texts, reader.text)
    elif _is_number(part):
        sort = _sort(part, role)
        python.last_but_one[sort] = python.last[sort]
        python.last[sort] = reader.last
        c.push(python.numbers, reader.last)


@inline
def _see_argument(python, argument):
    opcode = python.words[0] & 255
    python.words[0] = argument << 8 | opcode
    python.last_arguments[opcode] = argument
    python.next_arguments[opcode] = max(python.next_arguments[opcode], argument + 1)


@inline
def _is_number(part):
    return part == r.COUNT or part == r.FIELD or part == r.REFERENCE


@inline
def _sort(part, role):
    """A number is like those that are the same of the same: counts, references, fields."""
    return (part - r.COUNT) * 32 + role & _SORTS - 1


@outlined
def _show(python, features, last4):
    reader = python.module.marshal
    part = reader.part
    if part == r.OPCODE:
        _show_opcode(python, features)
    elif part == r.ARGUMENT:
        _show_argument(python, features)
    elif part == r.LOCATION:
        show_location(python.module.entry, reader, features, last4)
    elif part == r.TYPE:
        _show_type(python, features)
    elif part == r.TEXT:
        _show_text(python, features, last4)
    elif _is_number(part):
        _show_number(python, features)
    else:
        show_unread(features, last4, np.int64(0), part << 8 | r.role_of(reader), reader.seen & 1)


@inline
def _show_in_gates(features, place, first, second):
    features[c.CODE_PLACE] = place
    features[c.CODE_GATE] = place << 8 | first & 255
    features[c.CODE_BEFORE_GATE] = place << 8 | second & 255


@inline
def _show_opcode(python, features):
    words = python.words
    before, older = words[0], words[1] & 255
    opcode = before & 255
    c.describe_before(python, words, features)
    features[c.CODE] = r.OPCODE << 8 | python.caches
    features[c.CODE_BEFORE] = opcode
    features[c.CODE_BEFORE_2] = before
    features[c.REGISTERS] = hashed_pair(before, older)
    features[c.OPERAND] = min(python.module.marshal.left, 64) << 8 | opcode
    features[c.OPERAND_LIKE] = hashed_pair(before, words[1])
    features[c.TARGET] = hashed_pair(words[1], opcode)
    _show_in_gates(features, np.int64(_PLACE_OF_OPCODES), opcode, older)


@inline
def _show_argument(python, features):
    words = python.words
    opcode, before = words[0] & 255, words[1]
    of_cache = np.int64(python.caches > 0)
    last, following = python.last_arguments[opcode], python.next_arguments[opcode]
    c.describe_before(python, words, features)
    features[c.CODE] = r.ARGUMENT << 9 | of_cache << 8 | opcode
    features[c.CODE_BEFORE] = before
    features[c.CODE_BEFORE_2] = last
    features[c.REGISTERS] = hashed_pair(last, before)
    features[c.OPERAND] = following
    features[c.OPERAND_LIKE] = following << 8 | last
    features[c.TARGET] = following << 8 | before & 255
    place = np.int64(_PLACE_OF_CACHES if of_cache else _PLACE_OF_ARGUMENTS)
    _show_in_gates(features, place, opcode, min(following, 255))


@inline
def _show_type(python, features):
    reader = python.module.marshal
    role = r.role_of(reader)
    left = min(r.items_left(reader), 255)
    types, numbers, texts = python.types, python.numbers, python.texts
    before = types & 255
    features[c.CODE] = r.TYPE << 8 | role
    features[c.CODE_BEFORE] = types & 0xFFFF
    features[c.CODE_BEFORE_2] = left << 8 | before
    features[c.CODE_BEFORE_4] = types
    features[c.OPCODES_3] = before
    features[c.OPCODES_4] = left
    features[c.OPCODES_6] = hashed_pair(types & 0xFFFF, texts[0])
    features[c.OPCODES_8] = hashed_pair(texts[0], texts[1])
    features[c.REGISTERS] = hashed_pair(numbers[0], before)
    features[c.OPERAND] = hashed_pair(reader.references, before)
    features[c.OPERAND_LIKE] = hashed_pair(numbers[0], numbers[1])
    features[c.TARGET] = types & 0xFFFFFF
    _show_in_gates(features, np.int64(_PLACE_OF_TYPES), role << 3 | min(left, 7), before)


@inline
def _show_text(python, features, last4):
    reader = python.module.marshal
    role = r.role_of(reader)
    text = hashed_pair(reader.text, reader.seen)
    size = reader.seen + reader.left
    show_counted_text(
        features, last4, np.int64(r.TEXT), role, text, size, reader.left, python.texts[0]
    )
    _show_in_gates(features, np.int64(_PLACE_OF_TEXTS), min(reader.left, 255), role)


@inline
def _show_number(python, features):
    reader = python.module.marshal
    sort = _sort(reader.part, r.role_of(reader))
    numbers, texts, types = python.numbers, python.texts, python.types
    last, before = python.last[sort], numbers[0]
    two = hashed_pair(before, numbers[1])
    so_far = reader.seen << 24 | reader.value & 0xFFFFFF
    features[c.CODE] = hashed_pair(sort << 8 | types & 255, so_far)
    features[c.CODE_BEFORE] = last
    features[c.CODE_BEFORE_2] = before
    features[c.CODE_BEFORE_4] = two
    features[c.OPCODES_3] = hashed_pair(last, before)
    features[c.OPCODES_4] = hashed_pair(two, numbers[2])
    features[c.OPCODES_6] = hashed_pair(last, python.last_but_one[sort])
    features[c.OPCODES_8] = hashed_pair(texts[0], texts[1])
    features[c.REGISTERS] = types & 0xFFFF
    features[c.OPERAND] = reader.references
    features[c.OPERAND_LIKE] = texts[0]
    features[c.TARGET] = hashed_pair(reader.references, last)
    place = _PLACE_OF_NUMBERS + min(reader.seen, 3)
    _show_in_gates(features, place, sort, types)
