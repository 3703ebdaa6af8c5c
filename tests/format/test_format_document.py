"""docs/FORMAT.md is true: its examples are what glnzip writes, and a reader made from it agrees.

`take_apart` and `relative_of` below were written from the document alone and share no code with
the package, so a difference between the two shows up here.
"""

from __future__ import annotations

import hashlib
import lzma
import random
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from glnzip.format import container
from glnzip.format.block_type import (
    BINARY,
    CALLS,
    MAX_CHANNELS,
    MAX_IMAGE_CHANNELS,
    MAX_NUMBERS,
    SAMPLE_FORMS,
    TEXT,
    BlockType,
)
from glnzip.format.container import BlockHeader, write_block_header
from glnzip.format.levels import MODEL_GENERATION
from glnzip.priors.plain_frame import write_plain_frame
from glnzip.transforms.a64_words import to_fields
from glnzip.transforms.x86_addresses import to_absolute
from tests.checks import sample
from tests.samples import machine_code

pytestmark = pytest.mark.usefixtures("small_blocks")

DOCUMENT = (Path(__file__).parents[2] / "docs" / "FORMAT.md").read_text(encoding="utf-8")
EXAMPLES = {
    name: bytes.fromhex(
        "".join(re.match(r"(?:[0-9A-F]{2} )+", line)[0] for line in lines.splitlines())  # type: ignore[index]
    )
    for name, lines in re.findall(r"```hex ([a-z ]+)\n(.*?)```", DOCUMENT, re.DOTALL)
}


class Block(NamedTuple):
    """A block as the document describes it."""

    stored: bool
    kind: int
    row_bytes: int
    length: int
    step: int = 0
    sample: int = 0
    slice_bytes: int = 0
    address: int = 0


def take_apart(
    frame: bytes, data: bytes, offset: int | None = None, last: bool = True
) -> tuple[int, list[Block]]:
    """Read a frame that decodes to `data`; return its level and blocks, the check verified.

    `offset` and `last` are those of a part.
    """
    assert frame[:5] == bytes([0xD7, 0x47, 0x4C, 0x4E, 1])
    assert frame[5] >> 4 == MODEL_GENERATION
    assert frame[6] & 8 == (0 if offset is None else 8)
    at = 7 + (frame[6] & 4)
    mask = bytes(4)

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = frame[at]
            at += 1
            value += (byte % 128) << shift
            shift += 7
            if byte < 128:
                return value

    if offset is not None:
        mask = frame[at : at + 4]
        at += 4
        assert number() == offset
    assert crc6(frame[4:at]) == 0
    covered, blocks = frame[:at], []
    while frame[at] not in (0, 4):
        start, tag = at, frame[at]
        at += 1
        length = number()
        row_bytes = number() if tag & 16 else 0
        kind = tag >> 2 & 3 | tag >> 5 << 2
        if kind == 24:
            numbers = [number()]
        else:
            numbers = list(frame[at : at + {2: 1, 3: 2, 6: 2, 10: 1, 14: 2, 20: 2}.get(kind, 0)])
            at += len(numbers)
        if kind in (10, 14):
            numbers = [*[*numbers, 0][:2], number()]
        if kind == 28:
            numbers = [0, 0, 0, number()]
        block = Block(tag & 3 == 2, kind, row_bytes, length, *numbers)
        body_length = length if block.stored else number()
        at += body_length
        covered += frame[start:at]
        if block.stored:
            body = frame[at - length : at]
            assert bytes(body[i] ^ mask[i % 4] for i in range(length)) == data[:length]
        else:
            covered += data[:length]
        data = data[length:]
        blocks.append(block)
    assert data == b""
    assert frame[at] == (0 if last else 4)
    assert frame[at + 1 :] == zlib.crc32(covered + frame[at : at + 1]).to_bytes(4, "little")
    return frame[5] & 15, blocks


