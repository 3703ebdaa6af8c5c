"""Pictures in PDF: seen as pictures where their dictionaries tell the truth, and never harmed."""

from __future__ import annotations

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.format.block_type import BINARY, BITMAP, IMAGE, WIDE_IMAGE, BlockType
from glnzip.transforms.unpacking.samples import of_palette
from tests.fixed_data import LEXICON
from tests.packed import filtered_rows, pdf_object, pdf_picture
from tests.samples import hills
from tests.unpacked import checked, typed

WIDTH, HEIGHT = 24, 15
PIXELS = {  # by colours and bits of each
    (colours, depth): hills(WIDTH * depth // 8, HEIGHT, colours)
    for colours in (1, 3, 4)
    for depth in (1, 2, 4, 8, 16)
}
TYPES = {
    (1, 1): BlockType(BITMAP, 3),
    (3, 1): BlockType(BITMAP, 9),
    (4, 1): BlockType(BITMAP, 12),
    (1, 2): BlockType(BITMAP, 6),
    (3, 2): BlockType(BITMAP, 18),
    (4, 2): BlockType(BINARY, 24),
    (1, 4): BlockType(BITMAP, 12),
    (3, 4): BlockType(BINARY, 36),
    (4, 4): BlockType(BINARY, 48),
    (1, 8): BlockType(IMAGE, 24, 1),
    (3, 8): BlockType(IMAGE, 72, 3),
    (4, 8): BlockType(IMAGE, 96, 4),
    (1, 16): BlockType(WIDE_IMAGE, 48, 2, 7),
    (3, 16): BlockType(WIDE_IMAGE, 144, 6, 7),
    (4, 16): BlockType(WIDE_IMAGE, 192, 8, 7),
}
SIZE = b"/Subtype /Image /Width %d /Height %d" % (WIDTH, HEIGHT)
GREY = PIXELS[1, 8]
ALL_FILTERS = range(5)


def behind_filters(colours: int, depth: int) -> bytes:
    return filtered_rows(
        PIXELS[colours, depth],
        WIDTH * colours * depth // 8,
        max(1, colours * depth // 8),
        ALL_FILTERS,
    )


def parameters(colours: int, depth: int, predictor: int = 15) -> bytes:
    return b"/Predictor %d /Colors %d /Columns %d /BitsPerComponent %d" % (
        predictor,
        colours,
        WIDTH,
        depth,
    )


@pytest.mark.parametrize(("colours", "depth"), TYPES)
def test_pixels_behind_filters(colours: int, depth: int) -> None:
    entries = SIZE + b"/DecodeParms << %b >>" % parameters(colours, depth)
    made = checked(pdf_object(entries, behind_filters(colours, depth)))
    assert typed(made) == [(PIXELS[colours, depth], TYPES[colours, depth])]
    filters = bytes(y % 5 for y in range(HEIGHT))
    assert filters + PIXELS[colours, depth] in made.content


@pytest.mark.parametrize(("colours", "depth"), TYPES)
def test_pixels_as_they_are(colours: int, depth: int) -> None:
    """The channels follow from the length, and a name for the colours is not asked for."""
    entries = SIZE + b"/ColorSpace [/ICCBased 4 0 R] /BitsPerComponent %d" % depth
    made = checked(pdf_object(entries, PIXELS[colours, depth]))
    assert typed(made) == [(PIXELS[colours, depth], TYPES[colours, depth])]


@pytest.mark.parametrize("predictor", range(10, 16))
def test_predictors_of_png(predictor: int) -> None:
    entries = SIZE + b"/DecodeParms << %b >>" % parameters(1, 8, predictor)
    assert typed(checked(pdf_object(entries, behind_filters(1, 8)))) == [(GREY, TYPES[1, 8])]


@pytest.mark.parametrize(
    "told",
    [
        b"/DecodeParms<<%b>>",
        b"/DecodeParms[<<%b>>]",
        b"/DecodeParms [ null\n<<%b>> ]",
        b"/DP\r\n<< %b\r\n>>",
    ],
)
@pytest.mark.parametrize("begins", [b"stream\n", b"\nstream\r\n", b"\r\nstream\n"])
def test_spellings(told: bytes, begins: bytes) -> None:
    entries = b"/SMask 3 0 R/Length 12 0 R" + told % parameters(1, 8) + SIZE
    made = checked(pdf_object(entries, behind_filters(1, 8), begins=begins))
    assert typed(made) == [(GREY, TYPES[1, 8])]


COLUMNS_ALONE = SIZE + b"/DecodeParms<</Predictor 12/Columns %d>>" % WIDTH


def test_what_is_not_told_is_as_the_standard_says() -> None:
    """One colour, of 8 bits; what the picture says for itself does not count."""
    entries = COLUMNS_ALONE + b"/BitsPerComponent 1"
    assert typed(checked(pdf_object(entries, behind_filters(1, 8)))) == [(GREY, TYPES[1, 8])]


def test_masks_have_a_bit_for_each_pixel() -> None:
    made = checked(pdf_object(SIZE + b"/ImageMask true", PIXELS[1, 1]))
    assert typed(made) == [(PIXELS[1, 1], TYPES[1, 1])]


BITS = b"/BitsPerComponent 8"
PALETTE = b"/ColorSpace [/Indexed /DeviceRGB 255 (%b)]" % (b"(<>>" * 700)


@pytest.mark.parametrize(
    ("colours", "block_type"),
    [
        (PALETTE, of_palette(WIDTH)),
        (b"/ColorSpace[/Indexed/DeviceRGB 1<0000FF>]", of_palette(WIDTH)),
        (b"/ColorSpace/DeviceGray", BlockType(IMAGE, WIDTH, 1)),
        (b"/ColorSpace 4 0 R", None),  # who knows
    ],
)
def test_greys_and_palettes(colours: bytes, block_type: BlockType | None) -> None:
    expected = [(GREY, block_type)] if block_type else []
    made = checked(pdf_object(colours + SIZE + BITS, GREY))
    assert typed(made) == expected
    assert GREY in made.content
    made = checked(pdf_object(colours + COLUMNS_ALONE, behind_filters(1, 8)))
    assert typed(made) == expected
    assert GREY in made.content


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_the_end_of_a_line_behind_the_pixels(end: bytes) -> None:
    assert typed(checked(pdf_object(SIZE + BITS, GREY + end))) == [(GREY + end, TYPES[1, 8])]


def test_tables_of_objects_stay_behind_their_filters() -> None:
    rows = b"".join(b"\1%b\0" % (n * n).to_bytes(3, "big") for n in range(40))
    table = filtered_rows(rows, 5, 1, [2])
    entries = b"/Type/XRef/W[1 3 1]/DecodeParms<</Columns 5/Predictor 12>>"
    assert typed(checked(pdf_object(entries, table))) == [(table, BlockType(BINARY, 6))]


LIES = {
    "too narrow": (b"/Subtype/Image/Width 23/Height 15" + BITS, GREY),
    "too high": (b"/Subtype/Image/Width 24/Height 16" + BITS, GREY),
    "huge": (b"/Subtype/Image/Width 999999/Height 999999" + BITS, GREY),
    "no number": (b"/Subtype/Image/Width true/Height /Gray" + BITS, GREY),
    "no picture": (b"/Subtype/Imagery/Width 24/Height 15" + BITS, GREY),
    "wrong columns": (SIZE + b"/DecodeParms<</Predictor 15/Columns 22>>", behind_filters(1, 8)),
    "no columns": (SIZE + b"/DecodeParms<</Predictor 15/Columns 0>>", behind_filters(1, 8)),
    "too many colours": (
        SIZE + b"/DecodeParms<</Predictor 15/Colors 12/Columns 2>>",
        behind_filters(1, 8),
    ),
    "no filters": (COLUMNS_ALONE, GREY + GREY[:HEIGHT]),
    "neither picture nor table": (
        b"/DecodeParms<</Predictor 15/Columns 24>>",
        behind_filters(1, 8),
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_a_dictionary_says_is_not_believed(lie: str) -> None:
    entries, data = LIES[lie]
    made = checked(pdf_object(entries, data))
    assert made.recipe
    assert typed(made) == []
    assert data in made.content


@pytest.mark.parametrize("height", [0, HEIGHT])
@pytest.mark.parametrize("entries", [BITS, b"/DecodeParms<</Predictor 15>>"])
@pytest.mark.parametrize("size", range(3))
def test_hardly_any_data(entries: bytes, height: int, size: int) -> None:
    """Empty blocks make the stream long enough to be looked at."""
    entries += b"/Subtype/Image/Width 24/Height %d" % height
    packed = b"\0\0\0\xff\xff" * 5 + zlib.compress(GREY[:size])[2:-4]
    assert typed(checked(pdf_object(entries, GREY[:size], lambda _: packed))) == []


def test_rows_that_no_model_has_room_for() -> None:
    """They are without filters all the same."""
    line = hills(66_000, 1, 1)
    parms = b"/Subtype/Image/DecodeParms<</Predictor 15/Columns 66000>>"
    made = checked(pdf_object(parms, filtered_rows(line, 66_000, 1, [1])))
    assert typed(made) == []
    assert line in made.content
    made = checked(pdf_object(b"/Subtype/Image/Width 66000/Height 1" + BITS, line))
    assert typed(made) == []


def test_pixels_within_text() -> None:
    """As some writers have them: the dictionary is where it was, and the stream is unpacked."""
    picture = pdf_picture(40, 30)
    start = picture.index(b"stream\n") + 7
    end = picture.index(b"\nendstream")
    text = base64.a85encode(picture[start:end], wrapcol=72) + b"~>"
    made = checked(picture[:start] + text + picture[end:])
    assert typed(made) == [(hills(40, 30, 3), BlockType(IMAGE, 120, 3))]


def test_a_dictionary_without_its_beginning() -> None:
    picture = pdf_picture(40, 30)
    keys = picture.index(b"/Subtype")
    first = b"/Filter /FlateDecode "
    for start in range(keys - 12, keys + 1):
        made = checked(first + picture[start:])
        assert typed(made) == [(hills(40, 30, 3), BlockType(IMAGE, 120, 3))]
    for start in range(keys + 1, picture.index(b"stream") + 9):
        assert typed(checked(picture[start:])) == []


@pytest.mark.parametrize("before", [b"", LEXICON, pdf_picture(20, 9) + LEXICON])
def test_a_picture_that_is_not_complete_waits_with_its_dictionary(before: bytes) -> None:
    picture = pdf_picture(40, 30)
    for missing in (40, len(picture) // 3):
        taken = checked((before + picture)[:-missing], final=False).taken
        assert len(before) <= taken <= len(before) + 4
        rest = checked((before + picture)[taken:])
        assert typed(rest) == [(hills(40, 30, 3), BlockType(IMAGE, 120, 3))]


KEYS = b"Type Subtype Width Height BitsPerComponent Predictor Colors Columns ColorSpace ImageMask"
VALUES = b"/Image /XRef /Indexed 1 2 3 4 5 8 12 15 16 24 360 999999 true null [ ] << >> ( ) R obj"
words = st.sampled_from([b"/" + key for key in KEYS.split()] + [b"/DecodeParms<<", *VALUES.split()])


@given(
    st.lists(words, max_size=30).map(b" ".join),
    st.one_of(
        st.sampled_from([*PIXELS.values(), *(behind_filters(*key) for key in TYPES)]),
        st.binary(max_size=80),
    ),
    st.sampled_from([b"stream\n", b">>stream\r\n", b" stream \n"]),
)
def test_any_dictionary(entries: bytes, data: bytes, begins: bytes) -> None:
    checked(pdf_object(entries, data, begins=begins))
