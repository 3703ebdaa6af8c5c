"""Parts of a model for tests: its networks, what kernels are given, a model with little memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from glnzip.coding.bit_loop import byte_parts
from glnzip.format.block_type import TEXT, BlockType
from glnzip.gln.network import Network
from glnzip.model.media.sample_model import SampleModel
from glnzip.model.state import ByteParts, Model


def networks_of(part: Any) -> Iterator[Network]:
    """The networks of all block models."""
    if isinstance(part, Network):
        yield part
    elif not isinstance(part, np.ndarray):
        for value in part:
            yield from networks_of(value)


def contexts_fit(network: Network) -> bool:
    """Whether every neuron has chosen one of its own rows."""
    return bool(((network.contexts >= 0) & (network.contexts < network.rows)).all())


def for_bytes(model: Model, kind: int = TEXT) -> ByteParts:
    """What the kernel for bytes and bitmaps is given, for a block of a kind."""
    return byte_parts(model, BlockType(kind))


def with_short_tables(model: Model, entries: int = 1 << 12) -> Model:
    """The same model with little memory: a table is indexed by a mask, so any size will do."""
    tables = {
        name: getattr(model.recent, name)[:entries]
        for name in ("buffer", "slots", "runs", "counters")
    }
    image, audio = model.image, model.audio
    image = image._replace(samples=_with_short_lines(image.samples, entries))
    audio = audio._replace(samples=_with_short_lines(audio.samples, entries))
    recent = model.recent._replace(**tables)
    return model._replace(image=image, audio=audio, recent=recent)


def _with_short_lines(block_model: SampleModel, entries: int) -> SampleModel:
    return block_model._replace(lines=block_model.lines[:entries])


def of_level(rows: Any, level: int) -> list[Any]:
    """The rows of the table that a level uses."""
    return [row for row in rows if row.level <= level <= row.last]
