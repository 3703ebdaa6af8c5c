"""One call, data or files: `compress`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, cast, overload

from glnzip.dask.cluster import Cluster
from glnzip.dask.files import cluster_at, convert_files, of_all, paths_in
from glnzip.dask.machines import Machines
from glnzip.format.levels import DEFAULT_LEVEL
from glnzip.priors.prior import SHIPPED_PRIOR, Prior, as_prior
from glnzip.streams.new_frame import check_block_size
from glnzip.streams.one_or_several import AnyCompressor, new_compressor
from glnzip.system.names import SUFFIX

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
        progress=of_all(progress),
        unpack=unpack,
        or_none=or_none,
    )
    paths = paths_in(data)
    with cluster_at(cluster) as connected:
        if paths is not None:
            return convert_files(paths, connected, _new_name, partial(_carry, new))
        with Machines(connected, "data") as workers:
            compressor = new(workers=workers)
            return compressor.compress(cast("ReadableBuffer", data)) + compressor.flush()


def _new_name(name: str) -> str:
    return name + SUFFIX


def _carry(
    new: Callable[..., AnyCompressor], source: BinaryIO, sink: BinaryIO, workers: Machines
) -> None:
    compressor = new(workers=workers)
    while data := source.read(_SLICE_BYTES):
        sink.write(compressor.compress(data))
    sink.write(compressor.flush())
