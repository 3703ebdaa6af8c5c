"""Quoted-printable as others write it, read as text and written again, character by character."""

from __future__ import annotations

import quopri
import random
from email import quoprimime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.errors import CorruptStreamError
from glnzip.transforms.unpacking.quoted import Manner, Unquoted, quoted, unquoted
from glnzip.transforms.unpacking.repack import repack
from glnzip.transforms.unpacking.unpack import unpack
from tests.fixed_data import LEXICON

HEAD = (
    b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
)
WORDS = ["Straße,", "Größe;", "naïve", "façade", "«Москва»", "=", "5", '<a href="x">', "Ελλάδα"]


def letter(seed: int, crlf: bool = True, count: int = 60) -> bytes:
    """A text with long lines, empty ones, and letters that are quoted."""
    chance = random.Random(seed)
    lines = [" ".join(chance.choices(WORDS, k=chance.choice((0, 3, 8, 60)))) for _ in range(count)]
    return "".join(line + ("\r\n" if crlf else "\n") for line in lines).encode()


def read(data: bytes) -> Unquoted:
    return unquoted(np.frombuffer(data, np.uint8), 0, len(data))


def by_email(text: bytes) -> bytes:
    """As the package email writes it."""
    return quoprimime.body_encode(text.decode("latin-1"), eol="\r\n").encode()


def by_words(text: bytes) -> bytes:
    """Lines are broken behind a space, with small letters, by hand."""
    out = []
    for line in text.split(b"\r\n"):
        row = b""
        for word in quopri.encodestring(line).replace(b"=\n", b"").lower().split(b" "):
            if len(row) + len(word) > 70:
                out.append(row + b"=")
                row = b""
            row += word + b" "
        out.append(row[:-1])
    return b"\r\n".join(out)


@pytest.mark.parametrize("seed", range(5))
def test_what_python_writes_is_as_expected(seed):
    text = letter(seed)
    written = by_email(text)
    found = read(written)
    assert found.text == text[: len(found.text)]
    assert written.startswith(quoted(found.text, found.manner))
    assert len(found.text) > len(text) // 2
    assert len(found.manner.moves) == 0
    assert found.manner.toggled.sum() == 0


@pytest.mark.parametrize("encode", [quopri.encodestring, by_email, by_words])
@pytest.mark.parametrize("crlf", [True, False])
def test_a_mail_is_read_as_its_text(encode, crlf):
    text = letter(7)
    mail = HEAD + encode(text.replace(b"\r\n", b"\n") if encode is quopri.encodestring else text)
    mail += (
        b'\r\n--border\r\nContent-Type: text/plain; charset="utf-8"\r\n\r\nThis is no letter.\r\n'
    )
    if not crlf or encode is quopri.encodestring:
        mail = mail.replace(b"\r\n", b"\n")
    made = unpack(mail, final=True)
    assert repack(made.recipe, made.content) == mail
    assert "«Москва»".encode() in made.content
    assert len(made.recipe) < len(mail) // 50
    assert b"=3D" not in made.content[:1000]


pieces = st.sampled_from(
    [b"\r\n", b"\n", b"=\r\n", b"=\n", b" ", b"=3D", b"=3d", b"=C3", b"=0D=0A"]
)
habits = st.lists(pieces | st.binary(max_size=3) | st.just(b"word " * 9), max_size=60).map(b"".join)


@given(habits)
def test_whatever_is_read_is_written_again(data):
    found = read(data)
    assert quoted(found.text, found.manner) == data[: found.size]
    assert found.saved == found.size - len(found.text)


@given(habits, st.booleans())
def test_any_mail_comes_back(data, final):
    data = b"content-transfer-encoding: Quoted-Printable\n\n" + data + b"=\n=E4 =E4" * 30
    made = unpack(data, final=final)
    packed = repack(made.recipe, made.content) if made.recipe else made.content
    assert packed == data[: made.taken]


@given(
    st.binary(max_size=60),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2),
    st.integers(0, 90),
    st.integers(0, 90),
    st.binary(max_size=5),
    st.lists(st.integers(0, 1), min_size=60, max_size=60),
)
def test_any_manner_is_written_and_read(text, crlf, small, breaks, soft, hard, others, toggled):
    """Bytes that may not stand as they are, if toggled, are all that keeps it from being read."""
    forms = np.array(toggled[: len(text)], np.uint8)
    manner = Manner(crlf, small, breaks, soft, hard, others, forms, np.zeros((0, 2), np.int64))
    written = quoted(text, manner)
    assert quopri.decodestring(written.replace(b"\r\n", b"\n") if crlf else written) is not None
    plain = Manner(crlf, small, breaks, 70, 70, b"", forms * 0, manner.moves)
    line = quoted(text + b"\xe4", plain) + (b"\r\n" if crlf else b"\n")
    found = read(line)
    if found.size == len(line):
        assert found.text == text + b"\xe4" + (b"\r\n" if crlf else b"\n")
        assert len(found.manner.moves) == 0


@pytest.mark.parametrize("moves", [[(0, -5)], [(0, 200)], [(7, 0)], [(0, 60)]])
def test_a_line_cannot_be_broken_anywhere(moves):
    text = b"a line\nand another one\n"
    rows = np.array(moves, np.int64)
    manner = Manner(False, False, 0, 4, 75, b"", np.zeros(len(text), np.uint8), rows)
    with pytest.raises(CorruptStreamError):
        quoted(text, manner)


def test_where_a_line_is_broken_by_hand():
    text = b"a line\nand another one\n"
    rows = np.array([(0, -1), (2, 1)], np.int64)
    manner = Manner(False, True, 0, 4, 75, b"i", np.zeros(len(text), np.uint8), rows)
    assert quoted(text, manner) == b"a =\nl=69ne\nand a=\nnother one\n"


def test_a_text_that_goes_on_waits():
    mail = HEAD + by_email(letter(3))
    assert unpack(mail[:2000], final=False).taken < len(HEAD)
    made = unpack(mail + b"=?" * 9, final=False)
    assert made.recipe
    assert made.taken == len(mail) + 18


def test_the_word_alone_is_nothing():
    data = b"they call it quoted-printable\n\n" + LEXICON * 3
    assert not unpack(data, final=True).recipe


def test_the_word_again_and_again_takes_no_time():
    """What is looked at in vain counts, so at some time nobody looks any more."""
    data = b"quoted-printable\n\n" + b"a line with nothing in it\n" * 3
    places = []

    def look(buffer, start, end):
        places.append(start)
        return unquoted(buffer, start, end)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("glnzip.transforms.unpacking.mails.unquoted", look)
        assert not unpack(data * 2000, final=True).recipe
    assert len(places) < 60
