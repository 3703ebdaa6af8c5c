"""`glnzip info`: what the headers of compressed files say, as a table or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from glnzip.cache import cache_root
from glnzip.cache.housekeeping import kept_images
from glnzip.cli import wording
from glnzip.cli.files import open_source
from glnzip.cli.work import SUCCESS, for_each
from glnzip.container import PRIOR_ID_BYTES, FrameInfo, frame_info
from glnzip.priors.prior import SHIPPED_PRIOR

HEADINGS = (
    "File", "Frame", "Version", "Level", "Prior", "Blocks", "Stored",
    "Original", "Compressed", "Ratio", "Check", "Memory",
)  # fmt: skip
LEFT_ALIGNED = {"File", "Prior", "Check"}

Listing = dict[str, list[FrameInfo]]
"""The frames of each file, in order."""


def list_files(names: Iterable[str], *, as_json: bool) -> int:
    """Print what is in each named file, and return the exit status."""
    listing: Listing = {}

    def read_headers(name: str) -> None:
        with open_source(name, any_kind=True, terminal=False) as source:
            listing[name] = list(frame_info(source.stream))

    status = for_each(names, read_headers)
    if as_json:
        print(json_text(listing))
    elif listing:
        print(table(listing))
    return status


def list_priors(*, as_json: bool) -> int:
    """Print which priors are prepared on this machine, and what they take; the exit status."""
    images = [(name[: 2 * PRIOR_ID_BYTES], level, disk) for name, level, disk in kept_images()]
    if as_json:
        names = ("prior_id", "level", "disk_bytes")
        print(json.dumps([dict(zip(names, image, strict=True)) for image in images], indent=2))
        return SUCCESS
    print(f"shipped prior: {SHIPPED_PRIOR.id}")
    print(f"prepared, in {wording.printable(str(cache_root() or 'no folder'))}:")
    for prior_id, level, disk in images:
        print(f"  {prior_id}  level {level}  {wording.human_size(disk)}")
    if not images:
        print("  none")
    return SUCCESS


def json_text(listing: Listing) -> str:
    """The listing for programs: every field in full, sizes in bytes."""
    files = [
        {"file": name, "frames": [asdict(frame) for frame in frames]}
        for name, frames in listing.items()
    ]
    return json.dumps(files, indent=2)


def table(listing: Listing) -> str:
    """The listing for people: a row a frame, and their sum below if there are several."""
    rows = [
        _row(name, number, frame)
        for name, frames in listing.items()
        for number, frame in enumerate(frames, 1)
    ]
    if len(rows) > 1:
        rows.append(_total([frame for frames in listing.values() for frame in frames]))
    lines = [HEADINGS, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_align(line, widths) for line in lines)


def _row(name: str, number: int, frame: FrameInfo) -> tuple[str, ...]:
    return (
        wording.printable(name),
        str(number),
        str(frame.version),
        str(frame.level),
        frame.prior_id or "none",
        str(frame.blocks),
        str(frame.stored_blocks),
        f"{frame.original_bytes:,}",
        f"{frame.compressed_bytes:,}",
        wording.ratio(frame.compressed_bytes, frame.original_bytes),
        f"{frame.check:08x}",
        "unknown" if frame.memory_bytes is None else wording.human_size(frame.memory_bytes),
    )


def _total(frames: list[FrameInfo]) -> tuple[str, ...]:
    original = sum(frame.original_bytes for frame in frames)
    compressed = sum(frame.compressed_bytes for frame in frames)
    blocks = sum(frame.blocks for frame in frames)
    stored = sum(frame.stored_blocks for frame in frames)
    share = wording.ratio(compressed, original)
    counts = (str(blocks), str(stored), f"{original:,}", f"{compressed:,}", share)
    return ("(all)", str(len(frames)), "", "", "", *counts, "", "")


def _align(row: tuple[str, ...], widths: list[int]) -> str:
    cells = (
        cell.ljust(width) if heading in LEFT_ALIGNED else cell.rjust(width)
        for heading, cell, width in zip(HEADINGS, row, widths, strict=True)
    )
    return "  ".join(cells).rstrip()
