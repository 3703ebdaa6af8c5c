"""A deflate stream taken apart into tokens and blocks, and put together again (RFC 1951).

A *token* is what the stream says next: a literal or a match, as one number,
``length << 16 | distance`` or ``0 << 16 | byte``. `read_stream` finds tokens, the data that they
stand for, and one row for each block; `write_block` writes what it was told in the very same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, kernel
from glnzip.transforms.deflate.bits import SPARE, peek, read_bits, write_bits
from glnzip.transforms.deflate.codes import (
    CODE_LENGTHS,
    DISTANCE_BASE,
    DISTANCE_EXTRA,
    END,
    FIXED_DISTANCES,
    FIXED_LITERALS,
    LENGTH_BASE,
    LENGTH_CODE,
    LENGTH_EXTRA,
    ORDER,
    TABLE,
    distance_code,
    fill_table,
    reversed_codes,
)
from glnzip.transforms.deflate.scratch import new_scratch

STORED, FIXED, DYNAMIC = range(3)

# Columns of a block's row
KIND, LAST, TOKENS_END, DATA_END, HEADER, HEADER_END, BITS_END, BLOCK_COLUMNS = range(8)

_DONE, _BROKEN, _NO_ROOM = range(3)  # what ends the reading
_LOOKED_AHEAD = 32  # bits, at most, behind those that were used up
_ROOM = 1 << 16  # bytes of data that are expected at first
_QUICK = 64  # bytes of data take no longer than one of the stream, where matches are long


class Known(IntEnum):
    """What is known of a stream."""

    WHOLE = _DONE
    BROKEN = _BROKEN
    """It is none, from some place on."""
    FULL = _NO_ROOM
    """As many of its data as there was room for."""
    UNFINISHED = 3
    """All that there are bytes of."""


class UnfinishedError(Exception):
    """A stream goes on where its bytes end, as far as can be seen."""


class TooLongError(Exception):
    """A stream stands for more data than there is room for, as far as can be seen."""


class Parts(NamedTuple):
    """What a stream consists of.

    Attributes
    ----------
    data : uint8[:]
        What it stands for.
    tokens : uint32[:]
        In order; the data of stored blocks have none.
    blocks : int64[blocks, BLOCK_COLUMNS]
        Kind, whether it says that it is the last one, where its tokens and its data end, where in
        the stream its own header begins and ends (after the three bits of the kind), and where the
        block ends: bits.
    bits : int
        Where the last block ends.
    begin : int
        Where the data of the first block begin: before them are others that matches reach back to.
    """

    data: Any
    tokens: Any
    blocks: Any
    bits: int
    begin: int = 0

    def first_blocks(self, count: int) -> Parts:
        """Those alone, with all of the data."""
        blocks = self.blocks[:count]
        if not count:
            return self._replace(blocks=blocks, tokens=self.tokens[:0])
        tokens, bits = blocks[-1, [TOKENS_END, BITS_END]].tolist()
        return self._replace(blocks=blocks, tokens=self.tokens[:tokens], bits=bits)


def read_stream(
    stream: Any, most: int, tried: Callable[[int], None] = lambda size: None
) -> Parts | None:
    """Take the deflate stream apart that begins at the first bit of `stream`.

    Parameters
    ----------
    stream : uint8[:]
        May go on after it; the last `SPARE` bytes do not count.
    most : int
        Bytes of data at most.
    tried
        Is told how much was read, in bytes, whatever comes of it.

    Returns
    -------
    Parts or None
        None if it is broken.

    Raises
    ------
    UnfinishedError
        If nothing is wrong up to the end, or nothing but what stands there.
    TooLongError
        If it has more data.
    """
    room = min(most, _ROOM)
    while True:
        parts, known = _read_up_to(stream, room, np.zeros(0, np.uint8), 0, tried)
        if known == Known.WHOLE:
            return parts
        if known == Known.UNFINISHED:
            raise UnfinishedError
        if known == Known.BROKEN:
            return None
        if room == most:
            raise TooLongError
        room = min(most, 4 * room)


def read_blocks(
    stream: Any,
    before: Any,
    first_bit: int,
    most: int,
    may_wait: bool,
    tried: Callable[[int], None],
) -> tuple[Parts, Known] | None:
    """Take those blocks of a deflate stream apart that are known as a whole.

    Parameters
    ----------
    stream : uint8[:]
        As of `read_stream`.
    before : uint8[:]
        Data before the first block, the last ones that matches may reach back to.
    first_bit : int
        Where in `stream` this block begins.
    most : int
        Bytes of data at most, beside those before.
    may_wait : bool
        Whether to raise an error where the bytes end before that.
    tried
        As of `read_stream`.

    Returns
    -------
    Parts, Known or None
        The data are those before and all that is known, also of a block that is not whole. None if
        no block is, or the stream is broken.

    Raises
    ------
    UnfinishedError
    """
    parts, known = _read_up_to(stream, most, before, first_bit, tried)
    if known == Known.UNFINISHED and may_wait:
        raise UnfinishedError
    if known == Known.BROKEN or not len(parts.blocks):
        return None
    return parts, known


def _read_up_to(
    stream: Any, room: int, before: Any, first_bit: int, tried: Callable[[int], None]
) -> tuple[Parts, Known]:
    """The whole blocks of a stream, with room for so many bytes of data."""
    end = 8 * (stream.size - SPARE)
    data, tokens = np.zeros(len(before) + room, np.uint8), np.zeros(room, np.uint32)
    data[: len(before)] = before
    blocks = np.zeros((16 + room // 64, BLOCK_COLUMNS), np.int64)
    counts = np.array([first_bit, len(before), 0, 0], np.int64)  # bits, data, tokens, blocks
    known = Known(_read(stream, end, data, tokens, blocks, counts, new_scratch()))
    bits, data_size, _, block_count = counts.tolist()
    tried((bits - first_bit) // 8 + (data_size - len(before)) // _QUICK)
    if known == Known.BROKEN and bits + _LOOKED_AHEAD > end:
        known = Known.UNFINISHED
    found = Parts(data[:data_size], tokens, blocks, first_bit, len(before))
    return found.first_blocks(block_count), known


@kernel
def _read(stream, end, data, tokens, blocks, counts, scratch):
    cursor, lengths, codes = scratch.cursor, scratch.first, scratch.codes
    literals, distances = scratch.table, scratch.other_table
    cursor[0] = counts[0]
    size = counts[1]
    count = np.int64(0)
    block = np.int64(0)
    last = np.int64(0)
    ended = _DONE
    while last == 0 and ended == _DONE:
        if block == blocks.shape[0]:
            ended = _NO_ROOM
            break
        last = read_bits(stream, cursor, 1)
        kind = read_bits(stream, cursor, 2)
        blocks[block, KIND] = kind
        blocks[block, LAST] = last
        blocks[block, HEADER] = cursor[0]
        if kind == STORED:
            length = _read_stored_header(stream, cursor, end)
            if length < 0:
                ended = _BROKEN
            elif size + length > data.size:
                ended = _NO_ROOM
            else:
                for i in range(length):
                    data[size + i] = stream[(cursor[0] >> 3) + i]
                cursor[0] += 8 * length
                size += length
            blocks[block, HEADER_END] = cursor[0]
        elif kind == 3:
            ended = _BROKEN
        else:
            if kind == FIXED:
                sound = fill_table(FIXED_LITERALS, FIXED_LITERALS.size, codes, literals)
                fill_table(FIXED_DISTANCES, FIXED_DISTANCES.size, codes, distances)
            else:
                used = read_code_lengths(stream, cursor, lengths, codes, literals)
                sound = used >= 0 and lengths[END] > 0
                if sound:
                    sound = fill_table(lengths, used & 511, codes, literals)
                    second = lengths[used & 511 : (used & 511) + (used >> 9)]
                    sound = sound and fill_table(second, second.size, codes, distances)
            blocks[block, HEADER_END] = cursor[0]
            if not sound:
                ended = _BROKEN
            while ended == _DONE:
                entry = np.int64(literals[peek(stream, cursor[0]) & (TABLE - 1)])
                cursor[0] += entry & 15
                symbol = entry >> 4
                if entry == 0 or cursor[0] > end:
                    ended = _BROKEN
                elif symbol == END:
                    break
                elif count == tokens.size or size == data.size:
                    ended = _NO_ROOM
                elif symbol < END:
                    data[size] = symbol
                    size += 1
                    tokens[count] = symbol
                    count += 1
                elif symbol - END - 1 >= LENGTH_BASE.size:
                    ended = _BROKEN
                else:
                    which = symbol - END - 1
                    length = LENGTH_BASE[which] + read_bits(stream, cursor, LENGTH_EXTRA[which])
                    entry = np.int64(distances[peek(stream, cursor[0]) & (TABLE - 1)])
                    cursor[0] += entry & 15
                    code = entry >> 4
                    if entry == 0 or code >= DISTANCE_BASE.size or LENGTH_CODE[length] != which:
                        ended = _BROKEN  # 258 written as 227 and 31 more is nothing for us
                        break
                    distance = DISTANCE_BASE[code] + read_bits(stream, cursor, DISTANCE_EXTRA[code])
                    if cursor[0] > end or distance > size:
                        ended = _BROKEN
                    elif size + length > data.size:
                        ended = _NO_ROOM
                    else:
                        for i in range(size, size + length):
                            data[i] = data[i - distance]
                        size += length
                        tokens[count] = length << 16 | distance
                        count += 1
        if ended == _DONE:
            blocks[block, TOKENS_END] = count
            blocks[block, DATA_END] = size
            blocks[block, BITS_END] = cursor[0]
            block += 1
    counts[0] = cursor[0]
    counts[1] = size
    counts[2] = count
    counts[3] = block
    return ended


@inline
def _read_stored_header(stream, cursor, end):
    """Go to the first byte of a stored block; returns how many bytes it has, or -1."""
    cursor[0] = (cursor[0] + 7) & ~7
    length = read_bits(stream, cursor, 16)
    check = read_bits(stream, cursor, 16)
    if length ^ check != 0xFFFF:
        return np.int64(-1)
    if cursor[0] + 8 * length > end:
        cursor[0] = end  # nothing is wrong up to there
        return np.int64(-1)
    return length


@inline
def read_code_lengths(stream, cursor, lengths, codes, table):
    """Read the header of a dynamic block.

    Parameters
    ----------
    stream, cursor
    lengths : int64[320]
        Receives the lengths of the codes: first those of literals, then those of distances.
    codes, table : int64[320], int32[TABLE]
        Scratch.

    Returns
    -------
    int
        Numbers of codes, ``literals | distances << 9``; -1 if there are none like these.
    """
    first = read_bits(stream, cursor, 5) + 257
    second = read_bits(stream, cursor, 5) + 1
    given = read_bits(stream, cursor, 4) + 4
    for i in range(CODE_LENGTHS):
        lengths[i] = 0
    for i in range(given):
        lengths[ORDER[i]] = read_bits(stream, cursor, 3)
    if first > 286 or not fill_table(lengths, CODE_LENGTHS, codes, table):
        return np.int64(-1)
    i = np.int64(0)
    while i < first + second:
        entry = np.int64(0)
        if (cursor[0] >> 3) + SPARE <= stream.size:
            entry = np.int64(table[peek(stream, cursor[0]) & (TABLE - 1)])
        if entry == 0:
            return np.int64(-1)
        cursor[0] += entry & 15
        symbol = entry >> 4
        repeated = np.int64(0)
        times = np.int64(1)
        if symbol < 16:
            repeated = symbol
        elif symbol == 16:
            if i == 0:
                return np.int64(-1)
            repeated = lengths[i - 1]
            times = 3 + read_bits(stream, cursor, 2)
        elif symbol == 17:
            times = 3 + read_bits(stream, cursor, 3)
        else:
            times = 11 + read_bits(stream, cursor, 7)
        if i + times > first + second:
            return np.int64(-1)
        for j in range(i, i + times):
            lengths[j] = repeated
        i += times
    return first | second << 9


@inline
def write_tokens(stream, cursor, tokens, begin, end, first, second, scratch):
    """Write tokens and the end of their block, in codes of these lengths.

    Parameters
    ----------
    stream, cursor
        Where there is room for them.
    tokens : uint32[:]
        Those from `begin` to `end` are written.
    first, second : int64[:]
        Bits of the codes of literals and of distances.
    scratch : Scratch
        The codes themselves are written there.

    Returns
    -------
    bool
        Whether there is a code for all that was to be written.
    """
    literals, distances = scratch.codes, scratch.other_codes
    if not reversed_codes(first, first.size, literals):
        return False
    if not reversed_codes(second, second.size, distances):
        return False
    for t in range(begin, end):
        token = np.int64(tokens[t])
        length = token >> 16
        if length == 0:
            if first[token] == 0:
                return False
            write_bits(stream, cursor, literals[token], first[token])
        else:
            which = LENGTH_CODE[length]
            symbol = END + 1 + which
            distance = token & 0xFFFF
            code = distance_code(distance)
            if symbol >= first.size or code >= second.size:
                return False
            if first[symbol] == 0 or second[code] == 0:
                return False
            write_bits(stream, cursor, literals[symbol], first[symbol])
            write_bits(stream, cursor, length - LENGTH_BASE[which], LENGTH_EXTRA[which])
            write_bits(stream, cursor, distances[code], second[code])
            write_bits(stream, cursor, distance - DISTANCE_BASE[code], DISTANCE_EXTRA[code])
    if first[END] == 0:
        return False
    write_bits(stream, cursor, literals[END], first[END])
    return True
