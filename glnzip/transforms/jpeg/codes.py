"""Huffman codes of JPEG (ITU-T T.81, annex C), and those that it gives as examples (annex K.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

TABLES = 8  # class (0 for means, 1 for the rest) * 4 + number
LONGEST = 16  # bits of a code
SYMBOLS = 256
LENGTH_BITS = 5

ZIGZAG = np.array(
    [
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48,
        41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
        30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    ],
    np.int64,
)  # fmt: skip
"""Where the coefficients stand in their block, by the order of the scan: vertical frequency * 8 +
horizontal frequency (T.81, figure 5)."""

STANDARD = bytes.fromhex(
    "0000010501010101010100000000000000000102030405060708090a0b"
    "0100030101010101010101010000000000000102030405060708090a0b"
    "100002010303020403050504040000017d01020300041105122131410613516107227114328191a1082342b1"
    "c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758"
    "595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aa"
    "b2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7"
    "f8f9fa"
    "1100020102040403040705040400010277000102031104052131061241510761711322328108144291a1b1c1"
    "09233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a5354555657"
    "58595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8"
    "a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7"
    "f8f9fa"
)
"""Tables K.3 to K.6 as a segment of codes has them: means and the rest, of light and of colour."""


def read_codes(body: bytes) -> dict[int, tuple[bytes, bytes]]:
    """The tables of a segment of codes (T.81, B.2.4.2).

    Returns
    -------
    dict
        By table, class * 4 + number: how many codes there are of each length from 1 on, and the
        symbols. What follows something that is no table is left out.
    """
    tables = {}
    at = 0
    while at + 1 + LONGEST <= len(body):
        which = body[at]
        counts = body[at + 1 : at + 1 + LONGEST]
        at += 1 + LONGEST + sum(counts)
        if sum(counts) > SYMBOLS or at > len(body):
            break
        tables[(which >> 4 & 1) << 2 | which & 3] = counts, body[at - sum(counts) : at]
    return tables


class Codes:
    """The Huffman codes of a picture, as far as they have been told.

    Attributes
    ----------
    found : int32[TABLES, 1 << LONGEST]
        By the next bits: the symbol that they begin with, << `LENGTH_BITS` | bits of its code; 0 if
        they begin with none.
    of_symbol : int64[TABLES, SYMBOLS]
        Code << `LENGTH_BITS` | its bits; 0 if there is none.
    """

    def __init__(self, body: bytes = b"") -> None:
        self.found: Any = np.zeros((TABLES, 1 << LONGEST), np.int32)
        self.of_symbol: Any = np.zeros((TABLES, SYMBOLS), np.int64)
        self.see(body)

    def see(self, body: bytes) -> None:
        """Take over the tables of a segment."""
        for table, (counts, symbols) in read_codes(body).items():
            self.found[table] = 0
            self.of_symbol[table] = 0
            left = iter(symbols)
            code = 0
            for length, count in enumerate(counts, 1):
                for _ in range(count):
                    symbol = next(left)
                    if code < 1 << length:
                        first = code << LONGEST - length
                        behind = code + 1 << LONGEST - length
                        self.found[table, first:behind] = symbol << LENGTH_BITS | length
                        self.of_symbol[table, symbol] = code << LENGTH_BITS | length
                    code += 1
                code <<= 1
