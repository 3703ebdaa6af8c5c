"""Aligned arrays are like any other, but for where they begin."""

from __future__ import annotations

import numpy as np
import pytest

from glnzip.gln.aligned import LINE_BYTES, aligned_copy, aligned_zeros

PAIR = np.dtype([("small", np.int8), ("large", np.int64)], align=True)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.int64, PAIR])
@pytest.mark.parametrize("count", [0, 1, 3, 1000])
def test_zeros(count: int, dtype: type) -> None:
    array = aligned_zeros(count, dtype)
    assert array.ctypes.data % LINE_BYTES == 0 or count == 0
    assert (array.shape, array.dtype) == ((count,), np.dtype(dtype))
    assert array.flags.c_contiguous
    assert array.flags.writeable
    assert not array.tobytes().strip(b"\0")


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12).reshape(3, 4),
        np.arange(12).reshape(3, 4).T,
        np.zeros((2, 0)),
        np.array(5.0),
        np.ones(3, PAIR).view(np.recarray),
    ],
    ids=["matrix", "columns first", "empty", "scalar", "records"],
)
def test_copy(array: np.ndarray) -> None:
    copy = aligned_copy(array)
    assert type(copy) is type(array)
    assert copy.dtype == array.dtype
    assert copy.ctypes.data % LINE_BYTES == 0 or array.size == 0
    assert copy.flags.c_contiguous
    assert np.array_equal(copy, array)
    assert not np.shares_memory(copy, array)
