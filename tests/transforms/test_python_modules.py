"""Modules of Python: read to their ends, found among others, and told back exactly."""

from __future__ import annotations

import importlib.util
import marshal
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import glnzip
from glnzip.format.block_type import PYTHON_CODE
from glnzip.jit.records import new_records
from glnzip.transforms.python_columns import are_modules, to_meant, to_told
from glnzip.transforms.python_locations import MODULE_READER, begin_modules, see_module_byte
from glnzip.transforms.python_reader import LOCATION, OUTSIDE
from tests.checks import kinds_of
from tests.fixed_data import LEXICON
from tests.packed import ours, zip_file
from tests.python_modules import MAGIC, module, raw
from tests.told import changed, check_that_blocks_come_back, turned

MODULE = module(4)


def parts_of(data: bytes) -> list[int]:
    """What each byte is of."""
    reader = new_records(1, MODULE_READER)[0]
    begin_modules(reader)
    parts = []
    for byte in data:
        parts.append(int(reader.marshal.part))
        see_module_byte(reader, np.int64(byte))
    return [*parts, int(reader.marshal.part)]


@pytest.mark.parametrize("version", MAGIC)
@pytest.mark.parametrize("seed", range(1, 4))
def test_they_are_read_to_their_ends(seed, version):
    data = module(5, seed=seed, version=version)
    parts = parts_of(data + b"more")
    assert [k for k, part in enumerate(parts) if part == OUTSIDE] == [
        *range(4),
        *range(len(data), len(data) + 5),
    ]


def test_so_is_what_python_itself_has_written():
    """Of any version that runs this; of one to come with another order it says so."""
    source = "def f(a, *, b=1.5):\n    '''A text.'''\n    return [x + a for x in (b, 1 << 70)]\n"
    data = importlib.util.MAGIC_NUMBER + bytes(12)
    data += marshal.dumps(compile(source * 3, "some.py", "exec"))
    parts = parts_of(data)
    assert [k for k, part in enumerate(parts) if part == OUTSIDE] == [*range(4), len(data)]


def test_columns_are_told_as_they_are_expected():
    """What was true of the last one is expected: four columns further, two behind, the same."""
    entries = b"\x80\x43" + b"\xd0\x09\x0c" * 3
    told = turned(module_of(entries), to_told, PYTHON_CODE)
    assert told == module_of(b"\x80\x43" + b"\xd0\5\0" + b"\xd0\xfb\0" + b"\xd0\0\0")


def module_of(entries: bytes) -> bytes:
    """A module that names the same thing again and again, in so many places."""
    code = b"\x65\1" * 8
    texts = b")\2z\3onez\3two)\0"
    parts = [raw(code), b")\0", texts, raw(b""), b"z\1a" * 3, bytes(4), raw(entries), raw(b"")]
    return struct.pack("<H", MAGIC[11]) + b"\r\n" + bytes(12) + b"c" + bytes(20) + b"".join(parts)


@given(
    st.binary(max_size=40),
    st.lists(st.tuples(st.integers(0, len(MODULE) - 1), st.integers(0, 255)), max_size=12),
    st.integers(0, len(MODULE)),
)
def test_any_bytes_come_back(before, changes, end):
    data = changed(MODULE[:end] + before + MODULE, changes)
    told = turned(data, to_told, PYTHON_CODE)
    assert turned(told, to_meant, PYTHON_CODE) == data
    assert turned(turned(data, to_meant, PYTHON_CODE), to_told, PYTHON_CODE) == data


def test_they_are_told_from_other_data():
    assert are_modules(MODULE)
    assert are_modules(LEXICON[: len(MODULE) // 2] + MODULE)
    assert not are_modules(LEXICON[:500] + MODULE[:400])
    assert not are_modules(bytes(1000))
    assert not are_modules(b"a line\r\r\n\0\0\0\0" * 200)


def test_those_of_an_archive_are_one_block():
    members = {f"made/part{seed}.pyc": module(4, seed=seed) for seed in range(1, 5)}
    data = zip_file(members, ours)
    assert kinds_of(data).count(PYTHON_CODE) == 1
    assert glnzip.decompress(glnzip.compress(data, level=1)) == data


def test_what_is_kept_from_block_to_block_is_of_no_account():
    """A block begins outside of modules, with nothing known, whatever came before it."""
    blocks = [MODULE, MODULE[: len(MODULE) // 2], MODULE[400:] + MODULE, MODULE[:90] + MODULE[300:]]
    assert LOCATION in parts_of(MODULE)
    check_that_blocks_come_back(blocks, PYTHON_CODE)
