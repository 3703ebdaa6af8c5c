"""Pictures, sounds and members of archives among other data: found, and nothing is changed."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.format.block_type import AUDIO, BINARY, BITMAP, IMAGE, WIDE_IMAGE, BlockType
from glnzip.transforms.unpacking import samples
from glnzip.transforms.unpacking.unpack import Unpacked, unpack
from tests import raw_files
from tests.fixed_data import LEXICON
from tests.packed import Jpeg, gzip_file, tar_file
from tests.raw_files import ROWS, WIDTH, all_raw, bmp, dib, elf, greys, mach_o, padded_rows, pe
from tests.samples import hills, machine_code, tone
from tests.unpacked import typed

GREY, COLOURS, FOUR = (hills(WIDTH, ROWS, channels) for channels in (1, 3, 4))
SQUARE = hills(ROWS, ROWS, 4)
SOUND = {form: tone(800, form, 2) for form in range(6)}
NOISE = bytes(range(256)) * 2


def found(data: bytes) -> Unpacked:
    """What is found among data that stay as they are."""
    made = unpack(data, final=True)
    assert not made.recipe
    assert made.content == data
    assert sum(piece.length for piece in made.pieces) == len(data)
    return made


FILES = {
    "bmp": (bmp(padded_rows(COLOURS, 126), 24), padded_rows(COLOURS, 126), (IMAGE, 128, 3)),
    "bmp, four channels": (bmp(FOUR, 32, size=124), FOUR, (IMAGE, 168, 4)),
    "bmp, 16 bits": (bmp(GREY * 2, 16), GREY * 2, (BINARY, 84)),
    "bmp, grey": (bmp(padded_rows(GREY, 42), 8, greys()), padded_rows(GREY, 42), (IMAGE, 44, 1)),
    "bmp, palette": (
        bmp(padded_rows(GREY, 42), 8, greys()[::-1]),
        padded_rows(GREY, 42),
        (BINARY, 44, 1),
    ),
    "icon": (dib(32, doubled=True) + SQUARE, SQUARE, (IMAGE, 128, 4)),
    "pgm": (b"P5 42 32 200\n" + GREY, GREY, (IMAGE, 42, 1)),
    "pgm, two bytes": (b"P5 42 32 4000\n" + GREY * 2, GREY * 2, (WIDE_IMAGE, 84, 2, 7)),
    "ppm, two bytes": (b"P6 42 32 256\n" + COLOURS * 2, COLOURS * 2, (WIDE_IMAGE, 252, 6, 7)),
    "ppm": (b"P6\n# hills\n42 32\n# all\n255\n" + COLOURS, COLOURS, (IMAGE, 126, 3)),
    "pbm": (b"P4\n331 32\n" + GREY, GREY, (BITMAP, 42)),
    "tiff": (raw_files.tiff(COLOURS, 3), COLOURS, (IMAGE, 126, 3)),
    "tiff, other order": (raw_files.tiff(FOUR, 4, order=">"), FOUR, (IMAGE, 168, 4)),
    "tiff, grey": (raw_files.tiff(GREY, 1), GREY, (IMAGE, 42, 1)),
    "tiff, two bytes": (
        raw_files.tiff(COLOURS * 2, 3, depth=16),
        COLOURS * 2,
        (WIDE_IMAGE, 252, 6, 6),
    ),
    "tiff, two bytes, signs": (
        raw_files.tiff(GREY * 2, 1, order=">", depth=16, numbers=2),
        GREY * 2,
        (WIDE_IMAGE, 84, 2, 3),
    ),
    "tiff, half floats": (
        raw_files.tiff(GREY * 2, 1, depth=16, numbers=3),
        GREY * 2,
        (BINARY, 84),
    ),
    "wav": (raw_files.wav(SOUND[2], 2, 2), SOUND[2], (AUDIO, 0, 4, 2)),
    "wav, a byte": (raw_files.wav(SOUND[0], 1, 1), SOUND[0], (AUDIO, 0, 1, 0)),
    "wav, packed": (raw_files.wav(SOUND[4], 3, 2, form=7), SOUND[4], (BINARY, 6)),
    "aiff": (raw_files.aiff(SOUND[5], 3, 2), SOUND[5], (AUDIO, 0, 6, 5)),
    "aiff, a byte": (raw_files.aiff(SOUND[1], 1, 2, b"NONE"), SOUND[1], (AUDIO, 0, 2, 1)),
    "aiff, low bytes first": (raw_files.aiff(SOUND[2], 2, 2, b"sowt"), SOUND[2], (AUDIO, 0, 4, 2)),
    "aiff, packed": (raw_files.aiff(SOUND[2], 2, 1, b"ima4"), SOUND[2], (BINARY, 2)),
}


@pytest.mark.parametrize("around", [b"", NOISE, LEXICON[:333]], ids=["alone", "noise", "text"])
@pytest.mark.parametrize("name", FILES)
def test_samples_are_found(name, around):
    file, inside, block_type = FILES[name]
    assert typed(found(around + file + around)) == [(inside, BlockType(*block_type))]


@pytest.mark.parametrize(
    "file",
    [
        bmp(padded_rows(COLOURS, 126), 24).replace(b"\x01\0\x18\0", b"\x02\0\x18\0"),
        bmp(FOUR, 32)[:-1],
        b"P6 42 32\n" + COLOURS,
        raw_files.tiff(COLOURS, 3, packed=5),
        raw_files.tiff(COLOURS, 3)[:-9],
        raw_files.wav(SOUND[2], 2, 2).replace(b"WAVE", b"AVI "),
        raw_files.wav(SOUND[2], 2, 2).replace(b"fmt ", b"note"),
        raw_files.aiff(SOUND[2], 2, 2)[:-1],
        bmp(FOUR[: 10 * WIDTH * 4], 32),
        bmp(FOUR, 32).replace(b"\x28\0\0\0", b"\x01\0\0\0", 1),
        bmp(FOUR, 32).replace(b"\x28\0\0\0", b"\x4f\0\0\0", 1),
    ],
    ids=[
        "planes",
        "short",
        "no end",
        "packed",
        "no page",
        "other",
        "no form",
        "short sound",
        "few",
        "a header of 1 byte",
        "a header of 79 bytes",
    ],
)
def test_what_is_no_header_or_not_whole(file):
    assert typed(found(file)) == []


def test_samples_that_a_carrier_has():
    made = unpack(gzip_file(NOISE + FILES["bmp"][0]), final=True)
    assert typed(made) == [(FILES["bmp"][1], BlockType(*FILES["bmp"][2]))]


def test_a_picture_in_the_header_of_another():
    """A program has put a small JPEG before the pixels."""
    file, pixels, _ = FILES["bmp"]
    small = Jpeg(4, 4)
    start = 14 + 40 + len(small.data)
    late = file[:10] + start.to_bytes(4, "little") + dib(24) + small.data + pixels
    assert [data for data, _ in typed(found(late))] == [small.scan, pixels]


def test_what_is_too_long_to_wait_for_is_cut(monkeypatch):
    monkeypatch.setattr(samples, "MOST_BYTES", 2000)
    file = raw_files.wav(SOUND[2], 2, 2)
    made = unpack(file[:1001], final=False)
    assert made.taken == 1001
    ((part, block_type),) = typed(made)
    assert SOUND[2].startswith(part)
    assert (len(part) % 4, block_type.kind) == (0, AUDIO)
    monkeypatch.setattr(samples, "MOST_BYTES", 4000)
    assert unpack(file[:1001], final=False).taken == 0


MEMBERS = {"one": NOISE * 3, "two/a name": LEXICON[:999], "three": bytes(700)}
ARCHIVES = {
    "ar": raw_files.ar(MEMBERS),
    **{form: raw_files.cpio(MEMBERS, form) for form in ("new", "octal", "old", "swapped")},
    "tar": tar_file(MEMBERS),
    "old tar": tar_file(MEMBERS),
}


def old_tar(archive: bytes) -> bytes:
    """Without the magic number of ustar, as the first tar wrote it."""
    data = bytearray(archive)
    at = 0
    while (at := archive.find(b"ustar", at + 1)) > 0:
        start = at - 257
        data[at : at + 8] = bytes(8)
        check = sum(data[start : start + 148]) + 256 + sum(data[start + 156 : start + 512])
        data[start + 148 : start + 156] = b"%06o\0 " % check
    return bytes(data)


@pytest.mark.parametrize("kind", ARCHIVES)
def test_members_are_pieces(kind):
    archive = old_tar(ARCHIVES[kind]) if kind == "old tar" else ARCHIVES[kind]
    made = found(NOISE + archive + NOISE)
    at, first = 0, []
    for piece in made.pieces:
        if piece.first:
            first.append(made.content[at : at + piece.length])
        at += piece.length
    assert first == list(MEMBERS.values())


@pytest.mark.parametrize("kind", ["ar", "octal", "old"])
def test_headers_that_are_none(kind):
    """A name of no sense, a size that is no number."""
    data = bytearray(ARCHIVES[kind])
    place = {"ar": 8 + 50, "octal": 70, "old": 20}[kind]
    data[place : place + 4] = b"\xffx\xff "
    made = found(bytes(data))
    assert sum(piece.first for piece in made.pieces) == len(MEMBERS) - 1


@given(
    st.sampled_from([*(file for file, _, _ in FILES.values()), *ARCHIVES.values()]),
    st.lists(st.tuples(st.integers(0, 600), st.integers(0, 255)), max_size=4),
    st.integers(0, 5000),
)
def test_damaged_files(file, damages, cut):
    """Whatever the numbers of a header say, nothing is lost."""
    data = bytearray(file)
    for place, value in damages:
        data[place % len(data)] = value
    found(bytes(data))
    made = unpack(bytes(data[:cut]), final=False)
    assert made.content == data[: made.taken]


@pytest.mark.parametrize("kind", all_raw())
def test_the_first_part_is_told(kind):
    """But not of icons, which are one picture in several sizes."""
    firsts = [piece for piece in found(NOISE + all_raw()[kind]).pieces if piece.first]
    assert len(firsts) == {"ar": 2, "cpio": 2, "icon": 0}.get(kind, 1)


@pytest.mark.parametrize(
    "file",
    [
        pe,
        elf,
        partial(elf, wide=False),
        partial(elf, order=">"),
        mach_o,
        partial(mach_o, wide=False),
    ],
)
def test_the_code_of_a_program(file):
    code, rest = machine_code(30), NOISE * 3
    program = file(code, rest)
    lengths = [piece.length for piece in found(LEXICON[:600] + program + LEXICON[:600]).pieces]
    assert lengths == [600, program.index(code), len(code), len(rest) + 600]
    for sign in (b"PE\0\0", b"\x7fELF", b"\xfa\xed\xfe"):
        program = program.replace(sign, bytes(len(sign)))
    made = found(NOISE + program)
    assert len(made.pieces) == 1
