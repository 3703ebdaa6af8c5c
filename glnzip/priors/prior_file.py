"""Prior files: a glnzip stream, as it is or packed by xz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from glnzip.errors import BadPriorError, CorruptStreamError, TruncatedStreamError

if TYPE_CHECKING:
    from _typeshed import StrPath

MAX_PRIOR_BYTES = 1 << 26
"""Original bytes in a prior file: it takes seconds to see a megabyte of them."""

_MOST_FILE_BYTES = 2 * MAX_PRIOR_BYTES
_XZ_MAGIC = b"\xfd7zXZ\0"
_XZ_MEMORY = 1 << 27  # bytes; xz's highest presets take 65 MiB


def read_file(path: StrPath, name: str) -> bytes:
    """The bytes of a prior file; BadPriorError if they are more than those of any prior."""
    with open(path, "rb") as file:
        data = file.read(_MOST_FILE_BYTES + 1)
    if len(data) > _MOST_FILE_BYTES:
        raise BadPriorError(f"the prior {name} cannot be used: the file is too long")
    return data


def unpacked(data: bytes) -> bytes:
    """The stream in a prior file.

    Raises
    ------
    CorruptStreamError, TruncatedStreamError
        If it is packed and cannot be unpacked.
    """
    if not data.startswith(_XZ_MAGIC):
        return data
    from lzma import FORMAT_XZ, LZMADecompressor, LZMAError

    unpacker = LZMADecompressor(FORMAT_XZ, memlimit=_XZ_MEMORY)
    try:
        stream = unpacker.decompress(data, max_length=_MOST_FILE_BYTES)
    except LZMAError as error:
        raise CorruptStreamError(f"xz cannot unpack it: {error}") from error
    if not unpacker.eof:
        raise TruncatedStreamError("what xz has packed ends early, or is too long")
    if unpacker.unused_data:
        raise CorruptStreamError("something stands behind what xz has packed")
    return stream
