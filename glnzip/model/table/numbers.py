"""The table of arrays of numbers: every context, direct counter, gate and APM, one row each.

Numbers are seen by what those before and above lead to expect (`glnzip.model.contexts.numbers`),
and by their bytes. They are learned at the rates of other data.
"""

from __future__ import annotations

from glnzip.model.contexts import features as f
from glnzip.model.contexts import numbers as n
from glnzip.model.table.binary import BINARY
from glnzip.model.table.rows import Apm, Context, Gate, fleeting

CONTEXTS = (
    fleeting("as the last, byte 1", "FF", (n.NEXT_LAST,)),
    fleeting("as above, byte 1", "FF", (n.NEXT_ABOVE,)),
    fleeting("steady, byte 1", "FF", (n.NEXT_STEADY,)),
    fleeting("place, order 2", "FF FF", (n.NUMBER_PLACE,), first_stage=True),
    Context("order 3", "FF FF FF", first_stage=True),
    Context("order 4", "FF FF FF FF", first_stage=True),
    fleeting("line, byte 1", "FF", (n.NEXT_LINE,), level=3),
    fleeting("line above, byte 1", "FF", (n.NEXT_LINE_ABOVE,), level=3),
    fleeting("plane, byte 1", "FF", (n.NEXT_PLANE,), level=3),
    fleeting("place, byte 1", "FF", (n.NUMBER_PLACE,), level=3),
    fleeting("middle, byte 1", "FF", (n.NEXT_MIDDLE,), level=4),
    fleeting("quick, byte 1", "FF", (n.NEXT_QUICK,), level=5),
    fleeting("place, byte 2", "00 FF", (n.NUMBER_PLACE,), level=5),
    fleeting("place, bytes 1, 3", "FF 00 FF", (n.NUMBER_PLACE,), level=5),
    fleeting("as the last, as above", "", (n.NEXT_LAST, n.NEXT_ABOVE), level=6),
    fleeting("as the last, line", "", (n.NEXT_LAST, n.NEXT_LINE), level=6),
    fleeting("as above, line above", "", (n.NEXT_ABOVE, n.NEXT_LINE_ABOVE), level=6),
    fleeting("plane, line above", "", (n.NEXT_PLANE, n.NEXT_LINE_ABOVE), level=6),
    fleeting("steady, middle", "", (n.NEXT_STEADY, n.NEXT_MIDDLE), level=6),
    fleeting("line above", "", (n.NEXT_LINE_ABOVE,), level=6),
    fleeting("middle", "", (n.NEXT_MIDDLE,), level=6),
    fleeting("place", "", (n.NUMBER_PLACE,), level=6),
    fleeting("place, bytes 2-3", "00 FF FF", (n.NUMBER_PLACE,), level=6),
    fleeting("place, most of two bytes", "F8 F8", (n.NUMBER_PLACE,), level=6),
    fleeting("place, top of three bytes", "E0 E0 E0", (n.NUMBER_PLACE,), level=6),
    fleeting("place, high halves of 4", "F0 F0 F0 F0", (n.NUMBER_PLACE,), level=6),
    Context("order 2", "FF FF", level=6),
    Context("order 6", "FF FF FF FF FF FF", level=6),
    fleeting("byte 4", "00 00 00 FF", level=6),
    fleeting("bytes 4, 8", "00 00 00 FF 00 00 00 FF", level=6),
    fleeting("bytes 3-4", "00 00 FF FF", level=6),
    fleeting("bytes 1, 4", "FF 00 00 FF", level=6),
    fleeting("above and last", "FF", (f.ABOVE,), level=6),
    fleeting("expected", "FF", (f.EXPECTED,), level=6),
)

