"""The blocks that a base is seen as.

This rule is part of the format (docs/FORMAT.md, "Bases"): the decoder must come to the same prior
from the same file, whatever its planner has learned since. So it is a short one, and never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from glnzip.format.block_type import BINARY, CALLS, TEXT, BlockType
from glnzip.priors.plain_frame import Block
from glnzip.priors.prior_file import MAX_PRIOR_BYTES
from glnzip.transforms.deflate.bits import SPARE, padded
from glnzip.transforms.deflate.stream import Parts, TooLongError, UnfinishedError, read_stream

_BLOCK_BYTES = 1 << 16
_LEARNED = 16  # blocks: to learn them takes longer than to memorise them, and gives more
_MOST_FAILURES = 64  # streams that were none

# Signs of what carries a deflate stream. The first has bytes of one case in two groups.
_SIGNS = re.compile(
    rb"(?P<zip>PK\x03\x04)|(?P<gzip>\x1f\x8b\x08[\x00-\x1f])|(?P<pdf>stream\r?\n)", re.DOTALL
)
_ZIP_BYTES = 30  # of a local header, before name and extra field (APPNOTE of PKWARE, 4.3.7)
_ENCRYPTED = 1
_DEFLATED = 8
_GZIP_BYTES = 10  # before what the flags tell of (RFC 1952, section 2.3)
_CHECK, _EXTRA, _NAME, _COMMENT = 2, 4, 8, 16
_ZLIB_BYTES = 2  # RFC 1950, section 2.2
_DICTIONARY = 32

_CONTROLS = [*range(1, 9), *range(14, 27), *range(28, 32)]
_TEXT_BYTES_FOR_A_CONTROL = 50
_CODE_BYTES_FOR_A_CALL = 256
_CALL = 0xE8


def blocks_of(data: bytes) -> tuple[list[Block], list[Block]]:
    """Those that are memorised, and those that are learned then."""
    blocks = [
        (BlockType(_kind(np.frombuffer(block, np.uint8))), block)
        for run in _runs(data)
        for start in range(0, len(run), _BLOCK_BYTES)
        if (block := run[start : start + _BLOCK_BYTES])
    ]
    learned = max(0, len(blocks) - _LEARNED)
    return blocks[:learned], blocks[learned:]


def _runs(data: bytes) -> Iterator[bytes]:
    """What lies between streams that deflate has made, and what these stand for, in order."""
    buffer = padded(np.frombuffer(data, np.uint8))
    room = MAX_PRIOR_BYTES - len(data)
    start = at = failures = 0
    while failures < _MOST_FAILURES and (sign := _SIGNS.search(data, at)) is not None:
        at = sign.start() + 1
        begin = _stream_begins(data, sign)
        if begin is None:
            continue
        stream = _read(buffer[begin:], room)
        if stream is None:
            failures += 1
            continue
        yield data[start:begin]
        yield stream.data.tobytes()
        room -= stream.data.size
        start = at = begin + (stream.bits + 7) // 8
    yield data[start:]


def _read(rest: Any, room: int) -> Parts | None:
    """The stream at the beginning of the rest of a file (uint8[:], padded), if it is sound."""
    if rest.size <= SPARE:
        return None
    try:
        return read_stream(rest, room)
    except (UnfinishedError, TooLongError):
        return None


def _stream_begins(data: bytes, sign: re.Match[bytes]) -> int | None:
    """Where the stream begins that a sign may stand before; None if it is none of deflate."""
    begins = {"zip": _behind_zip, "gzip": _behind_gzip, "pdf": _behind_zlib}[str(sign.lastgroup)]
    place = sign.end() if sign.lastgroup == "pdf" else sign.start()
    return begins(data, place)


def _behind_zip(data: bytes, at: int) -> int | None:
    """Where what a local header of a zip archive stands before begins."""
    flags, method, name, extra = (_number(data, at + k) for k in (6, 8, 26, 28))
    if method != _DEFLATED or flags & _ENCRYPTED:
        return None
    return at + _ZIP_BYTES + name + extra


def _behind_gzip(data: bytes, at: int) -> int:
    """The same of a header of gzip."""
    flags = data[at + 3]
    begin = at + _GZIP_BYTES
    if flags & _EXTRA:
        begin += 2 + _number(data, begin)
    for flag in (_NAME, _COMMENT):
        if flags & flag:
            end = data.find(0, begin)
            begin = end + 1 if end >= 0 else len(data)
    return begin + (2 if flags & _CHECK else 0)


def _behind_zlib(data: bytes, at: int) -> int | None:
    """The same of a header of zlib."""
    header = int.from_bytes(data[at : at + _ZLIB_BYTES], "big")
    method = header >> 8 & 15
    if method != _DEFLATED or header % 31 or header & _DICTIONARY:
        return None
    return at + _ZLIB_BYTES


def _number(data: bytes, at: int) -> int:
    """A number of two bytes, the low one first; what lies behind the end counts as 0."""
    return int.from_bytes(data[at : at + 2], "little")


def _kind(block: Any) -> int:
    """How a block (uint8[:]) is seen: text has few control characters, x86 code has near calls."""
    counts = np.bincount(block, minlength=256)
    if _TEXT_BYTES_FOR_A_CONTROL * counts[_CONTROLS].sum() <= block.size - counts[0]:
        return TEXT
    highest = block[4:]  # of the distance that a call goes
    calls = np.count_nonzero((block[:-4] == _CALL) & ((highest == 0) | (highest == 255)))
    return CALLS if _CODE_BYTES_FOR_A_CALL * calls >= block.size else BINARY
