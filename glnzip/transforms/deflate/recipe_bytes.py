"""Recipes as bytes, and back.

Numbers are LEB128, as everywhere in the format (`glnzip.format.numbers`):

    level + 16 * strategy + 64 * forgets, memory + 16 * window bits
    number of blocks, and for each of them
        kind + 4 * says the other thing about being the last + 8 * has a header of its own
        + 16 * ends where zlib's buffer was full
        unless that is so or it is the last one, its tokens
        the bits of a header of its own
    for each stored block: bytes of data since the last one, its own bytes
    number of corrections, and for each: tokens since the last one, length, and for a match distance
    1 if any byte is filled up by ones, and then what fills it up: for each stored block, at the end
    the headers

Nothing is trusted: what `read_recipe` returns is within the bounds that `rebuild` was made for.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from glnzip.errors import CorruptStreamError
from glnzip.format.numbers import take_number, write_number
from glnzip.transforms.deflate.recipe import MOST_DATA, Recipe, Settings
from glnzip.transforms.deflate.stream import (
    BLOCK_COLUMNS,
    DYNAMIC,
    HEADER,
    HEADER_END,
    KIND,
    LAST,
    STORED,
    TOKENS_END,
)
from glnzip.transforms.deflate.zlib_parse import LEAST_MATCH, MOST_MATCH, WINDOW_BITS

_LAST, _HEADER, _FULL = 4, 8, 16


def write_recipe(recipe: Recipe) -> bytes:
    """The recipe as bytes."""
    level, strategy, memory, window_bits, forgets = recipe.settings
    full = (1 << memory + 6) - 1
    numbers = [level | strategy << 4 | forgets << 6, memory | window_bits << 4, len(recipe.blocks)]
    tokens = 0
    for number, block in enumerate(recipe.blocks.tolist()):
        own, grown = block[HEADER_END] - block[HEADER], block[TOKENS_END] - tokens
        last = number == len(recipe.blocks) - 1
        counted = not last and grown != full
        flags = block[KIND] | _LAST * (block[LAST] != last) | _HEADER * (own > 0)
        flags |= 0 if last or counted else _FULL
        numbers += [flags, *([grown] if counted else []), *([own] if own else [])]
        tokens = block[TOKENS_END]
    place = 0
    for begin, length in recipe.skips.tolist():
        numbers += [begin - place, length]
        place = begin + length
    numbers.append(len(recipe.corrections))
    after = 0
    for at, match in recipe.corrections.tolist():
        length = match >> 16
        numbers += [at - after, length, *([match & 0xFFFF] if length else [])]
        after = at + 1
    filled = bool(recipe.fills.any())
    numbers += [int(filled), *(recipe.fills.tolist() if filled else [])]
    return b"".join(map(write_number, numbers)) + recipe.headers.tobytes()


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

    first, second = number(128, "level"), number(256, "window")
    memory = up_to(1, 9, second & 15, "memory")
    settings = Settings(
        level=up_to(1, 9, first & 15, "level"),
        strategy=first >> 4 & 3,
        memory=memory,
        window_bits=up_to(WINDOW_BITS[0], WINDOW_BITS[-1], second >> 4, "window"),
        forgets=bool(first >> 6),
    )
    most = len(recipe)  # every block, correction and fill takes a byte at least
    blocks = np.zeros((number(most, "block count"), BLOCK_COLUMNS), np.int64)
    tokens = bits = 0
    for i, block in enumerate(blocks):
        flags = number(32, "block")
        block[KIND] = up_to(STORED, DYNAMIC, flags & 3, "kind")
        last = i == len(blocks) - 1
        block[LAST] = last ^ bool(flags & _LAST)
        full = (1 << memory + 6) - 1
        if not last:
            tokens += full if flags & _FULL else number(MOST_DATA + 1, "token count")
            block[TOKENS_END] = up_to(0, MOST_DATA, tokens, "token count")
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
    corrections = np.zeros((number(most, "correction count"), 2), np.int64)
    at = 0
    for correction in corrections:
        at += number(MOST_DATA + 1, "place of a correction")
        length = number(MOST_MATCH + 1, "length")
        if length:
            up_to(LEAST_MATCH, MOST_MATCH, length, "length")
            correction[1] = length << 16 | take_number(take, range(1, 32769), "distance")
        correction[0] = at
        at += 1
    fills = np.zeros(len(skips) + 1, np.uint8)
    if number(2, "fill"):
        fills[:] = [number(128, "fill") for _ in fills]
    headers: Any = np.frombuffer(file.read(), np.uint8)
    if len(headers) != (bits + 7) // 8:
        raise CorruptStreamError("the headers of a recipe are incomplete")
    return Recipe(settings, blocks, headers, skips, corrections, fills)
