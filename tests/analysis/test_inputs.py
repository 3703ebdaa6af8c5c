"""Each input of a network has a name, and a family that is explained."""

from __future__ import annotations

import pytest

from glnzip.analysis.byte_inputs import family
from glnzip.analysis.explain_loop import gains_of
from glnzip.analysis.families import FAMILIES
from glnzip.analysis.inputs import inputs_of
from glnzip.format.block_type import BLOCK_MODELS
from glnzip.format.levels import LEVELS
from glnzip.model.build import new_model
from glnzip.model.contexts import features as f
from glnzip.model.table.rows import Context
from tests.checks import by_level


@pytest.mark.parametrize("level", by_level(LEVELS))
def test_all_inputs_have_names(level: int) -> None:
    model = new_model(level)
    for name in set(BLOCK_MODELS.values()):
        inputs = inputs_of(name, level)
        assert len(inputs) == len(gains_of(model, name).of_inputs)
        assert {each.family for each in inputs} <= set(FAMILIES)


@pytest.mark.parametrize(
    ("bytes_", "features", "expected"),
    [
        ("", (), "orders"),
        ("FF FF", (), "orders"),
        ("FF FF", (f.SEGMENT,), "orders"),
        ("00 FF", (), "skip-grams"),
        ("FF F0", (), "skip-grams"),
        ("", (f.WORD, f.LAST), "words"),
        ("FF", (f.ABOVE,), "lines and fields"),
        ("FF", (f.EXPECTED,), "matches"),
        ("", (f.INDIRECT_2,), "indirect"),
    ],
)
def test_families(bytes_: str, features: tuple[int, ...], expected: str) -> None:
    assert family(Context("some", bytes_, features)) == expected
