"""Where a carrier may begin: the bytes that its kind begins with, found in a single pass."""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline, kernel
from glnzip.transforms.deflate.first_block import LOOKED_AT, may_begin
from glnzip.transforms.unpacking.file_signs import LOOK_AHEAD, file_sign

LOCAL, CENTRAL, GZIP, HEADER, DATA, ZLIB, PICTURE, TAR, PRIVATE, PRINTABLE, GIF, SHOWN = range(12)
BZIP2, CHOSEN = 12, 13
"""A zip member; an entry of a zip directory; gzip; the header and data of a PNG; zlib; a JPEG;
a tar header; the private part of a Type 1 font; a header that tells of quoted-printable; the header
of a GIF; how an image in it is shown; bzip2; where a page of a PDF chooses a font."""

SIGN_BITS = 5
_LONGEST = 5
_QUOTED_PRINTABLE = 16  # bytes of that word


@kernel
def next_sign(data, at, end):
    """The first place from `at` on where a carrier may begin.

    Parameters
    ----------
    data : uint8[:]
    at, end : int
        Signs that end after `end` do not count.

    Returns
    -------
    int
        ``place << SIGN_BITS | sign``; -1 if there is none.
    """
    for i in range(at, end - _LONGEST + 1):
        first = np.int64(data[i])
        sign = np.int64(-1)
        if first == 0x50:  # P
            if data[i + 1] == 0x4B:  # K
                if data[i + 2] == 3 and data[i + 3] == 4:
                    sign = np.int64(LOCAL)
                elif data[i + 2] == 1 and data[i + 3] == 2:
                    sign = np.int64(CENTRAL)
        elif first == 0x1F:
            if data[i + 1] == 0x8B and data[i + 2] == 8 and data[i + 3] < 32:
                sign = np.int64(GZIP)
        elif first == 0x49:  # I
            if data[i + 2] == 0x44:  # D
                if data[i + 1] == 0x48 and data[i + 3] == 0x52:  # H, R
                    sign = np.int64(HEADER)
            elif data[i + 1] == 0x44 and data[i + 2] == 0x41 and data[i + 3] == 0x54:  # D, A, T
                sign = np.int64(DATA)
        elif first == 0x75:  # u
            after = np.int64(data[i + 1]) << 16 | np.int64(data[i + 2]) << 8 | np.int64(data[i + 3])
            if after == 0x737461 and data[i + 4] == 0x72:  # s, t, a; r
                sign = np.int64(TAR)
        elif first == 0x78 and data[i + 1] == 0x65:  # x, e
            if data[i + 2] == 0x63 and i > 1 and data[i - 1] == 0x65:  # c; e
                sign = np.int64(PRIVATE)
        elif first | 0x20 == 0x71:  # q
            u = data[i + 1] | 0x20 == 0x75
            if u and i + _QUOTED_PRINTABLE <= end and data[i + 6] == 0x2D:  # -
                sign = np.int64(PRINTABLE)
        elif first == 0xFF:
            if data[i + 1] == 0xD8 and data[i + 2] == 0xFF:
                sign = np.int64(PICTURE)
        elif first == 0x47:  # G
            if data[i + 1] == 0x49 and data[i + 2] == 0x46 and data[i + 3] == 0x38:  # I, F, 8
                sign = np.int64(GIF)
        elif first == 0x42:  # B
            level = np.int64(data[i + 3]) - 0x30
            if data[i + 1] == 0x5A and data[i + 2] == 0x68 and 1 <= level <= 9:  # Z, h
                sign = np.int64(BZIP2)
        elif first == 0x54:  # T
            if data[i + 1] == 0x66 and i > 0 and data[i - 1] == 0x20:  # f; a space
                sign = np.int64(CHOSEN)
        elif first == 0x21:  # !
            if data[i + 1] == 0xF9 and data[i + 2] == 4:
                sign = np.int64(SHOWN)
        elif first & 0x8F == 8 and _is_zlib(data, i, end):
            sign = np.int64(ZLIB)
        if sign < 0 and i + LOOK_AHEAD <= end:
            sign = file_sign(data, i)
        if sign >= 0:
            return np.int64(i) << SIGN_BITS | sign
    return np.int64(-1)


@inline
def _is_zlib(data, i, end):
    """Whether a zlib stream may begin so (RFC 1950, section 2.2): no dictionary."""
    second = np.int64(data[i + 1])
    if (np.int64(data[i]) << 8 | second) % 31 != 0 or second & 0x20 != 0:
        return False
    return i + 2 + LOOKED_AT > end or may_begin(data, i + 2)
