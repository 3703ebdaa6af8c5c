"""Text in quoted-printable (RFC 2045, section 6.7) as the text that it stands for.

A byte is written as it is or as ``=`` and two digits, and a long line is broken by a ``=`` at its
end. Which bytes are quoted and where lines break is left to each program; so both are expected by
what is usual (`Manner`), and what is otherwise is told beside the text.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.jit import inline, kernel
from glnzip.jit.records import new_records
from glnzip.transforms.unpacking.parts import MOST_BYTES

MOST_LINE = 76
"""Characters of a line at most, says RFC 2045; longer ones are not taken for such text."""

ANYWHERE, BEHIND_SPACES, BETWEEN_CHARACTERS = range(3)
"""Where a line may be broken: behind any byte; behind its last space, if it has one; not within a
character of UTF-8."""

MOST_OTHERS = 256
"""Bytes that have another form than the usual one."""

_PLAIN, _QUOTED, _ENDING = range(3)  # forms of a byte: as it is, quoted, as it is in a line's end
_IDLE_LINES = 64  # lines in a row with nothing quoted: the text has ended before them
_TAB, _LF, _CR, _SPACE, _EQUALS, _DELETE = 9, 10, 13, 32, 61, 127


class Manner(NamedTuple):
    """How a text is written in quoted-printable."""

    crlf: bool
    """Whether lines end with CR and LF, and not LF alone."""
    small: bool
    """Whether digits are small letters."""
    breaks: int
    soft: int
    """Characters before the ``=`` of a line that is broken, at most."""
    hard: int
    """Characters of a line that is not broken, at most."""
    others: bytes
    """Those that are quoted though they need not be, or the other way about."""
    toggled: Any
    """uint8[bytes of the text]: 1 for each whose form is not the one expected."""
    moves: Any
    """int64[:, 2]: for each line that is not broken as expected, its number and by how many bytes
    farther on it is broken."""


def quoted(text: bytes, manner: Manner) -> bytes:
    """A text in quoted-printable.

    Raises
    ------
    CorruptStreamError
        If a line is to be broken where there is none, or too many data would come of it.
    """
    data = np.frombuffer(text, np.uint8)
    forms = np.zeros(data.size, np.uint8)
    _settle_forms(data, _table(manner.others), manner.crlf, forms, manner.toggled, False)
    style = _style(manner)
    size = int(_write(data, forms, style, manner.moves, np.zeros(0, np.uint8)))
    if size < 0:
        raise CorruptStreamError("a recipe does not fit its content")
    if size > MOST_BYTES:
        raise CorruptStreamError("a recipe makes too many data")
    out = np.zeros(size, np.uint8)
    _write(data, forms, style, manner.moves, out)
    return out.tobytes()


class Unquoted(NamedTuple):
    """What quoted-printable stands for."""

    size: int
    """How many bytes of it were read; whole lines."""
    text: bytes
    manner: Manner
    saved: int
    """Characters that are gone."""
    ends: bool
    """Whether the text had ended before the buffer did."""


def unquoted(buffer: Any, start: int, end: int) -> Unquoted:
    """Read quoted-printable at a place of a buffer, as far as it goes.

    Parameters
    ----------
    buffer : uint8[:]
    start, end : int
    """
    text = np.zeros(end - start, np.uint8)
    forms = np.zeros(end - start, np.uint8)
    broken = np.zeros(end - start + 1, np.uint8)
    reader, kept = (new_records(1, READER) for _ in range(2))
    reader[0]["crlf"] = reader[0]["small"] = -1
    _read(buffer[start:end], text, forms, broken, reader, kept)
    found = kept[0]
    count = int(found["count"])
    text, forms, broken = text[:count], forms[:count], broken[: count + 1]
    crlf, small = bool(found["crlf"] == 1), bool(found["small"] == 1)
    toggled = np.zeros(count, np.uint8)
    _settle_forms(text, _table(b""), crlf, forms, toggled, True)
    others = _more_often(text, forms, toggled)
    _settle_forms(text, _table(others), crlf, forms, toggled, True)
    manners = []
    for breaks in (ANYWHERE, BEHIND_SPACES, BETWEEN_CHARACTERS):
        style = np.array([crlf, small, breaks, found["soft"], found["hard"]], np.int64)
        moves = np.zeros((int(found["breaks"]), 2), np.int64)
        moves = moves[: int(_see_moves(text, forms, style, broken, moves))]
        manners.append((len(moves), style, moves))
    _, style, moves = min(manners, key=lambda manner: manner[0])
    _, _, breaks, soft, hard = map(int, style)
    manner = Manner(crlf, small, breaks, soft, hard, others, toggled, moves)
    size = int(found["at"])
    return Unquoted(size, text.tobytes(), manner, size - count, bool(reader[0]["ended"]))


def _more_often(text: Any, forms: Any, toggled: Any) -> bytes:
    """Those bytes that have another form than the one expected more often than not."""
    wrong = np.bincount(text[toggled == 1], minlength=256)
    all_of_them = np.bincount(text[forms != _ENDING], minlength=256)
    wrong[[_CR, _LF]] = 0
    return bytes(np.flatnonzero(2 * wrong > all_of_them).tolist())


def _table(others: bytes) -> Any:
    """The same, 1 for each of them."""
    table = np.zeros(256, np.uint8)
    table[list(others)] = 1
    return table


def _style(manner: Manner) -> Any:
    numbers = [manner.crlf, manner.small, manner.breaks, manner.soft, manner.hard]
    return np.array(numbers, np.int64)


READER = np.dtype(
    [
        ("at", np.int64),  # bytes that were read ...
        ("count", np.int64),  # ... and bytes of text that came of them
        ("start", np.int64),  # of the present line
        ("idle", np.int64),  # lines in a row with nothing quoted
        ("crlf", np.int64),  # as in `Manner`, -1 if it is not known yet
        ("small", np.int64),  # the same
        ("soft", np.int64),
        ("hard", np.int64),
        ("breaks", np.int64),  # lines that are broken
        ("used", np.bool_),  # whether anything is quoted since the last line that was kept
        ("ended", np.bool_),  # what comes is no quoted-printable
        ("cut", np.bool_),  # the data end within an escape
    ]
)


@kernel
def _read(data, text, forms, broken, reader, kept):
    """Read lines; `kept` is the reader after the last one that has anything quoted in it.

    Parameters
    ----------
    data : uint8[:]
    text, forms, broken : uint8[:]
        Receive the text, the form of each byte, and 1 for each before which a line is broken.
    reader, kept : READER[1]
    """
    now = reader[0]
    while now.at < data.size and not (now.ended or now.cut):
        feed = _ending(data, now.at)
        if feed > 0:
            if not _ends_otherwise(now, feed):
                _take_line_end(now, data, text, forms, feed)
                if now.used:
                    now.used = False
                    kept[0] = reader[0]
        elif data[now.at] == _EQUALS:
            now.used = True
            feed = _ending(data, now.at + 1)
            if feed > 0:
                _take_break(now, broken, feed)
            else:
                _take_escape(now, data, text, forms)
        elif _may_be_plain(np.int64(data[now.at])):
            _take(now, text, forms, data[now.at], _PLAIN, 1)
        else:
            now.ended = True
        if now.at - now.start > MOST_LINE:
            now.ended = True


@inline
def _take(now, text, forms, byte, form, size):
    """A byte of text was written in so many bytes."""
    text[now.count] = byte
    forms[now.count] = form
    now.count += 1
    now.at += size


@inline
def _take_line_end(now, data, text, forms, feed):
    """A line ends in one byte or in two."""
    now.hard = max(now.hard, now.at - now.start)
    for _ in range(feed):
        _take(now, text, forms, data[now.at], _ENDING, 1)
    now.start = now.at
    now.idle = 0 if now.used else now.idle + 1
    now.ended = now.idle > _IDLE_LINES


@inline
def _take_break(now, broken, feed):
    """A line is broken here; its end has one byte or two behind the equals sign."""
    if now.at == now.start:
        now.ended = True
    elif not _ends_otherwise(now, feed):
        now.soft = max(now.soft, now.at - now.start)
        broken[now.count] = 1
        now.breaks += 1
        now.at += 1 + feed
        now.start = now.at


@inline
def _ends_otherwise(now, feed):
    """Whether other lines have another end: then the text has ended before."""
    now.ended = now.crlf >= 0 and feed - 1 != now.crlf
    if not now.ended:
        now.crlf = feed - 1
    return now.ended


@inline
def _take_escape(now, data, text, forms):
    """An equals sign and two digits."""
    now.cut = now.at + 3 > data.size
    if now.cut:
        return
    high, low = _digit(data[now.at + 1]), _digit(data[now.at + 2])
    now.ended = high < 0 or low < 0 or _is_otherwise(now, high) or _is_otherwise(now, low)
    if not now.ended:
        _take(now, text, forms, (high & 15) << 4 | low & 15, _QUOTED, 3)


@inline
def _is_otherwise(now, digit):
    """Whether a digit is a small letter and others are not, or the other way about."""
    if digit <= 9:
        return False
    otherwise = now.small >= 0 and now.small != digit >> 4
    now.small = digit >> 4
    return otherwise


@inline
def _ending(data, at):
    """How many bytes end a line at a place: CR and LF, LF, or none."""
    if at < data.size and data[at] == _LF:
        return np.int64(1)
    if at + 1 < data.size and data[at] == _CR and data[at + 1] == _LF:
        return np.int64(2)
    return np.int64(0)


@inline
def _digit(byte):
    """The value of a hexadecimal digit, 16 more of a small letter; -1 if it is none."""
    if 0x30 <= byte <= 0x39:
        return np.int64(byte) - 0x30
    if 0x41 <= byte <= 0x46:
        return np.int64(byte) - 0x37
    if 0x61 <= byte <= 0x66:
        return np.int64(byte) - 0x57 + 16
    return np.int64(-1)


@inline
def _may_be_plain(byte):
    """Whether RFC 2045 lets a byte stand as it is, within a line."""
    return (_SPACE <= byte and byte < _DELETE and byte != _EQUALS) or byte == _TAB


@kernel
def _settle_forms(data, others, crlf, forms, toggled, tells):
    """The form of each byte, from what is toggled; or the other way about, if forms tell that.

    Parameters
    ----------
    data : uint8[:]
    others : uint8[256]
    crlf : bool
    forms, toggled : uint8[:]
        One of them is filled in.
    tells : bool
    """
    k = np.int64(0)
    while k < data.size:
        byte = np.int64(data[k])
        feed = _ending(data, k)
        if feed == (2 if crlf else 1):
            expected = np.int64(_ENDING)
        else:
            feed = np.int64(0)
            plain = _may_be_plain(byte) != (others[byte] == 1)
            if byte in (_SPACE, _TAB):  # none may end a line
                plain = plain and k + 1 < data.size and _ending(data, k + 1) != (2 if crlf else 1)
            expected = np.int64(_PLAIN) if plain else np.int64(_QUOTED)
        if tells:
            toggled[k] = 1 if forms[k] != expected else 0
        else:
            forms[k] = expected
            if toggled[k] == 1:
                forms[k] = _PLAIN if expected == _QUOTED else _QUOTED
        if feed == 2 and forms[k] == _ENDING:
            k += 1
            forms[k] = _ENDING
            if tells:
                toggled[k] = 0
        k += 1


@inline
def _expected_line(data, forms, style, start):
    """Where a line that begins at a place would end, and where it would be broken.

    Returns
    -------
    int, int
        The first one is 0 if it would be too long, and so has to be broken.
    """
    most, hard = style[3], max(style[3], style[4])
    width = np.int64(0)
    place = np.int64(start)
    broken = place + 1
    spaced = place
    while place < data.size and forms[place] != _ENDING:
        width += 3 if forms[place] == _QUOTED else 1
        if width > hard:
            break
        place += 1
        if width <= most:
            broken = place
            if data[place - 1] == _SPACE:
                spaced = place
    if style[2] == BEHIND_SPACES and spaced > start:
        broken = spaced
    if style[2] == BETWEEN_CHARACTERS:
        first = broken
        while first > start and first < data.size and data[first] & 0xC0 == 0x80:
            first -= 1
        if first > start:
            broken = first
    if width > hard:
        return np.int64(0), broken
    if place < data.size:
        place += 1 + style[0]
    return place, broken


@kernel
def _see_moves(data, forms, style, broken, moves):
    """Find the lines that are not broken as expected; return how many there are."""
    count = np.int64(0)
    line = np.int64(0)
    start = np.int64(0)
    while start < data.size:
        whole, place = _expected_line(data, forms, style, start)
        stop = start + 1
        while stop < data.size and broken[stop] == 0 and not _is_line_end(data, forms, stop - 1):
            stop += 1
        if broken[stop] == 1 and (whole > 0 or stop != place):
            moves[count, 0] = line
            moves[count, 1] = stop - place
            count += 1
        start = stop
        line += 1
    return count


@inline
def _is_line_end(data, forms, place):
    """Whether a byte is the last one of a line's end."""
    return forms[place] == _ENDING and data[place] == _LF


