"""What is asked of data that are rewritten in place as a model expects them (told), and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from glnzip.coding.block_codec import BlockCodec
from glnzip.format.block_type import BlockType
from glnzip.model.build import new_model


def turned(data: bytes | bytearray, turn: Any, kind: int) -> bytes:
    """Data rewritten in place."""
    array = np.frombuffer(bytearray(data), np.uint8)
    turn(array, BlockType(kind))
    return array.tobytes()


def changed(data: bytes, changes: Iterable[tuple[int, int]]) -> bytes:
    """Data with other bytes at some places."""
    array = bytearray(data)
    for place, byte in changes:
        array[place % len(array)] = byte
    return bytes(array)


def check_that_blocks_come_back(blocks: Iterable[bytes], kind: int) -> None:
    """Code them one behind another, and decode each."""
    coder, decoder = (BlockCodec(new_model(1)) for _ in range(2))
    for block in blocks:
        payload = coder.encode(block, BlockType(kind))
        assert payload is not None
        decoder.begin_decode(payload, len(block), BlockType(kind))
        assert decoder.decode(len(block)) == block
