"""A table of the set: bytes of each file by glnzip and its peers, and sums for each kind.

Every result was decompressed and compared with the original. Each file is compressed alone,
container included; with ``--tar``, ``all.tar`` is one more file, of the kind ``tar``, which no sum
includes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bench import ours, peers, report
from bench.peers import Peer
from bench.results import FileResult, Session, total

TAR = "tar"
"""The kind of ``all.tar``."""

_XZ = next(peer for peer in peers.PEERS if peer.program == "xz")

PEERS = (
    _XZ,
    Peer(
        "zstd --ultra -22 --long=31",
        "zstd --ultra -22 --long=31 --single-thread -q -c {file} > {packed}",
        "zstd -d --long=31 -q -c < {packed} > {restored}",
    ),
    Peer(
        "7z -mx9",
        "7z a -t7z -mx9 -mmt=1 -bd -y {packed} {file}",
        "7z x -so -mmt=1 {packed} > {restored}",
    ),
    peers.ZPAQ,
    # It unpacks JPEG, PNG and deflate itself, and has models for most kinds of the set.
    Peer("paq8px -8", "paq8px -8 {file} {packed}", "paq8px -d {packed} {restored}"),
)
"""Programs that people pack such files with, and the strongest that there is."""


def chosen_peers(listed: str) -> tuple[list[Peer], list[str]]:
    """Return the peers of a list such as ``xz,zpaq`` that are here, and the names of the others.

    ``none`` is an empty list. A name that is not in `PEERS` raises ValueError.
    """
    by_program = {peer.program: peer for peer in PEERS}
    names = [] if listed == "none" else listed.split(",")
    for name in names:
        if name not in by_program:
            raise ValueError(f"{name!r} is none of {', '.join(by_program)}")
    chosen = [by_program[name] for name in names]
    here = [peer for peer in chosen if peer.is_here()]
    return here, [peer.program for peer in chosen if peer not in here]


def measure(
    kind: str, file: str, original: bytes, level: int, prior: str, rivals: Iterable[Peer]
) -> Iterator[FileResult]:
    """Yield the result of glnzip and of every peer on one file; its kind is the set's name."""
    yield ours.round_trip(level, kind, file, original, prior)
    for peer in rivals:
        yield peer.round_trip(kind, file, original)


def heads(programs: Iterable[str]) -> str:
    """Return the first lines of the table of files."""
    return report.table(["file", "kind", "original", *programs], [])


def row(results: list[FileResult]) -> str:
    """Return the line of one file, from what all programs made of it."""
    first = results[0]
    sizes = (f"{result.packed_bytes:,}" for result in results)
    return report.line([first.file, first.set_name, f"{first.original_bytes:,}", *sizes])


def sums(session: Session) -> str:
    """Return the table of sums: one row for each kind, and one for the whole set."""
    kinds = [kind for kind in session.set_names if kind != TAR]
    rows = [_sum(kind, session, [kind]) for kind in kinds]
    return report.table(
        ["kind", "files", "original", *session.programs], [*rows, _sum("**all**", session, kinds)]
    )


def _sum(name: str, session: Session, kinds: list[str]) -> list[str]:
    """Return the cells of one row: every program over all files of these kinds."""
    by_program = [
        [result for kind in kinds for result in session.of(kind, program)]
        for program in session.programs
    ]
    totals = [total(results) for results in by_program]
    return [
        name,
        f"{len(by_program[0])}",
        f"{totals[0].original_bytes:,}",
        *(f"{each.packed_bytes:,}" for each in totals),
    ]