@kernel
def _write(data, forms, style, moves, out):
    """Write lines into `out`, if it is not empty; return how many bytes they are.

    -1 if a line cannot be broken where it should be.
    """
    size = np.int64(0)
    line = np.int64(0)
    moved = np.int64(0)
    start = np.int64(0)
    while start < data.size:
        stop, place = _expected_line(data, forms, style, start)
        breaks = stop == 0
        if moved < moves.shape[0] and moves[moved, 0] == line:
            place += moves[moved, 1]
            moved += 1
            breaks = True
            if place <= start or place > data.size or _ends_before(forms, start, place):
                return np.int64(-1)
        if breaks:
            stop = place
        for k in range(start, stop):
            size = _put(out, size, data[k], forms[k] == _QUOTED, style[1])
        if breaks:
            size = _put(out, size, _EQUALS, False, style[1])
            if style[0] == 1:
                size = _put(out, size, _CR, False, style[1])
            size = _put(out, size, _LF, False, style[1])
        start = stop
        line += 1
    return size if moved == moves.shape[0] else np.int64(-1)


@inline
def _ends_before(forms, start, stop):
    """Whether a line ends within a range."""
    place = np.int64(start)
    while place < stop and forms[place] != _ENDING:
        place += 1
    return place < stop


@inline
def _put(out, size, byte, quotes, small):
    """Write a byte, if there is room for any; return the size then."""
    if not quotes:
        if out.size > 0:
            out[size] = byte
        return size + 1
    if out.size > 0:
        out[size] = _EQUALS
        out[size + 1] = _character(np.int64(byte) >> 4, small)
        out[size + 2] = _character(np.int64(byte) & 15, small)
    return size + 3


@inline
def _character(value, small):
    """The hexadecimal digit of a value."""
    if value < 10:
        return np.uint8(0x30 + value)
    return np.uint8((0x57 if small == 1 else 0x37) + value)
