"""Features of fields: what the line above had in the same place of a table, a log or a list.

A *field* is the part of a line between two commas, semicolons, tabs, bars or runs of spaces; and
between slashes, if the line above had none of these: then it is a list of paths or addresses.
Fields differ in length, so what stands right above in the column is not what stands in the same
place of the same field.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import tokens
from glnzip.model.contexts.syntax import SIGNS, is_prose
from glnzip.model.hashing import hashed_pair

# These are 0 in prose, as those of `syntax` are, unless many bytes are as in the field above.
(
    FIELD_SO_FAR,  # hash of the field's number in its line, and of the field so far
    FIELD_ABOVE,  # that number, whether the two agree so far, and the bytes of the field above
    FIELD_AFTER,  # hash of the field so far, of the whole one above, and of the number
    END,  # the first number of the next module of features
) = range(tokens.END, tokens.END + 4)

FIELDS_OF_LINE = 64  # that are told apart; later ones count as the last
_HITS_BITS = 12
_HITS_SHIFT = 6  # the share of hits is that of about the last 64 bytes
_MANY_HITS = 600  # in 1/4096

FIELDS = np.dtype(
    [
        ("number", np.int64),  # of the present field in its line
        ("field", np.int64),  # hash of its bytes so far, 0 before the first
        ("start", np.int64),  # position of its first byte
        ("agrees", np.int64),  # 1 if the field above began with the same bytes
        ("expected", np.int64),  # the byte that stands in the same place above
        ("hits", np.int64),  # the share of bytes that were as expected, in 1/4096
        ("parted", np.int64),  # 1 if this line has had what parts fields, slashes apart
        ("slashes", np.int64),  # 1 if slashes part the fields of this line, too
        ("starts", np.int64, FIELDS_OF_LINE),  # of the fields of this line
        ("above", np.int64, FIELDS_OF_LINE),  # and of the line above; at its end if it had fewer
        ("values", np.int64, FIELDS_OF_LINE),  # hash of the last whole field of each number
    ]
)


@inline
def see_field(recent, byte):
    """Bring these features up to date after `byte`, as `features.see_byte` does the others."""
    fields = recent.fields[0]
    position = recent.now[0].position
    hit = byte == fields.expected
    fields.hits += (hit << _HITS_BITS) - fields.hits >> _HITS_SHIFT
    blank = byte == 32
    mark = byte == 44 or byte == 59 or byte == 9 or byte == 124  # , ; tab |
    if mark or blank:
        fields.parted = 1
    if byte == 10:
        _end_line(fields, position)
    elif mark or (blank and fields.field != 0) or (byte == 47 and fields.slashes == 1):
        fields.values[fields.number] = fields.field
        _begin_field(fields, min(fields.number + 1, FIELDS_OF_LINE - 1), position)
    elif blank:
        _begin_field(fields, fields.number, position)
    else:
        fields.field = hashed_pair(fields.field, byte)
        if not hit:
            fields.agrees = 0
    _combine(recent, fields, position)


@inline
def _end_line(fields, position):
    fields.values[fields.number] = fields.field
    for k in range(FIELDS_OF_LINE):
        fields.above[k] = fields.starts[k] if k <= fields.number else position - 1
    fields.slashes = 1 - fields.parted
    fields.parted = 0
    _begin_field(fields, 0, position)


@inline
def _begin_field(fields, number, position):
    fields.number = number
    fields.field = 0
    fields.start = position
    fields.starts[number] = position
    fields.agrees = 1


@inline
def _combine(recent, fields, position):
    features, mask = recent.features, recent.buffer.size - 1
    number = fields.number
    last = position - 1  # what comes after it is not known yet
    at = min(fields.above[number] + position - fields.start, last)
    ahead = min(at + 1, last)
    fields.expected = np.int64(recent.buffer[at & mask])
    if is_prose(features[SIGNS]) and fields.hits < _MANY_HITS:
        features[FIELD_SO_FAR] = 0
        features[FIELD_ABOVE] = 0
        features[FIELD_AFTER] = 0
    else:
        above = np.int64(recent.buffer[ahead & mask]) << 8 | fields.expected
        features[FIELD_SO_FAR] = hashed_pair(number, fields.field)
        features[FIELD_ABOVE] = number << 17 | fields.agrees << 16 | above
        after = hashed_pair(fields.field, fields.values[number])
        features[FIELD_AFTER] = hashed_pair(after, number)
