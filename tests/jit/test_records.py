"""Records: their fields are found under their names, in plain Python, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from glnzip.format.levels import MIN_LEVEL
from glnzip.model.build import new_model
from glnzip.model.roles import named_arrays


def fields(dtype: Any) -> Iterator[str]:
    """The names of a record's fields, and of those in them."""
    for name in dtype.base.names or ():
        yield name
        yield from fields(dtype.base[name])


def test_no_field_is_hidden_by_what_a_record_has_under_its_name() -> None:
    arrays = [array for _, array in named_arrays(new_model(MIN_LEVEL))]
    names = {name for array in arrays for name in fields(array.dtype)}
    assert len(names) > 100
    assert not {name for name in names if hasattr(np.record, name)}
