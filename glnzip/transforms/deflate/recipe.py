"""What must be known beside the data to make a deflate stream again, bit for bit.

The stream is told as the difference from what zlib would make of the data: with which settings; the
tokens that are not those of `zlib_parse`; where blocks end, if not where zlib's buffer is full; and
their kinds and codes, if not those of `zlib_trees`. For a stream of zlib itself that is next to
nothing. Which zlib runs here does not matter: nothing of it is used.

`describe` tries each recipe before it returns it: `rebuild` has made the stream of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.jit import inline, kernel
from glnzip.transforms.deflate.bits import SPARE, padded, peek, write_bits
from glnzip.transforms.deflate.codes import (
    FIXED_DISTANCES,
    FIXED_LITERALS,
    LITERALS,
)
from glnzip.transforms.deflate.scratch import LONGEST_HEADER, new_scratch
from glnzip.transforms.deflate.stream import (
    DATA_END,
    DYNAMIC,
    FIXED,
    HEADER,
    HEADER_END,
    KIND,
    LAST,
    STORED,
    TOKENS_END,
    Parts,
    read_code_lengths,
    read_stream,
    write_tokens,
)
from glnzip.transforms.deflate.zlib_parse import (
    DEFAULT,
    FILTERED,
    HUFFMAN_ONLY,
    RUNS,
    WINDOW_BITS,
    follow,
    new_search,
    pass_by,
    predict_token,
)
from glnzip.transforms.deflate.zlib_trees import write_header

MOST_DATA = 1 << 30  # bytes that a stream may stand for
_TRIED = 20_000  # tokens that settings are compared by
_SHARE_WRONG = 0.25  # of the tokens tried may be corrected, ...
_FEW_WRONG = 16  # ... and so many in any case


class Settings(NamedTuple):
    """zlib's, as `deflateInit2` takes them."""

    level: int
    strategy: int
    memory: int
    window_bits: int
    forgets: bool = False  # at each empty stored block, which a full flush writes


class Recipe(NamedTuple):
    """What is known beside the data.

    Attributes
    ----------
    settings : Settings
    blocks : int64[blocks, BLOCK_COLUMNS]
        As `Parts.blocks`, without `DATA_END`; `HEADER` and `HEADER_END` say where in `headers` its
        header lies if it has one of its own, else both are 0. `TOKENS_END` of the last is 0: it has
        all tokens that are left.
    headers : uint8[:]
        Bits.
    skips : int64[stored blocks, 2]
        Where the data of each stored block begin, and how many these are.
    corrections : int64[corrections, 2]
        A token's number, and the token: a literal is 0.
    fills : uint8[:]
        What fills up the byte before each stored block, and at the end.
    """

    settings: Settings
    blocks: Any
    headers: Any
    skips: Any
    corrections: Any
    fills: Any


