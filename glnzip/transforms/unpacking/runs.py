"""Where bytes are written as text (`texts`): long words, or lines of one width, of an alphabet.

A run begins with `_LEAST_WORD` characters. To see that there are none, a few of so many bytes are
looked at, so the search costs next to nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, kernel
from glnzip.transforms.unpacking.parts import (
    ASCII85,
    BASE64,
    BASE64_URL,
    HEX_LOWER,
    HEX_UPPER,
    MOST_SEPARATOR,
)
from glnzip.transforms.unpacking.texts import Lines

_LEAST_WORD = 32  # characters that a run begins with
_LEAST_RUN = 160  # characters; what is shorter is there by chance, or not worth it
_LEAST_DIGITS = 2048  # of hexadecimal ones; a model sees as much in fewer of them
_LEAST_KINDS = 24  # different ones in base64 and ASCII85; words and numbers have fewer

_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL = _CAPITALS.lower()
_DIGITS = "0123456789"
_BASE64 = _CAPITALS + _SMALL + _DIGITS + "+/-_"
_HALF = 48  # of an alphabet: characters that a mask has bits for; another has the others

START, COUNT, END, ENDS, FIRST, WIDTH, SEPARATOR, LOW, HIGH = range(9)
"""What is known of a run: as in `Run` and `Lines`; which characters there are, a bit for each."""


def _values(alphabet: str) -> Any:
    """For each byte 1 more than its place in an alphabet, or 0."""
    values = np.zeros(256, np.uint8)
    values[np.frombuffer(alphabet.encode(), np.uint8)] = np.arange(1, len(alphabet) + 1)
    return values


def _bits(characters: str) -> tuple[int, int]:
    """Masks of characters of base64: low, high."""
    bits = sum(1 << _BASE64.index(character) for character in characters)
    return bits & (1 << _HALF) - 1, bits >> _HALF


WORDS = _values(_BASE64)
CODE85 = _values("".join(map(chr, range(33, 118))) + "z")
"""The alphabets: base64, of which hexadecimal digits are a part; ASCII85."""

_OF_CAPITALS = _bits(_CAPITALS)[0]
_OF_A_TO_F = _bits("ABCDEF")[0]
_OF_SMALL_A_TO_F = _bits("abcdef")[0]
_OF_SMALL = _bits(_SMALL)
_OF_DIGITS = _bits(_DIGITS)[1]
_OF_STANDARD = _bits("+/")[1]
_OF_URL = _bits("-_")[1]


class Run(NamedTuple):
    """Text that stands for bytes, perhaps."""

    kind: int
    start: int
    end: int
    characters: int
    """How many, without what separates lines."""
    lines: Lines
    ends: bool
    """Whether its end is there, and not that of the data that are known."""


def next_run(buffer: Any, at: int, end: int, values: Any) -> Run | None:
    """The first run in a range of a buffer.

    Parameters
    ----------
    buffer : uint8[:]
    at, end : int
    values : uint8[256]
        The alphabet: `WORDS` or `CODE85`.
    """
    known = np.zeros(9, np.int64)
    kind = int(_find(buffer, at, end, values, values is CODE85, known))
    if kind < 0:
        return None
    start, count, stop, ends, first, width, between, _, _ = map(int, known)
    separator = buffer[start + first : start + first + between].tobytes()
    return Run(kind, start, stop, count, Lines(separator, width, first), ends == 1)


@kernel
def _find(data, at, end, values, is_85, run):
    """Look for a run: its kind, or -1 if there is none."""
    start = _next_word(data, at, end, values)
    while start >= 0:
        if not is_85:
            start = _after_sign(data, start)
        _measure(data, start, end, values, is_85, run)
        if run[COUNT] >= _LEAST_RUN:
            kind = _kind_85(data, end, run) if is_85 else _kind(run[LOW], run[HIGH])
            if kind in (HEX_LOWER, HEX_UPPER):
                worth = run[COUNT] >= _LEAST_DIGITS
            else:
                worth = kind == ASCII85 or (kind >= 0 and not _is_words(data, run))
            if worth:
                return kind
        start = _next_word(data, run[END], end, values)
    return np.int64(-1)


@inline
def _next_word(data, at, end, values):
    """The first place from `at` on with `_LEAST_WORD` characters in a row, or -1."""
    start = np.int64(at)
    known = start  # up to here all from `start` on are of the alphabet
    while start + _LEAST_WORD <= end:
        place = start + _LEAST_WORD - 1
        while place >= known and values[data[place]] != 0:
            place -= 1
        if place < known:
            return start
        known = start + _LEAST_WORD
        start = place + 1
    return np.int64(-1)


@inline
def _after_sign(data, at):
    """The place behind `0x` or `x`, if hexadecimal digits follow."""
    begin = np.int64(at)
    if data[begin] == 0x30:  # 0
        begin += 1
    if data[begin] != 0x78:  # x
        return np.int64(at)
    begin += 1
    for i in range(begin, at + _LEAST_WORD):
        byte = np.int64(data[i])
        letter = byte | 0x20
        if not (0x30 <= byte <= 0x39 or 0x61 <= letter <= 0x66):  # 0 to 9, a to f
            return np.int64(at)
    return begin


@inline
def _measure(data, start, end, values, is_85, run):
    """See how far the run goes that begins at a place."""
    run[LOW] = 0
    run[HIGH] = 0
    stop = _line(data, start, end, values, run)
    first = stop - start
    mark = stop
    between = _separator(data, stop, end)
    width = first
    count = first
    while between > 0 and _same(data, mark, stop, between, end):
        low = run[LOW]
        high = run[HIGH]
        begin = stop + between
        is_second = count == first
        # The second line may be longer: then it shows the width. Others end the run before them.
        after = _line(data, begin, end if is_second else min(end, begin + width + 1), values, run)
        length = after - begin
        other = False
        if not is_85 and (run[LOW] != low or run[HIGH] != high):
            other = _is_other(low, high, count, run)
        if length == 0 or other or (length > width and not is_second):
            run[LOW] = low
            run[HIGH] = high
            break
        count += length
        stop = after
        if length < width:
            break
        width = length
    run[START] = start
    run[COUNT] = count
    run[END] = stop
    run[ENDS] = 1 if stop < end else 0
    run[FIRST] = first
    run[WIDTH] = width
    run[SEPARATOR] = between if count > first else 0


@inline
def _is_other(low, high, count, run):
    """Whether a line has characters that do not go with those before it."""
    if run[HIGH] & _OF_STANDARD != 0 and run[HIGH] & _OF_URL != 0:
        return True
    kind = _kind(low, high)
    if kind not in (HEX_LOWER, HEX_UPPER) or count < _LEAST_DIGITS:
        return False
    return _kind(run[LOW], run[HIGH]) != kind


@inline
def _line(data, at, end, values, run):
    """The place behind the characters at a place; which there are goes into the masks."""
    place = np.int64(at)
    low = run[LOW]
    high = run[HIGH]
    while place < end:
        value = np.int64(values[data[place]]) - 1
        if value < 0:
            break
        if value < _HALF:
            low |= np.int64(1) << value
        else:
            high |= np.int64(1) << (value - _HALF)
        place += 1
    run[LOW] = low
    run[HIGH] = high
    return place


@inline
def _separator(data, at, end):
    """How long that is what ends a line: CR, LF, and an indent, or a word for them; 0 if none."""
    place = np.int64(at)
    if place < end and data[place] == 0x0D:
        place += 1
    if place < end and data[place] == 0x0A:
        place += 1
    if place > at:
        while place < end and place - at < MOST_SEPARATOR and data[place] in (0x20, 0x09):
            place += 1
        return place - at
    if at + 5 <= end:
        if data[at] == 0x5C:  # \n, \r\n: strings of JSON and of programs
            if data[at + 1] == 0x6E:
                return np.int64(2)
            if data[at + 1] == 0x72 and data[at + 2] == 0x5C and data[at + 3] == 0x6E:
                return np.int64(4)
        elif data[at] == 0x26 and data[at + 1] == 0x23 and data[at + 4] == 0x3B:  # &#10; in XML
            return np.int64(5)
    return np.int64(0)


@inline
def _same(data, one, other, count, end):
    """Whether so many bytes are the same at two places."""
    same = np.int64(0)
    while same < count and other + same < end and data[one + same] == data[other + same]:
        same += 1
    return same == count


@inline
def _kind(low, high):
    """What a text is that has such characters; -1 if it is none."""
    letters = low & ~_OF_A_TO_F & ~_OF_SMALL_A_TO_F
    kind = np.int64(-1)
    if high & _OF_DIGITS == 0:
        return kind
    if letters == 0 and high & ~_OF_DIGITS == 0:
        if low & _OF_SMALL_A_TO_F == 0 and low != 0:
            return np.int64(HEX_UPPER)
        if low & _OF_A_TO_F == 0 and low != 0:
            return np.int64(HEX_LOWER)
    if low & _OF_CAPITALS == 0 or (low & _OF_SMALL[0] == 0 and high & _OF_SMALL[1] == 0):
        return kind
    if _how_many(low) + _how_many(high) < _LEAST_KINDS:
        return kind
    if high & _OF_URL == 0:
        kind = np.int64(BASE64)
    elif high & _OF_URL == _OF_URL and high & _OF_STANDARD == 0:  # names have _ alone
        kind = np.int64(BASE64_URL)
    return kind


@inline
def _is_words(data, run):
    """Whether capitals or digits are rare among small letters."""
    capitals = np.int64(0)
    small = np.int64(0)
    digits = np.int64(0)
    for i in range(run[START], run[END]):
        byte = data[i]
        if 0x61 <= byte <= 0x7A:
            small += 1
        elif 0x41 <= byte <= 0x5A:
            capitals += 1
        elif 0x30 <= byte <= 0x39:
            digits += 1
    return 8 * capitals < small or 32 * digits < small


@inline
def _kind_85(data, end, run):
    """The same for ASCII85: its end must be there, or else what is known must look like it."""
    at = run[END]
    at += _separator(data, at, end)
    if at + 1 < end:
        run[ENDS] = 1
        seen = data[at] == 0x7E and data[at + 1] == 0x3E  # ~>
    else:
        run[ENDS] = 0
        seen = _how_many(run[LOW]) + _how_many(run[HIGH]) >= _LEAST_KINDS
    return np.int64(ASCII85) if seen else np.int64(-1)


@inline
def _how_many(mask):
    """Bits that are 1."""
    count = np.int64(0)
    rest = np.int64(mask)
    while rest != 0:
        rest &= rest - 1
        count += 1
    return count
