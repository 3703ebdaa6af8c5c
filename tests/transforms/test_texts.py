"""Bytes as text: found where they are, read, and written again character by character."""

from __future__ import annotations

import base64
import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.errors import CorruptStreamError
from glnzip.transforms.deflate.bits import padded
from glnzip.transforms.unpacking import unpack as unpacking
from glnzip.transforms.unpacking import window
from glnzip.transforms.unpacking.parts import (
    ASCII85,
    BASE64,
    BASE64_URL,
    HEX_LOWER,
    HEX_UPPER,
    MOST_BYTES,
    TEXTS,
)
from glnzip.transforms.unpacking.repack import repack
from glnzip.transforms.unpacking.runs import WORDS, next_run
from glnzip.transforms.unpacking.texts import Lines, broken, joined, read, written
from glnzip.transforms.unpacking.unpack import unpack
from tests.fixed_data import LEXICON
from tests.packed import in_lines

NOISE = random.Random(1).randbytes(1300)
ENCODERS: dict[int, Any] = {
    ASCII85: base64.a85encode,
    BASE64: base64.b64encode,
    BASE64_URL: base64.urlsafe_b64encode,
    HEX_LOWER: base64.b16encode,
    HEX_UPPER: base64.b16encode,
}
some_bytes = st.binary(max_size=60) | st.lists(st.sampled_from([b"\0" * 4, b"ab", b"\xff"])).map(
    b"".join
)


def by_python(kind: int, data: bytes) -> bytes:
    text: bytes = ENCODERS[kind](data)
    if kind in (BASE64, BASE64_URL):
        return text.rstrip(b"=")
    return text.lower() if kind == HEX_LOWER else text


@pytest.mark.parametrize("kind", TEXTS)
@given(data=some_bytes)
def test_text_is_that_of_python(kind, data):
    text = written(kind, data)
    assert text == by_python(kind, data)
    assert read(kind, text, ends=True) == (data, len(text))


@pytest.mark.parametrize("kind", TEXTS)
@given(text=st.binary(max_size=40), ends=st.booleans())
def test_what_is_read_is_written(kind, text, ends):
    alphabet = by_python(kind, bytes(range(256)) + bytes(4))
    text = bytes(alphabet[byte % len(alphabet)] for byte in text)
    found = read(kind, text, ends=ends)
    if found is not None:
        data, count = found
        assert written(kind, data) == text[:count]
        assert kind == ASCII85 or len(text) - count < 4


SMALL = st.integers(1, 30)


@given(st.binary(max_size=80), st.binary(min_size=1, max_size=3), SMALL, SMALL)
def test_lines_there_and_back(text, separator, width, first):
    lines = Lines(separator, width, first)
    whole = broken(text, lines)
    rest = in_lines(text[first:], width, separator)
    assert whole == text[:first] + (separator + rest if rest else b"")
    for count in range(len(text) + 1):
        assert joined(whole, count, lines) == text[:count]
        assert broken(text[:count], lines) == whole[: lines.length(count)]


