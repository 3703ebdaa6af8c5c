"""What a single byte is: letter, digit, white space; and how large a number is."""

from __future__ import annotations

from glnzip.jit import inline


@inline
def binary_digits(value):
    """How many binary digits a value that is not negative has; 0 has none."""
    digits = 0
    while value > 0:
        digits += 1
        value >>= 1
    return digits


@inline
def byte_class(byte):
    """0 other, 1 letter (or part of a UTF-8 character), 2 digit, 3 white space."""
    folded = byte | 32
    if (97 <= folded and folded <= 122) or byte >= 128:
        return 1
    if 48 <= byte and byte <= 57:
        return 2
    if byte == 32 or (9 <= byte and byte <= 13):
        return 3
    return 0


@inline
def fold_case(byte):
    """A to Z as a to z, other bytes as they are."""
    return byte + 32 if 65 <= byte and byte <= 90 else byte
