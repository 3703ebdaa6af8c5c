"""A Dask cluster: the connection, who is there, and the blocks that are on their way.

The data of a block go to the scheduler with the task. It keeps them until the result is here, so
that it can give them to another worker if one is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from threading import Lock
from time import monotonic
from types import TracebackType
from typing import Any, Protocol
from uuid import uuid4

import dask
from distributed import Client, Future, KilledWorker, Security, wait
from distributed import TimeoutError as DaskTimeoutError  # no OSError before Python 3.11
from distributed.comm import get_address_host_port

from glnzip.dask.build import check_build, own_build
from glnzip.dask.on_worker import Order, carry_out
from glnzip.errors import GlnzipError
from glnzip.priors.allowance import check_memory_limit
from glnzip.priors.prior import SHIPPED_PRIOR, Prior

NO_WORKER_SECONDS = 60.0
"""How long a cluster may have no worker: one may be starting."""
_COUNTED_SECONDS = 1.0
"""How long the number of its threads is taken for what it was."""
_REPORT_BYTES = 1 << 14
"""Coded by all threads together between two reports, about: the scheduler passes each on."""


class Stream(Protocol):
    """What has blocks on their way."""

    @property
    def load(self) -> int:
        """How many."""


class Block:
    """Some work on its way."""

    def __init__(self, number: int, future: Future) -> None:
        self.number = number
        self.future = future
        self.coded = 0
        """Bytes, as far as is known; a block that is done again begins where it was."""


class Cluster:
    """A connection to a Dask cluster; a context manager, which ends all work that it gave.

    Parameters
    ----------
    address
        Of the scheduler, such as ``tcp://host:8786``; or a `distributed.Client`, which is left
        open.
    memory_limit
        The most bytes of memory that the process of a worker may take, where that is less than what
        Dask allows it.

    Raises
    ------
    GlnzipError
        If no scheduler answers, or if it or a worker has no glnzip, or another one.
    """

    def __init__(self, address: str | Client, *, memory_limit: int | None = None) -> None:
        self._memory_limit = check_memory_limit(memory_limit)
        self._build = own_build()
        self._topic = f"glnzip-{uuid4().hex}"
        self._numbers = count()
        self._blocks: dict[int, Block] = {}
        self._priors: dict[str, Future] = {}
        self._lock = Lock()
        self.here = Lock()
        self._threads = 0
        self._counted = -_COUNTED_SECONDS
        self._seen = monotonic()
        self._why_gone = ""
        self.streams: set[Stream] = set()
        with ExitStack() as stack:
            stack.enter_context(_large_tasks())
            self._client = (
                address if isinstance(address, Client) else stack.enter_context(_connected(address))
            )
            self.address = str(self._client.scheduler.address)
            self._check_builds()
            self._client.subscribe_topic(self._topic, self._hear)
            stack.callback(self._stop_hearing)
            self._open = stack.pop_all()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all work that was given, and the connection if it was made here."""
        self.cancel(list(self._blocks.values()))
        self._priors.clear()
        self._open.close()

    @property
    def threads(self) -> int:
        """Threads of all workers that are there now; none while the first is starting.

        Raises GlnzipError if there has been none for long.
        """
        with self._lock:
            now = monotonic()
            if now - self._counted >= _COUNTED_SECONDS:
                self._threads = sum(self._answer(self._client.nthreads).values())
                self._counted = now
            if self._threads:
                self._seen = now
            elif now - self._seen >= NO_WORKER_SECONDS:
                raise GlnzipError(
                    f"the cluster at {self.address} has had no worker "
                    f"for {NO_WORKER_SECONDS:.0f} seconds"
                )
            return self._threads

    def load(self, besides: Stream | None = None) -> int:
        """Blocks on their way, one at least for each stream, which has one in the making."""
        return sum(max(1, stream.load) for stream in list(self.streams) if stream is not besides)

    def submit(
        self, key: tuple[str, int], work: Callable[..., bytes], *arguments: object, models: int
    ) -> Block:
        """Have a worker do some work: see `glnzip.streams.workers.Workers.submit`."""
        number = next(self._numbers)
        order = Order(
            self._build,
            self._topic,
            number,
            _REPORT_BYTES * self.threads,
            models,
            self._memory_limit,
        )
        sent = [self._sent(argument) for argument in arguments]
        future = self._answer(self._client.submit, carry_out, order, work, *sent, key=key)
        block = self._blocks[number] = Block(number, future)
        return block

    def has_ended(self, block: Block, seconds: float) -> bool:
        """Whether some work has ended; waits for it so long.

        Raises GlnzipError if there is nobody to do it.
        """
        with self._client.as_current(), suppress(CancelledError, DaskTimeoutError):
            wait(block.future, timeout=seconds)
        if block.future.done():
            return True
        if self._client.status != "running":
            raise self._gone("the connection is lost")
        _ = self.threads  # or there are none any more
        return False

    def result(self, block: Block) -> bytes:
        """The result of some work that has ended."""
        data: bytes
        try:
            data, block.coded = block.future.result()
        except CancelledError as error:
            raise self._gone(getattr(error, "msg", None) or str(error)) from error
        except KilledWorker as error:
            raise GlnzipError(
                f"{error.allowed_failures + 1} workers have died of the same block; the last was "
                f"{error.last_worker.address} (has it too little memory?)"
            ) from error
        return data

    def cancel(self, blocks: list[Block]) -> None:
        """End some work, if the cluster is there."""
        if blocks and self._client.status == "running":
            with suppress(OSError, DaskTimeoutError):
                self._client.cancel([block.future for block in blocks], force=True)

    def forget(self, block: Block) -> None:
        """Keep nothing of some work, neither here nor on the cluster."""
        self._blocks.pop(block.number, None)

    def _sent(self, argument: object) -> object:
        """What is sent for an argument: of a prior of the user's, one copy for all work."""
        if not isinstance(argument, Prior) or argument is SHIPPED_PRIOR:
            return argument
        kind = type(argument).__name__.lower()  # a base is more than a prior of the same hash
        key = f"glnzip {kind}-{argument.content_hash}"
        with self._lock:
            if key not in self._priors:
                self._priors[key] = self._answer(self._client.submit, _same, argument, key=key)
            return self._priors[key]

    def _hear(self, event: tuple[float, Any]) -> None:
        """A worker tells how far a block is."""
        _, (number, coded) = event
        block = self._blocks.get(number)
        if block is not None:
            block.coded = max(block.coded, coded)

    def _stop_hearing(self) -> None:
        if self._client.status == "running":
            self._client.unsubscribe_topic(self._topic)

    def _check_builds(self) -> None:
        """See that the scheduler, which reads tasks, and all workers have this glnzip.

        Those that join later find out for themselves.
        """
        found: dict[str, object] = {}
        try:
            found["the scheduler"] = self._client.run_on_scheduler(own_build)
        except Exception as error:  # whatever was raised there
            found["the scheduler"] = error
        for worker, build in self._client.run(own_build, on_error="return").items():
            if not isinstance(build, OSError):  # it is just leaving
                found[f"the worker {worker}"] = build
        for where, what in found.items():
            check_build(self._build, what, where)

    def _answer(self, ask: Callable[..., Any], *arguments: object, **options: object) -> Any:
        """What the scheduler answers; once it was gone, it is not waited for again."""
        if self._why_gone or self._client.status != "running":
            raise self._gone(self._why_gone or "the connection is lost")
        try:
            return ask(*arguments, **options)
        except (OSError, DaskTimeoutError, RuntimeError) as error:
            raise self._gone(str(error)) from error

    def _gone(self, why: str) -> GlnzipError:
        self._why_gone = why
        return GlnzipError(f"the Dask cluster at {self.address} is gone: {why}")


def _same(prior: Prior) -> Prior:
    """A prior as a task: Dask gives it to each worker that needs it, and again if that is lost."""
    return prior


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """A client for a scheduler."""
    try:
        _check_address(address)
        client = Client(address, set_as_default=False)
    except (OSError, DaskTimeoutError, ValueError) as error:
        raise GlnzipError(f"there is no Dask scheduler at {address}: {error}") from error
    with client:
        yield client


def _check_address(address: str) -> None:
    """Raise ValueError where a client would begin with what cannot be, and not end by itself."""
    get_address_host_port(address)
    arguments = Security().get_connection_args("client")
    if address.startswith("tls:") and arguments.get("ssl_context") is None:
        raise ValueError("Dask's configuration names no certificates for TLS")


def _large_tasks() -> Any:
    """Within this, Dask does not warn of tasks with much data: each block is one."""
    return dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"})
