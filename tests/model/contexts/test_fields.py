"""Features of fields against a recount of the lines."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest

from glnzip.model.contexts import fields as i
from glnzip.model.contexts.fields import FIELDS_OF_LINE, see_field
from glnzip.model.contexts.syntax import SIGNS
from glnzip.model.hashing import hashed_pair
from glnzip.model.table.byte_table import TOKENS_FROM_LEVEL
from tests.model.memory.histories import add_byte, new_recent

TABLE = b"""time,rain,wind
09:00,0.25,  7.5
10:00,1.125,,12
10:00,1.125,,13

a|b;c\td
"""
PATHS = b"usr/lib/python3\nusr/lib/perl\nusr/share/doc/x\nwith a space/in it\nplain/again\n"
NOISE = bytes(random.Random(5).choices(b"a0b1,; /|\t\n", k=900))
LONG = b",".join(b"%d" % n for n in range(80)) + b"\n"
SAMPLES = {"table": TABLE, "paths": PATHS, "noise": NOISE, "many fields": LONG * 2}
FEATURES = (i.FIELD_SO_FAR, i.FIELD_ABOVE, i.FIELD_AFTER)


def follow(data: bytes) -> Iterator[tuple[bytes, Any]]:
    """Yield the bytes so far and the features, after each byte of `data`."""
    recent = new_recent(level=TOKENS_FROM_LEVEL)
    for n, byte in enumerate(data, 1):
        add_byte(recent, byte)
        see_field(recent, byte)
        yield data[:n], recent.features


def fields_of(line: bytes, slashes: bool) -> list[tuple[int, bytes]]:
    """Where each field of a line begins, and the field; the last may be unfinished."""
    marks = b"[^,;\t|/ ]*(?:[,;\t|/ ]|$)" if slashes else b"[^,;\t| ]*(?:[,;\t| ]|$)"
    found, at = [], 0
    while True:
        while line[at : at + 1] == b" ":  # blanks before a field
            at += 1
        end = re.compile(marks).match(line, at)
        assert end is not None
        parted = end[0][-1:] in (b",", b";", b"\t", b"|", b"/", b" ") and end[0] != b""
        if parted and slashes is False and end[0].endswith(b"/"):
            parted = False
        found.append((at, end[0][:-1] if parted else end[0]))
        at = end.end()
        if not parted:
            return found


def expected(past: bytes) -> dict[int, int]:
    """All features after `past`, from nothing but `past`."""
    *whole, line = past.split(b"\n")
    starts = [0]
    for text in whole:
        starts.append(starts[-1] + len(text) + 1)
    values: dict[int, int] = {}
    slashes = False
    above: list[int] = []
    for start, text in zip(starts, whole, strict=False):
        parts = fields_of(text, slashes)
        for number, (_, value) in enumerate(parts):
            values[min(number, FIELDS_OF_LINE - 1)] = reduce(hashed_pair, value, 0)
        above = [start + place for place, _ in parts]
        above[FIELDS_OF_LINE - 1 :] = above[FIELDS_OF_LINE - 1 :][-1:]
        slashes = not re.search(rb"[,;\t| ]", text)
    parts = fields_of(line, slashes)
    for number, (_, value) in enumerate(parts[:-1]):
        values[min(number, FIELDS_OF_LINE - 1)] = reduce(hashed_pair, value, 0)
    number = min(len(parts) - 1, FIELDS_OF_LINE - 1)
    _, value = parts[-1]
    end = starts[-1] - 1 if whole else 0  # of the line above
    begins = above[number] if number < len(above) else end
    bytes_above = [past[min(begins + k, len(past) - 1)] for k in range(len(value) + 2)]
    agrees = list(value) == bytes_above[: len(value)]
    so_far = reduce(hashed_pair, value, 0)
    return {
        i.FIELD_SO_FAR: hashed_pair(number, so_far),
        i.FIELD_ABOVE: number << 17 | agrees << 16 | bytes_above[-1] << 8 | bytes_above[-2],
        i.FIELD_AFTER: hashed_pair(hashed_pair(so_far, values.get(number, 0)), number),
    }


@pytest.mark.parametrize("sample", SAMPLES)
def test_features_are_those_of_a_plain_recount(sample: str) -> None:
    first_line = SAMPLES[sample].index(b"\n")
    for past, features in follow(SAMPLES[sample]):
        if len(past) > first_line:  # before, there is no line above
            assert {k: features[k] for k in FEATURES} == expected(past), past


def test_prose_has_no_fields_unless_lines_are_alike() -> None:
    prose = b"the rain in Spain stays mainly in the plain\n" * 2
    recent = new_recent(level=TOKENS_FROM_LEVEL)
    recent.features[SIGNS] = 0x616161
    seen = []
    for byte in b"she sells sea shells\nby the sea shore\n" + prose:
        add_byte(recent, byte)
        see_field(recent, byte)
        seen.append([int(recent.features[k]) for k in FEATURES])
    assert seen[20] == [0, 0, 0]
    assert all(seen[-3])
