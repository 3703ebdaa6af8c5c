"""Records of several fields in one array, the same in kernels and in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np


def new_records(count: int, fields: np.dtype[Any]) -> Any:
    """Records of zeros, their fields attributes in plain Python as they are in kernels."""
    return np.zeros(count, fields).view(np.recarray)
