"""Files that become others, several at a time: what both calls for files have in common."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from glnzip.dask.cluster import Cluster
from glnzip.dask.machines import Machines
from glnzip.dask.several import Several
from glnzip.system.errand import Errand, Steps
from glnzip.system.unfinished import unfinished_name

if TYPE_CHECKING:
    from _typeshed import StrPath
    from distributed import Client

Carry = Callable[[BinaryIO, BinaryIO, Machines], None]
"""Carries the data of a file to another one."""
Progress = Callable[[int], object]


def cluster_at(cluster: str | Client | Cluster) -> AbstractContextManager[Cluster]:
    """A cluster for the time of a block; one that was connected before is left so."""
    return nullcontext(cluster) if isinstance(cluster, Cluster) else Cluster(cluster)


def paths_in(data: Any) -> Iterable[StrPath] | None:
    """The paths that were given in the place of data; None if data were given."""
    if isinstance(data, str | os.PathLike):
        return [data]
    try:
        memoryview(data)
    except TypeError:
        paths: Iterable[StrPath] = data
        return paths
    return None


def of_all(progress: Progress | None) -> Progress | None:
    """What tells `progress` of several files, never twice at a time."""
    return progress and partial(_one_at_a_time, Lock(), progress)


def convert_files(
    paths: Iterable[StrPath], cluster: Cluster, new_name: Callable[[str], str], carry: Carry
) -> list[str]:
    """Make a file of each, which appears when it is complete; return the paths of the new ones.

    Raises FileExistsError if there is one of that name already.
    """
    targets = []
    with Several(cluster) as several:
        for path in paths:
            name = os.fsdecode(path)
            targets.append(new_name(name))
            several.begin(_converted(name, targets[-1], cluster, carry), _raise)
    return targets


def _converted(path: str, target: str, cluster: Cluster, carry: Carry) -> Steps:
    _check_free(target)
    with (
        unfinished_name(target) as temporary,
        open(path, "rb") as source,
        Machines(cluster, os.path.basename(path)) as workers,
    ):
        with open(temporary, "xb") as sink:
            errand = Errand(partial(carry, source, sink, workers))
            yield errand
            errand.result()
        _check_free(target)
        os.replace(temporary, target)


def _check_free(target: str) -> None:
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)


def _one_at_a_time(lock: Lock, progress: Progress, count: int) -> None:
    with lock:
        progress(count)


def _raise(error: Exception) -> NoReturn:
    raise error
