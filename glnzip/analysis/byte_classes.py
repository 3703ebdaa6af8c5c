"""Bytes by what they are to a reader."""

from __future__ import annotations

from typing import Any

import numpy as np

CLASSES = (
    "letters",
    "digits",
    "white space",
    "punctuation",
    "zeros",
    "other control bytes",
    "128 to 255",
)
"""Of ASCII; the last are letters of other alphabets where the text is UTF-8."""

LETTERS, DIGITS, WHITE, PUNCTUATION, ZEROS, CONTROL, HIGH = range(len(CLASSES))


def _class_of(byte: int) -> int:
    character = chr(byte)
    if byte >= 128:
        return HIGH
    if character.isalpha():
        return LETTERS
    if character.isdigit():
        return DIGITS
    if byte == 0:
        return ZEROS
    if byte in b" \t\n\v\f\r":
        return WHITE
    return PUNCTUATION if character.isprintable() else CONTROL


CLASS_OF = np.array([_class_of(byte) for byte in range(256)])
"""int64[256]: an index of `CLASSES`."""


def by_class(data: bytes, costs: Any) -> tuple[Any, Any]:
    """How many bytes of each class there are, and their bits; float64[len(CLASSES)] each."""
    classes = CLASS_OF[np.frombuffer(data, np.uint8)]
    count = len(CLASSES)
    return np.bincount(classes, minlength=count), np.bincount(classes, costs, minlength=count)