def describe(stream: Any, most: int, window_bits: int = 15) -> tuple[Any, Recipe, int] | None:
    """Undo the deflate stream that begins at the first byte of `stream`.

    Parameters
    ----------
    stream : uint8[:]
        May go on after it; the last `SPARE` bytes do not count.
    most : int
        Bytes of data at most.
    window_bits : int
        8 to 15, if a header says so.

    Returns
    -------
    data, recipe, bytes of the stream
        Or None, if there is no such stream, or it is too far from what zlib makes.

    Raises
    ------
    UnfinishedError
        If the stream seems to go on where its bytes end.
    """
    parts = read_stream(stream, min(most, MOST_DATA))
    if parts is None:
        return None
    skips = _skips(parts)
    settings = _likely_settings(parts, skips, window_bits)
    if settings is None:
        return None
    corrections = np.zeros((len(parts.tokens), 2), np.int64)
    wrong = _walk(new_search(*settings), parts.data, parts.tokens, skips, corrections, True)
    blocks, headers, fills = parts.blocks.copy(), *_rooms(parts)
    compared = (parts.tokens, blocks, headers, fills)
    bits = _compare_blocks(stream, parts.bits, *compared, new_scratch())
    blocks[:, DATA_END] = 0
    blocks[-1, TOKENS_END] = 0
    recipe = Recipe(settings, blocks, headers[: (bits + 7) // 8], skips, corrections[:wrong], fills)
    size = (parts.bits + 7) // 8
    if not np.array_equal(rebuild(parts.data, recipe), stream[:size]):
        return None
    return parts.data, recipe, size


def rebuild(data: Any, recipe: Recipe) -> Any:
    """The stream that `describe` was given: uint8[:].

    Raises
    ------
    CorruptStreamError
        If the recipe is not one for these data.
    """
    tokens = np.zeros(len(data), np.uint32)
    blocks = recipe.blocks.copy()
    count = -1
    if _fits_data(recipe, len(data)):
        search = new_search(*recipe.settings)
        count = _walk(search, data, tokens, recipe.skips, recipe.corrections, False)
    blocks[-1:, TOKENS_END] = count
    if count < 0 or not _fits_tokens(recipe._replace(blocks=blocks), count):
        raise CorruptStreamError("a recipe does not fit its data")
    room = 6 * count + len(data) + LONGEST_HEADER // 8 * len(recipe.blocks) + SPARE
    stream = np.zeros(room, np.uint8)
    headers = padded(recipe.headers)
    told = (blocks, headers, recipe.skips, recipe.fills)
    bits = _write(stream, data, tokens, *told, new_scratch())
    if bits < 0:
        raise CorruptStreamError("a recipe has codes that do not fit its tokens")
    return stream[: (bits + 7) // 8]


def _skips(parts: Parts) -> Any:
    """Where the data of stored blocks begin, and their lengths."""
    ends = parts.blocks[:, DATA_END]
    begins = np.concatenate([[0], ends[:-1]])
    stored = parts.blocks[:, KIND] == STORED
    return np.stack([begins[stored], (ends - begins)[stored]], axis=1).astype(np.int64)


def _rooms(parts: Parts) -> tuple[Any, Any]:
    count = len(parts.blocks)
    stored = int((parts.blocks[:, KIND] == STORED).sum())
    return np.zeros(count * LONGEST_HEADER // 8 + SPARE, np.uint8), np.zeros(stored + 1, np.uint8)


def _likely_settings(parts: Parts, skips: Any, window_bits: int) -> Settings | None:
    """Those that tell the first tokens best; None if they tell too few."""
    tokens = parts.tokens[:_TRIED]
    if not len(tokens):
        return next(_candidates(8, window_bits, False))
    first = int(parts.blocks[0, TOKENS_END])
    memory = (first + 1).bit_length() - 7
    if (1 << memory + 6) - 1 != first or not 1 <= memory <= 9:
        memory = 8
    best, fewest = None, max(_FEW_WRONG, len(tokens) * _SHARE_WRONG)
    flushed = bool((skips[:, 1] == 0).any())
    for settings in _candidates(memory, window_bits, flushed):
        corrections = np.zeros((int(fewest) + 1, 2), np.int64)
        wrong = _walk(new_search(*settings), parts.data, tokens, skips, corrections, True)
        if wrong <= fewest and (best is None or wrong < fewest):
            best, fewest = settings, wrong
            if wrong == 0:
                break
    return best


def _candidates(memory: int, window_bits: int, flushed: bool) -> Iterator[Settings]:
    """What is tried, the most usual first; twice if there are marks of flushes."""
    for settings in _unflushed(memory, window_bits):
        yield settings
        if flushed:
            yield settings._replace(forgets=True)


def _unflushed(memory: int, window_bits: int) -> Iterator[Settings]:
    for bits in dict.fromkeys((max(window_bits, WINDOW_BITS[0]), WINDOW_BITS[-1])):
        for size in dict.fromkeys((memory, 8, 9)):
            for level in (6, 9, 1, 8, 7, 5, 4, 3, 2):
                yield Settings(level, DEFAULT, size, bits)
        for level in (6, 9, 8, 7, 5, 4):
            yield Settings(level, FILTERED, memory, bits)
    for strategy in (RUNS, HUFFMAN_ONLY):
        yield Settings(6, strategy, memory, bits)


@kernel
def _walk(search, data, tokens, skips, corrections, telling):
    """Go through the data token by token, each predicted and then followed.

    If `telling`, the tokens are known and corrections are found, their number is returned; it stops
    where there is no more room for them, or no more tokens. Otherwise corrections are known and
    tokens are found; returns their number, or -1 if the corrections are impossible.
    """
    place = np.int64(0)
    count = np.int64(0)
    skip = np.int64(0)
    correction = np.int64(0)
    size = np.int64(data.size)
    while True:
        stop = size
        if skip < skips.shape[0]:
            stop = skips[skip, 0]
            if place == stop:
                pass_by(search, data, place, skips[skip, 1])
                place += skips[skip, 1]
                skip += 1
                continue
        if place == size or (telling and count == tokens.size):
            break
        token = predict_token(search, data, place)
        if telling:
            actual = np.int64(tokens[count])
            if actual != token:
                if correction == corrections.shape[0]:
                    break
                corrections[correction, 0] = count
                corrections[correction, 1] = actual if actual >> 16 > 0 else 0
                correction += 1
            token = actual
        else:
            if correction < corrections.shape[0] and corrections[correction, 0] == count:
                token = corrections[correction, 1]
                if token == 0:
                    token = np.int64(data[place])
                correction += 1
            length = token >> 16
            if length > stop - place or (length > 0 and (token & 0xFFFF) > place):
                return np.int64(-1)
            tokens[count] = token
        follow(search, data, place, token)
        place += max(token >> 16, np.int64(1))
        count += 1
    if telling:
        return correction
    return count if skip == skips.shape[0] else np.int64(-1)


def _fits_data(recipe: Recipe, size: int) -> bool:
    """Whether the data of stored blocks lie within the data, one after the other."""
    skips = recipe.skips
    bounds = np.stack([skips[:, 0], skips.sum(axis=1)], axis=1).ravel()
    bounds = np.concatenate([[0], bounds, [size]])
    return bool((np.diff(bounds) >= 0).all() and (skips[:, 1] <= 0xFFFF).all())


def _fits_tokens(recipe: Recipe, tokens: int) -> bool:
    """Whether blocks are such that `_write` stays within its arrays."""
    blocks = recipe.blocks
    ends = np.concatenate([[0], blocks[:, TOKENS_END]])
    stored = blocks[:, KIND] == STORED
    grown = np.diff(ends)
    return bool(
        ends[-1] == tokens
        and (grown >= 0).all()
        and not grown[stored].any()
        and np.isin(blocks[:, KIND], (STORED, FIXED, DYNAMIC)).all()
        and len(recipe.skips) == stored.sum() == len(recipe.fills) - 1
        and (blocks[:, HEADER] >= 0).all()
        and (blocks[:, HEADER] <= blocks[:, HEADER_END]).all()
        and (blocks[:, HEADER_END] <= 8 * len(recipe.headers)).all()
    )


@kernel
def _compare_blocks(stream, end, tokens, blocks, headers, fills, scratch):
    """Find which headers are not those of zlib, and what fills bytes up.

    Leaves in `blocks` where the other headers lie in `headers`; returns how many bits these have.
    """
    cursor, own, expected = scratch.cursor, scratch.source, scratch.header
    own[0] = 0
    begin = np.int64(0)
    stored = np.int64(0)
    for b in range(blocks.shape[0]):
        kind = blocks[b, KIND]
        at, header_end = blocks[b, HEADER], blocks[b, HEADER_END]
        blocks[b, HEADER] = 0
        blocks[b, HEADER_END] = 0
        if kind == STORED:
            fills[stored] = _fill_at(stream, at)
            stored += 1
        elif kind == DYNAMIC:
            for i in range(expected.size):
                expected[i] = 0
            cursor[0] = 0
            write_header(tokens, begin, blocks[b, TOKENS_END], expected, cursor, scratch)
            same = cursor[0] == header_end - at
            for bit in range(header_end - at):
                same = same and (peek(stream, at + bit) ^ peek(expected, bit)) & 1 == 0
            if not same:
                blocks[b, HEADER] = own[0]
                for bit in range(at, header_end):
                    write_bits(headers, own, peek(stream, bit) & 1, 1)
                blocks[b, HEADER_END] = own[0]
        begin = blocks[b, TOKENS_END]
    fills[stored] = _fill_at(stream, end)
    return own[0]


@inline
def _fill_at(stream, at):
    """The bits from here to the end of the byte."""
    return peek(stream, at) & ((1 << (-at & 7)) - 1)


@kernel
def _write(stream, data, tokens, blocks, headers, skips, fills, scratch):
    """Write all blocks; returns how many bits they have, or -1 if a code is missing."""
    cursor, source = scratch.cursor, scratch.source
    first, second = scratch.first, scratch.second
    cursor[0] = 0
    begin = np.int64(0)
    stored = np.int64(0)
    for b in range(blocks.shape[0]):
        end = blocks[b, TOKENS_END]
        write_bits(stream, cursor, blocks[b, LAST] & 1, 1)
        write_bits(stream, cursor, blocks[b, KIND], 2)
        sound = True
        if blocks[b, KIND] == STORED:
            write_bits(stream, cursor, np.int64(fills[stored]), -cursor[0] & 7)
            place, length = skips[stored, 0], skips[stored, 1]
            write_bits(stream, cursor, length, 16)
            write_bits(stream, cursor, length ^ 0xFFFF, 16)
            at = cursor[0] >> 3
            for i in range(length):
                stream[at + i] = data[place + i]
            cursor[0] += 8 * length
            stored += 1
        elif blocks[b, KIND] == FIXED:
            sound = write_tokens(
                stream, cursor, tokens, begin, end, FIXED_LITERALS, FIXED_DISTANCES, scratch
            )
        elif blocks[b, HEADER_END] == 0:
            write_header(tokens, begin, end, stream, cursor, scratch)
            literals = first[:LITERALS]
            sound = write_tokens(stream, cursor, tokens, begin, end, literals, second, scratch)
        else:
            source[0] = blocks[b, HEADER]
            used = read_code_lengths(headers, source, first, scratch.codes, scratch.table)
            sound = used >= 0 and source[0] == blocks[b, HEADER_END]
            if sound:
                for bit in range(blocks[b, HEADER], blocks[b, HEADER_END]):
                    write_bits(stream, cursor, peek(headers, bit) & 1, 1)
                count = used & 511
                literals = first[:count]
                distances = first[count : count + (used >> 9)]
                sound = write_tokens(
                    stream, cursor, tokens, begin, end, literals, distances, scratch
                )
        if not sound:
            return np.int64(-1)
        begin = end
    write_bits(stream, cursor, np.int64(fills[stored]), -cursor[0] & 7)
    return cursor[0]
