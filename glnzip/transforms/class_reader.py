"""Class files of Java: which field comes next, and what is known of its number.

A class file is a pool of constants, each with a tag, that refer to others by their numbers; then
fields and methods, each with attributes, which their names tell apart; code is one of them, and has
attributes of its own (The Java Virtual Machine Specification, chapters 4 and 6). It is read as a
sequence of fields of one byte, of numbers of one to four, highest first, and of runs of bytes that
are not looked into.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, outlined

(
    OUTSIDE,
    VERSION,
    POOL_COUNT,
    TAG,
    LENGTH,  # of a text
    TEXT,
    CONSTANT,
    FIRST,  # the first reference of a constant ...
    SECOND,  # ... and the second one
    HANDLE,  # a number before the first
    ACCESS,
    CLASS_NAME,
    INTERFACE_COUNT,
    INTERFACE,
    MEMBER_COUNT,
    MEMBER_ACCESS,
    MEMBER_NAME,
    DESCRIPTOR,
    ATTRIBUTE_COUNT,
    ATTRIBUTE_NAME,
    ATTRIBUTE_LENGTH,
    REFERRED,  # the one reference of an attribute
    OTHER,  # an attribute that is not looked into
    MOST_STACK,
    MOST_LOCALS,
    CODE_LENGTH,
    OPCODE,
    WIDE_OPCODE,
    CONSTANT_USED,  # an operand that refers to the pool
    OPERAND,
    SWITCH_PADDING,
    SWITCH_DEFAULT,
    SWITCH_LOW,
    SWITCH_HIGH,
    SWITCH_JUMPS,
    HANDLER_COUNT,
    HANDLERS,
    LINE_COUNT,
    LINE_PLACE,
    LINE,
    LOCAL_COUNT,
    LOCAL_START,
    LOCAL_LENGTH,
    LOCAL_NAME,
    LOCAL_TYPE,
    LOCAL_SLOT,
) = range(46)
"""Fields."""
PARTS = LOCAL_SLOT + 1

PLAIN, NEW, AFTER, BEFORE = range(4)
"""How a number is told: as it is; 0 if it is the next new one of the pool; less than `expected`,
or `expected` less it."""

_TEXT, _INTEGER, _FLOAT, _LONG, _DOUBLE, _NAME_AND_TYPE = 1, 3, 4, 5, 6, 12  # tags
_FIELD, _INTERFACE_METHOD, _METHOD_HANDLE, _DYNAMIC, _INVOKE_DYNAMIC = 9, 11, 15, 17, 18
_OF_ONE_REFERENCE = (7, 8, 16, 19, 20)
_CODE, _LINES, _LOCALS, _LOCAL_TYPES = range(1, 5)  # names of attributes that are looked into
_MAGIC = 0xCAFEBABE
_LEAST_VERSION, _MOST_VERSION = 45, 99
_LDC, _TABLE_SWITCH, _LOOKUP_SWITCH, _WIDE, _IINC = 0x12, 0xAA, 0xAB, 0xC4, 0x84
_FAR = 1 << 40

MOST_CONSTANTS = 1 << 14
"""Of which something is kept."""
MOST_PLACES = 1 << 13
"""The same, of places in code."""
IN_POOL, IN_CODE, ELSEWHERE = range(3)
"""Where references stand."""


def _text_hash(text: bytes) -> int:
    value = 0
    for byte in text:
        value = (value * 31 + byte) & 0xFFFFFFFF
    return value


_CODE_HASH = _text_hash(b"Code")
_LINES_HASH = _text_hash(b"LineNumberTable")
_LOCALS_HASH = _text_hash(b"LocalVariableTable")
_LOCAL_TYPES_HASH = _text_hash(b"LocalVariableTypeTable")


def _operand_bytes() -> np.ndarray:
    """How many bytes an opcode's operands have; those of a reference to the pool add 16."""
    table = np.zeros(256, np.uint8)
    table[[0x10, 0xBC, *range(0x15, 0x1A), *range(0x36, 0x3B), 0xA9]] = 1
    table[[0x11, _IINC, *range(0x99, 0xA9), 0xC6, 0xC7]] = 2
    table[[0xC8, 0xC9]] = 4
    table[_LDC] = 16 + 1
    table[[0x13, 0x14, *range(0xB2, 0xB9), 0xBB, 0xBD, 0xC0, 0xC1]] = 16 + 2
    table[[0xB9, 0xBA]] = 16 + 4
    table[0xC5] = 16 + 3
    return table


