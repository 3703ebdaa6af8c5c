"""The arrays and networks of a model by name, whatever its views, and what may change them."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any

import numpy as np

from glnzip.bytemodel.numeric import NumericView
from glnzip.bytemodel.state import ByteModel, Model, NumberModel
from glnzip.coding.byte_loops import in_bytes
from glnzip.gln.network import Network
from glnzip.plan import TEXT

FIXED = (
    "*.lineup.*",
    *(
        f"*.{network}.{name}"
        for network in ("network", "scout")
        for name in ("rows", "first_*", "layers", "rates", "bounds")
    ),
    "as_pixels.contexts",
    "as_pixels.gates",
    "as_pixels.counts_known",
    "*.numbers.contexts",
    "*.numbers.gates",
    "*.squares.sizes",
    "*.squares.rates",
    "*.squares.intervals",
    "as_sound.*.settings",
)
"""What a level's table has laid down once and for all."""

SCRATCH = (
    "*.scratch.*",
    *(
        f"*.{network}.{name}"
        for network in ("network", "scout")
        for name in ("signals", "contexts", "chosen", "scales")
    ),
    "as_pixels.rows",
    "as_pixels.windows",
    "as_pixels.used",
    "*.numbers.experts",
    "*.numbers.byte",
    "*.numbers.features",
    "*.numbers.hashes",
    "*.numbers.line",
    "*.squares.inputs",
    "*.squares.work",
    "*.cells",
    "as_image.channel",
    "as_image.look",
    "as_sound.form",
    "as_sound.bases",
    "as_sound.stages",
    "recent.now",
    "recent.features",
    "recent.matches",
)
"""What lives from one bit or byte to the next; predicting writes to nothing else."""


def arrays_of(part: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The arrays of a model or of a part of it, by names such as ``as_text.learned.curves``."""
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


def for_bytes(model: Model, form: int = TEXT) -> ByteModel:
    """What the kernel for bytes and pixels is given, for bytes of a form."""
    return in_bytes(model, form)


def for_numbers(model: Model) -> NumberModel:
    """What the kernel for images and sound is given."""
    return NumberModel(model.as_image, model.as_sound, model.recent.now, model.recent.ring)


def with_short_tables(model: Model, entries: int = 1 << 12) -> Model:
    """The same model with little memory: a table is indexed by a mask, so any size will do."""
    tables = {
        name: getattr(model.recent, name)[:entries] for name in ("ring", "slots", "runs", "directs")
    }
    image, sound = model.as_image, model.as_sound
    image = image._replace(numbers=_with_short_lines(image.numbers, entries))
    sound = sound._replace(numbers=_with_short_lines(sound.numbers, entries))
    recent = model.recent._replace(**tables)
    return model._replace(as_image=image, as_sound=sound, recent=recent)


def _with_short_lines(view: NumericView, entries: int) -> NumericView:
    return view._replace(lines=view.lines[:entries])


def of_level(rows: Any, level: int) -> list[Any]:
    """The rows of the table that a level uses."""
    return [row for row in rows if row.level <= level <= row.last]
