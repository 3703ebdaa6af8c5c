"""The dictionary of LZW: strings by their codes (Welch, "A technique for high-performance data
compression", 1984; GIF89a, appendix F).

A code stands for a byte, or for the string of an earlier token and the byte behind it. A code that
stands for a string which another code stands for already is never used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glnzip.jit import inline

MOST_CODES = 1 << 12
MOST_WIDTH = 12  # bits of a code

OF_GIF, OF_TIFF = range(2)
"""How codes are written: from the lowest bit on; or from the highest, and they get longer one code
earlier (TIFF 6.0, section 13)."""

NEXT, WIDTH, FIRST, MADE = range(4)
"""In `Dictionary.state`: the code that the reader's next string gets; bits of the next code; the
first code of a string; the code of the next string of the writer, which is one token ahead."""


class Dictionary(NamedTuple):
    """The arrays of a dictionary: kernels allocate nothing.

    Attributes
    ----------
    longer : uint16[MOST_CODES, 256]
        The code of a string and one more byte, 0 if there is none.
    prefix, last : int64[MOST_CODES]
        The code of a string without its last byte, and that byte.
    state : int64[4]
    cursor : int64[1]
        The next bit of a stream.
    """

    longer: Any
    prefix: Any
    last: Any
    state: Any
    cursor: Any


def new_dictionary() -> Dictionary:
    """One without strings."""
    return Dictionary(
        np.zeros((MOST_CODES, 256), np.uint16),
        np.zeros(MOST_CODES, np.int64),
        np.zeros(MOST_CODES, np.int64),
        np.zeros(4, np.int64),
        np.zeros(1, np.int64),
    )


@inline
def clear(dictionary, size):
    """Forget all strings; bytes have `size` bits."""
    state = dictionary.state
    for code in range(state[FIRST], state[MADE]):
        dictionary.longer[dictionary.prefix[code], dictionary.last[code]] = 0
    state[FIRST] = state[NEXT] = state[MADE] = (np.int64(1) << size) + 2
    state[WIDTH] = size + 1


@inline
def add_string(dictionary, code, byte):
    """The string of a code and one more byte gets a code of its own, if there is one left."""
    made = dictionary.state[MADE]
    if made >= MOST_CODES:
        return
    dictionary.prefix[made] = code
    dictionary.last[made] = byte
    if dictionary.longer[code, byte] == 0:
        dictionary.longer[code, byte] = np.uint16(made)
    dictionary.state[MADE] = made + 1


@inline
def count_code(dictionary, form):
    """The reader has read a code that is not the first: its codes may get longer."""
    state = dictionary.state
    early = 1 if form == OF_TIFF else 0
    if state[NEXT] < MOST_CODES:
        state[NEXT] += 1
        if state[NEXT] + early == np.int64(1) << state[WIDTH] and state[WIDTH] < MOST_WIDTH:
            state[WIDTH] += 1
