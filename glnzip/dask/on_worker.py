"""What runs on the workers of a cluster: a piece of work, with what bounds and reports it.

A task knows all that it needs, and nobody waits inside it but for memory; so it can be done again
by another worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from threading import Condition
from typing import TYPE_CHECKING, NamedTuple

from distributed import get_worker

from glnzip.dask.build import Build, check_build, own_build
from glnzip.errors import MemoryLimitError
from glnzip.format.levels import PROCESS_BYTES
from glnzip.system.units import human_size

if TYPE_CHECKING:
    from distributed import Worker

MODELS_SHARE = 0.7
"""Of a worker's memory, for models: Dask pauses a worker at 80 %, and ends it at 95 %."""


class Order(NamedTuple):
    """What a client asks of a worker, beside the work itself."""

    build: Build
    """That the worker must have."""
    topic: str
    """Of the events that tell how far the work is: lists of ``number`` and bytes coded so far."""
    number: int
    every: int
    """Bytes between two events."""
    models: int
    """Bytes that the models of this work take."""
    memory_limit: int | None
    """Bytes that the process of a worker may take, beside what Dask allows it."""


def carry_out(order: Order, work: Callable[..., bytes], *arguments: object) -> tuple[bytes, int]:
    """Do some work; return its result, and how many bytes were coded."""
    worker = get_worker()
    check_build(order.build, own_build(), f"the worker {worker.address}")
    report = _Report(worker, order)
    with _memory.taken(order.models, _limit(worker, order), report):
        return work(*arguments, progress=report), report.coded


class _Report:
    """Tells the client how far a piece of work is, and ends it once nobody wants it any more."""

    def __init__(self, worker: Worker, order: Order) -> None:
        self.coded = 0
        self._due = 0
        self._worker = worker
        self._key = worker.get_current_task()
        self._order = order

    def __call__(self, count: int) -> None:
        task = self._worker.state.tasks.get(self._key)
        if task is None or task.state == "cancelled":
            raise CancelledError
        self.coded += count
        if self.coded >= self._due:
            self._due = self.coded + self._order.every
            self._worker.log_event(self._order.topic, [self._order.number, self.coded])


def _limit(worker: Worker, order: Order) -> int | None:
    """Bytes that this process may take."""
    own = worker.memory_manager.memory_limit
    limits = [order.memory_limit, int(MODELS_SHARE * own) if own else None]
    return min((limit for limit in limits if limit is not None), default=None)


class _Memory:
    """The memory of the models in this process: a worker may have more threads than room."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._taken = 0

    @contextmanager
    def taken(
        self, models: int, limit: int | None, waiting: Callable[[int], object]
    ) -> Iterator[None]:
        """Within the block, some bytes are taken; waits for others to be given back.

        Raises MemoryLimitError if there are never as many.
        """
        if limit is not None and PROCESS_BYTES + models > limit:
            raise MemoryLimitError(
                f"a block needs about {human_size(PROCESS_BYTES + models)} of memory; "
                f"the limit of a worker is {human_size(limit)}"
            )
        with self._changed:
            while limit is not None and PROCESS_BYTES + self._taken + models > limit:
                waiting(0)
                self._changed.wait(1)
            self._taken += models
        try:
            yield
        finally:
            with self._changed:
                self._taken -= models
                self._changed.notify_all()


_memory = _Memory()
