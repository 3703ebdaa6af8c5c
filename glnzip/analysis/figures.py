"""What an analysis tells of a piece of data: figures that add up to the compressed file.

Costs are ideal code lengths, multiples of 1/65536 bit, so that they add up exactly. What the file
takes beyond their sum has parts of its own: headers, and what the coder adds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Amount:
    """Bytes of some kind, and the bits that they cost."""

    name: str
    bytes: int
    bits: float


@dataclass(frozen=True)
class Part:
    """What a compressed file consists of, beside what the data cost."""

    name: str
    bits: float


@dataclass(frozen=True)
class Region:
    """Neighbouring bytes of the data that are seen alike."""

    offset: int
    kind: str
    """A name of `glnzip.format.kind_names`, or `UNPACKED`."""
    bytes: int
    bits: float
    content: list[Amount] = field(default_factory=list)
    """Of packed data: what the model sees in their place."""


@dataclass(frozen=True)
class View:
    """Bytes one after the other, and what each of them costs."""

    data: bytes
    costs: NDArray[np.float64]
    """Bits of each byte."""
    regions: list[Region]


@dataclass(frozen=True)
class Share:
    """Bits that an input of the model has saved; fewer than none if it misled more than it led."""

    family: str
    name: str
    memory: str
    bits: float


@dataclass(frozen=True)
class Saving:
    """What a block model saved of the eight bits of each byte, and which of its inputs did."""

    block_model: str
    bytes: int
    """That it saw in coded blocks."""
    bits: float
    """What they cost."""
    shares: list[Share]
    """They add up to ``8 * bytes - bits``."""


@dataclass(frozen=True)
class Size:
    """What a compressor makes of the same data."""

    name: str
    bytes: int


@dataclass(frozen=True)
class Analysis:
    """All figures of one piece of data."""

    original_bytes: int
    compressed_bytes: int
    level: int
    prior_id: str | None
    data_bits: float
    """What all bytes of the data cost."""
    overhead: list[Part]
    """What else the compressed file consists of: with `data_bits` they add up to
    ``8 * compressed_bytes``. Those of the coder may be fewer than none."""
    kinds: list[Amount]
    """By kind of block. Bytes are those of the data, and bits add up to `data_bits`."""
    unpacked: list[Amount]
    """What the model sees in the place of packed data, by kind of block."""
    classes: list[Amount]
    """By class of byte, of the data as the model sees them; bits add up to `data_bits`."""
    savings: list[Saving]
    sizes: list[Size]
    """The first is that of the compressed file."""
    prior_gain: int | None
    """Bytes by which the file is smaller with the prior than without; None if there is none."""
    file: View
    """The data. Those that were packed cost the same each, the mean of what they cost unpacked."""
    seen: View
    """The data as the model sees them: what was packed is unpacked, behind how it was packed."""
