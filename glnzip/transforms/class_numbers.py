"""Numbers in class files told as a model expects them, and back.

The next line of a program is one or two behind the last, a constant often the first that was not
used yet, a variable there until its code ends. `to_told` says so in place of the numbers
(`glnzip.transforms.class_reader`), and `to_meant` puts these back. Both read the data by what the
numbers are, never by what is told, so the second is the exact inverse of the first for any bytes
whatsoever.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.format.block_type import BlockType
from glnzip.jit import kernel
from glnzip.jit.records import new_records
from glnzip.transforms.class_reader import (
    CLASS_READER,
    OUTSIDE,
    PLAIN,
    begin_reader,
    end_field,
    number_meant,
    number_told,
    see_class_byte,
)

_BEGIN = b"\xca\xfe\xba\xbe"  # class files


def to_told(data: Any, _: BlockType) -> None:
    """Rewrite the class files in `data`, a uint8 array, in place; `to_meant` is the inverse."""
    _rewrite(data, True, new_records(1, CLASS_READER))


def to_meant(data: Any, _: BlockType) -> None:
    """Undo `to_told`."""
    _rewrite(data, False, new_records(1, CLASS_READER))


def are_class_files(data: bytes) -> bool:
    """Whether half of the data, or more, are those of class files."""
    if _BEGIN not in data:
        return False
    array = np.frombuffer(bytearray(data), np.uint8)
    return bool(2 * _bytes_inside(array, new_records(1, CLASS_READER)) >= len(data))


@kernel
def _bytes_inside(data, readers):
    """How many bytes belong to class files."""
    reader = readers[0]
    begin_reader(reader)
    inside = np.int64(0)
    for i in range(data.size):
        if reader.part != OUTSIDE:
            inside += 1
            reader.manner = PLAIN  # they are not rewritten yet
        see_class_byte(reader, np.int64(data[i]))
    return inside


@kernel
def _rewrite(data, tells, readers):
    reader = readers[0]
    begin_reader(reader)
    i = np.int64(0)
    while i < data.size:
        size = reader.width
        if reader.manner == PLAIN or i + size > data.size:
            see_class_byte(reader, np.int64(data[i]))
            i += 1
            continue
        number = np.int64(0)
        for k in range(size):
            number = number << 8 | np.int64(data[i + k])
        other = number_told(reader, number) if tells else number_meant(reader, number)
        for k in range(size):
            data[i + k] = np.uint8(other >> 8 * (size - 1 - k) & 255)
        reader.place += size
        end_field(reader, number if tells else other)
        i += size
