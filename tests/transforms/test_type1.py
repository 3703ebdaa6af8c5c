"""The cipher of Type 1 fonts against a transcription of Adobe's book; both ways, for any bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.transforms.unpacking.repack import repack
from glnzip.transforms.unpacking.type1 import deciphered, enciphered
from glnzip.transforms.unpacking.unpack import unpack
from tests.packed import adobe_cipher, gzip_file, ours, pdf_file, type1_font


def test_as_adobe_says():
    program = adobe_cipher(b"0000" + b"\x8b\xf8\x88\x0d\x0e", 4330)
    plain = b"0000dup /Private\n/CharStrings 1 dict\n/A 9 RD " + program + b" ND\n/B 9 -| "
    plain += program + b" |-\nmark currentfile closefile\n"
    found = deciphered(adobe_cipher(plain, 55665))
    assert found == plain.replace(program, b"0000\x8b\xf8\x88\x0d\x0e")
    assert enciphered(found) == adobe_cipher(plain, 55665)


@given(
    st.lists(
        st.one_of(st.sampled_from([b" RD ", b" -| ", b"7", b"12", b"0", b"70000"]), st.binary())
    )
)
def test_any_bytes_come_back(parts):
    data = b"".join(parts)
    assert enciphered(deciphered(data)) == data
    assert deciphered(enciphered(data)) == data
    assert len(deciphered(data)) == len(data)


def test_programs_that_hold_names():
    """What is in a program is no name, whatever it looks like, on either side."""
    font = type1_font([b"4 RD abcd RD 12 -| ", b" 3 RD ", b"9"])
    private = font[font.index(b"eexec\n") + 6 :]
    assert enciphered(deciphered(private)) == private


@pytest.mark.parametrize("pfb", [False, True])
def test_fonts_are_in_the_clear(pfb):
    font = type1_font([b"a program", b"another one"], pfb=pfb)
    for data in (font, gzip_file(pdf_file([font]), ours)):
        made = unpack(data, final=True)
        assert b"\0\0\0\0a program ND\n" in made.content
        assert b"\0\0\0\0another one ND\n" in made.content
        assert repack(made.recipe, made.content) == data


def test_a_font_that_is_not_complete_waits():
    data = b"text " * 200 + type1_font([bytes(range(100))] * 9)
    made = unpack(data[:-900], final=False)
    assert data[: made.taken].endswith(b"currentfile ee")
    assert not unpack(data[:-900], final=True).recipe


def test_a_word_is_no_font():
    data = b"the operator eexec is named here; " * 40
    made = unpack(data, final=False)
    assert len(data) - 512 < made.taken < len(data)  # the rest may be a font
    assert unpack(data, final=True).taken == len(data)
