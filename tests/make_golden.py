"""Write the golden files of this generation of models: ``make golden``.

A golden folder holds small inputs and what they were compressed to at every level. It is written
once, when a model generation is released, and read for ever after: `tests.test_golden` fails if a
single byte of the output has changed. So an existing folder is never touched; whoever changes the
bits that a level produces counts `MODEL_GENERATION` up and makes another.
"""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import glnzip
from corpora import make_samples
from glnzip.levels import LEVELS, MODEL_GENERATION

GOLDEN = Path(__file__).parent / "golden"
PROSE = make_samples.HERE / "prose.txt"


def inputs() -> dict[str, bytes]:
    """Small inputs of every kind, by name: each makes the model do something else."""
    chance = random.Random(0)
    noise = bytes(int(256 * chance.random()) for _ in range(300))
    return {
        "empty": b"",
        "one-byte": b"A",
        "noise": noise,
        "prose": PROSE.read_bytes()[:3000],
        "table": make_samples.weather_csv()[:2000],
        "records": make_samples.track_bin()[:2000],
        "bitmap": make_samples.tiles_pbm()[5000:10_000],
        "mixed": noise + PROSE.read_bytes()[3000:3600] + bytes(500) + noise,
    }


def folder_of(generation: int) -> Path:
    """Where the golden files of a generation lie."""
    return GOLDEN / str(generation)


def write(folder: Path) -> int:
    """Write all files, none if one cannot be made; return their size."""
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    size = 0
    for name, data in inputs().items():
        files = {f"{name}.{level}.gln": glnzip.compress(data, level=level) for level in LEVELS}
        for file, content in {name: data, **files}.items():
            size += (unfinished / file).write_bytes(content)
    unfinished.rename(folder)
    return size


def main() -> int:
    """Make the folder of this generation, unless it is there."""
    folder = folder_of(MODEL_GENERATION)
    if folder.exists():
        print(
            f"{folder} exists, and golden files are never changed. A model that produces other "
            "bytes needs a new MODEL_GENERATION (glnzip/levels.py).",
            file=sys.stderr,
        )
        return 1
    print(f"{folder}: {write(folder):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
