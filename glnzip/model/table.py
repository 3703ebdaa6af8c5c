"""The table of contents of the model: every context, gate and final adjustment, one row each.

A level uses the rows from whose `level` to whose `last` it lies: beside others, a row may be in
vain. The kernels loop over rows and never name one; to try an idea, add or change a row here. A
changed table changes the compressed bytes, so it needs a new ``MODEL_GENERATION``.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from glnzip.format.levels import MAX_LEVEL
from glnzip.model.contexts import features as f


class Context(NamedTuple):
    """A base model: a context whose bit histories give two inputs of the network.

    Attributes
    ----------
    name : str
        For people.
    bytes : str
        A mask over the last eight bytes, newest first, two hex digits a byte: ``"FF FF"`` is order
        2, ``"00 F0"`` the high half of the last byte but one. Order-n and skip-gram contexts are
        the same thing.
    features : tuple of int
        Up to three features hashed in beside the masked bytes.
    level, last : int
        The first level that uses the row, and the last one.
    local : bool
        Whether binary data begin without what a general prior taught here. Records and formats
        differ from file to file, so that what others taught is worse than nothing; words,
        instructions and longer strings do not.
    """

    name: str
    bytes: str = ""
    features: tuple[int, ...] = ()
    level: int = 1
    local: bool = False
    last: int = MAX_LEVEL


_local = partial(Context, local=True)


class Gate(NamedTuple):
    """A neuron, by what selects its weights: a feature and a part of the byte so far.

    `values` is the number of values that the feature takes, a power of two (larger ones wrap);
    `bits` says what of the byte so far is added: nothing, the position of the bit, or the bits
    themselves.
    """

    name: str
    feature: int
    values: int
    bits: str = "none"
    level: int = 1
    layer: int = 0
    last: int = MAX_LEVEL


class Apm(NamedTuple):
    """A final adjustment: an adaptive curve per context, refining the network's probability."""

    name: str
    features: tuple[int, ...]
    table_bits: int
    level: int = 1
    last: int = MAX_LEVEL


class Match(NamedTuple):
    """A match model by the shortest match that it accepts."""

    minimum: int
    level: int = 1
    last: int = MAX_LEVEL


class Dmc(NamedTuple):
    """A Markov machine by how often a step, and others to the same node, come before it clones.

    A lasting one keeps what a prior taught, others start afresh after it.
    """

    threshold: int
    lasting: bool
    level: int = 1
    last: int = MAX_LEVEL


TOKENS_FROM_LEVEL = 6
"""The first level that follows tokens (`tokens`)."""

RUNS_FROM_LEVEL = 6
"""The first level that also follows the runs of all contexts."""

BITS = {"none": (1, 0), "position": (8, 1), "partial": (256, 2)}

