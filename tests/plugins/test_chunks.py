"""What metadata say of a chunk is enough to read it, and a missing prior is named."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, BoundedSemaphore

import pytest

import glnzip
from glnzip.plugins import chunks, turns
from glnzip.plugins.chunks import ChunkCoder
from tests.checks import sample
from tests.priors.small_priors import small_prior
from tests.system.test_locks import in_a_child

CHUNK = sample(2000)


@pytest.fixture(autouse=True)
def no_priors_elsewhere(quick_model: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in another process, where the environment names none."""
    chunks._prior_from.cache_clear()
    monkeypatch.delenv("GLNZIP_PRIOR", raising=False)


@pytest.fixture
def prior_file(tmp_path: Path) -> Path:
    """A file with a prior."""
    path = tmp_path / "prior.gln"
    path.write_bytes(small_prior().data)
    return path


def reread(coder: ChunkCoder) -> ChunkCoder:
    """The coder that the metadata of an array make."""
    return ChunkCoder(**json.loads(json.dumps(coder.configuration())))


@pytest.mark.parametrize("prior", [None, "shipped"])
def test_metadata_make_the_same_coder(prior):
    coder = ChunkCoder(level=2, prior=prior)
    assert coder.configuration() == {"level": 2, "prior": prior}
    assert reread(coder) == coder
    frame = coder.compress(CHUNK)
    assert reread(coder).compress(CHUNK) == frame
    assert reread(coder).decompress(frame) == CHUNK
    (header,) = glnzip.frame_info(frame)
    assert header.level == 2
    assert header.prior_id == (None if prior is None else glnzip.SHIPPED_PRIOR.id)


def test_nothing_said_means_what_it_means_everywhere():
    assert ChunkCoder().configuration() == {"level": glnzip.DEFAULT_LEVEL, "prior": "shipped"}


def test_metadata_name_the_prior_of_a_file(prior_file):
    coder = ChunkCoder(level=1, prior=prior_file)
    prior = small_prior()
    assert coder.configuration() == {"level": 1, "prior": str(prior_file), "prior_id": prior.id}
    assert reread(coder) == coder
    frame = coder.compress(CHUNK)
    assert frame == glnzip.compress(CHUNK, level=1, prior=prior)
    assert reread(coder).decompress(frame) == CHUNK


def test_a_missing_prior_is_named_when_it_is_needed(prior_file, tmp_path, monkeypatch):
    coder = ChunkCoder(level=1, prior=str(prior_file))
    frame = coder.compress(CHUNK)
    moved = prior_file.rename(tmp_path / "moved.gln")
    chunks._prior_from.cache_clear()
    elsewhere = reread(coder)
    for work in (lambda: elsewhere.decompress(frame), lambda: elsewhere.compress(CHUNK)):
        with pytest.raises(glnzip.PriorMismatchError) as told:
            work()
        for named in (small_prior().id, str(prior_file), "GLNZIP_PRIOR"):
            assert named in str(told.value)
    monkeypatch.setenv("GLNZIP_PRIOR", str(moved))
    assert elsewhere.decompress(frame) == CHUNK
    assert elsewhere.compress(CHUNK) == frame


def test_another_prior_in_its_place_is_not_used(prior_file):
    coder = ChunkCoder(level=1, prior=str(prior_file))
    frame = coder.compress(CHUNK)
    another = small_prior(small_prior())
    prior_file.write_bytes(another.data)
    assert coder.compress(CHUNK) == frame, "what was read once is kept"
    chunks._prior_from.cache_clear()
    for work in (lambda: coder.decompress(frame), lambda: coder.compress(CHUNK)):
        with pytest.raises(glnzip.PriorMismatchError, match=f"has the prior {another.id}"):
            work()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"level": 0}, ValueError),
        ({"level": "6"}, TypeError),
        ({"prior": None, "prior_id": "01234567"}, ValueError),
        ({"prior": "shipped", "prior_id": "01234567"}, ValueError),
        ({"prior": "no such file"}, FileNotFoundError),
        ({"prior": 5}, TypeError),
        ({"prior": __file__}, glnzip.BadPriorError),
    ],
    ids=str,
)
def test_what_cannot_work_is_refused_at_once(arguments, error):
    with pytest.raises(error):
        ChunkCoder(**arguments)


def test_more_than_is_expected_is_refused():
    coder = ChunkCoder(level=1, prior=None)
    frame = coder.compress(CHUNK)
    assert coder.decompress(frame, len(CHUNK)) == CHUNK
    with pytest.raises(glnzip.OutputLimitError):
        coder.decompress(frame, len(CHUNK) - 1)


def test_threads_take_turns(monkeypatch):
    """Two meet at the barrier; a third would break it, as it waits for a fourth."""
    inside, most = [], []
    barrier = Barrier(2)

    def compress(chunk: bytes, **_: object) -> bytes:
        inside.append(chunk)
        barrier.wait(timeout=60)
        most.append(len(inside))
        barrier.wait(timeout=60)
        inside.remove(chunk)
        barrier.wait(timeout=60)
        return chunk

    monkeypatch.setattr(glnzip, "compress", compress)
    monkeypatch.setitem(turns._turns, 1, BoundedSemaphore(2))
    given = [b"%d" % number for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(ChunkCoder(1, None).compress, given)) == given
    assert most == [2] * 6


def test_a_failure_gives_its_turn_back(monkeypatch):
    monkeypatch.setitem(turns._turns, 1, BoundedSemaphore(1))
    coder = ChunkCoder(1, None)
    for _ in range(2):
        with pytest.raises(glnzip.CorruptStreamError):
            coder.decompress(b"no frame")
        assert coder.decompress(coder.compress(CHUNK)) == CHUNK


def test_as_many_turns_as_there_are_cpus_and_memory(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 16)
    for gigabytes, turns_of_levels in (
        (None, {1: 16, 6: 16, 9: 16}),
        (64, {1: 16, 6: 16, 9: 12}),
        (8, {1: 16, 6: 3, 9: 1}),
        (1, {1: 3, 6: 1, 9: 1}),
    ):
        monkeypatch.setattr(turns, "usable_memory", lambda size=gigabytes: size and size << 30)
        assert {level: turns.at_a_time(level) for level in turns_of_levels} == turns_of_levels


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_begins_with_all_turns(monkeypatch):
    monkeypatch.setitem(turns._turns, 1, BoundedSemaphore(1))

    def take_one() -> None:
        assert turns.turn(1).acquire(blocking=False)

    with turns.turn(1):
        assert in_a_child(take_one)
