"""The inputs of the networks of bytes by name: which row of the table each is of, and its family.

The order is that of `glnzip.model.mixing.inputs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from glnzip.format.block_type import OF_BYTES
from glnzip.model.contexts import (
    binary,
    code,
    features,
    fields,
    numbers,
    syntax,
    tokens,
    word_classes,
)
from glnzip.model.table import binary as binary_table
from glnzip.model.table import byte_table
from glnzip.model.table import code as code_table
from glnzip.model.table import numbers as numbers_table
from glnzip.model.table import text as text_table
from glnzip.model.table.rows import Apm, Context, Dmc, Gate, Match

HISTORY, ONE_VALUE, RUN, MATCH, DMC, COUNTER = (
    "bit history",
    "only one value seen",
    "run",
    "match",
    "state",
    "direct counter",
)
"""What an input remembers of its context. Where a bit history has seen one value only, it speaks
twice (`glnzip.model.mixing.inputs`)."""

ORDERS, SKIP_GRAMS, WORDS, SYNTAX, LINES = (
    "orders",
    "skip-grams",
    "words",
    "syntax",
    "lines and fields",
)
RECORDS, INDIRECT, INSTRUCTIONS, NUMBERS = "records", "indirect", "instructions", "numbers"
MATCHES, DMCS, MIXING = "matches", "DMC", "mixing"

FAMILIES = {
    ORDERS: "the last bytes, in a row",
    SKIP_GRAMS: "some of the last bytes, or some of their bits",
    WORDS: "the word so far, those before, their classes and sounds",
    SYNTAX: "identifiers, brackets, signs, indentation",
    LINES: "what stands above, the column, the field",
    RECORDS: "the place in a record, and what stood there in others",
    INDIRECT: "what followed the last times after such bytes",
    INSTRUCTIONS: "the x86 instruction so far, and those before",
    NUMBERS: "what the numbers before and above lead to expect",
    MATCHES: "what followed the longest earlier string like the last bytes",
    DMCS: "state machines that grow with the data",
    MIXING: "what the network and the APMs do beside their inputs",
}
"""The families of inputs, and what each looks at."""

_TABLES = dict(
    zip(
        OF_BYTES,
        (text_table.TEXT, binary_table.BINARY, code_table.CODE, numbers_table.NUMBERS),
        strict=True,
    )
)
_LINES = (
    features.LINE_START,
    features.COLUMN,
    features.ABOVE,
    features.ABOVE_TWICE,
    features.ROW_PLACE,
)
_INDIRECT = (
    features.INDIRECT_1,
    features.INDIRECT_2,
    features.INDIRECT_3,
    features.INDIRECT_1_OF_3,
    binary.INDIRECT_TOPS,
    binary.INDIRECT_FEW,
    binary.INDIRECT_BYTE_1,
    binary.INDIRECT_BYTE_2,
)
_BY_MODULE = (  # the first number of the next module of features, and the family of most of them
    (features.END, WORDS),
    (binary.END, RECORDS),
    (code.END, INSTRUCTIONS),
    (syntax.END, SYNTAX),
    (word_classes.END, WORDS),
    (tokens.END, WORDS),
    (fields.END, LINES),
    (numbers.END, NUMBERS),
)

Row = TypeVar("Row", Context, Gate, Apm, Match, Dmc)


class Input(NamedTuple):
    """An input of a network."""

    family: str
    name: str
    """Of its row in the table."""
    memory: str


def inputs_of(block_model: str, level: int) -> list[Input]:
    """The inputs of a block model of bytes, in their order.

    The first stage's logit, which is the last one from level 5 on, is made of the others.
    """
    own = _TABLES[block_model]
    contexts = _used(own.contexts, level)
    runs = contexts if level >= byte_table.RUNS_FROM_LEVEL else []
    inputs = [
        *_of_rows(contexts, HISTORY),
        *_of_rows(contexts, ONE_VALUE),
        *_of_rows(runs, RUN),
    ]
    for match in _used(byte_table.MATCHES, level):
        inputs += 2 * [Input(MATCHES, f"{match.minimum} bytes or more", MATCH)]
    for dmc in _used(byte_table.DMCS, level):
        inputs += 2 * [Input(DMCS, f"cloned from {dmc.threshold} on", DMC)]
    inputs += _of_rows(_used(own.counters, level), COUNTER)
    if _used(byte_table.FIRST_STAGE_GATES, level):
        inputs.append(Input("first stage", "first stage", "logit"))
    return inputs


def _used(rows: Sequence[Row], level: int) -> list[Row]:
    return [row for row in rows if row.level <= level <= row.last]


def _of_rows(rows: Sequence[Context], memory: str) -> Iterator[Input]:
    return (Input(family(row), row.name, memory) for row in rows)


def family(row: Context) -> str:
    """The family of a context: by its first feature, or else by the bytes it looks at."""
    for feature in row.features:
        if feature == features.SEGMENT:  # only says that others are forgotten
            continue
        if feature == features.EXPECTED:
            return MATCHES
        if feature in _INDIRECT:
            return INDIRECT
        if feature in _LINES:
            return LINES
        return next(name for end, name in _BY_MODULE if feature < end)
    masks = row.bytes.split()
    return ORDERS if set(masks) <= {"FF"} else SKIP_GRAMS
