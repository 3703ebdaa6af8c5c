"""Signs of what is not packed, but data of its own: members of archives, pictures, sounds.

They are told by the first few bytes that do not change; whether what stands there makes sense is
for others to say.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline

MODE, AR, CPIO, BITMAP_HEADER, SOUND, TIFF, PNM = range(16, 23)
"""A field of an old tar header; what ends a header of ar; cpio; the header of a bitmap (BMP, ICO);
RIFF or AIFF; TIFF; PBM, PGM or PPM."""

LOOK_AHEAD = 24
"""Bytes from the place of a sign on that may be looked at."""

_MODE_BYTES = 8  # of the fields of a tar header: mode, owner, group
_SIZE_BYTES = 10  # before the end of a header of ar


def _first_bytes() -> np.ndarray:
    """1 for the bytes that such a sign begins with."""
    first = np.zeros(256, np.uint8)
    first[list(b"01`\xc7\x71\x28\x6c\x7cRFIMP")] = 1
    return first


_FIRST = _first_bytes()


@inline
def file_sign(data, i):
    """The sign at a place that has `LOOK_AHEAD` bytes from it on; -1 if there is none."""
    sign = np.int64(-1)
    first = np.int64(data[i])
    if _FIRST[first] == 0:
        return sign
    second, third, fourth = np.int64(data[i + 1]), np.int64(data[i + 2]), np.int64(data[i + 3])
    if first == 0x28 or first == 0x6C or first == 0x7C:  # 40, 108 or 124 bytes
        if second == 0 and third == 0 and fourth == 0:
            if data[i + 12] == 1 and data[i + 13] == 0 and data[i + 15] == 0:  # one plane
                if data[i + 14] <= 32 and data[i + 16] <= 3 and data[i + 17] == 0:
                    sign = np.int64(BITMAP_HEADER)
    elif first == 0x30 or first == 0x31:  # digits
        if second == 0x37 and third == 0x30 and fourth == 0x37 and first == 0x30:
            if data[i + 4] == 0x30:
                sign = np.int64(CPIO)
        elif data[i + 7] == 0 and data[i + 15] == 0 and data[i + 23] == 0:
            sign = np.int64(MODE)
    elif first == 0x60:
        if second == 0x0A and i > _SIZE_BYTES and _is_digit(data[i - _SIZE_BYTES]):
            if data[i - 1] == 0x20 or _is_digit(data[i - 1]):
                sign = np.int64(AR)
    elif first == 0xC7 or first == 0x71:
        if first + second == 0xC7 + 0x71:
            sign = np.int64(CPIO)
    elif first == 0x50:  # P
        if 0x34 <= second and second <= 0x36 and (third == 0x0A or third == 0x20):
            sign = np.int64(PNM)
    elif first == 0x52:  # R
        if second == 0x49 and third == 0x46 and fourth == 0x46:
            sign = np.int64(SOUND)
    elif first == 0x46:  # F
        if second == 0x4F and third == 0x52 and fourth == 0x4D:
            sign = np.int64(SOUND)
    elif first == second:  # I, M
        if (first == 0x49 and third == 42 and fourth == 0) or (
            first == 0x4D and third == 0 and fourth == 42
        ):
            sign = np.int64(TIFF)
    return sign


@inline
def _is_digit(byte):
    return byte >= 0x30 and byte <= 0x39
