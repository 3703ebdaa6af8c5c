"""A short campaign of `tests.fuzz` with a real model."""

from tests import fuzz


def test_a_short_campaign() -> None:
    fuzz.run_random("decoder", 1000, seed=2)
