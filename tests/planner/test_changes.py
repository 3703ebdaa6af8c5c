"""Where text ends and something else begins, though no header says so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glnzip.planner.changes import SHORTEST, changes
from tests.fixed_data import LEXICON

TEXT = (LEXICON * 40)[:20_000]
NOISE = np.random.default_rng(1).bytes(20_000)


def places(data: bytes) -> list[int]:
    return changes(np.frombuffer(data, np.uint8))


@pytest.mark.parametrize("before", [9_000, 12_288, 20_000])
def test_the_byte_is_found(before):
    text, noise = TEXT[:before], b"\1" + NOISE[:before] + b"\1"
    assert places(text + noise) == [before]
    assert places(noise + text) == [before + 2]
    assert places(text + noise + text) == [before, 2 * before + 2]


def test_what_is_short_changes_nothing():
    assert places(TEXT + b"\1" * 3000 + TEXT) == []
    assert places(NOISE + TEXT[:3000] + NOISE) == []
    assert places(TEXT[:4000] + NOISE) == []


@pytest.mark.parametrize(
    "other",
    ["Ω ήταν ".encode() * 2000, bytes(range(128, 256)) * 100, b"\xe4\xf6\xfc " * 4000],
    ids=["greek", "high", "latin"],
)
def test_what_may_be_text_goes_with_it(other):
    assert places(TEXT + other + TEXT) == []
    assert places(NOISE + other + NOISE) == []
    assert places(other) == []


@given(
    st.lists(st.sampled_from([TEXT, NOISE, TEXT[:3000], NOISE[:5000], bytes(7000), b"\xff" * 9000]))
)
def test_places_grow_and_lie_within(parts):
    data = b"".join(parts)
    found = places(data) if len(data) >= SHORTEST else []
    assert found == sorted(set(found))
    assert all(0 < place < len(data) for place in found)
