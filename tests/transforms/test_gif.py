"""Images of GIF: found, seen as pixels, and written again as they were."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glnzip.errors import CorruptStreamError
from glnzip.format.block_type import IMAGE, BlockType
from glnzip.format.numbers import write_numbers
from glnzip.transforms.lzw.recipe import Recipe, describe, read_recipe, rebuild, write_recipe
from glnzip.transforms.unpacking.repack import _Bytes, repack
from glnzip.transforms.unpacking.unpack import Unpacked, unpack
from tests.gif import SHOWN, drawn, gif_file, image, in_blocks, lzw
from tests.oracles.document import lzw as document
from tests.packed import gzip_file

WIDTH, ROWS = 60, 41
PIXELS = drawn(WIDTH, ROWS) + bytes(range(WIDTH))
SECOND = drawn(WIDTH, ROWS, seed=2)
MOST = 1 << 24
NOISE = bytes((n * n * 7919 >> 5) % 251 for n in range(9000))


def unpacked(data: bytes) -> Unpacked:
    made = unpack(data, final=True)
    assert made.taken == len(data)
    if made.recipe:
        assert repack(made.recipe, made.content) == data
    return made


def seen(made: Unpacked) -> list[tuple[bytes, BlockType | None]]:
    """The content by pieces, those that a model is told of."""
    at = 0
    found: list[tuple[bytes, BlockType | None]] = []
    for piece in made.pieces:
        if piece.block_type:
            found.append((made.content[at : at + piece.length], piece.block_type))
        at += piece.length
    return found


def test_images_of_an_animation_are_seen_as_pixels() -> None:
    made = unpacked(gif_file([image(PIXELS, WIDTH), image(SECOND, WIDTH)]))
    assert seen(made) == [(data, BlockType(IMAGE, WIDTH, 1)) for data in (PIXELS, SECOND)]
    assert [piece.first for piece in made.pieces if piece.block_type] == [True, False]


def test_rows_in_passes_are_put_in_order() -> None:
    made = unpacked(gif_file([image(PIXELS, WIDTH, passes=True)]))
    assert seen(made) == [(PIXELS, BlockType(IMAGE, WIDTH, 1))]


def test_an_animation_goes_on_without_its_header() -> None:
    """Its beginning may have been in another window."""
    made = unpacked(b"what was left" + SHOWN + image(SECOND, WIDTH) + b"\x3b")
    assert seen(made) == [(SECOND, BlockType(IMAGE, WIDTH, 1))]


def test_within_other_carriers() -> None:
    made = unpacked(gzip_file(b"a file " * 30 + gif_file([image(PIXELS, WIDTH)])))
    assert seen(made) == [(PIXELS, BlockType(IMAGE, WIDTH, 1))]


def test_more_or_fewer_pixels_than_told_are_bytes() -> None:
    for pixels in (PIXELS[:-1], PIXELS + PIXELS[:9]):
        made = unpacked(gif_file([image(PIXELS, WIDTH, packed=lzw(pixels, 8))]))
        assert pixels in made.content
        assert not seen(made)


def test_an_image_is_waited_for() -> None:
    data = b"text before it " * 9 + gif_file([image(PIXELS, WIDTH)])
    made = unpack(data[:-30], final=False)
    assert made.taken == data.index(b"GIF89a")
    assert not made.recipe


@pytest.mark.parametrize("cut", [9, 40, 100])
def test_what_ends_too_early_stays_as_it_is(cut: int) -> None:
    data = gif_file([image(PIXELS, WIDTH)])
    assert not unpacked(data[:-cut]).recipe


@pytest.mark.parametrize("size", [1, 100, 254, 255])
def test_blocks_of_any_size(size: int) -> None:
    packed = lzw(PIXELS, 8)
    head = image(PIXELS, WIDTH)[: 10 + 12]
    uneven = in_blocks(packed[:300], 255)[:-1] + in_blocks(packed[300:], size)
    for blocks in (in_blocks(packed, size), uneven):
        assert unpacked(gif_file([head + b"\x08" + blocks])).recipe


WAYS = [
    {},
    {"most_codes": 300},
    {"most_codes": 1},
    {"most_codes": 3838},
    {"short": 7},
    {"short": 5, "most_codes": 900},
    {"clear_first": False},
    {"clear_last": 3},
    {"end": False},
    {"clear_first": False, "clear_last": 1, "end": False, "most_codes": 77},
]


@pytest.mark.parametrize("bits", [2, 5, 8])
@pytest.mark.parametrize("way", WAYS)
def test_streams_of_all_writers(bits: int, way: dict[str, int]) -> None:
    data = bytes(byte % (1 << bits) for byte in PIXELS + NOISE + PIXELS)
    for tail in (b"", b"\0", b"tail"):
        stream = lzw(data, bits, **way) + tail  # type: ignore[arg-type]
        if tail and not way.get("end", True):
            continue  # codes may go on there
        found = describe(stream, bits, MOST)
        assert found is not None
        assert found[0][: len(data)] == data
        assert len(found[0]) == len(data) or not way.get("end", True)  # bits that fill up a byte
        assert rebuild(found[0], told_again(found[1]), MOST) == stream
        assert document.lzw(found[0], write_recipe(found[1])) == stream


def told_again(recipe: Recipe) -> Recipe:
    """A recipe through its bytes."""
    numbers = _Bytes(write_recipe(recipe))
    read = read_recipe(numbers.take, MOST)
    numbers.check_end()
    return read


def test_what_a_usual_stream_costs() -> None:
    found = describe(lzw(PIXELS + NOISE, 8, most_codes=3838), 8, MOST)
    assert found is not None
    assert write_recipe(found[1]) == bytes.fromhex("0800fe1d0000000000")


@given(st.binary(max_size=400), st.integers(2, 8))
@example(b"$\0", 2)  # nothing between two clear codes
def test_any_bytes_are_described_or_not(stream: bytes, bits: int) -> None:
    found = describe(stream, bits, 4096)
    if found is not None:
        assert rebuild(found[0], found[1], MOST) == stream


@given(st.lists(st.integers(0, 3), max_size=300), st.binary(max_size=40))
def test_any_recipe_makes_a_stream_or_an_error(data: list[int], told: bytes) -> None:
    try:
        numbers = _Bytes(told)
        recipe = read_recipe(numbers.take, MOST)
        stream = rebuild(bytes(data), recipe, MOST)
    except CorruptStreamError:
        return
    found = describe(stream, recipe.bits, MOST)
    assert found is None or found[0][: len(data)] == bytes(data)


def test_bytes_that_have_too_many_bits_are_an_error() -> None:
    found = describe(lzw(b"\0\1\2\3", 2), 2, MOST)
    assert found is not None
    with pytest.raises(CorruptStreamError, match="does not fit"):
        rebuild(b"\0\4", found[1], MOST)


def test_a_stream_without_end_is_an_error() -> None:
    numbers = _Bytes(write_numbers([2, 0, 0, 0, 0, MOST - 1, 0, 0]))
    with pytest.raises(CorruptStreamError, match="more than there is room for"):
        rebuild(b"\0", read_recipe(numbers.take, MOST), 1 << 20)


def test_rows_that_are_not_whole_are_an_error() -> None:
    told = write_recipe(describe(lzw(b"\0\1\2\3", 2), 2, MOST)[1])  # type: ignore[index]
    recipe = write_numbers([1, 1, 0, 19, 4, 3, len(told)]) + told + write_numbers([255, 0])
    with pytest.raises(CorruptStreamError, match="does not fit"):
        repack(recipe, b"\0\1\2\3")
