"""What a worker does beside the work: it bounds memory, reports, stops, and is grouped by file."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("distributed")

from glnzip.dask import on_worker
from glnzip.dask.build import own_build
from glnzip.dask.machines import task_name
from glnzip.dask.on_worker import MODELS_SHARE, Order
from glnzip.errors import GlnzipError, MemoryLimitError
from glnzip.format.levels import PROCESS_BYTES

GIGABYTE = 1 << 30


class FakeWorker:
    """What a task sees of its worker."""

    address = "tcp://there"

    def __init__(self, memory_limit: int | None = None) -> None:
        self.memory_manager = SimpleNamespace(memory_limit=memory_limit)
        self.task = SimpleNamespace(state="executing")
        self.state = SimpleNamespace(tasks={"key": self.task})
        self.events: list[Any] = []

    def get_current_task(self) -> str:
        return "key"

    def log_event(self, topic: str, message: object) -> None:
        self.events.append((topic, message))


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> FakeWorker:
    worker = FakeWorker()
    monkeypatch.setattr(on_worker, "get_worker", lambda: worker)
    monkeypatch.setattr(on_worker, "_memory", on_worker._Memory())
    return worker


def order(**changes: Any) -> Order:
    return Order(own_build(), "topic", 5, 100, 0, None)._replace(**changes)


def test_reports_come_at_once_and_then_after_so_many_bytes(worker: FakeWorker) -> None:
    def work(first: str, *, progress: Callable[[int], object]) -> bytes:
        for count in (0, 60, 30, 20, 0, 99, 1):
            progress(count)
        return first.encode()

    assert on_worker.carry_out(order(), work, "result") == (b"result", 210)
    assert worker.events == [("topic", [5, coded]) for coded in (0, 110, 210)]


@pytest.mark.parametrize("how", ["cancelled", "forgotten"])
def test_work_that_nobody_wants_any_more_ends(worker: FakeWorker, how: str) -> None:
    def work(*, progress: Callable[[int], object]) -> bytes:
        progress(1)
        if how == "cancelled":
            worker.task.state = "cancelled"
        else:
            worker.state.tasks.clear()
        progress(1)
        pytest.fail("it goes on")

    with pytest.raises(CancelledError):
        on_worker.carry_out(order(), work)


def test_another_build_does_not_begin(worker: FakeWorker) -> None:
    other = own_build()._replace(sources="others")
    with pytest.raises(GlnzipError, match="the worker tcp://there has glnzip"):
        on_worker.carry_out(order(build=other), pytest.fail)


@pytest.mark.parametrize(
    ("of_dask", "of_user", "refused"),
    [
        (None, None, False),
        (GIGABYTE, None, True),
        (2 * GIGABYTE, None, False),
        (None, GIGABYTE // 2, True),
        (2 * GIGABYTE, GIGABYTE // 2, True),
        (None, GIGABYTE, False),
    ],
)
def test_the_lower_limit_counts(
    worker: FakeWorker, of_dask: int | None, of_user: int | None, refused: bool
) -> None:
    worker.memory_manager.memory_limit = of_dask
    models = int(0.8 * GIGABYTE)
    assert MODELS_SHARE * GIGABYTE < models + PROCESS_BYTES < GIGABYTE

    def begin() -> None:
        on_worker.carry_out(order(models=models, memory_limit=of_user), lambda *, progress: b"")

    if not refused:
        return begin()
    with pytest.raises(MemoryLimitError, match="the limit of a worker is"):
        begin()


def test_threads_wait_for_each_others_memory() -> None:
    """Three at a time where there is room for two."""
    memory = on_worker._Memory()
    limit = PROCESS_BYTES + 2 * GIGABYTE
    third_waits, may_end = Event(), Event()
    inside: list[int] = []

    def hold() -> int:
        with memory.taken(GIGABYTE, limit, lambda count: third_waits.set()):
            inside.append(1)
            most = len(inside)
            assert may_end.wait(60)
            inside.pop()
        return most

    with ThreadPoolExecutor(3) as pool:
        held = [pool.submit(hold) for _ in range(3)]
        assert third_waits.wait(60)
        assert sum(future.done() for future in held) == 0
        may_end.set()
        assert max(future.result() for future in held) <= 2


@pytest.mark.parametrize(
    "name", ["a.txt", "data-2024-01.tar", "-", "deadbeef-deadbeef", "(1)", "standard input", ""]
)
def test_the_dashboard_has_a_row_for_each_file(name: str) -> None:
    """Dask takes the beginning of a key for the kind of a task."""
    from dask.utils import key_split

    group = f"{task_name(name)}-0123456789abcdef0123456789abcdef"
    assert key_split((group, 7)) == task_name(name)
    assert task_name("a.txt") == "glnzip a.txt"