_OPERAND_BYTES = _operand_bytes()

CLASS_READER = np.dtype(
    [
        ("part", np.int64),
        ("place", np.int64),  # bytes so far
        ("width", np.int64),  # bytes of this field
        ("left", np.int64),  # bytes of it that come
        ("value", np.int64),  # its last four bytes so far, as they are told
        ("manner", np.int64),  # how its number is told
        ("expected", np.int64),  # what it is told by
        ("last", np.int64),  # the number of the last field that is complete
        ("count", np.int64),  # of constants
        ("index", np.int64),  # of the present one
        ("tag", np.int64),  # of it
        ("text", np.int64),  # hash of the present text
        ("tags", np.uint8, MOST_CONSTANTS),
        ("roles", np.uint8, MOST_CONSTANTS),  # tag and place of the constant that refers to it
        ("names", np.uint8, MOST_CONSTANTS),  # of attributes that are looked into
        ("next", np.int64, 3),  # the next new constant, in each of the places of references
        ("depth", np.int64),  # of attributes: of the class, of a member, of code
        ("attributes", np.int64, 3),  # that come, at each depth
        ("name", np.int64),  # number of the name of the present one
        ("of_methods", np.int64),  # whether members are methods
        ("members", np.int64),  # that come
        ("items", np.int64),  # of a table, that come
        ("opcode", np.int64),
        ("code_begins", np.int64),  # place
        ("code_length", np.int64),
        ("low", np.int64),  # of a switch
        ("instructions", np.uint8, MOST_PLACES),  # opcode + 1 where one begins, by its place
        ("ended", np.uint8, MOST_PLACES),  # the opcode of the one that ended there
        ("line_place", np.int64),
        ("line", np.int64),
    ]
)


@inline
def begin_reader(reader):
    """Nothing is known; a class file may begin."""
    _expect(reader, OUTSIDE, 4)
    reader.count = 0
    reader.code_length = 0
    reader.line = 0


@inline
def see_class_byte(reader, byte):
    """A byte, as it is told; return whether it ended a field."""
    reader.place += 1
    reader.value = (reader.value << 8 | byte) & 0xFFFFFFFF
    if reader.part == OUTSIDE:
        if reader.value == _MAGIC:
            _expect(reader, VERSION, 4)
        return False
    if reader.part == TEXT:
        reader.text = (reader.text * 31 + byte) & 0xFFFFFFFF
    reader.left -= 1
    if reader.left == 0:
        end_field(reader, number_meant(reader, reader.value))
        return True
    return False


@inline
def number_told(reader, number):
    """How the number of the present field is told."""
    if reader.manner == NEW:
        return _exchanged(reader, number)
    mask = (1 << 8 * reader.width) - 1
    if reader.manner == AFTER:
        return number - reader.expected & mask
    if reader.manner == BEFORE:
        return reader.expected - number & mask
    return number


@inline
def number_meant(reader, told):
    """The opposite of `number_told`."""
    if reader.manner == AFTER:
        return told + reader.expected & (1 << 8 * reader.width) - 1
    return number_told(reader, told)


@inline
def _exchanged(reader, number):
    """The next new constant is 0, and 0 is that."""
    expected = reader.expected
    if expected >> 8 * reader.width != 0:
        return number
    if number == expected:
        return np.int64(0)
    return expected if number == 0 else number


@outlined
def _expect(reader, part, width):
    reader.part = part
    reader.width = width
    reader.left = width
    reader.value = 0
    reader.manner = PLAIN


@outlined
def _expect_reference(reader, part, width, where):
    _expect(reader, part, width)
    reader.manner = NEW
    reader.expected = reader.next[where]