def crc6(header: bytes) -> int:
    """The CRC-6 of these bytes: what a division by the polynomial leaves."""
    rest = int.from_bytes(header, "big") << 6 ^ 63 << 8 * len(header)
    for shift in reversed(range(8 * len(header))):
        rest ^= (rest >> shift + 6 & 1) * 0b110_0111 << shift
    return rest


PREFIXES = {0x26, 0x2E, 0x36, 0x3E, *range(0x40, 0x50), *range(0x64, 0x68), 0xF0, 0xF2, 0xF3}
WIDE = 0
ONE_BYTE = [
    ({n for n in range(0x40) if n % 8 < 4}, True, None),
    ({n for n in range(0x40) if n % 8 == 4}, False, 1),
    ({n for n in range(0x40) if n % 8 == 5}, False, WIDE),
    ({0x62, 0x63, *range(0x84, 0x90), *range(0xD0, 0xD4), *range(0xD8, 0xE0)}, True, None),
    ({0xFE, 0xFF, 0xF6, 0xF7}, True, None),
    ({0x6B, 0x80, 0x82, 0x83, 0xC0, 0xC1, 0xC6}, True, 1),
    ({0x69, 0x81, 0xC7}, True, WIDE),
    (
        {0x6A, 0xA8, 0xCD, 0xEB, *range(0x70, 0x80), *range(0xB0, 0xB8), *range(0xE0, 0xE8)},
        False,
        1,
    ),
    ({0xC2, 0xCA}, False, 2),
    ({0xC8}, False, 3),
    ({0x68, *range(0xA0, 0xA4), 0xA9, *range(0xB8, 0xC0), 0xE8, 0xE9}, False, WIDE),
    (set(range(256)), False, None),
]
AFTER_0F = [
    (set(range(0x80, 0x90)), False, WIDE),
    ({*range(5, 10), 0x0B, *range(0x30, 0x36), 0x77, *range(0xA0, 0xA3)}, False, None),
    ({*range(0xA8, 0xAB), *range(0xC8, 0xD0)}, False, None),
    ({*range(0x70, 0x74), 0xA4, 0xAC, 0xBA, 0xC2, 0xC4, 0xC5, 0xC6}, True, 1),
    (set(range(256)), True, None),
]


def relative_of(absolute: bytes, kind: int) -> bytes:
    """What a reader makes of a decoded block of x86 code."""
    data = bytearray(absolute)
    padded = absolute + bytes(40)  # so that an instruction may stop with the block
    at = 0

    def turn_back(first: int, end: int) -> None:
        if first + 4 <= len(absolute) and absolute[first + 3] in (0, 255):
            high, middle, low, top = absolute[first : first + 4]
            relative = (top % 2 << 24 | high << 16 | middle << 8 | low) - end
            top = 255 if relative >> 24 & 1 else 0
            data[first : first + 4] = (relative % 2**24).to_bytes(3, "little") + bytes([top])

    while at < len(absolute):
        word_size, rex = False, 0
        while at < len(absolute) and padded[at] in PREFIXES:
            word_size |= padded[at] == 0x66
            rex = padded[at] if padded[at] >> 4 == 4 else rex
            at += 1
        opcode, table = padded[at], ONE_BYTE
        at += {0xC4: 3, 0xC5: 2}.get(opcode, 1)
        if opcode in (0x0F, 0xC4, 0xC5):
            second, table = padded[at], AFTER_0F
            opcode = 0x0F00 | second
            at += 1
            if second in (0x38, 0x3A):
                at += 1
                table = [(set(range(256)), True, None if second == 0x38 else 1)]
        has_modrm, size = next(row[1:] for row in table if opcode & 255 in row[0])
        address = 0
        modrm = padded[at]
        if has_modrm:
            at += 1
            mode, low = modrm >> 6, modrm & 7
            if low == 4 and mode != 3:
                low = padded[at] & 7
                at += 1
            address = 1 if mode == 1 else 4 if mode == 2 or (mode == 0 and low == 5) else 0
            if opcode in (0xF6, 0xF7) and not modrm & 0x30:
                size = 1 if opcode == 0xF6 else WIDE
        if size == WIDE:
            eight = 0xB8 <= opcode <= 0xBF and rex >= 0x48
            size = 2 if word_size else 8 if eight else 4
        size = size or 0
        if kind == 12 and has_modrm and modrm & 0xC7 == 5:
            turn_back(at, at + 4 + size)
        at += address
        if opcode in (0xE8, 0xE9, *range(0x0F80, 0x0F90)) and size == 4:
            turn_back(at, at + 4)
        at += size
    return bytes(data)


