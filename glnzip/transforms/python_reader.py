"""Compiled modules of Python: which field of which object comes next.

Behind a header of 16 bytes stands one object, the code of the module, as Python's module marshal
writes it (CPython, Python/marshal.c): a byte that tells its type, with the highest bit set if
others may refer to it by its number, and what belongs to the type. A tuple has objects in it, and
code has numbers and objects, in an order that differs from one version to another.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, outlined

(
    OUTSIDE,
    HEADER,
    TYPE,
    COUNT,  # of objects in a tuple, or of bytes
    TEXT,
    NUMBER,  # a constant
    REFERENCE,
    FIELD,  # a number of code
    OPCODE,
    ARGUMENT,
    LOCATION,
    BYTES,  # that are not looked into
) = range(12)
"""What the next byte is of."""

(
    MODULE,
    ARGUMENTS,
    POSITIONAL,
    KEYWORDS,
    VARIABLES,
    STACK,
    FLAGS,
    LINE,
    INSTRUCTIONS,
    CONSTANTS,
    NAMES,
    LOCALS,
    FREE,
    CELLS,
    KINDS,
    FILE,
    NAME,
    FULL_NAME,
    LOCATIONS,
    LINES,
    HANDLERS,
) = range(21)
"""Roles: what an object, or a number, is to the innermost code that it is in."""

_NO_ROLE = 255
_OLD = (INSTRUCTIONS, CONSTANTS, NAMES, LOCALS, FREE, CELLS, FILE, NAME, LINE, LINES)
_NEW = (INSTRUCTIONS, CONSTANTS, NAMES, LOCALS, KINDS, FILE, NAME, FULL_NAME, LINE, LOCATIONS)
_VERSIONS = (  # 3.7, 3.8, 3.11
    (ARGUMENTS, KEYWORDS, VARIABLES, STACK, FLAGS, *_OLD),
    (ARGUMENTS, POSITIONAL, KEYWORDS, VARIABLES, STACK, FLAGS, *_OLD),
    (ARGUMENTS, POSITIONAL, KEYWORDS, STACK, FLAGS, *_NEW, HANDLERS),
)
_FIRST_OF_3_7, _FIRST_OF_3_8, _FIRST_OF_3_11, _LAST = 3390, 3400, 3450, 3999
"""Magic numbers of these versions, and one that those to come will not have soon."""
_BEHIND_MAGIC = 0x0A0D
_HEADER_BYTES = 12  # behind that
_MOST_FLAGS = 3  # the first of its numbers


def _orders() -> np.ndarray:
    """What the fields of code are, by version."""
    table = np.full((len(_VERSIONS), 17), _NO_ROLE, np.uint8)
    for version, roles in enumerate(_VERSIONS):
        table[version, : len(roles)] = roles
    return table


_UNKNOWN, _EMPTY, _CODE, _SLICE = 0, 32, 33, 34
_SHORT_TEXT, _SHORT_TUPLE, _TUPLE, _TEXT, _RAW, _DIGITS = range(35, 41)


def _manners() -> np.ndarray:
    """How an object of a type goes on: with so many bytes of a number, or otherwise."""
    table = np.zeros(128, np.uint8)
    for types, manner in (
        (b"NFTS.", _EMPTY),
        (b"c", _CODE),
        (b":", _SLICE),
        (b"zZ", _SHORT_TEXT),
        (b")", _SHORT_TUPLE),
        (b"([<>", _TUPLE),
        (b"aAut", _TEXT),
        (b"s", _RAW),
        (b"l", _DIGITS),
        (b"ir", 4),
        (b"g", 8),
        (b"y", 16),
    ):
        table[list(types)] = manner
    return table


_ORDERS = _orders()
_MANNERS = _manners()
_REFERS = ord("r")

_MOST_DEPTH = 64
MOST_UNITS = 1 << 15
"""An opcode and its argument are one; of so many something is kept, of all code that is open."""
_MOST_TEXTS, _MOST_REFERENCES, _MOST_LENGTH = 1 << 12, 1 << 14, 255

READER = np.dtype(
    [
        ("part", np.int64),
        ("left", np.int64),  # bytes of it that come
        ("seen", np.int64),  # bytes of it that came ...
        ("value", np.int64),  # ... and the number that the first four of them are, lowest first
        ("last", np.int64),  # the value of the last part that is complete
        ("version", np.int64),  # a row of `_ORDERS`
        ("type", np.int64),  # of the present object
        ("kept", np.int64),  # its number among those referred to, from 1 on; or 0
        ("length", np.int64),  # of it, if it is a text
        ("text", np.int64),  # hash of its bytes so far
        ("depth", np.int64),  # of objects that have others in them; of each ...
        ("roles", np.int64, _MOST_DEPTH),  # ... what the present one in it is, ...
        ("items", np.int64, _MOST_DEPTH),  # ... how many come, with it, ...
        ("entered", np.int64, _MOST_DEPTH),  # ... or which field of code it is, from 1 on, ...
        ("unit_starts", np.int64, _MOST_DEPTH),  # ... where that of the innermost code begin, ...
        ("text_starts", np.int64, (3, _MOST_DEPTH)),  # ... and its constants, names and locals
        ("units", np.int64),
        ("opcodes_read", np.uint8, MOST_UNITS),
        ("arguments_read", np.uint8, MOST_UNITS),
        ("text_counts", np.int64, 3),
        ("lengths", np.uint8, (3, _MOST_TEXTS)),
        ("references", np.int64),
        ("reference_lengths", np.uint8, _MOST_REFERENCES),
    ]
)


@inline
def begin_reader(reader):
    """Nothing is known; a module may begin."""
    reader.part = OUTSIDE
    reader.seen = 0
    reader.value = 0
    reader.depth = 0


@inline
def see_marshal(reader, byte):
    """A byte; return whether a number, a text, an opcode or an argument ended with it."""
    part = reader.part
    if part == OUTSIDE:
        reader.value = reader.value >> 8 | byte << 24
        if reader.value >> 16 == _BEHIND_MAGIC and _is_magic(reader.value & 0xFFFF):
            _begin_module(reader, reader.value & 0xFFFF)
        return False
    if reader.seen < 4:
        reader.value |= byte << 8 * reader.seen
    reader.seen += 1
    reader.left -= 1
    if part == TEXT:
        reader.text = (reader.text * 31 + byte) & 0xFFFFFFFF
    elif part in (OPCODE, ARGUMENT):
        _see_unit(reader, byte)
        return True
    if reader.left > 0:
        return False
    reader.last = reader.value
    if part == HEADER:
        _expect(reader, TYPE, 1)
        if reader.last > _MOST_FLAGS:
            begin_reader(reader)
    elif part == TYPE:
        _see_type(reader, byte)
    elif part == COUNT:
        _see_count(reader)
    else:
        if part == REFERENCE and reader.value < min(reader.references, _MOST_REFERENCES):
            reader.length = np.int64(reader.reference_lengths[reader.value])
        _go_on(reader)
    return True


@inline
def _expect(reader, part, size):
    reader.part = part
    reader.left = size
    reader.value = 0
    reader.seen = 0


@inline
def _is_magic(number):
    return _FIRST_OF_3_7 <= number and number <= _LAST


@inline
def _begin_module(reader, number):
    reader.version = np.int64(number >= _FIRST_OF_3_8) + np.int64(number >= _FIRST_OF_3_11)
    reader.depth = 0
    reader.units = 0
    reader.references = 0
    for k in range(3):
        reader.text_counts[k] = 0
    _expect(reader, HEADER, _HEADER_BYTES)


@inline
def role_of(reader):
    """What the present object, or the present number of code, is."""
    return reader.roles[reader.depth - 1] if reader.depth > 0 else np.int64(MODULE)


@inline
def items_left(reader):
    """How many objects come, with the next one, of a tuple; 0 in other things."""
    top = reader.depth - 1
    return reader.items[top] if top >= 0 and reader.entered[top] == 0 else np.int64(0)


@inline
def _see_type(reader, byte):
    reader.type = byte & 127
    reader.kept = 0
    reader.length = 0
    if byte & 128:
        reader.references += 1
        reader.kept = reader.references
        _keep_reference(reader, np.int64(0))
    manner = np.int64(_MANNERS[reader.type])
    if manner == _UNKNOWN or (reader.depth == 0 and manner != _CODE):
        begin_reader(reader)
    elif manner == _EMPTY:
        _go_on(reader)
    elif manner == _CODE:
        _open(reader, np.int64(0), np.int64(1))
    elif manner == _SLICE:
        _open(reader, np.int64(3), np.int64(0))
    elif manner in (_SHORT_TEXT, _SHORT_TUPLE):
        _expect(reader, COUNT, 1)
    elif manner > _SHORT_TUPLE:
        _expect(reader, COUNT, 4)
    else:
        _expect(reader, REFERENCE if reader.type == _REFERS else NUMBER, manner)


@inline
def _keep_reference(reader, length):
    if 0 < reader.kept and reader.kept <= _MOST_REFERENCES:
        reader.reference_lengths[reader.kept - 1] = length


@inline
def _see_count(reader):
    """How many objects or bytes follow."""
    count = reader.value
    manner = np.int64(_MANNERS[reader.type])
    if manner in (_SHORT_TUPLE, _TUPLE):
        if count > 0:
            _open(reader, count, np.int64(0))
        else:
            _go_on(reader)
        return
    part = np.int64(TEXT)
    role = role_of(reader)
    if manner == _DIGITS:  # of 15 bits
        part = np.int64(NUMBER)
        count = 2 * abs((count ^ 0x80000000) - 0x80000000)
    elif manner == _RAW:
        part = np.int64(BYTES)
        if role == INSTRUCTIONS:
            part = np.int64(OPCODE)
        elif role == LOCATIONS:
            part = np.int64(LOCATION)
    else:
        reader.text = 0
        reader.length = min(count, _MOST_LENGTH)
        _keep_reference(reader, reader.length)
    if count > 0:
        _expect(reader, part, count)
    else:
        _go_on(reader)


@inline
def _see_unit(reader, byte):
    units = reader.units
    if reader.part == OPCODE:
        reader.part = ARGUMENT
        if units < MOST_UNITS:
            reader.opcodes_read[units] = byte
            reader.arguments_read[units] = 0
    else:
        reader.part = OPCODE
        if units < MOST_UNITS:
            reader.arguments_read[units] = byte
            reader.units = units + 1
    if reader.left == 0:
        _go_on(reader)


@inline
def _open(reader, items, entered):
    """Objects follow that are in the present one: fields of code, or as many as it has."""
    depth = reader.depth
    if depth == _MOST_DEPTH:
        begin_reader(reader)
        return
    is_code = entered > 0
    reader.roles[depth] = role_of(reader)
    reader.items[depth] = items
    reader.entered[depth] = entered
    reader.unit_starts[depth] = reader.units if is_code else reader.unit_starts[depth - 1]
    for k in range(3):
        starts = reader.text_starts[k]
        starts[depth] = reader.text_counts[k] if is_code else starts[depth - 1]
    reader.depth = depth + 1
    if is_code:
        _go_on(reader)
    else:
        _expect(reader, TYPE, 1)


@outlined
def _go_on(reader):
    """An object, or a number of code, is complete; so may be those that it is in."""
    while reader.depth > 0:
        top = reader.depth - 1
        entered = reader.entered[top]
        if entered > 0:
            role = np.int64(_ORDERS[reader.version, entered - 1])
            if role != _NO_ROLE:
                reader.entered[top] = entered + 1
                reader.roles[top] = role
                _expect_field(reader, role)
                return
            _close_code(reader, top)
        else:
            _keep_length(reader)
            reader.items[top] -= 1
            if reader.items[top] > 0:
                _expect(reader, TYPE, 1)
                return
        reader.depth = top
        reader.length = 0
    begin_reader(reader)


@inline
def _expect_field(reader, role):
    if role < INSTRUCTIONS:
        _expect(reader, FIELD, 4)
    else:
        _expect(reader, TYPE, 1)


@inline
def _close_code(reader, top):
    """Forget its instructions and texts."""
    reader.units = reader.unit_starts[top]
    for k in range(3):
        reader.text_counts[k] = reader.text_starts[k, top]


@inline
def _keep_length(reader):
    """Keep that of a constant, name or local of code."""
    k = role_of(reader) - CONSTANTS
    if reader.depth > 1 and reader.entered[reader.depth - 2] > 0 and 0 <= k and k < 3:
        count = reader.text_counts[k]
        if count < _MOST_TEXTS:
            reader.lengths[k, count] = reader.length
            reader.text_counts[k] = count + 1


@inline
def opcode_at(reader, unit):
    """Of the innermost code; 0 if it is not known."""
    return np.int64(reader.opcodes_read[unit]) if unit < reader.units else np.int64(0)


@inline
def argument_at(reader, unit):
    """The same, of an argument."""
    return np.int64(reader.arguments_read[unit]) if unit < reader.units else np.int64(0)


@inline
def length_of(reader, k, index):
    """Of a constant, name or local (0 to 2) of the innermost code; 0 if it is none, or no text."""
    place = reader.text_starts[k, reader.depth - 1] + index
    return np.int64(reader.lengths[k, place]) if place < reader.text_counts[k] else np.int64(0)
