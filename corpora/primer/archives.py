"""Reading files out of packages: zip (wheels), tar (source distributions, npm) and Debian's ar.

Everything is read to memory by exact name, so no path in an archive can reach the disk. A member
that is itself compressed by gzip, as manual pages are in Debian's packages, is unpacked.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

AR_MAGIC = b"!<arch>\n"
AR_HEADER_BYTES = 60


def read_members(archive: Path, wanted: Iterable[str]) -> dict[str, bytes]:
    """Return the content of the wanted members, by name; raise KeyError if one is missing."""
    found = read_packed(archive, wanted)
    return {name: _unpacked(name, data) for name, data in found.items()}


def read_packed(archive: Path, wanted: Iterable[str]) -> dict[str, bytes]:
    """Return the same as they lie in the archive: members packed by gzip are not unpacked."""
    names = set(wanted)
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as members:
            found = {name: members.read(name) for name in names}
    else:
        packed = archive.read_bytes()
        if packed.startswith(AR_MAGIC):
            packed = _data_of_deb(packed)
        with tarfile.open(fileobj=io.BytesIO(packed)) as members:
            found = {
                member.name: _content(members, member) for member in members if member.name in names
            }
    missing = sorted(names - found.keys())
    if missing:
        raise KeyError(f"{archive.name} lacks {', '.join(missing)}")
    return found


def _content(members: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = members.extractfile(member)
    if stream is None:
        raise KeyError(f"{member.name} is not a file")
    return stream.read()


def _unpacked(name: str, data: bytes) -> bytes:
    return gzip.decompress(data) if name.endswith((".gz", ".dz")) else data


def _data_of_deb(packed: bytes) -> bytes:
    """Return the member ``data.tar.*`` of an ar archive: the tar file with what is installed."""
    at = len(AR_MAGIC)
    while at + AR_HEADER_BYTES <= len(packed):
        header = packed[at : at + AR_HEADER_BYTES]
        name = header[:16].decode("ascii").strip().rstrip("/")
        size = int(header[48:58])
        at += AR_HEADER_BYTES
        if name.startswith("data.tar"):
            return packed[at : at + size]
        at += size + size % 2  # members begin at even offsets
    raise KeyError("not a Debian package: it has no data.tar")
