"""What the tables of text, code and other bytes have in common: matches, DMC, the first stage."""

from __future__ import annotations

from typing import NamedTuple

from glnzip.model.contexts import features as f
from glnzip.model.table.rows import Apm, Context, Dmc, Gate, Layer, Match, Rate


class ByteTable(NamedTuple):
    """The rows that a block model of bytes has to itself."""

    of_text: bool
    """Whether it follows the features of text, or else those of binary data and of code."""
    contexts: tuple[Context, ...]
    """Contexts with bit histories; from `RUNS_FROM_LEVEL` on, also with runs."""
    counters: tuple[Context, ...]
    """Contexts with direct counters."""
    gates: tuple[Gate, ...]
    """The neurons; those of layer 0 come first."""
    apms: tuple[Apm, ...]
    """The APMs."""
    layers: tuple[Layer, ...]
    """How each layer learns. The last has one neuron without a gate, if there is one at all: a
    level whose second layer has a single neuron needs none."""
    rate_after_prior: Rate
    """That of the first layer once a prior was read: data differ from it, so all is quick again."""


SHARED_APMS = (
    Apm("order 0", (f.NONE,), 8, level=2),
    Apm("order 1", (f.LAST,), 16),
    Apm("order 2", (f.LAST, f.SECOND), 16, level=3),
    Apm("expected byte", (f.EXPECTED, f.MATCH_STRENGTH), 16, level=5),
    Apm("word", (f.WORD, f.LAST), 16, level=7),
)

MATCHES = (
    Match(5),
    Match(8, level=5),
    Match(20, level=6),
)

DMCS = (
    Dmc(2, lasting=True, level=6),
    Dmc(4, lasting=False, level=6),
)


class FirstStage(NamedTuple):
    """The small network that predicts each bit first (`glnzip.model.mixing.first_stage`).

    It asks the contexts and counters whose rows say so, all match models and all DMC models.
    """

    gates: tuple[Gate, ...]
    """Its neurons. A level without any has no first stage; others have a threshold in `SIZES`."""
    layers: tuple[Layer, ...]
    """How they learn, and the one neuron above them."""
    steps_after_prior: int
    """After a prior, a row of weights is as quick as after so many bits."""


FIRST_STAGE_GATES = (
    Gate("partial byte", f.NONE, 1, "partial", level=5),
    Gate("last byte", f.LAST, 256, "position", level=5),
    Gate("text form", f.TEXT_FORM, 4096, level=5),
    Gate("match", f.MATCH_STRENGTH, 16, "position", level=5),
)

FIRST_STAGE = FirstStage(
    gates=FIRST_STAGE_GATES,
    layers=(
        Layer(Rate(0.02, 0.001, 400.0), start=0.06),
        Layer(Rate(0.002, 0.0003, 200.0)),
    ),
    steps_after_prior=40,
)

SYNTAX_FROM_LEVEL = 2
"""The first level that follows the syntax of text (`glnzip.model.contexts`): rows of those below
ask for nothing of it, and so for the next three."""
INDIRECT_2_FROM_LEVEL = 5
"""The first level that follows what came after two bytes."""
INDIRECT_3_FROM_LEVEL = 6
"""The first level that follows what came after three."""
TOKENS_FROM_LEVEL = 6
"""The first level that follows tokens, word classes and fields."""
RUNS_FROM_LEVEL = 6
"""The first level that also follows the runs of all contexts."""
