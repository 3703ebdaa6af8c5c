"""The workers of a cluster as those that make the frames of one stream."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager
from itertools import count
from types import TracebackType
from uuid import uuid4

from glnzip.dask.cluster import Block, Cluster
from glnzip.streams.workers import Progress, Result, Workers

_WAITED_SECONDS = 0.25
"""Between two looks at how far blocks are."""


class Machines(Workers):
    """The workers of a cluster, for one stream; a context manager, which stops its work.

    Several streams share a cluster. Each may have as many blocks on their way as the others leave,
    and one in any case.

    Parameters
    ----------
    cluster
        The connection.
    name
        What the dashboard shows the blocks as.
    """

    def __init__(self, cluster: Cluster, name: str) -> None:
        self._cluster = cluster
        self._group = f"{task_name(name)}-{uuid4().hex}"
        self._numbers = count()
        self._under_way: dict[Block, int] = {}
        self._progress: Progress | None = None
        self._stopped = False
        cluster.streams.add(self)

    def __enter__(self) -> Machines:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def load(self) -> int:
        """Blocks whose results have not been taken."""
        return len(self._under_way)

    @property
    def count(self) -> int:
        taken = self._cluster.load(besides=self) // 2  # two for each thread
        return max(1, self._cluster.threads - taken)

    @property
    def here(self) -> AbstractContextManager[object]:
        """One stream after the other: several at a time would take the memory of as many models."""
        return self._cluster.here

    def tell(self, progress: Progress | None) -> None:
        self._progress = progress

    def submit(self, work: Callable[..., bytes], *arguments: object, models: int) -> Result:
        if self._stopped:
            raise CancelledError
        key = self._group, next(self._numbers)
        block = self._cluster.submit(key, work, *arguments, models=models)
        self._under_way[block] = 0
        self._tell()
        return _Result(self, block)

    def stop(self) -> None:
        self._stopped = True
        self._cluster.streams.discard(self)
        self._cluster.cancel(list(self._under_way))
        for block in list(self._under_way):
            self._forget(block)

    def taken(self, block: Block) -> bytes:
        """The result for a block, once it is made."""
        while not self._cluster.has_ended(block, _WAITED_SECONDS):
            self._tell()
            if self._stopped:
                raise CancelledError
        result = self._cluster.result(block)
        self._tell()
        self._forget(block)
        return result

    def _forget(self, block: Block) -> None:
        self._under_way.pop(block, None)
        self._cluster.forget(block)

    def _tell(self) -> None:
        """Report what was coded since the last time; nothing is reported twice."""
        coded = 0
        for block, told in list(self._under_way.items()):
            now = block.coded
            coded += now - told
            self._under_way[block] = now
        if self._progress is not None:
            self._progress(coded)


class _Result:
    """The result for a block: see `glnzip.streams.workers.Result`."""

    def __init__(self, machines: Machines, block: Block) -> None:
        self._machines = machines
        self._block = block

    def done(self) -> bool:
        return self._block.future.done()

    def result(self) -> bytes:
        return self._machines.taken(self._block)


def task_name(name: str) -> str:
    """A name for tasks that Dask groups as one kind: it ends such a name at a dash."""
    return f"glnzip {name.replace('-', '_')}"
