"""docs/FORMAT.md is true: its examples are what glnzip writes, and a reader made from it agrees.

`take_apart` below was written from the document alone and shares no code with the package, so a
difference between the two shows up here.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from tests.checks import sample

pytestmark = pytest.mark.usefixtures("small_blocks")

DOCUMENT = (Path(__file__).parent.parent / "docs" / "FORMAT.md").read_text(encoding="utf-8")
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


def take_apart(frame: bytes, data: bytes) -> tuple[int, list[Block]]:
    """Read a frame that decodes to `data`; return its level and blocks, the check verified."""
    assert frame[:5] == bytes([0x97, 0x47, 0x4C, 0x4E, 1])
    assert frame[5] >> 4 == 1
    assert frame[6] in (0, 4)
    at = 7 + frame[6]
    covered, blocks = frame[:at], []

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

    while frame[at]:
        start, tag = at, frame[at]
        at += 1
        length = number()
        row_bytes = number() if tag & 16 else 0
        block = Block(tag & 3 == 2, tag >> 2 & 3, row_bytes, length)
        body_length = length if block.stored else number()
        at += body_length
        covered += frame[start:at]
        if block.stored:
            assert frame[at - length : at] == data[:length]
        else:
            covered += data[:length]
        data = data[length:]
        blocks.append(block)
    assert data == b""
    assert frame[at + 1 :] == zlib.crc32(covered + b"\0").to_bytes(4, "little")
    return frame[5] & 15, blocks


def test_the_example_without_data_is_what_glnzip_writes():
    assert glnzip.compress(b"", level=6, prior=None) == EXAMPLES["empty"]


def test_the_example_of_a_prior_field():
    (info,) = glnzip.frame_info(EXAMPLES["prior"])
    assert info.prior_id == "01020304"
    assert take_apart(EXAMPLES["prior"], b"") == (6, [])
    with pytest.raises(glnzip.PriorMismatchError, match="01020304"):
        glnzip.decompress(EXAMPLES["prior"])


def test_the_example_of_an_id():
    prior = glnzip.Prior(EXAMPLES["one byte"] + EXAMPLES["rows"])
    assert prior.id == hashlib.sha256(EXAMPLES["description"]).hexdigest()[:8]


def test_examples_decode():
    assert glnzip.decompress(EXAMPLES["empty"]) == b""
    assert glnzip.decompress(EXAMPLES["one byte"]) == b"A"
    assert glnzip.decompress(EXAMPLES["rows"]) == b"abcabc"
    _, blocks = take_apart(EXAMPLES["rows"], b"abcabc")
    assert blocks == [Block(True, 0, 3, 5), Block(True, 1, 0, 1)]


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
    assert [block.length for block in blocks[:-1]] == [64] * (len(blocks) - 1)
    assert sum(block.stored for block in blocks) == info.stored_blocks
    assert len(blocks) == info.blocks


def test_limits_in_the_document():
    for limit in (glnzip.container.BLOCK_BYTES, glnzip.container.MAX_ROW_BYTES):
        assert f"| 1 to {limit:,} |" in DOCUMENT
    assert f"level, {glnzip.MIN_LEVEL} to {glnzip.MAX_LEVEL} |" in DOCUMENT
