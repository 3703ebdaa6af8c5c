"""Bring the test corpora and verify every file: ``python -m corpora.fetch [--set NAME]``.

The corpus ``silesia`` comes in an archive of 68 MB, so it is fetched only if it is named.

If ``GLNZIP_CORPORA`` names a folder, nothing is downloaded: the files there are verified and left
as they are. Otherwise each archive is downloaded to memory, the listed files are taken out of it,
verified, and written to ``corpora/data``. Files already there and right are not fetched again.
"""

from __future__ import annotations

import http.client
import io
import os
import sys
import tarfile
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

import click

import corpora

# The largest archive is of 68 MB; an answer far beyond that is not one of ours.
MOST_ARCHIVE_BYTES = 96 << 20
TIMEOUT_SECONDS = 60


def download(address: str, most: int = MOST_ARCHIVE_BYTES) -> bytes:
    """Return what lies at `address`, or raise `corpora.CorpusMissing` with the cause.

    More than `most` bytes are refused.
    """
    try:
        with urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS) as answer:
            archive: bytes = answer.read(most + 1)
    except (OSError, http.client.HTTPException) as error:
        raise corpora.CorpusMissing(f"cannot download {address}: {error}") from error
    if len(archive) > most:
        raise corpora.CorpusMissing(f"{address} is larger than {most} bytes")
    return archive


def extract(archive: bytes, rows: Sequence[corpora.CorpusFile]) -> dict[str, bytes]:
    """Return the verified content of each listed file, by name.

    Members are read by their last name only and nothing is written here, so no path inside the
    archive can reach the disk.
    """
    wanted = {row.name: row for row in rows}
    found: dict[str, bytes] = {}
    try:
        for name, size, read in _members(archive):
            row = wanted.get(PurePosixPath(name).name)
            # The size is compared before reading: a false one must not cost memory.
            if row is None or size != row.size:
                continue
            data = read()
            row.check(data)
            found[row.name] = data
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        RuntimeError,
    ) as error:
        raise corpora.CorpusMissing(f"the archive is damaged: {error}") from error
    absent = [name for name in wanted if name not in found]
    if absent:
        raise corpora.CorpusMissing(f"the archive lacks {', '.join(absent)}")
    return found


def _members(archive: bytes) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    """Yield name and size of each file of a zip file or of a packed tar file, and what reads it."""
    file = io.BytesIO(archive)
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as whole:
            for info in whole.infolist():
                yield info.filename, info.file_size, partial(whole.read, info)
        return
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as members:
        for member in members:
            stream = members.extractfile(member) if member.isfile() else None
            if stream is not None:
                yield member.name, member.size, stream.read


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that an interruption never leaves half a file under that name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    os.replace(part, path)


def fetch(corpus: str) -> None:
    """Download, verify and keep one corpus."""
    address = corpora.manifest()["corpora"][corpus]["archive"]
    click.echo(f"{corpus}: downloading {address}", err=True)
    for name, data in extract(download(address), corpora.corpus_files(corpus)).items():
        write_whole(corpora.folder() / corpus / name, data)


@click.command()
@click.option(
    "--set",
    "set_names",
    multiple=True,
    type=click.Choice(corpora.set_names()),
    help="Only this set; may be given again. Default: every corpus of a small archive.",
)
def main(set_names: tuple[str, ...]) -> None:
    """Bring the test corpora to corpora/data, or verify those in GLNZIP_CORPORA."""
    may_download = not os.environ.get("GLNZIP_CORPORA")
    failed = False
    for set_name in set_names or tuple(corpora.usual()):
        try:
            if may_download and corpora.missing_reason(set_name):
                fetch(corpora.set_files(set_name)[0].corpus)
            paths = corpora.find(set_name)
        except corpora.CorpusMissing as reason:
            click.echo(f"{set_name}: {reason}", err=True)
            failed = True
            continue
        total = sum(path.stat().st_size for path in paths)
        click.echo(f"{set_name}: {len(paths)} files, {total:,} bytes, verified")
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
