"""Texts whose length stands before them, among data that are read."""

from __future__ import annotations

from glnzip.jit import inline
from glnzip.model.contexts import code as c
from glnzip.model.contexts import features as f
from glnzip.model.hashing import hashed_pair


@inline
def show_counted_text(features, last4, part, role, text, size, left, text_before):
    """Show the features of code, gates below 256.

    The text is for `role`, has `size` bytes, of which `left` come; `text` is a hash of those that
    came and how many they are, `text_before` one of the text before.
    """
    last = last4 & 255
    features[c.CODE] = part
    features[c.CODE_BEFORE] = hashed_pair(features[f.WORD], last)
    features[c.CODE_BEFORE_2] = hashed_pair(text, role)
    features[c.CODE_BEFORE_4] = hashed_pair(text, size)
    features[c.OPCODES_3] = hashed_pair(left, last)
    features[c.OPCODES_4] = hashed_pair(role, last4 & 0xFFFFFF)
    features[c.OPCODES_6] = hashed_pair(features[f.WORD], features[f.WORD_BEFORE])
    features[c.OPCODES_8] = hashed_pair(text, text_before)
    features[c.REGISTERS] = role << 16 | last4 & 0xFFFF
    features[c.OPERAND] = hashed_pair(left, features[f.WORD])
    features[c.OPERAND_LIKE] = hashed_pair(role, last4)
    features[c.TARGET] = role << 8 | last
    features[c.CODE_GATE] = min(left, 255)
    features[c.CODE_BEFORE_GATE] = role
