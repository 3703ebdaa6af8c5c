"""The inputs of the networks of bytes: which row of the table each is of, and its family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glnzip.analysis.families import (
    COUNTER,
    DMC,
    DMCS,
    HISTORY,
    INDIRECT,
    INSTRUCTIONS,
    LINES,
    MATCH,
    MATCHES,
    MIXING,
    NUMBERS,
    ONE_VALUE,
    ORDERS,
    RECORDS,
    RUN,
    SKIP_GRAMS,
    SYNTAX,
    WORDS,
    Input,
)
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
from glnzip.model.table import byte_table
from glnzip.model.table.byte_tables import BYTE_TABLES
from glnzip.model.table.rows import Context, of_level

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


def byte_inputs(block_model: str, level: int) -> list[Input]:
    """The inputs of a block model of bytes, in the order of `glnzip.model.mixing.inputs`.

    The first stage's logit, which is the last one from level 5 on, is made of the others.
    """
    own = BYTE_TABLES[block_model]
    contexts = of_level(own.contexts, level)
    runs = contexts if level >= byte_table.RUNS_FROM_LEVEL else []
    inputs = [
        *_of_rows(contexts, HISTORY),
        *_of_rows(contexts, ONE_VALUE),
        *_of_rows(runs, RUN),
    ]
    for match in of_level(byte_table.MATCHES, level):
        inputs += 2 * [Input(MATCHES, f"{match.minimum} bytes or more", MATCH)]
    for row in of_level(byte_table.DMCS, level):
        inputs += 2 * [Input(DMCS, f"cloned from {row.threshold} on", DMC)]
    inputs += _of_rows(of_level(own.counters, level), COUNTER)
    if of_level(byte_table.FIRST_STAGE_GATES, level):
        inputs.append(Input(MIXING, "first stage", MIXING))
    return inputs


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
