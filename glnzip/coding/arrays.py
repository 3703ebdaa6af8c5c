"""Bytes as arrays that kernels take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]


def writable(data: bytes) -> Bytes:
    """A copy that kernels may write to: a read-only array would be another signature."""
    return np.frombuffer(bytearray(data), np.uint8)