def words_of(seen: bytes, address: int) -> bytes:
    """What a reader makes of a decoded block of A64 code."""
    data = bytearray(seen)
    first = -address % 4
    for at in range(first, len(seen) - 3, 4):
        top, second, third, fourth = seen[at : at + 4]
        a = (address + at) // 4
        rest = third << 8 | fourth
        w = top << 24
        if top & 0x7C == 0x14:
            w |= second << 16 | rest
        elif top & 0x1F == 0x10 or top & 0x7C == 0x34 or top & 0x3B == 0x18 or top == 0x54:
            w |= second >> 5 << 21 | rest << 5 | second & 31
        else:
            w |= second >> 5 << 21 | (third & 7) << 18 | fourth << 10 | third >> 3 << 5
            w |= second & 31
        if w >> 26 == 0b100101:
            w = w >> 26 << 26 | (w - a) % 2**26
        elif w >> 31 and w >> 24 & 31 == 16:
            n = ((w >> 29 & 3) << 19 | w >> 5 & 0x7FFFF) - a // 1024
            w = w & 0x9F00001F | (n >> 2 & 0x7FFFF) << 5 | (n & 3) << 29
        data[at : at + 4] = w.to_bytes(4, "little")
    return bytes(data)


def test_the_example_without_data_is_what_glnzip_writes():
    assert glnzip.compress(b"", level=6, prior=None) == EXAMPLES["empty"]


def test_the_example_of_a_header_check():
    header = EXAMPLES["empty"][4:7]
    assert [crc6(header[:count]) for count in range(4)] == [63, 32, 6, 0]
    told = (
        "`01 96 B1`, the header at level 6 without a prior, it is 63 at the start, 32 after `01`, "
    )
    assert told + "6 after `96`, 0 after `B1`." in " ".join(DOCUMENT.split())
    assert header.hex(" ") == "01 96 b1"
    assert crc6(b"123456789") == 0x0D  # that of CRC-6/CDMA2000-A in catalogues of CRCs


@pytest.mark.skipif(shutil.which("file") is None, reason="there is no command `file` here")
def test_the_command_file(tmp_path):
    """It takes a stream for nothing else; and the lines in the document make it tell what it is."""
    (magic,) = re.findall(r"```magic\n(.*?)```", DOCUMENT, re.DOTALL)
    (tmp_path / "magic").write_text(magic)
    packed = tmp_path / "packed"
    options = ["-m", tmp_path / "magic"]
    for name in ("empty", "prior", "one byte", "parts"):
        packed.write_bytes(EXAMPLES[name])
        assert "PGP" not in file_says(packed)
        told = f"glnzip compressed data, version 1, level {EXAMPLES[name][5] & 15}"
        assert file_says(*options, packed) == told
    packed.write_bytes(b"\xd7GLN\2\x76\0")
    assert file_says(*options, packed) == "glnzip compressed data, version 2"


