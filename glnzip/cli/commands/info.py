"""`glnzip info`: show what the headers of compressed files say, as a table or as JSON.

Every row is printed as soon as it is known, so that no file has too many frames for the memory.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import click

from glnzip.cli import options as given
from glnzip.cli import text
from glnzip.cli.command_line import command
from glnzip.cli.files import open_source
from glnzip.cli.inputs import Inside, chosen_inputs, for_each
from glnzip.format.kind_names import KIND_NAMES
from glnzip.format.walk import FrameInfo, Segment, frame_info

_SUMMARY = {
    "Frames": 6, "Blocks": 6, "Compressed": 13, "Original": 13, "Ratio": 7,
    "Level": 5, "Prior": 8, "Memory": 7, "File": 0,
}  # fmt: skip
_DETAILS = {
    "Frame": 6, "Version": 7, "Level": 5, "Prior": 8, "Blocks": 6, "Stored": 6,
    "Compressed": 13, "Original": 13, "Ratio": 7, "Check": 8, "Memory": 7, "File": 0,
}  # fmt: skip
"""The columns of the tables, and how wide each is at least."""

_UNKNOWN = sys.maxsize  # the memory that a model takes which this build has not


@command
@given.files
@given.as_json
@click.option("-v", "--verbose", is_flag=True, help="Show a row for each frame and each segment.")
@given.selecting
@given.of_habit
def info(files: tuple[str, ...], **options: Any) -> None:
    """Show what is in each FILE.

    The sizes, level, prior and memory need are read from the headers; nothing is decompressed or
    checked. Segments are told by where their data begin, what they are, and how many bytes they
    are before and after; those within unpacked data stand below them.
    """
    show_files(files, options)


def show_files(files: tuple[str, ...], options: dict[str, Any]) -> NoReturn:
    """Show what is in the files of a command line, and end the program."""
    names, inside = chosen_inputs(files, options, compressed=True)
    sys.exit(list_files(names, inside, as_json=options["as_json"], verbose=options["verbose"]))


def list_files(
    names: Iterable[str],
    inside: Inside | None = None,
    *,
    as_json: bool,
    verbose: bool,
) -> int:
    """Print what is in each named file, and return the exit status.

    `inside` tells what of a folder is meant, if folders are gone through.
    """
    listing = _Json() if as_json else _Table(verbose=verbose)

    def read_headers(name: str) -> None:
        with open_source(name, any_kind=True, terminal=False) as source:
            listing.add(name, frame_info(source.stream, listing.add_segment))

    status = for_each(names, read_headers, inside)
    listing.end()
    return status


class _Json:
    """The listing for programs: every field in full, sizes in bytes, a frame a line."""

    def __init__(self) -> None:
        from json import dumps

        self._dumps = dumps
        self._before = "["

    def add(self, name: str, frames: Iterator[FrameInfo]) -> None:
        """Print a file and its frames; of a damaged one, those before the damage."""
        first = True
        try:
            for frame in frames:
                if first:
                    print(f'{self._before}\n  {{"file": {self._dumps(name)}, "frames": [', end="")
                    self._before = ","
                print("\n    " if first else ",\n    ", self._dumps(vars(frame)), sep="", end="")
                first = False
        finally:
            if not first:
                print("\n  ]}", end="")

    def add_segment(self, segment: Segment) -> None:
        """Segments are shown to people only."""

    def end(self) -> None:
        """Close the list."""
        print("\n]" if self._before == "," else "[]")


class _Table:
    """The listing for people: a row a file, or a row a frame; a sum below if there are several."""

    def __init__(self, *, verbose: bool) -> None:
        self._verbose = verbose
        self._columns = _DETAILS if verbose else _SUMMARY
        self._rows = 0
        self._headed = False
        self._all = _Sum()

    def add(self, name: str, frames: Iterator[FrameInfo]) -> None:
        """Print the rows of a file."""
        name = text.printable(name)
        of_file = _Sum()
        for frame in frames:
            of_file.add(_Sum.of(frame))
            if self._verbose:
                self._print_row(_frame_cells(frame, of_file.frames, name))
        self._all.add(of_file)
        if not self._verbose:
            self._print_row(of_file.cells(name))

    def add_segment(self, segment: Segment) -> None:
        """Print where data begin, what they are, how many, and what becomes of them."""
        if not self._verbose:
            return
        self._print_heading()
        kind = "unpacked" if segment.block_type is None else KIND_NAMES[segment.block_type.kind]
        name = "  " * segment.nested + kind
        print(f"  {segment.offset:>13,}  {name:<10}  {segment.length:>13,} -> {segment.becomes:,}")

    def end(self) -> None:
        """Print the sum."""
        if self._rows > 1:
            self._print_row(self._all.cells("(all)"))

    def _print_heading(self) -> None:
        """Print the names of the columns, once."""
        if not self._headed:
            print(self._aligned({heading: heading for heading in self._columns}))
        self._headed = True

    def _print_row(self, cells: dict[str, str]) -> None:
        self._print_heading()
        self._rows += 1
        print(self._aligned(cells))

    def _aligned(self, cells: dict[str, str]) -> str:
        *numbers, name = self._columns
        return "  ".join(
            [cells.get(heading, "").rjust(self._columns[heading]) for heading in numbers]
            + [cells[name]]
        )


@dataclass
class _Sum:
    """What some frames come to; they are counted, not kept."""

    frames: int = 0
    blocks: int = 0
    stored: int = 0
    compressed: int = 0
    original: int = 0
    levels: set[int] = field(default_factory=set)
    priors: set[str] = field(default_factory=set)
    memory: int = 0

    @classmethod
    def of(cls, frame: FrameInfo) -> _Sum:
        """A single frame."""
        return cls(
            1,
            frame.blocks,
            frame.stored_blocks,
            frame.compressed_bytes,
            frame.original_bytes,
            {frame.level},
            {frame.prior_id or "none"},
            frame.memory_bytes or _UNKNOWN,
        )

    def add(self, other: _Sum) -> None:
        """Count some more."""
        self.frames += other.frames
        self.blocks += other.blocks
        self.stored += other.stored
        self.compressed += other.compressed
        self.original += other.original
        self.levels |= other.levels
        if len(self.priors) < 2:  # one, or several
            self.priors |= other.priors
        self.memory = max(self.memory, other.memory)

    def cells(self, name: str) -> dict[str, str]:
        """The row of a table that shows it."""
        memory = "unknown" if self.memory == _UNKNOWN else text.human_size(self.memory)
        lowest, highest = min(self.levels), max(self.levels)
        return {
            "Frames": str(self.frames),
            "Frame": str(self.frames),
            "Level": str(lowest) if lowest == highest else f"{lowest}-{highest}",
            "Prior": min(self.priors) if len(self.priors) == 1 else "several",
            "Blocks": str(self.blocks),
            "Stored": str(self.stored),
            "Compressed": f"{self.compressed:,}",
            "Original": f"{self.original:,}",
            "Ratio": text.ratio(self.compressed, self.original),
            "Memory": memory,
            "File": name,
        }


def _frame_cells(frame: FrameInfo, number: int, name: str) -> dict[str, str]:
    return {
        **_Sum.of(frame).cells(name),
        "Frame": str(number),
        "Version": str(frame.version),
        "Check": f"{frame.check:08x}",
    }