@inline
def _expect_number(reader, part, manner, expected):
    """One of two bytes."""
    _expect(reader, part, 2)
    reader.manner = manner
    reader.expected = expected


@outlined
def _see_reference(reader, where, number):
    """A constant is referred to: the next new one is behind it."""
    least = max(number, reader.index) if where == IN_POOL else number
    place = reader.next[where]
    if least < place or least >= reader.count:
        return
    place = least + 1
    while where != IN_POOL and place < min(reader.count, MOST_CONSTANTS):
        if where == IN_CODE and reader.tags[place] > 1 and reader.roles[place] == 0:
            break
        if where == ELSEWHERE and reader.tags[place] == 1 and reader.roles[place] == 0:
            break
        place += 1
    reader.next[where] = place


@outlined
def end_field(reader, number):
    """A field is complete: go to the next one that has bytes."""
    reader.last = number
    part = reader.part
    if part <= HANDLE:
        _end_of_pool(reader, part, number)
    elif part <= ATTRIBUTE_COUNT:
        _end_of_member(reader, part, number)
    elif part <= OTHER:
        _end_of_attribute(reader, part, number)
    elif part <= HANDLERS:
        _end_of_code(reader, part, number)
    else:
        _end_of_table(reader, part, number)


@inline
def _end_of_pool(reader, part, number):
    if part == VERSION:
        version = number & 0xFFFF
        if number >> 16 <= 3 and _LEAST_VERSION <= version and version <= _MOST_VERSION:
            _expect(reader, POOL_COUNT, 2)
        else:
            _expect(reader, OUTSIDE, 4)
    elif part == POOL_COUNT:
        reader.count = number
        reader.index = 0
        for k in range(min(number, MOST_CONSTANTS)):
            reader.tags[k] = 0
            reader.roles[k] = 0
            reader.names[k] = 0
        for where in range(3):
            reader.next[where] = 1
        _next_constant(reader, 1)
    elif part == TAG:
        _begin_constant(reader, number)
    elif part == LENGTH:
        reader.text = 0
        _expect(reader, TEXT, number)
        if number == 0:
            _next_constant(reader, 1)
    elif part == HANDLE:
        _expect_reference(reader, FIRST, 2, IN_POOL)
    elif part in (FIRST, SECOND):
        if number < MOST_CONSTANTS:
            reader.roles[number] = reader.tag << 1 | (part == SECOND)
        _see_reference(reader, IN_POOL, number)
        if part == FIRST and _FIELD <= reader.tag and reader.tag <= _NAME_AND_TYPE:
            _expect_reference(reader, SECOND, 2, IN_POOL)
        else:
            _next_constant(reader, 1)
    else:
        if part == TEXT and reader.index < MOST_CONSTANTS:
            reader.names[reader.index] = _name(reader.text)
        wide = part == CONSTANT and reader.width == 8
        _next_constant(reader, 2 if wide else 1)


@inline
def _name(text):
    if text == _CODE_HASH:
        return _CODE
    if text == _LINES_HASH:
        return _LINES
    if text == _LOCALS_HASH:
        return _LOCALS
    return _LOCAL_TYPES if text == _LOCAL_TYPES_HASH else 0


@outlined
def _next_constant(reader, step):
    reader.index += step
    if reader.index < reader.count:
        _expect(reader, TAG, 1)
    else:
        for where in (IN_CODE, ELSEWHERE):
            reader.next[where] = 0
            _see_reference(reader, where, np.int64(0))
        _expect(reader, ACCESS, 2)


@inline
def _begin_constant(reader, tag):
    reader.tag = tag
    if reader.index < MOST_CONSTANTS:
        reader.tags[reader.index] = tag
    if tag == _TEXT:
        _expect(reader, LENGTH, 2)
    elif tag in (_INTEGER, _FLOAT):
        _expect(reader, CONSTANT, 4)
    elif tag in (_LONG, _DOUBLE):
        _expect(reader, CONSTANT, 8)
    elif (_FIELD <= tag and tag <= _NAME_AND_TYPE) or tag in _OF_ONE_REFERENCE:
        _expect_reference(reader, FIRST, 2, IN_POOL)
    elif tag == _METHOD_HANDLE:
        _expect(reader, HANDLE, 1)
    elif tag in (_DYNAMIC, _INVOKE_DYNAMIC):
        _expect(reader, HANDLE, 2)
    else:
        _expect(reader, OUTSIDE, 4)


