"""Several files on their way at a time: begun while there is room, finished here, in any order."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import cast

import pytest

pytest.importorskip("distributed")

from glnzip.dask import several as several_module
from glnzip.dask.cluster import Cluster
from glnzip.dask.several import Several
from glnzip.system.errand import Errand, Steps


class FakeCluster:
    """A cluster with two threads whose streams nobody has begun."""

    threads = 2
    streams: tuple[object, ...] = ()

    def load(self) -> int:
        return 0


CLUSTER = cast(Cluster, FakeCluster())


def way(name: str, log: list[str], work: Callable[[], object] = lambda: None) -> Steps:
    """The way of a file that leaves traces."""
    log.append(f"{name} begun")
    try:
        errand = Errand(work)
        yield errand
        errand.result()
        log.append(f"{name} finished")
    finally:
        log.append(f"{name} closed")


def no_error(error: Exception) -> None:
    raise AssertionError(error)


def test_each_is_finished_by_the_thread_that_began_it() -> None:
    log: list[str] = []
    threads: set[int] = set()

    def work() -> None:
        threads.add(threading.get_ident())

    with Several(CLUSTER) as several:
        for name in "abcdefgh":
            several.begin(way(name, log, work), no_error)
    assert sorted(log) == sorted(
        f"{name} {what}" for name in "abcdefgh" for what in ("begun", "finished", "closed")
    )
    assert threads
    assert threading.get_ident() not in threads


@pytest.mark.parametrize(("most", "begun"), [(128, 4), (3, 3)])
def test_no_more_are_begun_than_there_is_room_for(
    most: int, begun: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two for each thread of the cluster, and no more than a process should have open."""
    monkeypatch.setattr(several_module, "MOST_FILES", most)
    log: list[str] = []
    may_end = Event()

    def finish_some(several: Several) -> None:
        may_end.set()
        unwatched(several)

    unwatched = Several._finish_some
    monkeypatch.setattr(Several, "_finish_some", finish_some)
    with Several(CLUSTER) as several:
        for name in "abcdefgh":
            several.begin(way(name, log, partial(may_end.wait, 10)), no_error)
            if not may_end.is_set():
                assert len(log) <= begun
    assert log.index("a finished") >= begun


def test_an_error_is_that_of_its_file() -> None:
    log: list[str] = []
    errors: list[Exception] = []

    def fail(why: str) -> None:
        raise OSError(why)

    def refused() -> Steps:
        fail("not even begun")
        yield Errand(pytest.fail)

    with Several(CLUSTER) as several:
        several.begin(way("a", log, partial(fail, "no")), errors.append)
        several.begin(way("b", log), no_error)
        with pytest.raises(OSError, match="not even begun"):
            several.begin(refused(), no_error)
    assert [str(error) for error in errors] == ["no"]
    assert {"a closed", "b finished"} <= set(log)
    assert "a finished" not in log


def test_all_are_given_up_if_something_else_fails() -> None:
    log: list[str] = []
    may_end = Event()

    def fail() -> None:
        with Several(CLUSTER) as several:
            several.begin(way("a", log, partial(may_end.wait, 10)), no_error)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    may_end.set()
    assert log == ["a begun", "a closed"]
