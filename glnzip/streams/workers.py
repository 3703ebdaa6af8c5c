"""Threads for several frames at a time, each with a model of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Event, Lock
from typing import TypeVar

from glnzip.format.levels import memory_bytes, model_bytes

Result = TypeVar("Result")


class Workers:
    """Threads that end what they do soon, and begin with nothing more, once they are stopped."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="glnzip")
        self._stopped = Event()

    def submit(self, work: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Have a thread do some work, which must not refer to its workers: see `__del__`."""
        return self._pool.submit(work, *arguments)

    def watched(self, progress: Callable[[int], object] | None = None) -> Callable[[int], object]:
        """A callback for work to call in the midst of it, which ends it once all are stopped.

        It calls `progress`, which need not be made for several threads.
        """
        return partial(_advance, self._stopped, Lock(), progress)

    def stop(self) -> None:
        """Stop them, without waiting."""
        self._stopped.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    @contextmanager
    def stopped_by_errors(self) -> Iterator[None]:
        """Stop them if what is done here fails, be it by Ctrl-C."""
        try:
            yield
        except BaseException:
            self.stop()
            raise

    def __del__(self) -> None:
        self.stop()


def _advance(
    stopped: Event, lock: Lock, progress: Callable[[int], object] | None, count: int
) -> None:
    if stopped.is_set():
        raise CancelledError
    if progress is not None:
        with lock:
            progress(count)


def affordable(threads: int, memory_limit: int | None, level: int, models: int = 1) -> int:
    """How many of the threads may each have so many models of a level; at least one."""
    if memory_limit is None:
        return threads
    others = memory_bytes(level) - model_bytes(level)  # the process itself
    return max(1, min(threads, (memory_limit - others) // (models * model_bytes(level))))