CONTEXTS = (
    Context("order 1", "FF"),
    Context("order 2", "FF FF"),
    Context("order 3", "FF FF FF"),
    Context("order 4", "FF FF FF FF"),
    Context("order 6", "FF FF FF FF FF FF"),
    Context("word", "", (f.WORD, f.LAST)),
    Context("order 5", "FF FF FF FF FF", level=2),
    Context("signs, last", "FF", (f.SIGNS,), level=2),
    Context("above and last", "FF", (f.ABOVE,), level=2),
    Context("word after word", "", (f.WORD, f.WORD_BEFORE), level=3),
    Context("followed last", "FF", (f.INDIRECT_1,), level=3),
    Context("bytes 1, 3", "FF 00 FF", level=4, last=5),
    Context("above, column", "", (f.ABOVE, f.COLUMN), level=4),
    Context("row place, last", "FF", (f.ROW_PLACE,), level=4, last=5),
    Context("shape, identifier", "FF", (f.SHAPE, f.IDENTIFIER), level=4),
    Context("word above, identifier", "FF", (f.WORD_ABOVE,), level=4, last=5),
    Context("order 0", "", level=5),
    Context("followed pair", "FF", (f.INDIRECT_2,), level=5, last=5),
    Context("word after skipped word", "", (f.WORD, f.WORD_TWO_BEFORE), level=5),
    Context("expected", "FF", (f.EXPECTED,), level=5, last=5),
    Context("bracket place, last", "FF", (f.BRACKET_PLACE,), level=5),
    Context("marks, identifier", "FF", (f.MARKS, f.IDENTIFIER), level=5),
    Context("word after two words", "", (f.WORD, f.WORD_BEFORE, f.WORD_TWO_BEFORE), level=6),
    Context("byte 2", "00 FF", level=6),
    Context("high halves", "F0 F0 F0 F0", level=6),
    Context("above, above twice", "", (f.ABOVE, f.ABOVE_TWICE), level=6),
    Context("text form", "FF", (f.TEXT_FORM,), level=6),
    Context("line start, column", "", (f.LINE_START, f.COLUMN), level=6),
    Context("line start, word", "", (f.LINE_START, f.WORD), level=6),
    Context("indents, last", "FF", (f.INDENTS,), level=6),
    Context("shape, last", "FF", (f.SHAPE,), level=6),
    Context("shapes, identifier", "FF", (f.SHAPES,), level=6),
    Context("signs, identifier before", "FF", (f.SIGNS, f.IDENTIFIER_BEFORE), level=6),
    Context("call, identifier", "FF", (f.CALL, f.IDENTIFIER), level=6),
    Context("statement, identifier", "FF", (f.STATEMENT,), level=6),
    Context("lines, identifier", "FF", (f.LINES,), level=6),
    Context("class, word", "FF", (f.CLASS, f.WORD), level=6),
    Context("classes, word", "FF", (f.CLASSES, f.WORD), level=6),
    Context("three classes, word", "FF", (f.CLASSES_3, f.WORD), level=6),
    Context("sounds", "", (f.SOUNDS,), level=6),
    Context("token, age", "", (f.TOKEN_AGE,), level=6),
    Context("gap, name", "", (f.GAP_NAMED,), level=6),
    Context("top of three bytes", "E0 E0 E0", level=6),
    Context("column, since capital and mark", "", (f.COLUMN, f.SINCE), level=6),
    Context("order 8", "FF FF FF FF FF FF FF FF", level=7),
    Context("word before, bytes 1-2", "FF FF", (f.WORD_BEFORE,), level=7),
    Context("row place, above", "", (f.ROW_PLACE, f.ABOVE), level=7),
    Context("expected, order 2", "FF FF", (f.EXPECTED,), level=7),
    Context("last five letters", "", (f.LAST_FIVE,), level=7),
    Context("token, here", "", (f.TOKEN_HERE,), level=7),
    Context("word, three words before", "", (f.WORD, f.WORD_THREE_BEFORE), level=8),
    Context("word, above", "", (f.WORD, f.ABOVE), level=8),
    Context("identifier", "FF", (f.IDENTIFIER,), level=8),
    Context("enclosed", "", (f.ENCLOSED,), level=8),
    Context("gap, age", "", (f.GAP_AGE,), level=8),
    Context("bytes 1, 3-4", "FF 00 FF FF", level=8),
    Context("most of six bytes", "F8 F8 F8 F8 F8 F8", level=8),
    Context("byte 3", "00 00 FF", level=9),
    Context("above, order 2", "FF FF", (f.ABOVE,), level=9),
    Context("followed pair and last", "", (f.INDIRECT_2, f.INDIRECT_1), level=9),
    Context("folded letters", "DF DF DF DF", level=9),
    Context("token, name", "", (f.TOKEN_NAMED,), level=9),
    Context("column, row place", "", (f.COLUMN, f.ROW_PLACE), level=9),
    Context("classes alone", "", (f.CLASSES,), level=9),
    Context("top of six bytes", "E0 E0 E0 E0 E0 E0", level=9),
    # What this segment alone has taught: the data begin with none of what is true of others.
    Context("order 1, here", "FF", (f.SEGMENT,), level=9),
    Context("order 2, here", "FF FF", (f.SEGMENT,), level=9),
    Context("order 3, here", "FF FF FF", (f.SEGMENT,), level=9),
    Context("order 4, here", "FF FF FF FF", (f.SEGMENT,), level=9),
    Context("word, here", "FF", (f.WORD, f.SEGMENT), level=9),
    Context("word after word, here", "FF", (f.WORD, f.WORD_BEFORE, f.SEGMENT), level=9),
    Context("class, word, here", "FF", (f.CLASS, f.WORD, f.SEGMENT), level=9),
    Context("identifier, here", "FF", (f.IDENTIFIER, f.SEGMENT), level=9),
    Context("shape, identifier, here", "FF", (f.SHAPE, f.IDENTIFIER, f.SEGMENT), level=9),
)

