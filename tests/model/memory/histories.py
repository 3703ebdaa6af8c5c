"""Feed bytes to a part of the model that looks at the history, without the rest of the model."""

from __future__ import annotations

from typing import Any

import numpy as np

from glnzip.model.build import new_model
from glnzip.model.state import Recent


def new_recent(
    *, level: int = 5, ring_bytes: int = 1 << 16, position: int = 0, row_bytes: int = 0
) -> Recent:
    """What a stream has seen after `position` bytes, all of them zeros."""
    recent: Recent = new_model(level).recent._replace(buffer=np.zeros(ring_bytes, np.uint8))
    now = recent.now[0]
    now.position = now.block_start = now.line = now.line_before = position
    now.row_bytes = row_bytes
    return recent


def add_byte(recent: Recent, byte: int) -> Any:
    """Put a byte into the ring as `step` does; the part under test is told by the caller."""
    now = recent.now[0]
    recent.buffer[now.position & (recent.buffer.size - 1)] = byte
    now.position += 1
    now.last4 = (now.last4 << 8 | byte) & 0xFFFFFFFF
    return now
