"""A64 code as the model wants to see it: fields in another order, targets by their addresses.

Instructions of ARM's 64-bit processors are words of 32 bits, the lowest byte first. What an
instruction does is said by its highest bits, and its lowest name the register that it writes. So
the words are turned round, and their fields put in the order in which they tell each other: what is
done, to which register, from which one, and with what. Calls (BL) and pages (ADRP) are named
relative to the instruction; `to_fields` adds where it stands, since one function is called, and one
page used, from many places. All of it depends on the highest byte alone, which stays as it is, so
that `to_words` is the exact inverse for any bytes whatsoever.

Fields are those of the Arm Architecture Reference Manual for A-profile, C4.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.format.block_type import BlockType

WORD_BYTES = 4
PAGE_BYTES = 1 << 12

_CALL = 0x25  # the highest six bits of BL
_PAGE_MASK, _PAGE = 0x9F000000, 0x90000000  # of ADRP


def to_fields(data: Any, block_type: BlockType) -> None:
    """Rewrite A64 code in `data`, a uint8 array, in place; `to_words` is the inverse.

    What the block has of words that do not begin and end in it stays as it is.
    """
    whole, places = whole_words(data, block_type.address)
    words = whole.view("<u4").astype(np.uint32)
    _move(words, places, np.add, _relative_page, _as_absolute)
    whole[:] = _in_order(words).astype(">u4").view(np.uint8)


def to_words(data: Any, block_type: BlockType) -> None:
    """Undo `to_fields`."""
    whole, places = whole_words(data, block_type.address)
    words = _out_of_order(whole.view(">u4").astype(np.uint32))
    _move(words, places, np.subtract, _absolute_page, _as_relative)
    whole[:] = words.astype("<u4").view(np.uint8)


def turn_words(values: Any, block_type: BlockType) -> None:
    """Turn round what stands for the bytes of each word, in an array of one value for each."""
    whole, _ = whole_words(values, block_type.address)
    words = whole.reshape(-1, WORD_BYTES)
    words[:] = words[:, ::-1].copy()


def calls_among(words: Any) -> Any:
    """Which words are calls."""
    return words >> 26 == _CALL


def pages_among(words: Any) -> Any:
    """Which words take the address of a page."""
    return words & _PAGE_MASK == _PAGE


def page_distances(words: Any) -> Any:
    """How many pages away each page is that these words take the address of, modulo 2**21."""
    return _relative_page(words)


def whole_words(data: Any, address: int) -> tuple[Any, Any]:
    """The part of the data (uint8[:]) that is whole words, and the addresses of these, in words."""
    first = -address % WORD_BYTES
    count = max(data.size - first, 0) // WORD_BYTES
    places = (address + first) // WORD_BYTES + np.arange(count, dtype=np.uint32)
    return data[first : first + WORD_BYTES * count], places.astype(np.uint32)


def _move(words: Any, places: Any, by: Any, page_of: Any, page_as: Any) -> None:
    """Move the targets of calls, and pages, by where they stand, in place."""
    calls = calls_among(words)
    targets = by(words[calls], places[calls]) & 0x03FFFFFF
    words[calls] = words[calls] & np.uint32(0xFC000000) | targets
    taken = pages_among(words)
    pages = by(page_of(words[taken]), places[taken] // (PAGE_BYTES // WORD_BYTES)) & 0x1FFFFF
    words[taken] = words[taken] & np.uint32(0x9F00001F) | page_as(pages)


def _relative_page(words: Any) -> Any:
    """The distance of a page, whose two lowest bits stand above the others."""
    return words >> 3 & 0x1FFFFC | words >> 29 & 3


def _as_relative(pages: Any) -> Any:
    return pages >> 2 << 5 | (pages & 3) << 29


def _absolute_page(words: Any) -> Any:
    """The number of a page, in order: its two highest bits, which hardly change, stand above."""
    return words >> 5 & 0x7FFFF | (words >> 29 & 3) << 19


def _as_absolute(pages: Any) -> Any:
    return (pages & 0x7FFFF) << 5 | pages >> 19 << 29


def _has_distance(words: Any) -> Any:
    """Which words have 16 bits or more of a distance from bit 5 on, as their highest byte says."""
    top = words >> 24
    pages = top & 0x1F == 0x10  # ADR, ADRP
    tests = top & 0x7C == 0x34  # CBZ, CBNZ, TBZ, TBNZ
    loads = top & 0x3B == 0x18  # LDR of a literal
    return pages | tests | loads | (top == 0x54)  # B.cond


def _is_jump(words: Any) -> Any:
    """Which words are B or BL: one opcode, one distance, and no registers."""
    return words >> 24 & 0x7C == 0x14


def _in_order(words: Any) -> Any:
    """Words whose fields come in the order in which they tell each other."""
    start = words & np.uint32(0xFF000000) | (words >> 21 & 7) << 21 | (words & 31) << 16
    others = (words >> 5 & 31) << 11 | (words >> 18 & 7) << 8 | words >> 10 & 255
    turned = start | np.where(_has_distance(words), words >> 5 & 0xFFFF, others)
    return np.where(_is_jump(words), words, turned)


def _out_of_order(seen: Any) -> Any:
    """Undo `_in_order`."""
    start = seen & np.uint32(0xFFE00000) | seen >> 16 & 31
    others = (seen >> 8 & 7) << 18 | (seen & 255) << 10 | (seen >> 11 & 31) << 5
    turned = start | np.where(_has_distance(seen), (seen & 0xFFFF) << 5, others)
    return np.where(_is_jump(seen), seen, turned)
