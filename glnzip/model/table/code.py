"""The table of x86 code: every context, direct counter, gate and APM, one row each.

Code is seen by its instructions (`glnzip.model.contexts.code`), not by rows and records. It is
learned at the rates of other data.
"""

from __future__ import annotations

from glnzip.model.contexts import binary as b
from glnzip.model.contexts import code as c
from glnzip.model.contexts import features as f
from glnzip.model.table.binary import BINARY
from glnzip.model.table.byte_table import SHARED_APMS
from glnzip.model.table.rows import Apm, Context, Gate, fleeting

CONTEXTS = (
    fleeting("order 1", "FF"),
    fleeting("order 2", "FF FF", first_stage=True),
    Context("order 3", "FF FF FF", first_stage=True),
    Context("order 4", "FF FF FF FF", first_stage=True),
    Context("code after code", "", (c.CODE, c.CODE_BEFORE), first_stage=True),
    Context("code after three opcodes", "", (c.CODE, c.OPCODES_3)),
    fleeting("bytes 2-3", "00 FF FF"),
    Context("order 6", "FF FF FF FF FF FF", level=2),
    Context("code and last", "FF", (c.CODE,), level=3),
    Context("order 5", "FF FF FF FF FF", level=4, first_stage=True),
    fleeting("bytes 1, 3", "FF 00 FF", level=4),
    fleeting("order 0", level=5),
    fleeting("expected", "FF", (f.EXPECTED,), level=5),
    fleeting("indirect 1", "FF", (f.INDIRECT_1,), level=5),
    fleeting("indirect 2", "", (f.INDIRECT_2,), level=5),
    fleeting("bytes 1, 4", "FF 00 00 FF", level=5),
    Context("code", "", (c.CODE,), level=5),
    Context("code and order 2", "FF FF", (c.CODE,), level=5),
    Context("code, operand", "", (c.CODE, c.OPERAND), level=5),
    Context("code, target", "", (c.CODE, c.TARGET), level=5),
    fleeting("indirect 1 of 3", "", (f.INDIRECT_1_OF_3,), level=6),
    fleeting("indirect 3", "FF", (f.INDIRECT_3,), level=6),
    fleeting("byte 2", "00 FF", level=6),
    fleeting("byte 3", "00 00 FF", level=6),
    fleeting("bytes 2-4", "00 FF FF FF", level=6),
    fleeting("high halves of 6", "F0 F0 F0 F0 F0 F0", level=6),
    fleeting("most of 4 bytes", "F8 F8 F8 F8", level=6),
    fleeting("top of three bytes", "E0 E0 E0", level=6),
    fleeting("most of two bytes", "F8 F8", level=6),
    Context("code after two", "", (c.CODE, c.CODE_BEFORE, c.CODE_BEFORE_2), level=6),
    Context("code after skipped code", "", (c.CODE, c.CODE_BEFORE_2), level=6),
    Context("code after six opcodes", "", (c.CODE, c.OPCODES_6), level=6),
    Context("code after eight opcodes", "", (c.CODE, c.OPCODES_8), level=6),
    Context("code after four", "", (c.CODE, c.CODE_BEFORE_4), level=6),
    Context("code, registers", "", (c.CODE, c.REGISTERS), level=6),
    Context("code, like operand", "", (c.CODE, c.OPERAND_LIKE), level=6),
    Context("code after four opcodes", "", (c.CODE, c.OPCODES_4), level=7),
)

COUNTERS = (
    Context("order 1", "FF", level=5, first_stage=True),
    Context("order 2", "FF FF", level=5, first_stage=True),
    Context("order 3", "FF FF FF", level=6, first_stage=True),
    Context("order 4", "FF FF FF FF", level=6, first_stage=True),
    Context("bytes 2-3", "00 FF FF", level=6, first_stage=True),
    Context("bytes 1, 3", "FF 00 FF", level=6, first_stage=True),
    Context("code", "", (c.CODE,), level=6, first_stage=True),
    Context("code after code", "", (c.CODE, c.CODE_BEFORE), level=6, first_stage=True),
)

GATES = (
    Gate("code place", c.CODE_PLACE, 16, "partial", level=2),
    Gate("code", c.CODE_GATE, 4096),
    Gate("code before", c.CODE_BEFORE_GATE, 4096, level=6),
    Gate("partial byte", f.NONE, 1, "partial"),
    Gate("last byte", f.LAST, 256, "position"),
    Gate("match", f.MATCH_STRENGTH, 16, "position", last=5),
    Gate("order hits", f.ORDER_HITS, 16, "position", level=2),
    Gate("second byte", f.SECOND, 256, level=5),
    Gate("expected byte", f.EXPECTED, 512, level=5),
    Gate("third byte", f.THIRD, 256, level=6),
    Gate("fours and place", b.FOURS_AND_PLACE, 1024, level=6),
    Gate("match, final", f.MATCH_STRENGTH, 16, "position", layer=1, last=5),
    Gate("partial byte, final", f.NONE, 1, "partial", level=4, layer=1),
    Gate("last byte, final", f.LAST, 256, level=4, layer=1),
    Gate("second byte, final", f.SECOND, 256, level=6, layer=1),
    Gate("match and letters, final", f.MATCH_AND_LETTERS, 256, level=6, layer=1),
    Gate("text form, final", f.TEXT_FORM, 4096, level=6, layer=1),
    Gate("code, final", c.CODE_GATE, 4096, level=6, layer=1),
    Gate("third byte, final", f.THIRD, 256, level=6, layer=1),
    Gate("order hits, final", f.ORDER_HITS, 16, "position", level=6, layer=1),
)

APMS = (
    *SHARED_APMS,
    Apm("code", (c.CODE_GATE, c.CODE_BEFORE), 16, level=6),
)

CODE = BINARY._replace(contexts=CONTEXTS, counters=COUNTERS, gates=GATES, apms=APMS)
