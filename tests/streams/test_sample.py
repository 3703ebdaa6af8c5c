"""What is drawn from the model looks like what it has seen."""

from __future__ import annotations

import pytest

import glnzip

LINES = [b"The river rose by %d centimetres in the night.\n" % n for n in range(40)]


@pytest.fixture(scope="module")
def prior() -> glnzip.Prior:
    return glnzip.train_prior(LINES, base=None, level=1)


def test_it_looks_like_the_prior(prior: glnzip.Prior) -> None:
    drawn = glnzip.sample(600, prior=prior, level=1)
    assert len(drawn) == 600
    assert b"The river rose by " in drawn
    likely = glnzip.cost_bits(drawn, prior=prior, level=1).mean()
    assert likely < 0.5 * glnzip.cost_bits(drawn, prior=None, level=1).mean()


def test_the_seed_decides(prior: glnzip.Prior) -> None:
    first = glnzip.sample(300, prior=prior, level=1, seed=1)
    assert first == glnzip.sample(300, prior=prior, level=1, seed=1)
    assert first != glnzip.sample(300, prior=prior, level=1, seed=2)
    assert first[:100] == glnzip.sample(100, prior=prior, level=1, seed=1)


def test_without_a_prior_it_is_noise() -> None:
    drawn = glnzip.sample(4000, prior=None, level=1, seed=3)
    assert len(set(drawn)) > 200


def test_more_than_a_block(monkeypatch: pytest.MonkeyPatch, prior: glnzip.Prior) -> None:
    monkeypatch.setattr("glnzip.streams.sample.BLOCK_BYTES", 100)
    drawn = glnzip.sample(250, prior=prior, level=1)
    assert len(drawn) == 250
    assert drawn.isascii()  # the second and the third block are as likely as the first


def test_how_much() -> None:
    assert glnzip.sample(0) == b""
    with pytest.raises(ValueError, match="negative"):
        glnzip.sample(-1)
    with pytest.raises(TypeError):
        glnzip.sample(1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="level"):
        glnzip.sample(1, level=0)
