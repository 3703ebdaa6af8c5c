"""What unpacking and packing again have in common: kinds of entries, checks, limits.

A *layer* of a recipe has an entry for each stretch of the data that something else takes the place
of. Kinds of entries:

    0 to 2      a deflate stream, and behind it a check of its data that can be computed: none, that
                of zlib (Adler-32), that of gzip (CRC-32 and length)
    3 to 6      a member of a zip archive, from the CRC-32 in its local header on: stored; deflated;
                deflated, CRC-32 and both lengths behind it and not in the header, after a signature
                or without one
    7           entries of a zip directory
    8           the data chunks of a PNG
    9           the scans of a JPEG
    10 to 14    bytes as text: ASCII85, base64 and its alphabet for URLs, hexadecimal digits with
                small letters, with capitals
    15          the private part of a Type 1 font
    16          text in quoted-printable
    17          a portion of a deflate stream that is too long for a stretch
    18          as 1, of rows of pixels behind the filters of PNG
    19          the pixels of an image of GIF
    20          blocks of bzip2
    21          strips of a TIFF
    22          text of a PDF, as letters
"""

from __future__ import annotations

from typing import NamedTuple
from zlib import adler32, crc32

from glnzip.format.container import STRETCH_BYTES

MOST_BYTES = STRETCH_BYTES
"""Bytes of data, and of content, that unpacking is tried for."""

MOST_STEP = 8
"""Bytes of a pixel, for the filters of PNG."""

IN_PASSES = 16
"""Beside the bytes of a pixel: a PNG is interlaced."""

MOST_PLACE = 1 << 32
"""Where a member of a zip archive may be, before or behind what is known."""

MOST_LAYERS = 6
"""Carriers within carriers."""

MOST_SEPARATOR = 32
"""Bytes between two lines of text."""

MOST_BETWEEN = 64
"""Bytes between two strips of a TIFF."""

MOST_CHUNK = (1 << 31) - 1
"""Bytes of a chunk of a PNG (its specification, 5.3)."""

MOST_TAIL = 16
"""Bytes in the data chunks of a PNG before and behind a stream that is told in portions."""

_DEAR = 66  # per cent of its stream that a recipe may take; coded, it is less than half of that ...
_CHEAP = 16  # ... or so many bytes

PLAIN, WITH_ADLER, WITH_CRC, STORED, DEFLATED, SIGNED_BEHIND, BEHIND, ENTRIES, CHUNKS, SCANS = (
    range(10)
)
ASCII85, BASE64, BASE64_URL, HEX_LOWER, HEX_UPPER = range(10, 15)
TYPE1 = 15
QUOTED = 16
PORTION = 17
FILTERED = 18
GIF_IMAGE = 19
BLOCKS = 20
STRIPS = 21
GLYPHS = LAST_KIND = 22
UNCHANGED = -1  # of what no recipe tells
STREAMS = (PLAIN, WITH_ADLER, WITH_CRC)
MEMBERS = (STORED, DEFLATED, SIGNED_BEHIND, BEHIND)
TEXTS = (ASCII85, BASE64, BASE64_URL, HEX_LOWER, HEX_UPPER)

SIZES_SIGNATURE = b"PK\x07\x08"
LOCAL_BYTES = 30  # of a local header of zip, before the name
LOCAL_FIELDS = 14  # where in it the CRC-32 stands, and both lengths
LOCAL_NAME = 26  # and the length of the name
DIRECTORY_SIGNATURE = b"PK\x01\x02"
DIRECTORY_BYTES = 46  # of an entry of a zip directory, before its texts
DIRECTORY_FIELDS = 16
DIRECTORY_PLACE = 42  # where the place of the local header stands
OWN_BYTES = 14  # of an entry: what nothing else tells
FIELDS_BYTES = 12
CHUNK_BYTES = 12  # of a chunk of a PNG, beside its data


class Member(NamedTuple):
    """A member of a zip archive, as its directory tells of it."""

    place: int
    """Where its local header begins."""
    fields: bytes
    """CRC-32 and both lengths."""


def little(number: int) -> bytes:
    """A number of 32 bits, lowest byte first."""
    return (number & 0xFFFFFFFF).to_bytes(4, "little")


def zip_fields(data: bytes, packed: int) -> bytes:
    """CRC-32 of the data, their packed length and their length (APPNOTE of PKWARE, 4.4)."""
    return little(crc32(data)) + little(packed) + little(len(data))


def directory_entry(local: bytes, member: Member, base: int, own: bytes, texts: bytes) -> bytes:
    """An entry of a zip directory (APPNOTE, 4.3.12).

    Parameters
    ----------
    local
        The local header of the member, and its name behind it.
    member
    base
        From where places count.
    own
        What is nowhere else: the version made by, the lengths of extra field and comment, the disk,
        the attributes.
    texts
        Extra field and comment.
    """
    head = DIRECTORY_SIGNATURE + own[:2] + local[4:LOCAL_FIELDS] + member.fields
    head += local[LOCAL_NAME : LOCAL_NAME + 2] + own[2:] + little(member.place - base)
    return head + local[LOCAL_BYTES:] + texts


def check_after(kind: int, data: bytes) -> bytes:
    """What stands behind a deflate stream, for the kinds of streams."""
    if kind == WITH_ADLER:
        return adler32(data).to_bytes(4, "big")  # RFC 1950, section 2.2
    if kind == WITH_CRC:
        return little(crc32(data)) + little(len(data))  # RFC 1952, section 2.3.1
    return b""


def fields_of_member(kind: int, data: bytes, packed: int) -> tuple[bytes, bytes]:
    """What stands in the local header of a zip member, and behind its data (APPNOTE, 4.3)."""
    fields = zip_fields(data, packed)
    if kind in (STORED, DEFLATED):
        return fields, b""
    return bytes(FIELDS_BYTES), (SIZES_SIGNATURE if kind == SIGNED_BEHIND else b"") + fields


def is_cheap(recipe: bytes | bytearray, size: int) -> bool:
    """Whether it pays to know a recipe in the place of so many bytes."""
    return len(recipe) <= max(_CHEAP, size * _DEAR // 100)


def without_sign(number: int) -> int:
    """A number that tells the sign of another, too: 2n, or 2n - 1 for -n."""
    return 2 * number if number >= 0 else -2 * number - 1


def with_sign(number: int) -> int:
    """The opposite of `without_sign`."""
    return number >> 1 if number % 2 == 0 else -(number + 1 >> 1)