# Long memory: what a prior taught is kept here when bit histories have moved on.
DIRECTS = (
    Context("order 1, direct", "FF", level=5),
    Context("order 2, direct", "FF FF", level=5),
    Context("order 3, direct", "FF FF FF", level=6),
    Context("word, direct", "", (f.WORD, f.LAST), level=6),
    Context("order 4, direct", "FF FF FF FF", level=6),
    Context("word after word, direct", "", (f.WORD, f.WORD_BEFORE), level=6),
    Context("class, word, direct", "FF", (f.CLASS, f.WORD), level=6),
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

GATES = (
    Gate("partial byte", f.NONE, 1, "partial"),
    Gate("last byte", f.LAST, 256, "position", level=2, last=5),
    Gate("match", f.MATCH_STRENGTH, 16, "position", last=5),
    Gate("order hits", f.ORDER_HITS, 16, "position", level=2, last=5),
    Gate("text form", f.TEXT_FORM, 65536, level=4),
    Gate("second byte", f.SECOND, 256, level=5, last=5),
    Gate("expected byte", f.EXPECTED, 512, level=5),
    Gate("letters", f.LETTERS, 16, "position", level=6),
    Gate("column", f.COLUMN, 256, level=6),
    Gate("last byte, bits", f.LAST, 256, "partial", level=6),
    Gate("word", f.WORD, 16384, level=6),
    Gate("signs", f.SIGNS, 65536, level=6),
    Gate("class", f.CLASS, 256, "partial", level=6),
    Gate("classes", f.CLASSES, 65536, level=6),
    Gate("class and letters", f.CLASS_AND_LETTERS, 4096, "position", level=6),
    Gate("sounds", f.SOUNDS, 16384, level=7),
    Gate("last byte, six bits of second", f.PAIR, 16384, level=9),
    Gate("word before", f.WORD_BEFORE, 8192, level=9),
    Gate("match, final", f.MATCH_STRENGTH, 16, "position", layer=1, last=5),
    Gate("partial byte, final", f.NONE, 1, "partial", level=4, layer=1),
    Gate("last byte, final", f.LAST, 256, level=4, layer=1, last=5),
    Gate("match and letters, final", f.MATCH_AND_LETTERS, 256, level=6, layer=1),
    Gate("text form, final", f.TEXT_FORM, 4096, level=6, layer=1),
    Gate("class, final", f.CLASS, 256, level=6, layer=1),
    Gate("sounds, final", f.SOUNDS, 4096, level=9, layer=1),
)

# Of the small network that sees each bit first, text or not.
FIRST_STAGE_GATES = (
    Gate("partial byte, first stage", f.NONE, 1, "partial", level=5),
    Gate("last byte, first stage", f.LAST, 256, "position", level=5),
    Gate("text form, first stage", f.TEXT_FORM, 4096, level=5),
    Gate("match, first stage", f.MATCH_STRENGTH, 16, "position", level=5),
)
EXIT_THRESHOLDS = {5: 0.05, 6: 0.06, 7: 0.04, 8: 0.03, 9: 0.02}
"""By level, the share of the model's error below which a bit exits early: more is faster."""

BINARY_APMS = (
    Apm("order 0", (f.NONE,), 8, level=2),
    Apm("order 1", (f.LAST,), 16),
    Apm("order 2", (f.LAST, f.SECOND), 16, level=3),
    Apm("expected byte", (f.EXPECTED, f.MATCH_STRENGTH), 16, level=5),
    Apm("word", (f.WORD, f.LAST), 16, level=7),
)
APMS = (
    *BINARY_APMS,
    Apm("class, letters", (f.CLASS, f.LETTERS), 16, level=6),
    Apm("class, word", (f.CLASS, f.WORD), 16, level=6),
    Apm("order 3", (f.PAIR, f.THIRD), 16, level=6),
    Apm("sounds", (f.SOUNDS,), 16, level=7),
    Apm("classes, letters", (f.CLASSES, f.LETTERS), 16, level=9),
    Apm("word, word before", (f.WORD, f.WORD_BEFORE), 16, level=9),
)

# For blocks that are no text. Records are found on the way (`binary_features`), rows by the
# planner; fields are seen by what stands some bytes back, x86 code by its instructions.
BINARY_CONTEXTS = (
    _local("order 0", level=5),
    _local("order 1", "FF"),
    _local("order 2", "FF FF"),
    Context("order 3", "FF FF FF"),
    Context("order 4", "FF FF FF FF"),
    Context("order 5", "FF FF FF FF FF", level=4),
    Context("order 6", "FF FF FF FF FF FF", level=2),
    Context("order 7", "FF FF FF FF FF FF FF", level=6),
    _local("expected", "FF", (f.EXPECTED,), level=5),
    Context("word", "", (f.WORD, f.LAST), level=3),
    Context("word after word", "", (f.WORD, f.WORD_BEFORE), level=6),
    _local("text form", "FF", (f.TEXT_FORM,), level=6),
    _local("followed last", "FF", (f.INDIRECT_1,), level=5),
    _local("followed pair", "", (f.INDIRECT_2,), level=5),
    _local("followed last thrice", "", (f.INDIRECT_1_OF_3,), level=6),
    _local("followed three", "FF", (f.INDIRECT_3,), level=6),
    _local("above and last", "FF", (f.ABOVE,), level=4),
    _local("above, above twice", "", (f.ABOVE, f.ABOVE_TWICE), level=6),
    _local("row place, last", "FF", (f.ROW_PLACE,), level=4),
    _local("byte 2", "00 FF", level=6),
    _local("byte 3", "00 00 FF", level=6),
    _local("byte 4", "00 00 00 FF", level=6),
    _local("bytes 1, 3", "FF 00 FF", level=4),
    _local("bytes 1, 4", "FF 00 00 FF", level=5),
    _local("bytes 1, 5", "FF 00 00 00 FF", level=6),
    _local("bytes 2, 4", "00 FF 00 FF", level=6),
    _local("bytes 4, 8", "00 00 00 FF 00 00 00 FF", level=6),
    _local("bytes 2-3", "00 FF FF"),
    _local("bytes 2-4", "00 FF FF FF", level=6),
    _local("bytes 3-4", "00 00 FF FF", level=6),
    _local("bytes 4-5", "00 00 00 FF FF", level=6),
    _local("field, bytes 4-5", "00 00 00 FF FF", (f.FIELD,), level=6),
    _local("bytes 5-6", "00 00 00 00 FF FF", level=6),
    _local("bytes 1-2, 4", "FF FF 00 FF", level=6),
    _local("bytes 1-2, 5", "FF FF 00 00 FF", level=6),
    _local("high halves of 4", "F0 F0 F0 F0", level=5),
    _local("high halves of 6", "F0 F0 F0 F0 F0 F0", level=6),
    _local("most of 4 bytes", "F8 F8 F8 F8", level=6),
    _local("pair since", "FF FF", (f.PAIR_SINCE,), level=6),
    _local("zero since", "FF", (f.ZERO_SINCE,), level=5),
    _local("up, last", "FF", (f.RECORD, f.UP), level=2),
    _local("up, record place", "", (f.RECORD_PLACE, f.RECORD, f.UP), level=6),
    _local("record place, last", "FF", (f.RECORD_PLACE, f.RECORD)),
    _local("text place, last", "FF", (f.TEXT_PLACE,), level=4),
    _local("row place, above", "", (f.ROW_PLACE, f.ABOVE), level=6),
    _local("above, order 2", "FF FF", (f.ABOVE,), level=6),
    _local("up, order 2", "FF FF", (f.RECORD, f.UP), level=6),
    _local("up, above", "", (f.UP, f.ABOVE), level=6),
    Context("word after skipped word", "", (f.WORD, f.WORD_TWO_BEFORE), level=6),
    _local("line start, last", "FF", (f.LINE_START,), level=6),
    _local("text left, order 2", "FF FF", (f.TEXT_LEFT,), level=6),
    _local("fours", "", (f.FOURS,), level=6),
    _local("byte 4, top of 3, fours", "00 00 E0 FF", (f.FOURS_NOW,), level=6),
    _local("place in 4", "", (f.PLACE_IN_4,), level=6),
    _local("top of three bytes", "E0 E0 E0", level=6),
    _local("most of two bytes", "F8 F8", level=6),
    Context("code", "", (f.CODE,), level=5),
    Context("code, last", "FF", (f.CODE,), level=3),
    Context("code, order 2", "FF FF", (f.CODE,), level=5),
    Context("code after code", "", (f.CODE, f.CODE_BEFORE)),
    Context("code after two", "", (f.CODE, f.CODE_BEFORE, f.CODE_BEFORE_2), level=6),
    _local("place in 4, last", "FF", (f.PLACE_IN_4,), level=9),
    _local("place in 4, byte 2", "00 FF", (f.PLACE_IN_4,), level=9),
    _local("followed tops", "", (f.INDIRECT_TOPS,), level=9),
    _local("followed tops, byte 2", "00 FF", (f.INDIRECT_TOPS,), level=9),
    _local("followed few", "", (f.INDIRECT_FEW,), level=9),
    _local("followed few, byte 2", "00 FF", (f.INDIRECT_FEW,), level=9),
    _local("follower, byte 3", "00 00 FF", (f.INDIRECT_BYTE_1,), level=9),
    _local("follower of pair, byte 2", "00 FF", (f.INDIRECT_BYTE_2,), level=9),
    _local("follower of pair, byte 3", "00 00 FF", (f.INDIRECT_BYTE_2,), level=9),
    _local("ups", "", (f.UPS,), level=9),
    _local("byte 1, high half of 2", "FF F0", level=9),
    _local("high half of 1, byte 2", "F0 FF", level=9),
    _local("byte 1, top of 2-4", "FF C0 C0 C0", level=9),
    _local("high halves of 2, byte 3", "F0 F0 FF", level=9),
    _local("bytes 2, 5", "00 FF 00 00 FF", level=9),
    _local("bytes 1, 6", "FF 00 00 00 00 FF", level=9),
    _local("order 8", "FF FF FF FF FF FF FF FF", level=9),
    _local("bytes 3, 6", "00 00 FF 00 00 FF", level=9),
    _local("bytes 4-6", "00 00 00 FF FF FF", level=9),
    _local("bytes 1-3, 5", "FF FF FF 00 FF", level=9),
    _local("bytes 1, 3-4", "FF 00 FF FF", level=9),
    _local("bytes 1, 3, 5, 7", "FF 00 FF 00 FF 00 FF", level=9),
    _local("bytes 2, 4, 6", "00 FF 00 FF 00 FF", level=9),
    _local("bytes 1-2, 5-6", "FF FF 00 00 FF FF", level=9),
    _local("top of 8", "E0 E0 E0 E0 E0 E0 E0 E0", level=9),
    _local("bytes 1-2, high halves of 3-4", "FF FF F0 F0", level=9),
    _local("bytes 1-2, top of 3-5", "FF FF C0 C0 C0", level=9),
    _local("top of two bytes", "E0 E0", level=9),
    _local("top of 4", "C0 C0 C0 C0", level=9),
    _local("high halves of 2", "F0 F0", level=9),
    _local("top of 2-3", "00 E0 E0", level=9),
    _local("top of 1, 3", "E0 00 E0", level=9),
    _local("top of three bytes, place in 4", "E0 E0 E0", (f.PLACE_IN_4,), level=9),
    _local("fours and place", "", (f.FOURS_AND_PLACE,), level=9),
    _local("top of 1, fours now", "E0", (f.FOURS_NOW,), level=9),
    _local("heights", "", (f.HEIGHTS,), level=9),
    _local("record place", "", (f.RECORD_PLACE,), level=9),
    _local("top of 1, record place", "E0", (f.RECORD_PLACE,), level=9),
    _local("plane", "", (f.PLANE,), level=9),
    _local("up", "", (f.UP,), level=9),
)

# Fields of measured values: where anything may follow, a probability says more than a history.
BINARY_DIRECTS = (
    Context("order 1, direct", "FF", level=5),
    Context("order 2, direct", "FF FF", level=5),
    Context("order 3, direct", "FF FF FF", level=6),
    Context("order 4, direct", "FF FF FF FF", level=6),
    Context("bytes 2-3, direct", "00 FF FF", level=6),
    Context("bytes 1, 3, direct", "FF 00 FF", level=6),
    Context("field, bytes 4-5, direct", "00 00 00 FF FF", (f.FIELD,), level=6),
    Context("record place, byte 2, direct", "00 FF", (f.RECORD_PLACE,), level=6),
    Context("record place, heights, direct", "", (f.RECORD_PLACE, f.HEIGHTS), level=6),
    Context("record place, plane, direct", "", (f.RECORD_PLACE, f.PLANE), level=6),
    Context("order 0, direct", "", level=9),
    Context("high halves, direct", "F0 F0 F0 F0", level=9),
    Context("record place, byte 1, direct", "FF", (f.RECORD_PLACE,), level=9),
    Context("record place, byte 3, direct", "00 00 FF", (f.RECORD_PLACE,), level=9),
    Context("record place, up, direct", "", (f.RECORD_PLACE, f.UP), level=9),
    Context("record place, up, high half of 1, direct", "F0", (f.RECORD_PLACE, f.UP), level=9),
    Context("record place, same, up, direct", "", (f.RECORD_PLACE, f.SAME_UP, f.UP), level=9),
    Context(
        "record place, bytes 4, 8, direct", "00 00 00 F8 00 00 00 F8", (f.RECORD_PLACE,), level=9
    ),
    Context("record place, bytes 1, 4, direct", "F8 00 00 F8", (f.RECORD_PLACE,), level=9),
    Context(
        "record place, bytes 2, 4, 8, direct", "00 F0 00 F0 00 00 00 F0", (f.RECORD_PLACE,), level=9
    ),
    Context("record place, bytes 2-4, direct", "00 F8 F8 F8", (f.RECORD_PLACE,), level=9),
    Context("record place, top of 1-4, direct", "E0 E0 E0 E0", (f.RECORD_PLACE,), level=9),
)

BINARY_GATES = (
    Gate("code place", f.CODE_PLACE, 16, "partial", level=2),
    Gate("code", f.CODE_GATE, 4096),
    Gate("text left", f.TEXT_LEFT, 256, level=5),
    Gate("up", f.UP, 256, level=5, last=5),
    Gate("same as up", f.SAME_UP, 256, level=5),
    Gate("partial byte", f.NONE, 1, "partial"),
    Gate("last byte", f.LAST, 256, "position"),
    Gate("match", f.MATCH_STRENGTH, 16, "position", last=5),
    Gate("order hits", f.ORDER_HITS, 16, "position", level=2),
    Gate("text form", f.TEXT_FORM, 4096, level=4),
    Gate("second byte", f.SECOND, 256, level=5),
    Gate("expected byte", f.EXPECTED, 512, level=5),
    Gate("letters", f.LETTERS, 16, "position", level=6),
    Gate("third byte", f.THIRD, 256, level=6),
    Gate("zero since", f.ZERO_SINCE, 256, level=6),
    Gate("record place", f.RECORD_PLACE, 256, "position", level=6),
    Gate("fours and place", f.FOURS_AND_PLACE, 1024, level=6),
    Gate("row place", f.ROW_PLACE, 256, "position", level=9),
    Gate("text place", f.TEXT_PLACE, 4096, level=9),
    Gate("pair since", f.PAIR_SINCE, 256, level=9),
    Gate("last byte, bits", f.LAST, 256, "partial", level=9),
    Gate("field", f.FIELD, 256, level=9),
    Gate("match, final", f.MATCH_STRENGTH, 16, "position", layer=1, last=5),
    Gate("partial byte, final", f.NONE, 1, "partial", level=4, layer=1),
    Gate("last byte, final", f.LAST, 256, level=4, layer=1),
    Gate("second byte, final", f.SECOND, 256, level=6, layer=1),
    Gate("match and letters, final", f.MATCH_AND_LETTERS, 256, level=6, layer=1),
    Gate("text form, final", f.TEXT_FORM, 4096, level=6, layer=1),
    Gate("row place, final", f.ROW_PLACE, 1024, level=6, layer=1),
    Gate("code, final", f.CODE_GATE, 4096, level=6, layer=1),
    Gate("third byte, final", f.THIRD, 256, level=6, layer=1),
    Gate("letters, final", f.LETTERS, 16, "position", level=6, layer=1),
    Gate("order hits, final", f.ORDER_HITS, 16, "position", level=6, layer=1),
    Gate("zero since, final", f.ZERO_SINCE, 256, level=6, layer=1),
)


class ByteTable(NamedTuple):
    """The rows that a block model of bytes has to itself, and the weight that its inputs start at.

    The gates of layer 0 come first.
    """

    contexts: tuple[Context, ...]
    directs: tuple[Context, ...]
    gates: tuple[Gate, ...]
    apms: tuple[Apm, ...]
    first_weight: float


TEXT_TABLE = ByteTable(CONTEXTS, DIRECTS, GATES, APMS, 0.06)
BINARY_TABLE = ByteTable(BINARY_CONTEXTS, BINARY_DIRECTS, BINARY_GATES, BINARY_APMS, 0.02)


class Size(NamedTuple):
    """Memory of a level, as powers of two: bytes of history and slots, entries of the tables."""

    buffer_bits: int
    slot_bits: int
    run_bits: int
    direct_bits: int
    match_bits: int
    bitmap_bits: int
    sample_bits: int = 22
    node_bits: int = 21


SIZES = {
    1: Size(
        buffer_bits=22, slot_bits=24, run_bits=10, direct_bits=14, match_bits=18, bitmap_bits=20
    ),
    2: Size(
        buffer_bits=22, slot_bits=25, run_bits=10, direct_bits=14, match_bits=18, bitmap_bits=20
    ),
    3: Size(
        buffer_bits=23, slot_bits=26, run_bits=10, direct_bits=14, match_bits=19, bitmap_bits=21
    ),
    4: Size(
        buffer_bits=23, slot_bits=27, run_bits=10, direct_bits=14, match_bits=19, bitmap_bits=21
    ),
    5: Size(
        buffer_bits=24, slot_bits=28, run_bits=10, direct_bits=22, match_bits=21, bitmap_bits=21
    ),
    6: Size(
        buffer_bits=24, slot_bits=28, run_bits=25, direct_bits=24, match_bits=22, bitmap_bits=22
    ),
    7: Size(
        buffer_bits=24, slot_bits=29, run_bits=26, direct_bits=24, match_bits=22, bitmap_bits=22
    ),
    8: Size(
        buffer_bits=25, slot_bits=29, run_bits=27, direct_bits=25, match_bits=22, bitmap_bits=22
    ),
    9: Size(
        buffer_bits=25, slot_bits=30, run_bits=27, direct_bits=25, match_bits=22, bitmap_bits=23
    ),
}
