"""Text of PDF shown by numbers of glyphs becomes letters, and the same numbers again."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import glnzip
from glnzip.errors import CorruptStreamError
from glnzip.format.numbers import write_number, write_numbers
from glnzip.transforms.unpacking import glyphs as g
from glnzip.transforms.unpacking.parts import GLYPHS
from glnzip.transforms.unpacking.repack import repack
from glnzip.transforms.unpacking.unpack import unpack
from tests.make_golden import PROSE
from tests.oracles.document import unpacking
from tests.oracles.document.numbers import DamagedError
from tests.packed import gzip_file, ours, pdf_object, pdf_of_glyphs
from tests.unpacked import checked

TEXT = "Die Größe (in Metern) ist unbekannt. " * 70
CMAP = b"""begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange
3 beginbfrange <0003> <005f> <0020>
<0070> <0072> [<00e4> <00F6><00fc>] <0080> <0081> <20ac> endbfrange
2 beginbfchar <0100> <0041> <0101> <00660069> endbfchar endcmap <0001> <0042>"""


def fonts(cmap: bytes = CMAP, *, capitals: bool = True) -> dict[bytes, g.Font]:
    return {b"F1": g.Font(g.Glyphs(cmap), capitals)}


@pytest.mark.parametrize(
    ("digits", "letters"),
    [
        (b"<002B004C>", "Hi"),
        (b"<0070007100720080>", "äöü€"),
        (b"<000B000C>", r"\(\)"),
        (b"<003F>", "\U0010003f"),  # a backslash
        (b"<0100>", "\U00100100"),  # another A
        (b"<0101>", "\U00100101"),  # two letters
        (b"<FFFF0001>", "\U0010ffff\U00100001"),
        (b"<0003>", " "),
    ],
)
def test_strings(digits, letters):
    page = b"BT /F1 9.5 Tf\n%b Tj ET"
    made = g.as_letters(page % digits, fonts())
    assert made == page % b"(%b)" % letters.encode()
    assert g.as_digits(made, fonts()) == page % digits


@pytest.mark.parametrize(
    "page",
    [
        b"<002B> Tj /F1 9 Tf",  # no font yet
        b"/F1 9 Tf <002b> Tj",  # small letters
        b"/F1 9 Tf <002> Tj",
        b"/F1 9 Tf <D800> Tj",  # no character
        b"/F1 9 Tf <D800DC00> Tj",
        b"/F1 9 Tf <00 2B> Tj",
        b"/F1 9 Tf /F2 9 Tf <002B> Tj",
        b"/F1 9 Tf /Span <</ActualText <002B>>> BDC",
        b"/F1 9 Tf /Lang <002B> BDC",
        b"/F1 9 Tx <002B> Tj",
    ],
)
def test_what_stays(page):
    assert g.as_letters(page, fonts()) == page


def test_literals_of_other_fonts_stay():
    page = b"/F2 9 Tf (plain \\) <002B>) Tj /F1 9 Tf /Lang (en) <002B> Tj ( unclosed"
    made = g.as_letters(page, fonts())
    assert made == page.replace(b"(en) <002B>", b"(en) (H)")
    assert g.as_digits(made, fonts()) == page
    assert g.strings_of(page)[b"F2"].has_literals


@pytest.mark.parametrize("form", ["{:04X}", "{:04x}", "{:02X}"])
def test_a_pdf(form):
    data = pdf_of_glyphs(TEXT, form)
    for packed in (data, gzip_file(b"x" * 40 + data + data, ours)):
        made = checked(packed)
        assert made.content.count("(Größe)".encode()) == (70 if packed == data else 140)
        assert made.content.count(rb"(\(in)") > 0
        assert made.content.count(b"(plain)") == (2 if packed == data else 4)
        assert unpacking.repack(made.recipe, made.content) == packed


def test_few_letters_do_not_pay():
    few = pdf_of_glyphs(TEXT[: len(TEXT) // 4])
    assert "Größe".encode() not in checked(few).content
    page = few[: few.index(b"4 0 obj")].replace(b"%PDF-1.4\n", b"")
    many = pdf_of_glyphs(TEXT)
    both = checked(many.replace(b"4 0 obj", page + b"4 0 obj", 1)).content
    assert both.count("(Größe)".encode()) > checked(many).content.count("(Größe)".encode())


def test_fonts_are_told_once():
    assert unpack(pdf_of_glyphs(TEXT), final=True).recipe.count(b"F1") == 1


def test_objects_in_a_stream():
    """Fonts and resources may be told there (ISO 32000-1, 7.5.7)."""
    data = pdf_of_glyphs(TEXT)
    begin, end = data.index(b"4 0 obj"), data.index(b"7 0 obj", data.index(b"/ToUnicode"))
    first, second = b"<</F1 5 0 R/F2 6 0 R>> ", b"<</Type/Font/ToUnicode 7 0 R>> "
    head = b"4 0 5 %d " % len(first)
    entries = b"/Type/ObjStm/N 2/First %d/Filter/FlateDecode" % len(head)
    data = data[:begin] + pdf_object(entries, head + first + second) + data[end:]
    assert "(Größe)".encode() in checked(data).content
    none = data.replace(b"/N 2", b"/N 1")
    assert "(Größe)".encode() not in checked(none).content


def test_the_font_with_most_letters():
    """Two of a name, in two files of which the first has few letters."""
    few = pdf_of_glyphs("Metern " * 200).replace(b"%PDF-1.4\n", b"")
    data = pdf_of_glyphs(TEXT) + few.replace(b"7 0 obj", b"8 0 obj").replace(b"7 0 R", b"8 0 R")
    data = data.replace(b"5 0 obj", b"9 0 obj", 1).replace(b"F1 5 0 R", b"F1 9 0 R", 1)
    assert checked(data).content.count("(Größe)".encode()) == 70


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"%PDF-", b"%PDX-"),
        (b"/ToUnicode", b"/ToUnknown"),
        (b"/F1 5", b"/F3 5"),
        (b"7 0 obj\n<</Length", b"8 0 obj\n<</Length"),
        (b"endstream", b"endstrean"),
    ],
)
def test_pages_without_letters(old, new):
    data = pdf_of_glyphs(TEXT)
    assert old in data
    assert "Größe".encode() not in checked(data.replace(old, new)).content


def test_a_font_with_literals_stays():
    data = pdf_of_glyphs(TEXT, separator=b"(x)")
    assert "Größe".encode() not in checked(data).content


@pytest.mark.parametrize("inside", [False, True])
def test_letters_that_become_something_else(inside):
    """They, or some of them, are packed where the page is not; what packs them is seen through."""
    page = b"BT /F1 9 Tf " + b"<0041> Tj " * 600
    cmap = b"begincmap 1 beginbfchar <0041> <0061> %b endbfchar endcmap"
    digits = b"<%b>" % (b"0123456789abcdef" * 200)
    cmap = pdf_object(b"", cmap % b"", by_nothing) if inside else b"7 0 obj " + cmap % digits
    data = b"%PDF-1.4\n" + page + b"endstream 5 0 obj\n<</ToUnicode 7 0 R/F1 5 0 R>>\n" + cmap
    made = checked(data)
    assert made.recipe
    assert made.content.count(b"<0041>") == 601


def test_letters_that_are_not_there_yet():
    """They stand in a stream that is not complete, which is left for another time."""
    page = b"BT /F1 9 Tf " + b"<41> Tj " * 600
    page += b"endstream 5 0 obj\n<</ToUnicode 7 0 R/F1 5 0 R>>\n"
    cmap = b"7 0 obj begincmap 1 beginbfchar <41> <0061> endbfchar endcmap\n"
    data = b"%PDF-1.4\n" + gzip_file(TEXT.encode(), ours) + page
    assert checked(data + cmap).content.count(b"(a) Tj") == 600
    made = checked(data + b"9 0 obj\nstream\nx\1" + by_nothing(cmap * 30)[:-1], final=False)
    assert made.recipe
    assert page in made.content


def by_nothing(data: bytes) -> bytes:
    """A deflate stream of one stored block."""
    return (
        b"\1" + len(data).to_bytes(2, "little") + (len(data) ^ 0xFFFF).to_bytes(2, "little") + data
    )


@given(st.binary(max_size=200), st.booleans())
@example(b"/F1 1 Tf <00240", True)
def test_any_page(data, capitals):
    page = b"/F1 9 Tf " + data
    known = fonts(capitals=capitals)
    made = g.as_letters(page, known)
    if not any(literal for _, literal, _, _ in g._TOKEN.findall(page)):
        assert g.as_digits(made, known) == page


PARTS = st.lists(
    st.sampled_from(
        [
            b"/F1",
            b"/F2",
            b" ",
            b"9",
            b"Tf",
            b"(",
            b")",
            b"\\",
            b"<",
            b">",
            b"A",
            b"002B",
            b"\xc3\xa4",
        ]
    ),
    max_size=40,
).map(b"".join)
CMAP_PARTS = (
    b"beginbfchar,beginbfrange,endbfrange,begincodespacerange,[,],endcmap,"
    b"<0041>,<3 A>,<02>,<>,< >,<0001>,<FFF0>,<00410042>,<"
)
CMAPS = st.lists(st.sampled_from(CMAP_PARTS.split(b",")), max_size=30).map(b"".join)


@settings(max_examples=400)
@given(PARTS, CMAPS, st.integers(0, 1))
def test_the_document(text, cmap, capitals):
    """What a reader makes of any recipe is what the document says, or an error there too."""
    text = b"/F1 9 Tf " + text
    entry = [len(text), 1, 2]
    recipe = b"\1\1\0" + bytes([GLYPHS]) + write_numbers(entry) + b"F1" + bytes([capitals])
    recipe += write_number(len(text))
    content = text + cmap
    try:
        expected = unpacking.repack(recipe, content)
    except DamagedError:
        with pytest.raises(CorruptStreamError):
            repack(recipe, content)
    else:
        assert repack(recipe, content) == expected


def test_too_many_letters():
    """A recipe that tells of all glyphs again and again is refused before long."""
    cmap = b"beginbfrange" + b"<0000><ffff><0041>" * 10_000
    with pytest.raises(CorruptStreamError):
        g.Glyphs(cmap)
    assert g.Glyphs(cmap[:48]).told == 48 + 2 * (1 << 16)
    with pytest.raises(CorruptStreamError):
        g.Glyphs(b" " * 100, most=99)


PAGE = b"/F1 9 Tf " + b"<0041> Tj " * 600 + b"endstream "
FONTS = (
    b"%d 0 obj <</ToUnicode %d 0 R>> /F1 %d 0 R %d 0 obj begincmap" % (k, k + 1, k, k + 1)
    for k in range(1, 20_000, 2)
)
RESOURCES = b"%PDF-1.4 5 0 obj <</ToUnicode 7 0 R>> /F1 5 0 R 7 0 obj begincmap "


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-/F1 9 Tf " * 70_000,
        RESOURCES + b"/F1 9 Tf " * 110_000,
        RESOURCES + PAGE * 160,
        RESOURCES + b"/Type/ObjStm/N 999999999/First 999999999>>stream\n" * 20_000 + PAGE,
        b"%PDF-1.4 " + b"".join(FONTS) + PAGE,
        (RESOURCES + b"beginbfrange" + b"<0000><ffff><0041>" * 60 + PAGE) * 100,
    ],
)
def test_files_that_take_no_time(data):
    begun = time.process_time()
    checked(data)
    assert time.process_time() - begun < 30


@pytest.mark.parametrize(
    "text", [b"(" * 200_000, b"(\\a" * 100_000, b"/" * 200_000, b"/a<" * 90_000]
)
def test_pages_that_take_no_time(text):
    begun = time.process_time()
    assert g.as_letters(b"/F1 9 Tf " + text, fonts()).endswith(text)
    assert time.process_time() - begun < 20


def test_round_trip():
    data = pdf_of_glyphs(PROSE.read_text(encoding="utf-8")[:3000], shift=9)
    packed = glnzip.compress(data, level=1, prior=None)
    assert glnzip.decompress(packed, prior=None) == data
    without = data.replace(b"/ToUnicode", b"/ToUnknown")
    assert len(packed) < len(glnzip.compress(without, level=1, prior=None))
