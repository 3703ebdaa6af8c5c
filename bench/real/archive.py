"""Taking members out of an archive, and putting files into one, always in the same way."""

from __future__ import annotations

import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import corpora
from bench.real import RealFile
from corpora.primer.archives import read_packed

FAILURES = (KeyError, OSError, EOFError, tarfile.TarError, zipfile.BadZipFile, zlib.error)


def extract(archive: Path, files: Iterable[RealFile]) -> dict[str, bytes]:
    """Return the verified content of files that come from one archive, by their names.

    Nothing is written here, so no path in the archive can reach the disk.

    Raises
    ------
    corpora.CorpusMissing
        If the archive cannot be read, lacks a member, or has another one under its name.
    """
    files = list(files)
    try:
        members = read_packed(archive, {file.member for file in files if file.member})
    except FAILURES as error:
        raise corpora.CorpusMissing(f"cannot extract from {archive}: {error}") from error
    found = {}
    for file in files:
        found[file.name] = members[file.member] if file.member else archive.read_bytes()
        file.check(found[file.name])
    return found


def tar_of(contents: Mapping[str, bytes]) -> bytes:
    """Return a tar file of `contents`, by name. It depends on nothing else: no times, no owners."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in sorted(contents.items()):
            entry = tarfile.TarInfo(name)  # of nobody's, at time 0
            entry.size = len(data)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(data))
    return target.getvalue()
