"""Signs of what is not packed, but data of its own: members of archives, pictures, sounds.

They are told by the first few bytes that do not change; whether what stands there makes sense is
for others to say.
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline

MODE, AR, CPIO, BITMAP_HEADER, SOUND, TIFF, PNM, PE, ELF, MACH_O, FONT, COMPACT_FONT = range(16, 28)
"""The mode in a tar header, and owner and group; what ends a header of ar; cpio; the header of a
bitmap (BMP, ICO); RIFF or AIFF; TIFF; PBM, PGM or PPM; programs; a font; one that is CFF alone."""

LOOK_AHEAD = 24
"""Bytes from the place of a sign on that may be looked at."""

_RIFF, _FORM, _CPIO, _ELF = 0x52494646, 0x464F524D, 0x30373037, 0x7F454C46
_MACH_O_64, _MACH_O_32 = 0xCFFAEDFE, 0xCEFAEDFE  # low byte first, as all are since 2006
_TIFF_LOW, _TIFF_HIGH = 0x49492A00, 0x4D4D002A
_FONT, _FONT_OF_APPLE, _FONT_OF_CURVES = 0x00010000, 0x74727565, 0x4F54544F
_BITMAPS = (0x28000000, 0x6C000000, 0x7C000000)  # 40, 108 or 124 bytes
_COMPACT = 0x01000400  # version 1.0, and the bytes of its header
_FEWEST_TABLES, _MOST_TABLES = 4, 48  # of a font
_SIZE_BYTES = 10  # before the end of a header of ar


def _first_bytes() -> np.ndarray:
    """1 for the bytes that such a sign begins with."""
    first = np.zeros(256, np.uint8)
    first[list(b"\0\1Ot01`\xc7\x71\x28\x6c\x7c\x7f\xcf\xceRFIMP")] = 1
    return first


_FIRST = _first_bytes()


@inline
def file_sign(data, i):
    """The sign at a place that has `LOOK_AHEAD` bytes from it on; -1 if there is none."""
    sign = np.int64(-1)
    first = np.int64(data[i])
    if _FIRST[first] == 0 or (first <= 1 and data[i + 1] != 1 - first):  # these are frequent
        return sign
    four = first << 24 | np.int64(data[i + 1]) << 16
    four |= np.int64(data[i + 2]) << 8 | np.int64(data[i + 3])
    if four in (_RIFF, _FORM):
        sign = np.int64(SOUND)
    elif four in (_TIFF_LOW, _TIFF_HIGH):
        sign = np.int64(TIFF)
    elif four in (_FONT, _FONT_OF_APPLE, _FONT_OF_CURVES):
        if _is_font(data, i):
            sign = np.int64(FONT)
    elif four & ~np.int64(7) == _COMPACT:
        if _is_compact_font(data, i):
            sign = np.int64(COMPACT_FONT)
    elif four in _BITMAPS and _is_bitmap(data, i):
        sign = np.int64(BITMAP_HEADER)
    elif (four == _CPIO and data[i + 4] == 0x30) or four >> 16 == 0xC771 or four >> 16 == 0x71C7:
        sign = np.int64(CPIO)
    elif four == _ELF:
        sign = np.int64(ELF)
    elif four in (_MACH_O_64, _MACH_O_32):
        sign = np.int64(MACH_O)
    elif four >> 16 == 0x4D5A:  # MZ
        sign = np.int64(PE)
    elif 0x5034 <= four >> 16 and four >> 16 <= 0x5036 and _is_space(data[i + 2]):  # P4 to P6
        sign = np.int64(PNM)
    elif four >> 16 == 0x600A and i >= _SIZE_BYTES and _is_digit(data[i - _SIZE_BYTES]):
        sign = np.int64(AR)
    elif _is_digit(first) and data[i + 7] == 0 and data[i + 15] == 0 and data[i + 23] == 0:
        sign = np.int64(MODE)
    return sign


@inline
def _is_bitmap(data, i):
    """Whether it has one plane, 32 bits at most, and is not packed."""
    one = data[i + 12] == 1 and data[i + 13] == 0
    return one and data[i + 14] <= 32 and data[i + 15] == 0 and data[i + 16] <= 3


@inline
def _is_font(data, i):
    """Whether tables follow, and the first has a name."""
    few = data[i + 4] == 0 and _FEWEST_TABLES <= data[i + 5] and data[i + 5] <= _MOST_TABLES
    return few and 0x20 <= data[i + 12] and 0x20 <= data[i + 13] and data[i + 13] < 0x7F


@inline
def _is_compact_font(data, i):
    """Whether an index of one name follows, whose first offset, of one to four bytes, is 1."""
    size = np.int64(data[i + 6])
    one = data[i + 4] == 0 and data[i + 5] == 1
    return one and 1 <= size and size <= 4 and data[i + 6 + size] == 1


@inline
def _is_digit(byte):
    return byte >= 0x30 and byte <= 0x39


@inline
def _is_space(byte):
    return byte == 0x20 or (byte >= 0x09 and byte <= 0x0D)
