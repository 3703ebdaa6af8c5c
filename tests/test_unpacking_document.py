"""docs/UNPACKING.md is true and complete: what is made from it alone packs as glnzip does.

That is `tests.oracles.document.unpacking`. It also refuses what glnzip refuses.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.errors import CorruptStreamError
from glnzip.format.numbers import write_number
from glnzip.transforms.deflate.recipe import rebuild
from glnzip.transforms.deflate.recipe_bytes import read_recipe, write_recipe
from glnzip.transforms.deflate.stream import DYNAMIC, HEADER_END, KIND
from glnzip.transforms.unpacking.repack import repack
from glnzip.transforms.unpacking.unpack import Unpacked, unpack
from tests.fixed_data import LEXICON
from tests.oracles.document import deflate, unpacking
from tests.oracles.document.numbers import DamagedError
from tests.packed import OTHERS, all_kinds, gzip_file, ours
from tests.scans import IN_TURNS, ManyScans

KINDS = {
    **all_kinds(LEXICON, ours),
    "restarts": ManyScans(40, 20, breaks=0.3, interval=2, pad="0", seed=3).data,
    "in turns": ManyScans(20, 40, IN_TURNS, interval=1).data,
}
PACKED = {kind: made for kind, data in KINDS.items() if (made := unpack(data, final=True)).recipe}
WORDS = b" ".join([b"alpha", b"alphabet", b"beta", b"abcdefgabcdefh"] * 20) + bytes(300) + LEXICON
DATA = (b"", b"a", b"aaaa", b"ab" * 9 + b"aab", bytes(40) + b"\1" * 40 + b"xyz" * 30, WORDS[:300])


def test_numbers_of_levels_are_those_of_the_document() -> None:
    rows = unpacking.DOCUMENT.split("| level | good |")[1].split("\n\n")[0].splitlines()[2:]
    found = [tuple(int(cell) for cell in row.strip("|").split("|")) for row in rows]
    assert found == [(level, *numbers) for level, numbers in deflate.LEVELS.items()]


@pytest.mark.parametrize("kind", PACKED)
def test_carriers(kind: str) -> None:
    made = PACKED[kind]
    assert unpacking.repack(made.recipe, made.content) == KINDS[kind]


def check_stream(data: bytes, level: int, strategy: int, memory: int, window: int) -> None:
    """What zlib makes of the data, by the recipe that was found for it."""
    coder = zlib.compressobj(level, zlib.DEFLATED, -window, memory, strategy)
    head = coder.compress(data[: len(data) // 3]) + coder.flush(zlib.Z_FULL_FLUSH)
    packed = head + coder.compress(data[len(data) // 3 :]) + coder.flush()
    carrier = gzip_file(data, lambda _: packed)
    made = unpack(carrier, final=True)
    assert made.recipe
    assert unpacking.repack(made.recipe, made.content) == carrier


@pytest.mark.parametrize("level", range(10))
@pytest.mark.parametrize(("memory", "window"), [(8, 15), (3, 10)])
def test_levels_of_zlib(level: int, memory: int, window: int) -> None:
    check_stream(WORDS, level, 0, memory, window)


@pytest.mark.parametrize("strategy", [4, 5])
@pytest.mark.parametrize("data", [WORDS, bytes(700) + b"abc" * 99 + b"ab" * 300])
def test_other_encoders(strategy: int, data: bytes) -> None:
    """Fixed codes along a path, and codes of their own; and corrections of all that."""
    fixed = bytes([6 + 16 * strategy, 0xF8, 1, 1, 1, 0, 0])
    stream = by_glnzip(data, fixed)
    assert deflate.stream(data, fixed) == stream
    header = HEADERS[0]
    recipe = read_recipe(fixed)
    recipe.blocks[0, [KIND, HEADER_END]] = DYNAMIC, len(header)
    bits = np.packbits([int(bit) for bit in header], bitorder="little")
    corrected = recipe._replace(headers=bits)
    rows = [[0, 2, 0, 1, 0], [2, 0, 5, 1, 0], [4, 0, 4, 1, 0], [4, 3, 2, 0, 9]]
    corrected = corrected._replace(corrections=np.array(rows, np.int64))
    made = write_recipe(corrected)
    assert outcome(deflate.stream, data, made) == outcome(by_glnzip, data, made)


@pytest.mark.parametrize("other", OTHERS)
def test_carriers_by_other_encoders(other: Callable[[bytes], bytes]) -> None:
    carrier = gzip_file(WORDS, other)
    made = unpack(carrier, final=True)
    assert unpacking.repack(made.recipe, made.content) == carrier


@pytest.mark.parametrize("strategy", range(1, 5))
def test_strategies_of_zlib(strategy: int) -> None:
    check_stream(WORDS, 6, strategy, 9, 12)


def test_codes_that_would_be_too_long() -> None:
    """Symbols as frequent as the numbers of Fibonacci, and a code of lengths as uneven."""
    counts = [1, 2]
    while len(counts) < 19:
        counts.append(sum(counts[-2:]))
    data = b"".join(bytes([11 * symbol]) * count for symbol, count in enumerate(counts))
    check_stream(data, 6, 2, 9, 15)


@pytest.mark.parametrize("data", [b"ab" * 9000, bytes(9000), b"abcdef" * 3000])
def test_codes_of_a_single_distance(data: bytes) -> None:
    """Codes of zlib never have a single symbol; which one is added depends on it."""
    made = unpack(gzip_file(data), final=True)
    assert len(made.recipe) < 20
    assert unpacking.repack(made.recipe, made.content) == gzip_file(data)


def outcome(pack: object, *arguments: bytes) -> bytes | None:
    """What is made; None if it is refused."""
    try:
        return pack(*arguments)  # type: ignore[operator]
    except (CorruptStreamError, DamagedError):
        return None


def by_glnzip(data: bytes, recipe: bytes) -> bytes:
    return rebuild(np.frombuffer(bytearray(data), np.uint8), read_recipe(recipe)).tobytes()


def headers() -> list[str]:
    """Headers of dynamic blocks that have codes for all tokens; and parts and changes of them."""
    made = []
    for step in (1, 3, 7):
        literals = [1 + n * step % 50 for n in range(286)]
        distances = [1 + n * step % 9 for n in range(30)]
        codes = deflate.huffman(literals, 15), deflate.huffman(distances, 15)
        made.append(deflate.own_header(*codes))
    changed = [
        header[:at] + "01"[header[at] == "0"] + header[at + 1 :]
        for header in made
        for at in (3, 9, 20, 41, 77)
    ]
    return [*made, *changed, made[0][:50], "101", ""]


HEADERS = headers()
SMALL = st.integers(0, 6)


@st.composite
def corrections(draw: st.DrawFn) -> list[int]:
    """Those of a recipe."""
    classes = draw(
        st.lists(st.lists(st.tuples(SMALL, SMALL, SMALL, SMALL), max_size=2), max_size=5)
    )
    numbers = [int(len(classes) > 0)]
    for kind in range(5 if classes else 0):
        own = classes[kind] if kind < len(classes) else []
        numbers += [len(own), *(right for right, *_ in own), *(length for _, length, *_ in own)]
        for _, length, rank, distance in own:
            if kind < 2 or length:
                numbers += [rank] if rank else [0, distance]
    return numbers


@st.composite
def recipes(draw: st.DrawFn) -> bytes:
    """Stream recipes that are nearly right."""
    numbers: list[int] = []
    level, strategy = draw(st.tuples(st.integers(1, 9), st.integers(0, 6)))
    forgets, sorts = draw(st.tuples(st.booleans(), st.booleans()))
    memory, window = draw(st.tuples(st.integers(1, 9), st.integers(9, 15)))
    numbers += [level + 16 * strategy + 128 * forgets + 256 * sorts, memory + 16 * window]
    blocks = draw(
        st.lists(st.tuples(SMALL, st.integers(0, 7), st.sampled_from(HEADERS)), max_size=4)
    )
    numbers.append(len(blocks))
    bits, places, end = "", [], 0
    for n, (size, flags, header) in enumerate(blocks):
        kind = flags % 3
        own = 8 * (flags > 4)
        numbers.append(kind + own + 4 * (flags == 3))
        if n < len(blocks) - 1:
            numbers.append(size * (kind > 0 or strategy > 3))
        if own:
            numbers.append(len(header))
            bits += header
        if kind == 0:
            places.append((end, end + size))
        end += size
    stored, end = len(places), 0
    if strategy > 3 and draw(st.integers(0, 3)):
        for start, stop in places:
            numbers += [start - end, stop - start]
            end = stop
    else:
        for pair in draw(st.lists(st.tuples(SMALL, SMALL), min_size=stored, max_size=stored)):
            numbers += pair
    numbers += draw(corrections())
    fills = draw(st.lists(st.integers(0, 127), min_size=stored + 1, max_size=stored + 1))
    numbers += [1, *fills] if draw(st.booleans()) else [0]
    bits += "0" * (-len(bits) % 8)
    tail = bytes(int(bits[at : at + 8][::-1], 2) for at in range(0, len(bits), 8))
    return b"".join(map(write_number, numbers)) + tail


@given(st.sampled_from(DATA), recipes())
def test_any_recipe_of_a_stream(data: bytes, recipe: bytes) -> None:
    assert outcome(deflate.stream, data, recipe) == outcome(by_glnzip, data, recipe)


Changes = list[tuple[int, int]]


@given(
    st.sampled_from([*PACKED.values()]),
    st.lists(st.tuples(st.integers(0, 100), st.integers(1, 255)), min_size=1, max_size=2),
    st.lists(st.tuples(st.integers(0, 9999), st.integers(1, 255)), max_size=1),
)
def test_any_recipe(made: Unpacked, of_recipe: Changes, of_content: Changes) -> None:
    changed = [changed_at(made.recipe, of_recipe), changed_at(made.content, of_content)]
    assert outcome(unpacking.repack, *changed) == outcome(repack, *changed)


def changed_at(data: bytes, changes: Changes) -> bytes:
    changed = bytearray(data)
    for place, change in changes:
        changed[place % len(data)] ^= change
    return bytes(changed)


def png(row: int, step: int, chunks: int, *sizes: int) -> bytes:
    """A recipe of a PNG: three bytes, in a block with the usual codes."""
    stream = bytes.fromhex("06f80101010000")
    numbers = [1, 1, 0, 8, 0x789C, row, step, chunks, *sizes, 3, len(stream)]
    return b"".join(map(write_number, numbers)) + stream


def rows(kind: int, row: int, step: int) -> bytes:
    """A recipe of rows behind filters: three bytes, in a block with the usual codes."""
    stream = bytes.fromhex("06f80101010000")
    numbers = [1, 1, 0, kind, row, step, 3, len(stream)]
    return b"".join(map(write_number, numbers)) + stream


def directory(gap: int, count: int, first: int, base: int) -> bytes:
    """A recipe of two empty members of a zip archive, and entries of its directory."""
    numbers = [1, 3, gap, 3, 0, 14, 3, 0, 0, 7, count, first, base]
    return b"".join(map(write_number, numbers))


RANGES = [
    *(b"\0", b"\1\0", b"\4\0\0\0\0", b"\6\0\0\0\0\0\0", b"\7" + bytes(7), b"\1\0\0"),
    *(png(0, 0, 2), png(0, 9, 2), png(2, 0, 2), png(2, 1, 2), png(2, 8, 2), png(1, 1, 2)),
    *(png(0, 16, 2), png(0, 17, 1, 2), png(0, 25, 1, 2), png(1, 17, 1, 2), png(2, 17, 1, 2)),
    *(png(2, 18, 1, 2), png(2, 17, 0, 2), png(3, 18, 1, 2), png(1, 17, 2, 2), png(2, 16, 2)),
    *(png(0, 0, 0), png(0, 0, 1), png(0, 0, 3), png(0, 0, 4, 0), png(0, 0, 4, 12)),
    *(png(0, 0, 5, 11), png(0, 0, 7, 5), png(0, 0, 7, 6), png(0, 0, 25, 0)),
    *(rows(18, 2, 1), rows(18, 1, 1), rows(18, 2, 0), rows(18, 2, 8), rows(18, 2, 9)),
    *(rows(18, 0, 1), rows(19, 2, 1)),
    *(directory(14, 2, 0, 0), directory(14, 1, 1, 1), directory(14, 1, 2, 0)),
    *(directory(14, 0, 9, 0), directory(13, 0, 0, 0)),
    *(directory(14, 1, 0, 1 << 34), directory(14, 1, 0, 1 + (1 << 34))),
]


@pytest.mark.parametrize("kind", range(10, 15))
@pytest.mark.parametrize("size", [*range(9), 30])
@pytest.mark.parametrize("lines", [(b"", 0, 0), (b"\r\n ", 4, 0), (b"-", 1, 3), (b"\n", 50, 80)])
def test_texts(kind: int, size: int, lines: tuple[bytes, int, int]) -> None:
    separator, *widths = lines
    head = b"".join(map(write_number, [1, 1, 0, kind, size, len(separator)]))
    recipe = head + separator + b"".join(map(write_number, widths if separator else []))
    content = bytes(6) + b"Am I binary?\xff\0\xfe more"
    made = outcome(unpacking.repack, recipe, content)
    assert made == outcome(repack, recipe, content)
    assert (made is None) == (size > len(content))


@pytest.mark.parametrize("recipe", RANGES, ids=bytes.hex)
def test_ranges(recipe: bytes) -> None:
    content = b"abc" + bytes(90)
    if recipe[3:4] in (b"\x08", b"\x12"):
        content = content[:3]
    assert outcome(unpacking.repack, recipe, content) == outcome(repack, recipe, content)


FEW = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), max_size=4)


@given(
    st.lists(
        st.sampled_from([b"\r\n", b"\n", b" ", b"\t", b"=", b"\xc3\x9f", b"word"]), max_size=12
    ),
    st.integers(0, 12),
    st.integers(0, 15),
    st.integers(0, 15),
    st.sampled_from([b"", b"w", b"\r\n", b" \x9f"]),
    FEW,
    FEW,
)
def test_quoted_printable(parts, flags, soft, hard, others, toggled, moved):
    text = b"".join(parts)
    numbers = [1, 1, 0, 16, len(text), flags, soft, hard, len(others)]
    recipe = b"".join(map(write_number, numbers)) + others
    more = [
        len(toggled),
        *(gap for gap, _ in toggled),
        len(moved),
        *(n for two in moved for n in two),
    ]
    recipe += b"".join(map(write_number, more))
    assert outcome(unpacking.repack, recipe, text) == outcome(repack, recipe, text)
