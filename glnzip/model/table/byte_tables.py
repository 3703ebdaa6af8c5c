"""The table of each block model of bytes."""

from __future__ import annotations

from glnzip.format.block_type import OF_BYTES
from glnzip.model.table import binary, code, numbers, text

BYTE_TABLES = dict(
    zip(OF_BYTES, (text.TEXT, binary.BINARY, code.CODE, numbers.NUMBERS), strict=True)
)
"""By the block model's name."""
