"""What must be known beside the data to make a deflate stream again, bit for bit.

The stream is told as the difference from what zlib would make of the data: with which settings; the
tokens that are not those of `zlib_parse`; where blocks end, if not where zlib's buffer is full; and
their kinds and codes, if not those of `zlib_trees`. For a stream of zlib itself that is next to
nothing. Which zlib runs here does not matter: nothing of it is used. Where another program has
looked for the shortest stream, tokens are compared with those of `cheapest_path` instead.

`describe` tries each recipe before it returns it: `rebuild` has made the stream of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.jit import inline, kernel
from glnzip.transforms.deflate.bits import SPARE, padded, peek, write_bits
from glnzip.transforms.deflate.cheapest_path import cheapest_path
from glnzip.transforms.deflate.codes import (
    FIXED_DISTANCES,
    FIXED_LITERALS,
    LITERALS,
)
from glnzip.transforms.deflate.corrections import (
    CLASS,
    CLASSES,
    CORRECTION_COLUMNS,
    RIGHT,
    class_of,
    tell,
    told,
)
from glnzip.transforms.deflate.places import Places, places_of
from glnzip.transforms.deflate.scratch import LONGEST_HEADER, new_scratch
from glnzip.transforms.deflate.stream import (
    BITS_END,
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
    LONG_PATH,
    MOST_MATCH,
    RUNS,
    SHORT_PATH,
    STRATEGY,
    WINDOW_BITS,
    Search,
    follow,
    is_deferred,
    new_search,
    pass_by,
    predict_token,
)
from glnzip.transforms.deflate.zlib_trees import write_header

MOST_DATA = 1 << 30  # bytes that a stream may stand for
MOST_ALONG_PATH = 1 << 21  # and that a path leads through: it takes memory, and time
_TRIED = 20_000  # tokens that settings are compared by ...
_TRIED_ALONG_PATH = 5_000  # ... and paths, for which more is to be done
_WRONG = 2  # the so many-th part of them may be corrected, ...
_FEW_WRONG = 16  # ... and so many in any case
_CLOSE = 64  # if more than the so many-th part is, something else than zlib is thought of

# What headers are expected to be: those of zlib; those with symbols sorted; no header at all
_OF_ZLIB, _SORTED, _OWN = range(3)

# What a walk through the data is for
_COUNTING, _TELLING, _MAKING = range(3)


class Settings(NamedTuple):
    """zlib's, as `deflateInit2` takes them, and two more strategies (`zlib_parse`)."""

    level: int
    strategy: int
    memory: int
    window_bits: int
    forgets: bool = False  # at each empty stored block, which a full flush writes
    sorts: bool = False  # symbols of equal counts, which zlib does not do (`zlib_trees.sort_alike`)

    def search(self) -> Search:
        """What begins with the first byte."""
        return new_search(*self[:5])


class Recipe(NamedTuple):
    """What is known beside the data.

    Attributes
    ----------
    settings : Settings
    blocks : int64[blocks, BLOCK_COLUMNS]
        As `Parts.blocks`, but places count from its first data; `HEADER` and `HEADER_END` say where
        in `headers` its header lies if it has one of its own, else both are 0. Of `TOKENS_END` and
        `DATA_END` only one is known, the second along the cheapest path; that of the last block is
        0: it has all that is left. `BITS_END` is 0.
    headers : uint8[:]
        Bits.
    skips : int64[stored blocks, 2]
        Where the data of each stored block begin, and how many these are.
    corrections : int64[corrections, CORRECTION_COLUMNS]
        Class by class; in each class, in the order of the data.
    fills : uint8[:]
        What fills up the byte before each stored block, and at the end.
    """

    settings: Settings
    blocks: Any
    headers: Any
    skips: Any
    corrections: Any
    fills: Any


