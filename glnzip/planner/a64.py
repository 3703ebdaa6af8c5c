"""What of the data is A64 code, and where its pages begin.

In code, most words begin with one of few bytes, and some return. Pages of 4096 bytes begin where
most addresses of pages agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.transforms.a64_words import (
    PAGE_BYTES,
    WORD_BYTES,
    page_distances,
    pages_among,
    whole_words,
)

_FREQUENT = bytes.fromhex(  # highest bytes of five in six instructions
    "14171e2a 34395254 718b9091 94979aa9 aab0b4b9 cbd0d1d2 d3d5d6eb f0f1f8f9"
)
_RETURN = bytes.fromhex("c0 03 5f d6")
_LEAST_RETURNS = 4
_CHUNK = 1 << 10  # bytes, of which two in five words or more begin so
_SHORTEST = 16  # chunks of code that are worth while
_LONGEST_GAP = 12  # chunks between them that belong to them
_PAGES_COUNTED = 1 << 12  # numbers of pages, modulo this
_COARSE = 64  # between addresses that are tried first


def changes_of_code(data: bytes) -> list[int]:
    """Where in the data A64 code begins and ends: bytes from their beginning, in order.

    What is shorter than 16 KB does not count.
    """
    if data.count(_RETURN) < _LEAST_RETURNS:
        return []
    first, chunks = _code_chunks(np.frombuffer(data, np.uint8))
    edges = np.flatnonzero(np.diff(chunks, prepend=False, append=False)).tolist()
    runs: list[tuple[int, int]] = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        near = runs and start - runs[-1][1] <= _LONGEST_GAP
        runs.append((runs.pop()[0] if near else start, end))
    places: list[int] = []
    for start, end in runs:
        run = first + _CHUNK * start, first + _CHUNK * end
        if end - start >= _SHORTEST and data.count(_RETURN, *run) >= _LEAST_RETURNS:
            places += run
    return [place for place in places if first < place < first + _CHUNK * chunks.size]


def address_of_code(data: bytes) -> int | None:
    """Where in a page a block of A64 code begins: 0 to 4095; None if the data are no such block."""
    if data.count(_RETURN) < _LEAST_RETURNS:
        return None
    block = np.frombuffer(data, np.uint8)
    first, chunks = _code_chunks(block)
    if 2 * np.count_nonzero(chunks) < max(chunks.size, _SHORTEST):
        return None
    aligned = -first % WORD_BYTES
    words = whole_words(block, aligned)[0].view("<u4")
    taken = pages_among(words)
    places = first + WORD_BYTES * np.flatnonzero(taken)
    pages = page_distances(words[taken]).astype(np.int64)
    coarse = _best(pages, places, range(aligned, PAGE_BYTES, _COARSE))
    least = max(coarse - _COARSE, aligned)
    return _best(pages, places, range(least, coarse + _COARSE, WORD_BYTES)) % PAGE_BYTES


def _code_chunks(block: Any) -> tuple[int, Any]:
    """Where words begin, and which chunks from there on are like code: bool[:]."""
    frequent = np.zeros(256, np.uint8)
    frequent[list(_FREQUENT)] = 1
    begins = [frequent[block[first + WORD_BYTES - 1 :: WORD_BYTES]] for first in range(WORD_BYTES)]
    counts = [np.count_nonzero(words) for words in begins]
    first = counts.index(max(counts))
    words = _CHUNK // WORD_BYTES
    whole = begins[first][: begins[first].size // words * words].reshape(-1, words)
    return first, 5 * whole.sum(1) >= 2 * words


def _best(pages: Any, places: Any, addresses: range) -> int:
    """The first of the addresses of the block's first byte by which pages agree best."""
    agreements = []
    for address in addresses:
        numbers = (pages + (places + address) // PAGE_BYTES) % _PAGES_COUNTED
        counts = np.bincount(numbers)
        agreements.append(int((counts * counts).sum()))
    return addresses[int(np.argmax(agreements))]
