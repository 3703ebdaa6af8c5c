"""The arrays and networks of a model by name, whatever its views, and what may change them."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any

import numpy as np

from glnzip.bytemodel.state import Model
from glnzip.gln.network import Network

FIXED = (
    "*.lineup.*",
    "*.network.rows",
    "*.network.first_*",
    "*.network.layers",
    "*.network.rates",
    "*.network.bounds",
    "as_pixels.contexts",
    "as_pixels.gates",
)
"""What a level's table has laid down once and for all."""

SCRATCH = (
    "*.scratch.*",
    "*.network.signals",
    "*.network.contexts",
    "as_pixels.rows",
    "as_pixels.used",
    "recent.now",
    "recent.features",
    "recent.matches",
)
"""What predicting may write to."""


def arrays_of(part: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The arrays of a model or of a part of it, by names such as ``as_bytes.learned.curves``."""
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


def with_short_tables(model: Model, entries: int = 1 << 12) -> Model:
    """The same model with little memory: a table is indexed by a mask, so any size will do."""
    tables = {name: getattr(model.recent, name)[:entries] for name in ("ring", "slots", "runs")}
    tables["directs"] = model.recent.directs[:entries]
    return model._replace(recent=model.recent._replace(**tables))
