"""Blocks of a bzip2 stream as data and a recipe."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.transforms.bzip2.block import (
    ALIKE,
    BLOCK_MAGIC,
    CHECK,
    COUNT,
    END_MAGIC,
    HEADER,
    HEADER_END,
    LEVEL_BYTES,
    NO_ROOM,
    SPARE,
    UNFINISHED,
    WRONG,
    Scratch,
    fill_block,
    new_scratch,
    read_block,
    write_block,
)
from glnzip.transforms.bzip2.rotations import sort_rotations
from glnzip.transforms.deflate.stream import TooLongError, UnfinishedError
from glnzip.transforms.exceptions import VALUE, exceptions, take_exceptions, write_exceptions

_BLOCK, _END = (magic[0] << 24 | magic[1] for magic in (BLOCK_MAGIC, END_MAGIC))

MOST_BLOCKS = 1024
"""In a portion of a stream."""

LEVELS = range(1, 10)
"""How many 100,000 bytes a block has, about."""

_BLOCK_ROOM = 40_000  # bytes of a block beside its symbols ...
_SYMBOL_ROOM = 3  # ... and of each of them
_MAGIC_BITS = 48
_END_BITS = 80  # the magic number, and the check of all blocks


class OpenBlocks(NamedTuple):
    """A stream of which some blocks were told, and others follow."""

    level: int
    check: int = 0
    """Of all blocks so far."""
    bits: int = 0
    """How many of the last byte belong to them ..."""
    byte: int = 0
    """... and this byte, with zeros behind them."""


class Recipe(NamedTuple):
    """What blocks are beside their data; each an array int64[:, 2] of exceptions."""

    sizes: Any
    """Data of blocks that are not full, or too full."""
    alike: Any
    """How many rotations that are like the block come behind it."""
    headers: Any
    """Bits of headers, where the codes are not those of libbzip2."""
    header_bytes: bytes
    """Those headers, each from a whole byte on."""


class Described(NamedTuple):
    """Blocks that were taken apart."""

    data: bytes
    recipe: Recipe
    size: int
    """Whole bytes of the stream that they take."""
    open: OpenBlocks | None
    """None if the stream ends with them."""


def describe(
    stream: Any, begun: OpenBlocks, room: int, wanted: int | None = None
) -> Described | None:
    """Take blocks of a stream apart.

    Parameters
    ----------
    stream : uint8[:]
        It begins with the last byte of the blocks before, if any of its bits are others.
    begun
    room
        Bytes of data, at most.
    wanted
        As soon as there are so many data, no more blocks are taken; None if the whole stream is
        wanted, with its end.

    Returns
    -------
    Described
        None if there are no blocks that can be written again.

    Raises
    ------
    UnfinishedError
        If they go on behind the end of what is known.
    TooLongError
        If there are more data than there is room for.
    """
    scratch = new_scratch(begun.level)
    most = begun.level * LEVEL_BYTES
    data = np.zeros(room, np.uint8)
    cursor, found = scratch.cursor, scratch.found
    cursor[0] = begun.bits
    ends = [0]
    alike, header_bits, headers = [], [], []
    check, whole = begun.check, False
    while not whole:
        place, number = int(cursor[0]), len(ends) - 1
        is_enough = wanted is not None and ends[-1] >= wanted
        try:
            if _magic(stream, place) == _END:
                cursor[0] = _behind_end(stream, place, check)
                whole = True
                continue
            if is_enough:
                break
            if number == MOST_BLOCKS:
                raise TooLongError
            cursor[0] = place + _MAGIC_BITS
            ends.append(_read(stream, most, scratch, data, ends[-1]))
        except (UnfinishedError, TooLongError, CorruptStreamError) as error:
            if wanted is not None and number:
                cursor[0] = place
                break
            if isinstance(error, CorruptStreamError):
                return None
            raise
        check = _joined(check, int(found[CHECK]))
        if found[ALIKE]:
            alike.append((number, int(found[ALIKE])))
        begin, end = int(found[HEADER]), int(found[HEADER_END])
        if begin < end:
            header_bits.append((number, end - begin))
            headers.append(_bits(stream, begin, end - begin) << (begin - end) % 8)
    sizes = [
        (number, end - begin)
        for number, (begin, end) in enumerate(pairwise(ends))
        if fill_block(data, begin, ends[-1], most - SPARE, scratch) != end
    ]
    told = b"".join(
        header.to_bytes((size + 7) // 8, "big")
        for header, (_, size) in zip(headers, header_bits, strict=True)
    )
    recipe = Recipe(exceptions(sizes), exceptions(alike), exceptions(header_bits), told)
    size, bits = divmod(int(cursor[0]), 8)
    last = _bits(stream, 8 * size, bits) << 8 - bits & 255
    left = None if whole else OpenBlocks(begun.level, check, bits, last)
    return Described(data[: ends[-1]].tobytes(), recipe, size, left)


def _magic(stream: Any, place: int) -> int:
    """The number that a block begins with, or the end of a stream."""
    if place + _END_BITS > 8 * stream.size:  # a block is longer than the end
        raise UnfinishedError
    magic = _bits(stream, place, _MAGIC_BITS)
    if magic not in (_BLOCK, _END):
        raise CorruptStreamError("neither a block of bzip2 nor an end")
    return magic


def _behind_end(stream: Any, place: int, check: int) -> int:
    """The bit behind the end of a stream that is at a place."""
    end = place + _END_BITS
    filled = end + -end % 8
    if _bits(stream, place + _MAGIC_BITS, filled - place - _MAGIC_BITS) != check << filled - end:
        raise CorruptStreamError("the check of a stream of bzip2 does not match")
    return filled


def _read(stream: Any, most: int, scratch: Scratch, data: Any, at: int) -> int:
    """Take a block apart; the place behind its data."""
    after = int(read_block(stream, 8 * stream.size, most, scratch, data, at))
    if after == UNFINISHED:
        raise UnfinishedError
    if after == NO_ROOM:
        raise TooLongError
    if after == WRONG:
        raise CorruptStreamError("a block of bzip2 that cannot be written again")
    return after


def rebuild(
    data: bytes, begun: OpenBlocks, recipe: Recipe, *, goes_on: bool
) -> tuple[bytes, OpenBlocks | None]:
    """The blocks of some data.

    Parameters
    ----------
    data
    begun
    recipe
    goes_on
        Whether others follow.

    Returns
    -------
    stream, open
        Whole bytes, and what is left open; None if nothing is.

    Raises
    ------
    CorruptStreamError
        If the recipe does not fit the data.
    """
    sizes, alike, header_bits = (dict(pairs.tolist()) for pairs in recipe[:3])
    scratch = new_scratch(begun.level)
    array: Any = np.frombuffer(bytearray(data), np.uint8)
    most = begun.level * LEVEL_BYTES
    stream = bytearray()
    headers = recipe.header_bytes
    begin = number = 0
    while begin < array.size:
        if number == MOST_BLOCKS:
            raise CorruptStreamError("a recipe has too many blocks")
        end = begin + sizes[number] if number in sizes else array.size
        full = most if number in sizes else most - SPARE
        after = int(fill_block(array, begin, min(end, array.size), full, scratch))
        if (number in sizes and after != end) or scratch.found[COUNT] > most:
            raise CorruptStreamError("a recipe does not fit its content")
        bits = header_bits.get(number, 0)
        header, headers = headers[: (bits + 7) // 8], headers[(bits + 7) // 8 :]
        made, begun = _written(begun, scratch, alike.get(number, 0), header, bits)
        stream += made
        begin = after
        number += 1
    if headers:
        raise CorruptStreamError("a recipe does not fit its content")
    if goes_on:
        return bytes(stream), begun
    end = _END << 32 | begun.check
    number = begun.byte >> (8 - begun.bits) << _END_BITS | end
    size = begun.bits + _END_BITS
    return bytes(stream) + (number << -size % 8).to_bytes((size + 7) // 8, "big"), None


def _written(
    begun: OpenBlocks, scratch: Scratch, alike: int, header: bytes, bits: int
) -> tuple[bytes, OpenBlocks]:
    """The bits of the block that is in `scratch`: whole bytes, and what is open behind them."""
    count, check = int(scratch.found[COUNT]), int(scratch.found[CHECK])
    found = sort_rotations(scratch.block[:count].copy())
    scratch.last[:count] = found.last
    room = _BLOCK_ROOM + _SYMBOL_ROOM * count + len(header)
    stream = np.zeros(room, np.uint8)
    stream[0] = begun.byte
    scratch.cursor[0] = begun.bits
    told = np.frombuffer(header, np.uint8)
    first = found.first + found.alike - 1 - alike
    if alike >= found.alike or not write_block(count, first, check, told, bits, scratch, stream):
        raise CorruptStreamError("a recipe does not fit its content")
    size, left = divmod(int(scratch.cursor[0]), 8)
    now = OpenBlocks(begun.level, _joined(begun.check, check), left, int(stream[size]))
    return stream[:size].tobytes(), now


def _joined(check: int, own: int) -> int:
    """The check of all blocks, of that before and that of the next block."""
    return (check << 1 & 0xFFFFFFFF | check >> 31) ^ own


def _bits(stream: Any, at: int, count: int) -> int:
    """Bits of a stream as a number."""
    end = at + count
    return (
        int.from_bytes(stream[at // 8 : (end + 7) // 8].tobytes(), "big") >> -end % 8
        & (1 << count) - 1
    )


def write_recipe(recipe: Recipe) -> bytes:
    """A recipe as bytes."""
    return b"".join(map(write_exceptions, recipe[:3])) + recipe.header_bytes


def take_recipe(take: Callable[[int], bytes], most: int) -> Recipe:
    """The opposite of `write_recipe`.

    Parameters
    ----------
    take
        Returns the next so many bytes.
    most
        Bytes of data.

    Raises
    ------
    CorruptStreamError
        If it is none.
    """
    sizes = take_exceptions(take, MOST_BLOCKS, MOST_BLOCKS, range(1, most + 1))
    alike = take_exceptions(take, MOST_BLOCKS, MOST_BLOCKS, range(1, most + 1))
    headers = take_exceptions(take, MOST_BLOCKS, MOST_BLOCKS, range(1, 8 * _BLOCK_ROOM))
    size = int(((headers[:, VALUE] + 7) // 8).sum())
    return Recipe(sizes, alike, headers, take(size))
