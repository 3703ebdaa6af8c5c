"""Write how much memory each level takes: ``python -m docs.memory``.

The arrays that the table of the model makes decide. From them come the figures that the package
itself goes by, in `glnzip.format.levels`, and from those the ones in the documents: CLI.md's table
of levels, and sentences of the forms "1.08 GB at `-6`" and "level 9, which takes 2.75 GB".
"""

from __future__ import annotations

import re
from pathlib import Path

import glnzip
from glnzip.format import levels
from glnzip.format.levels import LEVELS, memory_bytes, model_bytes
from glnzip.model.build import new_model
from glnzip.model.roles import named_arrays
from glnzip.priors.allowance import most_bytes
from glnzip.system.units import human_size

ROOT = Path(glnzip.__file__).parents[1]
SOURCE = Path(levels.__file__)
NAMED_IN = [ROOT / "README.md", ROOT / "docs" / "SECURITY.md", ROOT / "docs" / "CLI.md"]

_MEGABYTE = 1 << 20
_SIZE = r"[\d.]+ [MG]B"


def model_megabytes(level: int) -> int:
    """What all arrays of a model take, in whole megabytes, rounded up."""
    size = sum(array.nbytes for _, array in named_arrays(new_model(level)))
    return -(-size // _MEGABYTE)


def source(before: str, megabytes: dict[int, int]) -> str:
    """`glnzip/format/levels.py` with these figures."""
    rows = "".join(f"    {level}: {size},\n" for level, size in megabytes.items())
    after, found = re.subn(
        r"(?m)^(MODEL_MEGABYTES = \{\n)(?:    .*\n)*", lambda head: head[1] + rows, before
    )
    assert found == 1, "there is one table"
    return after


def document(before: str) -> str:
    """A document whose figures are those of `glnzip.format.levels`."""
    row = re.compile(rf"(?m)^\| `-(\d)` \| {_SIZE} \| {_SIZE} \|$")
    at = re.compile(rf"{_SIZE} at `-(\d)`")
    takes = re.compile(rf"level (\d), which takes {_SIZE}")
    text = row.sub(lambda old: f"| `-{old[1]}` | {_whole(old[1])} | {_prepared(old[1])} |", before)
    text = at.sub(lambda old: f"{_whole(old[1])} at `-{old[1]}`", text)
    return takes.sub(lambda old: f"level {old[1]}, which takes {_whole(old[1])}", text)


def _whole(level: str) -> str:
    """What a process with a model takes."""
    return human_size(memory_bytes(int(level)))


def _prepared(level: str | int) -> str:
    """What preparing the shipped prior takes."""
    process = memory_bytes(int(level)) - model_bytes(int(level))
    return human_size(process + most_bytes(int(level), glnzip.SHIPPED_PRIOR))


def main() -> None:
    """Bring all figures up to date."""
    megabytes = {level: model_megabytes(level) for level in LEVELS}
    SOURCE.write_text(source(SOURCE.read_text(encoding="utf-8"), megabytes), encoding="utf-8")
    levels.MODEL_MEGABYTES.update(megabytes)
    for file in NAMED_IN:
        file.write_text(document(file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
