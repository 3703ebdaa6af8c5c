"""Numbers of the format: there and back, in their shortest form alone, within their range."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.errors import CorruptStreamError
from glnzip.format.numbers import take_number, write_number


@given(st.integers(0, 2**63 - 1))
def test_there_and_back(number: int):
    written = write_number(number)
    assert len(written) == max(1, -(-number.bit_length() // 7))
    file = io.BytesIO(written + b"more")
    assert take_number(file.read, range(2**63), "number") == number
    assert file.read() == b"more"


@pytest.mark.parametrize("written", ["64", "e400", "ff01", "808080808080808080807f"])
def test_what_is_refused(written: str):
    """Beyond the range, longer than needed, longer than any."""
    with pytest.raises(CorruptStreamError, match="number"):
        take_number(io.BytesIO(bytes.fromhex(written)).read, range(100), "number")
