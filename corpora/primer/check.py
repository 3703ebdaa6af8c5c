"""Prove that the primer holds nothing of the test files: ``python -m corpora.primer.check``.

No 32 bytes in a row of any segment may occur in a file of the Calgary, Canterbury, large,
artificial and miscellaneous corpora, nor in any file of the folders that are named with
``--against``. Both sides are looked at twice: as they are, and *folded*, in small letters and
without white space, so that another edition or line width of a text is found as well. The check is
exact: every window of 32 bytes of both sides is hashed to 64 bits, equal hashes are found by
sorting, and the files are searched for what has them. Windows of fewer than 8 different bytes are
rulers and padding, and say nothing.

In twelve megabytes there are phrases that another text has as well: terms, quotations of a third
text, what a licence says. ``--leave-out`` adds those that are found to `left_out.json`, and the
build cuts them out of the segments.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

import corpora
from corpora.primer import LEFT_OUT, read_left_out, read_manifest
from corpora.primer.build import CACHE, cut_segments, file_name

WINDOW = 32
LEAST_VALUES = 8
BEGINNING = np.uint64(38)  # bits of a hash below those by which most windows are seen to be new
WHITE_SPACE = b" \t\n\r\f\v"
MULTIPLIER = 0x9E3779B97F4A7C15  # odd, so that every power of it is; taken modulo 2 ** 64


class Passage(NamedTuple):
    """Bytes that a segment and a test file have in common, 32 or more in a row."""

    segment: str
    start: int
    end: int
    test_file: str
    text: bytes


class View(NamedTuple):
    """Data as they are compared, and where each byte of that is in the data as they are."""

    data: bytes
    places: NDArray[np.int64] | None
    """None for the same places."""

    def original(self, data: bytes, start: int, end: int) -> bytes:
        """What ``self.data[start:end]`` is in the data as they are."""
        if self.places is None:
            return data[start:end]
        return data[self.places[start] : self.places[end - 1] + 1]


def as_it_is(data: bytes) -> View:
    """The data."""
    return View(data, None)


def folded(data: bytes) -> View:
    """The data in small letters and without white space."""
    is_kept = ~np.isin(np.frombuffer(data, np.uint8), np.frombuffer(WHITE_SPACE, np.uint8))
    return View(data.lower().translate(None, delete=WHITE_SPACE), np.flatnonzero(is_kept))


VIEWS: tuple[Callable[[bytes], View], ...] = (as_it_is, folded)
"""How both sides are looked at."""


def window_hashes(data: bytes) -> NDArray[np.uint64]:
    """Hash every window of 32 bytes: entry i is the hash of ``data[i:i + 32]``.

    The hash of a window is the sum of its bytes, each times a power of a constant. Those of long
    windows are put together from those of shorter ones: 1 -> 2 -> 4 -> 8 -> 16 -> 32 bytes.
    """
    if len(data) < WINDOW:
        return np.zeros(0, dtype=np.uint64)
    hashes = np.frombuffer(data, dtype=np.uint8).astype(np.uint64) + np.uint64(1)
    length = 1
    while length < WINDOW:
        shift = np.uint64(pow(MULTIPLIER, length, 1 << 64))
        hashes = hashes[:-length] * shift + hashes[length:]
        length *= 2
    assert length == WINDOW
    return hashes


class TestFiles:
    """The windows of all test files, ready to be searched for."""

    __test__ = False  # not a test, whatever its name

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._hashes = np.sort(np.concatenate([window_hashes(data) for data in files.values()]))
        self._begins = np.zeros(1 << 64 - int(BEGINNING), dtype=bool)
        self._begins[self._hashes >> BEGINNING] = True

    def passages(self, segment: str, data: bytes) -> Iterator[Passage]:
        """Yield what `data` has in common with any test file."""
        start = end = -1
        source = ""
        for at in self._known(window_hashes(data)).tolist():
            window = data[at : at + WINDOW]
            if len(set(window)) < LEAST_VALUES:
                continue
            name = self._owner_of(window, source)
            if name is None:
                continue
            if at > end - WINDOW + 1 or name != source:
                if start >= 0:
                    yield Passage(segment, start, end, source, data[start:end])
                start, source = at, name
            end = at + WINDOW
        if start >= 0:
            yield Passage(segment, start, end, source, data[start:end])

    def _known(self, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The places of those hashes that are a window's of a test file, too."""
        places = np.flatnonzero(self._begins[hashes >> BEGINNING])
        wanted = np.sort(hashes[places])  # what is searched for in order is found in cache
        nearest = np.minimum(np.searchsorted(self._hashes, wanted), len(self._hashes) - 1)
        return places[np.isin(hashes[places], wanted[self._hashes[nearest] == wanted])]

    def _owner_of(self, window: bytes, source: str) -> str | None:
        """A test file that really has this window: `source` if it has, else the first."""
        names = [source, *self._files] if source else self._files
        return next((name for name in names if window in self._files[name]), None)


def read_test_files(folders: Iterable[Path]) -> dict[str, bytes]:
    """Read every file of every corpus that is usually fetched, and of these folders.

    Raises `corpora.CorpusMissing` if a corpus is not at hand.
    """
    paths = [(corpus, path) for corpus in corpora.usual() for path in corpora.find(corpus)]
    for folder in folders:
        paths += [(folder.name, path) for path in sorted(folder.rglob("*")) if path.is_file()]
    return {f"{place}/{path.name}": path.read_bytes() for place, path in paths}


def in_common(
    segments: Mapping[str, bytes], files: Mapping[str, bytes]
) -> Iterator[tuple[Passage, bytes]]:
    """Yield each passage that a segment and a test file have in common in some view.

    With it comes what it is in the segment as it is.
    """
    for view in VIEWS:
        test_files = TestFiles({name: view(data).data for name, data in files.items()})
        for name, data in segments.items():
            seen = view(data)
            for passage in test_files.passages(name, seen.data):
                yield passage, seen.original(data, passage.start, passage.end)


@click.command()
@click.option("--cache", type=click.Path(path_type=Path), default=CACHE, help="As in build.")
@click.option(
    "--against",
    "folders",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    help="A folder with more test files; may be given again.",
)
@click.option("--leave-out", is_flag=True, help="Have the build cut out what is found.")
def main(cache: Path, folders: tuple[Path, ...], leave_out: bool) -> None:
    """Check every segment of the primer against every test file."""
    segments = {
        file_name(index, segment): data
        for index, (segment, data) in enumerate(cut_segments(read_manifest(), cache))
    }
    found = []
    for passage, original in in_common(segments, read_test_files(folders)):
        found.append(original)
        click.echo(f"{passage.segment} and {passage.test_file}: {original[:100]!r}")
    if leave_out:
        write_left_out(found)
    total = sum(map(len, segments.values()))
    click.echo(f"{total:,} bytes checked, {len(found)} passages in common", err=True)
    sys.exit(1 if found else 0)


def write_left_out(found: Iterable[bytes]) -> None:
    """Add passages to those that the build cuts out."""
    passages = sorted({*read_left_out(), *found})
    listed = [passage.decode("latin-1") for passage in passages]
    LEFT_OUT.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
