"""What a row of the model's table says, column by column."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

from glnzip.format.levels import MAX_LEVEL

BITS = {"none": 1, "position": 8, "partial": 256}
"""What a gate adds of the byte so far, and how many values that has: nothing, the position of the
bit, or the bits themselves."""


class Context(NamedTuple):
    """A context: its bit history, or its direct counters, are inputs of the network.

    A level uses the rows of all tables from whose `level` to whose `last` it lies: beside others, a
    row may stop paying for itself.
    """

    name: str
    """For people."""
    bytes: str = ""
    """A mask over the last eight bytes, newest first, two hex digits a byte: ``"FF FF"`` is order
    2, ``"00 F0"`` the high half of the last byte but one. Order-n and skip-gram contexts are the
    same thing."""
    features: tuple[int, ...] = ()
    """Up to three features hashed in beside the masked bytes."""
    level: int = 1
    """The first level that uses the row."""
    last: int = MAX_LEVEL
    """The last one."""
    local: bool = False
    """Whether binary data begin without what a general prior taught here. Records and formats
    differ from file to file, so what others taught is worse than nothing; words, instructions and
    longer strings do not."""
    first_stage: bool = False
    """Whether the first stage asks it, too, at the levels that have one."""
    memorised: bool = True
    """Whether it sees what is memorised."""


local = partial(Context, local=True, memorised=False)

fleeting = partial(Context, memorised=False)
"""A context of lines, columns, signs and what else one file has in its own way: to have seen others
is of no use, and takes memory from the contexts to which it is."""


class Gate(NamedTuple):
    """A neuron, by what selects its weights: a feature and a part of the byte so far."""

    name: str
    """For people."""
    feature: int
    """The feature."""
    values: int
    """How many values of it are told apart, a power of two: of larger ones, the low bits count."""
    bits: str = "none"
    """What of the byte so far selects, too: a key of `BITS`."""
    level: int = 1
    """The first level that uses the row."""
    last: int = MAX_LEVEL
    """The last one."""
    layer: int = 0
    """The layer of the network."""

    @property
    def rows(self) -> int:
        """How many rows of weights the neuron has."""
        return self.values * BITS[self.bits]


class Apm(NamedTuple):
    """An APM: refines the network's probability in a small context."""

    name: str
    """For people."""
    features: tuple[int, ...]
    """One or two features; the bits of the byte so far come on top."""
    table_bits: int
    """Contexts that are told apart, as a power of two."""
    level: int = 1
    """The first level that uses the row."""
    last: int = MAX_LEVEL
    """The last one."""


class Match(NamedTuple):
    """A match model."""

    minimum: int
    """The shortest match that it accepts, in bytes."""
    level: int = 1
    """The first level that uses the row."""
    last: int = MAX_LEVEL
    """The last one."""


class Dmc(NamedTuple):
    """A DMC model."""

    threshold: int
    """How often a step, and others to the same node, come before the node is cloned."""
    lasting: bool
    """Whether it keeps what a prior taught; others start afresh after it."""
    level: int = 1
    """The first level that uses the row."""
    last: int = MAX_LEVEL
    """The last one."""


class Rate(NamedTuple):
    """A learning rate that falls: `glnzip.gln.learning_rate.decaying`."""

    start: float
    """The first rate."""
    end: float
    """The last one."""
    half_life: float
    """Steps of a row of weights after which half of the distance is covered."""


class Layer(NamedTuple):
    """How a layer of a network begins and learns."""

    rate: Rate
    """The learning rate."""
    start: float | None = None
    """The first weight of its inputs; None for 1/K with K inputs, their geometric average."""


class Filter(NamedTuple):
    """A filter of `glnzip.model.media.nlms`."""

    taps: int
    """Its length, in samples."""
    rate: float
    """How far its weights move, a share of the way that would mend the error."""


class Size(NamedTuple):
    """What a level has to itself: its memory, as powers of two, and how early bits exit."""

    buffer_bits: int
    """Bytes of the history buffer."""
    slot_bits: int
    """Bytes of slots, which hold bit histories."""
    run_bits: int
    """Entries of runs."""
    counter_bits: int
    """Entries of direct counters."""
    match_bits: int
    """Entries of each match model."""
    bitmap_bits: int
    """Slots of the bitmap model."""
    exit_threshold: float = 0.0
    """The share of the model's error below which a bit exits early, after the first stage alone: a
    larger one is faster. 0 at levels without a first stage."""
    sample_bits: int = 22
    """Entries of the contexts of images, and of those of audio."""
    node_bits: int = 21
    """Nodes of each DMC model."""


def of_level(rows: Iterable[Any], level: int) -> list[Any]:
    """The rows of a table that a level uses."""
    return [row for row in rows if row.level <= level <= row.last]
