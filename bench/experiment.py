"""Score a change to the model in well under a minute: bytes per set against the accepted figures.

    python -m bench.experiment                # the working tree against the accepted figures
    python -m bench.experiment --accept       # make its figures the accepted ones

The sets are Calgary, Canterbury, our own samples, and every file of the folder that the environment
variable ``GLNZIP_DEVELOPMENT`` names: put files there that no published table has, because a change
that pays only on the published ones is not an improvement. Each file is cut at ``--cap`` bytes, and
the files are shared out over the processors. Accepted figures are kept in
``bench/results/accepted.json``; what was tried is recorded in ``docs/EXPERIMENTS.md``.
"""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import click

import corpora
import glnzip
from bench import ours, report
from glnzip.format.levels import DEFAULT_LEVEL, MAX_LEVEL, MIN_LEVEL

DEVELOPMENT = "GLNZIP_DEVELOPMENT"
ACCEPTED = Path(__file__).parent / "results" / "accepted.json"
CAP = 250_000

Scores = dict[str, dict[str, int]]
"""Packed bytes by set and by file."""


def sets() -> dict[str, list[Path]]:
    """Return the files of every set that is at hand."""
    found = {"samples": corpora.samples()}
    for name in ("calgary14", "canterbury"):
        if corpora.missing_reason(name) is None:
            found[name] = corpora.find(name)
    if folder := os.environ.get(DEVELOPMENT):
        found["development"] = sorted(file for file in Path(folder).iterdir() if file.is_file())
    return found


def packed_size(file: Path, level: int, cap: int) -> tuple[int, float]:
    """Return the packed bytes of a file's first `cap` bytes, and the CPU seconds they took."""
    original = file.read_bytes()[:cap]
    started = time.process_time()
    return len(glnzip.compress(original, level=level, prior=None)), time.process_time() - started


def compared(scores: Scores, accepted: Scores) -> list[list[str]]:
    """Return one row a set, over the files that both have, and the three largest changes."""
    rows = []
    for name, files in scores.items():
        before = accepted.get(name, {})
        both = [file for file in files if file in before]
        now, then = sum(files[f] for f in both), sum(before[f] for f in both)
        moved = sorted(both, key=lambda f: -abs(files[f] / before[f] - 1))[:3]
        rows.append(
            [
                name,
                f"{sum(files.values()):,}",
                f"{now / then - 1:+.2%}" if both else "-",
                " ".join(f"{f} {files[f] / before[f] - 1:+.1%}" for f in moved) or "-",
            ]
        )
    return rows


@click.command()
@click.option("--level", type=click.IntRange(MIN_LEVEL, MAX_LEVEL), default=DEFAULT_LEVEL)
@click.option("--cap", default=CAP, show_default=True, help="Bytes used of each file.")
@click.option("--accept", is_flag=True, help="Make these figures the accepted ones.")
def main(level: int, cap: int, accept: bool) -> None:
    """Score the working tree's model against the accepted figures."""
    ours.warm_up(level)  # once, so that the processes load the kernels rather than compile them
    files = [(name, file) for name, members in sets().items() for file in members]
    with ProcessPoolExecutor() as pool:
        sizes = pool.map(partial(packed_size, level=level, cap=cap), [file for _, file in files])
        results = list(sizes)
    scores: Scores = {}
    for (name, file), (size, _) in zip(files, results, strict=True):
        scores.setdefault(name, {})[file.name] = size
    key = f"level {level}, cap {cap}"
    kept = json.loads(ACCEPTED.read_text()) if ACCEPTED.is_file() else {}
    heads = ["set", "bytes", "change", "most moved"]
    click.echo(report.table(heads, compared(scores, kept.get(key, {}))))
    click.echo(f"{sum(seconds for _, seconds in results):.1f} s of CPU time")
    if accept:
        kept[key] = scores
        ACCEPTED.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
