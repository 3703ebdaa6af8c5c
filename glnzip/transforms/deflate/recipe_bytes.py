"""Recipes as bytes, and back.

Numbers are LEB128, as everywhere in the format (`glnzip.format.numbers`):

    level + 16 * strategy + 128 * forgets + 256 * sorts, memory + 16 * window bits
    number of blocks, and for each of them
        kind + 4 * says the other thing about being the last + 8 * has a header of its own
        + 16 * ends where zlib's buffer was full
        unless that is so or it is the last one, its tokens; along a path, its bytes of data
        the bits of a header of its own
    for each stored block: bytes of data since the last one, its own bytes
    1 if there are corrections, and then for each class of `glnzip.transforms.deflate.corrections`
        their number
        of all, what was right before
        of all, the length
        of all that are matches, 0 and the distance, or the rank
    1 if any byte is filled up by ones, and then what fills it up: for each stored block, at the end
    the headers

Nothing is trusted: what `read_recipe` returns is within the bounds that `rebuild` was made for.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.format.numbers import take_number, write_numbers
from glnzip.transforms.deflate.corrections import (
    CLASS,
    CLASSES,
    CORRECTION_COLUMNS,
    DISTANCE,
    LENGTH,
    RANK,
    RANKS,
    RIGHT,
    are_matches,
)
from glnzip.transforms.deflate.places import FARTHEST
from glnzip.transforms.deflate.recipe import MOST_DATA, Recipe, Settings
from glnzip.transforms.deflate.stream import (
    BLOCK_COLUMNS,
    DATA_END,
    DYNAMIC,
    HEADER,
    HEADER_END,
    KIND,
    LAST,
    STORED,
    TOKENS_END,
)
from glnzip.transforms.deflate.zlib_parse import (
    DEFAULT,
    LONG_PATH,
    MOST_MATCH,
    SHORT_PATH,
    WINDOW_BITS,
)

_LAST, _HEADER, _FULL = 4, 8, 16


def write_recipe(recipe: Recipe) -> bytes:
    """The recipe as bytes."""
    level, strategy, memory, window_bits, forgets, sorts = recipe.settings
    full, end = _full_and_end(recipe.settings)
    numbers = [level | strategy << 4 | forgets << 7 | sorts << 8, memory | window_bits << 4]
    numbers.append(len(recipe.blocks))
    before = 0
    for number, block in enumerate(recipe.blocks.tolist()):
        own, grown = block[HEADER_END] - block[HEADER], block[end] - before
        last = number == len(recipe.blocks) - 1
        counted = not last and grown != full
        flags = block[KIND] | _LAST * (block[LAST] != last) | _HEADER * (own > 0)
        flags |= 0 if last or counted else _FULL
        numbers += [flags, *([grown] if counted else []), *([own] if own else [])]
        before = block[end]
    place = 0
    for begin, length in recipe.skips.tolist():
        numbers += [begin - place, length]
        place = begin + length
    corrections = recipe.corrections
    numbers.append(int(len(corrections) > 0))
    for kind in range(CLASSES if len(corrections) else 0):
        own_class = corrections[corrections[:, CLASS] == kind]
        numbers += [len(own_class), *own_class[:, RIGHT].tolist(), *own_class[:, LENGTH].tolist()]
        for match in own_class[are_matches(own_class)].tolist():
            numbers += [match[RANK]] if match[RANK] else [0, match[DISTANCE]]
    filled = bool(recipe.fills.any())
    numbers += [int(filled), *(recipe.fills.tolist() if filled else [])]
    return write_numbers(numbers) + recipe.headers.tobytes()


def read_recipe(recipe: bytes) -> Recipe:
    """The recipe that `write_recipe` was given.

    Raises
    ------
    CorruptStreamError
        If these bytes are no recipe.
    """
    file = io.BytesIO(recipe)

    def take(count: int) -> bytes:
        taken = file.read(count)
        if len(taken) < count:
            raise CorruptStreamError("a recipe ends too early")
        return taken

    def number(end: int, what: str) -> int:
        return take_number(take, range(end), what)

    def up_to(least: int, most: int, found: int, what: str) -> int:
        if not least <= found <= most:
            raise CorruptStreamError(f"damaged recipe: {what} {found} is not in {least}..{most}")
        return found

    first, second = number(512, "level"), number(256, "window")
    memory = up_to(1, 9, second & 15, "memory")
    settings = Settings(
        level=up_to(1, 9, first & 15, "level"),
        strategy=up_to(DEFAULT, LONG_PATH, first >> 4 & 7, "strategy"),
        memory=memory,
        window_bits=up_to(WINDOW_BITS[0], WINDOW_BITS[-1], second >> 4, "window"),
        forgets=bool(first & 128),
        sorts=bool(first & 256),
    )
    most = len(recipe)  # every block, correction and fill takes a byte at least
    blocks = np.zeros((number(most, "block count"), BLOCK_COLUMNS), np.int64)
    full, end = _full_and_end(settings)
    after = bits = 0
    for i, block in enumerate(blocks):
        flags = number(32, "block")
        block[KIND] = up_to(STORED, DYNAMIC, flags & 3, "kind")
        last = i == len(blocks) - 1
        block[LAST] = last ^ bool(flags & _LAST)
        if not last:
            after += full if flags & _FULL else number(MOST_DATA + 1, "end of a block")
            block[end] = up_to(0, MOST_DATA, after, "end of a block")
        if flags & _HEADER:
            block[HEADER] = bits
            bits += number(8 * most, "header length")
            block[HEADER_END] = bits
    skips = np.zeros((int((blocks[:, KIND] == STORED).sum()), 2), np.int64)
    place = 0
    for skip in skips:
        skip[0] = place + number(MOST_DATA + 1, "place of a stored block")
        skip[1] = number(0x10000, "length of a stored block")
        place = int(skip.sum())
    classes = []
    for kind in range(CLASSES if number(2, "corrections") else 0):
        rows = np.zeros((number(most, "correction count"), CORRECTION_COLUMNS), np.int64)
        rows[:, CLASS] = kind
        rows[:, RIGHT] = [number(MOST_DATA + 1, "place of a correction") for _ in rows]
        rows[:, LENGTH] = [number(2 * MOST_MATCH, "length") for _ in rows]
        for match in np.flatnonzero(are_matches(rows)):
            rows[match, RANK] = number(RANKS + 1, "rank")
            if not rows[match, RANK]:
                rows[match, DISTANCE] = take_number(take, range(1, FARTHEST + 1), "distance")
        classes.append(rows)
    corrections = np.concatenate(classes or [np.zeros((0, CORRECTION_COLUMNS), np.int64)])
    fills = np.zeros(len(skips) + 1, np.uint8)
    if number(2, "fill"):
        fills[:] = [number(128, "fill") for _ in fills]
    headers: Any = np.frombuffer(file.read(), np.uint8)
    if len(headers) != (bits + 7) // 8:
        raise CorruptStreamError("the headers of a recipe are incomplete")
    return Recipe(settings, blocks, headers, skips, corrections, fills)


def _full_and_end(settings: Settings) -> tuple[int, int]:
    """How many tokens fill zlib's buffer, and the column that says where blocks end."""
    along_path = settings.strategy >= SHORT_PATH
    return (1 << settings.memory + 6) - 1, DATA_END if along_path else TOKENS_END
