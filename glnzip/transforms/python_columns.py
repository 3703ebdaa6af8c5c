"""Columns in compiled modules of Python told as a model expects them, and back.

`to_told` says how far a column is from where it was expected (`glnzip.transforms.python_locations`)
in its place, and `to_meant` puts it back. Both read the data by what they are, never by what is
told, so the second is the exact inverse of the first for any bytes whatsoever.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from glnzip.format.block_type import BlockType
from glnzip.jit import kernel
from glnzip.jit.records import new_records
from glnzip.transforms.python_locations import (
    MODULE_READER,
    begin_modules,
    byte_meant,
    byte_told,
    see_module_byte,
)
from glnzip.transforms.python_reader import HEADER

_BEGIN = re.compile(rb"[\x0d-\x0f]\r\n[\0-\3]\0\0\0")  # modules, but for a byte before it


def to_told(data: Any, _: BlockType) -> None:
    """Tell columns, uint8[:], in place."""
    _rewrite(data, True, new_records(1, MODULE_READER))


def to_meant(data: Any, _: BlockType) -> None:
    """Undo `to_told`."""
    _rewrite(data, False, new_records(1, MODULE_READER))


def are_modules(data: bytes) -> bool:
    """Whether half of the data, or more, are those of compiled modules."""
    if not _BEGIN.search(data):
        return False
    array = np.frombuffer(bytearray(data), np.uint8)
    return bool(2 * _bytes_inside(array, new_records(1, MODULE_READER)) >= len(data))


@kernel
def _bytes_inside(data, modules):
    """How many bytes belong to modules, behind their headers."""
    module = modules[0]
    begin_modules(module)
    inside = np.int64(0)
    for i in range(data.size):
        if module.marshal.part > HEADER:
            inside += 1
        see_module_byte(module, np.int64(data[i]))
    return inside


@kernel
def _rewrite(data, tells, modules):
    module = modules[0]
    begin_modules(module)
    for i in range(data.size):
        byte = np.int64(data[i])
        other = byte_told(module, byte) if tells else byte_meant(module, byte)
        data[i] = np.uint8(other)
        see_module_byte(module, byte if tells else other)
