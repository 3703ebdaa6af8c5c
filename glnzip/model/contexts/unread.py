"""What stands among data that are read, and is not read itself: seen by words, records and rows."""

from __future__ import annotations

from glnzip.jit import outlined
from glnzip.model.contexts import binary as b
from glnzip.model.contexts import code as c
from glnzip.model.contexts import features as f
from glnzip.model.hashing import hashed_pair


@outlined
def show_unread(features, last4, place, tag, odd):
    """Show the features of code; `tag` is what it is of, `odd` 1 at every other byte."""
    last = features[f.LAST]
    up = features[b.UP] << 12 | features[b.RECORD]
    record = features[b.RECORD_PLACE] << 12 | features[b.RECORD]
    features[c.CODE_PLACE] = place
    features[c.CODE] = tag
    features[c.CODE_BEFORE] = hashed_pair(features[f.WORD], last)
    features[c.CODE_BEFORE_2] = features[f.WORD_BEFORE]
    features[c.CODE_BEFORE_4] = hashed_pair(up, record)
    features[c.OPCODES_3] = hashed_pair(record, last)
    features[c.OPCODES_4] = hashed_pair(up, last4 & 0xFFFF)
    features[c.OPCODES_6] = hashed_pair(up, last)
    features[c.OPCODES_8] = hashed_pair(up, features[b.PLANE])
    features[c.REGISTERS] = last4 >> 16
    features[c.OPERAND] = hashed_pair(features[b.TEXT_PLACE], last)
    features[c.OPERAND_LIKE] = hashed_pair(features[f.ABOVE], last)
    features[c.TARGET] = odd << 8 | last4 >> 24
    features[c.CODE_GATE] = place << 8 | last4 >> 8 & 255
    features[c.CODE_BEFORE_GATE] = place << 8 | odd << 7 | tag & 127
