"""Several files on their way at a time: a cluster has room for the blocks of more than one.

Each file is opened and finished by the thread that all is called from, so that an error or a signal
finds the files as they are known there. Between, a thread of its own carries its data.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Any

from glnzip.dask.cluster import Cluster
from glnzip.system.errand import Errand, Steps

MOST_FILES = 128
"""Open at a time: each takes two of the files that a process may have open."""
_WAITED_SECONDS = 0.1
"""Between two looks at how much room there is."""

Failed = Callable[[Exception], object]


class Several:
    """Files on their way; a context manager, after which all are finished, or given up.

    As many are begun as the cluster has room for: two blocks for each of its threads.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._threads = ThreadPoolExecutor(MOST_FILES, thread_name_prefix="glnzip file")
        self._under_way: dict[Errand[Any], tuple[Steps, Failed]] = {}

    def __enter__(self) -> Several:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            while error is None and self._under_way:
                self._finish_some()
        finally:
            for steps, _ in self._under_way.values():
                steps.close()
            self._threads.shutdown(wait=False, cancel_futures=True)

    def begin(self, steps: Steps, failed: Failed) -> None:
        """Set a file on its way, once there is room for it.

        Parameters
        ----------
        steps
            The way of a file, with one errand. An error before that is raised here.
        failed
            Called with an error after that, here or in a later call.
        """
        while not self._has_room():
            self._finish_some()
        errand = next(steps)
        self._under_way[errand] = steps, failed
        self._threads.submit(errand)

    def _has_room(self) -> bool:
        unknown = max(0, len(self._under_way) - len(self._cluster.streams))
        load = self._cluster.load() + unknown  # of some, the thread has not begun
        return len(self._under_way) < MOST_FILES and (
            not self._under_way or load < 2 * self._cluster.threads
        )

    def _finish_some(self) -> None:
        """Finish those that have been carried, if any has in a moment."""
        done, _ = wait(self._under_way, _WAITED_SECONDS, FIRST_COMPLETED)
        for errand in list(self._under_way):
            if errand in done:
                steps, failed = self._under_way.pop(errand)
                try:
                    next(steps, None)
                except Exception as error:
                    failed(error)
