"""The arrays and networks of a model by name, whatever its views, and what may change them."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any

import numpy as np

from glnzip.coding.bit_loop import byte_parts
from glnzip.format.block_type import TEXT
from glnzip.gln.network import Network
from glnzip.model.media.sample_model import SampleModel
from glnzip.model.state import ByteParts, Model, SampleParts

FIXED = (
    "*.lineup.*",
    *(
        f"*.{network}.{name}"
        for network in ("network", "first_stage")
        for name in ("rows", "first_*", "layers", "rates", "bounds")
    ),
    "bitmap.contexts",
    "bitmap.gates",
    "bitmap.counts_known",
    "*.numbers.contexts",
    "*.numbers.gates",
    "*.squares.sizes",
    "*.squares.rates",
    "*.squares.intervals",
    "audio.*.settings",
)
"""What a level's table has laid down once and for all."""

SCRATCH = (
    "*.scratch.*",
    *(
        f"*.{network}.{name}"
        for network in ("network", "first_stage")
        for name in ("signals", "contexts", "chosen", "scales")
    ),
    "bitmap.rows",
    "bitmap.windows",
    "bitmap.used",
    "*.numbers.experts",
    "*.numbers.byte",
    "*.numbers.features",
    "*.numbers.hashes",
    "*.numbers.line",
    "*.squares.inputs",
    "*.squares.work",
    "*.cells",
    "image.channel",
    "image.look",
    "audio.form",
    "audio.bases",
    "audio.stages",
    "recent.now",
    "recent.features",
    "recent.matches",
)
"""What lives from one bit or byte to the next; predicting writes to nothing else."""


def arrays_of(part: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The arrays of a model or of a part of it, by names such as ``text.learned.apm_maps``."""
    if isinstance(part, np.ndarray):
        yield name, part
    else:
        for field, value in part._asdict().items():
            yield from arrays_of(value, f"{name}.{field}" if name else field)


def networks_of(part: Any) -> Iterator[Network]:
    """The networks of all views."""
    if isinstance(part, Network):
        yield part
    elif not isinstance(part, np.ndarray):
        for value in part:
            yield from networks_of(value)


def is_one_of(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether an array of this name is `FIXED`, or `SCRATCH`."""
    return any(fnmatch(name, pattern) for pattern in patterns)


def contexts_fit(network: Network) -> bool:
    """Whether every neuron has chosen one of its own rows."""
    return bool(((network.contexts >= 0) & (network.contexts < network.rows)).all())


def for_bytes(model: Model, form: int = TEXT) -> ByteParts:
    """What the kernel for bytes and pixels is given, for bytes of a form."""
    return byte_parts(model, form)


def for_numbers(model: Model) -> SampleParts:
    """What the kernel for images and sound is given."""
    return SampleParts(model.image, model.audio, model.recent.now, model.recent.buffer)


def with_short_tables(model: Model, entries: int = 1 << 12) -> Model:
    """The same model with little memory: a table is indexed by a mask, so any size will do."""
    tables = {
        name: getattr(model.recent, name)[:entries]
        for name in ("buffer", "slots", "runs", "counters")
    }
    image, sound = model.image, model.audio
    image = image._replace(numbers=_with_short_lines(image.samples, entries))
    sound = sound._replace(numbers=_with_short_lines(sound.numbers, entries))
    recent = model.recent._replace(**tables)
    return model._replace(image=image, audio=sound, recent=recent)


def _with_short_lines(block_model: SampleModel, entries: int) -> SampleModel:
    return block_model._replace(lines=block_model.lines[:entries])


def of_level(rows: Any, level: int) -> list[Any]:
    """The rows of the table that a level uses."""
    return [row for row in rows if row.level <= level <= row.last]