def file_says(*arguments: str | Path) -> str:
    """What the command `file` prints about a file."""
    done = subprocess.run(["file", "-b", *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_example_of_a_prior_field():
    (info,) = glnzip.frame_info(EXAMPLES["prior"])
    assert info.prior_id == "01020304"
    assert take_apart(EXAMPLES["prior"], b"") == (6, [])
    with pytest.raises(glnzip.PriorMismatchError, match="01020304"):
        glnzip.decompress(EXAMPLES["prior"])


def test_the_example_of_an_id():
    prior = glnzip.Prior(EXAMPLES["one byte"] + EXAMPLES["rows"])
    assert prior.id == hashlib.sha256(EXAMPLES["description"]).hexdigest()[:8]


def test_the_example_of_a_plain_frame():
    frame = EXAMPLES["plain"]
    assert write_plain_frame([(BlockType(TEXT), b"sea")], [(BlockType(TEXT), b"s")]) == frame
    with pytest.raises(glnzip.UnsupportedStreamError, match="plain"):
        glnzip.decompress(frame)
    blocks = bytes.fromhex("0B 02 03 73 65 61 0F 02 01 73")
    assert glnzip.Prior(frame).content_hash == hashlib.sha256(b"\0" + blocks).hexdigest()
    assert glnzip.Prior(lzma.compress(frame)) == glnzip.Prior(frame)


def test_the_example_of_a_base():
    base = glnzip.Base(b"sea", prior=None)
    assert base.data == EXAMPLES["base"]
    types = [BlockType(kind) for kind in (TEXT, BINARY, CALLS)]
    headers = [write_block_header(BlockHeader(True, found, 1, 1)) for found in types]
    assert [header[:1].hex() for header in headers] == ["02", "22", "42"]


def test_examples_decode():
    assert glnzip.decompress(EXAMPLES["empty"]) == b""
    assert glnzip.decompress(EXAMPLES["one byte"]) == b"A"
    assert glnzip.decompress(EXAMPLES["rows"]) == b"abcabc"
    _, blocks = take_apart(EXAMPLES["rows"], b"abcabc")
    assert blocks == [Block(True, 0, 3, 5), Block(True, 1, 0, 1)]


def test_the_example_of_parts():
    assert glnzip.decompress(EXAMPLES["parts"]) == b"abcde"
    first, second = glnzip.frame_info(EXAMPLES["parts"])
    (ours, _) = glnzip.frame_info(glnzip.compress(b"abcde", level=1, prior=None, block_size=3))
    assert (first.offset, first.last, second.offset, second.last) == (0, False, 3, True)
    assert first.whole == second.whole == ours.whole
    take_apart(EXAMPLES["parts"][: first.compressed_bytes], b"abc", offset=0, last=False)
    take_apart(EXAMPLES["parts"][first.compressed_bytes :], b"de", offset=3)


def test_the_example_of_block_types():
    data = glnzip.decompress(EXAMPLES["block types"])
    assert data == b"abcdef\xff\2\0\xfe\xff\xe8\x0b\0\0\0"
    _, blocks = take_apart(EXAMPLES["block types"], data)
    assert blocks == [
        Block(True, 2, 3, 6, step=3),
        Block(True, 3, 0, 5, step=4, sample=0x12),
        Block(True, 8, 0, 5),
    ]


def rewritten(data: bytes, kind: int) -> bytes:
    """What the model sees of code."""
    array = np.frombuffer(bytearray(data), np.uint8)
    to_absolute(array, BlockType(kind))
    return array.tobytes()


def test_the_example_of_code():
    assert rewritten(EXAMPLES["relative addresses"], 12) == EXAMPLES["absolute addresses"]
    assert relative_of(EXAMPLES["absolute addresses"], 12) == EXAMPLES["relative addresses"]


# Bytes that mean something to a reader of instructions, beside all others.
telling_bytes = st.sampled_from(
    bytes.fromhex(
        "00 00 00 00 FF FF FF FF 05 04 0F 38 3A 66 48 40 B8 C4 C5 C7 E8 E9 84 F6 F7 8B 69"
    )
)


@pytest.mark.parametrize("kind", [8, 12])
@given(st.binary(max_size=300) | st.lists(telling_bytes | st.integers(0, 255)).map(bytes))
def test_a_reader_made_from_the_document_finds_relative_addresses(kind, data):
    assert relative_of(rewritten(data, kind), kind) == data


@pytest.mark.parametrize("kind", [8, 12])
def test_a_reader_made_from_the_document_reads_code(kind):
    chance = random.Random(kind // 4)  # of some other seeds, nothing would be rewritten
    for data in (machine_code(60), chance.randbytes(50_000)):
        assert rewritten(data, kind) != data
        assert relative_of(rewritten(data, kind), kind) == data


words = st.builds(  # of every kind that the document tells apart, beside all others
    lambda top, rest: rest.to_bytes(3, "little") + bytes([top]),
    st.sampled_from(bytes.fromhex("94 97 14 90 D0 F0 10 34 B5 36 37 54 18 58 91 F9 A9"))
    | st.integers(0, 255),
    st.integers(0, 2**24 - 1),
)


@given(
    st.lists(words, max_size=60).map(b"".join),
    st.binary(max_size=3),
    st.integers(0, 2**28 - 1) | st.integers(2**28 - 300, 2**28 - 1),
)
def test_a_reader_made_from_the_document_turns_words_back(data, end, address):
    data += end
    array = np.frombuffer(bytearray(data), np.uint8)
    to_fields(array, BlockType(28, address=address))
    assert words_of(array.tobytes(), address) == data


@given(
    st.binary(max_size=300) | st.builds(sample, st.integers(0, 1000), st.integers(0, 99)),
    st.integers(1, 9),
    st.sampled_from([None, glnzip.SHIPPED_PRIOR]),
)
def test_a_reader_made_from_the_document_agrees(data, level, prior):
    frame = glnzip.compress(data, level=level, prior=prior)
    found_level, blocks = take_apart(frame, data)
    (info,) = glnzip.frame_info(frame)
    assert found_level == level
    assert sum(block.length for block in blocks) == len(data)
    assert len(blocks) >= -(-len(data) // 64)
    assert sum(block.stored for block in blocks) == info.stored_blocks
    assert len(blocks) == info.blocks


@given(st.builds(sample, st.integers(0, 1000), st.integers(0, 99)), st.integers(1, 500))
def test_a_reader_made_from_the_document_reads_parts(data, block_size):
    stream = glnzip.compress(data, block_size=block_size)
    for i, info in enumerate(glnzip.frame_info(stream)):
        frame, stream = stream[: info.compressed_bytes], stream[info.compressed_bytes :]
        part = slice(i * block_size, (i + 1) * block_size)
        take_apart(frame, data[part], offset=i * block_size, last=not stream)


def test_limits_in_the_document():
    for limit in (container.BLOCK_BYTES, container.MAX_ROW_BYTES, container.MAX_NUMBER_ROW):
        assert f"| 1 to {limit:,} |" in DOCUMENT
    assert f"| 1 to {MAX_IMAGE_CHANNELS} |" in DOCUMENT
    assert f"| 1 to {MAX_CHANNELS} channels |" in DOCUMENT
    assert f"| 1 to {MAX_NUMBERS} numbers |" in DOCUMENT
    records = f"| {container.MIN_RECORD_BYTES} to {container.MAX_RECORD_BYTES:,}: "
    assert records in DOCUMENT
    for number, (width, signed, little) in enumerate(SAMPLE_FORMS):
        first = "" if width == 1 else "lowest " if little else "highest "
        assert f"| {number} | {width} | {'yes' if signed else 'no'} | {first}|" in DOCUMENT
    assert f"level, {glnzip.MIN_LEVEL} to {glnzip.MAX_LEVEL} |" in DOCUMENT


def test_messages_of_the_examples() -> None:
    for name, check_bytes in (("message", 2), ("bare message", 0)):
        data = glnzip.decompress_message(EXAMPLES[name], prior=None, check_bytes=check_bytes)
        assert data == b"A"
