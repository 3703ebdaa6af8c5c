"""The compression ``gln`` of fsspec, for files ending in ``.gln``.

fsspec has no entry points for compressions, so somebody has to call `register`, in each process
that opens such files: the workers of dask, too.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fsspec.compression import register_compression

from glnzip import DEFAULT_LEVEL, SHIPPED_PRIOR, GlnzipFile, Prior

if TYPE_CHECKING:
    from _typeshed import StrPath


def register(*, level: int = DEFAULT_LEVEL, prior: Prior | StrPath | None = SHIPPED_PRIOR) -> None:
    """Let fsspec know ``compression="gln"``, and files ending in ``.gln`` by ``"infer"``.

    Parameters
    ----------
    level, prior
        As for `glnzip.open`, for all that is opened from now on.

    Examples
    --------
    >>> register(level=3)
    >>> with fsspec.open("s3://bucket/notes.txt.gln", "wt", compression="infer") as file:
    ...     file.write("some text")
    """
    opened = partial(GlnzipFile, level=level, prior=prior)
    register_compression("gln", opened, "gln", force=True)
