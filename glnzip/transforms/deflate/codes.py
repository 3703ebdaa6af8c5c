"""Lengths, distances and Huffman codes of RFC 1951, sections 3.2.2 and 3.2.5 to 3.2.7."""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline

END = 256  # the symbol that ends a block
LITERALS = 286  # and lengths: symbols of the first code
DISTANCES = 30  # symbols of the second
CODE_LENGTHS = 19  # symbols of the code that lengths of codes are written in
LONGEST = 15  # bits of a code
LONGEST_LENGTH_CODE = 7
TABLE = 1 << LONGEST

LENGTH_EXTRA = np.array([0] * 8 + [e for e in range(1, 6) for _ in range(4)] + [0], np.int64)
LENGTH_BASE = 3 + np.concatenate([[0], np.cumsum(1 << LENGTH_EXTRA[:-1])])
LENGTH_BASE[-1] = 258  # a code of its own, though the one before could tell it, too
DISTANCE_EXTRA = np.array([max(0, (code >> 1) - 1) for code in range(DISTANCES)], np.int64)
DISTANCE_BASE = 1 + np.concatenate([[0], np.cumsum(1 << DISTANCE_EXTRA)[:-1]])
ORDER = np.array([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15], np.int64)

FIXED_LITERALS = np.array([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8, np.int64)  # 288 codes
FIXED_DISTANCES = np.full(32, 5, np.int64)

LENGTH_CODE = np.zeros(259, np.int64)
for _code, _base in enumerate(LENGTH_BASE.tolist()):
    LENGTH_CODE[_base:] = _code  # 258 has a code of its own, the last


@inline
def distance_code(distance):
    """The number of the code for a distance of 1 to 32768."""
    code = np.int64(0)
    rest = distance - 1
    if rest < 4:
        return rest
    extra = np.int64(0)
    while rest >> extra > 3:
        extra += 1
    code = 2 * extra + (rest >> extra)
    return code


@inline
def canonical_codes(lengths, count, longest, codes):
    """The canonical code of each symbol: the shorter first, and those of a length in a row.

    Parameters
    ----------
    lengths : int64[:]
        Bits of each symbol's code, `longest` at most; 0 for none.
    count : int
        How many symbols there are.
    longest : int
    codes : int64[:]
        Receives the codes.

    Returns
    -------
    bool
        Whether there are codes of these lengths (the Kraft sum is at most one).
    """
    code = np.int64(0)
    for length in range(1, longest + 1):
        for symbol in range(count):
            if lengths[symbol] == length:
                codes[symbol] = code
                code += 1
        if code > np.int64(1) << length:
            return False
        code <<= 1
    return True


@inline
def reversed_codes(lengths, count, codes):
    """The canonical code of each symbol, its bits in the order of a deflate stream.

    Parameters
    ----------
    lengths : int64[:]
        Bits of each symbol's code; 0 for none.
    count : int
        How many symbols there are.
    codes : int64[:]
        Receives the codes.

    Returns
    -------
    bool
        Whether there are codes of these lengths (the Kraft sum is at most one).
    """
    if not canonical_codes(lengths, count, LONGEST, codes):
        return False
    for symbol in range(count):
        mirrored = np.int64(0)
        for bit in range(lengths[symbol]):
            mirrored = mirrored << 1 | (codes[symbol] >> bit & 1)
        codes[symbol] = mirrored
    return True


@inline
def fill_table(lengths, count, codes, table):
    """What symbol any 15 bits of the stream begin with: symbol * 16 + bits, or 0 for none.

    Parameters as `reversed_codes` has them; `table` is int32[TABLE]. Returns False if there are no
    such codes.
    """
    for i in range(TABLE):
        table[i] = 0
    if not reversed_codes(lengths, count, codes):
        return False
    for symbol in range(count):
        length = lengths[symbol]
        if length > 0:
            for i in range(codes[symbol], TABLE, 1 << length):
                table[i] = symbol * 16 + length
    return True
