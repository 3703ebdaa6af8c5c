"""One call, data or files: `decompress`."""

from __future__ import annotations

import io
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, cast, overload

from glnzip.dask.cluster import Cluster
from glnzip.dask.files import cluster_at, convert_files, of_all, paths_in
from glnzip.dask.machines import Machines
from glnzip.priors.prior import Prior, as_prior
from glnzip.streams.one_or_several import decompressed_pieces
from glnzip.system.byte_view import byte_view
from glnzip.system.names import is_compressed, original_name

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, StrPath
    from distributed import Client


@overload
def decompress(
    data: ReadableBuffer,
    cluster: str | Client | Cluster,
    *,
    prior: Prior | StrPath | None = None,
    max_output: int | None = None,
    only_prepared: bool = False,
    progress: Callable[[int], object] | None = None,
) -> bytes: ...


@overload
def decompress(
    data: StrPath | Iterable[StrPath],
    cluster: str | Client | Cluster,
    *,
    prior: Prior | StrPath | None = None,
    max_output: int | None = None,
    only_prepared: bool = False,
    progress: Callable[[int], object] | None = None,
) -> list[str]: ...


def decompress(
    data: ReadableBuffer | StrPath | Iterable[StrPath],
    cluster: str | Client | Cluster,
    *,
    prior: Prior | StrPath | None = None,
    max_output: int | None = None,
    only_prepared: bool = False,
    progress: Callable[[int], object] | None = None,
) -> bytes | list[str]:
    """Decompress data, or files, on a Dask cluster; the results are those of `glnzip.decompress`.

    Frames are decoded by the workers, each by one of them. A stream in which a frame has more than
    64 MiB of data, and no `block_size` cut it, is decoded here, as is one that is damaged, up to
    where it is.

    Parameters
    ----------
    data
        Any bytes-like object. Or the path of a file, or paths, of names in ``.gln``: each file
        becomes one of the name without that (of ``.tgln``, with ``.tar``), which appears when it is
        complete.
    cluster
        As for `glnzip.dask.compress`.
    prior, only_prepared
        As for `glnzip.decompress`.
    max_output
        The same, for the data of each file.
    progress
        Called now and then with the number of bytes decoded since the last call, of all files.

    Returns
    -------
    bytes or list of str
        The original data; of files, the paths of the new ones.

    Raises
    ------
    ValueError
        If the name of a file does not say what it was made from.
    FileExistsError
        If there is a file of that name already.
    GlnzipError
        If there is no such cluster, or it goes away, or has another glnzip; or as
        `glnzip.decompress` does. Files that were complete before an error stay.

    Examples
    --------
    >>> glnzip.dask.decompress(["a.tar.gln", "b.tgln"], "tcp://host:8786")  # doctest: +SKIP
    ['a.tar', 'b.tar']
    """
    pieces_of = partial(
        decompressed_pieces,
        prior=as_prior(prior),
        max_output=max_output,
        only_prepared=only_prepared,
        progress=of_all(progress),
    )
    paths = paths_in(data)
    with cluster_at(cluster) as connected:
        if paths is not None:
            return convert_files(paths, connected, _new_name, partial(_carry, pieces_of))
        file = io.BytesIO(byte_view(cast("ReadableBuffer", data)))
        with Machines(connected, "data") as workers:
            return b"".join(pieces_of(file, workers=workers))


def _new_name(name: str) -> str:
    if not is_compressed(name):
        raise ValueError(f"{name} does not end in .gln")
    return original_name(name)


def _carry(
    pieces_of: Callable[..., Generator[bytes, None, None]],
    source: BinaryIO,
    sink: BinaryIO,
    workers: Machines,
) -> None:
    with closing(pieces_of(source, workers=workers)) as pieces:
        for piece in pieces:
            sink.write(piece)
