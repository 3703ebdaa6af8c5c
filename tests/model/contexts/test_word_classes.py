"""Word classes: what a lexicon teaches, and the classes of the last tokens against a recount."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from glnzip.format.block_type import LEXICON, TEXT
from glnzip.model.contexts import features as f
from glnzip.model.contexts import word_classes as w
from glnzip.model.contexts.word_classes import LEXICON_CLASSES, _class_of, _define, see_token
from glnzip.model.hashing import hashed_pair
from glnzip.model.state import Recent
from glnzip.model.table.byte_table import TOKENS_FROM_LEVEL
from tests.model.memory.histories import add_byte, new_recent

LEXEME = re.compile(rb"[A-Za-z\x80-\xff]+|\n\n+|[^\sA-Za-z\x80-\xff]")
HEADING = b"heading, of no class\n"
LINES = [b"a the THE", b"dog cat NGS", b"see sees", b", ;", b"caf\xc3\xa9 1 2", b""]
KNOWN = {name.lower(): n for n, line in enumerate(LINES, 1) for name in line.split()} | {b"\n": 6}


def see(recent: Recent, data: bytes, form: int) -> None:
    recent.now[0].kind = form
    recent.now[0].lines = 0
    for byte in data:
        add_byte(recent, byte)
        see_token(recent, f.see_byte(recent, byte))


def taught() -> Recent:
    recent = new_recent(level=TOKENS_FROM_LEVEL)
    see(recent, HEADING + b"\n".join(LINES) + b"\n", LEXICON)
    return recent


def class_of(token: bytes, past: bytes) -> int:
    """As the lexicon above has it: words in small letters, endings in capitals, signs."""
    if token.startswith(b"\n"):
        return KNOWN[b"\n"]
    exact = {b"the": 1, b"ngs": 0}.get(token.lower(), KNOWN.get(token.lower(), 0))
    return exact or {b"THE": 1, b"NGS": 2}.get(token[-3:].upper(), 0) or guess(token, past)


def guess(token: bytes, past: bytes | None = None) -> int:
    """The class of a token that is in no lexicon, and at the end of what is past."""
    if not re.fullmatch(rb"[A-Za-z\x80-\xff]+", token):
        return token[0] & 127
    last3 = (past or token)[-3:].rjust(3, b"\0")
    is_long = re.match(rb"[A-Za-z\x80-\xff]", last3) is not None
    folded = int.from_bytes(last3[1:], "big") & 0xDFDF
    return 128 + (hashed_pair(folded, 4 if is_long else 3) >> 20 & 127)


def expected(data: bytes) -> int:
    """The classes of the last three tokens that have ended, the newest lowest."""
    done = data
    if re.fullmatch(rb"[A-Za-z\x80-\xff]", data[-1:]):
        done = re.sub(rb"[A-Za-z\x80-\xff]+\Z", b"", data)
    classes = 0
    for token in LEXEME.finditer(done):
        classes = (classes << 8 | class_of(token[0], done[: token.end()])) & 0xFFFFFF
    return classes


@pytest.mark.parametrize(
    "text",
    [
        b"The dog, the cat; the dogs see caf\xc3\xa9 1 things.\n\n\n\nSings Bathe rings\n x\n\ny",
        bytes(random.Random(3).choices(b"ngsTHE\xc3 ,;1\n\n", k=600)),
    ],
)
def test_classes_of_the_last_tokens(text: bytes) -> None:
    recent = taught()
    see(recent, b"\0", TEXT)
    for end in range(1, len(text) + 1):
        see(recent, text[end - 1 : end], TEXT)
        classes = expected(b"\0" + text[:end])
        assert int(recent.features[w.CLASSES_3]) == classes, text[:end]
        assert int(recent.features[w.CLASSES]) == classes & 0xFFFF
        assert int(recent.features[w.CLASS]) == classes & 0xFF


def test_without_a_lexicon_classes_are_guessed() -> None:
    recent = new_recent(level=TOKENS_FROM_LEVEL)
    see(recent, b"the dog, to", TEXT)
    assert recent.features[w.CLASSES_3] == guess(b"the") << 16 | guess(b"dog") << 8 | guess(b",")
    assert not recent.word_classes.any()
    see(recent, b" banter, canter, ter er", TEXT)
    classes = [guess(word) for word in (b"to", b"banter", b"canter", b"ter", b"er")]
    assert len(set(classes)) == 3, "of words that end alike, only short ones stand by themselves"


def test_a_lexicon_moves_no_classes() -> None:
    recent = taught()
    see(recent, b"the dog ", TEXT)
    before = int(recent.features[w.CLASSES_3])
    see(recent, HEADING + b"the dog\n", LEXICON)
    assert recent.features[w.CLASSES_3] == before


def test_a_later_lexicon_wins() -> None:
    recent = taught()
    see(recent, HEADING + b"new\ncat\n", LEXICON)
    see(recent, b"cat dog ", TEXT)
    assert recent.features[w.CLASSES] == 2 << 8 | 2


def test_lines_beyond_the_last_class_define_nothing() -> None:
    recent = new_recent(level=TOKENS_FROM_LEVEL)
    see(recent, HEADING + b"x\n" * (LEXICON_CLASSES - 1) + b"last\nbeyond\n", LEXICON)
    see(recent, b"last x ", TEXT)
    assert recent.features[w.CLASSES] == LEXICON_CLASSES << 8 | LEXICON_CLASSES - 1
    see(recent, b"beyond ", TEXT)
    assert recent.features[w.CLASS] == guess(b"beyond")


def test_tokens_that_want_the_same_places() -> None:
    table = np.zeros(8, np.uint16)
    same = [n << 24 for n in (1, 2, 3)]  # the places come of the lower bits
    for number, token in enumerate(same, 1):
        _define(table, token, number)
    assert [int(_class_of(table, token)) for token in same] == [0, 2, 3]
    _define(table, same[1], 9)
    assert [int(_class_of(table, token)) for token in same] == [0, 9, 3]


def test_tokens_of_other_hashes_are_unknown() -> None:
    recent = taught()
    strangers = [hashed_pair(n, 5) for n in range(20_000)]
    assert sum(_class_of(recent.word_classes, t) > 0 for t in strangers) <= 1
