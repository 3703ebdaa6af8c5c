"""What a benchmark session found: one `FileResult` a program and file, totals, and a JSON file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "results"


@dataclass(frozen=True)
class FileResult:
    """One program on one file, there and back."""

    program: str
    set_name: str
    file: str
    original_bytes: int
    packed_bytes: int
    pack_seconds: float
    unpack_seconds: float
    # The peak over both directions; None where memory was not measured on this file.
    peak_bytes: int | None


@dataclass(frozen=True)
class Total:
    """One program on a whole set. Figures that are not known are None."""

    program: str
    source: str  # "this run", "measured" before, or "published" by others
    original_bytes: int
    packed_bytes: int
    pack_kb_s: float | None = None
    unpack_kb_s: float | None = None
    peak_bytes: int | None = None
    times_zpaq: float | None = None  # packing speed as a multiple of zpaq's, where recorded

    @property
    def bits_per_byte(self) -> float:
        """Compressed bits for each original byte."""
        return 8 * self.packed_bytes / max(1, self.original_bytes)


@dataclass(frozen=True)
class WarmUp:
    """What making the kernels ready cost, which no speed in a session includes."""

    level: int
    seconds: float
    from_cache: bool  # loaded from disk, as opposed to compiled


@dataclass
class Session:
    """Everything measured by one command."""

    command: str
    machine: dict[str, str]
    warm_ups: list[WarmUp] = field(default_factory=list)
    files: list[FileResult] = field(default_factory=list)

    @property
    def set_names(self) -> list[str]:
        """The sets measured, in order."""
        return list(dict.fromkeys(result.set_name for result in self.files))

    @property
    def programs(self) -> list[str]:
        """The programs run, in order."""
        return list(dict.fromkeys(result.program for result in self.files))

    def of(self, set_name: str, program: str | None = None) -> list[FileResult]:
        """The results of one set, of all programs or of one."""
        return [
            result
            for result in self.files
            if result.set_name == set_name and program in (None, result.program)
        ]

    def totals(self, set_name: str) -> list[Total]:
        """The totals of every program over one set, in the order they ran."""
        return [
            total(rows)
            for rows in (self.of(set_name, program) for program in self.programs)
            if rows
        ]

    def save(self, path: Path) -> None:
        """Write everything as JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Session:
        """Read what `save` wrote."""
        saved = json.loads(path.read_text(encoding="utf-8"))
        return cls(
            command=saved["command"],
            machine=saved["machine"],
            warm_ups=[WarmUp(**row) for row in saved["warm_ups"]],
            files=[FileResult(**row) for row in saved["files"]],
        )


def total(rows: Sequence[FileResult]) -> Total:
    """Add up one program's results."""
    original = sum(row.original_bytes for row in rows)
    peaks = [row.peak_bytes for row in rows if row.peak_bytes is not None]
    return Total(
        program=rows[0].program,
        source="this run",
        original_bytes=original,
        packed_bytes=sum(row.packed_bytes for row in rows),
        pack_kb_s=kb_s(original, sum(row.pack_seconds for row in rows)),
        unpack_kb_s=kb_s(original, sum(row.unpack_seconds for row in rows)),
        peak_bytes=max(peaks, default=None),
    )


def kb_s(original_bytes: int, seconds: float) -> float:
    """Speed in thousands of original bytes a second."""
    return original_bytes / 1000 / max(seconds, 1e-9)
