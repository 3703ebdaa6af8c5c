"""Prove that the primer holds nothing of the test files: ``python -m corpora.primer.check``.

No 48 bytes in a row of any segment may occur in a file of the Calgary, Canterbury, large,
artificial and miscellaneous corpora. The check is exact: every window of 48 bytes of both sides is
hashed to 64 bits, equal hashes are found by sorting, and what they find is compared byte by byte.

Windows may be in `boilerplate.txt`, which lists phrases of licences and the like that files of
many origins share. Anything else has to be left out of the manifest's ranges.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

import corpora
from corpora.primer import read_manifest
from corpora.primer.build import CACHE, cut_segments, file_name

WINDOW = 48
MULTIPLIER = 0x9E3779B97F4A7C15  # odd, so that every power of it is; taken modulo 2 ** 64
BOILERPLATE = Path(__file__).with_name("boilerplate.txt")


class Passage(NamedTuple):
    """Bytes that a segment and a test file have in common, 48 or more in a row."""

    segment: str
    start: int
    end: int
    test_file: str
    text: bytes


def window_hashes(data: bytes) -> NDArray[np.uint64]:
    """Hash every window of 48 bytes: entry i is the hash of ``data[i:i + 48]``.

    The hash of a window is the sum of its bytes, each times a power of a constant. Those of long
    windows are put together from those of shorter ones: 1 -> 2 -> 4 -> 8 -> 16 -> 48 bytes.
    """
    if len(data) < WINDOW:
        return np.zeros(0, dtype=np.uint64)
    hashes = np.frombuffer(data, dtype=np.uint8).astype(np.uint64) + np.uint64(1)
    length = 1
    for factor in (2, 2, 2, 2, 3):
        shift = np.uint64(pow(MULTIPLIER, length, 1 << 64))
        count = len(hashes) - (factor - 1) * length
        combined = hashes[:count].copy()
        for step in range(1, factor):
            combined *= shift
            combined += hashes[step * length : step * length + count]
        hashes = combined
        length *= factor
    assert length == WINDOW
    return hashes


class TestFiles:
    """The windows of all test files, ready to be searched for."""

    __test__ = False  # not a test, whatever its name

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._names = list(files)
        self._data = list(files.values())
        hashes = [window_hashes(data) for data in self._data]
        owner = [np.full(len(h), number, dtype=np.int64) for number, h in enumerate(hashes)]
        offset = [np.arange(len(h), dtype=np.int64) for h in hashes]
        unsorted = np.concatenate(hashes)
        order = np.argsort(unsorted, kind="stable")
        self._hashes = unsorted[order]
        self._owner = np.concatenate(owner)[order]
        self._offset = np.concatenate(offset)[order]

    def passages(self, segment: str, data: bytes) -> Iterator[Passage]:
        """Yield what `data` has in common with any test file."""
        hashes = window_hashes(data)
        first = np.searchsorted(self._hashes, hashes)
        known = np.append(self._hashes, np.uint64(0))[first] == hashes
        at_end = first == len(self._hashes)
        start = end = -1
        source = ""
        for at in np.flatnonzero(known & ~at_end).tolist():
            name = self._owner_of(data[at : at + WINDOW], int(first[at]), hashes[at])
            if name is None:
                continue
            if at > end - WINDOW + 1 or name != source:
                if start >= 0:
                    yield Passage(segment, start, end, source, data[start:end])
                start, source = at, name
            end = at + WINDOW
        if start >= 0:
            yield Passage(segment, start, end, source, data[start:end])

    def _owner_of(self, window: bytes, row: int, wanted: np.uint64) -> str | None:
        """The first test file that really has this window, among those with its hash."""
        while row < len(self._hashes) and self._hashes[row] == wanted:
            number, offset = int(self._owner[row]), int(self._offset[row])
            if self._data[number][offset : offset + WINDOW] == window:
                return self._names[number]
            row += 1
        return None


def read_test_files() -> TestFiles:
    """Read every file of every corpus; raise `corpora.CorpusMissing` if one is not at hand."""
    files = {}
    for corpus in corpora.manifest()["corpora"]:
        for path in corpora.find(corpus):
            files[f"{corpus}/{path.name}"] = path.read_bytes()
    return TestFiles(files)


def is_boilerplate(text: bytes, phrases: bytes) -> bool:
    """Whether all of a passage stands in the listed phrases."""
    return text in phrases


@click.command()
@click.option("--cache", type=click.Path(path_type=Path), default=CACHE, help="As in build.")
def main(cache: Path) -> None:
    """Check every segment of the primer against every test file."""
    test_files = read_test_files()
    phrases = BOILERPLATE.read_bytes()
    found = total = 0
    for index, (segment, data) in enumerate(cut_segments(read_manifest(), cache)):
        total += len(data)
        for passage in test_files.passages(file_name(index, segment), data):
            if not is_boilerplate(passage.text, phrases):
                found += 1
                click.echo(
                    f"{passage.segment} {passage.start}-{passage.end} is in "
                    f"{passage.test_file}: {passage.text[:100]!r}"
                )
    click.echo(f"{total:,} bytes checked, {found} passages in common with test files", err=True)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