COUNTERS = (
    Context("place, order 1", "FF", (n.NUMBER_PLACE,), level=5, first_stage=True),
    Context("place, order 2", "FF FF", (n.NUMBER_PLACE,), level=5, first_stage=True),
    Context("place, byte 2", "00 FF", (n.NUMBER_PLACE,), level=5, first_stage=True),
    Context("place, bytes 1, 3", "FF 00 FF", (n.NUMBER_PLACE,), level=5, first_stage=True),
    Context("place, bytes 2-3", "00 FF FF", (n.NUMBER_PLACE,), level=6, first_stage=True),
    Context("as the last, spread", "", (n.NEXT_LAST, n.SPREAD_LAST), level=5),
    Context("line, spread", "", (n.NEXT_LINE, n.SPREAD_LINE), level=5),
    Context("as above, spread", "", (n.NEXT_ABOVE, n.SPREAD_ABOVE), level=5),
    Context("line above, spread", "", (n.NEXT_LINE_ABOVE, n.SPREAD_LINE_ABOVE), level=5),
    Context("plane, spread", "", (n.NEXT_PLANE, n.SPREAD_PLANE), level=5),
    Context("steady, spread", "", (n.NEXT_STEADY, n.SPREAD_STEADY), level=5),
    Context("quick, spread", "", (n.NEXT_QUICK, n.SPREAD_QUICK), level=5),
    Context("middle, spread", "", (n.NEXT_MIDDLE, n.SPREAD_MIDDLE), level=5),
)

GATES = (
    Gate("place", n.NUMBER_PLACE, 128, "position"),
    Gate("nearness of the last", n.NEARNESS_LAST, n.NEARNESSES),
    Gate("nearness of the one above", n.NEARNESS_ABOVE, n.NEARNESSES),
    Gate("nearness of steady", n.NEARNESS_STEADY, n.NEARNESSES),
    Gate("nearness of line", n.NEARNESS_LINE, n.NEARNESSES, level=5),
    Gate("nearness of line above", n.NEARNESS_LINE_ABOVE, n.NEARNESSES, level=5),
    Gate("nearness of plane", n.NEARNESS_PLANE, n.NEARNESSES, level=5),
    Gate("nearness of quick", n.NEARNESS_QUICK, n.NEARNESSES, level=6),
    Gate("nearness of middle", n.NEARNESS_MIDDLE, n.NEARNESSES, level=4),
    Gate("partial byte", f.NONE, 1, "partial"),
    Gate("last byte", f.LAST, 256, "position", level=2),
    Gate("order hits", f.ORDER_HITS, 16, "position", level=4),
    Gate("second byte", f.SECOND, 256, level=5),
    Gate("expected byte", f.EXPECTED, 512, level=5),
    Gate("above", f.ABOVE, 256, level=6),
    Gate("place, final", n.NUMBER_PLACE, 128, layer=1),
    Gate("nearness of steady, final", n.NEARNESS_STEADY, n.NEARNESSES, level=4, layer=1),
    Gate("nearness of middle, final", n.NEARNESS_MIDDLE, n.NEARNESSES, level=4, layer=1),
    Gate("nearness of the last, final", n.NEARNESS_LAST, n.NEARNESSES, level=6, layer=1),
    Gate("nearness of the one above, final", n.NEARNESS_ABOVE, n.NEARNESSES, level=6, layer=1),
    Gate("partial byte, final", f.NONE, 1, "partial", level=4, layer=1),
    Gate("last byte, final", f.LAST, 256, level=4, layer=1),
    Gate("order hits, final", f.ORDER_HITS, 16, "position", level=6, layer=1),
)

APMS = (
    Apm("order 0", (f.NONE,), 8, level=2),
    Apm("place, order 1", (n.NUMBER_PLACE, f.LAST), 14),
    Apm("middle", (n.NEXT_MIDDLE, n.SPREAD_MIDDLE), 14, level=3),
    Apm("steady", (n.NEXT_STEADY, n.SPREAD_STEADY), 14, level=5),
    Apm("expected byte", (f.EXPECTED, f.MATCH_STRENGTH), 14, level=5),
)

NUMBERS = BINARY._replace(contexts=CONTEXTS, counters=COUNTERS, gates=GATES, apms=APMS)
