"""What words see of the text that pages of PDF show, against what a reader sees."""

from __future__ import annotations

import pytest

from glnzip.model.contexts import features as f
from glnzip.model.contexts.shown import HIDDEN
from tests.model.memory.histories import add_byte, new_recent

OPERATOR = b"(a) Tj "


def follow(data: bytes):
    """Yield what words see of each byte, and the features after it."""
    recent = new_recent()
    for byte in data:
        add_byte(recent, byte)
        yield f.see_byte(recent, byte), recent.features


def seen(data: bytes) -> bytes:
    return bytes(byte for byte, _ in follow(data) if byte != HIDDEN)


@pytest.mark.parametrize("line", [b"%s Tj", b"%s TJ", b"%sTJ", b"%s\nTj"])
@pytest.mark.parametrize("shown", [b"(a)", b"[(a)]", b"<0041>"])
def test_nothing_is_hidden_before_an_operator(line, shown):
    array = b"[(W)83(e)]TJ"
    assert seen(array) == array
    assert seen(line % shown + array).endswith(b"[We]TJ")


@pytest.mark.parametrize("no_operator", [b"(a) T ", b"a Tj ", b"(a)  Tj ", b"(a) tj "])
def test_what_is_no_operator(no_operator):
    data = no_operator + b"[(W)83(e)]"
    assert seen(data) == data


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (b"[(W)83(e)-278(a)-1(re)]", b"[We are]"),
        (b"[(a)-99(b)-100(c)]", b"[ab c]"),
        (b"[(a)100(b)-1.000(c)-100.5(d)]", b"[abc d]"),
        (b"[ (a) -250 (b) ]", b"[a b]"),
        (b"[-250(a)<4142>(b)]", b"[ ab]"),
        (rb"[(a\)b)-5(\\)5(c)]", rb"[a\)b\\c]"),
        (b"[(\0a\0b)5(\0c)]", b"[abc]"),
        (b"(a)5 (b)", b"(a)5 (b)"),
        (b"[]", b"[]"),
    ],
)
def test_a_reader_sees_no_moves(array, text):
    assert seen(OPERATOR + array) == OPERATOR + text


def test_an_operator_is_forgotten():
    array = b"[(a)5(b)]"
    for gap in (4080, 4200):
        hidden = seen(OPERATOR + b" " * gap + array).endswith(b"[ab]")
        assert hidden == (gap == 4080)
    unfinished = OPERATOR + b"[(a)" + b"5" * 4200
    assert seen(unfinished + b"abc").endswith(b"abc")


def test_a_word_goes_on_over_small_moves():
    plain = [int(features[f.WORD]) for _, features in follow(b" kern")]
    moved = [int(features[f.WORD]) for _, features in follow(OPERATOR + b"[(k)-27(er)5(n")]
    assert moved[-1] == plain[-1]
    assert [word for n, word in enumerate(moved) if word not in moved[:n]][-4:] == plain[1:]


def words_before(data: bytes) -> list[int]:
    *_, (_, features) = follow(data)
    return [int(features[k]) for k in (f.WORD_BEFORE, f.WORD_TWO_BEFORE)]


def test_words_of_the_text_are_kept_apart_from_operators():
    page = b"[(one)-300(t)5(wo)]TJ 0 Tc 1 Td ["
    assert words_before(OPERATOR + page) == words_before(b"one two ")
    assert words_before(OPERATOR + page.removesuffix(b"[")) == words_before(b"Tc Td ")
    assert words_before(b"x TJ " + page) != words_before(b"one two ")