@inline
def _end_of_member(reader, part, number):
    if part == ACCESS:
        reader.items = 2
        reader.of_methods = 0
        _expect(reader, CLASS_NAME, 2)
    elif part == CLASS_NAME:
        reader.items -= 1
        _expect(reader, CLASS_NAME if reader.items > 0 else INTERFACE_COUNT, 2)
    elif part in (INTERFACE_COUNT, INTERFACE):
        reader.items = number if part == INTERFACE_COUNT else reader.items - 1
        _expect(reader, INTERFACE if reader.items > 0 else MEMBER_COUNT, 2)
    elif part == MEMBER_COUNT:
        reader.members = number
        _next_member(reader)
    elif part == MEMBER_ACCESS:
        _expect_reference(reader, MEMBER_NAME, 2, ELSEWHERE)
    elif part == MEMBER_NAME:
        _see_reference(reader, ELSEWHERE, number)
        _expect_reference(reader, DESCRIPTOR, 2, ELSEWHERE)
    elif part == DESCRIPTOR:
        _see_reference(reader, ELSEWHERE, number)
        _expect(reader, ATTRIBUTE_COUNT, 2)
    else:
        reader.attributes[reader.depth] = number
        _next_attribute(reader)


@outlined
def _next_member(reader):
    if reader.members > 0:
        reader.members -= 1
        reader.depth = 1
        _expect(reader, MEMBER_ACCESS, 2)
    elif reader.of_methods == 0:
        reader.of_methods = 1
        _expect(reader, MEMBER_COUNT, 2)
    else:
        reader.depth = 0
        _expect(reader, ATTRIBUTE_COUNT, 2)


@outlined
def _next_attribute(reader):
    if reader.depth == 2 and reader.attributes[2] == 0:
        reader.depth = 1
    if reader.attributes[reader.depth] > 0:
        reader.attributes[reader.depth] -= 1
        _expect_reference(reader, ATTRIBUTE_NAME, 2, ELSEWHERE)
    elif reader.depth == 1:
        _next_member(reader)
    else:
        _expect(reader, OUTSIDE, 4)


