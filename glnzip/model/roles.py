"""Every array of a model by name, and what may change it: one list for all who ask.

A name is the way from the model to the array: ``text.learned.apm_maps``, ``recent.slots``. A new
array is a field of a class in `state` (or of the block model that it belongs to) and falls under a
pattern here; a test sees to it that each falls under exactly one.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any, NamedTuple


class Roles(NamedTuple):
    """Patterns of names."""

    constant: tuple[str, ...]
    """What the level's table has laid down once and for all; rates change when a prior is read."""
    learned: tuple[str, ...]
    """What training could ship: weights, maps, counters."""
    recent: tuple[str, ...]
    """What was seen: history and hash tables."""
    scratch: tuple[str, ...]
    """What lives from one bit or byte to the next; predicting writes to nothing else."""


def _of_networks(*fields: str) -> tuple[str, ...]:
    return tuple(f"*.{name}.{field}" for name in ("network", "first_stage") for field in fields)


def _of_squares(*fields: str) -> tuple[str, ...]:
    names = "*.squares", "jpeg.guesses.signed", "jpeg.guesses.sizes"
    return tuple(f"{name}.{field}" for name in names for field in fields)


ROLES = Roles(
    constant=(
        "*.table.*",
        *_of_networks("rows", "first_row", "first_weight", "layers", "rates", "bounds"),
        "bitmap.contexts",
        "bitmap.gates",
        "bitmap.counts_hits",
        "*.samples.contexts",
        "*.samples.gates",
        *_of_squares("sizes", "rates", "intervals"),
        "audio.*.settings",
        "image.patterns.windows",
        "jpeg.contexts",
        "jpeg.gates",
        "jpeg.apms",
    ),
    learned=(
        *_of_networks("weights", "steps"),
        "*_maps",
        "*.samples.shapes",
        *_of_squares("moments", "targets", "weights", "seen"),
        "image.deviations",
        "image.times",
        "image.biases",
        "image.bias_times",
        "image.lately",
        "image.runs.*_right",
        "audio.*staged.weights",
        "audio.far.weights",
        "audio.quick",
        "audio.slow",
        "audio.ratios",
        "audio.times",
    ),
    recent=(
        "recent.buffer",
        "recent.slots",
        "recent.runs",
        "recent.counters",
        "recent.match_tables",
        "recent.dmcs",
        "recent.nodes",
        "recent.indirect_?",
        "recent.binary",
        "recent.instructions",
        "recent.a64",
        "recent.font",
        "recent.class_files",
        "recent.python_code",
        "recent.relocations",
        "recent.numbers",
        "recent.shown",
        "recent.syntax",
        "recent.tokens",
        "recent.fields",
        "recent.word_classes",
        "bitmap.slots",
        "*.samples.lines",
        "image.errors",
        "image.runs.run",
        "image.runs.table",
        "image.patterns.table",
        "image.patterns.hashed",
        "image.match.places",
        "jpeg.scan.*",
        "jpeg.symbol",
        "jpeg.guesses.block",
        "jpeg.guesses.across",
        "jpeg.guesses.down",
        "audio.past",
        "audio.*.history",
        "audio.*.ends",
    ),
    scratch=(
        "*.scratch.*",
        *_of_networks("signals", "contexts", "chosen", "scales"),
        "bitmap.rows",
        "bitmap.windows",
        "bitmap.used",
        "*.samples.experts",
        "*.samples.byte",
        "*.samples.features",
        "*.samples.hashes",
        "*.samples.line",
        *_of_squares("inputs", "work"),
        "*.cells",
        "image.form",
        "image.look",
        "image.patterns.patterns",
        "image.match.match",
        "jpeg.apm_buckets",
        "jpeg.used",
        "jpeg.hashes",
        "jpeg.features",
        "audio.form",
        "audio.bases",
        "audio.stages",
        "recent.now",
        "recent.features",
        "recent.matches",
    ),
)


class Logged(NamedTuple):
    """A table of a model that is so large that messages note which places they touch."""

    name: str
    """Its pattern, in a ByteParts."""
    words: int
    """How many words of 32 bits are a place."""


LOGGED = (
    Logged("recent.slots", 4),  # a bucket
    Logged("recent.counters", 32),  # two lines
    Logged("recent.runs", 1),
    Logged("recent.match_tables", 1),
    Logged("recent.nodes", 4),
    Logged("*.learned.apm_maps", 1),
    Logged("recent.buffer", 1),
    Logged("recent.indirect_2", 2),
    Logged("recent.indirect_3", 2),
)
"""These tables; their order is that of the numbers in `glnzip.model.undo_log`."""


def named_arrays(part: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The arrays of a model or of a part of it in the order of its fields, each with its name."""
    if isinstance(part, tuple):
        for field, value in zip(part._fields, part, strict=True):  # type: ignore[attr-defined]
            yield from named_arrays(value, f"{name}.{field}" if name else field)
    else:
        yield name, part


def is_one_of(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether an array has one of these names."""
    return any(fnmatch(name, pattern) for pattern in patterns)


def logged_number(name: str) -> int | None:
    """The number of the table of this name in `LOGGED`; None if it is not one of them."""
    numbers = (number for number, table in enumerate(LOGGED) if fnmatch(name, table.name))
    return next(numbers, None)