def describe(
    stream: Any,
    most: int,
    window_bits: int = 15,
    fits: Callable[[Any, int], bool] = lambda data, size: True,
    tried: Callable[[int], None] = lambda size: None,
) -> tuple[Any, Recipe, int] | None:
    """Undo the deflate stream that begins at the first byte of `stream`.

    Parameters
    ----------
    stream : uint8[:]
        May go on after it; the last `SPARE` bytes do not count.
    most : int
        Bytes of data at most.
    window_bits : int
        8 to 15, if a header says so.
    fits
        Whether a check behind the stream fits its data and its size: asked before all that takes
        long.
    tried
        Is told how much was read, in bytes, whatever comes of it.

    Returns
    -------
    data, recipe, bytes of the stream
        Or None, if there is no such stream, or it is too far from what zlib makes.

    Raises
    ------
    UnfinishedError
        If the stream seems to go on where its bytes end.
    """
    parts = read_stream(stream, min(most, MOST_DATA), tried)
    if parts is None or not fits(parts.data, (parts.bits + 7) // 8):
        return None
    recipe = recipe_of(stream, parts, window_bits)
    size = (parts.bits + 7) // 8
    if recipe is None or not np.array_equal(rebuild(parts.data, recipe), stream[:size]):
        return None
    return parts.data, recipe, size


def recipe_of(stream: Any, parts: Parts, window_bits: int) -> Recipe | None:
    """What tells the blocks of a stream, beside the data; None if that would be too much."""
    skips = _skips(parts)
    settings, wrong = _likely_settings(parts, skips, window_bits)
    compared, sorts = _compared(stream, parts, _OF_ZLIB), False
    if len(compared[1]):
        other = _compared(stream, parts, _SORTED)
        if len(other[1]) < len(compared[1]):
            compared, sorts = other, True
    has_path = len(parts.data) <= MOST_ALONG_PATH
    corrected = wrong > 0 or _is_wrong(settings, parts, skips)
    places = places_of(parts.data if corrected else parts.data[:0], far=has_path)
    if has_path and wrong > max(_FEW_WRONG, len(parts.tokens[:_TRIED]) // _CLOSE):
        path = _likely_path(stream, parts, skips, places, settings, compared[0])
        if path is not None:
            settings, sorts, compared = path, False, _compared(stream, parts, _OWN)
    if settings is None:
        return None
    settings = settings._replace(sorts=sorts)
    along_path = settings.strategy >= SHORT_PATH
    search = settings.search()
    if along_path:
        search = _along_path(search, parts.data, parts.begin, parts.blocks, stream, places)
    corrections = np.zeros((0, CORRECTION_COLUMNS), np.int64)
    if corrected:
        corrections = _corrections(search, parts, skips, places)
    blocks, headers, fills = compared
    blocks[:, DATA_END] -= parts.begin
    skips[:, 0] -= parts.begin
    blocks[:, [TOKENS_END if along_path else DATA_END, BITS_END]] = 0
    blocks[-1, [TOKENS_END, DATA_END]] = 0
    return Recipe(settings, blocks, headers, skips, corrections, fills)


def rebuild(data: Any, recipe: Recipe) -> Any:
    """The stream that `describe` was given: uint8[:].

    Raises
    ------
    CorruptStreamError
        If the recipe is not one for these data.
    """
    return filled_up(*rebuild_blocks(data, 0, len(data), recipe), recipe)


def filled_up(stream: Any, bits: int, recipe: Recipe) -> Any:
    """The bytes of a stream that ends after so many bits: uint8[:]."""
    if bits & 7:
        stream[bits >> 3] |= int(recipe.fills[-1]) << (bits & 7) & 0xFF
    return stream[: (bits + 7) // 8]


def rebuild_blocks(
    data: Any, begin: int, end: int, recipe: Recipe, first_bits: int = 0, count: int = 0
) -> tuple[Any, int]:
    """Blocks of a stream.

    Parameters
    ----------
    data : uint8[:]
    begin, end : int
        What of them the blocks tell; matches may reach back to what is before.
    recipe : Recipe
    first_bits, count : int
        What stands before the blocks, fewer than 8 bits.

    Returns
    -------
    stream : uint8[:]
        These bits, the blocks, and zeros.
    bits : int
        Where the last block ends.

    Raises
    ------
    CorruptStreamError
        If the recipe is not one for these data.
    """
    blocks, skips = recipe.blocks.copy(), recipe.skips.copy()
    skips[:, 0] += begin
    blocks[:, DATA_END] += begin
    along_path = recipe.settings.strategy >= SHORT_PATH
    if along_path:
        if len(data) > MOST_ALONG_PATH:
            raise CorruptStreamError("a recipe has a path through too many data")
        blocks[-1:, DATA_END] = end
    recipe = recipe._replace(blocks=blocks, skips=skips, headers=padded(recipe.headers))
    tokens = np.zeros(end - begin, np.uint32)
    found = _find_tokens(recipe, data, begin, end, tokens) if _fits(recipe, begin, end) else -1
    if not along_path:
        blocks[-1:, TOKENS_END] = found
    if found < 0 or not _fits_tokens(recipe, found):
        raise CorruptStreamError("a recipe does not fit its data")
    room = 6 * found + end - begin + LONGEST_HEADER // 8 * len(blocks) + SPARE
    stream = np.zeros(room, np.uint8)
    stream[0] = first_bits
    told_blocks = (blocks, recipe.headers, skips, recipe.fills, recipe.settings.sorts)
    bits = int(_write(stream, count, data, tokens, *told_blocks, new_scratch()))
    if bits < 0:
        raise CorruptStreamError("a recipe has codes that do not fit its tokens")
    return stream, bits


def _find_tokens(recipe: Recipe, data: Any, begin: int, end: int, tokens: Any) -> int:
    """Leave in `tokens` those of blocks; how many, or -1 if there are none.

    Along a path, it is left in the blocks where they end.
    """
    along_path = recipe.settings.strategy >= SHORT_PATH
    corrections, blocks = recipe.corrections, recipe.blocks
    places = places_of(data if along_path or len(corrections) else data[:0], far=along_path)
    search = recipe.settings.search()
    if along_path:
        search = _along_path(search, data, begin, blocks, recipe.headers, places)
    counts = np.zeros((2, CLASSES), np.int64)
    counts[1] = np.searchsorted(corrections[:, CLASS], np.arange(CLASSES))
    given = (recipe.skips, blocks, places, corrections, counts)
    return int(_walk(search, data, begin, end, tokens, *given, _MAKING))


def _along_path(
    search: Search, data: Any, begin: int, blocks: Any, headers: Any, places: Places
) -> Search:
    """The search with the cheapest path through the data from a place on."""
    longer = int(search.settings[STRATEGY]) == LONG_PATH
    return search._replace(path=cheapest_path(data, begin, blocks, headers, places, longer))


def _skips(parts: Parts) -> Any:
    """Where the data of stored blocks begin, and their lengths."""
    ends = parts.blocks[:, DATA_END]
    begins = np.concatenate([[parts.begin], ends[:-1]])
    stored = parts.blocks[:, KIND] == STORED
    return np.stack([begins[stored], (ends - begins)[stored]], axis=1).astype(np.int64)


def _compared(stream: Any, parts: Parts, expected: int) -> tuple[Any, Any, Any]:
    """Blocks, headers and fills of a recipe, if headers as `expected` are not in it."""
    blocks = parts.blocks.copy()
    headers = np.zeros(len(blocks) * LONGEST_HEADER // 8 + SPARE, np.uint8)
    fills = np.zeros(int((blocks[:, KIND] == STORED).sum()) + 1, np.uint8)
    compared = (parts.tokens, blocks, headers, fills)
    bits = _compare_blocks(stream, parts.bits, *compared, expected, new_scratch())
    return blocks, headers[: (bits + 7) // 8], fills


def _likely_settings(parts: Parts, skips: Any, window_bits: int) -> tuple[Settings | None, int]:
    """Those that tell the first tokens best, and how many wrong; None if they tell too few."""
    tokens = parts.tokens[:_TRIED]
    if not len(tokens):
        return next(_candidates(8, window_bits, False)), 0
    first = int(parts.blocks[0, TOKENS_END])
    memory = (first + 1).bit_length() - 7
    if (1 << memory + 6) - 1 != first or not 1 <= memory <= 9:
        memory = 8
    best, fewest = None, _most_wrong(tokens)
    flushed = bool((skips[:, 1] == 0).any())
    for settings in _candidates(memory, window_bits, flushed):
        wrong = _count_wrong(settings.search(), parts, skips, fewest, len(tokens))
        if wrong <= fewest and (best is None or wrong < fewest):
            best, fewest = settings, wrong
            if wrong == 0:
                break
    return best, fewest


def _is_wrong(settings: Settings | None, parts: Parts, skips: Any) -> bool:
    """Whether any token is not as predicted, where the first are."""
    if settings is None or len(parts.tokens) <= _TRIED:
        return False
    return _count_wrong(settings.search(), parts, skips, 0, len(parts.tokens)) > 0


def _likely_path(
    stream: Any, parts: Parts, skips: Any, places: Places, others: Settings | None, own: Any
) -> Settings | None:
    """The settings by which a path tells the first tokens better than other settings.

    Headers that are not in `own` blocks are no longer told by the tokens, so their bytes count.
    """
    tokens = parts.tokens[:_TRIED_ALONG_PATH].astype(np.int64)
    fewest = _most_wrong(tokens)
    if others is not None:
        fewest = _count_wrong(others.search(), parts, skips, fewest, len(tokens))
    lengths = [b[:, HEADER_END] - b[:, HEADER] for b in (parts.blocks, own)]
    tried = np.concatenate([[0], parts.blocks[:-1, TOKENS_END]]) < len(tokens)
    tried &= parts.blocks[:, KIND] == DYNAMIC
    fewest -= int((lengths[0] - lengths[1])[tried].sum()) // 8
    told = int(np.maximum(tokens >> 16, 1).sum() + skips[:, 1].sum())
    end = min(len(parts.data), parts.begin + told)
    blocks = parts.blocks.copy()
    blocks[:, DATA_END] = np.minimum(blocks[:, DATA_END], end)
    best = None
    for strategy in (SHORT_PATH, LONG_PATH):
        settings = Settings(6, strategy, 8, WINDOW_BITS[-1])
        data = parts.data[:end]
        search = _along_path(settings.search(), data, parts.begin, blocks, stream, places)
        wrong = _count_wrong(search, parts, skips, max(0, fewest), len(tokens))
        if wrong < fewest:
            best, fewest = settings, wrong
    return best


def _most_wrong(tokens: Any) -> int:
    return max(_FEW_WRONG, len(tokens) // _WRONG)


def _count_wrong(search: Search, parts: Parts, skips: Any, most: int, tokens: int) -> int:
    """How many of the first tokens are not those predicted; `most` + 1 if they are more."""
    corrections = np.zeros((most + 1, CORRECTION_COLUMNS), np.int64)
    counts = np.zeros((2, CLASSES), np.int64)
    nowhere = Places(*np.zeros((2, 0), np.int32))
    given = (skips, parts.blocks, nowhere, corrections, counts)
    end, tokens_of = int(parts.blocks[-1, DATA_END]), parts.tokens[:tokens]
    return int(_walk(search, parts.data, parts.begin, end, tokens_of, *given, _COUNTING))


def _corrections(search: Search, parts: Parts, skips: Any, places: Places) -> Any:
    """What the search gets wrong, as in `Recipe`."""
    corrections = np.zeros((_most_wrong(parts.tokens), CORRECTION_COLUMNS), np.int64)
    counts = np.zeros((2, CLASSES), np.int64)
    given = (skips, parts.blocks, places, corrections, counts)
    end = int(parts.blocks[-1, DATA_END])
    wrong = int(_walk(search, parts.data, parts.begin, end, parts.tokens, *given, _TELLING))
    found = corrections[:wrong]
    return found[np.argsort(found[:, CLASS], kind="stable")]


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
def _walk(search, data, begin, end, tokens, skips, blocks, places, corrections, counts, what):
    """Go through the data from `begin` to `end` token by token, each predicted and then followed.

    If `_MAKING`, corrections are known, and tokens are found, and along a path where they end in
    blocks; returns the number of tokens, or -1 if the corrections are impossible. Otherwise tokens
    are known; if `_TELLING`, corrections are found. Returns their number; it stops where there is
    no more room for them, or no more tokens.
    """
    right, following = counts[0], counts[1]  # by class: right predictions; the next correction
    along_path = search.settings[STRATEGY] >= SHORT_PATH
    place = np.int64(begin)
    count = np.int64(0)
    skip = np.int64(0)
    block = np.int64(0)
    wrong = np.int64(0)
    if begin > 0:
        pass_by(search, data, np.int64(0), place)
    while True:
        stop = np.int64(end)
        if what == _MAKING and along_path and block < blocks.shape[0]:
            stop = blocks[block, DATA_END]
            if place == stop:
                blocks[block, TOKENS_END] = count
                block += 1
                continue
        if skip < skips.shape[0]:
            stop = min(stop, skips[skip, 0])
            if place == skips[skip, 0]:
                pass_by(search, data, place, skips[skip, 1])
                place += skips[skip, 1]
                skip += 1
                continue
        if place >= stop or (what != _MAKING and count == tokens.size):
            break
        predicted = predict_token(search, data, place)
        token = predicted
        kind = class_of(predicted, is_deferred(search, place))
        right[kind] += 1
        if what == _MAKING:
            own = following[kind]
            if own < corrections.shape[0]:
                correction = corrections[own]
                if correction[CLASS] == kind and correction[RIGHT] < right[kind]:
                    right[kind] = 0
                    following[kind] = own + 1
                    room = min(stop - place, np.int64(MOST_MATCH))
                    token = told(correction, data, places, place, room, predicted)
            if token < 0 or token >> 16 > stop - place:
                return np.int64(-1)
            tokens[count] = token
        else:
            token = np.int64(tokens[count])
            if token != predicted:
                if wrong == corrections.shape[0]:
                    break
                if what == _TELLING:
                    correction = corrections[wrong]
                    correction[CLASS] = kind
                    correction[RIGHT] = right[kind] - 1
                    tell(correction, data, places, place, predicted, token)
                right[kind] = 0
                wrong += 1
        follow(search, data, place, token)
        place += max(token >> 16, np.int64(1))
        count += 1
    if what != _MAKING:
        return wrong
    done = place == end and skip == skips.shape[0]
    return count if done and (block == blocks.shape[0] or not along_path) else np.int64(-1)


def _fits(recipe: Recipe, begin: int, end: int) -> bool:
    """Whether tokens can be looked for: blocks lie within the data, headers within the bits."""
    skips, blocks = recipe.skips, recipe.blocks
    bounds = np.stack([skips[:, 0], skips.sum(axis=1)], axis=1).ravel()
    bounds = np.concatenate([[begin], bounds, [end]])
    ends = np.concatenate([[begin], blocks[:, DATA_END], [end]])
    own = blocks[:, HEADER_END] - blocks[:, HEADER]
    if recipe.settings.strategy >= SHORT_PATH:
        stored, dynamic = blocks[:, KIND] == STORED, blocks[:, KIND] == DYNAMIC
        places = np.stack([ends[:-2], ends[1:-1]], axis=1)[stored]
        if not own[dynamic].all() or not np.array_equal(places, bounds[1:-1].reshape(-1, 2)):
            return False
    return bool(
        (np.diff(bounds) >= 0).all()
        and (np.diff(ends) >= 0).all()
        and (skips[:, 1] <= 0xFFFF).all()
        and (own >= 0).all()
        and (blocks[:, HEADER] >= 0).all()
        and (blocks[:, HEADER_END] <= 8 * (len(recipe.headers) - SPARE)).all()
    )


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
    )


@kernel
def _compare_blocks(stream, end, tokens, blocks, headers, fills, wanted, scratch):
    """Find which headers are not the `wanted` ones, and what fills bytes up.

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
            end_of_block, sorts = blocks[b, TOKENS_END], wanted == _SORTED
            write_header(tokens, begin, end_of_block, expected, cursor, sorts, scratch)
            same = cursor[0] == header_end - at and wanted != _OWN
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
def _write(stream, before, data, tokens, blocks, headers, skips, fills, sorts, scratch):
    """Write all blocks behind some bits; returns where they end, or -1 if a code is missing."""
    cursor, source = scratch.cursor, scratch.source
    first, second = scratch.first, scratch.second
    cursor[0] = before
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
            write_header(tokens, begin, end, stream, cursor, sorts, scratch)
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
    return cursor[0]
