"""Class files: read to their ends, found among others, and told back exactly, whatever they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from glnzip.format.block_type import CLASS_FILES
from glnzip.jit.records import new_records
from glnzip.transforms.class_numbers import are_class_files, to_meant, to_told
from glnzip.transforms.class_reader import (
    CLASS_READER,
    OUTSIDE,
    PLAIN,
    begin_reader,
    see_class_byte,
)
from tests.checks import kinds_of
from tests.class_files import class_file, numbers
from tests.fixed_data import LEXICON
from tests.packed import ours, zip_file
from tests.told import changed, check_that_blocks_come_back, turned

CLASS = class_file(6)


def parts_of(data: bytes) -> list[int]:
    """The field of each byte."""
    reader = new_records(1, CLASS_READER)[0]
    begin_reader(reader)
    parts = []
    for byte in data:
        parts.append(int(reader.part))
        reader.manner = PLAIN
        see_class_byte(reader, byte)
    return [*parts, int(reader.part)]


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("seed", range(1, 6))
def test_they_are_read_to_their_ends(seed, forward):
    data = class_file(5, seed=seed, forward=forward)
    parts = parts_of(data + b"more")
    assert [k for k, part in enumerate(parts) if part == OUTSIDE] == [
        *range(4),
        *range(len(data), len(data) + 5),
    ]


def test_numbers_are_told_as_they_are_expected():
    code = b"\x12\1\xb1"
    constants = b"\1\0\4Code\1\0\x0fLineNumberTable\1\0\1x\x08\0\3\1\0\3()V"
    lines = numbers(2) + b"\0\0\0\x0a" + numbers(2, 0, 7, 2, 9)
    body = numbers(1, 1) + b"\0\0\0\3" + code + numbers(0, 1) + lines
    before = b"\xca\xfe\xba\xbe" + numbers(0, 52, 6) + constants + numbers(1, 0, 0, 0, 0, 1, 1)
    data = before + numbers(3, 5, 1, 1) + bytes((0, 0, 0, len(body))) + body + numbers(0)
    told = turned(data, to_told, CLASS_FILES)
    at = data.index(numbers(2, 0, 7, 2, 9))
    assert told[at : at + 10] == numbers(0, 0, 7, 2, 2)
    assert parts_of(data)[-1] == OUTSIDE
    names = len(before)
    assert told[names : names + 8] == numbers(3, 0, 1, 1)  # 5 is the next text that nothing names


@given(
    st.binary(max_size=40),
    st.lists(st.tuples(st.integers(0, len(CLASS) - 1), st.integers(0, 255)), max_size=12),
    st.integers(0, len(CLASS)),
)
def test_any_bytes_come_back(before, changes, end):
    data = changed(CLASS[:end] + before + CLASS, changes)
    told = turned(data, to_told, CLASS_FILES)
    assert turned(told, to_meant, CLASS_FILES) == data
    assert turned(turned(data, to_meant, CLASS_FILES), to_told, CLASS_FILES) == data


def test_they_are_told_from_other_data():
    assert are_class_files(CLASS)
    assert are_class_files(LEXICON[: len(CLASS) // 2] + CLASS)
    assert not are_class_files(LEXICON[:500] + CLASS[:400])
    assert not are_class_files(bytes(1000))
    assert not are_class_files(b"\xca\xfe\xba\xbe\0\0\0\2" + bytes(1000))  # two programs of Apple's


def test_those_of_an_archive_are_one_block():
    members = {f"org/example/Part{seed}.class": class_file(4, seed=seed) for seed in range(1, 6)}
    data = zip_file(members, ours)
    assert kinds_of(data).count(CLASS_FILES) == 1
    assert glnzip.decompress(glnzip.compress(data, level=1)) == data


def test_what_is_kept_from_block_to_block_is_of_no_account():
    """A block begins outside of class files, with nothing known, whatever came before it."""
    blocks = [CLASS, CLASS[: len(CLASS) // 2], CLASS[400:] + CLASS, CLASS[:90] + CLASS[300:]]
    check_that_blocks_come_back(blocks, CLASS_FILES)
