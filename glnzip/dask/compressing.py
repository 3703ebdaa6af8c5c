"""One call, data or files: `compress`."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO, NoReturn, cast, overload

from glnzip.dask.cluster import Cluster
from glnzip.dask.machines import Machines
from glnzip.dask.several import Several
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.streams.new_frame import check_block_size
from glnzip.streams.one_or_several import AnyCompressor, new_compressor
from glnzip.system.errand import Errand, Steps
from glnzip.system.unfinished import unfinished_name

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, StrPath
    from distributed import Client

DEFAULT_BLOCK_SIZE = 16 << 20
"""Bytes of data in a block: half a minute of work at level 1, one or two at level 6."""
_SLICE_BYTES = 1 << 16


@overload
def compress(
    data: ReadableBuffer,
    cluster: str | Client | Cluster,
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    block_size: int = DEFAULT_BLOCK_SIZE,
    progress: Callable[[int], object] | None = None,
    unpack: bool = True,
    or_none: bool = False,
) -> bytes: ...


@overload
def compress(
    data: StrPath | Iterable[StrPath],
    cluster: str | Client | Cluster,
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    block_size: int = DEFAULT_BLOCK_SIZE,
    progress: Callable[[int], object] | None = None,
    unpack: bool = True,
    or_none: bool = False,
) -> list[str]: ...


def compress(
    data: ReadableBuffer | StrPath | Iterable[StrPath],
    cluster: str | Client | Cluster,
    *,
    level: int = DEFAULT_LEVEL,
    prior: Prior | StrPath | None = SHIPPED_PRIOR,
    block_size: int = DEFAULT_BLOCK_SIZE,
    progress: Callable[[int], object] | None = None,
    unpack: bool = True,
    or_none: bool = False,
) -> bytes | list[str]:
    """Compress data, or files, on a Dask cluster; the results are those of `glnzip.compress`.

    Parameters
    ----------
    data
        Any bytes-like object. Or the path of a file, or paths: each file becomes one of the same
        name and ``.gln``, which appears when it is complete.
    cluster
        The address of a scheduler, such as ``tcp://host:8786``, a `distributed.Client`, or a
        `Cluster`.
    level, prior, unpack, or_none
        As for `glnzip.compress`.
    block_size
        Bytes of data in a block, which is what a worker is given; see `glnzip.compress`. About two
        for each thread of the workers are in memory here.
    progress
        Called now and then with the number of bytes coded since the last call, of all files.

    Returns
    -------
    bytes or list of str
        The compressed data; of files, the paths of the new ones.

    Raises
    ------
    FileExistsError
        If there is a file of that name already.
    GlnzipError
        If there is no such cluster, or it goes away, or has another glnzip; or as `glnzip.compress`
        does. Files that were complete before an error stay.

    Examples
    --------
    >>> glnzip.dask.compress(["a.tar", "b.tar"], "tcp://host:8786", level=4)  # doctest: +SKIP
    ['a.tar.gln', 'b.tar.gln']
    """
    new = partial(
        new_compressor,
        level,
        prior=as_prior(prior),
        block_size=check_block_size(block_size),
        progress=progress and partial(_one_at_a_time, Lock(), progress),
        unpack=unpack,
        or_none=or_none,
    )
    if isinstance(data, str | os.PathLike):
        data = [data]
    with cluster_at(cluster) as connected:
        try:
            view = memoryview(data)  # type: ignore[arg-type]
        except TypeError:
            return _compress_files(cast("Iterable[StrPath]", data), connected, new)
        with Machines(connected, "data") as workers:
            compressor = new(workers=workers)
            return compressor.compress(view) + compressor.flush()


def cluster_at(cluster: str | Client | Cluster) -> AbstractContextManager[Cluster]:
    """A cluster for the time of a block; one that was connected before is left so."""
    return nullcontext(cluster) if isinstance(cluster, Cluster) else Cluster(cluster)


def _compress_files(
    paths: Iterable[StrPath], cluster: Cluster, new: Callable[..., AnyCompressor]
) -> list[str]:
    targets = []
    with Several(cluster) as several:
        for path in paths:
            name = os.fsdecode(path)
            targets.append(f"{name}.gln")
            several.begin(_compress_file(name, targets[-1], cluster, new), _raise)
    return targets


def _compress_file(
    path: str, target: str, cluster: Cluster, new: Callable[..., AnyCompressor]
) -> Steps:
    _check_free(target)
    with (
        unfinished_name(target) as temporary,
        open(path, "rb") as source,
        Machines(cluster, os.path.basename(path)) as workers,
    ):
        with open(temporary, "xb") as sink:
            errand = Errand(partial(_carry, source, new(workers=workers), sink))
            yield errand
            errand.result()
        _check_free(target)
        os.replace(temporary, target)


def _carry(source: BinaryIO, compressor: AnyCompressor, sink: BinaryIO) -> None:
    while data := source.read(_SLICE_BYTES):
        sink.write(compressor.compress(data))
    sink.write(compressor.flush())


def _check_free(target: str) -> None:
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)


def _one_at_a_time(lock: Lock, progress: Callable[[int], object], count: int) -> None:
    with lock:
        progress(count)


def _raise(error: Exception) -> NoReturn:
    raise error