@inline
def _end_of_attribute(reader, part, number):
    if part == ATTRIBUTE_NAME:
        _see_reference(reader, ELSEWHERE, number)
        reader.name = number
        _expect(reader, ATTRIBUTE_LENGTH, 4)
    elif part == ATTRIBUTE_LENGTH:
        known = reader.name < min(reader.count, MOST_CONSTANTS)
        name = np.int64(reader.names[reader.name]) if known else np.int64(0)
        if name == _CODE and reader.depth == 1:
            _expect(reader, MOST_STACK, 2)
        elif name == _LINES:
            _expect_number(reader, LINE_COUNT, AFTER, (number - 2) // 4)
        elif name in (_LOCALS, _LOCAL_TYPES):
            _expect_number(reader, LOCAL_COUNT, AFTER, (number - 2) // 10)
        elif number == 2:
            _expect_reference(reader, REFERRED, 2, ELSEWHERE)
        elif number > 0:
            _expect(reader, OTHER, number)
        else:
            _next_attribute(reader)
    else:
        if part == REFERRED:
            _see_reference(reader, ELSEWHERE, number)
        _next_attribute(reader)


@inline
def _end_of_code(reader, part, number):
    if part == MOST_STACK:
        _expect(reader, MOST_LOCALS, 2)
    elif part == MOST_LOCALS:
        _expect(reader, CODE_LENGTH, 4)
    elif part == CODE_LENGTH:
        reader.code_begins = reader.place
        reader.code_length = number
        for k in range(min(number + 1, MOST_PLACES)):
            reader.instructions[k] = 0
        reader.opcode = 0
        _next_instruction(reader)
    elif part == OPCODE:
        _begin_instruction(reader, number)
    elif part == WIDE_OPCODE:
        _expect(reader, OPERAND, 4 if number == _IINC else 2)
    elif part == CONSTANT_USED:
        _see_reference(reader, IN_CODE, number)
        more = (_OPERAND_BYTES[reader.opcode] & 15) - reader.width
        if more > 0:
            _expect(reader, OPERAND, np.int64(more))
        else:
            _next_instruction(reader)
    elif part == SWITCH_PADDING:
        _expect(reader, SWITCH_DEFAULT, 4)
    elif part == SWITCH_DEFAULT:
        _expect(reader, SWITCH_LOW, 4)
    elif part == SWITCH_LOW and reader.opcode == _TABLE_SWITCH:
        reader.low = number
        _expect(reader, SWITCH_HIGH, 4)
    elif part == SWITCH_LOW:
        _expect_jumps(reader, 8 * number)
    elif part == SWITCH_HIGH:
        _expect_jumps(reader, 4 * ((number - reader.low & 0xFFFFFFFF) + 1))
    elif part == HANDLER_COUNT and number > 0:
        _expect(reader, HANDLERS, 8 * number)
    elif part in (HANDLER_COUNT, HANDLERS):
        reader.depth = 2
        _expect(reader, ATTRIBUTE_COUNT, 2)
    else:
        _next_instruction(reader)


@inline
def _expect_jumps(reader, size):
    left = reader.code_length - (reader.place - reader.code_begins)
    if min(size, left) > 0:
        _expect(reader, SWITCH_JUMPS, min(size, left))
    else:
        _next_instruction(reader)


@outlined
def _next_instruction(reader):
    place = reader.place - reader.code_begins
    if place < MOST_PLACES:
        reader.ended[place] = reader.opcode
    if place < reader.code_length:
        _expect(reader, OPCODE, 1)
    else:
        _expect(reader, HANDLER_COUNT, 2)


@inline
def _begin_instruction(reader, opcode):
    reader.opcode = opcode
    place = reader.place - reader.code_begins
    if place <= MOST_PLACES:
        reader.instructions[place - 1] = min(opcode + 1, 255)
    size = np.int64(_OPERAND_BYTES[opcode])
    if size > 16:
        _expect_reference(reader, CONSTANT_USED, 1 if opcode == _LDC else 2, IN_CODE)
    elif size > 0:
        _expect(reader, OPERAND, size)
    elif opcode in (_TABLE_SWITCH, _LOOKUP_SWITCH):
        padding = -place & 3
        if padding > 0:
            _expect(reader, SWITCH_PADDING, padding)
        else:
            _expect(reader, SWITCH_DEFAULT, 4)
    elif opcode == _WIDE:
        _expect(reader, WIDE_OPCODE, 1)
    else:
        _next_instruction(reader)


@inline
def _end_of_table(reader, part, number):
    if part == LINE_COUNT:
        reader.items = number
        reader.line_place = 0
        _next_item(reader, LINE_PLACE)
    elif part == LINE_PLACE:
        reader.line_place = number
        _expect_number(reader, LINE, AFTER, reader.line)
    elif part == LINE:
        reader.line = number
        _next_item(reader, LINE_PLACE)
    elif part == LOCAL_COUNT:
        reader.items = number
        _next_item(reader, LOCAL_START)
    elif part == LOCAL_START:
        _expect_number(reader, LOCAL_LENGTH, BEFORE, reader.code_length - number)
    elif part == LOCAL_LENGTH:
        _expect_reference(reader, LOCAL_NAME, 2, ELSEWHERE)
    elif part == LOCAL_SLOT:
        _next_item(reader, LOCAL_START)
    else:
        _see_reference(reader, ELSEWHERE, number)
        if part == LOCAL_NAME:
            _expect_reference(reader, LOCAL_TYPE, 2, ELSEWHERE)
        else:
            _expect(reader, LOCAL_SLOT, 2)


@outlined
def _next_item(reader, part):
    if reader.items == 0:
        _next_attribute(reader)
        return
    reader.items -= 1
    if part == LINE_PLACE:
        _expect_number(reader, part, AFTER, reader.line_place)
    else:
        _expect(reader, part, 2)
