"""The other compressors: how each is run and verified, and recorded figures of those not at hand.

A row of `PEERS` is all there is to say about a program. Every one runs on one thread with its
strongest usual setting, as a whole process whose start-up counts.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench import child
from bench.results import FileResult, Total

RECORDED = Path(__file__).with_name("peers.json")


class NotRestored(Exception):
    """A program decompressed to something other than the original."""


@dataclass(frozen=True)
class Peer:
    """One program. Both commands run in an empty folder that holds `{file}`.

    A trailing ``> NAME`` or ``< NAME`` stands for a redirection, as in a shell.
    """

    name: str
    pack: str
    unpack: str

    @property
    def program(self) -> str:
        """The name looked for on the PATH."""
        return self.pack.split()[0]

    def is_here(self) -> bool:
        """Whether the program can be run."""
        return shutil.which(self.program) is not None

    def round_trip(self, set_name: str, file: str, original: bytes) -> FileResult:
        """Compress and decompress one file; raise `NotRestored` if it does not come back."""
        names = {"file": file, "packed": f"packed.{self.program}", "restored": "restored"}
        with tempfile.TemporaryDirectory(prefix="glnzip-bench-") as name:
            folder = Path(name)
            (folder / file).write_bytes(original)
            packing = run_line(self.pack, names, folder)
            unpacking = run_line(self.unpack, names, folder)
            packed_bytes = (folder / names["packed"]).stat().st_size
            if (folder / names["restored"]).read_bytes() != original:
                raise NotRestored(f"{self.name} does not restore {file}")
        return FileResult(
            program=self.name,
            set_name=set_name,
            file=file,
            original_bytes=len(original),
            packed_bytes=packed_bytes,
            pack_seconds=packing.seconds,
            unpack_seconds=unpacking.seconds,
            peak_bytes=max(packing.peak_bytes, unpacking.peak_bytes),
        )


PEERS = (
    Peer("xz -9e", "xz -9e -T1 -c {file} > {packed}", "xz -d -c < {packed} > {restored}"),
    Peer(
        "zstd --ultra -22",
        "zstd --ultra -22 --single-thread -q -c {file} > {packed}",
        "zstd -d -q -c < {packed} > {restored}",
    ),
    Peer(
        "brotli -q 11 -w 24",
        "brotli -q 11 -w 24 -c {file} > {packed}",
        "brotli -d -c < {packed} > {restored}",
    ),
    Peer("bzip2 -9", "bzip2 -9 -c {file} > {packed}", "bzip2 -d -c < {packed} > {restored}"),
    Peer(
        "7z PPMd o=16 mem=256m",
        "7z a -t7z -m0=PPMd:o=16:mem=256m -mmt=1 -bd -y {packed} {file}",
        "7z x -so -mmt=1 {packed} > {restored}",
    ),
    # The yardstick of speed: in many distributions, strong, and stable for years.
    Peer(
        "zpaq -m5 -t1",
        "zpaq a {packed} {file} -m5 -t1",
        "zpaq x {packed} {file} -to {restored} -t1",
    ),
)
ZPAQ = PEERS[-1]


def run_line(line: str, names: dict[str, str], folder: Path) -> child.ChildRun:
    """Run one command line of a `Peer`."""
    words = [word.format_map(names) for word in shlex.split(line)]
    streams = {"<": os.devnull, ">": os.devnull}
    for sign in streams:
        if sign in words:
            at = words.index(sign)
            streams[sign] = words[at + 1]
            del words[at : at + 2]
    return child.run(words, folder=folder, stdin=streams["<"], stdout=streams[">"])


def recorded_totals(set_name: str, original_bytes: int, already: Iterable[str]) -> list[Total]:
    """Return recorded totals over a set, except of the programs in `already`."""
    programs = json.loads(RECORDED.read_text(encoding="utf-8"))["programs"]
    return [
        Total(
            program=row["name"],
            source=row["source"],
            original_bytes=original_bytes,
            packed_bytes=row["totals"][set_name],
            times_zpaq=row.get("times_zpaq"),
        )
        for row in programs
        if set_name in row["totals"] and row["name"] not in already
    ]