def test_no_more_lines_than_allowed():
    with pytest.raises(CorruptStreamError):
        broken(bytes(MOST_BYTES // 4), Lines(b"\n" * 4, 1, 1))


def decoded(data: bytes, *, final: bool = True) -> bytes:
    """The content, if the data come back."""
    made = unpack(data, final=final)
    packed = repack(made.recipe, made.content) if made.recipe else made.content
    assert packed == data[: made.taken]
    return made.content


@pytest.mark.parametrize("kind", [BASE64, BASE64_URL, HEX_LOWER, HEX_UPPER])
@pytest.mark.parametrize(
    "between", [b"", b"\n", b"\r\n", b"\r", b"\n\t  ", b"\\n", b"\\r\\n", b"&#10;", b"&#xA;"]
)
def test_lines_of_all_sorts(kind, between):
    text = by_python(kind, NOISE)
    data = b'<a b="' + (in_lines(text, 76, between) if between else text) + b'"/>'
    assert decoded(data) == b'<a b="' + NOISE + b'"/>'


@pytest.mark.parametrize("between", [b"", b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("start", [b"", b"<~", b"stream\r\n"])
def test_ascii85_with_an_end(start, between):
    zeros = NOISE[:40] + bytes(40) + NOISE[40:]
    text = base64.a85encode(zeros)
    text = in_lines(text, 65, between) if between else text
    assert decoded(start + text + b"~>\n") == start + zeros + b"~>\n"
    assert decoded(start + text + between + b"~>") == start + zeros + between + b"~>"
    assert decoded(start + text + b"\n\n") == start + text + b"\n\n"


@pytest.mark.parametrize("sign", [b"0x", b"'\\x", b"("])
def test_signs_of_hexadecimal_digits(sign):
    assert decoded(sign + NOISE.hex().encode() + b");") == sign + NOISE + b");"


def test_the_first_line_may_be_shorter():
    text = base64.b64encode(NOISE)
    assert decoded(b'"' + text[:40] + b"\n" + in_lines(text[40:], 60)) == b'"' + NOISE + b"=="


def test_a_line_of_another_width_ends_a_text():
    text = base64.b64encode(NOISE)
    data = in_lines(text[:304], 76) + b"\n" + text[304:500] + b"\n"
    assert decoded(data) == NOISE[:228] + b"\n" + NOISE[228:375] + b"\n"


def test_bits_that_no_encoder_leaves():
    text = base64.b64encode(NOISE)  # 1,300 bytes: two characters in the end, and four bits over
    assert text.endswith(b"==")
    odd = text[:-3] + bytes([text[-3] + 1])
    assert decoded(odd + b"==") == NOISE[:-1] + odd[-2:] + b"=="


def test_digits_end_where_a_word_follows():
    data = in_lines(NOISE.hex().encode(), 80) + b"\ncleartomark\n"
    assert decoded(data) == NOISE + b"\ncleartomark\n"


NO_TEXT = {
    "words": LEXICON,
    "DNA": bytes(random.Random(1).choices(b"ACGT", k=1000)),
    "protein": in_lines(bytes(random.Random(1).choices(b"ACDEFGHIKLMNPQRSTVWY", k=1000)), 60),
    "digits": bytes(random.Random(1).choices(b"0123456789", k=1000)),
    "table": b"\n".join(b"%.12f,%.12f,%.12f" % (x**0.5, x**1.5, x**0.1) for x in range(1, 50)),
    "names": b"_ZNKSt7__cxx119money_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE" * 5,
    "paths": b"platform/bundledpythonunix/lib/python3/Tests/site-packages/" * 5,
    "rules": b"-" * 300 + b"=" * 300,
    "hashes": b"".join(b"%032x  name\n" % (3**k % (1 << 128)) for k in range(50)),
    "noise": NOISE,
}


@pytest.mark.parametrize("name", NO_TEXT)
def test_what_is_no_text_of_bytes(name):
    assert not unpack(NO_TEXT[name], final=True).recipe


def test_what_goes_on_waits():
    text = in_lines(base64.b64encode(NOISE), 76)
    assert unpack(b"attached:\n" + text[:300], final=False).taken == 10
    assert unpack(text[:300], final=False).taken == 0
    assert decoded(text[:300]) == NOISE[:222] + text[299:300]


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("lines", [True, False])
def test_a_text_longer_than_the_limit_is_cut_between_groups(monkeypatch, kind, lines):
    for module in (unpacking, window):
        monkeypatch.setattr(module, "MOST_BYTES", 3001)
    data = (NOISE * 4)[:4100]
    text = by_python(kind, data)
    end = b"~>" if kind == ASCII85 else b"."
    text = (in_lines(text, 60) if lines else text) + end
    content = b""
    while text:
        made = unpack(text, final=len(text) <= 3001)
        content += made.content
        text = text[made.taken :]
    assert content.replace(b"\n", b"") == data.replace(b"\n", b"") + end


@given(
    st.lists(
        st.sampled_from([b"\n", b"\r\n", b" ", b"~>", b"0x", b"=", b"'"])
        | st.binary(max_size=150).map(base64.b64encode)
        | st.binary(max_size=150).map(base64.a85encode)
        | st.binary(max_size=150).map(bytes.hex).map(str.encode),
        max_size=12,
    ).map(b"".join),
    st.booleans(),
)
def test_any_mixture_comes_back(data, final):
    decoded(data, final=final)


@given(st.lists(st.integers(0, 300), max_size=8), st.integers(0, 200))
def test_no_run_is_missed(lengths, begin):
    """However few places are looked at on the way."""
    text = b" ".join(base64.b64encode(NOISE)[:length] for length in lengths)
    words = [(m.start(), m.end()) for m in re.compile(rb"[^ ]+").finditer(text, begin)]
    first = next(((start, end) for start, end in words if end - start >= 160), None)
    run = next_run(padded(np.frombuffer(text, np.uint8)), begin, len(text), WORDS)
    assert (run and (run.start, run.end)) == first
