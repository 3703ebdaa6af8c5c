"""The arrays that the kernels of deflate work in: kernels allocate nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.transforms.deflate.bits import SPARE
from glnzip.transforms.deflate.codes import CODE_LENGTHS, DISTANCES, LITERALS, LONGEST, TABLE

NODES = 2 * LITERALS + 1  # of a Huffman tree
LONGEST_HEADER = 2400  # bits of the header of a dynamic block: 17 + 19 * 3 + 316 * 7, rounded up
_CODES = 320  # as many codes of literals and distances as a header can announce


class Scratch(NamedTuple):
    """What is in them lasts no longer than a block.

    Attributes
    ----------
    cursor, source : int64[1]
        Of a stream that is written or read, and of another one that is read.
    first, second, third : int64[:]
        Bits of the codes of literals, of distances and of code lengths.
    codes, other_codes : int64[:]
        The codes themselves.
    table, other_table : int32[TABLE]
        As `fill_table` leaves them.
    counts, other_counts : int64[:]
        How often each symbol occurs.
    runs : int64[:]
        Lengths of codes as zlib writes them.
    header : uint8[:]
        That of a block.
    weights, depths, parents, bits, heap, of_length : int64[:]
        A Huffman tree in the making.
    """

    cursor: Any
    source: Any
    first: Any
    second: Any
    third: Any
    codes: Any
    other_codes: Any
    table: Any
    other_table: Any
    counts: Any
    other_counts: Any
    runs: Any
    header: Any
    weights: Any
    depths: Any
    parents: Any
    bits: Any
    heap: Any
    of_length: Any


def new_scratch() -> Scratch:
    """Arrays of zeros."""

    def numbers(size: int) -> Any:
        return np.zeros(size, np.int64)

    return Scratch(
        cursor=numbers(1),
        source=numbers(1),
        first=numbers(_CODES),
        second=numbers(DISTANCES),
        third=numbers(CODE_LENGTHS),
        codes=numbers(_CODES),
        other_codes=numbers(_CODES),
        table=np.zeros(TABLE, np.int32),
        other_table=np.zeros(TABLE, np.int32),
        counts=numbers(LITERALS),
        other_counts=numbers(DISTANCES),
        runs=numbers(LITERALS + DISTANCES),
        header=np.zeros(LONGEST_HEADER // 8 + SPARE, np.uint8),
        weights=numbers(NODES),
        depths=numbers(NODES),
        parents=numbers(NODES),
        bits=numbers(NODES),
        heap=numbers(NODES + 1),
        of_length=numbers(LONGEST + 2),
    )
