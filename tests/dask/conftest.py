"""A cluster of two processes on this machine, as real as one can be here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("distributed")


def local_cluster(workers: int) -> Any:
    """A cluster of so many processes with a thread each."""
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", processes=True
    )


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    """Two workers."""
    with local_cluster(2) as local:
        yield local


@pytest.fixture
def address(local: Any) -> str:
    """Of their scheduler, once both are there: a test may have killed one."""
    from distributed import Client

    with Client(local, set_as_default=False) as client:
        client.wait_for_workers(2)
    return str(local.scheduler_address)
