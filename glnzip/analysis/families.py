"""What inputs of networks are called: the families they are grouped by, and what they remember."""

from __future__ import annotations

from typing import NamedTuple

ORDERS, SKIP_GRAMS, WORDS, SYNTAX, LINES, RECORDS, INDIRECT, INSTRUCTIONS, NUMBERS = (
    "orders",
    "skip-grams",
    "words",
    "syntax",
    "lines and fields",
    "records",
    "indirect",
    "instructions",
    "numbers",
)
MATCHES, DMCS = "matches", "DMC"
PATTERNS, EXPERTS, GUESSES, NEIGHBOURS = (
    "patterns",
    "experts",
    "guesses",
    "neighbours",
)
COEFFICIENTS, AROUND, IN_BLOCK = "coefficients", "blocks around", "this block"
MIXING = "mixing"

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
    PATTERNS: "the pixels around",
    EXPERTS: "where linear predictors expect the sample",
    GUESSES: "what came after the same simple guess",
    NEIGHBOURS: "what came after such samples",
    COEFFICIENTS: "what is expected of the coefficient, and its size",
    AROUND: "what stands in the blocks around",
    IN_BLOCK: "what stands in the block so far",
    MIXING: "what the network and the APMs do beside their inputs",
}
"""The families of inputs, and what each looks at."""

HISTORY, ONE_VALUE, RUN, MATCH, DMC, COUNTER, PROBABILITY, DISTRIBUTION, SHAPE = (
    "bit history",
    "only one value seen",
    "run",
    "match",
    "state",
    "direct counter",
    "probability",
    "distribution",
    "its true shape",
)
"""What inputs remember of their context. Where a bit history has seen one value only, it speaks
twice (`glnzip.model.mixing.inputs`)."""


class Input(NamedTuple):
    """An input of a network."""

    family: str
    name: str
    """Of its row in the table."""
    memory: str
