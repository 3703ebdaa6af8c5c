"""Who works on several frames at a time: threads here, the machines of a cluster elsewhere.

What cuts data into frames, and puts their results in order, knows `Workers` alone
(`glnzip.streams.parallel`); `Threads` are those of this process, `glnzip.dask` has others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from threading import Event, Lock
from typing import Protocol, TypeVar

from glnzip.errors import GlnzipError
from glnzip.format.levels import memory_bytes, model_bytes

Progress = Callable[[int], object]
Made = TypeVar("Made")


class Result(Protocol):
    """The result of some work, which may not be there yet."""

    def done(self) -> bool: ...

    def result(self) -> bytes: ...


class Workers(ABC):
    """What does work for one stream, each piece of it with a model of its own.

    They end what they do soon, and begin with nothing more, once they are stopped.
    """

    @property
    @abstractmethod
    def count(self) -> int:
        """How many pieces of work are done at a time; at least one, and it may change."""

    @abstractmethod
    def tell(self, progress: Progress | None) -> None:
        """Have `progress` called with bytes coded since the last call, never twice at a time."""

    @abstractmethod
    def submit(self, work: Callable[..., bytes], *arguments: object, models: int) -> Result:
        """Have some work done.

        Parameters
        ----------
        work
            Called with the arguments, and with a `progress` that it is to call now and then. It
            must not refer to its workers: see `__del__`.
        models
            Bytes that its models take.
        """

    @abstractmethod
    def stop(self) -> None:
        """Stop them, without waiting."""

    @property
    def here(self) -> AbstractContextManager[object]:
        """To be held while this process does itself what they cannot, with a model of its own."""
        return nullcontext()

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


class Threads(Workers):
    """So many threads of this process, as many as have room for their models: see `affordable`."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="glnzip")
        self._stopped = Event()
        self.tell(None)

    @property
    def count(self) -> int:
        return self._count

    def tell(self, progress: Progress | None) -> None:
        self._progress = partial(_advance, self._stopped, Lock(), progress)

    def submit(self, work: Callable[..., Made], *arguments: object, models: int) -> Future[Made]:
        try:
            return self._pool.submit(work, *arguments, progress=self._progress)
        except RuntimeError as error:  # the process may have no more, or Python is ending
            raise GlnzipError(f"work cannot be given to a thread: {error}") from error

    def stop(self) -> None:
        self._stopped.set()
        self._pool.shutdown(wait=False, cancel_futures=True)


def _advance(stopped: Event, lock: Lock, progress: Progress | None, count: int) -> None:
    """Tell how far some work is, which ends it once all are stopped."""
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
