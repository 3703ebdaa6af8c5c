"""A block of bzip2 read and written: all of it is bits, the highest of a byte first."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline, kernel
from glnzip.transforms.bzip2.rotations import undo_rotations
from glnzip.transforms.bzip2.runs import check_of, lengthen_runs, shorten_runs
from glnzip.transforms.bzip2.symbols import (
    ALPHABET,
    from_symbols,
    move_to_front,
    see_used,
    take_to_front,
    to_symbols,
)
from glnzip.transforms.bzip2.tables import GROUP, LONGEST, MOST_CODES, choose_codes
from glnzip.transforms.deflate.codes import canonical_codes
from glnzip.transforms.high_bits import read_bits, write_bits

LEVEL_BYTES = 100_000
"""Of a block, at most, for each of the nine levels."""

SPARE = 19
"""Bytes that a block has not, when it is full."""

MOST_SELECTORS = 1 << 15

BLOCK_MAGIC = (0x314159, 0x265359)
END_MAGIC = (0x177245, 0x385090)

COUNT, CHECK, ALIKE, HEADER, HEADER_END = range(5)
"""What is found of a block: its bytes; the check of the data; how many rotations that are like it
come behind it; where the codes are told, in bits, if they are not those of libbzip2."""

WRONG, UNFINISHED, NO_ROOM = -1, -2, -3
"""What it returns instead of a place: it is no block that can be written again; it goes on behind
the end of what is known; it has more data than there is room for."""


class Scratch(NamedTuple):
    """Arrays that kernels work in: they allocate nothing."""

    last: Any
    block: Any
    order: Any
    symbols: Any
    used: Any
    front: Any
    starts: Any
    lengths: Any
    other_lengths: Any
    selectors: Any
    other_selectors: Any
    counts: Any
    tree: Any
    limits: Any
    cursor: Any
    found: Any


def new_scratch(level: int) -> Scratch:
    """For blocks of a level."""
    most = level * LEVEL_BYTES
    return Scratch(
        last=np.zeros(most + 300, np.uint8),
        block=np.zeros(most + 300, np.uint8),
        order=np.zeros(most, np.int32),
        symbols=np.zeros(most + 2, np.uint16),
        used=np.zeros(256, np.uint8),
        front=np.zeros(256, np.uint8),
        starts=np.zeros(ALPHABET, np.int64),
        lengths=np.zeros((MOST_CODES, ALPHABET), np.int64),
        other_lengths=np.zeros((MOST_CODES, ALPHABET), np.int64),
        selectors=np.zeros(MOST_SELECTORS, np.uint8),
        other_selectors=np.zeros(MOST_SELECTORS, np.uint8),
        counts=np.zeros((MOST_CODES, ALPHABET), np.int64),
        tree=np.zeros((3, 2 * ALPHABET + 2), np.int64),
        limits=np.zeros((MOST_CODES, 3, LONGEST + 2), np.int64),
        cursor=np.zeros(1, np.int64),
        found=np.zeros(5, np.int64),
    )


@kernel
def read_block(stream, end, most, scratch, data, at):
    """Take a block apart that begins at the cursor, behind its magic number.

    Parameters
    ----------
    stream : uint8[:]
    end : int
        Its bits.
    most : int
        Bytes of a block, less than 300 fewer than the arrays of `scratch` have.
    scratch : Scratch
    data : uint8[:]
        Filled with the data of the block.
    at : int
        From here on.

    Returns
    -------
    int
        The place behind the data; or `WRONG`, `UNFINISHED` or `NO_ROOM`.
    """
    cursor, found, used = scratch.cursor, scratch.found, scratch.used
    check = read_bits(stream, cursor, 16) << 16
    check |= read_bits(stream, cursor, 16)
    mixed = read_bits(stream, cursor, 1)
    first = read_bits(stream, cursor, 24)
    size = _read_used(stream, cursor, used) + 2
    header = cursor[0]
    codes = _read_codes(stream, cursor, size, scratch)
    header_end = cursor[0]
    if cursor[0] > end:
        return np.int64(UNFINISHED)
    if mixed != 0 or size == 2 or codes < 0:
        return np.int64(WRONG)
    groups = scratch.found[HEADER]
    made = _read_symbols(stream, end, most, size, codes, groups, scratch)
    if made < 0:
        return made
    count = from_symbols(scratch.symbols, made - 1, used, scratch.front, most, scratch.last)
    if count <= first:
        return np.int64(WRONG)
    block, order = scratch.block, scratch.order
    alike = undo_rotations(scratch.last, count, first, order, scratch.starts, block)
    if not _are_all_used(scratch.last, count, used, scratch.front):
        return np.int64(WRONG)
    after = lengthen_runs(block, count, data, at)
    if after < 0:
        return np.int64(NO_ROOM)
    again = shorten_runs(data, at, after, count, scratch.last, found)
    if again != after or found[COUNT] != count or check_of(data, at, after) != check:
        return np.int64(WRONG)
    for i in range(count):
        if block[i] != scratch.last[i]:
            return np.int64(WRONG)
    found[CHECK] = check
    found[ALIKE] = alike - 1 - first % alike
    found[HEADER] = header
    found[HEADER_END] = header if _are_usual(made, size, codes, groups, scratch) else header_end
    return after


@inline
def _read_used(stream, cursor, used):
    """Which bytes there are: for each 16 whether there are any, and for these, which."""
    count = np.int64(0)
    ranges = read_bits(stream, cursor, 16)
    for high in range(16):
        some = read_bits(stream, cursor, 16) if ranges >> (15 - high) & 1 != 0 else np.int64(0)
        for low in range(16):
            bit = some >> (15 - low) & 1
            used[16 * high + low] = bit
            count += bit
    return count


@inline
def _read_codes(stream, cursor, size, scratch):
    """The codes and which groups have them: how many codes, -1 if that makes no sense.

    How many groups are told is left in ``scratch.found[HEADER]``.
    """
    codes = read_bits(stream, cursor, 3)
    groups = read_bits(stream, cursor, 15)
    scratch.found[HEADER] = groups
    if codes < 2 or codes > MOST_CODES or groups == 0:
        return np.int64(-1)
    front = scratch.front
    for code in range(codes):
        front[code] = code
    for group in range(groups):
        place = np.int64(0)
        while place < codes and read_bits(stream, cursor, 1) == 1:
            place += 1
        if place == codes:
            return np.int64(-1)
        scratch.selectors[group] = take_to_front(front, place)
    for code in range(codes):
        length = read_bits(stream, cursor, 5)
        for symbol in range(size):
            while True:
                if length < 1 or length > LONGEST:
                    return np.int64(-1)
                if read_bits(stream, cursor, 1) == 0:
                    break
                length += 1 - 2 * read_bits(stream, cursor, 1)
            scratch.lengths[code, symbol] = length
        if not _set_limits(scratch.lengths[code], size, scratch.limits[code]):
            return np.int64(-1)
    return codes


@inline
def _set_limits(lengths, size, limits):
    """What tells the symbols of a code, by length: how many, the first code, the symbols before.

    False if there are more than codes of these lengths.
    """
    for length in range(LONGEST + 2):
        limits[0, length] = 0
    for symbol in range(size):
        limits[0, lengths[symbol]] += 1
    code = np.int64(0)
    before = np.int64(0)
    for length in range(1, LONGEST + 1):
        code <<= 1
        limits[1, length] = code
        limits[2, length] = before
        code += limits[0, length]
        before += limits[0, length]
        if code > np.int64(1) << length:
            return False
    return True


@inline
def _read_symbols(stream, end, most, size, codes, groups, scratch):
    """The symbols up to the last one: how many, or why not."""
    cursor, symbols, sorted_symbols = scratch.cursor, scratch.symbols, scratch.counts
    for code in range(codes):
        _sort_symbols(scratch.lengths[code], size, sorted_symbols[code])
    made = np.int64(0)
    for group in range(groups):
        code = np.int64(scratch.selectors[group])
        limits = scratch.limits[code]
        for _ in range(GROUP):
            if cursor[0] > end:
                return np.int64(UNFINISHED)
            word = np.int64(0)
            length = np.int64(0)
            symbol = np.int64(-1)
            while length < LONGEST:
                length += 1
                word = word << 1 | read_bits(stream, cursor, 1)
                place = word - limits[1, length]
                if place < limits[0, length]:
                    symbol = sorted_symbols[code, limits[2, length] + place]
                    break
            if symbol < 0 or made > most:
                return np.int64(WRONG)
            symbols[made] = np.uint16(symbol)
            made += 1
            if symbol == size - 1:
                return made if cursor[0] <= end else np.int64(UNFINISHED)
    return np.int64(WRONG)


@inline
def _sort_symbols(lengths, size, ordered):
    """The symbols in the order of their codes."""
    at = np.int64(0)
    for length in range(1, LONGEST + 1):
        for symbol in range(size):
            if lengths[symbol] == length:
                ordered[at] = symbol
                at += 1


@inline
def _are_all_used(last, count, used, seen):
    """Whether all bytes occur that are told to."""
    see_used(last, count, seen)
    same = True
    for byte in range(256):
        same = same and seen[byte] == used[byte]
    return same


@inline
def _are_usual(made, size, codes, groups, scratch):
    """Whether libbzip2 would have chosen these codes."""
    lengths, selectors = scratch.other_lengths, scratch.other_selectors
    chosen = choose_codes(
        scratch.symbols, made, size, lengths, selectors, scratch.counts, scratch.tree
    )
    if chosen != codes or groups != (made + GROUP - 1) // GROUP:
        return False
    for group in range(groups):
        if selectors[group] != scratch.selectors[group]:
            return False
    for code in range(codes):
        for symbol in range(size):
            if lengths[code, symbol] != scratch.lengths[code, symbol]:
                return False
    return True


@kernel
def fill_block(data, begin, end, most, scratch):
    """Fill ``scratch.block`` with data, and find `COUNT` and `CHECK` of it.

    Parameters
    ----------
    data : uint8[:]
    begin, end, most : int
        As of `shorten_runs`.
    scratch : Scratch

    Returns
    -------
    int
        The place behind these data.
    """
    after = shorten_runs(data, begin, end, most, scratch.block, scratch.found)
    scratch.found[CHECK] = check_of(data, begin, after)
    return after


@kernel
def write_block(count, first, check, header, header_bits, scratch, stream):
    """Append a block, whose rotations end with ``scratch.last``, to a stream, at the cursor.

    Parameters
    ----------
    count, first : int
        How many rotations there are, and which is the block itself.
    check : int
        That of the data.
    header : uint8[:]
        Bits that tell the codes ...
    header_bits : int
        ... and how many; if none, the codes are those of libbzip2.
    scratch : Scratch
    stream : uint8[:]
        Zeros behind the cursor; there must be room for 40,000 bytes, and 3 for each byte more.

    Returns
    -------
    int
        Whether the codes make sense and have a code for each symbol: 1, or 0.
    """
    cursor, used, symbols = scratch.cursor, scratch.used, scratch.symbols
    made = to_symbols(scratch.last, count, used, scratch.front, symbols)
    for part in BLOCK_MAGIC:
        write_bits(stream, cursor, np.int64(part), 24)
    write_bits(stream, cursor, check >> 16, 16)
    write_bits(stream, cursor, check, 16)
    write_bits(stream, cursor, np.int64(0), 1)
    write_bits(stream, cursor, np.int64(first), 24)
    size = _write_used(stream, cursor, used) + 2
    groups = (made + GROUP - 1) // GROUP
    if header_bits == 0:
        codes = choose_codes(
            symbols, made, size, scratch.lengths, scratch.selectors, scratch.counts, scratch.tree
        )
        _write_codes(stream, cursor, size, codes, groups, scratch)
    else:
        begin = cursor[0]
        cursor[0] = 0
        codes = _read_codes(header, cursor, size, scratch)
        fits = codes >= 0 and cursor[0] == header_bits and scratch.found[HEADER] >= groups
        cursor[0] = begin
        if not fits:
            return np.int64(0)
        for i in range(header_bits):
            write_bits(stream, cursor, np.int64(header[i >> 3]) >> (7 - (i & 7)), 1)
    for code in range(codes):
        canonical_codes(scratch.lengths[code], size, LONGEST, scratch.counts[code])
    for i in range(made):
        code = scratch.selectors[i // GROUP]
        length = scratch.lengths[code, symbols[i]]
        write_bits(stream, cursor, scratch.counts[code, symbols[i]], length)
    return np.int64(1)


@inline
def _write_used(stream, cursor, used):
    """The opposite of `_read_used`."""
    ranges = np.int64(0)
    count = np.int64(0)
    for byte in range(256):
        if used[byte] != 0:
            ranges |= np.int64(1) << (15 - (byte >> 4))
            count += 1
    write_bits(stream, cursor, ranges, 16)
    for high in range(16):
        if ranges >> (15 - high) & 1 != 0:
            for low in range(16):
                write_bits(stream, cursor, np.int64(used[16 * high + low]), 1)
    return count


@inline
def _write_codes(stream, cursor, size, codes, groups, scratch):
    """The opposite of `_read_codes`."""
    front = scratch.front
    write_bits(stream, cursor, codes, 3)
    write_bits(stream, cursor, groups, 15)
    for code in range(codes):
        front[code] = code
    for group in range(groups):
        for _ in range(move_to_front(front, scratch.selectors[group])):
            write_bits(stream, cursor, np.int64(1), 1)
        write_bits(stream, cursor, np.int64(0), 1)
    for code in range(codes):
        length = scratch.lengths[code, 0]
        write_bits(stream, cursor, length, 5)
        for symbol in range(size):
            while length < scratch.lengths[code, symbol]:
                write_bits(stream, cursor, np.int64(2), 2)
                length += 1
            while length > scratch.lengths[code, symbol]:
                write_bits(stream, cursor, np.int64(3), 2)
                length -= 1
            write_bits(stream, cursor, np.int64(0), 1)
