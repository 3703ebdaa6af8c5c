"""Short campaigns of `tests.fuzz` with a real model."""

import pytest

from tests import fuzz

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("target", "runs"), [("decoder", 1000), ("messages", 500)])
def test_a_short_campaign(target: str, runs: int) -> None:
    fuzz.run_random(target, runs, seed=2)
