"""Compression distances are what their definition says, however quickly they are had."""

from __future__ import annotations

import random

import numpy as np
import pytest

import glnzip
from glnzip.distances import joint_costs
from glnzip.distances.joint_costs import JointCosts
from glnzip.format.levels import memory_bytes
from glnzip.jit import jit_is_on
from tests.checks import sample
from tests.packed import gzip_file
from tests.samples import hills, machine_code

pytestmark = pytest.mark.skipif(not jit_is_on(), reason="takes many minutes without the JIT")

NOISE = random.Random(7).randbytes(900)
TEXT = sample(2000)
KINDS = {
    "text": TEXT[:700],
    "more text": b"It is the model that learns, bit by bit.\n" * 12,
    "nothing": b"",
    "a byte": b"!",
    "plain bytes": bytes(range(256)) * 2,
    "noise": NOISE,
    "code": machine_code(20),
    "gzip": gzip_file(TEXT),
}


def cost(data: bytes) -> float:
    return float(glnzip.cost_bits(data, level=1, prior=None).sum())


def by_definition(a: bytes, b: bytes) -> float:
    """That of Cilibrasi and Vitányi."""
    least, longest = sorted((cost(a), cost(b)))
    return (cost(a + b) - least) / longest if longest else 0.0


@pytest.fixture(scope="module")
def distances() -> np.ndarray:
    return glnzip.ncd_matrix(KINDS.values(), level=1, prior=None)


@pytest.mark.parametrize("i", range(len(KINDS)), ids=KINDS)
def test_each_entry_is_the_distance_by_its_definition(distances: np.ndarray, i: int) -> None:
    """To the bit, although the models are put back and used again: of whatever kind data are."""
    items = list(KINDS.values())
    assert distances[i].tolist() == [by_definition(items[i], other) for other in items]


def test_a_single_distance_is_an_entry(distances: np.ndarray) -> None:
    items = list(KINDS.values())
    for i, j in ((0, 1), (1, 0), (2, 2), (0, 6)):
        assert glnzip.ncd(items[i], items[j], level=1, prior=None) == distances[i, j]


def test_with_the_shipped_prior() -> None:
    items = [TEXT[:300], TEXT[300:800], b"Once upon a time."]
    distances = glnzip.ncd_matrix(items[:2], items)
    costs = [glnzip.cost_bits(item).sum() for item in items]
    for i, j in np.ndindex(2, 3):
        both = glnzip.cost_bits(items[i] + items[j]).sum()
        least, longest = sorted((costs[i], costs[j]))
        assert distances[i, j] == (both - least) / longest


def test_what_is_near_and_what_is_far() -> None:
    """A text is nearer to its neighbour than to noise, and nearer to itself than to either."""
    text = sample(6000)
    first, second, noise = text[:3000], text[3000:], random.Random(8).randbytes(3000)
    ((itself, neighbour, far),) = glnzip.ncd_matrix(
        [first], [first, second, noise], level=1, prior=None
    )
    assert 0 <= itself < 0.2 < neighbour < far <= 1.05
    assert glnzip.ncd(b"", b"") == 0.0


def test_pictures() -> None:
    """What the models that are put back do not see has one of its own."""
    items = [hills(64, 60, 3), TEXT[:300]]
    distances = glnzip.ncd_matrix(items, level=1, prior=None)
    assert distances.tolist() == [[by_definition(a, b) for b in items] for a in items]


def test_what_is_too_long_to_be_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joint_costs, "LONGEST", 1000)
    items = [TEXT[:600], TEXT[600:1200], TEXT[:300]]
    distances = glnzip.ncd_matrix(items, level=1, prior=None)
    assert distances.tolist() == [[by_definition(a, b) for b in items] for a in items]


def test_the_model_learns_what_is_in_front_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a row twice at most, whatever its columns are."""
    measured = []
    real = joint_costs._bits

    def noting(*arguments, **options):
        measured.append(len(arguments[2]))
        return real(*arguments, **options)

    monkeypatch.setattr(joint_costs, "_bits", noting)
    pieces = [TEXT[600 + i : 700 + i] for i in range(5)]
    model = JointCosts(1, None, 1000)
    model.behind(TEXT[:600], pieces, lambda count: None)
    assert measured == [600, 600, *[100] * 5]


def test_threads_change_nothing() -> None:
    items = [TEXT[100 * i : 100 * i + 250] for i in range(5)]
    one, several, more = (
        glnzip.ncd_matrix(items, items[:2], level=1, prior=None, threads=threads)
        for threads in (1, 2, 9)
    )
    assert np.array_equal(one, several)
    assert np.array_equal(one, more)


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_counts_what_is_measured(threads: int) -> None:
    told: list[int] = []
    items = [TEXT[:300], TEXT[300:450], KINDS["gzip"]]
    glnzip.ncd_matrix(items, level=1, prior=None, threads=threads, progress=told.append)
    assert sum(told) == sum(map(len, items)) * (1 + 2 * 3)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_progress_callback_may_stop_it(threads: int) -> None:
    def stop(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        glnzip.ncd_matrix([TEXT[:300]] * 3, level=1, prior=None, threads=threads, progress=stop)


def test_no_items() -> None:
    assert glnzip.ncd_matrix([]).shape == (0, 0)
    assert glnzip.ncd_matrix([b"x"], []).shape == (1, 0)
    assert glnzip.ncd_matrix([], [b"x"]).shape == (0, 1)


def test_parameters_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="level"):
        glnzip.ncd(b"x", b"y", level=10)
    with pytest.raises(ValueError, match="level"):
        glnzip.ncd_matrix([], level=10)
    with pytest.raises(ValueError, match="threads"):
        glnzip.ncd_matrix([b"x"], threads=0)
    with pytest.raises(TypeError):
        glnzip.ncd_matrix(["text"])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        glnzip.ncd_matrix(b"text")  # type: ignore[arg-type]
    monkeypatch.setattr("glnzip.priors.allowance.usable_memory", lambda: memory_bytes(9))
    with pytest.raises(glnzip.MemoryLimitError, match="one behind the other"):
        glnzip.ncd_matrix([b"x"], level=9, prior=None)
