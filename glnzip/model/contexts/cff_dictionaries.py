"""Dictionaries of compact fonts: which part of a number or operator comes next.

Numbers stand before the operator that they belong to (Adobe Technical Note 5176, "The Compact Font
Format Specification", chapter 4).
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts.charstrings import (
    ESCAPE,
    PAIR,
    SECOND_BYTE,
    WORD,
    ZERO,
    expect,
    number_of_pair,
)
from glnzip.model.contexts.outlines import signed_word

_TOKEN, _SECOND, _PAIR, _WORD, _LONG, _REAL = range(6)
_LONG_SIGN, _REAL_SIGN = 29, 30  # first bytes of tokens
_FIRST_OF_NUMBERS = 22  # that no operator begins with
_LAST_DIGITS = 15  # half a byte, which ends a number of decimal digits
NONE = 1 << 8

DICTIONARY = np.dtype(
    [
        ("part", np.int64),
        ("left", np.int64),  # bytes of the number that come
        ("number", np.int64),  # its bytes so far
        ("operator", np.int64),  # the last one
        ("depth", np.int64),  # numbers since
        ("numbers", np.int64, 2),  # the last two, newest first
    ]
)


@inline
def begin_dictionary(dictionary):
    """Another dictionary begins."""
    dictionary.part = _TOKEN
    dictionary.number = 0
    dictionary.operator = 0
    dictionary.depth = 0
    dictionary.numbers[0] = 0
    dictionary.numbers[1] = 0


@inline
def see_dictionary(dictionary, byte):
    """A byte of a dictionary; returns the operator that ends with it, or `NONE`."""
    part = dictionary.part
    if part == _TOKEN:
        return _begin_token(dictionary, byte)
    if part == _SECOND:
        dictionary.part = _TOKEN
        return _end_entry(dictionary, SECOND_BYTE | byte & 63)
    if part == _REAL:
        if byte & _LAST_DIGITS == _LAST_DIGITS:
            _add_number(dictionary, np.int64(0))
        return np.int64(NONE)
    dictionary.number = dictionary.number << 8 | byte
    dictionary.left -= 1
    if dictionary.left == 0:
        _add_number(dictionary, _number(part, dictionary.number))
    return np.int64(NONE)


@inline
def _begin_token(dictionary, byte):
    dictionary.number = 0
    if byte == ESCAPE:
        dictionary.part = _SECOND
    elif byte < _FIRST_OF_NUMBERS:
        return _end_entry(dictionary, byte)
    elif byte == _REAL_SIGN:
        dictionary.part = _REAL
    elif byte == WORD:
        expect(dictionary, _WORD, np.int64(2))
    elif byte == _LONG_SIGN:
        expect(dictionary, _LONG, np.int64(4))
    elif byte < PAIR:
        _add_number(dictionary, byte - ZERO)
    else:
        expect(dictionary, _PAIR, np.int64(1))
        dictionary.number = byte
    return np.int64(NONE)


@inline
def _number(part, number):
    if part == _PAIR:
        return number_of_pair(number)
    if part == _WORD:
        return signed_word(number)
    return (number ^ 0x80000000) - 0x80000000


@inline
def _add_number(dictionary, number):
    dictionary.part = _TOKEN
    dictionary.numbers[1] = dictionary.numbers[0]
    dictionary.numbers[0] = number
    dictionary.depth += 1


@inline
def _end_entry(dictionary, operator):
    dictionary.operator = operator
    dictionary.depth = 0
    return operator
